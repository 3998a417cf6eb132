import type { Names, Ref } from './expression-scope.ts';
import type { Syntax } from './expression-syntax.ts';

/** What is found out about an expression while it is compiled, shared by all its parts. */
type Facts = {
  clock: boolean;
  once: boolean;
  draws: number;
  /** How many parts it has: steps to work it out once. */
  parts: number;
};
export type Context = { names: Names; reads: Map<string, Ref>; facts: Facts; notices: string[]; inCondition?: boolean };

export type Call = Syntax & { kind: 'call' };
