import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { FieldWorker, PHOTO, signIn } from './people/field-worker.ts';
import { expectAccessible } from './rig/axe.ts';
import { PHONE, Phone } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';
import { startOver } from './rig/start-over.ts';
import { choose } from './rig/choose.ts';

const PERSON = '00000000-0000-4000-8000-000000000004';
const EYEWASH = '00000000-0000-4000-8000-000000000101';

let server: ServerProcess;
let worker: FieldWorker;

test.beforeAll(async () => {
  server = await ServerProcess.start();
});

test.afterAll(async () => {
  await server.stop();
});

test.beforeEach(async () => {
  worker = new FieldWorker(await Phone.open(PHONE, { isWhole: true }), server.url);
});

test.afterEach(async () => {
  await worker.phone.screenshot('worker');
  await worker.phone.close();
});

type Icon = { src: string; sizes: string; purpose: string };

test('the manifest is whole: every icon and shortcut it names is there, one icon is maskable', async () => {
  const answer = await fetch(`${server.url}/manifest.webmanifest`);
  expect(answer.headers.get('content-type')).toContain('application/manifest+json');
  const manifest = (await answer.json()) as { icons: Icon[]; shortcuts: { url: string }[] } & Record<string, unknown>;
  expect(manifest).toMatchObject({ name: 'Cairn', display: 'standalone', start_url: '/', scope: '/' });
  expect(manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual(
    expect.arrayContaining(['192x192 any', '512x512 any', '512x512 maskable']),
  );
  for (const { src } of manifest.icons) expect((await fetch(server.url + src)).status, src).toBe(200);
  expect(manifest.shortcuts.map(({ url }) => url)).toEqual(['/field?start=true', '/action-items?new=true']);
  expect(manifest['share_target']).toMatchObject({ action: '/share', method: 'POST', enctype: 'multipart/form-data' });
});

test('a shortcut of the home screen opens what it says', async () => {
  const { page } = worker;
  await signIn(page, server.url, 'worker');
  await worker.open('/field?start=true');
  await expect(page.getByRole('dialog').getByRole('list', { name: 'Which form?' })).toBeVisible();
  await worker.open('/action-items?new=true');
  await expect(page.getByRole('dialog', { name: 'New corrective action' })).toBeVisible();
  expect(worker.phone.console).toEqual([]);
});

/** Does what the system's share sheet does: posts the files to the address of the manifest. */
async function share(files: { name: string; mime: string; bytes: number[] }[]): Promise<void> {
  await worker.page.evaluate(given => {
    const form = Object.assign(document.createElement('form'), {
      action: '/share',
      method: 'post',
      enctype: 'multipart/form-data',
    });
    const input = Object.assign(document.createElement('input'), { type: 'file', name: 'files', multiple: true });
    const chosen = new DataTransfer();
    for (const { name, mime, bytes } of given)
      chosen.items.add(new File([new Uint8Array(bytes)], name, { type: mime }));
    input.files = chosen.files;
    form.append(input);
    document.body.append(form);
    form.submit();
  }, files);
}

test('a photo and a PDF shared with no signal wait on the phone, become part of an action item, and arrive', async () => {
  const { page } = worker;
  const facts = new ServerFacts(server);
  await signIn(page, server.url, 'worker');
  await worker.prepareForNoSignal();
  await worker.phone.goOffline();
  await share([
    { name: 'brake.jpg', mime: 'image/jpeg', bytes: [...readFileSync(PHOTO)] },
    { name: 'report.pdf', mime: 'application/pdf', bytes: [...Buffer.from('%PDF-1.4 a report')] },
  ]);
  await expect(page).toHaveURL(`${server.url}/share`);
  await expect(page.getByRole('heading', { level: 1, name: 'Shared with Cairn' })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Files' }).getByRole('listitem')).toHaveCount(2);
  await expectAccessible(page, 'share');
  await page.getByRole('button', { name: 'Attach' }).click();
  await expect(page.getByText('Choose what it belongs to.')).toBeVisible();
  await worker.phone.die();
  await worker.phone.start();
  await worker.open('/share');
  await choose(worker.page.getByRole('radio', { name: /^Eyewash bottle past its date/ }));
  await worker.page.getByRole('button', { name: 'Attach' }).click();
  await expect(worker.page).toHaveURL(`${server.url}/action-items/${EYEWASH}`);
  await expect(worker.page.locator('.photo img')).toHaveCount(1);
  await expect(worker.page.locator('.photo a[download]')).toHaveCount(1);
  await worker.open('/share');
  await expect(worker.page.getByText('No shared files')).toBeVisible();
  await worker.phone.goOnline();
  await expect
    .poll(async () => (await facts.rows('media', 'state=eq.complete&select=id,kind,mime')).map(({ mime }) => mime), {
      timeout: 40_000,
    })
    .toEqual(expect.arrayContaining(['image/jpeg', 'application/pdf']));
  const [item] = await facts.rows('action_items', `id=eq.${EYEWASH}`);
  expect(item?.['media_ids']).toHaveLength(2);
});

test('a shared photo becomes part of a question of the inspection under way', async () => {
  const { page } = worker;
  await signIn(page, server.url, 'worker');
  await worker.prepareForNoSignal();
  const id = await worker.openTodaysCheck();
  await share([{ name: 'brake.jpg', mime: 'image/jpeg', bytes: [...readFileSync(PHOTO)] }]);
  await expect(page).toHaveURL(`${server.url}/share`);
  await choose(page.getByRole('radio', { name: /Forklift 3 pre-use check/ }).first());
  await page.getByRole('button', { name: 'Attach' }).click();
  await expect(page.getByText('Choose the question it answers.')).toBeVisible();
  await page.getByLabel('Which question?').selectOption({ index: 1 });
  await page.getByRole('button', { name: 'Attach' }).click();
  await expect(page).toHaveURL(`${server.url}/field/${id}`);
  await expect(page.locator('.photo-strip img')).toHaveCount(1);
});

test('a share with nothing in it says so', async () => {
  const { page } = worker;
  await signIn(page, server.url, 'worker');
  await worker.prepareForNoSignal();
  await share([]);
  await expect(page.getByText('Nothing was shared. Share a photo, a picture or a PDF.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Go to Dashboard' })).toBeVisible();
});

test('the home screen is offered where the browser can; a no is remembered over a restart', async () => {
  const { page } = worker;
  const offer = () =>
    worker.page.evaluate(() =>
      dispatchEvent(
        Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
          prompt: async () => ({ outcome: 'dismissed' }),
        }),
      ),
    );
  await signIn(page, server.url, 'worker');
  // False: the browser's own bar was declined, ours takes its place.
  expect(await offer()).toBe(false);
  await expect(page.getByText('Add Cairn to your home screen')).toBeVisible();
  await expectAccessible(page, 'dashboard with the install offer');
  await page.getByRole('button', { name: 'Not now' }).click();
  await expect(page.getByText('Add Cairn to your home screen')).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Welcome');
  await offer();
  await expect(worker.syncBadge).toContainText('Up to date');
  await startOver(page);
  await expect(page.getByText('Add Cairn to your home screen')).toHaveCount(0);
});

