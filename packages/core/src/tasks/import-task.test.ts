import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Row } from '@cairn/schema';
import type { Store } from '@cairn/sync/store.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { bringTasks, presentCount, undoImport, type TaskImportResult } from './import-task.ts';
import { guessMapping } from './csv-columns.ts';
import { readTasks, tableIn } from './read-tasks-csv.ts';
import { changeTask, type TaskChanges } from './save-task.ts';
import { dueFields } from './task-due.ts';
import { needsReason, taskPriorities, taskStatuses } from './task-status.ts';
import { besideTasks, tasksCsv } from './tasks-csv.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [organizationId, me, mara, site] = [uuid(1), uuid(2), uuid(3), uuid(4)];
const at = '2026-11-21T09:00:00.000Z';
const people = [
  { id: me, name: 'Sam' },
  { id: mara, name: 'Mara Voss' },
];
const names = new Map(people.map(({ id, name }) => [id, name]));
const place = {
  organizationId,
  people,
  sites: [{ id: site, name: 'Site North' }],
  zone: 'Europe/Berlin',
  order: 'day-month' as const,
};
const sites = [{ id: site, organization_id: organizationId, name: 'Site North' }];

const empty = (): Store => memoryStore({ sites }, me);
const all = (from: Store) => from.read({ key: 'all', tables: ['tasks'], read: tx => tx.all('tasks') });
const live = async (from: Store) => (await all(from)).filter(row => row.deleted_at === null);

function tasksIn(text: string) {
  const table = tableIn(text);
  if ('problem' in table) throw new Error(table.problem);
  return readTasks(table, guessMapping(table.head), place).map(row => {
    if ('problem' in row) throw new Error(`${row.problem.code} ${row.problem.value}`);
    return row.task;
  });
}

let made = 1000;
const newId = (): string => uuid((made += 1));
function bring(into: Store, text: string, more: { known?: 'leave' | 'change' } = {}): Promise<TaskImportResult[]> {
  const how = {
    organizationId,
    playbookId: null,
    by: me,
    manages: false,
    known: 'change' as const,
    newId,
    at,
    ...more,
  };
  return into.write('t', tx => bringTasks(tx, tasksIn(text), how));
}
const results = (imported: readonly TaskImportResult[]): string[] => imported.map(({ result }) => result);
const undo = (into: Store, imported: readonly TaskImportResult[]) =>
  into.write('t', tx => undoImport(tx, imported, { by: me, manages: false, at }));

describe('bringing tasks', () => {
  const first = 'external_id,title,priority\nA-1,Order gloves,low\nA-2,Paint lines,\n';

  test('makes them once: the same file again changes nothing, another one changes what differs', async () => {
    const into = empty();
    expect(results(await bring(into, first))).toEqual(['made', 'made']);
    expect(results(await bring(into, first))).toEqual(['kept', 'kept']);
    expect(results(await bring(into, 'external_id,title\nA-1,Order ten gloves\nA-2,Paint lines\n'))).toEqual([
      'changed',
      'kept',
    ]);
    expect((await all(into)).map(row => [row.external_id, row.title, row.priority, row.source_type])).toEqual([
      ['A-1', 'Order ten gloves', 'low', 'import'],
      ['A-2', 'Paint lines', 'none', 'import'],
    ]);
  });

  test('leaves alone what is here where that is wanted, and says beforehand how many those are', async () => {
    const into = empty();
    await bring(into, first);
    const next = 'external_id,title\nA-1,Other words\nA-3,Sweep\n';
    expect(await into.read(presentCount(tasksIn(next), { organizationId, by: me }, 'k'))).toBe(1);
    expect(results(await bring(into, next, { known: 'leave' }))).toEqual(['kept', 'made']);
    expect((await all(into)).map(({ title }) => title)).toEqual(['Order gloves', 'Paint lines', 'Sweep']);
  });

  test('knows rows without an id again, also after their tasks were changed here', async () => {
    const into = empty();
    const text = 'title;due\nCall;\nCall;\n';
    const [one] = await bring(into, text);
    if (one?.result !== 'made') throw new Error('not made');
    const changes = { title: 'Call Mara' };
    await into.write('t', tx => changeTask(tx, { id: one.id, changes, by: me, manages: false, at }));
    expect(results(await bring(into, text, { known: 'leave' }))).toEqual(['kept', 'kept']);
    expect(await all(into)).toHaveLength(2);
  });

  test('what somebody else brought under the same name is theirs', async () => {
    const theirs = { id: uuid(8), organization_id: organizationId, title: 'Order gloves', external_id: 'A-1' };
    const into = memoryStore({ sites, tasks: [{ ...theirs, created_by: mara }] }, me);
    expect(results(await bring(into, first))).toEqual(['made', 'made']);
    // Named by its own id it is that task, whoever brought it.
    expect(results(await bring(into, `id,external_id,title\n${uuid(8)},A-1,Order gloves\n`))).toEqual(['kept']);
  });

  test('a state that does not follow from the present one is refused, and nothing of the row is kept', async () => {
    const into = empty();
    await bring(into, 'external_id,title,status\nA-1,Order gloves,done\n');
    const again = 'external_id,title,status\nA-1,Other,in_progress\nA-2,Paint lines,todo\n';
    expect(results(await bring(into, again))).toEqual(['refused', 'made']);
    expect((await all(into)).map(({ title }) => title)).toEqual(['Order gloves', 'Paint lines']);
  });
});

