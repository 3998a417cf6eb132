import { randomUUID } from 'node:crypto';
import { expect, test, type Locator, type Page } from '@playwright/test';
import { appCode } from './people/authenticator.ts';
import { fillSignIn } from './people/field-worker.ts';
import { emailTo } from './people/emails.ts';
import { arrive, newAccount, PASSWORD } from './people/new-person.ts';
import { expectAccessible } from './rig/axe.ts';
import { watchBearer } from './rig/bearer.ts';
import { DESKTOP, PHONE, Phone } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';

let server: ServerProcess;
let facts: ServerFacts;
const phones: Phone[] = [];

const CHOSEN = 'a-long-walk-uphill';

test.beforeAll(async () => {
  server = await ServerProcess.start();
  facts = new ServerFacts(server);
});

test.afterAll(async () => {
  await server.stop();
});

test.afterEach(async () => {
  for (const phone of phones.splice(0)) {
    await phone.screenshot(`end-${phones.length}`);
    await phone.close();
  }
});

async function open(screen = PHONE): Promise<Phone> {
  const phone = await Phone.open(screen, { keepsApp: false });
  phones.push(phone);
  return phone;
}

const heading = (page: Page, name: string | RegExp): Locator => page.getByRole('heading', { level: 1, name });
const press = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();
const someone = (name: string): string => `${name}-${randomUUID().slice(0, 8)}@example.test`;

async function look(phone: Phone, picture: string): Promise<void> {
  await expectAccessible(phone.page, picture);
  await phone.screenshot(picture);
}

/** The browser itself reports every refused request; those expected here are not errors of the page. */
const unexpected = (phone: Phone): string[] => phone.console.filter(line => !line.includes('Failed to load resource'));

async function fillSignUp(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Your name').fill('Mara Kent');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await press(page, 'Create account');
}

test('G0 R7.02 R7.04 R8.16 sign up, confirm by code, land on /welcome with a private playbook; 390 px', async () => {
  const phone = await open();
  const { page } = phone;
  await page.goto(`${server.url}/auth`);
  await expect(page.getByRole('link', { name: 'One-time code' })).toBeVisible();
  await look(phone, 'sign-in');
  await page.getByRole('link', { name: 'Create an account' }).click();
  await expect(heading(page, 'Create an account')).toBeVisible();
  await press(page, 'Create account');
  await expect(page.getByText('You must provide either an email or phone number and a password').first()).toBeVisible();
  const email = someone('mara');
  await fillSignUp(page, email, 'password');
  await expect(page.getByText('It needs at least 10 characters.')).toBeVisible();
  await expect(page.getByText('It is too easy to guess. Choose a different one.')).toBeVisible();
  await look(phone, 'weak');
  await page.getByLabel('Password', { exact: true }).fill(CHOSEN);
  await press(page, 'Create account');
  await expect(heading(page, 'Confirm your email')).toBeVisible();
  await look(phone, 'confirm');
  await page.getByLabel('Code from the email').fill('000000');
  await press(page, 'Confirm');
  await expect(page.getByText('This code is wrong, expired or already used.').first()).toBeVisible();
  const { code } = await emailTo(server, email, /Confirm your email/);
  await page.getByLabel('Code from the email').fill(code);
  await press(page, 'Confirm');
  // First: it stands for six seconds, and the address may take longer.
  await expect(page.getByText('Authentication Successful')).toBeVisible();
  await expect(page).toHaveURL(/\/welcome$/);
  await page.getByRole('button', { name: 'Set up later' }).click();
  await expect(heading(page, /^Welcome to your journey, mara-/)).toBeVisible();
  const [profile] = await facts.rows('profiles', `email=eq.${email}`);
  expect(await facts.rows('playbooks', `owner_id=eq.${profile?.id}`)).toMatchObject([{ type: 'personal' }]);
  await page.goto(`${server.url}/auth`);
  await expect(page).toHaveURL(/\/dashboard$/);
  expect(unexpected(phone)).toEqual([]);
});

