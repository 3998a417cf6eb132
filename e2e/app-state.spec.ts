import { randomUUID } from 'node:crypto';
import { expect, test, type Page } from '@playwright/test';
import type { AppState } from '@cairn/core/app-state/app-state.ts';
import { signIn } from './people/field-worker.ts';
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
