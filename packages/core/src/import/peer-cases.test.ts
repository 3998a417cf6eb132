import { describe, expect, test } from 'vitest';
import { workbook, type Cell, type Sheets } from '@cairn/testing/workbook-builder.ts';
import type { FormItem, Question } from '../forms/definition/form-definition.ts';
import { isGroup } from '../forms/definition/form-definition.ts';
import { importFormFile } from './form-file.ts';
import type { ImportOptions } from '../odk/import-around.ts';
import { readFormFiles } from './form-files.ts';
import { findingText } from '../workbook/sheet-table.ts';

const survey = (head: string[], ...rows: Cell[][]): Sheets => ({ survey: [head, ...rows] });

const read = (sheets: Sheets, around?: ImportOptions) => importFormFile(workbook(sheets), 'form.xlsx', around);
async function formOf(sheets: Sheets, around?: ImportOptions) {
  const result = await read(sheets, around);
  if (!result.ok) throw new Error(result.problems.map(findingText).join('; '));
  return { ...result, notes: result.notUnderstood.map(findingText) };
}
async function problemsOf(sheets: Sheets): Promise<string[]> {
  const result = await read(sheets);
  return result.ok ? [] : result.problems.map(findingText);
}
const all = (items: readonly FormItem[]): Question[] =>
  items.flatMap(item => (isGroup(item) ? all(item.items) : [item]));
async function questionOf(sheets: Sheets): Promise<Question | undefined> {
  return all((await formOf(sheets)).form.items)[0];
}

describe('headings that XLSForm has more than one spelling of', () => {
  test.each(['jr:count', 'count', 'body::jr:count', 'repeat_count', 'control::jr:count'])(
    '%s is a count',
    async head => {
      const { form, notes } = await formOf(
        survey(
          ['type', 'name', 'label', head],
          ['begin repeat', 'wheel', 'Wheel', '4'],
          ['integer', 'bolts', 'Bolts', null],
          ['end repeat', null, null, null],
        ),
      );
      expect(form.items[0]).toMatchObject({ type: 'repeat', count: '4' });
      expect(notes).toEqual([]);
    },
  );

  test.each([
    ['requiredMsg', 'constraining message'],
    ['jr:requiredMsg', 'jr:constraintMsg'],
    ['bind::jr:requiredMsg', 'bind:jr:constraintMsg'],
    ['required_message', 'constraint_message'],
  ])('%s and %s are messages', async (needed, kept) => {
    const head = ['type', 'name', 'label', 'required', needed, 'constraint', kept];
    const question = await questionOf(survey(head, ['text', 'a', 'A', 'yes', 'Needed', ". != 'x'", 'Not x']));
    expect(question).toMatchObject({ required_message: 'Needed', constraint_message: 'Not x' });
  });

  test('a column of choices is their author\u2019s own, whatever survey columns are called', async () => {
    const { form } = await formOf({
      ...survey(['type', 'name', 'label', 'choice_filter'], ['select_one l', 'q', 'Q', 'count > 1']),
      choices: [
        ['list_name', 'name', 'label', 'count', 'title'],
        ['l', 'a', 'A', '2', 'x'],
      ],
    });
    expect(form.choice_lists['l']?.[0]?.attributes).toEqual({ count: '2', title: 'x' });
  });

  test('of two columns that are one the first is read, and the other is named', async () => {
    const { form, notes } = await formOf(
      survey(['type', 'name', 'value', 'label'], ['text', 'colour', 'hue', 'Colour']),
    );
    expect(form.items[0]?.name).toBe('colour');
    expect(notes).toEqual(['survey row 1, value: this column and "name" are one and the same: it was left out']);
  });
});

test('a range without a start is 1 to its end, and may go down', async () => {
  const range = async (parameters: string) =>
    (await questionOf(survey(['type', 'name', 'label', 'parameters'], ['range', 'q', 'Q', parameters])))?.range;
  expect(await range('end=5')).toEqual({ start: 1, end: 5, step: 1 });
  expect(await range('')).toEqual({ start: 1, end: 10, step: 1 });
  expect(await range('start=10 end=1 step=1')).toEqual({ start: 10, end: 1, step: 1 });
});