test('a German browser meets German from the first page on, in its emails and after it; a toast can be put away', async () => {
  const phone = await open();
  const { page } = phone;
  const browser = await page.context().newCDPSession(page);
  const userAgent = await page.evaluate(() => navigator.userAgent);
  await browser.send('Emulation.setUserAgentOverride', { userAgent, acceptLanguage: 'de-AT,de,en' });
  await page.goto(`${server.url}/auth`);
  await expect(heading(page, 'Anmelden')).toBeVisible();
  expect(await page.locator('html').getAttribute('lang')).toBe('de');
  await page.getByRole('link', { name: 'Konto anlegen' }).click();
  await expect(heading(page, 'Konto anlegen')).toBeVisible();
  const email = someone('mara');
  await page.getByLabel('Dein Name').fill('Mara Kent');
  await page.getByLabel('E-Mail').fill(email);
  await page.getByLabel('Passwort', { exact: true }).fill(CHOSEN);
  await press(page, 'Konto anlegen');
  await expect(heading(page, 'Bestätige deine E-Mail')).toBeVisible();
  const { code } = await emailTo(server, email, /Bestätige deine E-Mail-Adresse/);
  await page.getByLabel('Code aus der E-Mail').fill(code);
  await press(page, 'Bestätigen');
  // It rests under a pointer.
  const message = page.locator('.toast').first();
  await message.hover();
  await expect(page).toHaveURL(/\/welcome$/);
  await phone.screenshot('toast-390');
  await message.getByRole('button', { name: 'Ausblenden' }).click();
  await expect(message).toBeHidden();
  await press(page, 'Später einrichten');
  await expect(heading(page, 'Willkommen auf deinem Weg, Mara')).toBeVisible();
  await expect
    .poll(async () => {
      const [profile] = await facts.rows('profiles', `email=eq.${email}`);
      return (await facts.rows('user_preferences', `user_id=eq.${profile?.id}`))[0];
    })
    .toMatchObject({ language: 'de', date_format: 'dd.MM.yyyy' });
  expect(unexpected(phone)).toEqual([]);
});

test('R2.26 an email opened by its link brings the person in, and no token stays in the address', async () => {
  const phone = await open(DESKTOP);
  const { page } = phone;
  await page.goto(`${server.url}/auth/sign-up`);
  const email = someone('lina');
  await fillSignUp(page, email, CHOSEN);
  await expect(heading(page, 'Confirm your email')).toBeVisible();
  const { link } = await emailTo(server, email, /Confirm your email/);
  await page.goto(link);
  await expect(page).toHaveURL(/\/welcome$/);
  await page.goto(link);
  await expect(heading(page, 'This link did not work')).toBeVisible();
  await look(phone, 'link-used');
  expect(unexpected(phone)).toEqual([]);
});

test('R7.05 R2.26 R4.01 a forgotten password is replaced by code, and by the link of an administrator behind #: its session chooses a password and opens nothing before', async () => {
  const phone = await open();
  const { page } = phone;
  const email = await newAccount(server, 'Nils');
  await page.goto(`${server.url}/auth`);
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await expect(heading(page, 'Reset your password')).toBeVisible();
  await page.getByLabel('Email').fill(` ${email.toUpperCase()} `);
  await look(phone, 'recover');
  await press(page, 'Send email');
  const { code } = await emailTo(server, email, /Reset your password/);
  await page.getByLabel('Code from the email').fill(code);
  await press(page, 'Continue');
  await expect(heading(page, 'Choose a new password')).toBeVisible();
  await expect(page.getByText(/^Notes locked with your old password stay locked/)).toBeVisible();
  await look(phone, 'new-password');
  await page.getByLabel('New password').fill(PASSWORD);
  await press(page, 'Save password');
  await expect(page.getByText('This is your current password. Choose a different one.').first()).toBeVisible();
  await page.getByLabel('New password').fill(CHOSEN);
  await press(page, 'Save password');
  await expect(page).toHaveURL(/\/welcome$/);

  const link = await facts.generateLink('recovery', email);
  const other = await open(DESKTOP);
  await other.page.goto(link);
  await expect(heading(other.page, 'Sign in as Nils Newcomer?')).toBeVisible();
  await press(other.page, 'Sign in');
  await expect(heading(other.page, 'Choose a new password')).toBeVisible();
  expect(other.page.url()).not.toContain('access_token');
  await other.page.goto(`${server.url}/profile`);
  await expect(other.page).toHaveURL(/\/auth/);
  expect(unexpected(phone)).toEqual([]);
  expect(unexpected(other)).toEqual([]);
});

