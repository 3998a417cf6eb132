import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { guessMapping, remapped } from './csv-columns.ts';
import { csvDay, slashDays } from './csv-days.ts';
import { labelsCell, labelsIn, stepsCell, stepsIn } from './csv-lists.ts';
import { cellsOf, MAX_ROWS, readTasks, tableIn, type ImportRow } from './read-tasks-csv.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const zone = 'Europe/Berlin';
const place = {
  organizationId: uuid(1),
  zone,
  order: 'day-month' as const,
  people: [
    { id: uuid(3), name: 'Mara Voss' },
    { id: uuid(4), name: 'Jo' },
    { id: uuid(5), name: 'jo' },
  ],
  sites: [{ id: uuid(6), name: 'Site North' }],
};

function rowsOf(text: string): ImportRow[] {
  const table = tableIn(text);
  if ('problem' in table) throw new Error(table.problem);
  return readTasks(table, guessMapping(table.head), place);
}
const taskIn = (text: string) => {
  const [row] = rowsOf(text);
  if (!row || !('task' in row)) throw new Error(JSON.stringify(row));
  return row.task;
};

describe('a file that is read', () => {
  test('says of each row what it is to be, of what it does not name nothing', () => {
    const text =
      'External ID,Title,Status,status_reason,priority,due_day,due_time,assignee,site,labels,estimate_minutes,checklist,x\r\n' +
      '7,"Call, then write",Blocked,no part,URGENT,2026-11-30,09:30,mara voss,site north,"a; b;A",15,"[x] Find it\n[ ]! Ring",?\r\n';
    expect(rowsOf(text)).toEqual([
      {
        line: 2,
        title: 'Call, then write',
        notes: [],
        task: {
          taskId: null,
          externalId: '7',
          title: 'Call, then write',
          status: 'blocked',
          reason: 'no part',
          priority: 'urgent',
          due: { day: '2026-11-30', time: '09:30', zone },
          assigneeId: uuid(3),
          siteId: uuid(6),
          labels: ['a', 'b'],
          estimateMinutes: 15,
          steps: [
            { title: 'Find it', required: false, done: true },
            { title: 'Ring', required: true, done: false },
          ],
        },
      },
    ]);
  });

  test('a line that tells Excel the separator is none of its rows', () => {
    expect(rowsOf('\uFEFFsep=;\r\nTitel;Fällig\r\nA, B;05.12.2026\r\n')).toMatchObject([
      { line: 2, task: { title: 'A, B', due: { day: '2026-12-05' } } },
    ]);
  });

  test.each([
    ['title,status\n,todo', { code: 'noTitle', field: 'title', value: '' }],
    ['title,status\nA,ended', { code: 'badStatus', field: 'status', value: 'ended' }],
    ['title,status\nA,blocked', { code: 'noReason', field: 'status', value: 'blocked' }],
    ['title,done,checklist\nA,yes,[ ]! Ring', { code: 'openSteps', field: 'checklist', value: 'Ring' }],
    ['title,priority\nA,very', { code: 'badPriority', field: 'priority', value: 'very' }],
    ['title,due\nA,31/02/2026', { code: 'badDay', field: 'due_day', value: '31/02/2026' }],
    ['title,due\nA,every monday', { code: 'badDay', field: 'due_day', value: 'every monday' }],
    ['title,start\nA,2026-02-30', { code: 'badDay', field: 'start_day', value: '2026-02-30' }],
    ['title,due_day,due_time\nA,2026-11-30,25:00', { code: 'badTime', field: 'due_time', value: '25:00' }],
    ['title,due_day,due_zone\nA,2026-11-30,Mars/Base', { code: 'badZone', field: 'due_zone', value: 'Mars/Base' }],
    ['title,estimate\nA,1.5', { code: 'badEstimate', field: 'estimate_minutes', value: '1.5' }],
    ['title,external_id\nA,7\nB,7', { code: 'twice', field: 'external_id', value: '7' }],
    ['type,content\nsection,A', { code: 'noTask', field: 'kind', value: 'section' }],
    [`title\n${'x'.repeat(301)}`, { code: 'tooLong', field: 'title', value: 'x'.repeat(80) }],
    [`title,labels\nA,${'x'.repeat(41)}`, { code: 'tooLong', field: 'labels', value: 'x'.repeat(41) }],
  ])('%j is told with its cell', (text, problem) => expect(rowsOf(text).at(-1)).toMatchObject({ problem }));

  test('a row keeps the number a spreadsheet shows, whatever stands in cells and between rows', () => {
    const rows = rowsOf('title,due\n"two\nlines",\n\n,\nB,31/02/2026\n');
    expect(rows.map(({ line }) => line)).toEqual([2, 5]);
  });

  test('names that are not known, or are two people, leave the task to nobody and are told', () => {
    const rows = rowsOf('title,assignee,site\nA,Nobody,Moon\nB,JO,\n');
    expect(rows.map(row => 'task' in row && [row.task.assigneeId, row.task.siteId, row.notes])).toEqual([
      [
        undefined,
        undefined,
        [
          { field: 'assignee', value: 'Nobody' },
          { field: 'site', value: 'Moon' },
        ],
      ],
      [undefined, undefined, [{ field: 'assignee', value: 'JO' }]],
    ]);
  });

  test.each([
    ['', 'empty'],
    ['title', 'empty'],
    [`title\n${'A\n'.repeat(MAX_ROWS + 1)}`, 'tooLong'],
  ])('a file that is none is said to be none (%#)', (text, problem) => expect(tableIn(text)).toEqual({ problem }));

  test('the same file names its rows alike again, two rows of the same words stay two', () => {
    const ids = (text: string) => rowsOf(text).map(row => ('task' in row ? row.task.externalId : null));
    const first = ids('title,due\nCall,\nCall,\nCall,2026-11-30\n');
    expect(new Set(first).size).toBe(3);
    expect(ids('title;due\r\nCall;\r\nCall;\r\nCall;2026-11-30')).toEqual(first);
  });

  test('two tasks that two people brought under one name are two', () => {
    const rows = rowsOf(`id,external_id,title\n${uuid(7)},A,x\n${uuid(8)},A,y\n${uuid(8)},B,z`);
    expect(rows.map(row => ('task' in row ? [row.task.taskId, row.task.externalId] : 'problem'))).toEqual([
      [uuid(7), 'A'],
      [uuid(8), uuid(8)],
      [uuid(8), 'B'],
    ]);
  });
});

