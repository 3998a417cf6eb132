import { describe, expect, test } from 'vitest';
import { type Cell, type Sheets, workbook } from '@cairn/testing/workbook-builder.ts';
import type { ImportedForm } from '../odk/checked-form.ts';
import { findingText } from '../workbook/sheet-table.ts';
import { importXlsForm } from './xlsform.ts';

const survey = (...rows: Cell[][]): Sheets => ({ survey: rows });

async function imported(sheets: Sheets): Promise<ImportedForm> {
  const result = await importXlsForm(workbook(sheets), 'check.xlsx');
  if (!result.ok) throw new Error(result.problems.map(findingText).join('\n'));
  return result;
}

const problemsOf = async (file: ArrayBuffer): Promise<string[]> => {
  const result = await importXlsForm(file, 'check.xlsx');
  return result.ok ? [] : result.problems.map(findingText);
};
const notesOf = async (sheets: Sheets) => (await imported(sheets)).notUnderstood.map(findingText);

describe('rows of every kind are read', () => {
  test('repeats in each other, with and without a count', async () => {
    const { form, questions } = await imported(
      survey(
        ['type', 'name', 'repeat_count', 'relevant', 'calculation'],
        ['begin repeat', 'axles'],
        ['begin_repeat', 'tyres', '2', '${axles_ok} != 1'],
        ['integer', 'tread'],
        ['end repeat'],
        ['calculate', 'worst', null, null, 'min(${tread})'],
        ['end_repeat'],
        ['integer', 'axles_ok'],
      ),
    );
    expect(questions).toBe(2);
    expect(form.items).toMatchObject([
      {
        type: 'repeat',
        name: 'axles',
        items: [
          { type: 'repeat', name: 'tyres', count: '2', relevant: '${axles_ok} != 1', items: [{ name: 'tread' }] },
          { type: 'calculate', name: 'worst' },
        ],
      },
      { name: 'axles_ok' },
    ]);
  });

  test('a note without a name has the one that pyxform gives it; a question has to have its own', async () => {
    const { form } = await imported(
      survey(['type', 'name', 'label'], ['note', null, 'Hello'], ['text', 'a'], ['Note', null, 'Bye']),
    );
    expect(form.items.map(({ name }) => name)).toEqual(['generated_note_name_2', 'a', 'generated_note_name_4']);
    const file = workbook(survey(['type', 'name'], ['note'], ['text']));
    expect(await problemsOf(file)).toEqual(['survey row 3, name: this row needs a name']);
  });

  test('ranges, ranks, and defaults that are worked out', async () => {
    const { form } = await imported({
      survey: [
        ['type', 'name', 'parameters', 'default'],
        ['range', 'a', 'start=1 end=5 step=0.5', 2],
        ['range', 'b'],
        ['rank l', 'c', null, 'y x'],
        ['date', 'd', null, 'today()'],
        ['text', 'e', null, 'Bay (2)'],
        ['integer', 'f', null, '${last-saved#f} + 1'],
        ['select_one l', 'g', null, "if(${a} > 2, 'x', 'y')"],
      ],
      choices: [
        ['list_name', 'name'],
        ['l', 'x'],
        ['l', 'y'],
      ],
    });
    expect(form.items).toEqual([
      { type: 'range', name: 'a', range: { start: 1, end: 5, step: 0.5 }, default: 2 },
      { type: 'range', name: 'b', range: { start: 1, end: 10, step: 1 } },
      { type: 'rank', name: 'c', list: 'l', default: ['y', 'x'] },
      { type: 'date', name: 'd', default_expression: 'today()' },
      { type: 'text', name: 'e', default: 'Bay (2)' },
      { type: 'integer', name: 'f', default_expression: '${last-saved#f} + 1' },
      { type: 'select_one', name: 'g', list: 'l', default_expression: "if(${a} > 2, 'x', 'y')" },
    ]);
  });

  test('what an answer asks for besides, on the sheet follow_ups', async () => {
    const sheets: Sheets = {
      survey: [['type', 'name', 'fail_when'], ['begin group', 'g'], ['integer', 'a', '. > 5'], ['end group']],
      follow_ups: [
        [
          'question',
          'when',
          'action',
          'action_title',
          'photo',
          'note',
          'priority',
          'due_in_days',
          'due_in_hours',
          'assignee',
        ],
        ['g.a', null, 'yes', 'Repair', 'yes', null, 'high', 3, null, 'conductors_manager'],
        ['g.a', '. > 3', null, null, null, 'yes', null, null, 4, 'role:manager'],
      ],
    };
    const { form } = await imported(sheets);
    const asked = { photo: 'optional', note: 'optional', priority: 'medium' };
    expect(form.items).toMatchObject([
      {
        items: [
          {
            scoring: { fail_when: '. > 5', weight: 1 },
            on_fail: {
              ...asked,
              action: true,
              title: 'Repair',
              photo: 'required',
              priority: 'high',
              due_in_days: 3,
              assignee: 'conductors_manager',
            },
            rules: [
              { ...asked, when: '. > 3', action: false, note: 'required', due_in_hours: 4, assignee: 'role:manager' },
            ],
          },
        ],
      },
    ]);
    const wrong: Cell[][] = [
      ['question', 'priority', 'due_in_days', 'due_in_hours', 'assignee'],
      ['a'],
      ['g.a', 'huge'],
      ['g.a', null, 1.5],
      ['g.a', null, null, 721],
      ['g.a', null, null, null, 'the boss'],
    ];
    expect(await problemsOf(workbook({ ...sheets, follow_ups: wrong }))).toEqual([
      'follow_ups row 2, question: there is no question at "a"',
      'follow_ups row 3, priority: "huge" is no priority',
      'follow_ups row 4, due_in_days: "1.5" is no number of days from 0 to 3650',
      'follow_ups row 5, due_in_hours: "721" is no number of hours from 1 to 720',
      'follow_ups row 6, assignee: "the boss" is nobody: role:member, role:manager, role:admin, conductors_manager or person: and an id',
    ]);
  });

  test('what another app or a printer would do, calendars and maps', async () => {
    const notes = await notesOf(
      survey(
        ['type', 'name', 'appearance', 'parameters'],
        ['text', 'a', 'ex:org.example.PULSE(a=1)'],
        ['text', 'b', 'printer:org.example.Zebra'],
        ['date', 'c', 'coptic'],
        ['image', 'd', 'annotate', 'max-pixels=1000'],
      ),
    );
    expect(notes).toEqual([
      'survey row 2, appearance: this would open another app ("ex:org.example.PULSE(a=1)"), which Cairn does not: the answer is entered by hand',
      'survey row 3, appearance: this would print on a label printer ("printer:org.example.Zebra"), which Cairn does not: the text is shown',
      'survey row 4, appearance: the coptic calendar is not shown: the day is chosen in the usual one',
      'survey row 5, parameters: "max-pixels=1000" is not supported and was left out',
    ]);
  });
});

