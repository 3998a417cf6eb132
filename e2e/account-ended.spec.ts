import { expect, test, type Page } from '@playwright/test';
import { OtherDevice } from './people/elsewhere.ts';
import { FieldWorker, signIn } from './people/field-worker.ts';
import { seeded } from './people/seeded.ts';
import { expectAccessible } from './rig/axe.ts';
import { DESKTOP, Phone } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';

/** How many phones die at a random moment while they forget; many with ACCOUNT_DEATHS. */
const DEATHS = Number(process.env['ACCOUNT_DEATHS'] ?? 1);
const SEED = Number(process.env['SEED']);
const ITEM = '00000000-0000-4000-8000-000000000101';
const PASSWORD = 'cairn-demo-1';
const WORDS = 'lighthouse over the northern quay';

let server: ServerProcess;
let facts: ServerFacts;
const phones: Phone[] = [];

test.beforeEach(async () => {
  server = await ServerProcess.start();
  facts = new ServerFacts(server);
});
test.afterEach(async () => {
  for (const phone of phones.splice(0)) {
    await phone.screenshot(`end-${phones.length}`);
    await phone.close();
  }
  await server.stop();
});

/** In the page: which of these texts lie anywhere on the device, in clear, and where. */
async function placesOf(needles: string[]): Promise<string[]> {
  const found: string[] = [];
  const look = (place: string, text: string) => {
    for (const needle of needles) if (text.includes(needle)) found.push(`${place}: ${needle}`);
  };
  // A key is bytes, with the owner's id in them as text.
  const textOf = (value: unknown): string =>
    JSON.stringify(value, (_name, part: unknown) =>
      part instanceof ArrayBuffer ? new TextDecoder('utf-8').decode(part) : part instanceof Blob ? 'blob' : part,
    );
  for (const { name = '' } of await indexedDB.databases()) {
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open(name);
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(new Error(`${name} cannot be opened`));
    });
    for (const store of db.objectStoreNames) {
      const all = await new Promise<string>(resolve => {
        const at = db.transaction(store).objectStore(store);
        const [keys, values] = [at.getAllKeys(), at.getAll()];
        values.onsuccess = () => resolve(textOf([keys.result, values.result]));
      });
      look(`${name}/${store}`, all);
    }
    db.close();
  }
  for (const cache of await caches.keys())
    for (const request of await (await caches.open(cache)).keys()) {
      const kept = await (await caches.open(cache)).match(request);
      look(`cache ${cache}`, `${request.url} ${(await kept?.text()) ?? ''}`);
    }
  for (const key of Object.keys(localStorage)) look('localStorage', `${key} ${localStorage.getItem(key) ?? ''}`);
  return found;
}

const told = (page: Page) => page.getByRole('heading', { name: 'Your account was deleted' });
const gone = (page: Page) => page.getByText('This account was deleted.');

/** A phone of the worker's with unsent words, whose account is then deleted on another device. */
async function phoneOfDeletedAccount(words: string) {
  const phone = await Phone.open();
  phones.push(phone);
  const { page } = phone;
  await signIn(page, server.url, 'worker');
  await new FieldWorker(phone, server.url).prepareForNoSignal();
  await page.goto(`${server.url}/action-items/${ITEM}`);
  const title = page.getByLabel('Title', { exact: true });
  await expect(title).toBeVisible();
  await phone.goOffline();
  await title.fill(words);
  await title.blur();
  await expect
    .poll(() => page.evaluate(placesOf, [words]))
    .toContainEqual(expect.stringContaining('cache cairn-outbox-backup'));
  const [person] = await facts.rows('profiles', 'email=eq.worker@demo.cairn.test');
  const needles = [person?.id ?? '?', 'worker@demo.cairn.test', words];
  await new OtherDevice(server, facts, 'worker').deleteAccount(PASSWORD);
  return { phone, page, needles };
}

const nothingLeft = (page: Page, needles: string[]) => expect.poll(() => page.evaluate(placesOf, needles)).toEqual([]);

async function saveRescue(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Save a rescue file' }).click();
  await page.getByLabel('Passphrase', { exact: true }).fill(WORDS);
  await page.getByLabel('Repeat passphrase').fill(WORDS);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save file' }).click();
  return (await downloading).path();
}

test('an account deleted elsewhere with unsent work here: said as what it is, a rescue file, then nothing of it is left', async () => {
  const words = 'Never sent, and saved';
  const { phone, page, needles } = await phoneOfDeletedAccount(words);
  const second = await phone.context.newPage();
  await second.goto(`${server.url}/dashboard`);
  await expect(second.getByRole('heading', { level: 1 })).toBeVisible();
  await phone.goOnline();
  for (const tab of [page, second]) await expect(told(tab)).toBeVisible();
  await expect(page.getByText('Not sent: 1 item.')).toBeVisible();
  await expectAccessible(page, 'an account that was deleted');

  // Closed, opened again, with no network too: it waits for the person's word.
  await phone.goOffline();
  await page.reload();
  await expect(told(page)).toBeVisible();
  expect(await page.evaluate(placesOf, [words])).not.toEqual([]);
  await phone.goOnline();

  const file = await saveRescue(page);
  await page.getByRole('button', { name: 'Remove everything from this device' }).click();
  for (const tab of [page, second]) await expect(gone(tab)).toBeVisible();
  await nothingLeft(page, needles);

  const desk = await Phone.open(DESKTOP);
  phones.push(desk);
  await signIn(desk.page, server.url, 'admin');
  await desk.page.goto(`${server.url}/sync`);
  await desk.page.getByRole('button', { name: 'Open a rescue file' }).click();
  await desk.page.getByRole('dialog').locator('input[type=file]').setInputFiles(file);
  await desk.page.getByLabel('Passphrase', { exact: true }).fill(WORDS);
  await desk.page.getByRole('button', { name: 'Open', exact: true }).click();
  await desk.page.getByRole('button', { name: 'Import for review' }).click();
  await expect(desk.page.getByText('Imported for review').first()).toBeVisible();
});

for (let turn = 0; turn < DEATHS; turn += 1) {
  const random = seeded(SEED + turn);
  const [first, second] = [random() * 600, random() * 400];
  test(`the phone dies ${Math.round(first)} ms after it heard and ${Math.round(second)} ms into forgetting (seed ${SEED + turn})`, async () => {
    const words = `Never sent, and let go ${turn}`;
    const { phone, needles } = await phoneOfDeletedAccount(words);
    const after = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));
    await phone.goOnline();
    await after(first);
    await phone.die();
    await phone.start();
    await phone.page.goto(`${server.url}/dashboard`);
    await expect(told(phone.page)).toBeVisible();
    expect(await phone.page.evaluate(placesOf, [words])).not.toEqual([]);

    await phone.page.getByRole('button', { name: 'Delete without saving' }).click();
    await phone.page.getByRole('button', { name: 'Remove everything from this device' }).click();
    await after(second);
    await phone.die();
    await phone.start();
    await phone.page.goto(`${server.url}/dashboard`);
    const still = phone.page.getByRole('button', { name: 'Delete without saving' });
    await expect(still.or(phone.page.getByRole('button', { name: 'Sign in', exact: true }))).toBeVisible();
    // It died before the press was written down: it asks again.
    if (await still.isVisible()) {
      await still.click();
      await phone.page.getByRole('button', { name: 'Remove everything from this device' }).click();
    }
    await nothingLeft(phone.page, needles);
  });
}
