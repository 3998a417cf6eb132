import type { PlainFunction } from './expression-functions.ts';
import type { Part, Run } from './expression-operators.ts';
import type { Scope } from './expression-scope.ts';
import type { Value } from './expression-values.ts';

const lengthsOf = (args: readonly Value[]): number[] => args.map(arg => (typeof arg === 'string' ? arg.length : 1));
/** Characters of all texts a function is given; anything else counts as one. */
const total = (args: readonly Value[]): number => lengthsOf(args).reduce((sum, length) => sum + length, 0);
/** Each character of one text is looked for in another. */
const squared = (args: readonly Value[]): number => total(args) ** 2;

/** The separator is written between all values. */
const joined = (args: readonly Value[]): number => total(args) + total(args.slice(0, 1)) * Math.max(0, args.length - 2);
/** Characters; a hash of a short text takes as long as going through so many. */
const HASHED = 1000;
const hashed = (args: readonly Value[]): number => total(args) + HASHED;

const COSTS: Readonly<Record<string, typeof total>> = { translate: squared, join: joined, digest: hashed };
/** What working a function out counts as, in characters. */
export const costOf = (name: string): typeof total => (Object.hasOwn(COSTS, name) ? (COSTS[name] ?? total) : total);

/** A function that counts as much as the texts it is given are long. */
export const counted = ({ run, ...shape }: PlainFunction, cost: (args: readonly Value[]) => number) => ({
  ...shape,
  run: (args: readonly Value[], { budget }: Scope): Value => {
    budget.spendText(cost(args));
    return run(args);
  },
});

/** Works a plain function out; where it takes many values, whatever stands for several is spread. */
export function spreading(
  { run, spreadFrom = Number.POSITIVE_INFINITY }: ReturnType<typeof counted>,
  args: Part[],
): Run {
  if (!args.some(({ all }, index) => all && index >= spreadFrom))
    return scope =>
      run(
        args.map(arg => arg(scope)),
        scope,
      );
  return scope =>
    run(
      args.flatMap((arg, index) =>
        arg.all && index >= spreadFrom ? arg.all(scope).filter(value => value !== '') : [arg(scope)],
      ),
      scope,
    );
}
