import { randomUUID } from 'node:crypto';
import { circlePage } from '@cairn/core/support-circle/queries.ts';
import { sharedViewOf, stillShared } from '@cairn/core/support-circle/shared-view.ts';
import type { Offer } from '@cairn/core/support-circle/visibility.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { addPrinciple, type Principle } from './world-principles.ts';
import { testDevice, type TestDevice } from './device.ts';
import { serveWorld, type Client, type ServedWorld } from './people-by-client.ts';

/** A person with habits, check-ins and tasks of their own, and a helper of another company: circles know no organisation. */
export type CircleWorld = {
  served: ServedWorld;
  subject: Client;
  helper: Client;
  /** Two habits of the subject, "Walk" and "Hidden habit", and a task of their private space. */
  habit: string;
  task: string;
  /** Of two goals of the subject, "Walk the coast path" and "Hidden goal", the first; beside them a draft. */
  goal: string;
  /** "I rest on Sundays", in force and committed to, beside a hidden one. */
  principle: Principle;
};

async function addHabits({ db, world }: ServedWorld, ids: readonly [string, string]): Promise<void> {
  const names = ['Walk', 'Hidden habit'];
  for (const [index, id] of ids.entries()) {
    const habit = [id, world.worker, names[index]];
    await db.asAdmin(`insert into habits (id, user_id, name, started_on) values ($1, $2, $3, current_date - 9)`, habit);
    await db.asAdmin(
      `insert into habit_entries (user_id, habit_id, day, value) values ($1, $2, current_date, 'done')`,
      [world.worker, id],
    );
  }
}

async function addCheckIns({ db, world }: ServedWorld): Promise<void> {
  for (const day of [0, 1, 2, 7, 8, 9]) {
    await db.asAdmin(
      `insert into wellness_check_ins (user_id, day, at, mood, stress, tags, note)
       values ($1, current_date - $2::int, now(), 4, 2, '["secret word"]', $3)`,
      [world.worker, day, `1.${randomUUID()}.aXY=.c2VjcmV0`],
    );
  }
}

async function addTask({ db, world }: ServedWorld): Promise<string> {
  const ownSpace = `select id from organizations where kind = 'private' and created_by = $1`;
  const [privateSpace] = await db.asAdmin(ownSpace, [world.worker]);
  const task = randomUUID();
  await db.asAdmin(
    `insert into action_items (id, organization_id, title, status, priority, created_by) values ($1, $2, 'Call the dentist', 'open', 'low', $3)`,
    [task, privateSpace?.['id'], world.worker],
  );
  return task;
}

async function addGoals({ db, world }: ServedWorld, goal: string): Promise<void> {
  const goals = [
    [goal, 'Walk the coast path', 'active'],
    [randomUUID(), 'Hidden goal', 'active'],
    [randomUUID(), 'Draft goal', 'draft'],
  ];
  for (const [id, title, state] of goals) {
    await db.asAdmin(
      `insert into goals (id, user_id, area, title, why, state, metric, unit, baseline, target, started_on)
       values ($1, $2, 'health-wellness-foundation', $3, 'secret word', $4, 'Distance', 'km', 0, 180, current_date - 9)`,
      [id, world.worker, title, state],
    );
  }
  await db.asAdmin(
    `insert into goal_milestones (user_id, goal_id, title, done_on) values ($1, $2, 'Half of it', current_date)`,
    [world.worker, goal],
  );
  await db.asAdmin(
    `insert into goal_check_ins (user_id, goal_id, day, at, value, confidence, obstacle, next_step)
     values ($1, $2, current_date, now(), 112.375, 4, 'secret word', 'secret word')`,
    [world.worker, goal],
  );
}

export async function serveCircle(): Promise<CircleWorld> {
  const served = await serveWorld();
  const [habit, other] = [randomUUID(), randomUUID()];
  await addHabits(served, [habit, other]);
  await addCheckIns(served);
  const task = await addTask(served);
  const goal = randomUUID();
  await addGoals(served, goal);
  await addPrinciple(served.db, served.world.worker, { title: 'Hidden principle' });
  const principle = await addPrinciple(served.db, served.world.worker);
  return { served, subject: served.clients.owner, helper: served.clients.other, habit, task, goal, principle };
}

export const STATES = ['granted', 'not granted', 'paused', 'expired', 'not begun', 'revoked', 'ended'] as const;
export type State = (typeof STATES)[number];

/** The only relationship there is from here on: the helper, in this role. */
export async function relate({ served: { db, world } }: CircleWorld, role: string): Promise<string> {
  await db.asAdmin('delete from circle_relationships');
  const id = randomUUID();
  const pair = [id, world.worker, world.stranger, role];
  await db.asAdmin(`insert into circle_relationships (id, subject_id, helper_id, role) values ($1, $2, $3, $4)`, pair);
  return id;
}

/** A session the subject wrote about. */
export const addSession = ({ served: { db, world } }: CircleWorld, relationship: string) =>
  db.asAdmin(
    `insert into circle_sessions (relationship_id, subject_id, helper_id, author_id, at, note)
     values ($1, $2, $3, $2, now(), 'Talked of the coast')`,
    [relationship, world.worker, world.stranger],
  );

export type Mutation = {
  t: string;
  id: string;
  op: string;
  patch: Record<string, unknown>;
  base?: Record<string, unknown>;
  bv?: number;
};
type Result = { st: string; code?: string };

