import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';
import { attack, fresh, references, type Reference } from './attacks.ts';
import { rlsExpectations } from './rls-expectations.ts';
import { servedTables } from './sample-row.ts';
import { makeWorld, type World } from './world.ts';

/**
 * Generated from the catalogue: every table × every column that names somebody or something × every verb (select, insert,
 * update, delete, directly and by push) × {colleague, other organisation, visitor, revoked member}. The attacked rows are
 * the worker's. A table without its row in rls-expectations.ts has no row to attack and fails.
 */
let db: TestDatabase;
let world: World;
let elsewhere: World;
let columns: Reference[];
const attackers: Record<string, string | null> = {};

const ATTACKERS = ['colleague', 'other organisation', 'visitor', 'revoked member'] as const;

/** What may get through: rows everybody of the organisation shares, and what one may say of a colleague in one's own work. */
const SHARED = Object.entries(rlsExpectations).flatMap(([table, { colleague }]) =>
  colleague.includes('s') ? [table] : [],
);
/** A mark of one run of the app, made by the device: it names no row, and what it stands on is the sender's own. */
const SESSION_MARK = /^analytics_(events|metrics)\.session_id insert$/;
/** A step of a task out of sight is as one of a task that is not there yet: it stays with its author and tells nothing (trigger-leaks.test.ts). */
const EARLY_STEP = /^task_items\.task_id push insert$/;
const ALLOWED: Record<(typeof ATTACKERS)[number], RegExp[]> = {
  colleague: [
    new RegExp(`^(${SHARED.join('|')})\\.\\w+ select$`),
    // Asking a colleague to do something is what an action item of one's own is for.
    /^action_items\.assignee_id push (insert|update own)$/,
    // Assets move between sites: whoever stands before one reports it where they work, and learns nothing of it by that.
    /^(inspections|action_items)\.asset_id push insert$/,
    // Whom one asks to stand in while one is away.
    /^approval_delegations\.to_id push insert$/,
    SESSION_MARK,
    EARLY_STEP,
  ],
  // What each role may do is the same everywhere and the app's own: it names nobody. A listed pack is offered to whoever may install.
  'other organisation': [
    /^(permissions|role_permissions|subscription_tiers)\.\w+ select$/,
    /^(policy_packs\.current_version_id|pack_versions\.pack_id) select$/,
    SESSION_MARK,
    EARLY_STEP,
  ],
  visitor: [],
  'revoked member': [/^(permissions|role_permissions|subscription_tiers)\.\w+ select$/, SESSION_MARK],
};

beforeAll(async () => {
  db = await freshDatabase();
  world = await makeWorld(db);
  elsewhere = await makeWorld({ ...db, person: email => db.person(`elsewhere-${email}`) });
  for (const { worker, inspection, action, asset, media } of [world, elsewhere]) {
    await db.asAdmin('update inspections set assigned_to = $2 where id = $1', [inspection, worker]);
    await db.asAdmin('update action_items set assignee_id = $2, asset_id = $3 where id = $1', [action, worker, asset]);
    await db.asAdmin('update media set captured_by = $2 where id = $1', [media, worker]);
  }
  const revoked = await db.person('revoked@a.test');
  const here = [world.organization, revoked];
  // Removed after they had every right there was.
  await db.asAdmin(`insert into organization_members (organization_id, user_id, role) values ($1, $2, 'admin')`, here);
  await db.asAdmin('insert into site_members (organization_id, user_id, site_id) values ($1, $2, $3)', [
    ...here,
    world.north,
  ]);
  await db.asAdmin(
    'update organization_members set deleted_at = now() where organization_id = $1 and user_id = $2',
    here,
  );
  Object.assign(attackers, {
    colleague: world.colleague,
    'other organisation': elsewhere.admin,
    visitor: null,
    'revoked member': revoked,
  });
  columns = await references(db);
});
afterAll(() => db.drop());

const sampleOf = async (table: string, of: World) => {
  const [row] = await db.asAdmin(
    `select to_jsonb(t) as row from ${table} t where ${rlsExpectations[table]?.row(of)} limit 1`,
  );
  return row ? (Object(row['row']) as Record<string, unknown>) : null;
};

/** The victim's row made somebody else's: their name where the worker's stood, their site where North stood. */
async function copyFor(person: string, table: string, victim: Record<string, unknown>) {
  const swap: Record<string, string> = { [world.worker]: person, [world.admin]: person, [world.north]: world.south };
  const entries = Object.entries<unknown>({ ...victim, ...fresh(table), id: randomUUID() });
  const row = Object.fromEntries(entries.map(([key, value]) => [key, swap[String(value)] ?? value]));
  const names = Object.keys(row)
    .filter(name => name !== 'scopes')
    .join(', ');
  const insert = `insert into ${table} (${names}) select ${names} from jsonb_populate_record(null::${table}, $1)`;
  await db.asAdmin(insert, [row]).catch(() => []);
  const [made] = await db.asAdmin(`select to_jsonb(t) as row from ${table} t where id = $1`, [row['id']]);
  return made ? (Object(made['row']) as Record<string, unknown>) : null;
}

async function ownRow(attacker: (typeof ATTACKERS)[number], table: string, victim: Record<string, unknown>) {
  const person = attackers[attacker];
  if (!person) return null;
  return attacker === 'other organisation' ? sampleOf(table, elsewhere) : copyFor(person, table, victim);
}

describe('every reference of every table', () => {
  test.for(Object.keys(rlsExpectations).flatMap(table => ATTACKERS.map(attacker => ({ table, attacker }))))(
    '$table gives $attacker nothing',
    async ({ table, attacker }) => {
      const through: string[] = [];
      for (const reference of columns.filter(each => each.table === table)) {
        const victim = await sampleOf(table, world);
        if (!victim) throw new Error(`no row of ${table} to attack`);
        const own = await ownRow(attacker, table, victim);
        through.push(...(await attack({ db, reference, victim, own, person: attackers[attacker] ?? null })));
      }
      expect(through.filter(verb => !ALLOWED[attacker].some(allowed => allowed.test(verb)))).toEqual([]);
    },
  );

  test('the catalogue has no table that was not attacked, and the attacks have teeth', async () => {
    expect(await servedTables(db)).toEqual(Object.keys(rlsExpectations).toSorted());
    expect(columns.length).toBeGreaterThan(60);
    await db.asAdmin(`create policy hole on action_items for select to authenticated using (true)`);
    await db.asAdmin(`create policy hole_too on action_items for update to authenticated using (true)`);
    const reference = columns.find(({ table, column }) => table === 'action_items' && column === 'created_by');
    const victim = await sampleOf('action_items', world);
    if (!reference || !victim) throw new Error('nothing to attack');
    const through = await attack({ db, reference, victim, own: null, person: elsewhere.admin });
    expect(through).toContain('action_items.created_by select');
    expect(through).toContain('action_items.created_by update');
    await db.asAdmin('drop policy hole on action_items');
    await db.asAdmin('drop policy hole_too on action_items');
  });
});
