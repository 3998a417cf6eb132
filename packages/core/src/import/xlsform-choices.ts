import type { Choice } from '../field-ops/form-definition.ts';
import { type Finding, type Table, type TableRow } from './sheet-table.ts';
import { wordsOf } from './xlsform-words.ts';

export type ChoiceLists = Record<string, Choice[]>;

const OWN = new Set(['list_name', 'name', 'label', 'score', 'media::image', 'media::audio', 'media::video']);

/** The choices sheet as lists by name. Further columns become attributes, for choice filters. */
export function readChoices(table: Table | null, options: { language: string; duplicates: boolean }) {
  const lists: ChoiceLists = {};
  const problems: Finding[] = [];
  const notUnderstood: Finding[] = [];
  for (const row of table?.rows ?? []) {
    const at = (column: string, message: string): Finding => ({
      sheet: table?.sheet ?? '',
      row: row.number,
      column,
      message,
    });
    const list = row.cell('list_name');
    const name = row.cell('name');
    if (list === '') notUnderstood.push(at('list_name', 'this row names no list'));
    else if (name === '') problems.push(at('name', 'a choice needs a name'));
    else {
      const choices = (lists[list] ??= []);
      if (!options.duplicates && choices.some(choice => choice.name === name)) {
        problems.push(at('name', `"${name}" stands twice in the list "${list}"`));
      }
      const score = row.cell('score');
      if (score !== '' && !(Number(score) >= 0)) problems.push(at('score', `"${score}" is no number of points`));
      else choices.push(readChoice(row, name, options.language));
      for (const column of row.filled) {
        if (column.startsWith('media::'))
          notUnderstood.push(at(column, 'pictures and sounds of choices are not supported'));
      }
    }
  }
  return { lists, problems, notUnderstood };
}

function readChoice(row: TableRow, name: string, language: string): Choice {
  const label = wordsOf(row, 'label', language);
  const score = row.cell('score');
  const columns = [...row.filled].filter(column => !OWN.has(column));
  return {
    name,
    ...(label !== undefined && { label }),
    ...(score !== '' && { score: Number(score) }),
    ...(columns.length > 0 && { attributes: Object.fromEntries(columns.map(column => [column, row.cell(column)])) }),
  };
}