describe('taking an import back', () => {
  test('removes what it made and gives back what it changed; the same file makes them anew', async () => {
    const into = empty();
    await bring(into, 'external_id,title,due,assignee\nA-1,Order gloves,2026-11-30,Mara Voss\n');
    const [before] = await live(into);
    const imported = await bring(into, 'external_id,title,due,assignee,labels\nA-1,Other,,,x\nA-2,Sweep,,,\n');
    expect(results(imported)).toEqual(['changed', 'made']);
    expect(await undo(into, imported)).toEqual([]);
    expect(await live(into)).toEqual([before]);
    expect(results(await bring(into, 'external_id,title\nA-2,Sweep\n'))).toEqual(['made']);
  });

  test('what can go back no more stays, and is counted', async () => {
    const into = empty();
    await bring(into, 'external_id,title\nA-1,Order gloves\n');
    const imported = await bring(into, 'external_id,title,status\nA-1,Other,done\n');
    expect(await undo(into, imported)).toEqual([{ title: 'Other', fields: ['status'] }]);
    expect(await live(into)).toMatchObject([{ title: 'Order gloves', status: 'done' }]);
    expect(await undo(into, [{ result: 'made', id: uuid(99), gave: {} }, { result: 'refused' }])).toEqual([]);
  });

  test('leaves what somebody changed since: fields of a task that was here, and a task it made as a whole', async () => {
    const into = empty();
    await bring(into, 'external_id,title,priority\nA-1,Order gloves,low\n');
    const imported = await bring(into, 'external_id,title,priority\nA-1,Other,high\nA-2,Sweep,\nA-3,Paint,\n');
    const [one, two] = await live(into);
    const edit = (id: string, changes: TaskChanges) =>
      into.write('t', tx => changeTask(tx, { id, changes, by: mara, manages: false, at }));
    await edit(String(one?.id), { priority: 'urgent' });
    await edit(String(two?.id), { notes: 'The yard too' });
    expect(await undo(into, imported)).toEqual([
      { title: 'Other', fields: ['priority'] },
      { title: 'Sweep', fields: ['notes'] },
    ]);
    expect((await live(into)).map(({ title, priority, notes }) => [title, priority, notes])).toEqual([
      ['Order gloves', 'urgent', null],
      ['Sweep', 'none', 'The yard too'],
    ]);
  });
});

const cell = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).map(text => `=${text}"',;\n`),
  fc.constantFrom('-1', '+x', '@y', "'=z", "''-1", "'1", 'a,b', '"q"', 'two\nlines', '[x] y'),
);
const word = cell
  .map(text =>
    text
      .replaceAll(/[\r\n]/g, ' ')
      .trim()
      .slice(0, 40),
  )
  .filter(text => text !== '');
