import { CONTENT_BOUNDS } from '@cairn/base/content-bounds.ts';
import { type FormDefinition, type FormItem, isGroup } from './form-definition.ts';

/** The bounds of `CONTENT_BOUNDS` that are a form's. */
export type FormBound = Extract<keyof typeof CONTENT_BOUNDS, `form_${string}`>;

/** A bound that a form is past, and where: `at` leads there as `items[2].items[0].relevant`; empty for the form as a whole. */
export type FormBoundProblem = { at: string; code: 'bound'; bound: FormBound; message: string };

/**
 * Bytes of a value as PostgreSQL writes a jsonb: with a space after each comma and colon. What the server measures.
 *
 * @param json what nests no deeper than a form that was read may
 */
export function jsonbBytes(json: unknown): number {
  const text = JSON.stringify(json) ?? 'null';
  let bytes = new TextEncoder().encode(text).length;
  let isText = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (isText && char === '\\') at += 1;
    else if (char === '"') isText = !isText;
    else if (!isText && (char === ',' || char === ':')) bytes += 1;
  }
  return bytes;
}

/** Every expression of a question or section, by the field it stands in, as `BuildProblem` has it: `rules.0` for its first rule. */
function* expressionsOf(item: FormItem): Generator<[field: string, source: string]> {
  if (isGroup(item)) {
    if (item.relevant !== undefined) yield ['relevant', item.relevant];
    if (item.count !== undefined) yield ['count', item.count];
    return;
  }
  for (const field of [
    'relevant',
    'required',
    'constraint',
    'calculation',
    'default_expression',
    'choice_filter',
  ] as const) {
    const source = item[field];
    if (typeof source === 'string') yield [field, source];
  }
  if (item.scoring?.fail_when !== undefined) yield ['fail_when', item.scoring.fail_when];
  for (const [index, { when }] of (item.rules ?? []).entries()) yield [`rules.${index}`, when];
}

const namesIn = (source: string): number => source.split('${').length - 1;

type BoundViolation = { bound: FormBound; field?: string };
/** What was counted so far. */
type FormCounts = { items: number; characters: number; references: number };

/** The first bound that one expression is past, by itself or with those before it. */
function expressionBound(source: string, counted: FormCounts): FormBound | null {
  const names = namesIn(source);
  counted.characters += source.length;
  counted.references += names;
  const reached = [
    ['form_expression_characters', source.length],
    ['form_expression_references', names],
    ['form_expressions_characters', counted.characters],
    ['form_expressions_references', counted.references],
  ] as const;
  return reached.find(([bound, value]) => value > CONTENT_BOUNDS[bound])?.[0] ?? null;
}

type NestingDepth = { depth: number; repeats: number };

function itemBound(item: FormItem, { depth, repeats }: NestingDepth, counted: FormCounts): BoundViolation | null {
  counted.items += 1;
  if (counted.items > CONTENT_BOUNDS.form_items) return { bound: 'form_items' };
  if (depth > CONTENT_BOUNDS.form_nesting) return { bound: 'form_nesting' };
  if (repeats > CONTENT_BOUNDS.form_repeat_nesting) return { bound: 'form_repeat_nesting' };
  if (item.name.length > CONTENT_BOUNDS.form_name_characters) return { bound: 'form_name_characters', field: 'name' };
  for (const [field, source] of expressionsOf(item)) {
    const bound = expressionBound(source, counted);
    if (bound) return { bound, field };
  }
  return null;
}

/** Level by level, as the server goes: what nests far exhausts no stack. */
function boundInItems(
  form: FormDefinition,
  counted: FormCounts,
): (BoundViolation & { at: string; name: string }) | null {
  let level = form.items.map((item, index) => ({ item, at: `items[${index}]`, depth: 0, repeats: 0 }));
  while (level.length > 0) {
    const next: typeof level = [];
    for (const { item, at, ...around } of level) {
      const inside = isGroup(item)
        ? { depth: around.depth + 1, repeats: around.repeats + (item.type === 'repeat' ? 1 : 0) }
        : around;
      const found = itemBound(item, inside, counted);
      if (found) return { ...found, at, name: item.name };
      if (isGroup(item))
        for (const [index, child] of item.items.entries())
          next.push({ item: child, at: `${at}.items[${index}]`, ...inside });
    }
    level = next;
  }
  return null;
}

const SAID: Readonly<Record<FormBound, string>> = {
  form_bytes: 'the form is larger than {most} bytes',
  form_items: 'the form has more than {most} questions and sections',
  form_name_characters: 'this name has more than {most} characters',
  form_nesting: 'groups are nested more than {most} deep here',
  form_repeat_nesting: 'more than {most} repeats stand in each other here',
  form_expression_characters: 'this expression has more than {most} characters',
  form_expression_references: 'this expression names more than {most} answers',
  form_expressions_characters: 'the expressions up to here have more than {most} characters together',
  form_expressions_references: 'the expressions up to here name more than {most} answers together',
  form_choices: 'the lists have more than {most} choices together',
};

const problem = (bound: FormBound, at = '', name = ''): FormBoundProblem => ({
  at,
  code: 'bound',
  bound,
  message: `${name && `${name}: `}${SAID[bound].replace('{most}', CONTENT_BOUNDS[bound].toLocaleString('en'))}`,
});

/** The first bound that a form is past; none where it is within all of them. `content.form_fault` of the database gives the same. */
export function formBoundProblems(form: FormDefinition): FormBoundProblem[] {
  if (jsonbBytes(form) > CONTENT_BOUNDS.form_bytes) return [problem('form_bytes')];
  const found = boundInItems(form, { items: 0, characters: 0, references: 0 });
  if (found) return [problem(found.bound, found.field ? `${found.at}.${found.field}` : found.at, found.name)];
  const choices = Object.values(form.choice_lists).reduce((sum, list) => sum + list.length, 0);
  return choices > CONTENT_BOUNDS.form_choices ? [problem('form_choices')] : [];
}