test('R7.04 a one-time code signs in without a password, and tells nobody whether an address has an account', async () => {
  const phone = await open();
  const { page } = phone;
  await page.goto(`${server.url}/auth/code`);
  await page.getByLabel('Email').fill(someone('nobody'));
  await press(page, 'Send code');
  await expect(page.getByText(/^If nobody-.* has an account, a code is on its way.$/)).toBeVisible();
  const email = await newAccount(server, 'Otto');
  await page.goto(`${server.url}/auth/code`);
  await page.getByLabel('Email').fill(email);
  await press(page, 'Send code');
  const { code } = await emailTo(server, email, /Your sign-in link/);
  await page.getByLabel('Code from the email').fill(code);
  await press(page, 'Sign in');
  await expect(page).toHaveURL(/\/welcome$/);
  expect(unexpected(phone)).toEqual([]);
});

test('R4.14 R2.25 R7.26 an invitation opened signed out is shown, then joined by whoever signs up, and dropped from the address', async () => {
  const phone = await open();
  const { page } = phone;
  const email = someone('ivy');
  const token = await facts.invite(email);
  await page.goto(`${server.url}/?invitation_token=${token}`);
  await expect(heading(page, /^Join /)).toBeVisible();
  await expect(page.getByText(/invites you to .* as Member\.$/)).toBeVisible();
  await look(phone, 'invitation');
  await page.getByRole('link', { name: 'Create an account' }).click();
  await expect(heading(page, 'Create an account')).toBeVisible();
  await fillSignUp(page, email, CHOSEN);
  const { code } = await emailTo(server, email, /Confirm your email/);
  await page.getByLabel('Code from the email').fill(code);
  await press(page, 'Confirm');
  await expect(page).toHaveURL(`${server.url}/welcome`);
  const [profile] = await facts.rows('profiles', `email=eq.${email}`);
  const mine = await facts.rows('organization_members', `user_id=eq.${profile?.id}&role=eq.member&deleted_at=is.null`);
  expect(mine).toHaveLength(1);
  await page.goto(`${server.url}/?invitation_token=${token}`);
  await expect(
    page.getByRole('button', { name: /^Open / }).or(heading(page, 'This link cannot be used')),
  ).toBeVisible();
  expect(unexpected(phone)).toEqual([]);
});

test('R4.14 an invitation opened as somebody else says so; the account is switched and the right person joins', async () => {
  const phone = await open(DESKTOP);
  const { page } = phone;
  const email = await newAccount(server, 'Rosa');
  const token = await facts.invite(email);
  await arrive(page, server, await newAccount(server, 'Someone'));
  await page.goto(`${server.url}/?invitation_token=${token}`);
  await expect(page.getByText(/^This invitation is for r…@example.test$/)).toBeVisible();
  await look(phone, 'invitation-of-another');
  await press(page, 'Switch account');
  await expect(page).toHaveURL(/\/auth\?from=/);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await press(page, 'Sign in');
  await expect(page).toHaveURL(`${server.url}/welcome`);
  const [profile] = await facts.rows('profiles', `email=eq.${email}`);
  const mine = await facts.rows('organization_members', `user_id=eq.${profile?.id}&role=eq.member&deleted_at=is.null`);
  expect(mine).toHaveLength(1);
  await page.goto(`${server.url}/?invitation_token=${'0'.repeat(63)}f`);
  await expect(heading(page, 'This link cannot be used')).toBeVisible();
  expect(unexpected(phone)).toEqual([]);
});

