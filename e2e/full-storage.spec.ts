import { expect, test, type CDPSession } from '@playwright/test';
import { FieldWorker, PHOTO, signIn } from './people/field-worker.ts';
import { PHONE, Phone } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';
import { choose } from './rig/choose.ts';

const MB = 1024 * 1024;
const NOTE = 'Written when the phone was full';

let server: ServerProcess;
let facts: ServerFacts;
let phone: Phone;

test.beforeAll(async () => {
  server = await ServerProcess.start();
  facts = new ServerFacts(server);
  phone = await Phone.open(PHONE, { isNew: true });
});
test.afterAll(async () => {
  await phone.close();
  await server.stop();
});
test.afterEach(() => phone.screenshot('full'));

/** Room for words is laid aside some time after the start, with the first comparison of what the phone holds. */
async function roomIsKept(): Promise<void> {
  const isThere = () =>
    phone.page.evaluate(async () => {
      // A word from the network makes the app pull now, not within the minute.
      dispatchEvent(new Event('online'));
      return (await indexedDB.databases()).some(({ name }) => name === 'cairn_mobile_reserve');
    });
  await expect.poll(isThere, { timeout: 90_000 }).toBe(true);
}

let storage: CDPSession;
const used = async () => (await storage.send('Storage.getUsageAndQuota', { origin: server.url })).usage;

/** The most this origin may take, in bytes. Chromium looks again only when what it last granted is used up. */
const allow = (quotaSize: number) => storage.send('Storage.overrideQuotaForOrigin', { origin: server.url, quotaSize });

/** A photo no compression makes small. */
async function noisyPhoto(): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const data = await phone.page.evaluate(async () => {
    const canvas = new OffscreenCanvas(2000, 1500);
    const context = canvas.getContext('2d');
    const pixels = new ImageData(2000, 1500);
    for (let at = 0; at < pixels.data.length; at += 65_536)
      crypto.getRandomValues(pixels.data.subarray(at, Math.min(at + 65_536, pixels.data.length)));
    for (let at = 3; at < pixels.data.length; at += 4) pixels.data[at] = 255;
    context?.putImageData(pixels, 0, 0);
    const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 });
    return Array.from(new Uint8Array(await blob.arrayBuffer()));
  });
  return { name: 'noise.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(data) };
}

/** Photos whose bytes lie in the phone's database. */
const filesOnPhone = () =>
  phone.page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open('cairn_mobile');
        opening.addEventListener('error', () => reject(new Error('cairn_mobile cannot be opened')));
        opening.addEventListener('success', () => {
          const asked = opening.result.transaction('media').objectStore('media').getAll();
          asked.addEventListener('success', () => {
            opening.result.close();
            resolve((asked.result as { type: string }[]).filter(({ type }) => type === 'media_bytes').length);
          });
        });
      }),
  );

async function toTheParkingBrake(sam: FieldWorker): Promise<void> {
  const heading = phone.page.getByRole('heading', { level: 1 });
  while (!/parking brake/i.test(await heading.innerText())) {
    const question = await heading.innerText();
    const pass = phone.page.getByRole('radio', { name: 'Pass' });
    if (await pass.isVisible()) await sam.pass(question.trim());
    else {
      await phone.page.getByRole('main').getByRole('textbox').first().fill('4211');
      await sam.next();
    }
    await expect(heading).not.toHaveText(question);
  }
  await choose(phone.page.getByRole('radio', { name: 'Fail' }));
}

test('the storage runs full in the middle of a capture: it is said, what was saved stays, and text keeps saving', async () => {
  const sam = new FieldWorker(phone, server.url);
  const { page } = phone;
  storage = await phone.context.newCDPSession(page);
  await allow(28 * MB);
  await signIn(page, server.url, 'worker');
  await sam.prepareForNoSignal();
  const inspection = await sam.openTodaysCheck();
  await toTheParkingBrake(sam);
  await roomIsKept();
  await phone.goOffline();
  const photos = page.locator('.photo-strip img');
  const refused = page.getByText('The photo was not saved').first();
  const photo = await noisyPhoto();
  await page.getByLabel('Add photo').setInputFiles(PHOTO);
  await expect(photos).toHaveCount(1);
  await allow((await used()) + 2 * MB);
  for (let tries = 0; tries < 60 && !(await refused.isVisible()); tries += 1) {
    const before = await photos.count();
    await page.getByLabel('Add photo').setInputFiles(photo);
    await expect(photos.nth(before).or(refused)).toBeVisible();
  }
  await expect(refused).toBeVisible();
  const kept = await photos.count();
  const note = page.getByLabel('Note');
  await note.fill(NOTE);
  await note.blur();
  await expect(page.getByText('Saved on this device', { exact: true }).first()).toBeVisible();
  const answers = await sam.answersOnPhone(inspection);

  await phone.die();
  await phone.start();
  await sam.open(`/field/${inspection}`);
  await expect.poll(() => sam.answersOnPhone(inspection)).toBe(answers);
  expect(await filesOnPhone()).toBe(kept);
  await phone.goOnline();
  const arrived = async () => {
    const rows = await facts.rows('inspection_answers', `inspection_id=eq.${inspection}`);
    return rows.map(row => row['note']);
  };
  await expect.poll(arrived).toContain(NOTE);
});
