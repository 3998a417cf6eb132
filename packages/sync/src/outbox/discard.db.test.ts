import 'fake-indexeddb/auto';
import { newId } from '@cairn/base/id.ts';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';
import {
  anOrganization,
  compared,
  counted,
  drain,
  leaveNothing,
  openTab,
  round,
  type Tab,
} from '@cairn/testing/device-on-sql.ts';
import { holds, HISTORIES_TIMEOUT } from '@cairn/testing/histories.ts';
import { faultyBackend, sqlBackend, type Fault } from '@cairn/testing/sql-backend.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Backend } from '../transport/backend.ts';

let db: TestDatabase;
let person: string;
let organization: string;

beforeAll(async () => {
  db = await freshDatabase();
  ({ organization, person } = await anOrganization(db));
});
afterAll(() => db.drop());

type Step =
  | { kind: 'edit' | 'add' | 'remove'; record: number }
  | { kind: 'sync'; calls: number; dies: boolean }
  /** The server nudges: a round that pulls, and leaves to its own round what was just saved. */
  | { kind: 'hear' }
  /** Time passes: back-offs end, and what was saved long enough ago goes. */
  | { kind: 'wait'; ms: number }
  | { kind: 'discard'; line: number };

const record = fc.constantFrom(0, 0, 1, 2, 3);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constantFrom('edit' as const, 'add', 'remove'), record }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('sync' as const),
      calls: fc.nat(4),
      dies: fc.nat(4).map(n => n === 0),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('discard' as const), line: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'hear' as const }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(100, 300, 1000, 3000) }),
  },
);
const faults = fc.array(
  fc.constantFrom<Fault>('none', 'none', 'drop_answer', 'drop_answer', 'drop_request', 'server_error', 'twice'),
  { maxLength: 30 },
);

/** Words that were said and not let go, and words a person replaced. */
type Words = { saved: Map<string, string>; replaced: Set<unknown> };

/** Lets go of one line. What was said of that record may be anywhere now: it was sent, or it was not. */
async function letGo(tab: Tab, line: number, { saved }: Words): Promise<void> {
  const item = tab.seen.outbox[line % Math.max(tab.seen.outbox.length, 1)];
  if (!item || (await tab.engine.discard(item.key)) === 'on_its_way') return;
  for (const [word, id] of saved) if (id === item.recordId) saved.delete(word);
}

async function run(tab: Tab, ids: string[], step: Exclude<Step, { kind: 'hear' }>, words: Words): Promise<void> {
  if (step.kind === 'discard') return letGo(tab, step.line, words);
  if (step.kind === 'wait') return round(() => tab.clock.advance(step.ms), 1);
  if (step.kind === 'sync') {
    tab.engine.start();
    await round(tab.engine.syncNow, step.calls);
    return step.dies ? tab.crash() : undefined;
  }
  const id = ids[step.record] ?? '';
  const title = newId();
  await tab.engine.store.write('test', async tx => {
    const row = await tx.get('action_items', id);
    if (step.kind === 'add' && !row) await tx.put('action_items', { id, organization_id: organization, title });
    else if (step.kind === 'edit' && row) await tx.change('action_items', id, { title });
    else if (step.kind === 'remove' && row) await tx.remove('action_items', id);
    else return;
    words.replaced.add(row?.title);
    if (step.kind !== 'remove') words.saved.set(title, id);
  });
}

