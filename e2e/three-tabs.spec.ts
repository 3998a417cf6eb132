import { randomUUID } from 'node:crypto';
import { expect, test, type Page, type Request } from '@playwright/test';
import { signIn } from './people/field-worker.ts';
import { Phone } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';

let server: ServerProcess;
let facts: ServerFacts;
let phone: Phone;

test.beforeAll(async () => {
  server = await ServerProcess.start();
  facts = new ServerFacts(server);
  phone = await Phone.open();
});
test.afterAll(async () => {
  await phone.close();
  await server.stop();
});
test.afterEach(() => phone.screenshot('tabs'));

const ROUNDS = 3;
/** ms a push takes at least, so that two at a time would be seen. */
const HELD = 400;

type PushRequest = { page: Page; from: number; to: number; mids: Map<string, string> };

/** Every push of every tab: whose, from when to when, and which edits of which records were in it. `hold` keeps them on their way. */
async function followPushes() {
  const all: PushRequest[] = [];
  const open = new Map<Request, PushRequest>();
  const { context } = phone;
  let gate: PromiseWithResolvers<void> | null = null;
  await context.route('**/rpc/sync_push', async route => {
    await gate?.promise;
    await new Promise(resolve => setTimeout(resolve, HELD));
    await route.continue().catch(() => undefined);
  });
  context.on('request', request => {
    if (!request.url().endsWith('/rpc/sync_push')) return;
    const { p_mutations: mutations } = request.postDataJSON() as { p_mutations: { mid: string; id: string }[] };
    const mids = new Map(mutations.map(({ mid, id }) => [mid, id]));
    const sent = { page: request.frame().page(), from: performance.now(), to: Number.POSITIVE_INFINITY, mids };
    all.push(sent);
    open.set(request, sent);
  });
  const end = (request: Request) => {
    const sent = open.get(request);
    if (sent) sent.to = Math.min(sent.to, performance.now());
    open.delete(request);
  };
  context.on('requestfinished', end);
  context.on('requestfailed', end);
  return {
    all,
    hold: () => void (gate = Promise.withResolvers<void>()),
    release() {
      gate?.resolve();
      gate = null;
    },
    underWay: () => [...open.values()].at(-1)?.page,
    died(page: Page) {
      for (const [request, sent] of open) if (sent.page === page) end(request);
    },
  };
}

/** Its renderer ends with no word to the page. */
async function kill(page: Page): Promise<void> {
  const session = await phone.context.newCDPSession(page);
  const crashed = page.waitForEvent('crash');
  // Who is dead gives no answer.
  session.send('Page.crash').catch(() => undefined);
  await crashed;
}

/** Titles as they lie in the phone's database, whatever a screen says. */
const titleOnPhone = (page: Page, id: string) =>
  page.evaluate(async wanted => {
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('cairn_mobile');
      opening.addEventListener('success', () => resolve(opening.result));
      opening.addEventListener('error', () => reject(new Error('cairn_mobile cannot be opened')));
    });
    type StoredTask = { id: string; data: { title?: string } };
    const all = await new Promise<StoredTask[]>(resolve => {
      const asked = db.transaction('tasks').objectStore('tasks').getAll();
      asked.addEventListener('success', () => resolve(asked.result as StoredTask[]));
    });
    db.close();
    return all.find(each => each.id === wanted)?.data.title;
  }, id);

async function retitle(page: Page, id: string, text: string): Promise<void> {
  const title = page.getByLabel('Title', { exact: true });
  await title.fill(text);
  await title.blur();
  await expect.poll(() => titleOnPhone(page, id)).toBe(text);
}

test('three tabs, the leading one killed again and again: one stream of pushes at a time, no gap, no double', async () => {
  const [seen] = await facts.rows('action_items', 'id=eq.00000000-0000-4000-8000-000000000101');
  const kept = ['organization_id', 'site_id', 'playbook_id', 'assignee_id', 'created_by', 'status', 'priority'];
  const place = Object.fromEntries(kept.map(name => [name, seen?.[name]]));
  const ids = [randomUUID(), randomUUID(), randomUUID()];
  for (const id of ids) await facts.add('action_items', { ...place, id, title: 'First' });
  await signIn(phone.page, server.url, 'worker');
  const pushes = await followPushes();
  const dead = new Set<Page>();
  const open = async (id: string, page: Page) => {
    page.on('crash', () => dead.add(page));
    await page.goto(`${server.url}/action-items/${id}`);
    await expect(page.getByLabel('Title', { exact: true })).toBeVisible();
    return page;
  };
  const tabs = await Promise.all(
    ids.map(async (id, at) => open(id, at === 0 ? phone.page : await phone.context.newPage())),
  );

  const owners = new Map<string, string>();
  for (let round = 1; round <= ROUNDS; round += 1) {
    pushes.hold();
    for (const [at, page] of tabs.entries()) {
      const text = `Tab ${at + 1}, round ${round}`;
      await retitle(page, ids[at]!, text);
      owners.set(ids[at]!, text);
    }
    await expect.poll(() => pushes.underWay() !== undefined).toBe(true);
    const leader = pushes.underWay()!;
    await kill(leader);
    pushes.release();
    // A browser short of memory may have put another tab into the same process.
    for (const page of tabs) if (dead.has(page)) pushes.died(page);
    for (const [at, page] of tabs.entries())
      if (dead.has(page)) tabs[at] = await open(ids[at]!, await phone.context.newPage());
  }

  const titles = async () => {
    const rows = await facts.rows('action_items', `id=in.(${ids.join(',')})`);
    return new Map(rows.map(({ id, title }) => [id, title]));
  };
  await expect.poll(titles).toEqual(owners);
  for (const page of tabs) await expect(page.getByRole('link', { name: /^Sync:/ }).first()).toContainText('Up to date');
  const rows = await facts.rows('action_items', `id=in.(${ids.join(',')})`);
  for (const { id, version } of rows) {
    const edits = new Set(
      pushes.all.flatMap(({ mids }) => [...mids].filter(([, of]) => of === id).map(([mid]) => mid)),
    );
    expect({ id, version }).toEqual({ id, version: 1 + edits.size });
  }
  expect(new Set(pushes.all.map(({ page }) => page)).size).toBeGreaterThan(1);
  for (const [at, one] of pushes.all.entries())
    for (const other of pushes.all.slice(at + 1))
      expect(one.page !== other.page && one.from < other.to && other.from < one.to).toBe(false);
});
