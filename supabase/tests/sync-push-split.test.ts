import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { derivedId } from '@cairn/base/id.ts';
import type { Mutation, PushResult } from '@cairn/sync/transport/backend.ts';
import { holds, HISTORIES_TIMEOUT } from '@cairn/testing/histories.ts';
import { mutation, testDevice, type TestDevice } from './device.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

setUpWorld();
let worker: TestDevice;

beforeAll(async () => {
  worker = testDevice(db, world.worker);
});

const ACTIONS = 4;

/** One edit of a day: of the nth action item, inspection or its answer. `stale` ones were made before somebody else's. */
type Act = { n: number; flawed: boolean; stale: boolean } & (
  | { of: 'action_items'; op: 'insert' | 'update' | 'delete' }
  | { of: 'inspections' | 'inspection_answers'; op: 'insert' | 'update' }
);

const common = { n: fc.nat(ACTIONS - 1), flawed: rarely(), stale: rarely() };
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      ...common,
      of: fc.constant('action_items' as const),
      op: fc.constantFrom('insert' as const, 'update' as const, 'update' as const, 'delete' as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      ...common,
      of: fc.constantFrom('inspections' as const, 'inspection_answers' as const),
      op: fc.constantFrom('insert' as const, 'update' as const),
    }),
  },
);
/** Edits of the same table and kind next to each other, as a device sends them: they go in as runs (decision 06). */
const batch = fc
  .array(fc.tuple(act, fc.integer({ min: 1, max: 4 })), { minLength: 1, maxLength: 8 })
  .map(parts =>
    parts.flatMap(([each, times]) => Array.from({ length: times }, (_, n) => ({ ...each, n: (each.n + n) % ACTIONS }))),
  );
const cuts = fc.array(fc.nat(20), { maxLength: 4 });

function rarely(): fc.Arbitrary<boolean> {
  return fc.nat(7).map(n => n === 0);
}

/** Ids of the records one batch is about; equal batches about different records must end alike. */
type RecordIds = { actions: string[]; inspections: string[]; answers: string[] };

async function aPlace(): Promise<RecordIds> {
  const ids = () => Array.from({ length: ACTIONS }, () => randomUUID());
  const inspections = ids();
  const answers = inspections.map((_, n) => derivedId(String(inspections[n % 3]), `answer/q${n}`));
  const place = { actions: ids(), inspections, answers };
  const here = { organization_id: world.organization, site_id: world.north };
  // The last of each is for the batch to make.
  const made = [0, 1, 2].flatMap(n => [
    {
      t: 'action_items' as const,
      op: 'insert' as const,
      id: place.actions[n]!,
      patch: { ...here, title: 'Loose rail' },
    },
    {
      t: 'inspections' as const,
      op: 'insert' as const,
      id: place.inspections[n]!,
      patch: {
        ...here,
        form_id: world.form,
        form_version_id: world.formVersion,
        title: 'Check',
        status: 'in_progress',
        conducted_by: world.worker,
      },
    },
  ]);
  await worker.push(...made.toSorted((a, b) => a.t.localeCompare(b.t)));
  await db.asAdmin(`update action_items set title = 'Theirs' where id = $1`, [place.actions[1]]);
  return place;
}

function patchOf(each: Act, at: number, place: RecordIds): Mutation['patch'] {
  const here = { organization_id: world.organization };
  const title = each.flawed ? null : `Mine ${at}`;
  if (each.of === 'action_items') return each.op === 'insert' ? { ...here, site_id: world.north, title } : { title };
  if (each.of === 'inspections') {
    const made = {
      ...here,
      site_id: world.north,
      form_id: world.form,
      form_version_id: world.formVersion,
      status: 'in_progress',
      conducted_by: world.worker,
    };
    return each.op === 'insert' ? { ...made, title } : { title };
  }
  const values = { value: `said ${at}`, note: each.flawed ? 7 : `note ${at}` };
  return each.op === 'insert'
    ? {
        ...here,
        inspection_id: place.inspections[each.n % 3],
        question: `q${each.n}`,
        answered_by: world.worker,
        ...values,
      }
    : values;
}

