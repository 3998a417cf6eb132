import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { stateAt } from '@cairn/testing/form-places.ts';
import { type Cell, type Sheets, workbook, zip } from '@cairn/testing/workbook-builder.ts';
import { compileForm } from '../forms/definition/compiled-form.ts';
import { missingPictures } from '../forms/definition/form-pictures.ts';
import { formState } from '../forms/answers/form-state.ts';
import { offeredChoices } from '../forms/answers/offered-choices.ts';
import { findingText } from '../workbook/sheet-table.ts';
import type { ImportedForm } from '../odk/checked-form.ts';
import { importXlsForm } from './xlsform.ts';

const moment = { today: '2026-11-21', now: '2026-11-21T09:00:00.000Z' };
const survey = (...rows: Cell[][]): Sheets => ({ survey: rows });

async function imported(sheets: Sheets, name = 'check.xlsx'): Promise<ImportedForm> {
  const result = await importXlsForm(workbook(sheets), name);
  if (!result.ok) throw new Error(result.problems.map(findingText).join('\n'));
  return result;
}

const problemsOf = async (file: ArrayBuffer): Promise<string[]> => {
  const result = await importXlsForm(file, 'check.xlsx');
  return result.ok ? [] : result.problems.map(findingText);
};
const notesOf = async (sheets: Sheets) => (await imported(sheets)).notUnderstood.map(findingText);
const text = (content: string): ArrayBuffer => new Uint8Array(new TextEncoder().encode(content)).buffer;

describe('what a workbook says becomes a form', () => {
  test('types, in the spellings XLSForm knows', async () => {
    const types = [
      'text',
      'phone number',
      'integer',
      'int',
      'decimal',
      'date',
      'time',
      'note',
      'image',
      'photo',
      'signature',
      'pass_fail',
    ];
    const { form, questions } = await imported(
      survey(['Type', 'Name'], ...types.map((type, index) => [type, `q${index}`])),
    );
    expect(form.items.map(({ type }) => type)).toEqual([
      'text',
      'text',
      'integer',
      'integer',
      'decimal',
      'date',
      'time',
      'note',
      'photo',
      'photo',
      'signature',
      'pass_fail',
    ]);
    expect(questions).toBe(11);
  });

  test('an image with appearance signature is a signature', async () => {
    const { form } = await imported(survey(['type', 'name', 'appearance'], ['image', 's', 'signature']));
    expect(form.items[0]?.type).toBe('signature');
  });

  test('groups in groups, texts, and every kind of rule', async () => {
    const { form } = await imported(
      survey(
        [
          'type',
          'name',
          'label',
          'hint',
          'required',
          'required message',
          'relevance',
          'constraint',
          'constraint_message',
          'calculation',
          'default',
          'read only',
        ],
        ['begin group', 'truck', 'Truck'],
        ['begin_group', 'brakes', 'Brakes', null, null, null, '${year} > 2000'],
        ['decimal', 'wear', 'Wear', 'in mm', 'yes', 'Measure it', '../../year > 2010', '. < 10', 'Too much'],
        ['end group'],
        ['integer', 'year', 'Year', null, true, null, null, null, null, null, 2020],
        ['end_group'],
        ['calculate', 'age', null, null, null, null, null, null, null, '2026 - ${year}'],
        ['text', 'kept', null, null, '${year} = 2020', null, null, null, null, null, 'as it is', 'yes'],
      ),
    );
    expect(form.items).toEqual([
      {
        type: 'group',
        name: 'truck',
        label: 'Truck',
        items: [
          {
            type: 'group',
            name: 'brakes',
            label: 'Brakes',
            relevant: '${year} > 2000',
            items: [
              {
                type: 'decimal',
                name: 'wear',
                label: 'Wear',
                hint: 'in mm',
                required: true,
                required_message: 'Measure it',
                relevant: '../../year > 2010',
                constraint: '. < 10',
                constraint_message: 'Too much',
              },
            ],
          },
          { type: 'integer', name: 'year', label: 'Year', required: true, default: 2020 },
        ],
      },
      { type: 'calculate', name: 'age', calculation: '2026 - ${year}' },
      { type: 'text', name: 'kept', required: '${year} = 2020', default: 'as it is', read_only: true },
    ]);
  });

  test('choices, or_other, points, weights', async () => {
    const { form } = await imported({
      survey: [
        ['type', 'name', 'weight', 'fails'],
        ['select_one grades or_other', 'grade', 2, 'poor'],
        ['select all that apply from grades', 'several'],
      ],
      choices: [
        ['list name', 'name', 'label', 'score', 'colour'],
        ['grades', 'good', 'Good', 2, 'green'],
        ['grades', 'poor', 'Poor'],
      ],
    });
    expect(form.choice_lists['grades']).toEqual([
      { name: 'good', label: 'Good', score: 2, attributes: { colour: 'green' } },
      { name: 'poor', label: 'Poor' },
    ]);
    expect(form.items).toMatchObject([
      { type: 'select_one', name: 'grade', list: 'grades', or_other: true, scoring: { weight: 2, fails: ['poor'] } },
      { type: 'text', name: 'grade_other', relevant: "selected(../grade, 'other')" },
      { type: 'select_multiple', name: 'several', list: 'grades' },
    ]);
  });

  test('a decimal that looks like a timer is a stopwatch; what else it looks like stays', async () => {
    const { form } = await imported({
      survey: [
        ['type', 'name', 'appearance', 'parameters', 'default'],
        ['decimal', 'flush', 'timer', 'target=90', '1.5'],
        ['decimal', 'hold', 'w1 timer'],
      ],
    });
    expect(form.items).toEqual([
      { type: 'timer', name: 'flush', target_seconds: 90, default: 1.5 },
      { type: 'timer', name: 'hold', appearance: 'w1' },
    ]);
  });

  test('languages, the default one first', async () => {
    const { form } = await imported({
      survey: [
        ['type', 'name', 'label::English (en)', 'label::Deutsch (de)', 'hint:Deutsch (de)'],
        ['text', 'a', 'Brakes', 'Bremsen', 'Beide'],
      ],
      settings: [['default_language'], ['Deutsch (de)']],
    });
    expect(form.languages).toEqual(['Deutsch (de)', 'English (en)']);
    expect(form.items[0]).toMatchObject({
      label: { 'English (en)': 'Brakes', 'Deutsch (de)': 'Bremsen' },
      hint: { 'Deutsch (de)': 'Beide' },
    });
  });

  test('settings name the form; without them its file does', async () => {
    const sheets = survey(['type', 'name'], ['text', 'a']);
    const settings: Cell[][] = [
      ['form_title', 'form_id', 'version'],
      ['Forklift check', 'forklift', 3],
    ];
    expect(await imported({ ...sheets, settings })).toMatchObject({
      title: 'Forklift check',
      formId: 'forklift',
      formVersion: '3',
    });
    expect(await imported(sheets, 'Fire walk.xlsx')).toMatchObject({ title: 'Fire walk', formId: null });
  });

  test('numbers, truths, formulas and rich text are read as what they show', async () => {
    const { form } = await imported(
      survey(
        ['type', 'name', 'label', 'required', 'default'],
        ['text', { formula: 'A1', result: 'code' }, { rich: ['Bold ', 'and plain'] }, true, 7],
        ['integer', 'n', ' spaced ', false, { formula: '3+4', result: 7 }],
      ),
    );
    expect(form.items).toEqual([
      { type: 'text', name: 'code', label: 'Bold and plain', required: true, default: '7' },
      { type: 'integer', name: 'n', label: 'spaced', default: 7 },
    ]);
  });
});

