import { randomUUID } from 'node:crypto';
import { expect, test, type Page } from '@playwright/test';
import type { AppState } from '@cairn/core/app-state/app-state.ts';
import { FieldWorker, signIn } from './people/field-worker.ts';
import { storedIn } from './rig/device-database.ts';
import { follow } from './rig/follow.ts';
import { DESKTOP, Phone } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';

let server: ServerProcess;
let facts: ServerFacts;
let phone: Phone;
let worker: string;

test.beforeAll(async () => {
  server = await ServerProcess.start();
  facts = new ServerFacts(server);
  worker = (await facts.rows('profiles', 'email=eq.worker@demo.cairn.test'))[0]?.id ?? '';
});
test.afterAll(() => server.stop());
test.beforeEach(async () => {
  phone = await Phone.open(DESKTOP);
});
test.afterEach(async () => {
  await phone.screenshot('app-state');
  await phone.close();
});

const kept = (page: Page): Promise<Partial<AppState>> =>
  page.evaluate(() => JSON.parse(localStorage.getItem('cairn.appState') ?? '{}') as object);
const settings = async (page: Page) => (await kept(page)).systemSettings;

async function notify(title: string): Promise<string> {
  const id = randomUUID();
  await facts.add('notifications', {
    id,
    user_id: worker,
    type: 'action.assigned',
    module: (await facts.rows('notification_types', 'key=eq.action.assigned'))[0]?.['module'],
    key: `journey/${id}`,
    params: { title },
    path: '/tasks',
  });
  return id;
}

/** Everything this browser keeps, as text: local storage and each store of the device's database. */
const everythingKept = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('cairn_mobile');
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(new Error('cairn_mobile did not open'));
    });
    const rows = (store: string) =>
      new Promise<unknown[]>((resolve, reject) => {
        const all = db.transaction(store).objectStore(store).getAll();
        all.onsuccess = () => resolve(all.result);
        all.onerror = () => reject(new Error(`${store} could not be read`));
      });
    const stores = await Promise.all([...db.objectStoreNames].map(async name => [name, await rows(name)] as const));
    db.close();
    return JSON.stringify([Object.entries(localStorage), Object.fromEntries(stores)], (_, value: unknown) =>
      ArrayBuffer.isView(value) || value instanceof ArrayBuffer ? new TextDecoder().decode(value) : value,
    );
  });

test('R3.28 R3.29 R3.30 R3.31 R9.09 R9.10 the app state in local storage follows the inbox, the settings and the steps of its person', async () => {
  const { page } = phone;
  await signIn(page, server.url, 'worker');
  const id = await notify('Brake');
  const told = async (which: string) => (await kept(page)).notifications?.find(each => each.id === which);
  const module = (await facts.rows('notifications', `id=eq.${id}`))[0]?.['module'];
  await expect.poll(() => told(id)).toEqual({ id, timestamp: expect.any(String), read: false, module });
  const toast = page.locator('.toast');
  await notify('Horn');
  await expect(toast.filter({ hasText: 'Horn' })).toBeVisible();
  await facts.change('notifications', id, { is_read: true });
  await expect.poll(async () => (await told(id))?.read).toBe(true);
  await expect.poll(async () => (await kept(page)).analytics?.pageViews['/dashboard'] ?? 0).toBeGreaterThan(0);

  await page.goto(`${server.url}/welcome`);
  await page.getByRole('button', { name: 'Set up later' }).click();
  await expect.poll(async () => (await kept(page)).userProgress?.[worker]?.['welcome']).toContain('begun');

  await page.goto(`${server.url}/settings`);
  const channels = { email: true, push: true, inApp: true };
  expect(await settings(page)).toMatchObject({
    theme: 'system',
    notifications: channels,
    autoSave: true,
    language: 'en',
  });
  await page.getByText('Dark', { exact: true }).click();
  for (const name of ['Emails about new work', 'Push notifications', 'Show new notifications in the app']) {
    const wanted = page.getByRole('switch', { name });
    await wanted.click();
    await expect(wanted).not.toBeChecked();
  }
  await page.getByLabel('Language', { exact: true }).selectOption('de');
  await expect(page.getByRole('switch', { name: 'Neue Benachrichtigungen in der App einblenden' })).not.toBeChecked();
  const off = { email: false, push: false, inApp: false };
  await expect.poll(() => settings(page)).toMatchObject({ theme: 'dark', notifications: off, language: 'de' });
  const quiet = await notify('Bremse');
  await expect.poll(() => told(quiet)).toBeTruthy();
  await expect(toast.filter({ hasText: 'Bremse' })).toHaveCount(0);

  const save = page.getByRole('switch', { name: 'Meinen Stand in diesem Browser merken' });
  await save.click();
  await expect.poll(async () => (await settings(page))?.autoSave).toBe(false);
  const views = async () => (await kept(page)).analytics?.pageViews['/search'] ?? 0;
  await follow(page, '/search');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Suche');
  expect(await views()).toBe(0);
  await follow(page, '/settings');
  await save.click();
  await expect.poll(views).toBe(1);
});

