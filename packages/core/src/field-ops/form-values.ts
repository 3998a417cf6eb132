import type { Json, Row } from '@cairn/schema';
import type { CompiledForm, CompiledItem, CompiledQuestion } from './compiled-form.ts';
import type { Scope } from './expression.ts';
import { toBoolean, type Value } from './expression-values.ts';
import { type Choice, inLanguage } from './form-definition.ts';

/** What a person entered for one question. */
export type GivenAnswer = {
  /** As `questionTypes` says for each type; null for none. */
  value: Json;
  note: string | null;
  /** Ids of media. */
  mediaIds: readonly string[];
};

/** Answers by the path of their question. */
export type Answers = ReadonlyMap<string, GivenAnswer>;

/** When and for whom a form is worked out. */
export type Moment = {
  /** The device's local day, YYYY-MM-DD. */
  today: string;
  /** ISO 8601. */
  now: string;
  /** A language of the form; its first where left out. */
  language?: string;
};

/** Values of all questions, and which are shown. */
export type FormValues = {
  /** What expressions see; the empty text for a question without answer and for a hidden one. */
  values: ReadonlyMap<string, Value>;
  /** Paths of sections and questions whose conditions hold. */
  visible: ReadonlySet<string>;
  scope: (self: Value) => Scope;
};

/** The rows of one inspection as answers. A removed row counts as no answer. */
export function answersOf(rows: readonly Row<'inspection_answers'>[]): Answers {
  const present = rows.filter(row => row.deleted_at === null);
  return new Map(
    present.map(row => [row.question, { value: row.value, note: row.note, mediaIds: textsIn(row.media_ids) }]),
  );
}

/** The texts in a JSON list such as `media_ids`; anything else in it is left out. */
export const textsIn = (list: Json): string[] =>
  Array.isArray(list) ? list.filter(entry => typeof entry === 'string') : [];

/** The person's answer, else the form's default, else null. An answer that was cleared stays empty. */
export function givenValue({ question, path }: CompiledQuestion, answers: Answers): Json {
  const given = answers.get(path);
  return given ? given.value : (question.default ?? null);
}

/** Works out in one pass what is shown and every value. A hidden question has none, whatever was answered before. */
export function formValues(compiled: CompiledForm, answers: Answers, moment: Moment): FormValues {
  const values = new Map<string, Value>();
  const visible = new Set<string>();
  const scope = (self: Value): Scope => ({
    value: path => values.get(path) ?? '',
    self,
    today: moment.today,
    now: moment.now,
    choiceLabel: (path, name) => choiceLabel(compiled, path, name, moment.language),
  });
  for (const item of compiled.order) {
    if (!isVisible(item, visible, scope)) continue;
    visible.add(item.path);
    if (item.kind === 'question') values.set(item.path, ownValue(item, answers, scope));
  }
  return { values, visible, scope };
}

function isVisible(item: CompiledItem, visible: Set<string>, scope: (self: Value) => Scope): boolean {
  if (item.parent && !visible.has(item.parent.path)) return false;
  const { relevant } = item.expressions;
  return !relevant || toBoolean(relevant.run(scope('')));
}

function ownValue(item: CompiledQuestion, answers: Answers, scope: (self: Value) => Scope): Value {
  const given = item.question.type === 'photo' ? photoValue(answers, item.path) : plainValue(givenValue(item, answers));
  const { calculation } = item.expressions;
  if (!calculation) return given;
  const calculated = calculation.run(scope(given));
  return typeof calculated === 'number' && Number.isNaN(calculated) ? '' : calculated;
}

const photoValue = (answers: Answers, path: string): string => answers.get(path)?.mediaIds[0] ?? '';

/** An answer as expressions see it: several choices as their names with spaces between, a signature as a text. */
function plainValue(value: Json): Value {
  if (value === null) return '';
  if (Array.isArray(value)) return value.filter(entry => typeof entry === 'string').join(' ');
  return typeof value === 'object' ? 'signed' : value;
}

function choiceLabel(compiled: CompiledForm, path: string, name: string, language: string | undefined): string {
  const item = compiled.byPath.get(path);
  const choice = item?.kind === 'question' ? item.choices.find(candidate => candidate.name === name) : undefined;
  return inLanguage(choice?.label, language) || name;
}

/** The choices a question offers at present: its list, narrowed by its choice filter. */
export function offeredChoices(item: CompiledQuestion, { scope, values }: FormValues): readonly Choice[] {
  const filter = item.expressions.choice_filter;
  if (!filter) return item.choices;
  const own = scope(values.get(item.path) ?? '');
  return item.choices.filter(choice => {
    const attribute = (name: string): string => attributeOf(choice, name);
    // "Other" belongs to no column of the list and is always offered.
    return (item.question.or_other && choice.name === 'other') || toBoolean(filter.run({ ...own, attribute }));
  });
}

function attributeOf(choice: Choice, name: string): string {
  if (name === 'name') return choice.name;
  if (name === 'label') return inLanguage(choice.label, undefined);
  return choice.attributes?.[name] ?? '';
}
