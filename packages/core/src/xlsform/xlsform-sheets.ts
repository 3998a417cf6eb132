import {
  type Choice,
  type FormDefinition,
  type FormItem,
  type Group,
  isGroup,
  type FailActionRule,
  type Question,
} from '../forms/definition/form-definition.ts';
import type { Words } from '../forms/definition/words.ts';
import { questionTypeDef } from '../forms/question-types/question-types.ts';
import { typeAppearance } from '../odk/type-appearance.ts';
import { otherQuestion } from './xlsform-survey.ts';

/** One row of a sheet: cells by their column. */
type Row = Record<string, string>;

/** A sheet with its columns in order; a row holds only what is not empty. */
export type OutSheet = { name: string; columns: string[]; rows: Row[] };

/**
 * A form as the sheets of an XLSForm workbook. Columns beyond XLSForm (points, N/A, the sheet `follow_ups`) are ours: other
 * programs leave them out, our importer reads them.
 */
export function xlsFormSheets(form: FormDefinition): OutSheet[] {
  const languages = form.languages;
  const survey = [...surveyRows(form.items)];
  const choices = Object.entries(form.choice_lists).flatMap(([list, all]) =>
    all.map(choice => choiceRow(list, choice)),
  );
  const asked = [...followUpRows(form.items, '')];
  const sheets = [
    sheet('survey', ['type', 'name', ...languages.map(language => `label::${language}`)], survey),
    ...(choices.length > 0 ? [sheet('choices', ['list_name', 'name'], choices)] : []),
    sheet('settings', ['form_title'], [settingsRow(form)]),
    ...(asked.length > 0 ? [sheet('follow_ups', ['question', 'when'], asked)] : []),
  ];
  return sheets;
}

function sheet(name: string, first: string[], rows: Row[]): OutSheet {
  const columns = new Set(first);
  for (const row of rows) for (const column of Object.keys(row)) columns.add(column);
  return { name, columns: [...columns], rows };
}

/** Leaves out cells that say nothing. */
const row = (cells: Record<string, string | undefined>): Row =>
  Object.fromEntries(
    Object.entries(cells).flatMap(([name, cell]) => (cell === undefined || cell === '' ? [] : [[name, cell]])),
  );

function textCells(column: string, words: Words | undefined): Row {
  if (words === undefined) return {};
  if (typeof words === 'string') return row({ [column]: words });
  return row(Object.fromEntries(Object.entries(words).map(([language, text]) => [`${column}::${language}`, text])));
}

const yes = (value: boolean | undefined): string | undefined => (value ? 'yes' : undefined);
const text = (value: number | undefined): string | undefined => (value === undefined ? undefined : String(value));

function* surveyRows(items: readonly FormItem[]): Generator<Row> {
  let skip: FormItem | null = null;
  for (const [index, item] of items.entries()) {
    if (item === skip) continue;
    if (isGroup(item)) {
      yield groupRow(item);
      yield* surveyRows(item.items);
      yield { type: `end_${item.type}` };
      continue;
    }
    const next = items[index + 1];
    // XLSForm's or_other makes the question for "what else?" itself.
    const made = item.or_other === true && JSON.stringify(next) === JSON.stringify(otherQuestion(item));
    if (made) skip = next ?? null;
    yield questionRow(item, made);
  }
}

const groupRow = (group: Group): Row => ({
  ...row({ type: `begin_${group.type}`, name: group.name }),
  ...textCells('label', group.label),
  ...row({
    relevant: group.relevant,
    repeat_count: group.count,
    weight: text(group.weight),
    appearance: group.appearance,
  }),
});

function questionRow(question: Question, orOther: boolean): Row {
  const { scoring } = question;
  const { written } = questionTypeDef(question.type).xlsform;
  const type = `${written}${question.list === undefined ? '' : ` ${question.list}`}`;
  return {
    ...row({ type: orOther ? `${type} or_other` : type, name: question.name }),
    ...textCells('label', question.label),
    ...textCells('hint', question.hint),
    ...row({ required: typeof question.required === 'string' ? question.required : yes(question.required) }),
    ...textCells('required_message', question.required_message),
    ...row({ relevant: question.relevant, constraint: question.constraint }),
    ...textCells('constraint_message', question.constraint_message),
    ...row({
      calculation: question.calculation,
      trigger: question.trigger,
      default: question.default_expression ?? defaultText(question.default),
      appearance: typeAppearance(question.type, question.appearance),
      choice_filter: question.choice_filter,
      read_only: yes(question.read_only),
      parameters: parametersOf(question),
      or_other: orOther ? undefined : yes(question.or_other),
      allow_na: question.allow_na === undefined ? undefined : question.allow_na ? 'yes' : 'no',
      weight: text(scoring?.weight),
      fails: scoring?.fails?.join(' '),
      fail_when: scoring?.fail_when,
      critical: yes(scoring?.critical),
    }),
  };
}

function parametersOf({ range, target_seconds: target }: Question): string | undefined {
  const named = { ...range, ...(target !== undefined && { target }) };
  const pairs = Object.entries(named).map(([name, value]) => `${name}=${value}`);
  return pairs.length > 0 ? pairs.join(' ') : undefined;
}

const defaultText = (value: Question['default']): string | undefined =>
  Array.isArray(value) ? value.join(' ') : value === undefined ? undefined : String(value);

const choiceRow = (list: string, choice: Choice): Row => ({
  ...row({ list_name: list, name: choice.name }),
  ...textCells('label', choice.label),
  ...row({ score: text(choice.score), 'media::image': choice.image }),
  ...row(choice.attributes ?? {}),
});

function* followUpRows(items: readonly FormItem[], above: string): Generator<Row> {
  for (const item of items) {
    const path = `${above}${item.name}`;
    if (isGroup(item)) yield* followUpRows(item.items, `${path}.`);
    else {
      if (item.on_fail) yield askedRow(path, '', item.on_fail);
      for (const rule of item.rules ?? []) yield askedRow(path, rule.when, rule);
    }
  }
}

const askedRow = (question: string, when: string, asked: FailActionRule): Row => ({
  ...row({ question, when, action: asked.action ? 'yes' : 'no' }),
  ...textCells('action_title', asked.title),
  ...row({
    photo: yes(asked.photo === 'required'),
    note: yes(asked.note === 'required'),
    priority: asked.priority,
    due_in_days: text(asked.due_in_days),
    due_in_hours: text(asked.due_in_hours),
    assignee: asked.assignee,
  }),
});

function settingsRow(form: FormDefinition): Row {
  const repeated = Object.values(form.choice_lists).some(
    choices => new Set(choices.map(({ name }) => name)).size < choices.length,
  );
  return {
    ...textCells('form_title', form.title),
    ...row({
      default_language: form.languages[0],
      allow_choice_duplicates: yes(repeated),
      pass_percent: String(form.pass_percent),
      sign: yes(form.sign),
      presence: form.presence,
    }),
  };
}
