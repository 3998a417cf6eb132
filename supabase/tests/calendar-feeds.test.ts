import { createHash, randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { db, setUpWorld, world } from './set-up-world.ts';

setUpWorld();

type CreatedFeed = { id: string; token: string };
type Entry = { kind: string; id: string; title: string; done: boolean; day: string | null };
type Answer = { kind: string; zone: string; entries: Entry[] } | null;

const make = (by: string | null, kind = 'tasks', zone = 'Europe/Berlin') =>
  db.rpc<CreatedFeed>(by, 'make_calendar_feed', { p_kind: kind, p_zone: zone });
const mine = (by: string | null) => db.rpc<{ id: string; read_at: string | null }[]>(by, 'my_calendar_feeds', {});
const revoke = (by: string | null, id: string) => db.rpc(by, 'revoke_calendar_feed', { p_id: id });
/** As the server asks for a calendar. */
async function read(token: string): Promise<Answer> {
  const [row] = await db.asAdmin('select calendar_feed($1) as feed', [token]);
  return row?.['feed'] as Answer;
}
const ids = async (token: string) => (await read(token))?.entries.map(({ id }) => id).toSorted();
const notAllowed = { code: '42501' };

beforeEach(async () => {
  await db.asAdmin('delete from calendar.feed');
  await db.asAdmin(
    `update tasks set assignee_id = $2, due_day = current_date + 1, due_zone = 'UTC', status = 'todo', deleted_at = null where id = $1`,
    [world.task, world.worker],
  );
  await db.asAdmin(`update action_items set assignee_id = $2, due_at = now() + interval '1 day' where id = $1`, [
    world.action,
    world.worker,
  ]);
});

describe('a calendar feed', () => {
  test('cuts the titles that others wrote', async () => {
    await db.asAdmin(`update action_items set title = repeat('😀', 1000) where id = $1`, [world.action]);
    const feed = await read((await make(world.worker, 'day')).token);
    expect(feed?.entries.find(({ id }) => id === world.action)?.title).toBe('😀'.repeat(300));
    await db.asAdmin(`update action_items set title = 'Mend it' where id = $1`, [world.action]);
  });

  test('is made by whoever is signed in, for themselves, and its token is kept as a hash only', async () => {
    for (const act of [() => make(null), () => mine(null), () => revoke(null, randomUUID())])
      await expect(act()).rejects.toMatchObject(notAllowed);
    const { token } = await make(world.worker);
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    const [kept] = await db.asAdmin(`select string_agg(f::text, ' ') as all from calendar.feed f`);
    expect(String(kept?.['all'])).not.toContain(token);
    expect(String(kept?.['all'])).toContain(createHash('sha256').update(token).digest('hex'));
    for (const [kind, zone] of [
      ['all', 'UTC'],
      ['tasks', 'Mars/Base'],
    ])
      await expect(make(world.worker, kind, zone)).rejects.toMatchObject({ code: '22023' });
  });

  test('is read by the server alone, and its table by nobody', async () => {
    const { token } = await make(world.worker);
    for (const person of [world.worker, world.admin, null]) {
      await expect(db.rpc(person, 'calendar_feed', { p_token: token })).rejects.toMatchObject(notAllowed);
      await expect(db.as(person, 'select * from calendar.feed')).rejects.toMatchObject(notAllowed);
    }
  });

  test('holds the tasks its owner has, the other kind what else is theirs too', async () => {
    const [tasks, day] = [await make(world.worker), await make(world.worker, 'day')];
    expect(await ids(tasks.token)).toEqual([world.task]);
    expect(await read(tasks.token)).toMatchObject({ kind: 'tasks', zone: 'Europe/Berlin', entries: [{ done: false }] });
    expect(await ids(day.token)).toEqual(expect.arrayContaining([world.task, world.action]));
    for (const other of [world.colleague, world.manager, world.stranger])
      expect(await ids((await make(other)).token)).toEqual([]);
  });

  test('leaves out what was deleted, called off, or is long ago or far away; what is done stays, as done', async () => {
    const { token } = await make(world.worker);
    for (const [change, there] of [
      [`status = 'done', ended_at = now()`, true],
      [`status = 'cancelled'`, false],
      [`status = 'todo', due_day = current_date - 70`, false],
      [`due_day = current_date + 390`, true],
      [`due_day = current_date + 410`, false],
      [`due_day = null`, false],
      [`due_day = current_date, deleted_at = now()`, false],
    ] as const) {
      await db.asAdmin(`update tasks set ${change} where id = $1`, [world.task]);
      const entries = (await read(token))?.entries ?? [];
      expect([change, entries.map(({ done }) => done)]).toEqual([change, there ? [change.includes('done')] : []]);
    }
  });

  test('opens nothing once it is renewed or revoked; wrong tokens get the same answer', async () => {
    const [first, second] = [await make(world.worker), await make(world.worker)];
    expect(second.id).toBe(first.id);
    expect(await read(first.token)).toBeNull();
    expect(await ids(second.token)).toEqual([world.task]);
    await revoke(world.colleague, second.id);
    expect(await ids(second.token)).toEqual([world.task]);
    await revoke(world.worker, second.id);
    for (const token of [second.token, '', 'x'.repeat(10_000), '0'.repeat(64)]) expect(await read(token)).toBeNull();
  });

  test('says to its owner alone when it was last read', async () => {
    const { id, token } = await make(world.worker);
    expect(await mine(world.worker)).toMatchObject([{ id, read_at: null }]);
    await read(token);
    expect((await mine(world.worker))[0]?.read_at).not.toBeNull();
    expect(await mine(world.colleague)).toEqual([]);
  });

  test('of somebody who is no member any more, or whose right ended by the clock, is empty; that of a locked account opens nothing', async () => {
    const { token } = await make(world.worker);
    const member = [world.organization, world.worker];
    const where = 'where organization_id = $1 and user_id = $2';
    await db.asAdmin(`update organization_members set valid_until = now() - interval '1 minute' ${where}`, member);
    expect(await ids(token)).toEqual([]);
    await db.asAdmin(`update organization_members set valid_until = null ${where}`, member);
    expect(await ids(token)).toEqual([world.task]);
    await db.asAdmin(`update organization_members set deleted_at = now() ${where}`, member);
    expect(await ids(token)).toEqual([]);
    await db.asAdmin(`update organization_members set deleted_at = null ${where}`, member);
    for (const [until, there] of [
      [`now() + interval '1 hour'`, false],
      [`now() - interval '1 hour'`, true],
    ] as const) {
      await db.asAdmin(`update auth.users set banned_until = ${until} where id = $1`, [world.worker]);
      expect((await read(token)) !== null).toBe(there);
    }
  });

  test('leaves the rights of whoever reads next as they were', async () => {
    const { token } = await make(world.worker);
    const [row] = await db.asAdmin(
      `select calendar_feed($1) is not null as read, auth.uid() as uid, coalesce(current_setting('sync.cached_scopes', true), '') as kept`,
      [token],
    );
    expect(row).toEqual({ read: true, uid: null, kept: '' });
  });
});
