import { expect, test, type Page } from '@playwright/test';
import { pmtiles } from '@cairn/testing/pmtiles-builder.ts';
import { FieldWorker, signIn } from './people/field-worker.ts';
import { expectAccessible } from './rig/axe.ts';
import { cutOff } from './rig/cut-off.ts';
import { DESKTOP, Phone } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';

let server: ServerProcess;
test.beforeAll(async () => {
  server = await ServerProcess.start();
});
test.afterAll(() => server.stop());

/** Around the assets of Site North; three pieces of a download, so that it shows how far it is. */
const YARD = pmtiles({
  bounds: { west: 9.97, south: 53.53, east: 10.02, north: 53.57 },
  minZoom: 11,
  maxZoom: 16,
  attribution: '<a href="https://osm.org">&copy; OpenStreetMap</a>',
  padding: 2_200_000,
});

const named = (name: string, bytes: Uint8Array) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(bytes),
});

/** Colours on the tiles that are drawn now, read from a copy: the browser warns of a canvas drawn upon and read by turns. */
const colours = (page: Page) =>
  page.evaluate(() => {
    const seen = new Set<string>();
    for (const tile of document.querySelectorAll<HTMLCanvasElement>('.site-map-box canvas.leaflet-tile')) {
      const copy = new OffscreenCanvas(tile.width, tile.height).getContext('2d', { willReadFrequently: true });
      copy?.drawImage(tile, 0, 0);
      const { data = [] } = copy?.getImageData(0, 0, tile.width, tile.height) ?? {};
      for (let at = 0; at < data.length; at += 4 * 97) seen.add(data.slice(at, at + 4).join(' '));
    }
    return seen.size;
  });

async function openMaps(page: Page): Promise<ReturnType<Page['getByRole']>> {
  await page.goto(`${server.url}/field`);
  await page.getByRole('button', { name: 'Maps' }).click();
  const sheet = page.getByRole('dialog', { name: 'Maps' });
  await expect(sheet).toBeVisible();
  return sheet;
}

test('a manager adds a map of a site; a field hand keeps it and sees what is near on it with no signal', async () => {
  const desk = await Phone.open(DESKTOP, { keepsApp: false });
  const phone = await Phone.open();
  const worker = new FieldWorker(phone, server.url);
  try {
    await signIn(desk.page, server.url, 'manager');
    const sheet = await openMaps(desk.page);
    await sheet.getByRole('button', { name: 'Add a map' }).click();
    const file = sheet.locator('input[type=file]');
    await file.setInputFiles(named('photo.pmtiles', new TextEncoder().encode('<svg onload="alert(1)">')));
    await expect(sheet.getByRole('alert')).toContainText('This is not a PMTiles file.');
    await file.setInputFiles(named('Yard.pmtiles', YARD));
    await sheet.getByLabel('Site').selectOption({ label: 'Site North' });
    await expect(sheet.getByLabel('Name')).toHaveValue('Yard');
    await desk.screenshot('maps-add-desk');
    await sheet.getByRole('button', { name: 'Add map' }).click();
    await expect(sheet.getByRole('button', { name: 'Download Yard' })).toBeVisible();
    const facts = new ServerFacts(server);
    const arrived = () => facts.rows('media', 'mime=eq.application/vnd.pmtiles&state=eq.complete');
    await expect.poll(async () => (await arrived()).length, { timeout: 60_000 }).toBe(1);
    await desk.screenshot('maps-desk');

    await signIn(phone.page, server.url, 'worker');
    await worker.prepareForNoSignal();
    const own = await openMaps(phone.page);
    await own.getByRole('button', { name: 'Download Yard' }).click();
    await expect(own.getByText('On this device', { exact: true })).toBeVisible();
    await expect(own.getByRole('button', { name: 'Remove for everyone: Yard' })).toHaveCount(0);
    await expectAccessible(phone.page, 'maps');
    await phone.screenshot('maps');

    await phone.context.grantPermissions(['geolocation'], { origin: server.url });
    await phone.context.setGeolocation({ latitude: 53.5518, longitude: 9.9945, accuracy: 12 });
    await phone.goOffline();
    await phone.page.goto(`${server.url}/field`);
    await phone.page.getByRole('button', { name: 'Nearby', exact: true }).click();
    const map = phone.page.getByRole('region', { name: 'Map Yard: Nearby' });
    await expect(map).toBeVisible();
    await expect.poll(() => colours(phone.page)).toBeGreaterThan(2);
    await expect(map.getByText('Forklift 3')).toHaveCount(1);
    await expect(map.getByText('Forklift 3')).toBeVisible();
    await expect(phone.page.getByText('© OpenStreetMap')).toBeVisible();
    await expectAccessible(phone.page, 'nearby on a map');
    // A map goes on past its edge: that is what it is moved for.
    const hidden = async () => (await cutOff(phone.page)).filter(each => !each.includes('leaflet'));
    await expect.poll(hidden, 'nearby on a map').toEqual([]);
    const closer = await map.getByRole('button', { name: 'Zoom in' }).boundingBox();
    expect(Math.min(closer?.width ?? 0, closer?.height ?? 0)).toBeGreaterThanOrEqual(44);
    await phone.screenshot('nearby-map');
    expect([phone.console, desk.console]).toEqual([[], []]);
  } finally {
    await phone.screenshot('maps-end');
    await phone.close();
    await desk.close();
  }
});
