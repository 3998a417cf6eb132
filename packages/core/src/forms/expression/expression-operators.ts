import type { Scope } from './expression-scope.ts';
import type { BinaryOperator } from './expression-syntax.ts';
import { equal, toBoolean, toNumber, toNumbers, type Value } from './expression-values.ts';

export type Run = (scope: Scope) => Value;
/** Part of a compiled expression. `all`: every value of something that may stand for several. */
export type Part = Run & { all?: (scope: Scope) => readonly Value[] };

const arithmetic: Record<'+' | '-' | '*' | 'div' | 'mod', (a: number, b: number) => number> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  div: (a, b) => a / b,
  mod: (a, b) => a % b,
};

const order: Record<'<' | '<=' | '>' | '>=', (a: number, b: number) => boolean> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
};

/** Puts two parts together with an operator of XPath. */
export function compileBinary(operator: BinaryOperator, left: Part, right: Part): Run {
  switch (operator) {
    case 'or':
      return scope => toBoolean(left(scope)) || toBoolean(right(scope));
    case 'and':
      return scope => toBoolean(left(scope)) && toBoolean(right(scope));
    case '=':
      return compare(left, right, equal);
    case '!=':
      return compare(left, right, (a, b) => !equal(a, b));
    case '<':
    case '<=':
    case '>':
    case '>=':
      return compare(left, right, inOrder(order[operator]));
    default: {
      const work = arithmetic[operator];
      if (operator === '-') return scope => work(...toNumbers(left(scope), right(scope)));
      return scope => work(toNumber(left(scope)), toNumber(right(scope)));
    }
  }
}

const inOrder =
  (holds: (a: number, b: number) => boolean) =>
  (left: Value, right: Value): boolean =>
    holds(...toNumbers(left, right));

/** XPath compares several values by asking whether any of them compares so. */
function compare(left: Part, right: Part, holds: (a: Value, b: Value) => boolean): Run {
  const { all: lefts } = left;
  const { all: rights } = right;
  if (!lefts && !rights) return scope => holds(left(scope), right(scope));
  return scope => {
    const others = rights ? rights(scope) : [right(scope)];
    const ones = lefts ? lefts(scope) : [left(scope)];
    scope.budget.spend(ones.length * others.length);
    return ones.some(a => others.some(b => holds(a, b)));
  };
}
