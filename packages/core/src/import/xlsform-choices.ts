import type { Choice } from '../field-ops/form-definition.ts';
import { isSpaced, spacedSentence } from '../field-ops/spaced-names.ts';
import { type Finding, findingIn, type Table, type TableRow } from './sheet-table.ts';
import { wordsOf } from './xlsform-words.ts';

export type ChoiceLists = Record<string, Choice[]>;

const OTHER_MEDIA = new Set(['media::audio', 'media::video']);
const OWN = new Set(['list_name', 'name', 'label', 'score', 'media::image', ...OTHER_MEDIA]);

/**
 * The choices sheet as lists by name. Further columns become attributes, for choice filters. `spaced` are names that only a
 * question of one choice can use.
 */
export function readChoices(table: Table | null, options: { language: string; duplicates: boolean }) {
  const lists = new Map<string, Choice[]>();
  const problems: Finding[] = [];
  const notUnderstood: Finding[] = [];
  const spaced: { list: string; finding: Finding }[] = [];
  for (const row of table?.rows ?? []) {
    const at = findingIn(table, row);
    const list = row.cell('list_name');
    const name = row.cell('name');
    if (list === '') notUnderstood.push(at('list_name', 'this row names no list'));
    else if (list === '__proto__') problems.push(at('list_name', '"__proto__" cannot be the name of a list'));
    else if (name === '') problems.push(at('name', 'a choice needs a name'));
    else {
      const choices = lists.get(list) ?? [];
      lists.set(list, choices);
      if (isSpaced({ name })) spaced.push({ list, finding: at('name', spacedSentence(name)) });
      if (!options.duplicates && choices.some(choice => choice.name === name)) {
        problems.push(at('name', `"${name}" stands twice in the list "${list}"`));
      }
      const score = row.cell('score');
      if (score !== '' && !(Number(score) >= 0)) problems.push(at('score', `"${score}" is no number of points`));
      else choices.push(readChoice(row, name, options.language));
      for (const column of row.filled) {
        if (OTHER_MEDIA.has(column)) notUnderstood.push(at(column, 'sounds and films of choices are not supported'));
      }
    }
  }
  return { lists: Object.fromEntries(lists) satisfies ChoiceLists, spaced, problems, notUnderstood };
}

function readChoice(row: TableRow, name: string, language: string): Choice {
  const label = wordsOf(row, 'label', language);
  const score = row.cell('score');
  const columns = [...row.filled].filter(column => !OWN.has(column));
  return {
    name,
    ...(label !== undefined && { label }),
    ...(score !== '' && { score: Number(score) }),
    ...(row.cell('media::image') !== '' && { image: row.cell('media::image') }),
    ...(columns.length > 0 && { attributes: Object.fromEntries(columns.map(column => [column, row.cell(column)])) }),
  };
}
