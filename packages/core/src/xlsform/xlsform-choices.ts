import type { Choice } from '../forms/definition/form-definition.ts';
import { isSpaced, spacedSentence } from '../forms/definition/spaced-names.ts';
import { type Finding, findingIn, type Table, type TableRow } from '../workbook/sheet-table.ts';
import { wordsOf } from './xlsform-words.ts';

export type ChoiceLists = Record<string, Choice[]>;

const OTHER_MEDIA: Record<string, string> = {
  'media::audio': 'sounds of choices are not supported: this one was left out',
  'media::video': 'films of choices are not supported: this one was left out',
  'media::big-image': 'a choice has one picture: the big one was left out',
};
const OWN = new Set(['list_name', 'name', 'label', 'score', 'media::image', ...Object.keys(OTHER_MEDIA)]);

/**
 * The choices sheet as lists by name. Further columns become attributes, for choice filters. `spaced` are names that only a
 * question of one choice can use.
 */
export function readChoices(table: Table | null, options: { language: string; duplicates: boolean }) {
  const lists = new Map<string, Choice[]>();
  const seen = new Map<string, Set<string>>();
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
      const names = seen.get(list) ?? new Set();
      seen.set(list, names);
      if (!options.duplicates && names.has(name)) {
        problems.push(at('name', `"${name}" stands twice in the list "${list}"`));
      }
      names.add(name);
      const score = row.cell('score');
      if (score !== '' && !(Number(score) >= 0)) problems.push(at('score', `"${score}" is no number of points`));
      else choices.push(readChoice(row, name, options.language));
      notUnderstood.push(...lostMedia(row).map(({ column, message }) => at(column, message)));
    }
  }
  return { lists: Object.fromEntries(lists) satisfies ChoiceLists, spaced, problems, notUnderstood };
}

function lostMedia(row: TableRow): { column: string; message: string }[] {
  const lost = [...row.filled].flatMap(column => {
    const message = OTHER_MEDIA[column];
    return message === undefined ? [] : [{ column, message }];
  });
  const pictures = new Set(Object.values(row.texts('media::image')));
  if (pictures.size < 2) return lost;
  return [
    ...lost,
    { column: 'media::image', message: 'a choice has one picture for all languages: the first was taken' },
  ];
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
