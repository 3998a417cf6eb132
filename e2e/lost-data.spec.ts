import { expect, test } from '@playwright/test';
import { FieldWorker, fillSignIn, signIn } from './people/field-worker.ts';
import { Phone } from './rig/phone.ts';
import { ServerProcess } from './rig/server-process.ts';
import { startOver } from './rig/start-over.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { leaveHalfARecord } from './rig/torn-log.ts';

/** One action item the worker sees. */
const ITEM = '00000000-0000-4000-8000-000000000101';

let server: ServerProcess;
let phone: Phone;

test.beforeAll(async () => {
  server = await ServerProcess.start();
});
test.afterAll(() => server.stop());
test.beforeEach(async () => {
  phone = await Phone.open();
});
test.afterEach(async () => {
  await phone.screenshot('lost');
  await phone.close();
});

const inOutboxBackup = (words: string) =>
  phone.page.evaluate(async text => {
    const names = await caches.keys();
    const copies = names.includes('cairn-outbox-backup')
      ? await (await caches.open('cairn-outbox-backup')).matchAll()
      : [];
    return (await Promise.all(copies.map(copy => copy.text()))).some(copy => copy.includes(text));
  }, words);

/** Retitles an item without signal; then the browser throws `storageTypes` away, and somebody signs in again. */
async function retitleAndLose(sam: FieldWorker, words: string, storageTypes: string): Promise<void> {
  const { page } = phone;
  await signIn(page, server.url, 'worker');
  await sam.prepareForNoSignal();
  await phone.goOffline();
  await sam.open(`/action-items/${ITEM}`);
  const title = page.getByLabel('Title', { exact: true });
  await title.fill(words);
  await title.blur();
  await expect(sam.syncBadge).toContainText('Offline · 1');
  await expect.poll(() => page.evaluate(() => localStorage.getItem('cairn.pending'))).toContain('"count":1');
  await expect.poll(() => inOutboxBackup(words)).toBe(true);

  // Nothing may hold the database open while it goes.
  await page.goto('about:blank');
  const session = await phone.context.newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin: server.url, storageTypes });
  await phone.goOnline();
  await page.goto(`${server.url}/auth`);
  await fillSignIn(page, 'worker');
  await expect(page).toHaveURL(/\/dashboard$/);
}

/** It stays until it was read, and does not come again. */
async function readAlarm(sam: FieldWorker, name: string): Promise<void> {
  const { page } = phone;
  const alarm = page.getByRole('dialog', { name });
  await expect(alarm).toBeVisible();
  await phone.screenshot('alarm');
  await page.keyboard.press('Escape');
  await expect(alarm).toBeVisible();
  await alarm.getByRole('button', { name: 'I have read this' }).click();
  await expect(alarm).toBeHidden();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Welcome');
  await expect(sam.syncBadge).toContainText('Up to date');
  await expect.poll(() => page.evaluate(() => localStorage.getItem('cairn.lost'))).toBeNull();
  await startOver(page);
  await expect(alarm).toBeHidden();
}

test('a browser that threw the database away with unsent work in it: a copy brings it back, and it is sent', async () => {
  const sam = new FieldWorker(phone, server.url);
  await retitleAndLose(sam, 'Sent all the same', 'indexeddb');
  await readAlarm(sam, '1 change was restored');
  const facts = new ServerFacts(server);
  await expect.poll(() => facts.rows('action_items', `id=eq.${ITEM}`)).toMatchObject([{ title: 'Sent all the same' }]);
  await expect.poll(() => inOutboxBackup('Sent all the same')).toBe(false);
});

test('a browser that threw everything away with unsent work in it is not cheerful: it says what was lost, until read', async () => {
  const sam = new FieldWorker(phone, server.url);
  await retitleAndLose(sam, 'Never sent', 'indexeddb,cache_storage');
  await readAlarm(sam, '1 change was lost');
});

/** In the page: what its database holds, whatever the screen says. */
async function titleOnDevice(item: string): Promise<string | undefined> {
  type StoredTask = { id: string; data: { title?: string } };
  const opened = await new Promise<IDBDatabase>((resolve, reject) => {
    const opening = indexedDB.open('cairn_mobile');
    opening.onerror = () => reject(new Error('cairn_mobile cannot be opened'));
    opening.onsuccess = () => resolve(opening.result);
  });
  const kept = await new Promise<StoredTask[]>(resolve => {
    const asked = opened.transaction('tasks').objectStore('tasks').getAll();
    asked.onsuccess = () => resolve(asked.result as StoredTask[]);
  });
  opened.close();
  return kept.find(({ id }) => id === item)?.data.title;
}

test('a browser killed in the middle of a record keeps all, also at the start after the next', async () => {
  const sam = new FieldWorker(phone, server.url);
  await signIn(phone.page, server.url, 'worker');
  await sam.prepareForNoSignal();
  await phone.goOffline();
  const title = () => phone.page.getByLabel('Title', { exact: true });
  const retitle = async (words: string) => {
    await title().fill(words);
    await title().blur();
    await expect.poll(() => phone.page.evaluate(titleOnDevice, ITEM)).toBe(words);
  };
  await sam.open(`/action-items/${ITEM}`);
  await retitle('Said before the battery went');
  await phone.die();
  leaveHalfARecord(phone.profile);
  for (const words of ['Said after it', 'Said a third time']) {
    await phone.start();
    await sam.open(`/action-items/${ITEM}`);
    await expect(title()).not.toHaveValue('');
    await retitle(words);
    await phone.die();
  }
  await phone.start();
  await sam.open(`/action-items/${ITEM}`);
  await expect(title()).toHaveValue('Said a third time');
});
