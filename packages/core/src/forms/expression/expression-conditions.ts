import type { Call, Context } from './expression-context.ts';
import type { Part } from './expression-operators.ts';
import { type Ref, type Scope, seenWith } from './expression-scope.ts';
import type { Syntax } from './expression-syntax.ts';
import { ExpressionError } from './expression-tokens.ts';
import { toBoolean, type Value } from './expression-values.ts';

/** A row or an entry is seen as a scope of its own. */
export const STEPS_PER_ROW = 20;

type Candidate = { position: number; last: number };
type Condition = (scope: Scope, attribute: (name: string) => Value, candidate: Candidate) => boolean;

/** A condition in [ ]: a number stands for the one at that place, as in XPath. */
export const conditionOf =
  (test: Part): Condition =>
  (scope, attribute, candidate) => {
    const result = test(seenWith(scope, { attribute, candidate }));
    return typeof result === 'number' ? result === candidate.position : toBoolean(result);
  };

type Entries = Syntax & { kind: 'entries' };

/** `${repeat}[test]/a`: what stands at a path in those entries that pass; a bare name in the test is what stands there. */
export function compileEntries(
  { of, test, steps, at }: Entries,
  context: Context,
  compile: (syntax: Syntax, context: Context) => Part,
): Part {
  const { names } = context;
  const find = <T>(run: () => T): T => {
    try {
      return run();
    } catch (error) {
      throw new ExpressionError(error instanceof Error ? error.message : String(error), at);
    }
  };
  const repeat = find(() => names.repeat(of.kind === 'field' ? of.name : { up: of.up, steps: of.steps }));
  const keep = (ref: Ref): Ref => {
    context.reads.set(`${ref.path}*`, ref);
    return ref;
  };
  const target = keep(find(() => names.across([repeat, ...steps].join('.'), repeat)));
  const children = new Map<string, Ref>();
  const hasAttribute = (name: string): boolean => {
    if (!names.stands(`${repeat}.${name}`)) return false;
    children.set(name, keep(find(() => names.across(`${repeat}.${name}`, repeat))));
    return true;
  };
  const before = context.facts.parts;
  const passes = conditionOf(compile(test, { ...context, names: { ...names, hasAttribute }, inCondition: true }));
  const perEntry = STEPS_PER_ROW + context.facts.parts - before;
  const all = (scope: Scope): Value[] => {
    const values = scope.all(target);
    scope.budget.spend(values.length * perEntry);
    const others = new Map([...children].map(([name, ref]) => [name, scope.all(ref)]));
    return values.filter((_, index) =>
      passes(scope, name => others.get(name)?.[index] ?? '', { position: index + 1, last: values.length }),
    );
  };
  return Object.assign((scope: Scope): Value => all(scope)[0] ?? '', { all });
}

/** `pulldata('list', 'column', 'key column', key)` as the lookup it stands for. */
export function pulledData({ args, at }: Call): Syntax {
  const [list, column, keyColumn, key] = args;
  if (args.length !== 4 || list?.kind !== 'text' || column?.kind !== 'text' || keyColumn?.kind !== 'text' || !key) {
    throw new ExpressionError("pulldata() is written pulldata('list', 'column', 'key column', key)", at);
  }
  const wanted: Syntax = { kind: 'call', name: 'string', args: [key], at };
  const own: Syntax = { kind: 'path', up: 0, steps: [keyColumn.value], at };
  const test: Syntax = { kind: 'binary', operator: '=', left: own, right: wanted };
  return { kind: 'lookup', list: list.value, tests: [test], column: column.value, at };
}