describe('what is not understood is named with its row, and the rest is imported', () => {
  test.each<[string, Cell[][], string]>([
    [
      'a type',
      [['background-audio', 'a1']],
      'survey row 3, type: questions of type "background-audio" are not supported',
    ],
    [
      'what others record',
      [['start', 'start']],
      'survey row 3, type: "start" was left out: Cairn itself records who inspected, when and on which form',
    ],
    ['a row without type', [[null, 'b', 'Lost']], 'survey row 3, type: this row has no type and was left out'],
    [
      'a column',
      [['text', 'd', null, null, 'x']],
      'survey row 3, media::image: this column is not supported and was left out',
    ],
  ])('%s', async (_, rows, note) => {
    const sheets = survey(['type', 'name', 'label', 'default', 'media::image'], ['text', 'a'], ...rows);
    expect(await notesOf(sheets)).toEqual([note]);
  });

  test('settings are told, and pictures of choices are to be added by their names', async () => {
    const sheets = {
      survey: [
        ['type', 'name'],
        ['select_one l', 'a'],
      ],
      choices: [
        ['list_name', 'name', 'media::image'],
        ['l', 'x', 'x.png'],
      ],
      settings: [['style'], ['pages']],
    };
    expect(await notesOf(sheets)).toEqual(['settings row 2, style: this setting is not supported and was left out']);
    expect(missingPictures((await imported(sheets)).form)).toEqual(['x.png']);
  });
});