test('R2.03 R3.28 R3.37 R3.40 R3.41 R4.11 R4.25 R4.31 R9.18 what the app says of itself on /debug and to the server, and what it keeps of a sign-in', async () => {
  // The journey before chose German.
  await facts.prefer(worker, { language: 'en' });
  const { page } = phone;
  const tokens: string[] = [];
  page.on('response', async answer => {
    if (!answer.url().includes('/auth/v1/token') || !answer.ok()) return;
    const { access_token, refresh_token } = (await answer.json()) as Record<string, string>;
    tokens.push(access_token ?? '', refresh_token ?? '');
  });
  const [company] = await facts.rows('organizations', 'kind=eq.company&order=created_at&limit=1');
  const [admin] = await facts.rows('profiles', 'email=eq.admin@demo.cairn.test');
  await facts.add('playbooks', { organization_id: company?.id, name: 'Night shift', owner_id: admin?.id });
  await signIn(page, server.url, 'worker');
  await expect(page.getByRole('link', { name: /^Sync:/ }).first()).toContainText('Up to date');

  // R4.25, and while the answer is held R3.28.
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  let asked = 0;
  await phone.context.route('**/rpc/sync_pull', async route => {
    asked += 1;
    await answered;
    await route.continue();
  });
  // A pull of the sign-in may be on its way still: the one of the event follows it.
  const before = asked;
  await page.evaluate(() => void dispatchEvent(new Event('refresh-playbooks')));
  await expect.poll(() => asked).toBeGreaterThan(0);
  await follow(page, '/debug');
  await page.getByText('Show as text').click();
  const text = page.locator('pre');
  await expect(text).toContainText('loading: sync true\nerrors: -');
  answer();
  await expect.poll(() => asked, { timeout: 10_000 }).toBeGreaterThan(before);
  await expect(text).toContainText('loading: sync false\nerrors: -');
  await phone.context.unroute('**/rpc/sync_pull');

  const item = (name: string) =>
    page.getByRole('list', { name: 'Diagnostics' }).getByRole('listitem').filter({ hasText: name });
  const refresh = () => page.getByRole('button', { name: 'Refresh' }).click();
  const isIn = (name: string, state: string) => expect(item(name)).toHaveAttribute('data-state', state);
  await isIn('Platform', 'success');
  await page.evaluate(() => {
    const { storage } = navigator;
    const { promise, reject } = Promise.withResolvers<never>();
    addEventListener('break-storage', () => reject(new Error('no room to look into')), { once: true });
    storage.estimate = () => promise;
  });
  await phone.goOffline();
  await refresh();
  await isIn('Offline storage', 'pending');
  await isIn('Platform', 'warning');
  await expect(item('Platform')).toContainText('No network right now.');
  await isIn('Current path', 'success');
  await page.evaluate(() => void dispatchEvent(new Event('break-storage')));
  await isIn('Offline storage', 'error');
  await expect(item('Offline storage')).toContainText('no room to look into');
  await expect(text).toContainText('errors: sync NETWORK_ERROR');
  await phone.goOnline();
  await refresh();
  await isIn('Platform', 'success');
  await expect(text).toContainText('errors: -');
  await page.getByRole('link', { name: 'Back to dashboard' }).click();
  await expect(page).toHaveURL(`${server.url}/dashboard`);

  const usage = (type: string) =>
    facts.rows('analytics_events', `user_id=eq.${worker}&event_type=eq.${type}&order=timestamp.desc`);
  await expect.poll(async () => (await usage('page_view')).length, { timeout: 60_000 }).toBeGreaterThan(0);
  await page.evaluate(() => {
    setTimeout(() => {
      void Promise.reject(new Error('a journey broke it'));
    });
  });
  await expect.poll(async () => (await usage('error')).length).toBe(1);
  const [event] = await usage('error');
  expect(event).toMatchObject({
    event_type: 'error',
    event_category: 'error',
    event_data: { error_code: 'UNEXPECTED' },
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\d /),
    user_id: worker,
    session_id: (await usage('session_start'))[0]?.['session_id'],
    device_info: { version: '1.0.0', platform: 'web', screen: 'xl', touch: false, installed: false },
    network_info: { online: true, effective_type: expect.stringMatching(/^(4g|3g|2g|slow-2g)$/) },
  });
  const metrics = () => facts.rows('analytics_metrics', `user_id=eq.${worker}&metric_name=eq.first_paint_ms`);
  await expect.poll(async () => (await metrics()).length, { timeout: 60_000 }).toBeGreaterThan(0);
  expect((await metrics())[0]).toMatchObject({
    metric_name: 'first_paint_ms',
    value: expect.any(Number),
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\d /),
  });

  await page
    .getByRole('button', { name: /^Switch organisation or playbook/ })
    .first()
    .click();
  await page.getByRole('dialog').locator('label', { hasText: 'Night shift' }).click();
  const stored = (key: string) => page.evaluate(name => localStorage.getItem(name), key);
  await expect.poll(() => stored('cairn.currentPlaybook')).toBeTruthy();
  expect(tokens).toHaveLength(2);
  const all = await everythingKept(page);
  for (const token of tokens) expect(all).not.toContain(token);
  const [, stores] = JSON.parse(all) as [unknown, Record<string, { id: string; owner: string; data: unknown }[]>];
  const of = (store: string, id: string) => stores[store]?.find(row => row.id === id)?.data;
  expect(of('settings', 'selected_organization')).toEqual({
    organizationId: await stored('cairn.currentOrganization'),
  });
  expect(of('settings', 'selected_playbook')).toEqual({ playbookId: await stored('cairn.currentPlaybook') });
  const session = of('settings', 'auth_session');
  expect(session).toMatchObject({ sessionToken: expect.stringMatching(/./), expiresAt: expect.any(Number) });
  expect(of('users', 'current_user')).toEqual({ id: worker, email: 'worker@demo.cairn.test', fullName: 'Sam Worker' });
});