test(
  'I1 I4 whatever is let go at whatever moment, the device is as the server is afterwards, and nothing else is lost',
  async () => {
    const property = fc.asyncProperty(
      fc.array(step, { minLength: 6, maxLength: 40 }),
      faults,
      fc.boolean(),
      async (steps, planned, isPushOnly) => {
        const queue: Fault[] = [];
        const clean = sqlBackend(db, person);
        const faulty = faultyBackend(clean, () => queue.shift() ?? 'none');
        // A pull that succeeds beside a push whose answer is lost.
        const nudge = { hear: () => {} };
        const onNudge: Backend['onNudge'] = (_scopes, listener) => {
          nudge.hear = listener;
          return () => {};
        };
        const backend = { ...counted(isPushOnly ? { ...clean, push: faulty.push } : faulty), onNudge };
        const tab = await openTab({ person, backend });
        const ids = [newId(), newId(), newId(), newId()];
        const insert = 'insert into action_items (id, organization_id, title) values ($1, $2, $3)';
        for (const id of ids.slice(0, 2)) await db.asAdmin(insert, [id, organization, `title of ${id}`]);
        await drain(tab);
        // The day's comparison is over: what it would mend has to be asked for.
        await compared(tab, 0);
        await tab.stopSyncing();
        queue.push(...planned);
        const words: Words = { saved: new Map(), replaced: new Set() };
        for (const each of steps) await (each.kind === 'hear' ? round(nudge.hear, 1) : run(tab, ids, each, words));
        queue.length = 0;
        for (const _ of [1, 2]) await drain(tab);

        const server = await db.asAdmin(
          'select id::text, title, version::int from action_items where id = any($1) and deleted_at is null order by id',
          [ids],
        );
        const mine = await tab.engine.store.read({
          key: newId(),
          tables: ['action_items'],
          read: tx => tx.all('action_items'),
        });
        const held = mine
          .filter(({ id }) => ids.includes(id))
          .map(({ id, title, version }) => ({ id, title, version }));
        expect(held.toSorted((a, b) => a.id.localeCompare(b.id))).toEqual(server);
        const conflicts = await db.asAdmin('select * from sync.conflict where row_id = any($1)', [ids]);
        const traces = JSON.stringify([server, conflicts, tab.seen.conflicts, tab.seen.outbox]);
        const { saved, replaced } = words;
        expect([...saved.keys()].filter(word => !replaced.has(word) && !traces.includes(word))).toEqual([]);
        await leaveNothing(db, [tab], ids);
      },
    );
    await holds('discards', 12, property);
  },
  HISTORIES_TIMEOUT,
);

/** What was sent and never answered waits; meanwhile other saves are being gathered, so that rounds pull and do not push. */
test.each(['an edit', 'a new record'])(
  'I4 %s that arrived, was heard of by its version alone, and was then let go: the device has what the server has',
  async what => {
    let fault: Fault = 'none';
    const nudge = { hear: () => {} };
    const clean = sqlBackend(db, person);
    const onNudge: Backend['onNudge'] = (_scopes, listener) => {
      nudge.hear = listener;
      return () => {};
    };
    const { push } = faultyBackend(clean, () => fault);
    const tab = await openTab({ person, backend: { ...counted({ ...clean, push }), onNudge } });
    const ids = [newId()];
    const [id = ''] = ids;
    const insert = 'insert into action_items (id, organization_id, title) values ($1, $2, $3)';
    if (what === 'an edit') await db.asAdmin(insert, [id, organization, 'before']);
    await drain(tab);
    await compared(tab, 0);
    fault = 'drop_answer';
    const { store } = tab.engine;
    const row = { id, organization_id: organization, title: 'mine' };
    const mine = what === 'an edit';
    await store.write('t', tx => (mine ? tx.change('action_items', id, row) : tx.put('action_items', row)));
    await round(tab.engine.syncNow, 1);
    for (let turn = 0; turn < 8; turn += 1) {
      const other = newId();
      ids.push(other);
      await store.write('t', tx => tx.put('action_items', { ...row, id: other, title: 'other' }));
      nudge.hear();
      await round(() => tab.clock.advance(200), 1);
    }
    const line = tab.seen.outbox.find(({ recordId }) => recordId === id);
    expect(await tab.engine.discard(line?.key ?? '')).toBe('gone');
    fault = 'none';
    await drain(tab);
    await drain(tab);
    const held = await store.read({ key: newId(), tables: ['action_items'], read: tx => tx.get('action_items', id) });
    expect(held).toMatchObject({ title: 'mine' });
    await leaveNothing(db, [tab], ids);
  },
);
