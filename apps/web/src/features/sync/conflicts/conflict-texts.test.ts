// @vitest-environment jsdom
import { readFileSync } from 'node:fs';
import i18n from 'i18next';
import { beforeAll, describe, expect, test } from 'vitest';
import { columns, serverColumns, type TableName } from '@cairn/schema';
import { syncedTables } from '@cairn/schema/synced-tables.ts';
import type { Conflict } from '@cairn/sync/outbox/outbox-item.ts';
import germanWords from '../../../shared/i18n/de/record-labels.json';
import german from '../../../shared/i18n/de/sync.json';
import recordLabels from '../../../shared/i18n/en/record-labels.json';
import sync from '../../../shared/i18n/en/sync.json';
import { addTexts, startI18n } from '../../../shared/i18n/start-i18n.ts';
import { NO_NAMES } from './conflict-names.ts';
import { questionsOf } from './conflict-questions.ts';
import { conflictName, editorOf, questionText } from './field-text.ts';
import { isFreeText } from './free-text.ts';
import { codeText, fieldName } from './record-text.ts';
import { sidesText, type ValueContext } from './value-text.ts';

const HERE = '00000000-0000-4000-8000-0000000000c1';
const THERE = '11111111-1111-4111-8111-1111111111c2';

beforeAll(async () => {
  await startI18n();
  addTexts('sync', sync);
  addTexts('recordLabels', recordLabels);
  i18n.addResourceBundle('de', 'sync', german);
  i18n.addResourceBundle('de', 'recordLabels', germanWords);
});

/** The type of every column as it was made from the SQL: its check constraints are in it. */
function columnTypes(): Map<string, string> {
  const file = `${import.meta.dirname}/../../../../../../packages/schema/src/generated/database.ts`;
  const [, rows = ''] = /export type Tables = \{\n(.*?)\n\};/s.exec(readFileSync(file, 'utf8')) ?? [];
  const types = new Map<string, string>();
  for (const [, table = '', body = ''] of rows.matchAll(/^ {2}(\w+): \{\n(.*?)^ {2}\};/gms))
    for (const [, column = '', type = ''] of body.matchAll(/^ {4}(\w+)\??: (.*);$/gm))
      types.set(`${table}.${column}`, type);
  return types;
}

const types = columnTypes();
const tables = Object.keys(syncedTables) as TableName[];
const fields = tables.flatMap(table =>
  columns[table]
    .filter(column => column !== 'id' && !serverColumns[table].includes(column))
    .map(column => ({ table, column, type: types.get(`${table}.${column}`) ?? '' })),
);

const codesIn = (type: string): string[] => [...type.matchAll(/'([^']+)'/g)].map(([, code = '']) => code);

/** Two values that differ for every way a column of this type may be filled. */
function pairs(table: TableName, column: string, type: string): [unknown, unknown][] {
  const codes = codesIn(type);
  if (codes.length > 0) return codes.map((code, at) => [code, codes[at + 1] ?? null]);
  if (type.startsWith('number')) return [[1, 2.5]];
  if (type.startsWith('boolean')) return [[true, false]];
  if (type.startsWith('Json') && isFreeText(table, column)) return [[['wet', 'cold'], ['wet']]];
  if (type.startsWith('Json'))
    return [
      [
        { show_it: true, deep_one: { a_b: 1 } },
        { show_it: false, deep_one: { a_b: 1 } },
      ],
      [
        { default_view: 'today', media_ids: [HERE] },
        { default_view: 'week', media_ids: [THERE] },
      ],
      [[{ some_key: HERE }], [{ some_key: THERE }]],
      [[{ title: 'Ladder' }], [{ title: 'Rope' }]],
      [[HERE], [THERE]],
      [true, false],
    ];
  const words: [unknown, unknown][] = [['Near the north door', 'Near the south door']];
  if (isFreeText(table, column)) return words;
  return [
    ...words,
    [HERE, THERE],
    ['2026-11-21', '2026-11-22'],
    ['2026-11-21T09:00:00Z', '2026-11-22T09:00:00Z'],
    ['some_code', 'other_code'],
    ['FREQ=WEEKLY;BYDAY=MO', 'FREQ=WEEKLY;BYDAY=TU'],
    ['America/New_York', 'Europe/Berlin'],
    ['{"a_b":1}', '{"a_b":2}'],
    ['true', 'false'],
  ];
}

const NO_WORDS = /[\da-f]{8}-[\da-f]{4}-|\w_\w|\b(true|false)\b|[{}]|FREQ=|undefined/;