function asMutation(each: Act, at: number, place: RecordIds): Mutation {
  const ids = { action_items: place.actions, inspections: place.inspections, inspection_answers: place.answers };
  const patch = each.op === 'delete' ? {} : patchOf(each, at, place);
  const seen = {
    title: each.stale ? 'Long ago' : each.of === 'inspections' ? 'Check' : 'Loose rail',
    value: null,
    note: null,
  };
  const base =
    each.op === 'update'
      ? Object.fromEntries(Object.keys(patch).map(name => [name, seen[name as keyof typeof seen] ?? null]))
      : {};
  const bv = each.op === 'insert' ? 0 : 1;
  return mutation({ t: each.of, op: each.op, id: ids[each.of][each.n]!, patch, base, bv });
}

/** Without what two places cannot share: ids and moments; a doubled answer says that it is one. */
const comparable = (results: readonly PushResult[]): unknown =>
  JSON.parse(
    JSON.stringify(results, (key, inner: unknown) =>
      ['mid', 'id', 'cid', 'dup', 'created_at', 'updated_at', 'deleted_at', 'scopes', 'inspection_id'].includes(key)
        ? undefined
        : inner,
    ),
  );

async function left({ actions, inspections, answers }: RecordIds) {
  const rows = (table: string, fields: string, ids: string[]) =>
    db.asAdmin(
      `select ${fields}, version::int, deleted_at is null as stands from ${table} where id = any($1) order by array_position($1, id)`,
      [ids],
    );
  const all = [...actions, ...inspections, ...answers];
  return [
    await rows('action_items', 'title', actions),
    await rows('inspections', 'title, status', inspections),
    await rows('inspection_answers', 'question, value, note', answers),
    await db.asAdmin(
      'select tbl, kind, fields from sync.conflict where row_id = any($1) order by tbl, kind, fields::text',
      [all],
    ),
  ];
}

/** Pushes cut at some points; each call is repeated where `again` says so, as after an answer that was lost. */
async function inParts(mutations: Mutation[], at: readonly number[], again: boolean): Promise<PushResult[]> {
  const ends = [...new Set([...at.map(each => each % (mutations.length + 1)), mutations.length])].toSorted(
    (a, b) => a - b,
  );
  const results: PushResult[] = [];
  let from = 0;
  for (const end of ends) {
    if (end === from) continue;
    const part = mutations.slice(from, end);
    const first = await worker.push(...part);
    results.push(...(again ? await worker.push(...part) : first));
    from = end;
  }
  return results;
}

test(
  'I13 a batch pushed whole, cut anywhere, or twice ends the same: same answers, same rows, same conflicts, one effect each',
  async () => {
    const property = fc.asyncProperty(batch, cuts, async (acts, at) => {
      const [whole, split, twice] = [await aPlace(), await aPlace(), await aPlace()];
      const of = (place: RecordIds) => acts.map((each, n) => asMutation(each, n, place));
      const results = await worker.push(...of(whole));
      const expected = comparable(results);
      expect(comparable(await inParts(of(split), at, false))).toEqual(expected);
      const wanted = await left(whole);
      expect(await left(split)).toEqual(wanted);
      // What was refused has had no effect and is judged anew when it comes again, perhaps beside what came after it.
      if (results.some(({ st }) => st === 'rejected')) return;
      expect(comparable(await inParts(of(twice), at, true))).toEqual(expected);
      expect(await left(twice)).toEqual(wanted);
    });
    await holds('push-split', 15, property);
  },
  HISTORIES_TIMEOUT,
);

test('a record made twice in one batch is a conflict, as it is in two: what was said second is kept', async () => {
  const place = await aPlace();
  const made = (n: number) =>
    asMutation({ of: 'inspection_answers', op: 'insert', n: 0, flawed: false, stale: false }, n, place);
  const results = await worker.push(made(0), made(1));
  expect(results).toMatchObject([
    { st: 'applied' },
    { st: 'conflict', fields: expect.arrayContaining([{ f: 'value', base: null, mine: 'said 1', theirs: 'said 0' }]) },
  ]);
});