describe('files of other apps', () => {
  test('Todoist: its rows of sections are no tasks, 1 is the most urgent', () => {
    const text =
      'TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE\n' +
      'section,Later,,,,,,,,\n' +
      'task,Order gloves,Size 9,1,1,Sam (1),Mara Voss (14781400),2026-11-30 09:30,en,Europe/London\n';
    expect(rowsOf(text)).toMatchObject([
      { line: 2, problem: { code: 'noTask' } },
      {
        task: {
          title: 'Order gloves',
          notes: 'Size 9',
          priority: 'urgent',
          assigneeId: uuid(3),
          due: { day: '2026-11-30', time: '09:30', zone: 'Europe/London' },
        },
      },
    ]);
  });

  test('Asana: what was completed is done', () => {
    const text =
      'Task ID,Created At,Completed At,Last Modified,Name,Section/Column,Assignee,Assignee Email,Start Date,Due Date,Tags,Notes\n' +
      '1201,2026-11-01,2026-11-05,2026-11-05,Paint lines,Yard,Mara Voss,m@x.test,2026-11-02,2026-11-30,"floor, paint",Two coats\n';
    expect(taskIn(text)).toMatchObject({
      externalId: '1201',
      title: 'Paint lines',
      status: 'done',
      startDay: '2026-11-02',
      due: { day: '2026-11-30', time: null },
      labels: ['floor', 'paint'],
      notes: 'Two coats',
    });
  });

  test('Trello: instants are told on the clocks here', () => {
    const text =
      'Card ID;Card Name;Card URL;Card Description;Labels;Members;Due Date;Due Complete;List Name\n' +
      '5f;Check doors;https://x.test;All three;;;2026-11-30T23:30:00.000Z;false;Doing\n';
    expect(taskIn(text)).toMatchObject({
      externalId: '5f',
      title: 'Check doors',
      notes: 'All three',
      due: { day: '2026-12-01', time: '00:30', zone },
    });
    expect(taskIn(text).status).toBeUndefined();
  });

  test('a column can be told to be something else, and takes that from the other', () => {
    const mapping = guessMapping(['Name', 'Summary', 'Due']);
    expect(mapping).toEqual(['title', null, 'due_day']);
    expect(remapped(mapping, 1, 'title')).toEqual([null, 'title', 'due_day']);
    expect(remapped(mapping, 2, null)).toEqual(['title', null, null]);
  });
});

describe('days', () => {
  test.each([
    ['2026-11-30', '2026-11-30', null],
    ['2026/1/5', '2026-01-05', null],
    ['30.11.2026', '2026-11-30', null],
    ['3/4/2026', '2026-04-03', null],
    ['2026-11-30 9:30 PM', '2026-11-30', '21:30'],
    ['2026-11-30, 12:05 am', '2026-11-30', '00:05'],
    ['2026-11-30T09:30:00+0530', '2026-11-30', '05:00'],
    ['2026-06-30T22:15:00Z', '2026-07-01', '00:15'],
  ])('%s is %s %s', (cell, day, time) => expect(csvDay(cell, 'day-month', zone)).toEqual({ day, time }));

  test.each([
    '31/02/2026',
    '2026-13-01',
    '30-11-2026',
    '26.11.30',
    '2026-11/30',
    '1969-12-31',
    '2026-11-30 24:00',
    'soon',
  ])('%s is none', cell => expect(csvDay(cell, 'day-month', zone)).toBeNull());

  test('slashes are read as the file shows that they are meant', () => {
    expect(slashDays(['1/2/2026', '31/1/2026'])).toEqual({ found: true, order: 'day-month' });
    expect(slashDays(['1/2/2026', '1/31/2026'])).toEqual({ found: true, order: 'month-day' });
    expect(slashDays(['1/2/2026'])).toEqual({ found: true, order: null });
    expect(slashDays(['2026-01-31', ''])).toEqual({ found: false, order: null });
    expect(csvDay('3/4/2026', 'month-day', zone)?.day).toBe('2026-03-04');
    const table = tableIn('title,due\nA,1/31/2026\nB,\n');
    if ('problem' in table) throw new Error(table.problem);
    expect(cellsOf(table, guessMapping(table.head), 'due_day')).toEqual(['1/31/2026']);
  });
});

test('labels and steps come back out of their cell as they were', () => {
  const words = fc.string({ unit: fc.constantFrom('a', 'B', ' ', ';', ',', '"', '[', ']', '!', 'x'), minLength: 1 });
  const word = words.map(text => text.trim()).filter(text => text !== '');
  fc.assert(
    fc.property(fc.array(word), labels => {
      expect(labelsIn(labelsCell(labels))).toEqual(labels);
    }),
  );
  // What begins like a mark is one: a person who writes it means it.
  const title = word.map(text => `s${text.replaceAll(/\s+/g, ' ')}`);
  const steps = fc.array(fc.record({ title, required: fc.boolean(), done: fc.boolean() }));
  fc.assert(
    fc.property(steps, list => {
      expect(stepsIn(stepsCell(list))).toEqual(list);
    }),
  );
});