describe('a form that cannot work is refused, with every place', () => {
  test.each<[string, Cell[][], string]>([
    [
      'an unknown function',
      [['text', 'b', 'magic(1)']],
      'survey row 4, relevant: unknown function magic() (character 1 of: magic(1))',
    ],
    [
      'a reference to nothing',
      [['text', 'b', '${nobody}']],
      'survey row 4, relevant: there is no question "nobody" (character 1 of: ${nobody})',
    ],
    [
      'a reference to a row that was left out',
      [
        ['background-audio', 'gps'],
        ['text', 'b', '${gps}'],
      ],
      'survey row 5, relevant: there is no question "gps" (character 1 of: ${gps}); its row 4 cannot be imported',
    ],
    ['no name', [['text']], 'survey row 4, name: this row needs a name'],
    [
      'an impossible name',
      [['text', 'two words']],
      'survey row 4, name: "two words" cannot be a name: it starts with a letter and has letters, digits, _ and - only',
    ],
    ['a name twice', [['text', 'a']], 'survey row 4, name: "a" stands twice in its group'],
    [
      'a list that is missing',
      [['select_one none', 'b']],
      'survey row 4, type: there is no list "none" in the choices sheet',
    ],
    [
      'a group without its end',
      [['begin group', 'g']],
      'survey row 4, type: this group is never ended: "end group" is missing',
    ],
    [
      'an end without its group',
      [['end group']],
      'survey row 4, type: "end group" does not fit here: there is no open group',
    ],
    [
      'ends crossed',
      [['begin group', 'g'], ['end repeat']],
      'survey row 5, type: "end repeat" does not fit here: there is "end group" for row 4',
    ],
    [
      'a calculation without a formula',
      [['calculate', 'b']],
      'survey row 4, calculation: a calculate row needs a calculation',
    ],
    ['a default of another kind', [['integer', 'b', null, 'many']], 'survey row 4, default: "many" is no number'],
  ])('%s', async (_, rows, problem) => {
    // Row 2 is empty: numbers are those that the spreadsheet program shows.
    const file = workbook(survey(['type', 'name', 'relevant', 'default'], [], ['text', 'a'], ...rows));
    expect(await problemsOf(file)).toContain(problem);
  });

  test('a choice without a name, and one that stands twice', async () => {
    const sheets: Sheets = {
      survey: [
        ['type', 'name'],
        ['select_one l', 'a'],
      ],
      choices: [
        ['list_name', 'name', 'label'],
        ['l', 'x'],
        ['l', 'x'],
        ['l', null, 'No name'],
      ],
    };
    expect(await problemsOf(workbook(sheets))).toEqual([
      'choices row 3, name: "x" stands twice in the list "l"',
      'choices row 4, name: a choice needs a name',
    ]);
    expect(await problemsOf(workbook({ ...sheets, settings: [['allow_choice_duplicates'], ['yes']] }))).toEqual([
      'choices row 4, name: a choice needs a name',
    ]);
  });
});

describe('a file that is no form is refused in one sentence', () => {
  const good = workbook(survey(['type', 'name'], ['text', 'a']));
  const large = new Uint8Array(50 * 1024 * 1024);
  large.set([0x50, 0x4b]);

  test.each<[string, ArrayBuffer, string]>([
    ['a text renamed .xlsx', text('hello'), 'This file is not an Excel workbook (.xlsx, .xls).'],
    ['nothing', new ArrayBuffer(0), 'This file is empty.'],
    [
      'the older format, cut short',
      new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, ...Array.from({ length: 600 }, () => 7)]).buffer,
      'This workbook is damaged. Open it in a spreadsheet program, save it again as .xlsx, and try once more.',
    ],
    ['a zip of something else', zip({ 'a.txt': 'hello' }), 'This file is not an Excel workbook (.xlsx, .xls).'],
    [
      'a workbook cut short',
      good.slice(0, good.byteLength - 30),
      'This file is damaged: its end is missing or changed.',
    ],
    ['50 MB', large.buffer, "This file has 50 MB; a form's workbook may have up to 10 MB."],
    [
      'a small file that unpacks to 100 MB',
      workbook(survey(['type', 'x'.repeat(100_000_000)])),
      'This workbook holds more than 40 MB, too much for a form.',
    ],
    [
      'broken XML inside',
      zip({ 'xl/workbook.xml': '<workbook', 'xl/_rels/workbook.xml.rels': '<x>', '[Content_Types].xml': '' }),
      'This workbook is damaged. Open it in a spreadsheet program, save it again as .xlsx, and try once more.',
    ],
    [
      'other sheets',
      workbook({ Sheet1: [['kind', 'name']] }),
      'This workbook has no sheet called "survey", so it is not a form.',
    ],
    ['an empty survey', workbook({ survey: [] }), 'survey: The survey sheet has no column called "type".'],
    ['a survey of column names alone', workbook(survey(['type', 'name'])), 'survey: there is no question in this form'],
  ])('%s', async (_, file, sentence) => {
    expect(await problemsOf(file)).toEqual([sentence]);
  });
});

