import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { habitDays } from './habit-days.ts';
import { readLoopExport } from './loop-import.ts';
import { streaks } from './strength.ts';

const HEAD =
  'Position,Name,Type,Question,Description,FrequencyNumerator,FrequencyDenominator,Color,Unit,Target Type,Target Value,Archived?\n';

/** Habits as Loop's zip has them: their rows, and the common table below its head. */
const exported = (habits: string, checkmarks: string) =>
  readLoopExport(zipSync({ 'Habits.csv': strToU8(HEAD + habits), 'Checkmarks.csv': strToU8(checkmarks) }).buffer);

const told = (habits: ReturnType<typeof readLoopExport>) =>
  habits.map(({ fields, entries }) => [
    fields.name,
    `${fields.times}/${fields.perDays}`,
    entries.map(({ day, value, amount }) => `${day.slice(8)} ${amount ?? value}`).join(' '),
  ]);

test('a comma or a quote in a name shifts no day to another habit: the head has names as they are', () => {
  const habits =
    '001,"Run, walk",YES_NO,,,1,1,,,,,false\n002,"""Zen"" sit",YES_NO,,,2,7,,,,,false\n003,Read,YES_NO,,,3,7,,,,,false\n';
  const checkmarks =
    'Date,Run, walk,"Zen" sit,Read,\n2026-01-03,YES_MANUAL,NO,NO,\n2026-01-02,NO,YES_MANUAL,YES_MANUAL,\n2026-01-01,YES_MANUAL,NO,SKIP,\n';
  expect(told(exported(habits, checkmarks))).toEqual([
    ['Run, walk', '1/1', '03 done 02 no 01 done'],
    ['"Zen" sit', '2/7', '03 no 02 done 01 no'],
    ['Read', '3/7', '03 no 02 done 01 skip'],
  ]);
});

test('a name that opens a quote and never closes it takes no line with it', () => {
  const habits = '001,"""Read",YES_NO,,,1,1,,,,,false\n002,Walk,YES_NO,,,1,1,,,,,false\n';
  const checkmarks = 'Date,"Read,Walk,\n2026-01-02,YES_MANUAL,NO,\n2026-01-01,NO,YES_MANUAL,\n';
  expect(told(exported(habits, checkmarks))).toEqual([
    ['"Read', '1/1', '02 done 01 no'],
    ['Walk', '1/1', '02 no 01 done'],
  ]);
});

test('without the table that tells its names, days that could be of another habit are refused', () => {
  const alone = 'Date,Run, walk,Read,\n2026-01-01,YES_MANUAL,NO,\n';
  expect(() => readLoopExport(strToU8(alone).buffer)).toThrow('comma');
});

test('amounts come in as they were: zero is a value, skipped and unknown are none', () => {
  const habits =
    '001,Water,NUMERICAL,,,1,1,,glasses,AT_LEAST,8.0,false\n002,Cups,NUMERICAL,,,1,1,,,AT_MOST,"2,5",false\n003,Run,NUMERICAL,,,1,7,,km,AT_LEAST,20.0,false\n';
  const checkmarks =
    'Date,Water,Cups,Run,\n2026-01-04,NO,0,10000,\n2026-01-03,7500,3000,NO,\n2026-01-02,SKIP,3,UNKNOWN,\n2026-01-01,UNKNOWN,-1,10000,\n';
  const [water, cups, run] = exported(habits, checkmarks);
  expect(told([water, cups, run].flatMap(habit => habit ?? []))).toEqual([
    ['Water', '1/1', '04 0 03 7.5 02 skip'],
    ['Cups', '1/1', '04 0 03 3 02 skip'],
    ['Run', '1/7', '04 10 03 0 01 10'],
  ]);
  expect(cups?.fields).toMatchObject({ target: 2.5, targetKind: 'at_most' });
  if (!run) throw new Error('no habit');
  const { kind, target, targetKind: target_kind, times, perDays: per_days } = run.fields;
  const rule = { kind, target, target_kind, times, per_days };
  const days = habitDays({ rule, entries: run.entries, pauses: [], from: '2026-01-01', to: '2026-01-04' });
  expect(streaks(rule, days).present).toBe(4);
});

const HABITS =
  '001,"Run, walk",YES_NO,,,1,1,,,,,false\n002,Read,YES_NO,,,3,7,,,,,false\n003,Run,NUMERICAL,,,1,7,,km,AT_LEAST,20.0,false\n';

test('the export of one habit or a few, whose names have commas, finds them among all of Habits.csv', () => {
  expect(told(exported(HABITS, 'Date,Run, walk,\n2026-01-02,YES_MANUAL,\n2026-01-01,NO,\n'))).toEqual([
    ['Run, walk', '1/1', '02 done 01 no'],
  ]);
  expect(told(exported(HABITS, 'Date,Run, walk,Run,\n2026-01-02,NO,12500,\n'))).toEqual([
    ['Run, walk', '1/1', '02 no'],
    ['Run', '1/7', '02 12.5'],
  ]);
});

test('a zip packed again with a folder around its files is read', () => {
  const again = zipSync({
    'Loop Habits CSV 2026-01-02/Habits.csv': strToU8(HEAD + HABITS),
    'Loop Habits CSV 2026-01-02/Checkmarks.csv': strToU8('Date,Run, walk,Read,Run,\n2026-01-02,NO,SKIP,NO,\n'),
    'Loop Habits CSV 2026-01-02/002 Read/Checkmarks.csv': strToU8('Date,Value,Notes\n2026-01-02,NO,\n'),
  });
  expect(told(readLoopExport(again.buffer))).toEqual([
    ['Run, walk', '1/1', '02 no'],
    ['Read', '3/7', '02 skip'],
    ['Run', '1/7', '02 0'],
  ]);
});

test.each([
  ['the scores', 'Date,Read,Run,\n2026-01-02,0.5346,0.1200,\n'],
  ['days a spreadsheet wrote anew', 'Date,Read,Run\n02.01.2026,YES_MANUAL,NO\n'],
  ['the file of one habit', 'Date,Value,Notes\n2026-01-02,YES_MANUAL,"good, day"\n'],
])('%s are refused instead of read as habits without days', (_, text) => {
  expect(() => readLoopExport(strToU8(text).buffer)).toThrow('readLoopExport');
});

test('of the common table alone, amounts are kept and not taken for days of yes or no', () => {
  const csv = 'Date,Water,Run,\n2026-03-02,1500,2,\n2026-03-01,UNKNOWN,0,\n';
  const [water, run] = readLoopExport(strToU8(csv).buffer);
  expect(water).toMatchObject({
    fields: { name: 'Water', kind: 'number', target: 0 },
    entries: [{ day: '2026-03-02', value: 'done', amount: 1.5 }],
  });
  expect(run).toMatchObject({
    fields: { name: 'Run', kind: 'yes_no' },
    entries: [{ value: 'done' }, { value: 'no' }],
  });
});