test.each([
  ['range', 'start2 end 8', '"start2" is no parameter'],
  ['text', 'rows', '"rows" is no parameter'],
  ['range', 'start=0 end=10 step=11', 'one step is more than the whole range'],
  ['range', 'start=5 end=5', 'another end'],
])('parameters of %s that say nothing are refused: %s', async (type, parameters, why) => {
  const [problem = ''] = await problemsOf(
    survey(['type', 'name', 'label', 'parameters'], [type, 'q', 'Q', parameters]),
  );
  expect(problem).toContain('survey row 2, parameters: ');
  expect(problem).toContain(why);
});

test('pictures of choices in a language are taken, sounds and big pictures named', async () => {
  const { form, notes } = await formOf({
    ...survey(['type', 'name', 'label'], ['select_one p', 'part', 'Part']),
    choices: [
      ['list_name', 'name', 'label', 'media::image::English', 'audio::English', 'media::big-image'],
      ['p', 'a', 'Axle', 'axle.png', 'axle.mp3', 'big.png'],
    ],
  });
  expect(form.choice_lists['p']).toEqual([{ name: 'a', label: 'Axle', image: 'axle.png' }]);
  expect(notes).toHaveLength(2);
});

test('what is worked out and says nothing is no question', async () => {
  const { form, questions } = await formOf(
    survey(
      ['type', 'name', 'label', 'calculation'],
      ['integer', 'a', 'A', null],
      ['decimal', 'half', null, '${a} div 2'],
      ['dateTime', 'stamp', null, 'now()'],
    ),
  );
  expect(questions).toBe(1);
  expect(form.items.map(({ type }) => type)).toEqual(['integer', 'calculate', 'calculate']);
});

test('a form of which nothing is left says why each row was left out', async () => {
  const problems = await problemsOf(
    survey(['type', 'name', 'label'], ['osm', 'b', 'Building'], ['select_one_external towns', 'town', 'Town']),
  );
  expect(problems).toHaveLength(3);
  expect(problems[0]).toContain('OpenMapKit');
  expect(problems[1]).toContain('external_choices');
});

test('a form of notes and calculations is one', async () => {
  expect((await formOf(survey(['type', 'name', 'label'], ['note', 'n', 'Read this']))).questions).toBe(0);
});

test('metadata is never asked, whatever it is called', async () => {
  const types = ['phonenumber', 'username', 'email', 'start-geopoint', 'background-audio', 'audit', 'imei', 'sim id'];
  const rows = types.map((type, at) => [type, `m${at}`, null]);
  const { questions, notes } = await formOf(
    survey(['type', 'name', 'label'], ...rows, ['hidden', 'h', null], ['text', 'q', 'Q']),
  );
  expect(questions).toBe(1);
  expect(notes).toHaveLength(types.length);
});

test('a name that a text mentions and the form has not is told, metadata with its row', async () => {
  const { notes } = await formOf({
    ...survey(
      ['type', 'name', 'label', 'hint', 'constraint_message'],
      ['start', 'start', null, null, null],
      ['text', 'first', 'First name', null, null],
      ['select_one l', 'c', 'Well, ${frist}?', 'Begun ${start}', 'Not ${first}'],
    ),
    choices: [
      ['list_name', 'name', 'label'],
      ['l', 'a', 'Like ${frist}'],
    ],
  });
  expect(notes.slice(1)).toEqual([
    'survey row 4, label: there is no question "frist"; "${frist}" is shown as it is written',
    'survey row 4, hint: there is no question "start"; "${start}" is shown as it is written; its row 2 cannot be imported',
    'survey row 4, constraint_message: no answer is filled in here: "${first}" is shown as it is written',
    'survey row 4, label: a choice of "l": there is no question "frist"; "${frist}" is shown as it is written',
  ]);
});

test('languages that only choices have are languages of the form', async () => {
  const { form } = await formOf({
    ...survey(['type', 'name', 'label'], ['select_one l', 'q', 'Q']),
    choices: [
      ['list_name', 'name', 'label::English', 'label::Deutsch'],
      ['l', 'a', 'Apple', 'Apfel'],
    ],
  });
  expect(form.languages).toEqual(['default', 'English', 'Deutsch']);
});