function conflictOf(table: TableName, column: string, [mine, theirs]: readonly [unknown, unknown]): Conflict {
  const row = { id: HERE, title: 'Ladder', name: 'Ladder', question: 'q_1', role: 'customer_support', key: 'our_name' };
  return {
    id: THERE,
    table,
    recordId: HERE,
    title: syncedTables[table].title({ ...row, permission: 'a.b_c', tier: 'personal_creator' } as never),
    kind: 'fields',
    fields: [{ f: column, base: null, mine, theirs }],
    mine: { [column]: mine },
    at: 0,
    resolved: false,
    resolution: null,
    resolvedAt: null,
    written: null,
  };
}

function textsOf(conflict: Conflict) {
  const t = i18n.getFixedT(null, 'sync');
  const { table } = conflict;
  const telling: ValueContext = { table, people: new Map(), names: NO_NAMES, t };
  return questionsOf(conflict).map(({ lead }) => ({
    question: questionText({ table, lead }, conflictName(conflict, NO_NAMES, t), t),
    ...sidesText(lead.f, lead, telling),
  }));
}

test('every synced table and column with its type is walked', () => {
  expect(tables.length).toBeGreaterThan(70);
  expect(fields.length).toBeGreaterThan(600);
  expect(fields.filter(({ type }) => type === '')).toEqual([]);
});

describe.each(['en', 'de'])('conflicts in %s', language => {
  beforeAll(() => i18n.changeLanguage(language));

  test('no question and no value shows an id, a code or what only programs read', () => {
    const bad = fields.flatMap(({ table, column, type }) =>
      pairs(table, column, type).flatMap(pair =>
        textsOf(conflictOf(table, column, pair)).flatMap(each =>
          Object.values(each)
            .filter(words => words === '' || NO_WORDS.test(words))
            .map(words => `${table}.${column}: ${words}`),
        ),
      ),
    );
    expect([...new Set(bad)]).toEqual([]);
  });

  test('two values that differ never read the same', () => {
    const alike = fields.flatMap(({ table, column, type }) =>
      pairs(table, column, type).flatMap(pair =>
        textsOf(conflictOf(table, column, pair))
          .filter(({ mine, theirs }) => mine === theirs)
          .map(({ mine }) => `${table}.${column}: ${mine}`),
      ),
    );
    expect(alike).toEqual([]);
  });

  test('every value the database knows for a column has words', () => {
    const wordless = fields.flatMap(({ table, column, type }) =>
      codesIn(type)
        .filter(code => codeText(table, column, code) === null)
        .map(code => `${table}.${column} = ${code}`),
    );
    expect(wordless).toEqual([]);
  });

  test('what people write and choose has a name of its own', () => {
    const edited: TableName[] = [
      'tasks',
      'task_items',
      'task_series',
      'action_items',
      'issue_reports',
      'inspections',
      'inspection_answers',
      'assets',
      'sites',
      'teams',
      'comments',
      'schedules',
      'evidence',
      'findings',
      'goals',
      'goal_milestones',
      'goal_check_ins',
      'habits',
      'habit_entries',
      'wellness_check_ins',
      'circle_sessions',
      'user_preferences',
      'workflow_rules',
    ];
    // Marks that nobody types: where a row came from, and that a person chose.
    const marks = ['external_id', 'content_hash', 'look_up_hash', 'round', 'source_fields', 'locale_chosen'];
    const untold = new Set(marks);
    const nameless = fields.filter(
      ({ table, column }) => edited.includes(table) && !untold.has(column) && fieldName(column) === null,
    );
    expect(nameless.map(({ table, column }) => `${table}.${column}`)).toEqual([]);
  });
});

test('the levels offered are those the column of each table takes', () => {
  const levels = fields.filter(({ column }) => column === 'priority');
  expect(levels.map(({ table }) => table)).toEqual(expect.arrayContaining(['tasks', 'task_series', 'action_items']));
  for (const { table, type } of levels) {
    const editor = editorOf(table, 'priority');
    expect(editor).toEqual({ by: 'level', levels: codesIn(type) });
  }
});

test('what people wrote stays as they wrote it, also where it reads like a code', () => {
  void i18n.changeLanguage('en');
  expect(textsOf(conflictOf('tasks', 'title', ['done', 'in_progress']))).toMatchObject([
    { mine: 'done', theirs: 'in_progress' },
  ]);
  expect(textsOf(conflictOf('tasks', 'status', ['done', 'in_progress']))).toMatchObject([
    { mine: 'Done', theirs: 'In progress' },
  ]);
});

test('two sites that are not on this device are told apart by who chose them', () => {
  void i18n.changeLanguage('en');
  expect(textsOf(conflictOf('assets', 'site_id', [HERE, THERE]))).toMatchObject([
    { mine: 'Another site (yours)', theirs: 'Another site (theirs)' },
  ]);
});
