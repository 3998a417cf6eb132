import { derivedId } from '@cairn/base/id.ts';
import type { Call, Context } from './expression-context.ts';
import type { Part, Run } from './expression-operators.ts';
import type { Scope } from './expression-scope.ts';
import { toNumber, type Value } from './expression-values.ts';

const HEX_DIGITS = 12;
const RANGE = 16 ** HEX_DIGITS;

/** Which of the draws in an expression this is: each draws for itself. */
const nextDraw = (context: Context): number => (context.facts.draws += 1);

/** Of a hash, beside a step of anything else. */
const STEPS_PER_HASH = 100;

function drawn({ chance: { from, at }, budget }: Scope, draw: number, kind: string): string {
  budget.spend(STEPS_PER_HASH);
  return derivedId(from, `${kind}/${at}/${draw}`);
}

/** A number from 0 up to 1. The last digits of an id that is derived by a hash: the first tell its kind too. */
const fraction = (scope: Scope, draw: number): number =>
  Number.parseInt(drawn(scope, draw, 'random').slice(-HEX_DIGITS), 16) / RANGE;

/** `random()`: drawn once for each place of an inspection, not anew whenever the form is worked out. */
export function compileRandom(_args: Part[], _call: Call, context: Context): Run {
  const draw = nextDraw(context);
  return scope => fraction(scope, draw);
}

const MAX_ID_LENGTH = 1000;

/** `uuid()`, likewise; `uuid(length)`: so many letters and digits, as ODK has it. */
export function compileUuid([length]: Part[], _call: Call, context: Context): Run {
  const draw = nextDraw(context);
  if (!length) return scope => drawn(scope, draw, 'uuid');
  return scope => {
    const wanted = Math.min(MAX_ID_LENGTH, Math.max(0, Math.trunc(toNumber(length(scope))) || 0));
    let text = '';
    for (let part = 0; text.length < wanted; part += 1) text += drawn(scope, draw, `uuid-${part}`).replaceAll('-', '');
    return text.slice(0, wanted);
  };
}

/** `randomize(${name}, seed)`: the same values in an order drawn by chance; by a seed where one is given. */
export function compileRandomize([of, seed]: Part[], _call: Call, context: Context): Part {
  const draw = nextDraw(context);
  const all = (scope: Scope): readonly Value[] => {
    const values = of?.all ? of.all(scope) : of ? [of(scope)] : [];
    scope.budget.spend(values.length);
    const begin = seed ? toNumber(seed(scope)) : fraction(scope, draw) * PRIME;
    return shuffled(values, parkMiller(Number.isFinite(begin) ? begin : 0));
  };
  return Object.assign((scope: Scope): Value => all(scope)[0] ?? '', { all });
}

const PRIME = 2_147_483_647;
const FACTOR = 48_271;

/** Numbers from 0 up to 1. Source: ODK XForms, randomize(): Park and Miller's generator. */
function parkMiller(seed: number): () => number {
  let state = Math.trunc(seed) % PRIME;
  if (state <= 0) state += PRIME - 1;
  return () => {
    state = (state * FACTOR) % PRIME;
    return (state - 1) / (PRIME - 1);
  };
}

/** Source: ODK XForms, randomize(): Fisher and Yates, from the end. */
function shuffled<T>(values: readonly T[], next: () => number): T[] {
  const mixed = [...values];
  for (let last = mixed.length - 1; last > 0; last -= 1) {
    const other = Math.floor(next() * (last + 1));
    [mixed[last], mixed[other]] = [mixed[other] as T, mixed[last] as T];
  }
  return mixed;
}