test('R7.11 R4.01 a second step is set up with picture and key, asked for at sign-in, and opened by a recovery code; once it is verified the app asks in its name', async () => {
  const phone = await open();
  const { page } = phone;
  const email = await newAccount(server, 'Vera');
  await arrive(page, server, email);
  await page.goto(`${server.url}/security`);
  await expect(heading(page, 'Privacy')).toBeVisible();
  await press(page, 'Set up two-step verification');
  await expect(page.getByAltText('QR code for your authenticator app')).toBeVisible();
  await look(phone, 'enrol');
  const secret = (await page.getByLabel('Key').textContent())?.trim() ?? '';
  await page.getByLabel('Code from your app').fill(appCode(secret));
  await press(page, 'Turn on');
  await press(page, 'Create recovery codes');
  const shown = page.getByRole('dialog', { name: 'Recovery codes' });
  const codes = ((await shown.locator('pre').textContent()) ?? '').trim().split('\n');
  expect(codes).toHaveLength(10);
  await look(phone, 'recovery-codes');
  await press(page, 'I have saved them');
  await expect(page.getByText('10 codes left')).toBeVisible();

  const other = await open(DESKTOP);
  const bearer = watchBearer(other.page);
  await other.page.goto(`${server.url}/auth`);
  await other.page.getByLabel('Email').fill(email);
  await other.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await press(other.page, 'Sign in');
  await expect(heading(other.page, 'Second step')).toBeVisible();
  await look(other, 'second-step');
  await other.page.goto(`${server.url}/dashboard`);
  await expect(other.page).toHaveURL(/\/auth/);
  await other.page.goto(`${server.url}/auth/second-step`);
  await other.page.getByLabel('Code from your app').fill(appCode(secret, 1));
  await press(other.page, 'Sign in');
  await expect(other.page).toHaveURL(/\/(welcome|dashboard)$/);
  await expect.poll(() => bearer().aal).toBe('aal2');

  const third = await open();
  await third.page.goto(`${server.url}/auth`);
  await third.page.getByLabel('Email').fill(email);
  await third.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await press(third.page, 'Sign in');
  await press(third.page, 'Use a recovery code');
  await third.page.getByLabel('Recovery code').fill(codes[0] ?? '');
  await press(third.page, 'Sign in');
  await expect(third.page).toHaveURL(/\/(welcome|dashboard)$/);
  for (const each of [phone, other, third]) expect(unexpected(each)).toEqual([]);
});

test('R7.08 another device is signed out from the list, and is out at once', async () => {
  const phone = await open();
  const other = await open(DESKTOP);
  const email = await newAccount(server, 'Theo');
  await arrive(other.page, server, email);
  await arrive(phone.page, server, email);
  await phone.page.goto(`${server.url}/security`);
  const list = phone.page.getByRole('list', { name: 'Where you are signed in' });
  // The sign-up itself made a session too.
  await expect(list.getByText('This device', { exact: true })).toBeVisible();
  await look(phone, 'security');
  const before = await list.getByRole('listitem').count();
  await list.getByRole('button', { name: 'Sign out Chrome on Linux' }).first().click();
  await expect(list.getByRole('listitem')).toHaveCount(before - 1);
  // Nobody touches it: the server told it.
  await expect(other.page).toHaveURL(/\/auth/);
  await expect(other.page.getByText('Your session has expired. Please sign in again.').first()).toBeVisible();
  await press(phone.page, 'Sign out everywhere');
  await phone.page.getByRole('alertdialog').getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(phone.page.getByText('Logout Successful')).toBeVisible();
  await expect(phone.page).toHaveURL(/\/auth$/);
  expect(unexpected(phone)).toEqual([]);
  expect(unexpected(other)).toEqual([]);
});

test('R4.01 whoever signs out in one window is told so in the other one, and is out there too', async () => {
  const { page, context } = await open();
  await arrive(page, server, await newAccount(server, 'Lena'));
  const other = await context.newPage();
  await other.goto(`${server.url}/profile`);
  await expect(other.getByRole('button', { name: 'Sign out', exact: true })).toBeVisible();
  await page.goto(`${server.url}/profile`);
  await press(page, 'Sign out');
  await expect(page).toHaveURL(/\/auth$/);
  await expect(other.getByText('You signed out in another window.')).toBeVisible();
  await expect(other).toHaveURL(/\/auth/);
  await expect(other.getByText(/expired/)).toHaveCount(0);
  await other.close();
});