describe('what could mean two things is refused by name', () => {
  test('a name of two rows, where it is referred to', async () => {
    const rows: Cell[][] = [
      ['type', 'name', 'label', 'relevant'],
      ['text', 'q1', 'Q1'],
      ['begin group', 'g1', 'G1'],
      ['text', 'q1', 'Again'],
      ['text', 'q2', 'You said ${q1}', "${q1} != ''"],
      ['end group'],
    ];
    const message = '${q1} could be any of 2 rows that are called "q1": give each a name of its own';
    expect(await problemsOf(workbook(survey(...rows)))).toEqual([
      `survey row 5, label: ${message}`,
      `survey row 5, relevant: ${message}`,
    ]);
    const unnamed = rows.map(row => (row[1] === 'q2' ? ['text', 'q2', 'Q2'] : row));
    expect(await problemsOf(workbook(survey(...unnamed)))).toEqual([]);
  });

  test('a list that names columns for search(), taken as it is by another question', async () => {
    const sheets: Sheets = {
      survey: [
        ['type', 'name', 'label', 'appearance'],
        ['select_one c1', 'q1', 'One', "search('places')"],
        ['select_one c1', 'q2', 'Two'],
      ],
      choices: [
        ['list_name', 'name', 'label'],
        ['c1', 'id', 'place'],
      ],
    };
    expect(await problemsOf(workbook(sheets))).toContain(
      'survey row 3, type: the list "c1" names the columns of a file, for search(): a question without it needs a list of its own',
    );
  });
});
