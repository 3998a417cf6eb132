import { expect, test, type Page } from '@playwright/test';
import { FieldWorker, fillSignIn, signIn, signInByForm } from './people/field-worker.ts';
import { emailTo } from './people/emails.ts';
import { expectAccessible } from './rig/axe.ts';
import { DESKTOP, PHONE, Phone, type Screen } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';
import { speakGerman } from './tour/speak-german.ts';

const WORDS = 'lighthouse over the northern quay';

let server: ServerProcess;
let facts: ServerFacts;
const phones: Phone[] = [];

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

async function open(screen: Screen = PHONE): Promise<Phone> {
  const phone = await Phone.open(screen);
  phones.push(phone);
  return phone;
}

async function workerWithoutSignal(screen: Screen = PHONE): Promise<FieldWorker> {
  const worker = new FieldWorker(await open(screen), server.url);
  await signIn(worker.page, server.url, 'worker');
  await worker.prepareForNoSignal();
  await worker.open('/action-items');
  await expect(worker.page.getByRole('button', { name: 'New corrective action' })).toBeVisible();
  await worker.phone.goOffline();
  return worker;
}

async function note(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: 'New corrective action' }).click();
  await page.getByLabel('Title').fill(title);
  await page.getByRole('button', { name: 'Create corrective action' }).click();
  await expect(page.getByRole('heading', { name: title })).toBeVisible();
}

