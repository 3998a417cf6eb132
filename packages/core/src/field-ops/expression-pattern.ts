import { RE2JS, RE2JSException } from 're2js';

export type Pattern = {
  /** Whether the whole text matches; always where the pattern is not checked. */
  matches(text: string): boolean;
  /** False for what cannot be tried in a time that grows with the text alone. */
  isChecked: boolean;
  /** What each character of a text costs; 0 where the pattern is not checked. */
  steps: number;
};

/** Steps of the machine that a pattern becomes: `.{1000}` has a thousand. */
const MOST_STEPS = 5000;
/** Of steps times characters: about a quarter of a second on a phone. */
export const MAX_PATTERN_WORK = 5_000_000;
const LONGEST_PATTERN = 1000;

type Part = { machine: RE2JS; wanted: boolean };

/**
 * Reads a pattern of regex(). It comes from whoever made the form, and an engine that goes back can take it longer than
 * anybody lives to try `(a+)+b` on forty letters; RE2 looks at each letter once. It knows no look-ahead: those at the very
 * beginning are tried as patterns of their own.
 *
 * @throws {Error} where it is no pattern at all
 */
export function readPattern(pattern: string): Pattern {
  const parts = pattern.length > LONGEST_PATTERN ? null : partsOf(pattern);
  const steps = (parts ?? []).reduce((sum, { machine }) => sum + machine.programSize(), 0);
  if (!parts || steps > MOST_STEPS) return unchecked(pattern);
  const longest = MAX_PATTERN_WORK / steps;
  return {
    matches: text => text.length <= longest && parts.every(({ machine, wanted }) => machine.testExact(text) === wanted),
    isChecked: true,
    steps,
  };
}

/** Forms that are out there have such patterns: they are answered all the same. */
function unchecked(pattern: string): Pattern {
  try {
    void new RegExp(`^(?:${pattern})$`);
  } catch {
    throw new Error(`"${pattern}" is not a valid pattern`);
  }
  return { matches: () => true, isChecked: false, steps: 0 };
}

/** What must match and what must not, for the whole pattern to; null where RE2 cannot say it. */
function partsOf(pattern: string): Part[] | null {
  const { aheads, rest } = splitAheads(pattern);
  try {
    const machines = aheads.map(({ inside, wanted }) => ({ machine: machineOf(`(?:${inside})[^]*`), wanted }));
    const whole = machineOf(rest);
    // A look-ahead belongs to the first alternative only: what stands beside it would need its own.
    if (aheads.length > 0 && hasAlternatives(rest)) return null;
    return [...machines, { machine: whole, wanted: true }];
  } catch (error) {
    if (error instanceof RE2JSException) return null;
    throw error;
  }
}

const machineOf = (pattern: string): RE2JS => RE2JS.compile(RE2JS.translateRegExp(pattern));

type Ahead = { inside: string; wanted: boolean };

/** `^(?=.*\d)(?!0)rest` taken apart. */
function splitAheads(pattern: string): { aheads: Ahead[]; rest: string } {
  const aheads: Ahead[] = [];
  let rest = pattern.startsWith('^(?') ? pattern.slice(1) : pattern;
  for (;;) {
    const end = /^\(\?[=!]/.test(rest) ? [...outermost(rest)].find(({ mark }) => mark === ')')?.at : undefined;
    if (end === undefined) return { aheads, rest };
    aheads.push({ inside: rest.slice(3, end), wanted: rest[2] === '=' });
    rest = rest.slice(end + 1);
  }
}

const hasAlternatives = (pattern: string): boolean => [...outermost(pattern)].some(({ mark }) => mark === '|');

/** The alternatives of a pattern and the ends of its groups, outside of other groups; brackets and escapes are no marks. */
function* outermost(pattern: string): Generator<{ mark: string; at: number }> {
  let [depth, isInClass] = [0, false];
  for (const { 0: mark, index: at } of pattern.matchAll(/\\.|[()[\]|]/gs)) {
    if (isInClass || mark === '[') isInClass = mark !== ']';
    else if (mark === '(') depth += 1;
    else if (mark === ')') depth -= 1;
    if (!isInClass && depth === 0 && (mark === ')' || mark === '|')) yield { mark, at };
  }
}