test('with no signal the app starts, at any of its addresses', async () => {
  const { page } = worker;
  await signIn(page, server.url, 'worker');
  await worker.prepareForNoSignal();
  await worker.phone.goOffline();
  await worker.phone.die();
  await worker.phone.start();
  await worker.open('/tasks');
  await expect(worker.page.getByRole('heading', { level: 1, name: 'Action Items' })).toBeVisible();
  await worker.open('/');
  await expect(worker.page.getByRole('heading', { level: 1 })).toContainText('Welcome');
});

test('R7.27 R4.32 pages and errors become rows of the person; what is seen offline does once online', async () => {
  const { page } = worker;
  const facts = new ServerFacts(server);
  const own = `user_id=eq.${PERSON}&select=id,event_type,event_data,device_info`;
  const seen = async () => (await facts.rows('analytics_events', own)).map(row => JSON.stringify(row['event_data']));
  // Who has saved preferences is not led to the first run.
  await facts.prefer(PERSON, {});
  // The counting is loaded after the first screen; on a busy device after all of this.
  const { promise: counts, resolve: count } = Promise.withResolvers<void>();
  const isHeld = page.waitForRequest(/usage-collector/, { timeout: 120_000 });
  await page.route(/usage-collector/, async route => {
    await counts;
    await route.continue();
  });
  await signIn(page, server.url, 'person');
  // The screen itself, not its address alone: who leads on before it is there has not seen it.
  for (const [name = '', path, title] of [
    ['My Actions', '/tasks', 'My Actions'],
    ['My Journey', '/dashboard', /Welcome/],
  ] as const) {
    await page.getByRole('link', { name }).first().click();
    await expect(page).toHaveURL(`${server.url}${path}`);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  }
  await page.evaluate(
    () => void setTimeout(() => void Promise.reject(new Error('permission denied for a secret goal')), 0),
  );
  await expect(page.getByText('Error Occurred')).toBeVisible();
  await expect(page.getByText("You don't have permission to perform this action.")).toBeVisible();
  await isHeld;
  count();
  const wanted = ['{"error_code":"PERMISSION_DENIED"}', '{"route":"/tasks"}'];
  // What a busy server did not take goes again after 30 s (R9.16).
  await expect.poll(seen, { timeout: 45_000 }).toEqual(expect.arrayContaining(wanted));
  expect(JSON.stringify(await facts.rows('analytics_events', own))).not.toContain('secret');

  const later = ['{"route":"/profile"}', '{"route":"/sync"}'];
  await worker.prepareForNoSignal();
  await worker.phone.goOffline();
  await worker.syncBadge.click();
  await expect(page).toHaveURL(`${server.url}/sync`);
  const menu = page.getByRole('button', { name: 'Menu and profile' });
  await menu.or(page.getByRole('link', { name: 'Menu and profile' })).click();
  await page.getByRole('dialog').locator('a[href="/profile"]').click();
  await expect(page).toHaveURL(`${server.url}/profile`);
  expect(await seen()).not.toEqual(expect.arrayContaining([expect.stringMatching(/profile|sync/)]));
  await worker.phone.goOnline();
  await expect.poll(seen, { timeout: 45_000 }).toEqual(expect.arrayContaining(later));
});