export async function push(client: Client, mutation: Mutation): Promise<Result> {
  const whole = { base: {}, bv: 0, ...mutation, mid: randomUUID(), at: new Date().toISOString() };
  const { data, error } = await client.rpc('sync_push', { p_device: randomUUID(), p_mutations: [whole] });
  if (error) throw new Error(error.message);
  return (data as { results: Result[] }).results[0] ?? { st: 'none' };
}

async function mustPush(client: Client, mutation: Mutation): Promise<void> {
  const { st, code } = await push(client, mutation);
  if (st !== 'applied') throw new Error(`${mutation.t}: ${st} ${code ?? ''}`);
}

type GrantInput = {
  id?: string;
  scope: string;
  level: string;
  item_ids: readonly string[] | null;
  subject_id?: string;
};

const grantOf = (
  { served }: CircleWorld,
  relationship: string,
  { id = randomUUID(), ...fields }: GrantInput,
): Mutation => ({
  t: 'consent_grants',
  id,
  op: 'insert',
  patch: {
    relationship_id: relationship,
    subject_id: served.world.worker,
    valid_from: new Date(Date.now() - 1000).toISOString(),
    ...fields,
  },
});

export const give = (circle: CircleWorld, client: Client, relationship: string, granted: GrantInput): Promise<Result> =>
  push(client, grantOf(circle, relationship, granted));

export type View = { parts: { grant_id: string; scope: string; level: string; data: unknown }[] };

/** The first of the two calls: it writes the reading down. */
async function noteRead(client: Client, relationship: string): Promise<{ ticket: string }> {
  const { data, error } = await client.rpc('read_circle', { p_relationship: relationship });
  if (error) throw new Error(error.message);
  return data as { ticket: string };
}

export async function read(client: Client, relationship: string): Promise<View> {
  const { ticket } = await noteRead(client, relationship);
  const { data, error } = await client.rpc('read_circle', { p_relationship: relationship, p_ticket: ticket });
  if (error) throw new Error(error.message);
  return data as View;
}

const MINUTE_MS = 60_000;

/** From and until, by which a grant is what its state says. */
function timesOf(state: State) {
  const now = Date.now();
  const from = state === 'not begun' ? now + MINUTE_MS : now - MINUTE_MS;
  const until = state === 'expired' ? now - 1000 : now + 2 * MINUTE_MS;
  return { valid_from: new Date(from).toISOString(), valid_until: new Date(until).toISOString() };
}

/** The one item of a scope that a person picks. */
const itemOf = ({ habit, task, goal, principle }: CircleWorld, { scope }: Offer): string =>
  scope === 'habits' ? habit : scope === 'goals' ? goal : scope === 'principles' ? principle.version : task;

/** Brings a grant of an offer into a state, the way each state comes about. @returns the grant's id */
export async function bring(circle: CircleWorld, state: State, relationship: string, offer: Offer): Promise<string> {
  const { subject } = circle;
  const id = randomUUID();
  if (state === 'not granted') return id;
  const picked = offer.chosen ? [itemOf(circle, offer)] : null;
  const grant = grantOf(circle, relationship, { id, scope: offer.scope, level: offer.level, item_ids: picked });
  await mustPush(subject, { ...grant, patch: { ...grant.patch, ...timesOf(state) } });
  await takeBack(circle, state, { relationship, grant: id });
  return id;
}

/** The subject revokes a grant, or pauses or ends the whole relationship; other states come about without an act. */
export async function takeBack({ subject }: CircleWorld, state: State, of: { relationship: string; grant: string }) {
  if (state === 'revoked') {
    const patch = { revoked_at: new Date().toISOString() };
    const taken = { t: 'consent_grants', id: of.grant, op: 'update', patch };
    await mustPush(subject, { ...taken, base: { revoked_at: null }, bv: 1 });
  }
  if (state === 'paused' || state === 'ended') {
    const moved = { t: 'circle_relationships', id: of.relationship, op: 'update', patch: { state } };
    await mustPush(subject, { ...moved, base: { state: 'active' }, bv: 1 });
  }
}

/** A device of the helper: it follows the sync protocol through the official client. */
export const helperDevice = ({ served: { world }, helper }: CircleWorld): TestDevice =>
  testDevice(
    {
      async rpc<A>(_person: string | null, name: string, args: Record<string, unknown> = {}): Promise<A> {
        const sent = typeof args['p_mutations'] === 'string' ? JSON.parse(args['p_mutations']) : args['p_mutations'];
        const { data, error } = await helper.rpc(name, { ...args, ...(sent && { p_mutations: sent }) });
        if (error) throw new Error(error.message);
        return data as A;
      },
    },
    world.stranger,
  );

/** The grants of which a copy still shows something on this device, at an instant (ms since 1970). */
export async function shownOn(device: TestDevice, relationship: string, { copy, at }: { copy: unknown; at: number }) {
  const view = sharedViewOf(copy);
  if (!view) throw new Error('the copy is no view');
  const held = (table: string) =>
    [...device.rows].flatMap(([key, { row }]) => (key.startsWith(`${table}/`) ? [row as never] : []));
  const tables = ['circle_relationships', 'consent_grants', 'circle_messages'] as const;
  const store = memoryStore(Object.fromEntries(tables.map(table => [table, held(table)])));
  const page = await store.read(circlePage(relationship));
  return page ? stillShared(view, page, at).parts.map(part => part.grant_id) : [];
}

/** How often something was read under a grant, by the log. */
export const logged = async ({ served }: CircleWorld, grant: string): Promise<number> =>
  (await served.db.asAdmin('select generate_series(1, times) from grant_reads where grant_id = $1', [grant])).length;
