import { describe, expect, test } from 'vitest';
import { stateAt } from '@cairn/testing/form-places.ts';
import { type Cell, type Sheets, workbook } from '@cairn/testing/workbook-builder.ts';
import { compileForm } from '../forms/definition/compiled-form.ts';
import { formState } from '../forms/answers/form-state.ts';
import type { ImportResult } from '../odk/checked-form.ts';
import { importFormFile } from './form-file.ts';
import { findingText } from '../workbook/sheet-table.ts';

const moment = { today: '2026-11-21', now: '2026-11-21T09:00:00.000Z' };
const bytes = (content: string): ArrayBuffer => new Uint8Array(new TextEncoder().encode(content)).buffer;

/** What is wrong with a file, or what was not taken from it. */
function outcomeOf(result: ImportResult): { refused: string[] } | { notes: string[] } {
  return result.ok ? { notes: result.notUnderstood.map(findingText) } : { refused: result.problems.map(findingText) };
}
const read = async (sheets: Sheets) => outcomeOf(await importFormFile(workbook(sheets), 'form.xlsx'));

const CHOICES: Cell[][] = [
  ['list_name', 'name', 'label'],
  ['l', 'a b', 'First'],
  ['l', 'b', 'Second'],
  ['fine', 'c', 'Third'],
];

const xform = (body: string, instance = '<q/>', binds = '<bind nodeset="/data/q" type="string"/>', more = '') =>
  bytes(`<?xml version="1.0"?>
<h:html xmlns="http://www.w3.org/2002/xforms" xmlns:h="http://www.w3.org/1999/xhtml"><h:head><h:title>x</h:title><model>
<instance><data id="x">${instance}</data></instance>${more}
${binds}</model></h:head><h:body>
${body}
</h:body></h:html>`);

describe('a name of a choice holds no space where several can be chosen: spaces keep names apart there', () => {
  const SPACED = '"a b" has a space, which keeps the names of several choices apart: write a_b';

  test.each(['select_multiple l', 'rank l'])('%s refuses it with the row of the choice', async type => {
    const survey = [
      ['type', 'name'],
      [type, 'q'],
      ['select_multiple fine', 'r'],
    ];
    expect(await read({ survey, choices: CHOICES })).toEqual({ refused: [`choices row 2, name: ${SPACED}`] });
  });

  test('select_one takes it as it is', async () => {
    const survey = [
      ['type', 'name'],
      ['select_one l', 'q'],
    ];
    expect(await read({ survey, choices: CHOICES })).toEqual({ notes: [] });
  });

  test('an XForm refuses it with the line of the question', async () => {
    const items = '<item><label>F</label><value>a b</value></item>';
    const several = xform(`<select ref="/data/q"><label>Q</label>\n${items}</select>`);
    expect(outcomeOf(await importFormFile(several, 'x.xml'))).toEqual({ refused: [`line 5: "q": ${SPACED}`] });
    const one = xform(`<select1 ref="/data/q"><label>Q</label>${items}</select1>`);
    expect(outcomeOf(await importFormFile(one, 'x.xml'))).toEqual({ notes: [] });
  });

  test('our own JSON refuses it with its path', async () => {
    const form = (type: string) =>
      bytes(
        JSON.stringify({
          format: 1,
          title: 't',
          choice_lists: { l: [{ name: 'c' }, { name: 'a b' }] },
          items: [{ type: 'group', name: 'g', items: [{ type, name: 'q', list: 'l' }] }],
        }),
      );
    expect(outcomeOf(await importFormFile(form('rank'), 'x.json'))).toEqual({
      refused: [`form, choice_lists.l[1].name: ${SPACED}`],
    });
    expect(outcomeOf(await importFormFile(form('select_one'), 'x.json'))).toEqual({ notes: [] });
  });
});

