import type { PlainFunction } from './expression-functions.ts';
import type { Part, Run } from './expression-operators.ts';
import type { Scope } from './expression-scope.ts';
import type { Value } from './expression-values.ts';

const lengthsOf = (args: readonly Value[]): number[] => args.map(arg => (typeof arg === 'string' ? arg.length : 1));
/** Characters of all texts a function is given; anything else counts as one. */
export const total = (args: readonly Value[]): number => lengthsOf(args).reduce((sum, length) => sum + length, 0);
/** Each character of one text is looked for in another. */
export const squared = (args: readonly Value[]): number => total(args) ** 2;

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
