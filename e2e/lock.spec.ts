import { expect, test } from '@playwright/test';
import { FieldWorker, signIn } from './people/field-worker.ts';
import { expectAccessible } from './rig/axe.ts';
import { storedIn } from './rig/device-database.ts';
import { DESKTOP, Phone } from './rig/phone.ts';
import { openSealedKey, sealedKey } from './rig/sealed-key.ts';
import { ServerProcess } from './rig/server-process.ts';

let server: ServerProcess;
let phone: Phone;

test.beforeEach(async () => {
  server = await ServerProcess.start();
});

test.afterEach(async () => {
  await phone.close();
  await server.stop();
});

const PASSWORD = 'cairn-demo-1';
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

test('R4.08 R4.09 R9.13 R9.14 a session opens the app for 24 h without signal; after them the password opens the app, work is captured, and it is sent once online', async () => {
  phone = await Phone.open();
  const { page } = phone;
  const worker = new FieldWorker(phone, server.url);
  const before = Date.now();
  await signIn(page, server.url, 'worker');
  await worker.prepareForNoSignal();
  const sealed = await sealedKey(page);
  expect([sealed.salt.length, sealed.iv.length]).toEqual([16, 12]);
  expect(openSealedKey(sealed, PASSWORD, 100_000)).toHaveLength(32);
  expect(() => openSealedKey(sealed, PASSWORD, 99_999)).toThrow();
  await phone.goOffline();

  const session = (await storedIn(page, 'settings')).find(({ id }) => id === 'auth_session');
  const { expiresAt } = { expiresAt: 0, ...(session?.['data'] as object) };
  expect(expiresAt).toBeGreaterThanOrEqual(before + 24 * HOUR_MS);
  expect(expiresAt).toBeLessThanOrEqual(Date.now() + 24 * HOUR_MS);
  await page.clock.install({ time: expiresAt - 2 * MINUTE_MS });
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Welcome back');
  await page.clock.setSystemTime(expiresAt + MINUTE_MS);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Cairn is locked' })).toBeVisible();
  await expectAccessible(page, 'lock screen');
  await phone.screenshot('locked');
  await page.getByLabel('Password', { exact: true }).fill('not my password');
  await page.getByRole('button', { name: 'Unlock' }).click();
  await expect(page.getByText('Wrong password', { exact: true })).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Unlock' }).click();
  await expect(page.getByText('Locked offline mode')).toBeVisible();
  await phone.screenshot('locked-offline-mode');

  await page
    .getByRole('link', { name: 'Menu and profile' })
    .or(page.getByRole('button', { name: 'Menu and profile' }))
    .click();
  await page.getByRole('dialog').locator('a[href="/action-items"]').click();
  await page.getByRole('button', { name: 'New corrective action' }).click();
  await page.getByLabel('Title').fill('Captured behind the lock');
  await page.getByRole('button', { name: 'Create corrective action' }).click();
  await expect(page.getByRole('heading', { name: 'Captured behind the lock' })).toBeVisible();
  await expect(worker.syncBadge).toContainText(/wait|Offline/);

  await phone.goOnline();
  await expect(page.getByText('Locked offline mode')).toBeHidden({ timeout: 60_000 });
  await expect(worker.syncBadge).toContainText('Up to date', { timeout: 60_000 });
  expect(phone.console.filter(line => !line.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);
});

test('R4.06 R5.06 the app lock covers the screen when asked, with no word of biometrics in a browser, and what was typed is still there behind it', async () => {
  phone = await Phone.open(DESKTOP);
  const { page } = phone;
  await signIn(page, server.url, 'worker');
  await page.goto(`${server.url}/settings`);
  const biometric = page.getByText(/biometric/i);
  await expect(page.getByLabel('Lock after')).toBeVisible();
  await expect(biometric).toHaveCount(0);
  await page.getByLabel('Lock after').selectOption({ label: '5 minutes' });
  await page.getByLabel('Find a setting').or(page.getByRole('searchbox').first()).first().fill('lan');
  await page.getByRole('button', { name: 'Lock now' }).click();
  await expect(page.getByRole('heading', { name: 'Cairn is locked' })).toBeVisible();
  await expect(biometric).toHaveCount(0);
  await phone.screenshot('lock-wide');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Unlock' }).click();
  await expect(page.getByRole('heading', { name: 'Cairn is locked' })).toBeHidden();
  await expect(page.getByRole('searchbox').first()).toHaveValue('lan');
  // What asks the machine for biometrics has had its time by now.
  await page.getByRole('searchbox').first().fill('');
  await expect(page.getByRole('button', { name: 'Lock now' })).toBeVisible();
  await expect(biometric).toHaveCount(0);

  // Nobody who finds it locked opens it by loading it again, however long "Lock after" is.
  await page.getByRole('button', { name: 'Lock now' }).click();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Cairn is locked' })).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Unlock' }).click();
  await expect(page.getByRole('button', { name: 'Lock now' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Lock now' })).toBeVisible();
  expect(phone.console).toEqual([]);
});
