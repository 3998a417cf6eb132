import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import { CutLine } from '@cairn/testing/cut-line.ts';
import { exif } from '@cairn/testing/exif-block.ts';
import { FieldWorker, PHOTO, signIn } from './people/field-worker.ts';
import { seeded } from './people/seeded.ts';
import { Phone } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';

/** Ten photos here; `npm run soak` sends a hundred over the line that the promise is about. */
const PHOTOS = Number(process.env['PHOTOS'] ?? 10);
const PHOTO_BYTES = 4_000_000;
/** What 20 Mbit/s carry between two cuts 3 s apart, on a line that makes nobody wait. */
const QUICK = { bytesPerSecond: 5_000_000, cutEvery: { bytes: 7_500_000 } };
const AS_PROMISED = { bytesPerSecond: 2_500_000, cutEvery: { ms: 3000 } };
const LINE = process.env['MEDIA_LINE'] === 'slow' ? AS_PROMISED : QUICK;
const SEED = Number(process.env['SEED']);

let server: ServerProcess;
let facts: ServerFacts;

test.beforeAll(async () => {
  server = await ServerProcess.start();
  facts = new ServerFacts(server);
});

test.afterAll(() => server.stop());

/** A photo as large as cameras make them, none like another: a real one, and bytes behind its end. */
function photo(number: number): Buffer {
  const chance = seeded(SEED + number);
  const noise = Buffer.alloc(PHOTO_BYTES);
  for (let at = 0; at + 4 <= noise.length; at += 4) noise.writeUInt32LE(Math.floor(chance() * 4_294_967_296), at);
  const real = readFileSync(PHOTO);
  return Buffer.concat([real, noise.subarray(0, PHOTO_BYTES - real.length)]);
}

/** Hands files to the browser by their paths: Playwright would send 20 MB as letters, which takes a minute on a busy machine. */
async function pick(page: Page, files: string[]): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  const expression = `document.querySelector('.photo-strip input[multiple]')`;
  const { result } = await cdp.send('Runtime.evaluate', { expression });
  await cdp.send('DOM.setFileInputFiles', { files, ...(result.objectId && { objectId: result.objectId }) });
  await cdp.detach();
}

async function addPhotos(page: Page, photos: readonly Buffer[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-photos-'));
  try {
    const paths = photos.map((bytes, index) => {
      const path = join(folder, `${index}.jpg`);
      writeFileSync(path, bytes);
      return path;
    });
    await page.getByRole('button', { name: 'Photo or note' }).click();
    await page.getByLabel('From gallery').waitFor({ state: 'attached' });
    for (let at = 0; at < paths.length; at += 5) {
      const files = paths.slice(at, at + 5);
      await pick(page, files);
      await expect(page.locator('.photo-strip img')).toHaveCount(at + files.length, { timeout: 120_000 });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What of the photos the phone has still to send, by its own database. */
const waiting = (page: Page) =>
  page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('cairn_mobile');
      opening.onerror = () => reject(new Error('cairn_mobile cannot be opened'));
      opening.onsuccess = () => resolve(opening.result);
    });
    const entries = await new Promise<{ operation: string }[]>(resolve => {
      const asked = database.transaction('sync_queue').objectStore('sync_queue').getAll();
      asked.onsuccess = () => resolve(asked.result as { operation: string }[]);
    });
    database.close();
    return entries.filter(({ operation }) => operation === 'upload').length;
  });

test(`${PHOTOS} photos taken with no signal arrive over a line that breaks again and again, each seen on its way (seed ${SEED})`, async () => {
  test.setTimeout(180_000 + PHOTOS * 10_000);
  const line = await CutLine.to({ ...LINE, target: server.port, random: seeded(SEED) });
  const worker = new FieldWorker(await Phone.open(), line.url);
  try {
    await signIn(worker.page, line.url, 'worker');
    await worker.prepareForNoSignal();
    await worker.phone.goOffline();
    const id = await worker.openTodaysCheck();
    const photos = Array.from({ length: PHOTOS }, (_, number) => photo(number));
    await addPhotos(worker.page, photos);
    await expect(worker.page.getByText('Waiting to send')).toHaveCount(PHOTOS);

    line.begin();
    await worker.phone.goOnline();
    await expect.poll(() => line.sent, { timeout: 120_000 }).toBeGreaterThan(PHOTO_BYTES * 1.5);
    line.pause();
    await expect(worker.page.getByRole('progressbar', { name: /^Sending Photo/ }).first()).toBeVisible();
    await worker.phone.screenshot('sending-strip');
    await worker.page.getByRole('button', { name: 'Close' }).click();
    await worker.syncBadge.click();
    await expect(worker.page).toHaveURL(/\/sync$/);
    await expect(worker.page.getByRole('main').getByRole('progressbar').first()).toBeVisible();
    await worker.phone.screenshot('sending-sync');
    line.go();

    await expect.poll(() => waiting(worker.page), { timeout: 120_000 + PHOTOS * 8000 }).toBe(0);
    line.end();
    const share = line.sent / (PHOTOS * PHOTO_BYTES);
    console.log(`photos ${PHOTOS}, ${line.cuts} cuts, sent ${share.toFixed(3)} times`);
    const arrived = await facts.rows('media', `inspection_id=eq.${id}&state=eq.complete`);
    const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
    expect(new Set(arrived.map(row => row['sha256']))).toEqual(new Set(photos.map(hash)));
    expect(arrived).toHaveLength(PHOTOS);
    const [first] = arrived;
    expect(await facts.storedHash(String(first?.['organization_id']), String(first?.id))).toBe(first?.['sha256']);
    expect(line.cuts).toBeGreaterThan(2);
    expect(share).toBeLessThanOrEqual(1.2);
  } finally {
    await worker.phone.screenshot('worker');
    await worker.phone.close();
    await line.close();
  }
});

