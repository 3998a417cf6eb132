import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { db, setUpWorld, world } from './set-up-world.ts';

setUpWorld();

type Tables = Record<string, Record<string, unknown>[]>;
type Page = { tables: Tables; next: Record<string, unknown> | null };
/** All of it, in the pages it comes in. */
async function pagesOf(person: string): Promise<Page[]> {
  const pages: Page[] = [];
  for (let after: Page['next'] = null; ;) {
    const page: Page = await db.rpc<Page>(person, 'export_person', after ? { p_after: after } : {});
    pages.push(page);
    after = page.next;
    if (!after) return pages;
  }
}
async function exported(person: string): Promise<Tables> {
  const tables: Tables = {};
  for (const page of await pagesOf(person))
    for (const [name, rows] of Object.entries(page.tables)) tables[name] = [...(tables[name] ?? []), ...rows];
  return tables;
}
const wordsIn = (tables: Tables, table: string, column: string) => (tables[table] ?? []).map(row => row[column]);

/** An action item at North that somebody made, and what others wrote there since. */
async function madeBy(person: string): Promise<string> {
  const id = randomUUID();
  await db.asAdmin(
    `insert into action_items (id, organization_id, site_id, title, status, priority, created_by)
     values ($1, $2, $3, 'Mine', 'open', 'low', $4)`,
    [id, world.organization, world.north, person],
  );
  await db.asAdmin(`update action_items set title = 'Theirs', description = 'Written later' where id = $1`, [id]);
  return id;
}

/** Another member of the company, who has one site. */
async function member(role = 'member'): Promise<string> {
  const id = await db.person(`${randomUUID()}@a.test`);
  await db.asAdmin('insert into organization_members (organization_id, user_id, role) values ($1, $2, $3)', [
    world.organization,
    id,
    role,
  ]);
  await db.asAdmin('insert into site_members (organization_id, site_id, user_id) values ($1, $2, $3)', [
    world.organization,
    world.north,
    id,
  ]);
  return id;
}

describe('what others wrote is taken along by who may read it now', () => {
  let person: string;
  let item: string;
  beforeEach(async () => {
    person = await member();
    item = await madeBy(person);
  });
  const takesItAlong = async () =>
    expect(wordsIn(await exported(person), 'action_items', 'description')).toEqual(['Written later']);
  const takesNothing = async () => {
    const tables = await exported(person);
    expect(JSON.stringify(tables)).not.toMatch(/Written later|Theirs/);
    return tables;
  };

  test('not after the membership ended by the clock, with its notifications', async () => {
    await takesItAlong();
    await db.asAdmin(`select inbox.notify($1, 'action.assigned', $2, '/tasks', '{"title":"Theirs"}', null, $3)`, [
      person,
      randomUUID(),
      world.organization,
    ]);
    expect((await exported(person))['notifications']).toHaveLength(1);
    await db.asAdmin(
      `update organization_members set valid_until = now() - interval '1 minute' where user_id = $1
                      and organization_id = $2`,
      [person, world.organization],
    );
    const tables = await takesNothing();
    expect(tables['notifications']).toBeUndefined();
  });

  test('not after it was deleted', async () => {
    await takesItAlong();
    await db.asAdmin('update action_items set deleted_at = now() where id = $1', [item]);
    await takesNothing();
  });

  test('nor does a founder who was removed take along the company as it is since', async () => {
    await takesItAlong();
    await db.asAdmin('update organizations set created_by = $2 where id = $1', [world.organization, person]);
    expect(wordsIn(await exported(person), 'organizations', 'id')).toContain(world.organization);
    await db.asAdmin('update organization_members set deleted_at = now() where user_id = $1 and organization_id = $2', [
      person,
      world.organization,
    ]);
    const tables = await takesNothing();
    expect(wordsIn(tables, 'organizations', 'kind')).toEqual(['private']);
  });
});

