import type { FormItem, FailActionRule, Question, Rule } from '../forms/definition/form-definition.ts';
import { MAX_DUE_DAYS, MAX_DUE_HOURS } from '../forms/definition/follow-up-shape.ts';
import { isGroup } from '../forms/definition/form-definition.ts';
import { isRuleAssignee } from '../forms/definition/rule-assignee.ts';
import { FOLLOW_UP_COLUMNS } from '../workbook/sheet-columns.ts';
import { type Finding, findingIn, type Table, type TableRow } from '../workbook/sheet-table.ts';
import { yesNo } from './xlsform-question.ts';
import { wordsOf } from './xlsform-words.ts';

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
    const priority = PRIORITIES.find(each => each === (row.cell('priority').toLowerCase() || 'medium'));
    if (!question) problems.push(at('question', `there is no question at "${row.cell('question')}"`));
    else if (!priority) problems.push(at('priority', `"${row.cell('priority')}" is no priority`));
    else {
      const wrong = wrongIn(row);
      if (wrong) problems.push(at(wrong.column, wrong.message));
      else take(question, row, { priority, language });
    }
    for (const column of row.filled) {
      if (!FOLLOW_UP_COLUMNS.has(column))
        notUnderstood.push(at(column, 'this column is not supported and was left out'));
    }
  }
  return { problems, notUnderstood };
}

/** What is wrong with until when and by whom; null where nothing is. */
function wrongIn(row: TableRow): { column: string; message: string } | null {
  const [days, hours, assignee] = ['due_in_days', 'due_in_hours', 'assignee'].map(column => row.cell(column));
  if (days && !isWhole(days, 0, MAX_DUE_DAYS))
    return { column: 'due_in_days', message: `"${days}" is no number of days from 0 to ${MAX_DUE_DAYS}` };
  if (hours && !isWhole(hours, 1, MAX_DUE_HOURS))
    return { column: 'due_in_hours', message: `"${hours}" is no number of hours from 1 to ${MAX_DUE_HOURS}` };
  if (assignee && !isRuleAssignee(assignee))
    return {
      column: 'assignee',
      message: `"${assignee}" is nobody: role:member, role:manager, role:admin, conductors_manager or person: and an id`,
    };
  return null;
}

const isWhole = (text: string, from: number, to: number): boolean =>
  Number.isInteger(Number(text)) && Number(text) >= from && Number(text) <= to;

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
  { priority, language }: { priority: FailActionRule['priority']; language: string },
): void {
  const title = wordsOf(row, 'action_title', language);
  const [days, hours, assignee] = [row.cell('due_in_days'), row.cell('due_in_hours'), row.cell('assignee')];
  const needs = (column: string) => (yesNo(row.cell(column)) === true ? 'required' : 'optional');
  const when = row.cell('when');
  const asked: Omit<Rule, 'when'> = {
    action: yesNo(row.cell('action')) === true,
    ...(title !== undefined && { title }),
    photo: needs('photo'),
    note: needs('note'),
    priority,
    ...(days !== '' && { due_in_days: Number(days) }),
    ...(hours !== '' && { due_in_hours: Number(hours) }),
    ...(isRuleAssignee(assignee) && { assignee }),
  };
  if (when === '') question.on_fail = asked;
  else question.rules = [...(question.rules ?? []), { when, ...asked }];
}