/** The photo as a camera with a known place would have made it. */
function photoWithPlace(): Buffer {
  const real = readFileSync(PHOTO);
  const block = exif({ little: false, before: 2, behind: 2, position: PLACE });
  const length = Buffer.alloc(2);
  length.writeUInt16BE(block.length + 8);
  return Buffer.concat([
    real.subarray(0, 2),
    Buffer.from([0xff, 0xe1]),
    length,
    Buffer.from('Exif\0\0'),
    block,
    real.subarray(2),
  ]);
}
const PLACE = new Uint8Array(24).fill(0xb7);

test('a photo arrives without the place the camera wrote into it; made small, it is drawn anew', async () => {
  const worker = new FieldWorker(await Phone.open(), server.url);
  try {
    const [sam] = await facts.rows('profiles', 'email=eq.worker@demo.cairn.test');
    const id = await facts.scheduleCheck();
    await signIn(worker.page, server.url, 'worker');
    await worker.prepareForNoSignal();
    await worker.open(`/field/${id}`);
    await worker.page.getByRole('button', { name: 'Start inspection' }).click();
    const taken = photoWithPlace();
    await addPhotos(worker.page, [taken]);
    const arrived = async () => facts.rows('media', `inspection_id=eq.${id}&state=eq.complete&order=captured_at`);
    await expect.poll(async () => (await arrived()).length).toBe(1);
    const [stored] = await arrived();
    const bytes = Buffer.from(await facts.storedBytes(String(stored?.['organization_id']), String(stored?.id)));
    expect(bytes).toHaveLength(taken.length);
    expect(bytes.includes(Buffer.from(PLACE))).toBe(false);
    expect(bytes.subarray(-10_000)).toEqual(taken.subarray(-10_000));

    // The server has it before the phone knows: whoever leaves in between asks for that upload once more.
    await expect.poll(() => worker.pendingOnPhone()).toBe(0);
    await facts.prefer(String(sam?.id), { photo_size: 'small' });
    await worker.open('/settings');
    await expect(worker.page.getByLabel('Photo size')).toHaveValue('small');
    await worker.open(`/field/${id}`);
    // By its path: megabytes of bytes through the browser's wire take longer than a press may on a busy machine.
    const large = join(worker.phone.profile, 'large.png');
    writeFileSync(large, await drawn(worker.page, 2000, 1000));
    await worker.page.getByLabel('From gallery').setInputFiles(large);
    await expect.poll(async () => (await arrived()).length).toBe(2);
    expect((await arrived())[1]).toMatchObject({ width: 1280, height: 640, mime: 'image/jpeg' });
    expect(worker.phone.console).toEqual([]);
  } finally {
    await worker.phone.screenshot('place');
    await worker.phone.close();
  }
});

/** A picture of that size, px, that no format makes very small. */
async function drawn(page: Page, width: number, height: number): Promise<Buffer> {
  const text = await page.evaluate(
    async ([wide, high]) => {
      const canvas = new OffscreenCanvas(wide ?? 1, high ?? 1);
      const brush = canvas.getContext('2d');
      if (!brush) return '';
      const image = brush.createImageData(canvas.width, canvas.height);
      const pixels = new Uint32Array(image.data.buffer);
      // Dots of two by two: a quarter of the bytes of noise, and no format makes them very small either.
      for (let at = 0; at < pixels.length; at += 1) {
        const isNew = at % 2 === 0 && Math.floor(at / canvas.width) % 2 === 0;
        const [before = 0, above = 0] = [pixels[at - 1], pixels[at - canvas.width]];
        pixels[at] = isNew ? 0xff000000 + Math.floor(Math.random() * 0x1000000) : at % 2 === 1 ? before : above;
      }
      brush.putImageData(image, 0, 0);
      const blob = await canvas.convertToBlob({ type: 'image/png' });
      const bytes = new Uint8Array(await blob.arrayBuffer());
      return btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''));
    },
    [width, height],
  );
  return Buffer.from(text, 'base64');
}