describe('in a circle', () => {
  const relate = async (subject: string, helper: string): Promise<string> => {
    const id = randomUUID();
    const pair = [id, subject, helper];
    await db.asAdmin(
      `insert into circle_relationships (id, subject_id, helper_id, role) values ($1, $2, $3, 'mentor_coach')`,
      pair,
    );
    return id;
  };
  const write = (relationship: string, author: string, note: string) =>
    db.asAdmin(
      `insert into circle_sessions (relationship_id, subject_id, helper_id, author_id, at, note)
       values ($1, $2, $3, $4, now(), $5)`,
      [relationship, world.worker, world.stranger, author, note],
    );

  test('a helper takes along what they wrote themselves, and no word of the person, during it and after', async () => {
    const relationship = await relate(world.worker, world.stranger);
    await write(relationship, world.worker, 'Word of the person');
    await write(relationship, world.stranger, 'Word of the helper');
    for (const state of ['active', 'ended']) {
      await db.asAdmin('update circle_relationships set state = $2 where id = $1', [relationship, state]);
      expect(wordsIn(await exported(world.stranger), 'circle_sessions', 'note')).toEqual(['Word of the helper']);
      expect(wordsIn(await exported(world.worker), 'circle_sessions', 'note')).toContain('Word of the person');
    }
  });

  test('a brief that was taken back is with its person alone', async () => {
    const relationship = await relate(world.worker, await db.person(`${randomUUID()}@a.test`));
    const [row] = await db.asAdmin('select helper_id from circle_relationships where id = $1', [relationship]);
    const helper = String(row?.['helper_id']);
    const copy = randomUUID();
    await db.asAdmin(
      `insert into triad_brief_copies (id, brief_id, relationship_id, subject_id, helper_id, week, lines)
       select $1, b.id, $2, $3, $4, b.week, '[{"wording":"For one week"}]' from triad_briefs b limit 1`,
      [copy, relationship, world.worker, helper],
    );
    expect((await exported(helper))['triad_brief_copies']).toHaveLength(1);
    await db.rpc(world.worker, 'take_back_brief', { p_copy: copy });
    expect((await exported(helper))['triad_brief_copies']).toBeUndefined();
    expect(wordsIn(await exported(world.worker), 'triad_brief_copies', 'id')).toContain(copy);
  });
});

test('who leaves takes along what is theirs alone: goals, habits and check-ins, and their private space, also what they removed', async () => {
  const person = await member();
  const habit = randomUUID();
  await db.asAdmin(
    `insert into habits (id, user_id, name, started_on, deleted_at) values ($1, $2, 'Walk', '2026-11-01', now())`,
    [habit, person],
  );
  await db.asAdmin(`insert into wellness_check_ins (user_id, day, at, mood) values ($1, '2026-11-01', now(), 4)`, [
    person,
  ]);
  await db.asAdmin(
    `insert into action_items (organization_id, title, status, priority, created_by)
     select id, 'At home', 'open', 'low', $1 from organizations where kind = 'private' and created_by = $1`,
    [person],
  );
  await db.asAdmin('update organization_members set deleted_at = now() where user_id = $1 and organization_id = $2', [
    person,
    world.organization,
  ]);
  const tables = await exported(person);
  expect(wordsIn(tables, 'habits', 'name')).toEqual(['Walk']);
  expect(tables['wellness_check_ins']).toHaveLength(1);
  expect(wordsIn(tables, 'action_items', 'title')).toEqual(['At home']);
  expect(wordsIn(tables, 'profiles', 'id')).toEqual([person]);
  expect(wordsIn(tables, 'organizations', 'kind')).toEqual(['private']);
  expect(wordsIn(tables, 'organization_members', 'organization_id')).not.toContain(world.organization);
});

test('what others wrote into much that names somebody comes in pages, all of it and nothing twice', async () => {
  const person = await member();
  const ids = Array.from({ length: 30 }, () => randomUUID());
  await db.asAdmin(
    `insert into action_items (id, organization_id, site_id, title, description, assignee_id)
     select unnest($1::uuid[]), $2, $3, 'For you', repeat('x', 20000), $4`,
    [ids, world.organization, world.north, person],
  );
  await db.asAdmin(
    `insert into tasks (organization_id, title, notes, created_by) select id, 'Own', repeat('y', 9000), $1
     from organizations, generate_series(1, 20) where kind = 'private' and created_by = $1`,
    [person],
  );
  const pages = await pagesOf(person);
  expect(pages.length).toBeGreaterThan(1);
  for (const page of pages) expect(JSON.stringify(page).length).toBeLessThan(700_000);
  const tables = await exported(person);
  expect((tables['action_items'] ?? []).map(row => String(row['id'])).toSorted()).toEqual(ids.toSorted());
  expect(tables['tasks']).toHaveLength(20);
  const [first, ...rest] = pages;
  expect(first).toHaveProperty('account');
  for (const page of rest) expect(page).not.toHaveProperty('account');
});
