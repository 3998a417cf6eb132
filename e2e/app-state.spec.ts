import { randomUUID } from 'node:crypto';
import { expect, test, type Page } from '@playwright/test';
import type { AppState } from '@cairn/core/app-state/app-state.ts';
import { FieldWorker, signIn } from './people/field-worker.ts';
import { storedIn } from './rig/device-database.ts';
import { DESK, Phone } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';

let server: ServerProcess;
let phone: Phone;

test.beforeAll(async () => {
  server = await ServerProcess.start();
});
test.afterAll(() => server.stop());
test.afterEach(() => phone.close());

const kept = (page: Page): Promise<Partial<AppState>> =>
  page.evaluate(() => JSON.parse(localStorage.getItem('cairn.appState') ?? '{}') as object);

test('R3.29 R3.30 R9.09 R9.10 the app state in local storage holds the notifications as the inbox has them, and what was used', async () => {
  const facts = new ServerFacts(server);
  const worker = (await facts.rows('profiles', 'email=eq.worker@demo.cairn.test'))[0]?.id ?? '';
  phone = await Phone.open(DESK);
  const { page } = phone;
  await signIn(page, server.url, 'worker');
  const id = randomUUID();
  const [type] = await facts.rows('notification_types', 'key=eq.action.assigned');
  await facts.add('notifications', {
    id,
    user_id: worker,
    type: 'action.assigned',
    module: type?.['module'],
    key: `journey/${id}`,
    params: { title: 'Brake' },
    path: '/tasks',
  });
  const told = async () => (await kept(page)).notifications?.find(each => each.id === id);
  await expect.poll(told).toEqual({ id, timestamp: expect.any(String), read: false, module: type?.['module'] });
  await facts.change('notifications', id, { is_read: true });
  await expect.poll(async () => (await told())?.read).toBe(true);
  await expect.poll(async () => (await kept(page)).analytics?.pageViews['/dashboard'] ?? 0).toBeGreaterThan(0);
  expect((await kept(page)).systemSettings?.autoSave).toBe(true);
});

test('R3.30 R3.32 R3.33 R3.34 R3.35 R4.29 R9.09 after a sign-in: the database, the four choices, and work kept offline until it is sent, in their specified shapes', async () => {
  const facts = new ServerFacts(server);
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
  phone = await Phone.open(DESK);
  const { page } = phone;
  const worker = new FieldWorker(phone, server.url);
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
  await expect(page.getByRole('dialog', { name: 'Search, go to a screen, do something' })).toBeVisible();
  await page.keyboard.press('Escape');
  const counted = async () => (await kept(page)).analytics;
  await expect.poll(counted).toMatchObject({ featureUsage: { command_palette: 1 }, userEngagement: { sessions: 1 } });

  await worker.open('/action-items');
  await worker.prepareForNoSignal();
  await phone.goOffline();
  await page.getByRole('button', { name: 'New action item' }).click();
  await page.getByLabel('Title').fill('Kept offline');
  await page.getByRole('button', { name: 'Make action item' }).click();
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
  await expect(worker.syncBadge).toContainText('Up to date');
  await expect.poll(record).toMatchObject({ id: made?.['id'], isDirty: false, lastSync: expect.any(Number) });
  expect(await storedIn(page, 'sync_queue')).toEqual([]);
});

const titleOf = (data: unknown): unknown => (data as { title?: unknown }).title;
