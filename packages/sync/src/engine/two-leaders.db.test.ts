import 'fake-indexeddb/auto';
import { newId } from '@cairn/base/id.ts';
import {
  anOrganization,
  calls,
  counted,
  drain,
  idle,
  leaveNothing,
  openTab,
  type Tab,
} from '@cairn/testing/device-on-sql.ts';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';
import { holds, HISTORIES_TIMEOUT } from '@cairn/testing/histories.ts';
import { faultyBackend, sqlBackend, type Fault } from '@cairn/testing/sql-backend.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Locks } from '../transport/platform.ts';

let db: TestDatabase;
let person: string;
let organization: string;
beforeAll(async () => {
  db = await freshDatabase();
  ({ organization, person } = await anOrganization(db));
});
afterAll(() => db.drop());

/** A browser that grants the lock to everybody who asks. */
const grantsAll: Locks = { hold: (_name, signal, held) => (signal.aborted ? Promise.resolve() : held()) };

type Step = { kind: 'edit'; tab: number; record: number } | { kind: 'run'; tab: number; calls: number; ms: number };
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('edit' as const), tab: fc.nat(1), record: fc.nat(2) }),
  fc.record({
    kind: fc.constant('run' as const),
    tab: fc.nat(1),
    calls: fc.nat(4),
    ms: fc.constantFrom(0, 500, 61_000),
  }),
);
const faults = fc.array(fc.constantFrom<Fault>('none', 'none', 'drop_request', 'drop_answer', 'twice'), {
  maxLength: 20,
});

async function letRun(tab: Tab, { calls: wanted, ms }: { calls: number; ms: number }): Promise<void> {
  tab.engine.start();
  tab.engine.syncNow();
  tab.clock.advance(ms);
  const until = calls.ended + wanted;
  for (let turn = 0; turn < 300 && calls.ended < until; turn += 1) await idle();
}

test(
  'I10 two leaders at once change no outcome: every edit has one effect, and nothing is lost',
  async () => {
    const property = fc.asyncProperty(
      fc.array(step, { minLength: 6, maxLength: 40 }),
      faults,
      async (steps, planned) => {
        const queue = [...planned];
        const backend = counted(faultyBackend(sqlBackend(db, person), () => queue.shift() ?? 'none'));
        const name = newId();
        const open = () => openTab({ person, backend, name, platform: { locks: grantsAll } });
        const tabs = [await open(), await open()] as const;
        const ids = [newId(), newId(), newId()];
        const latest = new Map<string, string>();
        await tabs[0].engine.store.write('add', async tx => {
          for (const id of ids) await tx.put('action_items', { id, organization_id: organization, title: id });
        });
        for (const each of steps) {
          const tab = tabs[each.tab as 0 | 1];
          if (each.kind === 'run') await letRun(tab, each);
          else {
            const id = ids[each.record] ?? '';
            const text = newId();
            await tab.engine.store.write('edit', tx => tx.change('action_items', id, { description: text }));
            latest.set(id, text);
          }
        }
        await tabs[1].engine.stop();
        tabs[0].clock.advance(61_000);
        await drain(tabs[0]);
        const rows = await db.asAdmin(
          'select id::text, description, version::int from action_items where id = any($1)',
          [ids],
        );
        for (const { id, description, version } of rows) {
          expect(description).toBe(latest.get(String(id)) ?? null);
          const sent = await db.asAdmin('select mid from sync.mutation where row_id = $1', [id]);
          expect(version).toBe(sent.length);
        }
        expect(rows).toHaveLength(3);
        expect([tabs[0].seen.outbox, tabs[0].seen.conflicts]).toEqual([[], []]);
        await leaveNothing(db, tabs, ids);
      },
    );
    await holds('two-leaders', 8, property);
  },
  HISTORIES_TIMEOUT,
);