test('a workbook of one sheet is the survey, and sheets that are not read are named', async () => {
  const sheet = [
    ['type', 'name', 'label'],
    ['text', 'a', 'A'],
  ];
  expect((await formOf({ Sheet1: sheet })).questions).toBe(1);
  const { notes } = await formOf({
    survey: sheet,
    entities: [['list_name'], ['trees']],
    remarks: [['x']],
    _old: [['y']],
  });
  expect(notes).toEqual([
    'entities: this sheet was not read: Cairn keeps no entities; what is inspected stands in its register',
    'remarks: this sheet was not read',
  ]);
});

test('a cell with FALSE, and yes, mean false() and true() in expressions', async () => {
  const { form } = await formOf(
    survey(
      ['type', 'name', 'label', 'relevant', 'required', 'read_only'],
      ['text', 'q', 'Q', false, true, false],
      ['text', 'q2', 'Q2', 'yes', 'TRUE()', null],
    ),
  );
  expect(form.items).toEqual([
    { type: 'text', name: 'q', label: 'Q', relevant: 'false()', required: true },
    { type: 'text', name: 'q2', label: 'Q2', relevant: 'true()', required: true },
  ]);
});

describe('choices that search() takes from a file', () => {
  const file = (text: string) => ({ beside: [{ name: 'Fruits.csv', bytes: new TextEncoder().encode(text) }] });
  const CSV = 'name_key,en,de,colour\nmango,Mango,Mango,yellow\npear,Pear,Birne,green\n';
  const sheets = (appearance: string): Sheets => ({
    ...survey(['type', 'name', 'label', 'appearance'], ['select_one l', 'q', 'Q', appearance]),
    choices: [
      ['list_name', 'name', 'label::en', 'label::de'],
      ['l', '0', 'None', 'Keine'],
      ['l', 'name_key', 'en', 'de, colour'],
    ],
  });

  test('stand behind the fixed ones, in the columns the list names', async () => {
    const { form, notes } = await formOf(sheets("minimal search('fruits')"), file(CSV));
    expect(notes).toEqual([]);
    expect(form.items[0]).toMatchObject({ type: 'select_one', list: 'l_2', appearance: 'minimal' });
    expect(form.choice_lists['l_2']).toEqual([
      { name: '0', label: { en: 'None', de: 'Keine' } },
      {
        name: 'mango',
        label: { en: 'Mango', de: 'Mango, yellow' },
        attributes: { name_key: 'mango', en: 'Mango', de: 'Mango', colour: 'yellow' },
      },
      {
        name: 'pear',
        label: { en: 'Pear', de: 'Birne, green' },
        attributes: { name_key: 'pear', en: 'Pear', de: 'Birne', colour: 'green' },
      },
    ]);
  });

  test('are asked for by name where the file or its column is not there', async () => {
    expect(await problemsOf(sheets("search('fruits')"))).toEqual([
      'survey row 2, appearance: search() takes its choices from the file "fruits.csv": choose that file together with the form',
    ]);
    const result = await read(sheets("search('fruits')"), file('key,en,de,colour\na,A,A,red\n'));
    expect(result.ok ? [] : result.problems.map(findingText)).toEqual([
      'survey row 2, appearance: "fruits.csv" has no column "name_key" to take choices from',
    ]);
  });

  test('by a condition, they are said to be unsupported', async () => {
    const [problem = ''] = await problemsOf(sheets("minimal search('fruits', 'matches', 'colour', 'green')"));
    expect(problem).toContain("search('fruits', 'matches', 'colour', 'green')");
  });

  test('in an XForm as in its workbook', async () => {
    const items =
      '<item><label>None</label><value>0</value></item><item><label>en</label><value>name_key</value></item>';
    const body = `<select1 ref="/data/q" appearance="search('fruits')"><label>Q</label>${items}</select1>`;
    const model = '<instance><data id="t"><q/></data></instance><bind nodeset="/data/q" type="string"/>';
    const result = await importFormFile(xform(model, body), 'form.xml', file(CSV));
    if (!result.ok) throw new Error(result.problems.map(findingText).join('; '));
    expect(result.form.choice_lists['q']?.map(({ name, label }) => [name, label])).toEqual([
      ['0', 'None'],
      ['mango', 'Mango'],
      ['pear', 'Pear'],
    ]);
    expect(result.form.items[0]).not.toHaveProperty('appearance');
  });
});

