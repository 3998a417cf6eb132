import type { Call, Context } from './expression-context.ts';
import type { Part, Run } from './expression-operators.ts';
import type { Syntax } from './expression-syntax.ts';
import { ExpressionError, located } from './expression-tokens.ts';
import { toNumber } from './expression-values.ts';

/** ODK's limit: a repeat, one inside it, and one inside that. */
const MAX_REPEATS = 3;

/**
 * `indexed-repeat(${name}, ${repeat}, n)`: the answer in the entry of that number, also from inside another entry. Where
 * repeats stand in one another, each with its number: `indexed-repeat(${name}, ${outer}, n, ${inner}, m)`.
 *
 * @throws {ExpressionError} for a number of arguments it cannot have, and what is no answer in those repeats
 */
export function compileIndexed(call: Call, context: Context, compile: (syntax: Syntax, context: Context) => Part): Run {
  const { args, at } = call;
  const [target, ...pairs] = args;
  if (!target || pairs.length === 0 || pairs.length % 2 !== 0 || pairs.length > 2 * MAX_REPEATS)
    throw new ExpressionError(
      'indexed-repeat() takes an answer and, for up to three repeats, the repeat and a number',
      at,
    );
  const path = pathOf(target, call, context);
  const [outer = '', ...inner] = pairs.filter((_, index) => index % 2 === 0).map(arg => pathOf(arg, call, context));
  const ref = located(at, () => context.names.across(path, outer, inner));
  context.reads.set(`${ref.path}*`, ref);
  const wanted = pairs.filter((_, index) => index % 2 === 1).map(arg => compile(arg, context));
  const [only, ...others] = wanted;
  if (only && others.length === 0) return scope => scope.all(ref)[toNumber(only(scope)) - 1] ?? '';
  return scope =>
    scope.indexed(
      ref,
      wanted.map(number => toNumber(number(scope))),
    );
}

function pathOf(arg: Syntax, call: { at: number }, { names }: Context): string {
  if (arg.kind === 'field') return located(arg.at, () => names.field(arg.name)).path;
  if (arg.kind === 'path') return located(arg.at, () => names.path(arg.up, arg.steps)).path;
  throw new ExpressionError('the first two arguments of indexed-repeat() are written ${name}', call.at);
}
