import { randomInt, randomUUID } from 'node:crypto';
import { expect, test, type Page, type Request, type Response } from '@playwright/test';
import { emailTo } from './people/emails.ts';
import { newAccount, PASSWORD } from './people/new-person.ts';
import { expectAccessible } from './rig/axe.ts';
import { PHONE, Phone } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';

let server: ServerProcess;
let facts: ServerFacts;
const phones: Phone[] = [];

test.beforeAll(async () => {
  server = await ServerProcess.start({ settings: { CAIRN_SMS: 'local', CAIRN_RATE_LIMIT_FACTOR: '10' } });
  facts = new ServerFacts(server);
});
test.afterAll(() => server.stop());
test.afterEach(async () => {
  for (const each of phones.splice(0)) {
    await each.screenshot(`end-${phones.length}`);
    await each.close();
  }
});

async function open(): Promise<Phone> {
  const phone = await Phone.open(PHONE);
  phones.push(phone);
  return phone;
}

const CHOSEN = 'a-long-walk-uphill';
const newNumber = (): string => `+4915100${randomInt(100_000, 999_999)}`;
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** What the page asks the backend from now on. */
function recorded(page: Page): Request[] {
  const asked: Request[] = [];
  page.on('request', request => {
    if (/\/(auth|rest|functions|storage)\/v1\//.test(request.url())) asked.push(request);
  });
  return asked;
}

const pathOf = (request: Request): string => new URL(request.url()).pathname;
const writes = (asked: Request[]): string[] =>
  asked.filter(request => request.method() === 'POST' && pathOf(request).startsWith('/auth/v1/')).map(pathOf);

/** A text message to a number, once it is there. */
const textTo = (number: string, words: RegExp) => emailTo(server, number, /^Text message$/, words);

test('R5.03 R7.02 R7.04 R7.14 R8.16 R3.16 who has no e-mail signs up, in and out by phone number; without number and password nothing is sent; what they are told at once comes as a text message', async () => {
  const phone = await open();
  const { page } = phone;
  const asked = recorded(page);
  const number = newNumber();
  const missing = page.getByText('You must provide either an email or phone number and a password').first();
  await page.goto(`${server.url}/auth`);
  await press(page, 'Sign in');
  await expect(page.getByText('Email and password are required').first()).toBeVisible();
  await page.getByRole('link', { name: 'Phone number' }).click();
  await expect(heading(page, 'Sign in with your phone')).toBeVisible();
  await press(page, 'Sign in');
  await expect(missing).toBeVisible();
  await page.getByLabel('Phone number').fill(number);
  await press(page, 'Sign in');
  await expect(missing).toBeVisible();
  await page.getByLabel('Phone number').fill('0151 234567');
  await press(page, 'Sign in');
  await expect(page.getByText(/^We cannot text this number\./).first()).toBeVisible();
  await expectAccessible(page, 'phone');
  await phone.screenshot('phone');
  await press(page, 'Send me a code instead');
  await press(page, 'Send code');
  await expect(page.getByText(/^We cannot text this number\./).first()).toBeVisible();
  await page.getByRole('link', { name: 'Back to sign in' }).click();
  await page.getByRole('link', { name: 'Phone number' }).click();
  await press(page, 'Create an account with a phone number');
  await press(page, 'Create account');
  await expect(missing).toBeVisible();
  await page.getByLabel('Phone number').fill(number);
  await press(page, 'Create account');
  // The same by e-mail.
  for (const [label, value] of [
    ['Email', ''],
    ['Email', 'tella@example.test'],
    ['Password', CHOSEN],
  ] as const) {
    await page.goto(`${server.url}/auth/sign-up`);
    await page.getByLabel(label, { exact: true }).fill(value);
    await press(page, 'Create account');
    await expect(missing).toBeVisible();
  }
  await page.goto(`${server.url}/auth/code`);
  await press(page, 'Send code');
  await expect(page.getByText('This is not a valid email address. Check it and try again.').first()).toBeVisible();
  expect(writes(asked)).toEqual([]);

  await page.goto(`${server.url}/auth/phone`);
  await press(page, 'Create an account with a phone number');
  await page.getByLabel('Phone number').fill(number);
  await page.getByLabel('Your name').fill('Tella Phone');
  await page.getByLabel('Password', { exact: true }).fill(CHOSEN);
  await press(page, 'Create account');
  await expect(heading(page, 'Confirm your number')).toBeVisible();
  expect(asked.find(request => pathOf(request) === '/auth/v1/signup')?.postDataJSON()).toMatchObject({
    phone: number,
    password: CHOSEN,
    data: { full_name: 'Tella Phone', locale: 'en' },
    gotrue_meta_security: {},
  });
  await page.getByLabel('Code from the text message').fill('000000');
  await press(page, 'Confirm');
  await expect(page.getByText('This code is wrong, expired or already used.').first()).toBeVisible();
  await page.getByLabel('Code from the text message').fill((await textTo(number, /Your Cairn code/)).code);
  await press(page, 'Confirm');
  await expect(page).toHaveURL(/\/welcome$/);
  await page.getByRole('button', { name: 'Set up later' }).click();

  await page.goto(`${server.url}/settings`);
  const texts = page.getByRole('switch', { name: 'Notifications by text message' });
  await texts.click();
  await expect(page.getByText(`You also get immediate notifications as text messages to ${number}.`)).toBeVisible();
  const wanted = 'text_notifications=eq.true';
  await expect.poll(async () => (await facts.rows('user_preferences', wanted)).length).toBe(1);
  // Somebody signs in elsewhere: that is told at once.
  const { publishableKey } = (await (await fetch(`${server.url}/config.json`)).json()) as { publishableKey: string };
  const elsewhere = await fetch(`${server.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: publishableKey, 'User-Agent': 'another device' },
    body: JSON.stringify({ phone: number, password: CHOSEN }),
  });
  expect(elsewhere.status).toBe(200);
  await textTo(number, /^Cairn: /);
  await page.reload();
  await expect(texts).toBeChecked();

  await page.goto(`${server.url}/profile`);
  await press(page, 'Sign out');
  await expect(page.getByText('Logout Successful').first()).toBeVisible();
  await page.getByRole('link', { name: 'Phone number' }).click();
  await page.getByLabel('Phone number').fill(number.replace('+49151', '0049 151 '));
  await page.getByLabel('Password', { exact: true }).fill(CHOSEN);
  await press(page, 'Sign in');
  await expect(page.getByText('Login Successful').first()).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('R7.04 R3.16 who has an address adds a number by its code, and signs in by a code sent to it', async () => {
  const phone = await open();
  const { page } = phone;
  const number = newNumber();
  const email = await newAccount(server, 'Nora');
  await signIn(page, email);
  await page.goto(`${server.url}/settings`);
  await page.getByRole('switch', { name: 'Notifications by text message' }).click();
  await page.getByLabel('Mobile number').fill('12');
  await press(page, 'Send code');
  await expect(page.getByText(/^We cannot text this number\./).first()).toBeVisible();
  await page.getByLabel('Mobile number').fill(number);
  await press(page, 'Send code');
  await page.getByLabel('Code from the text message').fill('000000');
  await press(page, 'Confirm number');
  await expect(page.getByText('This code is wrong, expired or already used.').first()).toBeVisible();
  await expectAccessible(page, 'number');
  await phone.screenshot('number');
  await page.getByLabel('Code from the text message').fill((await textTo(number, /to use this number/)).code);
  await press(page, 'Confirm number');
  await expect(page.getByText(`You also get immediate notifications as text messages to ${number}.`)).toBeVisible();

  const other = await open();
  await other.page.goto(`${server.url}/auth/phone`);
  await press(other.page, 'Send me a code instead');
  await other.page.getByLabel('Phone number').fill(newNumber());
  await press(other.page, 'Send code');
  await expect(other.page.getByText(/has an account, a code is on its way/)).toBeVisible();
  await other.page.goto(`${server.url}/auth/phone`);
  await press(other.page, 'Send me a code instead');
  await other.page.getByLabel('Phone number').fill(number);
  await press(other.page, 'Send code');
  await other.page.getByLabel('Code from the text message').fill((await textTo(number, /Your Cairn code/)).code);
  await press(other.page, 'Sign in');
  await expect(other.page).toHaveURL(/\/(welcome|dashboard)$/);
});

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto(`${server.url}/auth`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await press(page, 'Sign in');
  await expect(page).toHaveURL(/\/(welcome|dashboard)/);
}

/** Whose token a request carries. */
function personIn(request: Request): unknown {
  const [, claims = ''] = (request.headers()['authorization'] ?? '').split('.');
  return Object(JSON.parse(Buffer.from(claims, 'base64url').toString() || 'null')).sub;
}

const idOf = async (email: string) => (await facts.rows('profiles', `email=eq.${email}`))[0]?.id ?? '';

test('R7.01 R7.13 R7.22 R7.23 R7.24 the native app signs in at the one backend, with its key and the token of the answer: activations, preferences, profile and roles are read, one row of preferences is written', async () => {
  const email = await newAccount(server, 'Rita');
  const person = await idOf(email);
  const [own] = await facts.rows('organizations', `created_by=eq.${person}&kind=eq.private`);
  const activation = { id: randomUUID(), organization_id: own?.id, user_id: person, activation_source: 'others' };
  await facts.add('organization_activations', activation);
  await facts.add('user_roles', { user_id: person, role: 'moderator' });
  const [role] = await facts.rows('user_roles', `user_id=eq.${person}`);
  const { page } = await open();
  // What the wrapper of the native app puts on the page before our code runs.
  await page.addInitScript(() =>
    Object.assign(globalThis, { Capacitor: { getPlatform: () => 'android', isNativePlatform: () => true } }),
  );
  const asked = recorded(page);
  const pulled: Promise<string>[] = [];
  const pulls = (response: Response) => {
    if (response.url().includes('/rpc/sync_pull')) pulled.push(response.text());
  };
  page.on('response', pulls);
  const answered = page.waitForResponse(response => response.url().includes('grant_type=password'));
  await signIn(page, email);
  const answer = (await (await answered).json()) as { access_token: string; user: { id: string } };
  expect((await answered).request().postDataJSON()).toMatchObject({ email, password: PASSWORD });
  expect(answer.user.id).toBe(person);
  await expect.poll(async () => (await Promise.all(pulled)).join('')).toContain(activation.id);
  page.off('response', pulls);
  const told = (await Promise.all(pulled)).join('');
  for (const id of [String(role?.id), email]) expect(told).toContain(id);

  await page.goto(`${server.url}/settings`);
  for (const name of ['Wellness reminders', 'Task deadlines']) await page.getByRole('switch', { name }).click();
  const changed = async () => (await facts.rows('user_preferences', `user_id=eq.${person}`)).map(row => row['version']);
  await expect.poll(async () => (await changed()).length).toBe(1);
  await page.getByText('Dark', { exact: true }).click();
  await expect
    .poll(async () => facts.rows('user_preferences', `user_id=eq.${person}&theme_mode=eq.dark`))
    .toHaveLength(1);
  expect(await changed()).toHaveLength(1);

  await page.goto(`${server.url}/profile`);
  await press(page, 'Sign out');
  await expect(page.getByText('Logout Successful').first()).toBeVisible();
  await expect.poll(() => asked.some(request => pathOf(request) === '/auth/v1/logout')).toBe(true);
  const { publishableKey } = (await (await fetch(`${server.url}/config.json`)).json()) as { publishableKey: string };
  for (const request of asked) {
    expect(new URL(request.url()).origin).toBe(server.url);
    expect([pathOf(request), request.headers()['apikey']]).toEqual([pathOf(request), publishableKey]);
    if (pathOf(request).startsWith('/rest/v1/')) expect(personIn(request)).toBe(person);
  }
});