describe('a default that cannot be an answer is not one', () => {
  const choices: Cell[][] = [
    ['list_name', 'name'],
    ['l', 'x'],
    ['l', 'y'],
  ];
  const withDefault = (type: string, given: Cell, parameters: Cell = null): Sheets => ({
    survey: [
      ['type', 'name', 'default', 'parameters'],
      ['text', 'first'],
      [type, 'q', given, parameters],
    ],
    choices,
  });

  test.each<[string, Cell, string]>([
    ['date', '2026-02-31', '"2026-02-31" is no day, written 2026-11-21, and was left out'],
    ['time', '25:99', '"25:99" is no time, written 17:30, and was left out'],
    [
      'dateTime',
      '2026-11-21 9:00',
      '"2026-11-21 9:00" is no day with a time, written 2026-11-21T17:30, and was left out',
    ],
    ['select_one l', 'nope', '"nope" is no choice of the list "l" and was left out'],
    ['select_multiple l', 'x nope', '"nope" is no choice of the list "l" and was left out'],
    ['rank l', 'x', '"x" does not put each choice of the list "l" into an order and was left out'],
    ['pass_fail', 'maybe', '"maybe" is none of pass, fail and na and was left out'],
    ['acknowledge', 'OK', 'a question of this kind cannot have a default; it was left out'],
    ['geopoint', '48.1 11.5 0 0', 'a question of this kind cannot have a default; it was left out'],
    ['image', 'a.png', 'a question of this kind cannot have a default; it was left out'],
  ])('%s: %s is noted and left out', async (type, given, note) => {
    const result = await importFormFile(workbook(withDefault(type, given)), 'form.xlsx');
    expect(outcomeOf(result)).toEqual({ notes: [`survey row 3, default: ${note}`] });
    expect(result.ok && result.form.items[1]).not.toHaveProperty('default');
  });

  test.each<[string, Cell, string]>([
    ['integer', 1.5, '"1.5" is no whole number'],
    ['integer', '99999999999999999999999', '"99999999999999999999999" is no whole number that can be counted to'],
    ['range', 2.5, '"2.5" is not on this range'],
    ['range', 11, '"11" is not on this range'],
    ['timer', -1, '"-1" is no number of seconds'],
  ])('%s: %s is refused, as what is no number is', async (type, given, problem) => {
    const sheets =
      type === 'timer'
        ? {
            survey: [
              ['type', 'name', 'appearance', 'default'],
              ['decimal', 'f'],
              ['decimal', 'q', 'timer', given],
            ],
          }
        : withDefault(type, given);
    expect(await read(sheets)).toEqual({ refused: [`survey row 3, default: ${problem}`] });
  });

  test.each<[string, Cell]>([
    ['date', '2024-02-29'],
    ['time', '07:30'],
    ['dateTime', '2026-11-21T09:00:00.000+01:00'],
    ['select_one l', 'y'],
    ['select_one l or_other', 'other'],
    ['select_multiple l', 'y x'],
    ['rank l', 'y x'],
    ['integer', -7],
    ['range', 3],
    ['text', 'today'],
  ])('%s: %s stands', async (type, given) => {
    const result = await importFormFile(workbook(withDefault(type, given)), 'form.xlsx');
    expect(outcomeOf(result)).toEqual({ notes: [] });
    expect(result.ok && result.form.items[1]).toHaveProperty('default');
  });

  test('an XForm says the same with the line of the node', async () => {
    const instance = '<d>2026-02-31</d>\n<q>z</q><n>1.5</n>';
    const binds = ['d" type="date', 'q" type="string', 'n" type="int'].map(each => `<bind nodeset="/data/${each}"/>`);
    const body = `<input ref="/data/d"><label>D</label></input>
<select1 ref="/data/q"><label>Q</label><item><label>A</label><value>a</value></item></select1>`;
    expect(outcomeOf(await importFormFile(xform(body, instance, binds.join('')), 'x.xml'))).toEqual({
      notes: [
        'line 3, default: "d": "2026-02-31" is no day, written 2026-11-21, and was left out',
        'line 4, default: "q": "z" is no choice of the list "q" and was left out',
      ],
    });
    const whole = `<input ref="/data/n"><label>N</label></input>`;
    expect(outcomeOf(await importFormFile(xform(whole, instance, binds.join('')), 'x.xml'))).toEqual({
      refused: ['line 4, default: "1.5" is no whole number'],
    });
  });

  test('a day where a moment is asked for is that day at 00:00, a moment where a day is asked for its day', async () => {
    const result = await importFormFile(
      workbook({
        survey: [
          ['type', 'name', 'default'],
          ['dateTime', 'moment', 'today()'],
          ['date', 'day', 'now()'],
        ],
      }),
      'form.xlsx',
    );
    if (!result.ok) throw new Error('not imported');
    const compiled = compileForm(result.form);
    if (!compiled.ok) throw new Error('not compiled');
    const state = formState(compiled.compiled, new Map(), moment);
    expect(stateAt(state, 'moment')).toMatchObject({ value: '2026-11-21T00:00', problem: null });
    expect(stateAt(state, 'day')).toMatchObject({ value: '2026-11-21', problem: null });
  });
});
