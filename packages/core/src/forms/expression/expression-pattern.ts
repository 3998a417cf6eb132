import { RE2JS, RE2JSException } from 're2js';

export type Pattern = {
  /** Whether the whole text matches; always where the pattern is not checked. */
  matches(text: string): boolean;
  /** False for what cannot be tried in a time that grows with the text alone. */
  isChecked: boolean;
  /** What each character of a text costs; 0 where the pattern is not checked. */
  steps: number;
  /** What the first text costs besides: a large pattern becomes a machine only then. */
  firstSteps: number;
};

/** Steps of the machine that a pattern becomes: `.{1000}` has a thousand. */
const MAX_STEPS = 5000;
/** Of steps times characters: about a quarter of a second on a phone. */
export const MAX_PATTERN_WORK = 5_000_000;
const MAX_PATTERN_LENGTH = 1000;
/** Larger ones are read when they are first needed: a form may have hundreds. */
const READ_AT_ONCE = 100;
/** Making the machine, for each of its steps, in steps of `EvaluationBudget`: some 30 µs on a small computer. */
const STEPS_OF_MAKING = 150;

type Part = { machine: RE2JS; wanted: boolean };

/**
 * Reads a pattern of regex(). It comes from whoever made the form, and an engine that goes back can take it longer than
 * anybody lives to try `(a+)+b` on forty letters; RE2 looks at each letter once. It knows no look-ahead: those at the very
 * beginning are tried as patterns of their own.
 *
 * @throws {Error} where it is no pattern at all
 */
export function readPattern(pattern: string): Pattern {
  const size = pattern.length > MAX_PATTERN_LENGTH ? Number.POSITIVE_INFINITY : patternSize(pattern);
  if (size > MAX_STEPS) return unchecked(pattern);
  if (size > READ_AT_ONCE) return isBeyond(pattern) ? unchecked(pattern) : readLate(pattern, size);
  const parts = partsOf(pattern);
  return parts ? checked(parts) : unchecked(pattern);
}

/** Looking back, or ahead past the beginning, and what a group found before. */
const BEYOND = /^(?:\(\?<?[=!]|\\[1-9k])/;

/** Whether RE2 cannot say a pattern, told from its text: a large one is not made into a machine to find that out. */
function isBeyond(pattern: string): boolean {
  const { aheads, rest } = splitAheads(pattern);
  const texts = [rest, ...aheads.map(({ inside }) => inside)];
  if (aheads.length > 0 && hasAlternatives(rest)) return true;
  return texts.some(text => [...text.matchAll(TOKEN)].some(([token]) => BEYOND.test(token)));
}

const sizeOf = (parts: readonly Part[]): number => parts.reduce((sum, { machine }) => sum + machine.programSize(), 0);

function checked(parts: readonly Part[]): Pattern {
  const steps = sizeOf(parts);
  const longest = MAX_PATTERN_WORK / steps;
  return {
    matches: text => text.length <= longest && parts.every(({ machine, wanted }) => machine.testExact(text) === wanted),
    isChecked: true,
    steps,
    firstSteps: 0,
  };
}

function readLate(pattern: string, size: number): Pattern {
  const { matches } = unchecked(pattern);
  let read: Pattern['matches'] | null = null;
  const reading = () => {
    const parts = partsOf(pattern);
    return parts && sizeOf(parts) <= MAX_STEPS ? checked(parts).matches : matches;
  };
  return {
    matches: text => (read ??= reading())(text),
    isChecked: true,
    steps: size,
    firstSteps: size * STEPS_OF_MAKING,
  };
}

const MAX_REPEATS = 1000;
const TOKEN =
  /\\[pP]\{[^}]*\}|\\.|\[\^?(?:\\.|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<\w+>))?|\)|\||\{(\d+)(?:,(\d*))?\}|[*+?]|./gs;

/** Steps of the machine that a pattern would become, reckoned from its text: what is repeated counts as often; infinite past RE2's repeats. */
export function patternSize(pattern: string): number {
  const open = [{ sum: 0, last: 0 }];
  for (const [token, least = '', most = ''] of pattern.matchAll(TOKEN)) {
    const part = open.at(-1) ?? { sum: 0, last: 0 };
    if (token.startsWith('(')) open.push({ sum: 0, last: 0 });
    else if (token === ')' && open.length > 1) {
      open.pop();
      add(open.at(-1), part.sum + 2);
    } else if (least !== '') {
      const times = Math.max(1, Number(least), Number(most));
      if (times > MAX_REPEATS) return Number.POSITIVE_INFINITY;
      add(part, part.last * (times - 1), part.last * times);
    } else add(part, 1, /^[*+?|]$/.test(token) ? part.last + 1 : 1);
  }
  return open.reduce((sum, part) => sum + part.sum, 0);
}

function add(part: { sum: number; last: number } | undefined, amount: number, last = amount): void {
  if (part) Object.assign(part, { sum: part.sum + amount, last });
}

/** Forms that are out there have such patterns: they are answered all the same. */
function unchecked(pattern: string): Pattern {
  try {
    void new RegExp(`^(?:${pattern})$`);
  } catch {
    throw new Error(`"${pattern}" is not a valid pattern`);
  }
  return { matches: () => true, isChecked: false, steps: 0, firstSteps: 0 };
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

type LookAhead = { inside: string; wanted: boolean };

/** `^(?=.*\d)(?!0)rest` taken apart. */
function splitAheads(pattern: string): { aheads: LookAhead[]; rest: string } {
  const aheads: LookAhead[] = [];
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
