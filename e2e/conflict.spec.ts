import { expect, test } from '@playwright/test';
import { FieldWorker, signIn } from './people/field-worker.ts';
import { Phone } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';

/** One action item that worker and manager both see. */
const ITEM = '00000000-0000-4000-8000-000000000101';

let server: ServerProcess;
let facts: ServerFacts;
let sam: FieldWorker;
let mara: FieldWorker;

test.beforeAll(async () => {
  server = await ServerProcess.start();
  facts = new ServerFacts(server);
  sam = new FieldWorker(await Phone.open(), server.url);
  mara = new FieldWorker(await Phone.open(), server.url);
  await signIn(sam.page, server.url, 'worker');
  await signIn(mara.page, server.url, 'manager');
  for (const person of [sam, mara]) await person.prepareForNoSignal();
});

test.afterAll(async () => {
  await sam.phone.close();
  await mara.phone.close();
  await server.stop();
});

test.afterEach(async () => {
  await sam.phone.screenshot('sam');
  await mara.phone.screenshot('mara');
});

async function onServer(): Promise<Record<string, unknown>> {
  return (await facts.rows('action_items', `id=eq.${ITEM}`))[0] ?? {};
}
const title = (person: FieldWorker) => person.page.getByLabel('Title', { exact: true });
const priority = (person: FieldWorker) => person.page.getByLabel('Priority', { exact: true });

/** Both open the item where there is signal, and lose it there. */
async function loseSignalAtTheItem(): Promise<void> {
  for (const person of [sam, mara]) {
    await person.openAndHear(`/action-items/${ITEM}`);
    await expect(title(person)).toHaveValue(String((await onServer())['title']));
    await person.phone.goOffline();
    await expect(person.syncBadge).toContainText('Offline');
  }
}

async function rename(person: FieldWorker, to: string): Promise<void> {
  await title(person).fill(to);
  await title(person).blur();
  await expect(person.syncBadge).toContainText('Offline · 1');
}

async function send(person: FieldWorker): Promise<void> {
  await person.phone.goOnline();
  await expect(person.syncBadge).toContainText('Up to date');
}

test('R4.30 different fields of one action item, edited on two phones with no signal: both edits survive', async () => {
  await loseSignalAtTheItem();
  await rename(sam, 'Eyewash bottle is empty');
  await priority(mara).selectOption({ label: 'Critical' });
  await expect(mara.syncBadge).toContainText('Offline · 1');
  expect(await onServer()).toMatchObject({ title: 'Eyewash bottle past its date', priority: 'high' });

  await send(sam);
  await send(mara);
  await expect.poll(onServer).toMatchObject({ title: 'Eyewash bottle is empty', priority: 'critical' });
  for (const person of [sam, mara]) {
    await expect(person.page.getByRole('heading', { level: 1, name: 'Eyewash bottle is empty' })).toBeVisible();
    await expect(title(person)).toHaveValue('Eyewash bottle is empty');
    await expect(priority(person)).toHaveValue('critical');
    await expect(person.syncBadge).toContainText('Up to date');
  }
});

/** What lies in the conflicts store of a phone. */
const conflictsKept = ({ page }: FieldWorker): Promise<Record<string, unknown>[]> =>
  page.evaluate(async () => {
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('cairn_mobile');
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(new Error('cairn_mobile did not open'));
    });
    const rows = await new Promise<Record<string, unknown>[]>((resolve, reject) => {
      const all = db.transaction('conflicts').objectStore('conflicts').getAll();
      all.onsuccess = () => resolve(all.result);
      all.onerror = () => reject(new Error('conflicts could not be read'));
    });
    db.close();
    return rows;
  });

/** The same field on both phones, Mara's arriving first: Sam is asked, and the server keeps hers meanwhile. */
async function disagree(hers: string, his: string) {
  const before = String((await onServer())['title']);
  await loseSignalAtTheItem();
  await rename(mara, hers);
  await rename(sam, his);
  await send(mara);
  await expect.poll(async () => (await onServer())['title']).toBe(hers);

  await sam.phone.goOnline();
  await expect(sam.syncBadge).toContainText('1 conflict');
  await sam.page
    .getByRole('link', { name: /^Sync:/ })
    .first()
    .click();
  const card = sam.page.getByRole('region', { name: 'Two versions' });
  await expect(card.locator('.conflict-before')).toHaveText(`Before${before}`);
  await expect(card.locator('.value', { hasText: 'Mine' })).toContainText(his);
  await expect(card.locator('.value', { hasText: 'Theirs' })).toContainText(hers);
  expect(await conflictsKept(sam)).toContainEqual(
    expect.objectContaining({
      dataId: ITEM,
      conflict: expect.objectContaining({}),
      timestamp: expect.any(Number),
      resolved: false,
      resolution: null,
      resolvedAt: null,
    }),
  );
  const waiting = await onServer();
  expect(waiting['title']).toBe(hers);
  return { card, waiting };
}

test('R3.36 the same field: the server keeps theirs until I choose mine, then everybody has mine', async () => {
  const { card } = await disagree('Hers: order two bottles', 'His: order three bottles');
  await card.getByRole('button', { name: 'Keep mine' }).click();
  const settled = { dataId: ITEM, resolved: true, resolution: 'mine', resolvedAt: expect.any(Number) };
  await expect.poll(() => conflictsKept(sam)).toContainEqual(expect.objectContaining(settled));

  await expect.poll(async () => (await onServer())['title']).toBe('His: order three bottles');
  await expect(card).toHaveCount(0);
  await expect(sam.syncBadge).toContainText('Up to date');
  await sam.open(`/action-items/${ITEM}`);
  for (const person of [sam, mara]) await expect(title(person)).toHaveValue('His: order three bottles');
});

test('the same field: I choose theirs, and the record on the server is as it was', async () => {
  const { card, waiting } = await disagree('Hers: call the supplier', 'His: write to the supplier');
  await card.locator('.value', { hasText: 'Theirs' }).click();
  await card.getByRole('button', { name: 'Keep theirs' }).click();

  await expect(card).toHaveCount(0);
  await expect(sam.syncBadge).toContainText('Up to date');
  await sam.open(`/action-items/${ITEM}`);
  for (const person of [sam, mara]) await expect(title(person)).toHaveValue('Hers: call the supplier');
  expect(await onServer()).toEqual(waiting);
});

test('the record says that two versions wait; theirs is what it says by the time I choose', async () => {
  const { card } = await disagree('Hers: order four bottles', 'His: order five bottles');
  await sam.open(`/action-items/${ITEM}`);
  await expect(title(sam)).toHaveValue('Hers: order four bottles');
  await expect(sam.page.getByText('There are two versions of this')).toBeVisible();
  await sam.phone.screenshot('two-versions-wait');
  await facts.change('action_items', ITEM, { title: 'Hers: order six bottles' });
  await expect(title(sam)).toHaveValue('Hers: order six bottles');
  await sam.page.getByRole('link', { name: 'Choose a version' }).click();
  await expect(card.locator('.value', { hasText: 'Theirs' })).toContainText('Hers: order six bottles');
  await card.locator('.value', { hasText: 'Theirs' }).click();
  await card.getByRole('button', { name: 'Keep theirs' }).click();
  await expect(card).toHaveCount(0);
  await sam.open(`/action-items/${ITEM}`);
  await expect(title(sam)).toHaveValue('Hers: order six bottles');
  await expect(sam.page.getByText('There are two versions of this')).toHaveCount(0);
});