const anyTask = fc.record({
  row: fc.record({
    title: cell.map(text => text.trim()),
    notes: fc.option(cell.map(text => text.trim())),
    status: fc.constantFrom(...taskStatuses),
    priority: fc.constantFrom(...taskPriorities),
    start_day: fc.option(fc.constantFrom('2026-01-31')),
    assignee_id: fc.option(fc.constantFrom(me, mara)),
    site_id: fc.option(fc.constantFrom(site)),
    labels: fc.uniqueArray(word, { maxLength: 3, selector: text => text.toLowerCase() }),
    estimate_minutes: fc.option(fc.integer({ min: 1, max: 100_000 })),
  }),
  reason: word,
  due: fc.option(
    fc.record({
      day: fc.constantFrom('2026-11-30', '2028-02-29'),
      time: fc.option(fc.constantFrom('00:00', '09:30', '23:59')),
      zone: fc.constantFrom('Europe/Berlin', 'Asia/Kolkata', 'UTC'),
    }),
  ),
  steps: fc.array(fc.record({ title: word.map(text => `s${text}`.replaceAll(/\s+/g, ' ')), required: fc.boolean() }), {
    maxLength: 3,
  }),
});

/** A store with these tasks, each with its steps; those of what is done are ticked. */
function storeOf(tasks: (typeof anyTask extends fc.Arbitrary<infer A> ? A : never)[]): Store {
  const rows = tasks.map(({ row, due, reason }, index) => ({
    ...row,
    ...dueFields(due),
    id: uuid(500 + index),
    organization_id: organizationId,
    status_reason: needsReason(row.status) ? reason : null,
    created_by: me,
  }));
  const items = tasks.flatMap(({ row, steps }, index) =>
    steps.map((step, position) => ({
      ...step,
      position,
      id: uuid(700 + index * 10 + position),
      organization_id: organizationId,
      task_id: uuid(500 + index),
      created_by: me,
      done_at: row.status === 'done' ? at : null,
    })),
  );
  return memoryStore({ tasks: rows, task_items: items, sites }, me);
}

async function csvOf(from: Store): Promise<string> {
  const rows = await all(from);
  return tasksCsv(rows, names, await from.read(besideTasks(new Set(rows.map(({ id }) => id)))));
}

/** Everything of a file but what each task is called, and when it was made and ended. */
const content = (csv: string) => {
  const table = tableIn(csv);
  if ('problem' in table) throw new Error(table.problem);
  const drop = new Set(['id', 'external_id', 'created_at', 'ended_at']);
  return table.lines.map(({ cells }) => cells.filter((_, index) => !drop.has(table.head[index] ?? '')));
};

describe('what was taken along', () => {
  const some = fc.array(anyTask, { minLength: 1, maxLength: 5 });

  test('changes nothing where it comes from, and makes the same tasks elsewhere', async () => {
    await fc.assert(
      fc.asyncProperty(some, async tasks => {
        const from = storeOf(tasks);
        const csv = await csvOf(from);
        expect(results(await bring(from, csv))).toEqual(tasks.map(() => 'kept'));
        const into = empty();
        expect(results(await bring(into, csv))).toEqual(tasks.map(() => 'made'));
        expect(content(await csvOf(into))).toEqual(content(csv));
        expect(results(await bring(into, csv))).toEqual(tasks.map(() => 'kept'));
      }),
      { numRuns: 100 },
    );
  });

  test('has no cell that is a formula to a spreadsheet, and says when things were in UTC', async () => {
    const task: Partial<Row<'tasks'>> = { title: '=cmd|calc', notes: '@x', ended_at: '2026-11-21T10:00:00+01:00' };
    const from = memoryStore(
      { tasks: [{ ...task, id: uuid(9), organization_id: organizationId, title: '=cmd|calc', created_by: me }] },
      me,
    );
    const csv = await csvOf(from);
    expect(csv.startsWith('\uFEFFid,external_id,title,')).toBe(true);
    expect(csv).toContain(",'=cmd|calc,'@x,");
    expect(csv).toContain(',2026-11-21T09:00:00.000Z\r\n');
  });
});
