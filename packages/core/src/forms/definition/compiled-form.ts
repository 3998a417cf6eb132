import { type CompiledExpression, compileExpression } from '../expression/expression.ts';
import type { Names, Ref } from '../expression/expression-scope.ts';
import { ExpressionError } from '../expression/expression-tokens.ts';
import type {
  CompiledGroup,
  CompiledItem,
  CompiledQuestion,
  CompileProblem,
  CompileResult,
  ExpressionField,
  TextParts,
} from './compiled-item.ts';
import { type Choice, type FormDefinition, type FormItem, isGroup, type Question } from './form-definition.ts';
import { asksNothing, isMedia, type QuestionType } from '../question-types/question-types.ts';
import { type FormNames, namesFor } from './form-names.ts';
import { sortByReads } from './form-order.ts';
import { mentionsIn, textPartsIn, textsOf } from './words.ts';

export type {
  CompiledForm,
  CompiledGroup,
  CompiledItem,
  CompiledQuestion,
  CompileProblem,
  CompileResult,
} from './compiled-item.ts';

const OTHER: Choice = { name: 'other', label: 'Other' };

/**
 * Compiles every expression of a form and orders its questions, so that nothing can be wrong with it any more when it
 * is answered: names exist, functions are known, nothing depends on itself.
 */
export function compileForm(form: FormDefinition): CompileResult {
  const items: CompiledItem[] = [];
  const top = form.items.map(item => unfold(form, item, null, items));
  const byPath = new Map(items.map(item => [item.path, item]));
  const names = namesFor(form, items);
  const findings: Findings = { problems: [], notices: [] };
  for (const item of items) compileItem(item, names(item), findings);
  if (findings.problems.length > 0) return { ok: false, problems: findings.problems };

  const { order, problem, openEnded } = sortByReads(items, byPath);
  if (problem) return { ok: false, problems: [problem] };
  const questions = items.filter(item => item.kind === 'question');
  const kept = order.filter(item => item.kind === 'question').filter(item => item.kept !== null);
  return { ok: true, compiled: { form, questions, top, byPath, order, kept, openEnded }, notices: findings.notices };
}

/** One item with all in it, each put into `all` in the order of the form. */
function unfold(form: FormDefinition, item: FormItem, parent: CompiledGroup | null, all: CompiledItem[]): CompiledItem {
  const path = parent ? `${parent.path}.${item.name}` : item.name;
  const repeats = !parent ? [] : parent.group.type === 'repeat' ? [...parent.repeats, parent] : parent.repeats;
  const shared = { path, parent, repeats, expressions: {}, deciding: [] };
  if (!isGroup(item)) {
    const choices = choicesOf(form, item);
    const question: CompiledQuestion = {
      kind: 'question',
      question: item,
      ...shared,
      section: parent ? (path.split('.')[0] ?? '') : '',
      choices,
      kept: null,
      triggers: [],
      judging: [],
      rules: [],
      mentions: new Map(),
      parts: new Map(),
    };
    all.push(question);
    return question;
  }
  const weight = (parent?.weight ?? 1) * (item.weight ?? 1);
  const group: CompiledGroup = { kind: 'group', group: item, ...shared, children: [], weight };
  all.push(group);
  group.children.push(...item.items.map(child => unfold(form, child, group, all)));
  return group;
}

function choicesOf(form: FormDefinition, question: Question): readonly Choice[] {
  const list = form.choice_lists[question.list ?? ''] ?? [];
  return question.or_other && !list.some(choice => choice.name === OTHER.name) ? [...list, OTHER] : list;
}

function sourcesOf(item: CompiledItem): [ExpressionField, string | undefined][] {
  if (item.kind === 'group') {
    return [
      ['relevant', item.group.relevant],
      ['count', item.group.count],
    ];
  }
  const { question } = item;
  return [
    ['relevant', question.relevant],
    ['required', typeof question.required === 'string' ? question.required : undefined],
    ['constraint', question.constraint],
    ['calculation', question.calculation],
    ['default', question.default_expression],
    ['choice_filter', question.choice_filter],
    ['fail_when', question.scoring?.fail_when],
  ];
}

type Findings = { problems: CompileProblem[]; notices: CompileProblem[] };

