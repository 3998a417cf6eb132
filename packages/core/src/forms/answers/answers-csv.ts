import { csvText } from '@cairn/base/csv.ts';
import type { Json } from '@cairn/schema';
import { plainValue } from '../definition/plain-value.ts';
import { entryOf, formPath } from '../definition/repeat-path.ts';
import { addedEntries } from '../definition/form-places.ts';
import type { CompiledForm } from '../definition/compiled-form.ts';
import type { Answers } from './answers.ts';

export type ExportedInspection = {
  /** Columns that stand before the answers, e.g. `id`, `finished_at`, `score`. */
  facts: Readonly<Record<string, string | number | null>>;
  answers: Answers;
};

/**
 * Answers of inspections of one version as CSV (RFC 4180, CRLF): a row for each inspection, a column for each question in the
 * order of the form, its note and files beside it where there are any. Entries of repeats are numbered: `tyres[1].tread`.
 * A cell that a spreadsheet program would take for a formula begins with an apostrophe.
 */
export function answersCsv(form: CompiledForm, inspections: readonly ExportedInspection[]): string {
  const rows = inspections.map(({ facts, answers }) => ({ ...facts, ...cellsOf(form, answers) }));
  const facts = [...new Set(inspections.flatMap(inspection => Object.keys(inspection.facts)))];
  const found = new Set(rows.flatMap(row => Object.keys(row)));
  const columns = [...facts, ...[...found].filter(column => !facts.includes(column)).toSorted(inFormOrder(form))];
  const lines = [columns, ...rows.map(row => columns.map(column => new Map(Object.entries(row)).get(column) ?? ''))];
  return csvText(lines);
}

function cellsOf(form: CompiledForm, answers: Answers): Record<string, string | number> {
  const entries = addedEntries(answers);
  const numbered = (path: string): string =>
    path.replaceAll(/\[([^[\]]*)\]/g, (whole, key: string, at: number) => {
      const position = entries.get(path.slice(0, at))?.indexOf(key) ?? -1;
      return position < 0 ? whole : `[${position + 1}]`;
    });
  const cells: Record<string, string | number> = {};
  for (const [path, { value, note, mediaIds, voiceIds = [] }] of answers) {
    const item = form.byPath.get(formPath(path));
    if (entryOf(path) || item?.kind !== 'question' || isGone(path, entries)) continue;
    const column = numbered(path);
    const text = answerText(value);
    if (text !== '') cells[column] = text;
    if (note !== null) cells[`${column} (note)`] = note;
    if (mediaIds.length > 0) cells[`${column} (files)`] = mediaIds.join(' ');
    if (voiceIds.length > 0) cells[`${column} (voice notes)`] = voiceIds.join(' ');
  }
  return cells;
}

/** It stands in an entry that was taken away; entries that are counted are numbers. */
function isGone(path: string, entries: ReturnType<typeof addedEntries>): boolean {
  return [...path.matchAll(/\[([^[\]]*)\]/g)].some(({ 1: key = '', index }) => {
    const present = entries.get(path.slice(0, index));
    return !/^\d+$/.test(key) && !present?.includes(key);
  });
}

function answerText(value: Json): string | number {
  const plain = plainValue(value);
  return typeof plain === 'boolean' ? String(plain) : plain;
}

function inFormOrder(form: CompiledForm): (a: string, b: string) => number {
  const order = new Map(form.questions.map(({ path }, index) => [path, index]));
  const rank = (column: string): number => order.get(formPath(column.replace(/ \(\w+\)$/, ''))) ?? order.size;
  const numbers = (column: string): number[] => [...column.matchAll(/\[(\d+)\]/g)].map(match => Number(match[1]));
  return (a, b) => {
    const [before, after] = [numbers(a), numbers(b)];
    const entry = before.findIndex((number, index) => number !== after[index]);
    const sameRepeat = a.slice(0, a.indexOf('[')) === b.slice(0, b.indexOf('[')) && before.length > 0;
    if (sameRepeat && entry >= 0 && entry < after.length) return (before[entry] ?? 0) - (after[entry] ?? 0);
    return rank(a) - rank(b) || a.length - b.length || (a < b ? -1 : 1);
  };
}