test('lists and columns may be called like parts of the language', async () => {
  const { form } = await imported({
    survey: [
      ['type', 'name', 'choice_filter'],
      ['select_one constructor', 'a', "constructor = 'x'"],
    ],
    choices: [
      ['list_name', 'name', 'constructor'],
      ['constructor', 'one', 'x'],
      ['constructor', 'two'],
    ],
  });
  const result = compileForm(form);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  const [first] = result.compiled.questions;
  if (!first) throw new Error('no question');
  const { values, questions } = formState(result.compiled, new Map(), moment);
  const place = questions[0]?.place;
  if (!place) throw new Error('no question is shown');
  expect(offeredChoices(first, place, values).map(({ name }) => name)).toEqual(['one']);
  const sheets: Sheets = {
    ...survey(['type', 'name'], ['text', 'a']),
    choices: [
      ['list_name', 'name'],
      ['__proto__', 'x'],
    ],
  };
  expect(await problemsOf(workbook(sheets))).toEqual([
    'choices row 2, list_name: "__proto__" cannot be the name of a list',
  ]);
});

test('texts of any kind in any cell never crash the importer', async () => {
  const odd: Cell[] = [
    '${',
    '__proto__',
    'constructor',
    '=1+1',
    '<b>',
    '😀',
    'select_one',
    'select_one  ',
    'begin group',
    "'",
    '(',
    -1,
    1e21,
    true,
    '',
  ];
  for (const cell of odd) {
    for (const column of ['type', 'name', 'relevant', 'constraint', 'default', 'required', 'label']) {
      const row = ['type', 'name', 'relevant', 'constraint', 'default', 'required', 'label'].map(other =>
        other === column ? cell : other === 'type' ? 'text' : other === 'name' ? 'q' : null,
      );
      const file = workbook(
        survey(['type', 'name', 'relevant', 'constraint', 'default', 'required', 'label'], ['text', 'a'], row),
      );
      expect(typeof (await importXlsForm(file, 'odd.xlsx')).ok).toBe('boolean');
    }
  }
});

const shared = fileURLToPath(new URL('../../../../../shared/data/xlsforms/', import.meta.url));

async function sample(name: string): Promise<ImportedForm | string[] | null> {
  if (!existsSync(shared)) {
    process.stdout.write(`${shared} is absent: the sample workbooks of others are not tried.\n`);
    return null;
  }
  const result = await importXlsForm(new Uint8Array(readFileSync(`${shared}${name}`)).buffer, name);
  return result.ok ? result : result.problems.map(findingText);
}

describe('workbooks that others made', () => {
  test.each([
    ['group.xlsx', 3],
    ['or_other.xlsx', 3],
    ['choice_filter_test.xlsx', 3],
  ])('%s imports with %i questions, and its choices can be chosen', async (name, questions) => {
    const form = await sample(name);
    if (form === null) return;
    if (Array.isArray(form)) throw new Error(form.join('\n'));
    expect(form.questions).toBe(questions);
    const result = compileForm(form.form);
    if (!result.ok) throw new Error(JSON.stringify(result.problems));
    const answers = new Map();
    for (const item of result.compiled.questions) {
      const state = formState(result.compiled, answers, moment);
      const shown = stateAt(state, item.path);
      if (!shown) continue;
      const [first] = offeredChoices(item, shown.place, state.values);
      const value = item.question.list === undefined ? (item.question.type === 'integer' ? 1 : 'x') : first?.name;
      expect(value).toBeDefined();
      answers.set(item.path, { value, note: null, mediaIds: [] });
    }
    const done = formState(result.compiled, answers, moment);
    expect([done.answered, done.blocking.length]).toEqual([done.total, 0]);
  });

  test('bad_calc.xlsx is refused with its place', async () => {
    const problems = await sample('bad_calc.xlsx');
    if (problems === null) return;
    expect(problems).toEqual([
      "survey row 2, calculation: a text begins with ' and never ends (character 22 of: because pyxform doesn't know what to do)",
    ]);
  });

  test('widgets.xls, of the older format, imports with all its questions', async () => {
    const form = await sample('widgets.xls');
    if (form === null) return;
    if (Array.isArray(form)) throw new Error(form.join('\n'));
    expect(form.questions).toBe(32);
    expect(form.notUnderstood.map(findingText).filter(note => !note.includes('picture'))).toEqual([
      'settings row 2, add_none_option: this setting is not supported and was left out',
    ]);
    expect(form.form.items.slice(0, 4)).toMatchObject([
      { type: 'text', name: 'my_string' },
      { type: 'integer', name: 'my_int', constraint: '. < 10', constraint_message: 'number must be less than 10' },
      { type: 'decimal', default: 18.31 },
      { type: 'date', constraint: '. >= today()', default: '2010-06-15' },
    ]);
  });
});