test('R7.07 R4.01 password and e-mail are changed by the person; both addresses agree before the new one holds, in the app and in what it asks with, also after a reload', async () => {
  const phone = await open(DESKTOP);
  const { page } = phone;
  const email = await newAccount(server, 'Wim');
  await arrive(page, server, email);
  const bearer = watchBearer(page);
  await page.goto(`${server.url}/security`);
  await expect.poll(() => bearer().email).toBe(email);
  const { sub } = bearer();
  await page.getByLabel('New password').fill('1234567890');
  await press(page, 'Change password');
  await expect(page.getByText('It is too easy to guess. Choose a different one.')).toBeVisible();
  await page.getByLabel('New password').fill(CHOSEN);
  await press(page, 'Change password');
  await expect(page.getByText('Your password is changed')).toBeVisible();
  const wanted = someone('wim-new');
  await page.getByLabel('New email').fill(wanted);
  await press(page, 'Change email');
  await expect(page.getByText('Confirm both addresses')).toBeVisible();
  await look(phone, 'email-change');
  for (const address of [email, wanted]) {
    const { code } = await emailTo(server, address, /Confirm your new email/);
    await page.getByLabel(`Code sent to ${address}`).fill(code);
    await page.getByLabel(`Code sent to ${address}`).press('Enter');
    await expect(page.getByLabel(`Code sent to ${address}`)).toHaveCount(0);
  }
  await expect(page.getByText('Your email is changed')).toBeVisible();
  await expect(page.getByText(`You sign in with ${wanted}.`)).toBeVisible();
  await page.reload();
  await expect(page.getByText(`You sign in with ${wanted}.`)).toBeVisible();
  await expect.poll(bearer).toMatchObject({ sub, email: wanted });
  expect(unexpected(phone)).toEqual([]);
});

test('R8.49 signing in says "Login Successful"; a person of a company finds Security among its modules', async () => {
  const phone = await open(DESKTOP);
  const { page } = phone;
  await page.goto(`${server.url}/auth`);
  await fillSignIn(page, 'worker');
  await expect(page.getByText('Login Successful')).toBeVisible();
  await page.getByRole('link', { name: 'Security' }).first().click();
  await expect(heading(page, 'Security')).toBeVisible();
  await expect(page.getByText('This device', { exact: true })).toBeVisible();
  await look(phone, 'security-company');
  expect(unexpected(phone)).toEqual([]);
});

test('R5.04 R5.05 R8.25 R8.26 R8.28 each field is required, a wrong password is said, and the address is sent trimmed and in lower case', async () => {
  const phone = await open();
  const { page } = phone;
  await page.goto(`${server.url}/auth`);
  const toast = page.locator('[data-sonner-toast]').filter({ hasText: 'Login Failed' });
  const [email, password] = [page.getByLabel('Email'), page.getByLabel('Password', { exact: true })];
  const required = toast.filter({ hasText: 'Email and password are required' });
  for (const [address, secret] of [
    ['', ''],
    ['worker@demo.cairn.test', ''],
    ['', 'cairn-demo-1'],
  ] as const) {
    await page.goto(`${server.url}/auth`);
    await email.fill(address);
    await password.fill(secret);
    await press(page, 'Sign in');
    await expect(required).toBeVisible();
    await expect(page).toHaveURL(`${server.url}/auth`);
  }
  // A field for addresses strips the blanks itself: for one stroke it is a field for text, so that the app holds them.
  await email.evaluate((field: HTMLInputElement) => (field.type = 'text'));
  await email.fill('  Worker@Demo.CAIRN.test ');
  await expect(email).toHaveAttribute('value', '  Worker@Demo.CAIRN.test ');
  await password.fill('not-the-password');
  const asked = () => page.waitForRequest(/\/token\?grant_type=password/);
  const address = { email: 'worker@demo.cairn.test' };
  const [refused] = await Promise.all([asked(), press(page, 'Sign in')]);
  expect(refused.postDataJSON()).toMatchObject({ ...address, password: 'not-the-password' });
  await expect(toast.filter({ hasText: 'Invalid email or password' })).toBeVisible();
  await password.fill('cairn-demo-1');
  const [taken] = await Promise.all([asked(), press(page, 'Sign in')]);
  expect(taken.postDataJSON()).toMatchObject(address);
  await expect(page).toHaveURL(/\/dashboard$/);
});
