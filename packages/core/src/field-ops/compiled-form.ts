import { type Compiled, compileExpression } from './expression.ts';
import type { Names, Ref } from './expression-scope.ts';
import { ExpressionError } from './expression-tokens.ts';
import {
  type Choice,
  type FormDefinition,
  type FormItem,
  type FormProblem,
  type Group,
  isGroup,
  type Question,
} from './form-definition.ts';
import { type Named, namesFor } from './form-names.ts';
import { mentionsIn, piecesIn, textsOf } from './words.ts';

export type ExpressionField =
  | 'relevant'
  | 'required'
  | 'constraint'
  | 'calculation'
  | 'choice_filter'
  | 'fail_when'
  | 'default'
  | 'count'
  | 'rules';

export type CompiledGroup = {
  kind: 'group';
  group: Group;
  path: string;
  /** The section it stands in. */
  parent: CompiledGroup | null;
  /** The repeats around it, outermost first; without itself. */
  repeats: readonly CompiledGroup[];
  /** Sections and questions right in it. */
  children: CompiledItem[];
  /** The factor on points in it: its own weight times those of the sections around it. */
  weight: number;
  expressions: Expressions;
  /** Those of its expressions that decide whether it is shown, and how often. */
  deciding: readonly Compiled[];
};

export type CompiledQuestion = {
  kind: 'question';
  question: Question;
  /** Names of its sections and itself, joined by dots: what `inspection_answers.question` holds, outside of repeats. */
  path: string;
  parent: CompiledGroup | null;
  repeats: readonly CompiledGroup[];
  /** The path of the outermost section it stands in; empty outside sections. */
  section: string;
  /** All choices of its list, with `other` where it has one. */
  choices: readonly Choice[];
  expressions: Expressions;
  /** Those of its expressions that decide whether it is shown and what value it has; the others come after. */
  deciding: readonly Compiled[];
  /** Those that are looked at once all values are known. */
  judging: readonly Compiled[];
  /** For each of `question.rules`, when it holds. */
  rules: readonly Compiled[];
  /** What `${name}` in its texts stands for. */
  mentions: ReadonlyMap<string, Ref>;
  /** Its texts that mention something, in all languages, taken apart; any other is shown as it is written. */
  pieces: ReadonlyMap<string, TextPieces>;
};

/** A text with what it mentions in place of `${name}`. */
export type TextPieces = readonly (string | Ref)[];

export type CompiledItem = CompiledGroup | CompiledQuestion;

type Expressions = Partial<Record<ExpressionField, Compiled>>;

/** A form ready to be answered. Make it once per version and keep it. */
export type CompiledForm = {
  form: FormDefinition;
  /** Every question in the order of the form. */
  questions: readonly CompiledQuestion[];
  /** What stands outside sections, in the order of the form. */
  top: readonly CompiledItem[];
  byPath: ReadonlyMap<string, CompiledItem>;
  /** Sections and questions, each after everything its visibility and calculation read. */
  order: readonly CompiledItem[];
};

/**
 * A problem with one expression, or with how expressions hang together. `at` is `<path>, <field>`; `reason` is the message
 * without its place, `character` that place in the expression (from 1), `rule` which of the question's rules it is.
 */
export type CompileProblem = FormProblem & {
  path: string;
  field: ExpressionField;
  reason: string;
  character: number | null;
  rule?: number;
};

export type CompileResult =
  | { ok: true; compiled: CompiledForm; notices: CompileProblem[] }
  | { ok: false; problems: CompileProblem[] };

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

  const { order, problem } = sortByReads(items, byPath);
  if (problem) return { ok: false, problems: [problem] };
  const questions = items.filter(item => item.kind === 'question');
  return { ok: true, compiled: { form, questions, top, byPath, order }, notices: findings.notices };
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
      judging: [],
      rules: [],
      mentions: new Map(),
      pieces: new Map(),
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

function compileItem(item: CompiledItem, names: Named, findings: Findings): void {
  for (const [field, source] of sourcesOf(item)) {
    if (source === undefined) continue;
    const seen = field === 'choice_filter' ? withAttributes(item, names) : names;
    const compiled = compileField(item, field, { source, names: seen, findings });
    if (compiled) item.expressions[field] = compiled;
  }
  const { relevant, calculation, default: given, count, ...later } = item.expressions;
  item.deciding = present([relevant, calculation, given, count]);
  if (item.kind === 'group') return;
  const rules = (item.question.rules ?? []).map(({ when }, rule) =>
    compileField(item, 'rules', { source: when, names, findings, rule }),
  );
  item.rules = rules.filter(rule => rule !== null);
  item.judging = present([later.required, later.constraint, later.choice_filter, later.fail_when, ...item.rules]);
  item.mentions = new Map(mentionsOf(item.question, names));
  if (item.mentions.size > 0) item.pieces = new Map(piecesOf(item));
}

const present = (given: readonly (Compiled | undefined)[]): Compiled[] => given.filter(each => each !== undefined);

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
function* mentionsOf({ label, hint }: Question, names: Named): Generator<[string, Ref]> {
  for (const name of new Set([...mentionsIn(label), ...mentionsIn(hint)])) {
    const ref = names.find(name);
    if (ref) yield [name, ref];
  }
}

/** A form is shown with each answer anew: its texts are not searched for names each time. */
function* piecesOf({ question: { label, hint }, mentions }: CompiledQuestion): Generator<[string, TextPieces]> {
  for (const text of [...textsOf(label), ...textsOf(hint)]) {
    const pieces = piecesIn(text).map(piece =>
      typeof piece === 'string' ? piece : (mentions.get(piece.name) ?? piece.written),
    );
    if (pieces.some(piece => typeof piece !== 'string')) yield [text, pieces];
  }
}

function withAttributes(item: CompiledItem, names: Names): Names {
  const choices = item.kind === 'question' ? item.choices : [];
  const attributes = new Set(['name', 'label', ...choices.flatMap(choice => Object.keys(choice.attributes ?? {}))]);
  return { ...names, hasAttribute: name => attributes.has(name) };
}

/** What must be known before an item can be shown and has its value. Required and constraint come after. */
function readsOf(item: CompiledItem, byPath: Map<string, CompiledItem>): CompiledItem[] {
  const refs = item.deciding.flatMap(({ reads }) => reads);
  const read = refs.map(({ path }) => byPath.get(path)).filter(other => other !== undefined);
  return item.parent ? [item.parent, ...read] : read;
}

function sortByReads(items: CompiledItem[], byPath: Map<string, CompiledItem>) {
  const order: CompiledItem[] = [];
  const state = new Map<CompiledItem, 'open' | 'done'>();
  let problem: CompileProblem | null = null;

  const visit = (item: CompiledItem): void => {
    if (state.get(item) === 'done' || problem) return;
    if (state.get(item) === 'open') {
      const field = cycleField(item);
      const reason = 'this depends on itself';
      problem = { at: `${item.path}, ${field}`, path: item.path, field, message: reason, reason, character: null };
      return;
    }
    state.set(item, 'open');
    for (const before of readsOf(item, byPath)) visit(before);
    state.set(item, 'done');
    order.push(item);
  };
  for (const item of items) visit(item);
  return { order, problem: problem as CompileProblem | null };
}

function cycleField({ expressions }: CompiledItem): ExpressionField {
  if (expressions.calculation) return 'calculation';
  if (expressions.relevant) return 'relevant';
  return expressions.count ? 'count' : 'default';
}
