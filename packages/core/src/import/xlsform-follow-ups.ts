import type { FormItem, OnFail, Question, Rule } from '../field-ops/form-definition.ts';
import { isGroup } from '../field-ops/form-definition.ts';
import { type Finding, findingIn, type Table, type TableRow } from './sheet-table.ts';
import { yesNo } from './xlsform-question.ts';
import { wordsOf } from './xlsform-words.ts';

const COLUMNS = new Set(['question', 'when', 'action', 'action_title', 'photo', 'note', 'priority', 'due_in_days']);
const PRIORITIES = ['low', 'medium', 'high', 'critical'] as const;

/**
 * Reads the sheet `follow_ups`, which is ours: what an answer asks for besides. A row without `when` is what failing asks
 * for. The questions get them.
 */
export function readFollowUps(table: Table | null, items: readonly FormItem[], language: string) {
  const problems: Finding[] = [];
  const notUnderstood: Finding[] = [];
  const questions = questionsIn(items, '');
  for (const row of table?.rows ?? []) {
    const at = findingIn(table, row);
    const question = questions.get(row.cell('question'));
    const days = row.cell('due_in_days');
    const priority = PRIORITIES.find(each => each === (row.cell('priority').toLowerCase() || 'medium'));
    if (!question) problems.push(at('question', `there is no question at "${row.cell('question')}"`));
    else if (!priority) problems.push(at('priority', `"${row.cell('priority')}" is no priority`));
    else if (days !== '' && !(Number.isInteger(Number(days)) && Number(days) >= 0 && Number(days) <= 3650)) {
      problems.push(at('due_in_days', `"${days}" is no number of days from 0 to 3650`));
    } else take(question, row, { priority, language });
    for (const column of row.filled) {
      if (!COLUMNS.has(column)) notUnderstood.push(at(column, 'this column is not supported and was left out'));
    }
  }
  return { problems, notUnderstood };
}

function* eachQuestion(items: readonly FormItem[], above: string): Generator<[string, Question]> {
  for (const item of items) {
    if (isGroup(item)) yield* eachQuestion(item.items, `${above}${item.name}.`);
    else yield [`${above}${item.name}`, item];
  }
}

const questionsIn = (items: readonly FormItem[], above: string): Map<string, Question> =>
  new Map(eachQuestion(items, above));

function take(
  question: Question,
  row: TableRow,
  { priority, language }: { priority: OnFail['priority']; language: string },
): void {
  const title = wordsOf(row, 'action_title', language);
  const days = row.cell('due_in_days');
  const needs = (column: string) => (yesNo(row.cell(column)) === true ? 'required' : 'optional');
  const when = row.cell('when');
  const asked: Omit<Rule, 'when'> = {
    action: yesNo(row.cell('action')) === true,
    ...(title !== undefined && { title }),
    photo: needs('photo'),
    note: needs('note'),
    priority,
    ...(days !== '' && { due_in_days: Number(days) }),
  };
  if (when === '') question.on_fail = asked;
  else question.rules = [...(question.rules ?? []), { when, ...asked }];
}