function compileItem(item: CompiledItem, names: FormNames, findings: Findings): void {
  for (const [field, source] of sourcesOf(item)) {
    if (source === undefined) continue;
    const seen = field === 'choice_filter' ? withAttributes(item, names) : names;
    const compiled = compileField(item, field, { source, names: seen, findings });
    if (compiled) item.expressions[field] = compiled;
  }
  const { relevant, calculation, default: given, count, ...later } = item.expressions;
  if (item.kind === 'group') {
    item.deciding = present([relevant, count]);
    return;
  }
  item.kept = keptBy(item);
  item.triggers = triggersOf(item, names, findings);
  // What is kept was worked out before: it hangs on nothing now.
  item.deciding = present([
    relevant,
    item.kept === 'trigger' ? undefined : calculation,
    item.kept === 'default' ? undefined : given,
  ]);
  const rules = (item.question.rules ?? []).map(({ when }, rule) =>
    compileField(item, 'rules', { source: when, names, findings, rule }),
  );
  item.rules = rules.filter(rule => rule !== null);
  item.judging = present([later.required, later.constraint, later.choice_filter, later.fail_when, ...item.rules]);
  item.mentions = new Map(mentionsOf(item.question, names));
  if (item.mentions.size > 0) item.parts = new Map(textPartsOf(item));
}

function keptBy({ question, expressions, repeats }: CompiledQuestion): CompiledQuestion['kept'] {
  if (question.trigger !== undefined) return 'trigger';
  if (expressions.calculation) return expressions.calculation.once ? 'once' : null;
  // An entry begins in the middle of things: what it begins with is taken from how they are then.
  return repeats.length > 0 && (expressions.default?.reads.length ?? 0) > 0 ? 'default' : null;
}

/** `${a}, ${b}`; a comma too many does no harm. */
const TRIGGERS = /^[\s,]*\$\{[^{}]+\}(?:\s*,[\s,]*\$\{[^{}]+\})*[\s,]*$/;

/** Whether a person's answer can set others: adding a file sets nothing else. */
const canTrigger = (type: QuestionType): boolean => !isMedia(type) && !asksNothing(type);

function triggersOf(item: CompiledQuestion, names: FormNames, { problems }: Findings): Ref[] {
  const { trigger } = item.question;
  if (trigger === undefined) return [];
  const refuse = (reason: string): [] => {
    const place = { at: `${item.path}, trigger`, path: item.path, field: 'trigger' as const, character: null };
    problems.push({ ...place, message: reason, reason });
    return [];
  };
  const triggerNames = [...trigger.matchAll(/\$\{\s*([^{}]+?)\s*\}/g)].map(([, name = '']) => name);
  if (!TRIGGERS.test(trigger))
    return refuse(`"${trigger}" is no trigger: it is written \${name}, several with commas between`);
  return triggerNames.flatMap(name => {
    try {
      const ref = names.field(name);
      const type = names.typeAt(ref.path);
      return type === null || !canTrigger(type)
        ? refuse(`"${name}" cannot be a trigger: a person answers it in no way that sets others`)
        : [ref];
    } catch (error) {
      return refuse(error instanceof Error ? error.message : String(error));
    }
  });
}

const present = (given: readonly (CompiledExpression | undefined)[]): CompiledExpression[] =>
  given.filter(each => each !== undefined);

type Source = { source: string; names: Names; findings: Findings; rule?: number };

function compileField(item: CompiledItem, field: ExpressionField, { source, names, findings, rule }: Source) {
  const problem = (reason: string, character: number | null = null): CompileProblem => ({
    at: `${item.path}, ${field}`,
    path: item.path,
    field,
    message: character === null ? reason : `${reason} (character ${character} of: ${source})`,
    reason,
    character,
    ...(rule !== undefined && { rule }),
  });
  try {
    const compiled = compileExpression(source, names);
    findings.notices.push(...compiled.notices.map(notice => problem(notice)));
    return compiled;
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    findings.problems.push(problem(error.message, error.at + 1));
    return null;
  }
}

/** A `${name}` in a text that stands for nothing stays as it is written: a text never stops a form. */
function* mentionsOf({ label, hint }: Question, names: FormNames): Generator<[string, Ref]> {
  for (const name of new Set([...mentionsIn(label), ...mentionsIn(hint)])) {
    const ref = names.find(name);
    if (ref) yield [name, ref];
  }
}

/** A form is shown with each answer anew: its texts are not searched for names each time. */
function* textPartsOf({ question: { label, hint }, mentions }: CompiledQuestion): Generator<[string, TextParts]> {
  for (const text of [...textsOf(label), ...textsOf(hint)]) {
    const parts = textPartsIn(text).map(part =>
      typeof part === 'string' ? part : (mentions.get(part.name) ?? part.written),
    );
    if (parts.some(part => typeof part !== 'string')) yield [text, parts];
  }
}

function withAttributes(item: CompiledItem, names: Names): Names {
  const choices = item.kind === 'question' ? item.choices : [];
  const attributes = new Set(['name', 'label', ...choices.flatMap(choice => Object.keys(choice.attributes ?? {}))]);
  return { ...names, hasAttribute: name => attributes.has(name) };
}