test('R7.27 who says not to count is counted no more, by the app and the server, until they say otherwise', async () => {
  const { page } = worker;
  const facts = new ServerFacts(server);
  const errors = async (code: string) =>
    (await facts.rows('analytics_events', `user_id=eq.${PERSON}&event_type=eq.error`)).filter(
      row => JSON.stringify(row['event_data']) === JSON.stringify({ error_code: code }),
    ).length;
  await facts.prefer(PERSON, {});
  await signIn(page, server.url, 'person');
  let sent = 0;
  page.on('request', request => {
    if (/\/rest\/v1\/analytics_/.test(request.url())) sent += 1;
  });
  const fail = (message: string) =>
    page.evaluate(text => void setTimeout(() => void Promise.reject(new Error(text)), 0), message);
  await worker.open('/settings');
  const counts = page.getByRole('switch', { name: 'Collect usage statistics' });
  await expect(counts).toBeChecked();
  await expect.poll(() => sent, { timeout: 60_000 }).toBeGreaterThan(0);
  await counts.click();
  await expect
    .poll(() => facts.rows('user_preferences', `user_id=eq.${PERSON}&usage_analytics=eq.false`))
    .toHaveLength(1);
  const before = { sent, denied: await errors('PERMISSION_DENIED') };
  // An error is sent at once where anything is.
  await fail('permission denied for a secret goal');
  await expect(page.getByText("You don't have permission to perform this action.")).toBeVisible();
  await counts.click();
  await expect(counts).toBeChecked();
  expect(sent).toBe(before.sent);
  await expect(async () => {
    await fail('duplicate key value');
    expect(await errors('DUPLICATE_ERROR')).toBeGreaterThan(0);
  }).toPass({ timeout: 60_000 });
  expect(await errors('PERMISSION_DENIED')).toBe(before.denied);
});