test('a default that refers to answers is never plain text: it is worked out, or refused where it is wrong', async () => {
  const stops = (preset: string) =>
    survey(
      ['type', 'name', 'label', 'default'],
      ['begin repeat', 'stop', 'Stop', null],
      ['text', 'driver', 'Driver', preset],
      ['end repeat', null, null, null],
    );
  const before = '${stop}[position() = position(current()/..) - 1]/driver';
  expect((await questionOf(stops(before)))?.default_expression).toBe(before);
  expect(await problemsOf(stops('${stop}[position() = '))).toHaveLength(1);
  expect((await questionOf(stops('See (below)')))?.default).toBe('See (below)');
});

test.each([
  ['${nobody}', 'there is no question "nobody"'],
  ['q', 'is no trigger'],
  ['${n}', 'cannot be a trigger'],
])('a trigger that cannot be honoured is refused by name: %s', async (trigger, why) => {
  const problems = await problemsOf(
    survey(
      ['type', 'name', 'label', 'calculation', 'trigger'],
      ['text', 'q', 'Q', null, null],
      ['note', 'n', 'N', null, null],
      ['calculate', 't', null, 'now()', trigger],
    ),
  );
  expect(problems[0]).toContain('survey row 4, trigger: ');
  expect(problems[0]).toContain(why);
});

describe('choices that stand in a file of their own', () => {
  const file = (name: string, text: string) => ({ name, bytes: new TextEncoder().encode(text) });
  const sheets = survey(
    ['type', 'name', 'label', 'choice_filter', 'calculation'],
    ['select_one_from_file places.csv', 'p', 'Place', "kind = 'x'", null],
    ['calculate', 'zip', null, null, "pulldata('places', 'zip', 'name', ${p})"],
    ['text', 'q', 'Why', null, null],
  );
  const places = file('Places.csv', 'name,label,kind,zip\r\na,"A, the first",x,012\r\nb,B,y,34\r\n');

  test('are taken with it, from CSV', async () => {
    const form = { name: 'form.xlsx', bytes: new Uint8Array(workbook(sheets)) };
    const { result } = await readFormFiles([places, form]);
    if (!result.ok) throw new Error(result.problems.map(findingText).join());
    expect(result.form.choice_lists['places']).toEqual([
      { name: 'a', label: 'A, the first', attributes: { kind: 'x', zip: '012' } },
      { name: 'b', label: 'B', attributes: { kind: 'y', zip: '34' } },
    ]);
  });

  test('from GeoJSON, with their places', async () => {
    const feature = {
      type: 'Feature',
      id: 'f1',
      properties: { title: 'Gate' },
      geometry: { type: 'Point', coordinates: [9.1, 48.2] },
    };
    const geo = file('gates.geojson', JSON.stringify({ type: 'FeatureCollection', features: [feature] }));
    const { form } = await formOf(
      survey(['type', 'name', 'label'], ['select_one_from_file gates.geojson', 'g', 'Gate']),
      {
        beside: [geo],
      },
    );
    expect(form.choice_lists['gates']?.[0]).toMatchObject({
      name: 'f1',
      label: 'Gate',
      attributes: { geometry: '48.2 9.1 0 0' },
    });
  });

  test('and are asked for by name where they are not there', async () => {
    expect((await problemsOf(sheets))[0]).toBe(
      'survey row 2, type: its choices stand in the file "places.csv": choose that file together with the form',
    );
  });

  test('a file without the column its names are taken from is refused', async () => {
    const beside = [file('places.csv', 'code,label\na,A\n')];
    const result = await read(sheets, { beside });
    expect(
      result.ok ? '' : findingText(result.problems[0] ?? { sheet: '', row: null, column: null, message: '' }),
    ).toBe('survey row 2, type: "places.csv" has no column "name" to take the choices\' names from');
  });

  test('so is one without the column that the form takes labels from', async () => {
    const labelled = survey(
      ['type', 'name', 'label', 'parameters'],
      ['select_one_from_file places.csv', 'q', 'Q', 'label=title'],
    );
    const titled = await read(labelled, { beside: [file('places.csv', 'name,title\na,A\n')] });
    expect(titled.ok && titled.form.choice_lists['places']).toMatchObject([{ name: 'a', label: 'A' }]);
    const result = await read(labelled, { beside: [file('places.csv', 'name,label\na,A\n')] });
    expect(result.ok ? [] : result.problems.map(findingText)).toEqual([
      'survey row 2, type: "places.csv" has no column "title" to take the choices\' labels from',
    ]);
  });

  test('two forms at once are refused', async () => {
    const form = (name: string) => ({ name, bytes: new Uint8Array(workbook(sheets)) });
    const { result } = await readFormFiles([form('a.xlsx'), form('b.xlsx')]);
    expect(result).toMatchObject({ ok: false, problems: [{ message: expect.stringContaining('a.xlsx, b.xlsx') }] });
  });
});

