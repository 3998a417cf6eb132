import { type CompiledForm, compileForm, type CompileProblem } from '../definition/compiled-form.ts';
import { formBoundProblems, type FormBound, type FormBoundProblem } from '../definition/form-bounds.ts';
import { shapeProblems, type ShapeProblem } from '../definition/form-definition.ts';
import { isSpaced } from '../definition/spaced-names.ts';
import { asksNothing, takesSeveral } from '../question-types/question-types.ts';
import { formOf, nameOf, type Outline, type OutlineNode, walkOutline } from './form-outline.ts';

/** Why a form being built cannot be published yet. */
export type BuildProblem = {
  /** The question or section it stands at; null for the whole form. */
  key: string | null;
  /** The field of it, as the form keeps it: `relevant`, `list` …; `rules.0` for its first rule. */
  field: string;
  code: ShapeProblem['code'] | 'empty' | 'no_choices' | 'spaced' | 'expression' | 'bound';
  /** bound: which one of `CONTENT_BOUNDS`. */
  bound?: FormBound;
  /** expression: what is wrong with it, for the author; spaced: the name. */
  reason?: string;
  /** expression: at which character of it, from 1. */
  character?: number | null;
};

/** Everything that keeps a form from being published, in the order of the form; with it the form where nothing does. */
export type CheckedOutline = { problems: readonly BuildProblem[]; compiled: CompiledForm | null };

/** Looks at a form being built. Fast enough to be asked after every key. */
export function checkOutline(outline: Outline): CheckedOutline {
  const form = formOf(outline);
  const result = compileForm(form);
  const nodes = [...walkOutline(outline.nodes)].map(({ node }) => node);
  const place = new Map(nodes.map(({ key }, index): [string | null, number] => [key, index]));
  const found: BuildProblem[] = [
    ...shapeProblems(form).map(problem => ofShape(outline, problem)),
    ...formBoundProblems(form).map(problem => ({ ...ofShape(outline, problem), bound: problem.bound })),
    ...listProblems(outline, nodes),
    ...(result.ok ? [] : ofExpressions(outline, result.problems)),
  ];
  const problems = found.toSorted((a, b) => (place.get(a.key) ?? -1) - (place.get(b.key) ?? -1));
  if (!nodes.some(asks)) problems.unshift({ key: null, field: 'items', code: 'empty' });
  return { problems, compiled: result.ok && problems.length === 0 ? result.compiled : null };
}

/** Whether it is a question that a person is asked. */
const asks = (node: OutlineNode): boolean => node.kind === 'question' && !asksNothing(node.question.type);

/** `items[2].items[0].list` is the field `list` of the first child of the third node. */
function ofShape(outline: Outline, { at, code }: ShapeProblem | FormBoundProblem): BuildProblem {
  let nodes = outline.nodes;
  let node: OutlineNode | undefined;
  for (const [, index] of at.matchAll(/\[(\d+)\]/g)) {
    node = nodes[Number(index)];
    nodes = node?.kind === 'section' ? node.children : [];
  }
  const field = at.slice(at.lastIndexOf(']') + 2);
  const missing = code === 'bound' ? undefined : MISSING[code];
  return { key: node?.key ?? null, field: field || missing || 'type', code };
}

const MISSING: Partial<Record<ShapeProblem['code'], string>> = {
  no_list: 'list',
  no_calculation: 'calculation',
  no_range: 'range',
};

function* listProblems(outline: Outline, nodes: readonly OutlineNode[]): Generator<BuildProblem> {
  for (const node of nodes) {
    if (node.kind === 'section' || node.question.list === undefined) continue;
    const choices = outline.head.choice_lists[node.question.list];
    if (choices?.length === 0) yield { key: node.key, field: 'list', code: 'no_choices' };
    const spaced = takesSeveral(node.question.type) && choices?.find(isSpaced);
    if (spaced) yield { key: node.key, field: 'list', code: 'spaced', reason: spaced.name };
  }
}

function ofExpressions(outline: Outline, problems: readonly CompileProblem[]): BuildProblem[] {
  const keys = keysByPath(outline.nodes, '');
  return problems.map(({ path, field, reason, character, rule }) => ({
    key: keys.get(path) ?? null,
    field: (field === 'default' ? 'default_expression' : field) + (rule === undefined ? '' : `.${rule}`),
    code: 'expression',
    reason,
    character,
  }));
}

/** The first node at each path: where two share one, that is a problem of its own. */
function keysByPath(nodes: readonly OutlineNode[], around: string, keys = new Map<string, string>()) {
  for (const node of nodes) {
    const path = around === '' ? nameOf(node) : `${around}.${nameOf(node)}`;
    if (!keys.has(path)) keys.set(path, node.key);
    if (node.kind === 'section') keysByPath(node.children, path, keys);
  }
  return keys;
}
