import { type Compiled, compileExpression, type Names } from './expression.ts';
import { ExpressionError } from './expression-tokens.ts';
import type { Choice, FormDefinition, FormItem, FormProblem, Group, Question } from './form-definition.ts';

export type ExpressionField = 'relevant' | 'required' | 'constraint' | 'calculation' | 'choice_filter' | 'fail_when';

export type CompiledGroup = {
  kind: 'group';
  group: Group;
  path: string;
  /** The section it stands in. */
  parent: CompiledGroup | null;
  expressions: Partial<Record<ExpressionField, Compiled>>;
};

export type CompiledQuestion = {
  kind: 'question';
  question: Question;
  /** Names of its sections and itself, joined by dots: what `inspection_answers.question` holds. */
  path: string;
  parent: CompiledGroup | null;
  /** All choices of its list, with `other` where it has one. */
  choices: readonly Choice[];
  expressions: Partial<Record<ExpressionField, Compiled>>;
};

export type CompiledItem = CompiledGroup | CompiledQuestion;

/** A form ready to be answered. Make it once per version and keep it. */
export type CompiledForm = {
  form: FormDefinition;
  /** Every question in the order of the form. */
  questions: readonly CompiledQuestion[];
  byPath: ReadonlyMap<string, CompiledItem>;
  /** Sections and questions, each after everything its visibility and calculation read. */
  order: readonly CompiledItem[];
};

/** A problem with one expression, or with how expressions hang together. `at` is `<path>, <field>`. */
export type CompileProblem = FormProblem & { path: string; field: ExpressionField };

export type CompileResult =
  | { ok: true; compiled: CompiledForm; notices: CompileProblem[] }
  | { ok: false; problems: CompileProblem[] };

const OTHER: Choice = { name: 'other', label: 'Other' };

/**
 * Compiles every expression of a form and orders its questions, so that nothing can be wrong with it any more when it
 * is answered: names exist, functions are known, nothing depends on itself.
 */
export function compileForm(form: FormDefinition): CompileResult {
  const items = [...flatten(form, form.items, null)];
  const byPath = new Map(items.map(item => [item.path, item]));
  const problems: CompileProblem[] = [];
  const notices: CompileProblem[] = [];
  for (const item of items) compileItem(item, namesFor(item, items, byPath), { problems, notices });
  if (problems.length > 0) return { ok: false, problems };

  const { order, problem } = sortByReads(items, byPath);
  if (problem) return { ok: false, problems: [problem] };
  const questions = items.filter(item => item.kind === 'question');
  return { ok: true, compiled: { form, questions, byPath, order }, notices };
}

function* flatten(form: FormDefinition, items: FormItem[], parent: CompiledGroup | null): Generator<CompiledItem> {
  for (const item of items) {
    const path = parent ? `${parent.path}.${item.name}` : item.name;
    if (item.type !== 'group') {
      yield { kind: 'question', question: item, path, parent, choices: choicesOf(form, item), expressions: {} };
      continue;
    }
    const group: CompiledGroup = { kind: 'group', group: item, path, parent, expressions: {} };
    yield group;
    yield* flatten(form, item.items, group);
  }
}

function choicesOf(form: FormDefinition, question: Question): readonly Choice[] {
  const list = question.list === undefined ? [] : (form.choice_lists[question.list] ?? []);
  return question.or_other && !list.some(choice => choice.name === OTHER.name) ? [...list, OTHER] : list;
}

function sourcesOf(item: CompiledItem): [ExpressionField, string | undefined][] {
  if (item.kind === 'group') return [['relevant', item.group.relevant]];
  const { question } = item;
  return [
    ['relevant', question.relevant],
    ['required', typeof question.required === 'string' ? question.required : undefined],
    ['constraint', question.constraint],
    ['calculation', question.calculation],
    ['choice_filter', question.choice_filter],
    ['fail_when', question.scoring?.fail_when],
  ];
}

type Findings = { problems: CompileProblem[]; notices: CompileProblem[] };

function compileItem(item: CompiledItem, names: Names, { problems, notices }: Findings): void {
  for (const [field, source] of sourcesOf(item)) {
    if (source === undefined) continue;
    const problem = (message: string): CompileProblem => ({
      at: `${item.path}, ${field}`,
      path: item.path,
      field,
      message,
    });
    try {
      const compiled = compileExpression(source, field === 'choice_filter' ? withAttributes(item, names) : names);
      item.expressions[field] = compiled;
      notices.push(...compiled.notices.map(problem));
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      problems.push(problem(`${error.message} (character ${error.at + 1} of: ${source})`));
    }
  }
}

function withAttributes(item: CompiledItem, names: Names): Names {
  const choices = item.kind === 'question' ? item.choices : [];
  const attributes = new Set(['name', 'label', ...choices.flatMap(choice => Object.keys(choice.attributes ?? {}))]);
  return { ...names, hasAttribute: name => attributes.has(name) };
}

function namesFor(item: CompiledItem, items: CompiledItem[], byPath: Map<string, CompiledItem>): Names {
  const question = (path: string, written: string): string => {
    const found = byPath.get(path);
    if (!found) throw new Error(`there is no question "${written}"`);
    if (found.kind === 'group') throw new Error(`"${written}" is a section, not a question`);
    return path;
  };
  return {
    field(name) {
      if (byPath.has(name)) return question(name, name);
      const matches = items.filter(other => other.path.endsWith(`.${name}`));
      if (matches.length > 1) throw new Error(`more than one question is called "${name}"`);
      return question(matches[0]?.path ?? name, name);
    },
    path(up, steps) {
      const written = [...Array.from({ length: up ?? 0 }, () => '..'), ...steps].join('/');
      // An absolute path begins with the form's own name, which is no section here.
      if (up === null) return question(steps.slice(1).join('.'), `/${written}`);
      const own = item.path.split('.');
      if (up === 0 || up > own.length) throw new Error(`"${written}" leads nowhere`);
      return question([...own.slice(0, own.length - up), ...steps].join('.'), written);
    },
  };
}

/** What must be known before an item can be shown and has its value. Required and constraint come after. */
function readsOf(item: CompiledItem, byPath: Map<string, CompiledItem>): CompiledItem[] {
  const { relevant, calculation } = item.expressions;
  const paths = [...(relevant?.reads ?? []), ...(calculation?.reads ?? [])];
  const read = paths.map(path => byPath.get(path)).filter(other => other !== undefined);
  return item.parent ? [item.parent, ...read] : read;
}

function sortByReads(items: CompiledItem[], byPath: Map<string, CompiledItem>) {
  const order: CompiledItem[] = [];
  const state = new Map<CompiledItem, 'open' | 'done'>();
  let problem: CompileProblem | null = null;

  const visit = (item: CompiledItem): void => {
    if (state.get(item) === 'done' || problem) return;
    if (state.get(item) === 'open') {
      const field = item.expressions.calculation ? 'calculation' : 'relevant';
      problem = { at: `${item.path}, ${field}`, path: item.path, field, message: 'this depends on itself' };
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