test.each([
  ['catalog.json', '{"catalog":{}}', /OSCAL catalogue: import it under Frameworks/],
  ['plan.json', '{"plan-of-action-and-milestones":{}}', /plan of action/],
  ['rules.md', '# Rules', /under Policies/],
  ['rules.pdf', '%PDF-1.7', /PDF/],
  ['places.csv', 'name,label', /table in CSV/],
])('a file offered in the wrong place says what it is: %s', async (name, text, message) => {
  const result = await importFormFile(new TextEncoder().encode(text).buffer, name);
  expect(
    result.ok ? '' : findingText(result.problems[0] ?? { sheet: '', row: null, column: null, message: '' }),
  ).toMatch(message);
});

const xform = (model: string, body: string): ArrayBuffer =>
  new TextEncoder().encode(
    `<h:html xmlns="http://www.w3.org/2002/xforms" xmlns:h="http://www.w3.org/1999/xhtml" xmlns:jr="http://openrosa.org/javarosa"><h:head><h:title>T</h:title><model>${model}</model></h:head><h:body>${body}</h:body></h:html>`,
  ).buffer;
const imported = async (file: ArrayBuffer) => {
  const result = await importFormFile(file, 'form.xml');
  if (!result.ok) throw new Error(result.problems.map(findingText).join('; '));
  return { ...result, notes: result.notUnderstood.map(findingText) };
};

describe('an XForm gets the verdict of its workbook', () => {
  test('where it asks for what was said the last time', async () => {
    const { form } = await imported(
      xform(
        '<instance><data id="t"><odo/></data></instance><instance id="__last-saved" src="jr://instance/last-saved"/><bind nodeset="/data/odo" type="int" constraint=". &gt;= instance(\'__last-saved\')/data/odo"/>',
        '<input ref="/data/odo"><label>Odometer</label></input>',
      ),
    );
    expect(form.items[0]).toMatchObject({ constraint: '. >= ${last-saved#odo}' });
  });

  test('where its choices are shuffled, and where expressions look up what no question offers', async () => {
    const list = (id: string, ...names: string[]) =>
      `<instance id="${id}"><root>${names.map(name => `<item><name>${name}</name><label>${name.toUpperCase()}</label></item>`).join('')}</root></instance>`;
    const { form, notes } = await imported(
      xform(
        `<instance><data id="t"><c/><d/></data></instance>${list('l', 'a', 'b')}${list('m', 'a')}<bind nodeset="/data/c" type="string"/><bind nodeset="/data/d" type="string" calculate="instance('m')/root/item[name = /data/c]/label"/>`,
        `<select1 ref="/data/c"><label>C</label><itemset nodeset="randomize(instance('l')/root/item)"><value ref="name"/><label ref="label"/></itemset></select1>`,
      ),
    );
    expect(Object.keys(form.choice_lists)).toEqual(['l', 'm']);
    expect(notes).toEqual(['line 1, randomize: "c": choices are not shuffled; they stand in their order']);
  });

  test('where a change of one answer sets another', async () => {
    const { form } = await imported(
      xform(
        '<instance><data id="t"><q/><t/></data></instance><bind nodeset="/data/t" type="dateTime"/>',
        '<input ref="/data/q"><label>Q</label><setvalue event="xforms-value-changed" ref="/data/t" value="now()"/></input>',
      ),
    );
    expect(form.items[1]).toMatchObject({ type: 'calculate', calculation: 'now()', trigger: '${q}' });
  });
});
