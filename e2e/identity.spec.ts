import { randomUUID } from 'node:crypto';
import { expect, test, type Page } from '@playwright/test';
import { signIn } from './people/field-worker.ts';
import { emailTo } from './people/emails.ts';
import { appCached } from './rig/app-cached.ts';
import { storedIn } from './rig/device-database.ts';
import { DESKTOP, PHONE, Phone } from './rig/phone.ts';
import { ServerProcess } from './rig/server-process.ts';

let server: ServerProcess;
const phones: Phone[] = [];

const FIRST = 'a-long-walk-uphill';
const SECOND = 'a-short-way-back-down';
const NO_NETWORK = 'Network error. Please check your connection and try again.';

test.beforeAll(async () => {
  server = await ServerProcess.start();
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

/** What a Capacitor wrapper leaves on the page before the app runs. */
async function openNative(): Promise<Phone> {
  const phone = await Phone.open(PHONE);
  phones.push(phone);
  await phone.context.addInitScript(() => {
    Object.assign(window, { Capacitor: { getPlatform: () => 'android', isNativePlatform: () => true } });
  });
  return phone;
}

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const toast = (page: Page, title: string) => page.locator('[data-sonner-toast]').filter({ hasText: title });
const unexpected = (phone: Phone): string[] => phone.console.filter(line => !line.includes('Failed to load resource'));

/** The act with no network, which says so, and again with it. */
async function offlineThenOnline(phone: Phone, act: string, failed: string): Promise<void> {
  const { page } = phone;
  await phone.goOffline();
  await press(page, act);
  await expect(toast(page, failed)).toContainText(NO_NETWORK);
  await phone.goOnline();
  await press(page, act);
}

/** The ids in the device's stores `settings` and `users`, and local storage as text. */
async function keptOn(page: Page): Promise<{ settings: unknown[]; users: unknown[]; local: string }> {
  const idsIn = async (store: string) => (await storedIn(page, store)).map(({ id }) => id);
  const local = await page.evaluate(() => JSON.stringify(localStorage));
  return { settings: await idsIn('settings'), users: await idsIn('users'), local };
}

async function fillSignIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await press(page, 'Sign in');
}

test('R5.10 R5.11 R4.03 R4.04 R4.07 R8.49 in the native shell: sign up, come back, leave, reset, sign in; offline each says so', async () => {
  const phone = await openNative();
  const { page } = phone;
  const email = `mara-${randomUUID().slice(0, 8)}@example.test`;
  const fillSignUp = async () => {
    await page.goto(`${server.url}/auth/sign-up`);
    await page.getByLabel('Your name').fill('Mara Kent');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(FIRST);
  };
  // A first visit, of which nothing is kept yet: not even what draws a toast is here, and the form stands all the same.
  await fillSignUp();
  await phone.goOffline();
  await press(page, 'Create account');
  await expect(page.getByRole('alert').getByText(NO_NETWORK)).toBeVisible();
  await expect(page.getByLabel('Your name')).toHaveValue('Mara Kent');
  await phone.goOnline();
  // The lost network may have broken off what keeps the app for offline use: the next visit begins it anew.
  await page.reload();
  await appCached(page);
  await fillSignUp();
  await offlineThenOnline(phone, 'Create account', 'Sign Up Failed');
  await expect(heading(page, 'Confirm your email')).toBeVisible();
  const { code } = await emailTo(server, email, /Confirm your email/);
  await page.getByLabel('Code from the email').fill(code);
  await press(page, 'Confirm');
  await expect(toast(page, 'Authentication Successful')).toBeVisible();
  await expect(page).toHaveURL(/\/welcome$/);

  await page.reload();
  await expect(page).toHaveURL(/\/welcome$/);
  await expect(page.getByRole('button', { name: 'Set up later' })).toBeVisible();
  const here = await keptOn(page);
  expect(here.settings).toContain('auth_session');
  expect(here.users).toContain('current_user');
  expect(here.local).toContain('cairn.auth.cairn.session');
  // Its first three letters stand in one sealed text of a hundred by chance; a token is two such parts.
  expect(here.local).not.toMatch(/access_token|refresh_token|eyJ[\w-]+\.eyJ/);

  await page.goto(`${server.url}/profile`);
  await press(page, 'Sign out');
  await expect(toast(page, 'Logout Successful')).toBeVisible();
  await expect(page).toHaveURL(/\/auth$/);
  // The client forgets the verifier of a sign-up after the session, and the page is there by then.
  await expect.poll(async () => (await keptOn(page)).local).not.toContain('cairn.auth.cairn.session');
  const left = await keptOn(page);
  expect(left.settings).not.toContain('auth_session');
  expect(left.users).not.toContain('current_user');

  await page.goto(`${server.url}/auth/recover`);
  await page.getByLabel('Email').fill(email);
  await offlineThenOnline(phone, 'Send email', 'Password Reset Failed');
  const mail = await emailTo(server, email, /Reset your password/);
  await page.getByLabel('Code from the email').fill(mail.code);
  await press(page, 'Continue');
  await expect(heading(page, 'Choose a new password')).toBeVisible();
  await page.getByLabel('New password').fill(SECOND);
  await offlineThenOnline(phone, 'Save password', 'Password Update Failed');
  await expect(toast(page, 'Password changed')).toBeVisible();
  await expect(page).toHaveURL(/\/(welcome|dashboard)$/);

  await page.goto(`${server.url}/profile`);
  await press(page, 'Sign out');
  await expect(page).toHaveURL(/\/auth$/);
  await fillSignIn(page, email, FIRST);
  await expect(toast(page, 'Login Failed')).toContainText('Invalid email or password');
  await page.getByLabel('Password', { exact: true }).fill(SECOND);
  await press(page, 'Sign in');
  await expect(toast(page, 'Login Successful')).toBeVisible();
  await expect(page).toHaveURL(/\/(welcome|dashboard)$/);
  expect(unexpected(phone)).toEqual([]);
});

test('R4.21 R8.49 another playbook and another organisation say so, and the device remembers them', async () => {
  const phone = await Phone.open(DESKTOP);
  phones.push(phone);
  const { page } = phone;
  await signIn(page, server.url, 'admin');
  await page.goto(`${server.url}/playbooks`);
  await press(page, 'New playbook');
  await page.getByLabel('Name').fill('Night shift');
  await press(page, 'Create playbook');
  await expect(page.getByText('Playbook created successfully!')).toBeVisible();
  await page.goto(`${server.url}/dashboard`);
  const switcher = page.getByRole('button', { name: /^Switch organisation or playbook/ }).first();
  const choices = page.getByRole('dialog');
  const switchTo = async (from: RegExp, to: string) => {
    await expect(switcher).toHaveAccessibleName(from);
    await switcher.click();
    await choices.locator('label', { hasText: to }).click();
  };
  await switchTo(/Daily operations/, 'Night shift');
  await expect(toast(page, 'Playbook Selected')).toContainText('Night shift');
  await press(page, 'Done');
  await switchTo(/Night shift/, 'Your private space');
  await expect(toast(page, 'Organization Switched')).toBeVisible();
  await press(page, 'Done');
  await expect(heading(page, /^Welcome to your journey/)).toBeVisible();
  const chosen = await page.evaluate(() => localStorage.getItem('cairn.currentOrganization'));
  await page.reload();
  await expect(heading(page, /^Welcome to your journey/)).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('cairn.currentOrganization'))).toBe(chosen);
  expect(unexpected(phone)).toEqual([]);
});
