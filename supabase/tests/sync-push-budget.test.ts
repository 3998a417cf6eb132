import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { Mutation, PushAnswer, PushResult } from '@cairn/sync/transport/backend.ts';
import { sqlBackend } from '@cairn/testing/sql-backend.ts';
import { holds, HISTORIES_TIMEOUT } from '@cairn/testing/histories.ts';
import { mutation } from './device.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

setUpWorld();

/** ms; longer than any call here takes. */
const PLENTY = 600_000;
const device = randomUUID();
const { signal } = new AbortController();
let budget: number | null = PLENTY;
let push: (mutations: Mutation[]) => Promise<PushAnswer>;

beforeAll(() => {
  const backend = sqlBackend(db, world.worker, { pushBudget: () => budget });
  push = mutations => backend.push(device, mutations, signal);
});

/** One edit of the nth action item; those with one number of a `group` that stand together are saved together. */
type Act = { n: number; op: 'insert' | 'update'; flawed: boolean; group: 0 | 1 | 2 };

const ITEMS = 4;
const act: fc.Arbitrary<Act> = fc.record({
  n: fc.nat(ITEMS - 1),
  op: fc.constantFrom('insert' as const, 'update' as const),
  flawed: fc.nat(6).map(n => n === 0),
  group: fc.constantFrom(0 as const, 0 as const, 1 as const, 2 as const),
});

function mutationsOf(acts: readonly Act[]): Mutation[] {
  const ids = Array.from({ length: ITEMS }, () => randomUUID());
  let group = '';
  return acts.map(({ n, op, flawed, group: number }, at) => {
    if (number !== acts[at - 1]?.group) group = randomUUID();
    const title = flawed ? null : `Mine ${at}`;
    const here = { organization_id: world.organization, site_id: world.north };
    const patch = op === 'insert' ? { ...here, title } : { title };
    const base = op === 'insert' ? {} : { title: null };
    return mutation({ t: 'action_items', op, id: ids[n] ?? '', patch, base, ...(number > 0 && { group }) });
  });
}

/** Without what differs from one set of records to the next. */
const comparable = (results: readonly PushResult[]): unknown =>
  JSON.parse(
    JSON.stringify(results, (key, inner: unknown) =>
      ['mid', 'id', 'cid', 'dup', 'created_at', 'updated_at', 'scopes'].includes(key) ? undefined : inner,
    ),
  );

/** The records as they stand, in the order in which they were first named. */
async function inOrder(mutations: readonly Mutation[]) {
  const ids = [...new Set(mutations.map(({ id }) => id))];
  return db.asAdmin(
    'select title, version::int from action_items where id = any($1) order by array_position($1::uuid[], id)',
    [ids],
  );
}

/** What a device does: what remains goes again, with an answer that was lost repeated first. */
async function inCalls(mutations: Mutation[], isLost: () => boolean): Promise<PushResult[]> {
  const results: PushResult[] = [];
  while (results.length < mutations.length) {
    const left = mutations.slice(results.length);
    if (isLost()) await push(left);
    const answer = await push(left);
    expect(answer.results.length).toBeGreaterThan(0);
    expect(answer.results.length + (answer.rest ?? 0)).toBe(left.length);
    const [last, next] = [left[answer.results.length - 1], left[answer.results.length]];
    expect(next?.group !== undefined && next.group === last?.group).toBe(false);
    results.push(...answer.results);
  }
  return results;
}

test(
  'I13 a push that ends at every mutation, also with answers lost, ends as one that takes its time: each once, in order, no group in two',
  async () => {
    const acts = fc.array(act, { minLength: 2, maxLength: 14 });
    const property = fc.asyncProperty(acts, fc.infiniteStream(fc.boolean()), async (given, lost) => {
      const [whole, cut, repeated] = [mutationsOf(given), mutationsOf(given), mutationsOf(given)];
      budget = PLENTY;
      const { results, rest } = await push(whole);
      expect(rest).toBeUndefined();
      budget = 0;
      expect(comparable(await inCalls(cut, () => false))).toEqual(comparable(results));
      const wanted = await inOrder(whole);
      expect(await inOrder(cut)).toEqual(wanted);
      // A refusal is not kept: what is sent again may be judged beside what came after it.
      if (results.some(({ st }) => st === 'rejected')) return;
      expect(comparable(await inCalls(repeated, () => lost.next().value))).toEqual(comparable(results));
      expect(await inOrder(repeated)).toEqual(wanted);
    });
    await holds('push-budget', 15, property);
  },
  HISTORIES_TIMEOUT,
);

const newItems = (count: number): Mutation[] =>
  mutationsOf(Array.from({ length: count }, () => ({ n: 0, op: 'insert', flawed: false, group: 0 }) as const)).map(
    each => ({ ...each, id: randomUUID() }),
  );

test('a device of an earlier build, which takes a shorter answer for a broken one and repeats the whole, gets all of it through', async () => {
  budget = 0;
  const mutations = newItems(12);
  let calls = 0;
  for (;;) {
    const { results } = await push(mutations);
    calls += 1;
    expect(results.map(({ mid }) => mid)).toEqual(mutations.slice(0, results.length).map(({ mid }) => mid));
    if (results.length === mutations.length) break;
    expect(calls).toBeLessThan(mutations.length);
  }
  expect(await inOrder(mutations)).toHaveLength(12);
});

async function refusalsTold(): Promise<number> {
  const rows = await db.asAdmin(`select from notifications where user_id = $1 and type = 'sync.refused'`, [
    world.worker,
  ]);
  return rows.length;
}

test('of what remains nothing is kept and nobody is told; of what was refused the person hears', async () => {
  budget = 0;
  const [flawed, later] = mutationsOf([
    { n: 0, op: 'insert', flawed: true, group: 0 },
    { n: 1, op: 'insert', flawed: false, group: 0 },
  ]);
  if (!flawed || !later) throw new Error('two mutations');
  const before = await refusalsTold();
  const answer = await push([flawed, later]);
  expect(answer).toMatchObject({ results: [{ mid: flawed.mid, st: 'rejected' }], rest: 1 });
  expect(await db.asAdmin('select mid from sync.mutation where mid = any($1)', [[flawed.mid, later.mid]])).toEqual([]);
  expect((await refusalsTold()) - before).toBe(1);
  // The body is not held to what it was: nothing of it had been stored.
  const changed = { ...later, patch: { ...later.patch, title: 'Written anew' } };
  expect((await push([changed])).results).toMatchObject([{ mid: later.mid, st: 'applied' }]);
});

test('a thousand edits at once end at their budget; a group goes whole, and so does what an administrator accepts', async () => {
  budget = 1;
  const many = newItems(1000);
  const first = await push(many);
  expect(first.results.length).toBeLessThanOrEqual(50);
  expect(first.rest).toBe(1000 - first.results.length);
  const group = randomUUID();
  const together = newItems(150).map(each => ({ ...each, group }));
  const answer = await push([...together, ...newItems(1)]);
  expect([answer.results.length, answer.rest]).toEqual([150, 1]);
  budget = PLENTY;
  const long = newItems(250).map(each => ({ ...each, group: randomUUID() }));
  const joint = long.map((each, at) => (at >= 190 && at < 230 ? { ...each, group } : each));
  expect(await push(joint)).toMatchObject({ rest: 20 });
  const [row] = await db.asAdmin(
    `select sync.push_budget() is null as is_free from set_config('sync.same_organization', $1, true)`,
    [world.organization],
  );
  expect(row).toEqual({ is_free: true });
});