test('R4.33 an error is told at once: it goes while no clock of the page runs', async () => {
  const { page } = phone;
  const [manager] = await facts.rows('profiles', 'email=eq.manager@demo.cairn.test');
  const told = async (type: string) =>
    (await facts.rows('analytics_events', `user_id=eq.${manager?.id}&event_type=eq.${type}`)).length;
  await page.clock.install();
  await signIn(page, server.url, 'manager');
  await expect.poll(() => told('page_view'), { timeout: 60_000 }).toBeGreaterThan(0);
  // From here the next send by the clock never comes.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
  const sends = page.waitForRequest(
    request => request.url().includes('/analytics_events') && /"error_code"/.test(request.postData() ?? ''),
  );
  await page.evaluate(() => void Promise.reject(new Error('a journey broke it')));
  // Nor was it the tenth that waited, which would have gone without an error too.
  expect(((await sends).postDataJSON() as unknown[]).length).toBeLessThan(10);
  await expect.poll(() => told('error')).toBe(1);
});

test('R3.30 R3.32 R3.33 R3.34 R3.35 R4.29 R9.09 after a sign-in: the database, the four choices, and work kept offline until it is sent, in their specified shapes', async () => {
  const idOf = async (who: string) => (await facts.rows('profiles', `email=eq.${who}@demo.cairn.test`))[0]?.id ?? '';
  const [manager, subject] = [await idOf('manager'), await idOf('person')];
  const [space] = await facts.rows('organizations', `created_by=eq.${subject}&kind=eq.private`);
  const [organization, playbook] = [randomUUID(), randomUUID()];
  await facts.add('organizations', {
    id: organization,
    name: 'Alder Works',
    slug: `c-${organization}`,
    kind: 'company',
  });
  // Joined so long ago that it is not the one they are in without a choice.
  const joined = { organization_id: organization, user_id: manager, joined_at: '2020-01-01T08:00:00Z' };
  await facts.add('organization_members', { ...joined, role: 'admin' });
  await facts.add('playbooks', { organization_id: organization, name: 'By day', owner_id: manager });
  await facts.add('playbooks', { id: playbook, organization_id: organization, name: 'By night', owner_id: manager });
  await facts.add('circle_relationships', { subject_id: subject, helper_id: manager, role: 'mentor_coach' });
  const { page } = phone;
  const field = new FieldWorker(phone, server.url);
  await signIn(page, server.url, 'manager');

  const databases = await page.evaluate(() => indexedDB.databases());
  expect(databases.filter(({ name }) => name === 'cairn_mobile')).toEqual([{ name: 'cairn_mobile', version: 2 }]);
  const stores = await page.evaluate(async () => {
    const opening = indexedDB.open('cairn_mobile');
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(new Error('cairn_mobile cannot be opened'));
    });
    const names = [...db.objectStoreNames];
    db.close();
    return names;
  });
  const given = 'tasks policies forms inspections training media scans users settings lifecycle_status issue_reports';
  expect(stores).toEqual([...given.split(' '), 'sync_queue', 'conflicts', 'meta'].toSorted());

  await page
    .getByRole('button', { name: /^Switch organisation or playbook/ })
    .first()
    .click();
  const sheet = page.getByRole('dialog');
  const pick = (group: string, name: string) =>
    sheet.getByRole('group', { name: group }).locator('label', { hasText: name }).click();
  const choices = () =>
    page.evaluate(() =>
      ['cairn.currentOrganization', 'cairn.currentPlaybook', 'cairn.activeRoleContext'].map(key =>
        localStorage.getItem(key),
      ),
    );
  await pick('Organisation', 'Alder Works');
  await pick('Playbook', 'By night');
  await expect.poll(choices).toEqual([organization, playbook, organization]);
  await pick('Acting as', 'Pia');
  await expect.poll(choices).toEqual([organization, playbook, `${space?.id}/mentor_coach`]);

  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog', { name: 'Search, open a screen or run a command' })).toBeVisible();
  await page.keyboard.press('Escape');
  const counted = async () => (await kept(page)).analytics;
  await expect.poll(counted).toMatchObject({ featureUsage: { command_palette: 1 }, userEngagement: { sessions: 1 } });

  await field.open('/action-items');
  await field.prepareForNoSignal();
  await phone.goOffline();
  await page.getByRole('button', { name: 'New corrective action' }).click();
  await page.getByLabel('Title').fill('Kept offline');
  await page.getByRole('button', { name: 'Create corrective action' }).click();
  await expect(page.getByRole('heading', { name: 'Kept offline' })).toBeVisible();
  const record = async () => (await storedIn(page, 'tasks')).find(({ data }) => titleOf(data) === 'Kept offline');
  const made = await record();
  expect(made).toMatchObject({ type: 'action_items', lastSync: null, isDirty: true, syncPriority: expect.any(Number) });
  expect(made?.['data']).toMatchObject({ id: made?.['id'], organization_id: organization });
  const [entry, ...others] = (await storedIn(page, 'sync_queue')).filter(each => each['dataId'] === made?.['id']);
  expect(others).toEqual([]);
  expect(entry).toMatchObject({
    operation: 'insert',
    dataType: 'action_items',
    data: { title: 'Kept offline' },
    priority: made?.['syncPriority'],
    timestamp: expect.any(Number),
    retryCount: 0,
  });

  await phone.goOnline();
  await expect(field.syncBadge).toContainText('Up to date');
  await expect.poll(record).toMatchObject({ id: made?.['id'], isDirty: false, lastSync: expect.any(Number) });
  expect(await storedIn(page, 'sync_queue')).toEqual([]);
});

const titleOf = (data: unknown): unknown => (data as { title?: unknown }).title;
