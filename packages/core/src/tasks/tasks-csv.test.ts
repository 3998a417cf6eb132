import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Store } from '@cairn/sync/store.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { bringTask } from './bring-task.ts';
import { type BroughtRow, MOST_ROWS, readTasksCsv, tasksCsv } from './tasks-csv.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [organizationId, me, mara] = [uuid(1), uuid(2), uuid(3)];
const at = '2026-11-21T09:00:00.000Z';
const zone = 'Europe/Berlin';
const people = [
  { id: me, name: 'Sam' },
  { id: mara, name: 'Mara Voss' },
  { id: uuid(4), name: 'Jo' },
  { id: uuid(5), name: 'jo' },
];
const names = new Map(people.map(({ id, name }) => [id, name]));
const rowsOf = (text: string): BroughtRow[] => {
  const file = readTasksCsv(text, people, zone);
  if ('problem' in file) throw new Error(file.problem);
  return file.rows;
};

describe('a file that is read', () => {
  test('says of each row what it is to be, of what it does not name nothing', () => {
    const text =
      'Title,Status,status_reason,priority,due_day,due_time,assignee,labels,estimate_minutes,x\r\n' +
      '"Call, then write",Blocked,no part,URGENT,2026-11-30,09:30,mara voss,"a; b;A",15,?\r\n';
    expect(rowsOf(text)).toEqual([
      {
        line: 2,
        title: 'Call, then write',
        task: {
          externalId: null,
          title: 'Call, then write',
          status: 'blocked',
          reason: 'no part',
          priority: 'urgent',
          due: { day: '2026-11-30', time: '09:30', zone },
          assigneeId: mara,
          labels: ['a', 'b'],
          estimateMinutes: 15,
        },
      },
    ]);
  });

  test.each([
    ['title,status\n,todo', 'noTitle'],
    ['title,status\nA,finished', 'badStatus'],
    ['title,status\nA,blocked', 'noReason'],
    ['title,priority\nA,very', 'badPriority'],
    ['title,due_day\nA,30.11.2026', 'badDay'],
    ['title,due_day\nA,2026-02-30', 'badDay'],
    ['title,due_day,due_time\nA,2026-11-30,9:30', 'badTime'],
    ['title,due_day,due_zone\nA,2026-11-30,Mars/Base', 'badZone'],
    ['title,estimate_minutes\nA,1.5', 'badEstimate'],
    ['title,assignee\nA,Nobody', 'unknownPerson'],
    ['title,assignee\nA,JO', 'unknownPerson'],
    ['title,external_id\nA,7\nB,7', 'twice'],
  ])('%j: %s', (text, problem) => expect(rowsOf(text).at(-1)).toMatchObject({ problem }));

  test.each([
    ['', 'empty'],
    ['title', 'empty'],
    ['name\nA', 'noTitleColumn'],
    [`title\n${'A\n'.repeat(MOST_ROWS + 1)}`, 'tooLong'],
  ])('a file that is none is said to be none (%#)', (text, problem) =>
    expect(readTasksCsv(text, people, zone)).toEqual({ problem }),
  );
});

const store = (): Store => memoryStore({}, me);
async function bring(into: Store, text: string, by = me): Promise<string[]> {
  const results: string[] = [];
  let n = 100 * (by === me ? 1 : 2) + (await all(into)).length;
  for (const row of rowsOf(text)) {
    if ('problem' in row) throw new Error(row.problem);
    const bringing = { task: row.task, id: uuid((n += 1)), organizationId, playbookId: null, by, manages: false, at };
    results.push(await into.write('t', tx => bringTask(tx, bringing)));
  }
  return results;
}
const all = (from: Store) => from.read({ key: 'all', tables: ['tasks'], read: tx => tx.all('tasks') });

describe('bringing tasks', () => {
  const first = 'external_id,title,priority\nA-1,Order gloves,low\nA-2,Paint lines,\n';

  test('makes them once: the same file again changes nothing, another one changes what differs', async () => {
    const into = store();
    expect(await bring(into, first)).toEqual(['made', 'made']);
    expect(await bring(into, first)).toEqual(['same', 'same']);
    expect(await bring(into, 'external_id,title,labels\nA-1,Order gloves,x;y\nA-2,Paint lines,')).toEqual([
      'changed',
      'same',
    ]);
    const rows = await all(into);
    expect(rows.map(row => [row.external_id, row.title, row.priority, row.source_type])).toEqual([
      ['A-1', 'Order gloves', 'low', 'import'],
      ['A-2', 'Paint lines', 'none', 'import'],
    ]);
  });

  test('a state that does not follow from the present one is refused, and nothing of the row is kept', async () => {
    const into = store();
    await bring(into, 'external_id,title,status\nA-1,Order gloves,done\n');
    await expect(bring(into, 'external_id,title,status\nA-1,Other,in_progress\n')).rejects.toMatchObject({
      code: 'stale_version',
    });
    expect((await all(into)).map(({ title }) => title)).toEqual(['Order gloves']);
  });

  test('what was taken along comes back as it was, whatever it is called and however often', async () => {
    const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).map(text => `=${text}"',;\n`);
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            title: fc.oneof(word, fc.constantFrom('-1', '+x', '@y', "'=z", "''-1", "'1", 'a,b', '"q"')),
            notes: fc.option(fc.constantFrom('two\nlines', '=1+1', 'ü, "x"')),
            due_day: fc.option(fc.constantFrom('2026-11-30', '2028-02-29')),
            labels: fc.constantFrom<string[]>([], ['a'], ['a', 'b c']),
          }),
          { minLength: 1, maxLength: 5 },
        ),
        async tasks => {
          const into = memoryStore(
            {
              tasks: tasks.map((task, index) => ({
                ...task,
                title: task.title.trim() || 'x',
                id: uuid(500 + index),
                organization_id: organizationId,
                due_zone: task.due_day && zone,
                created_by: me,
              })),
            },
            me,
          );
          const before = await all(into);
          expect(await bring(into, tasksCsv(before, names))).toEqual(before.map(() => 'same'));
        },
      ),
      { numRuns: 100 },
    );
  });

  test('no cell of a file is a formula to a spreadsheet', async () => {
    const into = memoryStore(
      { tasks: [{ id: uuid(9), organization_id: organizationId, title: '=cmd|calc', notes: '@x', created_by: me }] },
      me,
    );
    const csv = tasksCsv(await all(into), names);
    expect(csv.startsWith('\uFEFF')).toBe(true);
    expect(csv).toContain(",'=cmd|calc,'@x,");
  });
});