/** Moves inside the app, as there is no signal for a page to be loaded. */
async function goTo(page: Page, path: string): Promise<void> {
  await page.goto(`${server.url}${path}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

const made = async (title: string) => (await facts.rows('action_items', `title=eq.${title}`)).length;
const noNetwork = (phone: Phone) => phone.console.filter(line => !line.includes('ERR_INTERNET_DISCONNECTED'));

/** Whether any store of the device's database, or the copy beside it, holds this text in clear. */
const lies = (page: Page, text: string): Promise<boolean> =>
  page.evaluate(async wanted => {
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('cairn_mobile');
      opening.onerror = () => reject(new Error('cairn_mobile cannot be opened'));
      opening.onsuccess = () => resolve(opening.result);
    });
    const tx = db.transaction([...db.objectStoreNames]);
    const reads = [...db.objectStoreNames].map(
      name =>
        new Promise<unknown[]>((resolve, reject) => {
          const asked = tx.objectStore(name).getAll();
          asked.onsuccess = () => resolve(asked.result);
          asked.onerror = () => reject(new Error(`${name} cannot be read`));
        }),
    );
    const all = await Promise.all(reads);
    db.close();
    const beside = await (await caches.open('cairn-outbox-backup')).matchAll();
    const copies = await Promise.all(beside.map(copy => copy.text()));
    return JSON.stringify(all).includes(wanted) || copies.some(copy => copy.includes(wanted));
  }, text);

async function saveRescue(page: Page): Promise<string> {
  await page.getByLabel('Passphrase', { exact: true }).fill('short');
  await page.getByRole('button', { name: 'Save file' }).click();
  await expect(page.getByText('Use at least 12 characters.')).toBeVisible();
  await page.getByLabel('Passphrase', { exact: true }).fill(WORDS);
  await page.getByLabel('Repeat passphrase').fill(WORDS);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save file' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^cairn-\d{4}-\d\d-\d\d\.cairn-rescue$/);
  return download.path();
}

async function openRescue(page: Page, file: string): Promise<void> {
  await goTo(page, '/sync');
  await page.getByRole('button', { name: 'Open a rescue file' }).click();
  await page.getByRole('dialog').locator('input[type=file]').setInputFiles(file);
  await page.getByLabel('Passphrase', { exact: true }).fill('not these words');
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(page.getByText('Failed to decrypt data - incorrect password or corrupted data')).toBeVisible();
  await page.getByLabel('Passphrase', { exact: true }).fill(WORDS);
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(page.getByText('Saved by worker@demo.cairn.test')).toBeVisible();
}

test('R8.47 sign-out with unsent work: wait; take a rescue file to another device; what stays is locked until they return', async () => {
  const worker = await workerWithoutSignal();
  const { page, phone } = worker;
  await note(page, 'Seen behind the hill');
  await goTo(page, '/profile');
  const leave = page.getByRole('main').getByRole('button', { name: 'Sign out' });
  await leave.click();
  await expect(page.getByRole('dialog', { name: '1 item waiting on this device' })).toBeVisible();
  await expectAccessible(page, 'sign-out with unsent work');
  await phone.screenshot('leave');
  await page.getByRole('button', { name: 'Wait and stay signed in' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(worker.syncBadge).toContainText('Offline · 1');

  await leave.click();
  await page.getByRole('button', { name: 'Save a rescue file first' }).click();
  const file = await saveRescue(page);
  await phone.screenshot('leave-saved');
  expect(await lies(page, 'Seen behind the hill')).toBe(true);
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/auth/);
  expect(await lies(page, 'Seen behind the hill')).toBe(false);
  expect(await made('Seen behind the hill')).toBe(0);

  const other = new FieldWorker(await open(DESKTOP), server.url);
  await signIn(other.page, server.url, 'worker');
  await openRescue(other.page, file);
  await expectAccessible(other.page, 'a rescue file');
  await other.phone.screenshot('take');
  await other.page.getByRole('button', { name: 'Restore my changes' }).click();
  await expect(other.page.getByText('Your changes are restored')).toBeVisible();
  await expect.poll(() => made('Seen behind the hill')).toBe(1);
  await expect(other.syncBadge).toContainText('Up to date');

  await phone.goOnline();
  await fillSignIn(page, 'worker');
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(worker.syncBadge).toContainText('Up to date', { timeout: 30_000 });
  await goTo(page, '/action-items');
  await expect(page.getByText('Seen behind the hill').first()).toBeVisible();
  expect(await made('Seen behind the hill')).toBe(1);
  expect(noNetwork(phone)).toEqual([]);
  expect(other.phone.console).toEqual([]);
});

test('who came in by a code chooses words for what stays, and needs them to open it', async () => {
  const phone = await open();
  const { page } = phone;
  await page.goto(`${server.url}/auth/code`);
  await page.getByLabel('Email').fill('manager@demo.cairn.test');
  await page.getByRole('button', { name: 'Send code' }).click();
  const code = async () => (await emailTo(server, 'manager@demo.cairn.test', /Your sign-in link/)).code;
  await page.getByLabel('Code from the email').fill(await code());
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  const manager = new FieldWorker(phone, server.url);
  await manager.prepareForNoSignal();
  await manager.open('/action-items');
  await expect(page.getByRole('button', { name: 'New corrective action' })).toBeVisible();
  await phone.goOffline();
  await note(page, 'Written without a password');
  await goTo(page, '/profile');
  await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign out and keep it here, locked' }).click();
  await expect(page.getByText('You signed in without a password.')).toBeVisible();
  await page.getByLabel('Passphrase', { exact: true }).fill(WORDS);
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/auth/);
  expect(await lies(page, 'Written without a password')).toBe(false);

  await phone.goOnline();
  await fillSignIn(page, 'manager');
  await expect(page).toHaveURL(/\/dashboard$/);
  await goTo(page, '/sync');
  await expect(manager.syncBadge).toContainText('Work locked');
  await expect(page.getByRole('region', { name: 'Some of your earlier work is locked' })).toBeVisible();
  await expectAccessible(page, 'locked work');
  await phone.screenshot('locked-work');
  await page.getByLabel('Earlier password or passphrase').fill('cairn-demo-1');
  await page.getByRole('button', { name: 'Unlock' }).click();
  await expect(page.getByText('Wrong password or passphrase')).toBeVisible();
  await page.getByLabel('Earlier password or passphrase').fill(WORDS);
  await page.getByRole('button', { name: 'Unlock' }).click();
  await expect(page.getByText('Your work is unlocked')).toBeVisible();
  await expect.poll(() => made('Written without a password')).toBe(1);
  expect(noNetwork(phone)).toEqual([]);
});

test("an administrator opens a worker's rescue file: it waits in the review queue in the worker's name, and arrives once", async () => {
  const worker = await workerWithoutSignal();
  await note(worker.page, 'From the broken phone');
  await goTo(worker.page, '/sync');
  await worker.page.getByRole('button', { name: 'Save a rescue file' }).click();
  const file = await saveRescue(worker.page);
  await expect(worker.page.getByRole('dialog')).toHaveCount(0);

  const manager = await open(DESKTOP);
  await signIn(manager.page, server.url, 'manager');
  await openRescue(manager.page, file);
  await expect(manager.page.getByText('This file belongs to worker@demo.cairn.test')).toBeVisible();
  await manager.screenshot('not-yours');

  const admin = await open(DESKTOP);
  await signIn(admin.page, server.url, 'admin');
  await openRescue(admin.page, file);
  await admin.screenshot('theirs');
  await admin.page.getByRole('button', { name: 'Import for review' }).click();
  await expect(admin.page.getByText('1 for review, 0 already received, 0 not for this organisation.')).toBeVisible();
  expect(await made('From the broken phone')).toBe(0);
  await goTo(admin.page, '/members');
  await admin.page.getByRole('tab', { name: 'Unsent work' }).click();
  const thing = admin.page.getByRole('listitem').filter({ hasText: 'From the broken phone' });
  await expect(thing).toContainText('from a rescue file, submitted by Alex');
  await admin.screenshot('review-queue');
  await thing.getByRole('button', { name: 'Accept' }).click();
  await expect(admin.page.getByText('No unsent work')).toBeVisible();
  const [sam] = await facts.rows('profiles', 'email=eq.worker@demo.cairn.test');
  const rows = await facts.rows('action_items', 'title=eq.From the broken phone');
  expect(rows.map(row => row['created_by'])).toEqual([sam?.id]);

  await worker.phone.goOnline();
  await expect(worker.syncBadge).toContainText('Up to date', { timeout: 30_000 });
  expect(await made('From the broken phone')).toBe(1);
  expect([...admin.console, ...manager.console]).toEqual([]);
});

test('the sync page: stay offline, each thing in the outbox opened, sent, let go; the room it takes; both widths and themes', async () => {
  const desk = await open(DESKTOP);
  const worker = new FieldWorker(desk, server.url);
  const { page } = desk;
  await signIn(page, server.url, 'worker');
  await worker.prepareForNoSignal();
  await goTo(page, '/sync');
  await expect(page.getByText('Last full sync').last()).toBeVisible();
  await page.getByRole('switch', { name: 'Stay offline' }).click();
  await expect(page.getByRole('heading', { name: 'You chose to stay offline' })).toBeVisible();
  await goTo(page, '/action-items');
  await note(page, 'Held back');
  await goTo(page, '/action-items');
  await note(page, 'Thrown away');
  await goTo(page, '/sync');
  const row = (title: string) => page.getByRole('listitem').filter({ hasText: title }).first();
  await row('Held back').getByText('Details').click();
  await expect(row('Held back')).toContainText('Attempts');
  await row('Thrown away').getByText('Details').click();
  await page.getByRole('button', { name: 'Show storage use' }).click();
  await expect(page.getByRole('list', { name: 'Show storage use' })).toContainText('Tasks and corrective actions');
  await expect(page.getByRole('list', { name: 'Show storage use' })).toContainText('Cairn itself');
  await expectAccessible(page, 'sync page with waiting work');
  await desk.screenshot('sync-desk');
  await row('Thrown away').getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
  await expect(row('Thrown away')).toHaveCount(0);
  await row('Held back').getByRole('link', { name: 'Open' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Held back' })).toBeVisible();
  await goTo(page, '/sync');
  expect(await made('Held back')).toBe(0);
  await page.getByRole('switch', { name: 'Stay offline' }).click();
  await expect.poll(() => made('Held back')).toBe(1);
  expect(await made('Thrown away')).toBe(0);

  const phone = await open({ width: 320, height: 640 });
  await speakGerman(phone.page, facts, server.url);
  await signInByForm(phone.page, server.url, 'worker');
  await goTo(phone.page, '/sync');
  await phone.page.getByRole('button', { name: 'Rettungsdatei öffnen' }).click();
  await expect(phone.page.getByRole('dialog', { name: 'Rettungsdatei öffnen' })).toBeVisible();
  await phone.screenshot('take-german');
  await phone.page.emulateMedia({ colorScheme: 'dark' });
  await goTo(phone.page, '/sync');
  await expectAccessible(phone.page, 'sync page, German, 320 px, dark');
  await phone.screenshot('sync-german-dark');
  const wide = await phone.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(wide).toBeLessThanOrEqual(0);
  expect([...desk.console, ...phone.console]).toEqual([]);
});
