/** Why an expression cannot be used, and where in its text (0 = first character). */
export class ExpressionError extends Error {
  override name = 'ExpressionError';
  readonly at: number;

  /** @param message for the form's author: what is wrong, without its place. */
  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

/** What `find` gives; an error it throws, as one of the expression at this place. */
export function located<T>(at: number, find: () => T): T {
  try {
    return find();
  } catch (error) {
    throw new ExpressionError(error instanceof Error ? error.message : String(error), at);
  }
}

export type Token = {
  kind: 'number' | 'text' | 'field' | 'name' | 'symbol' | 'end';
  /** What was meant: a text without its quotes, a field without `${}`. */
  value: string;
  at: number;
};

const SPACE = /\s+/y;
const NUMBER = /\d+(\.\d*)?|\.\d+/y;
const FIELD = /\$\{([^{}]*)\}/y;
/** Names may hold - and . and one colon (`jr:choice-name`), as in XML. */
const NAME = /[\p{L}_][\p{L}\p{N}_.-]*(:[\p{L}_][\p{L}\p{N}_.-]*)?/uy;
const SYMBOL = /!=|<=|>=|\.\.|[-()+*=<>,./[\]]/y;
const QUOTES = new Map([
  ['"', '"'],
  ["'", "'"],
  ['“', '”'],
  ['‘', '’'],
]);

/** Splits an expression into tokens; the last is `end`. Curly quotes, which word processors put in, are quotes too. */
export function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(source);
  };
  while (at < source.length) {
    const space = match(SPACE);
    if (space) at += space[0].length;
    else {
      const { token, length } = readToken(source, at, match);
      tokens.push(token);
      at += length;
    }
  }
  return [...tokens, { kind: 'end', value: '', at: source.length }];
}

type TokenMatch = { token: Token; length: number };

function readToken(source: string, at: number, match: (pattern: RegExp) => RegExpExecArray | null): TokenMatch {
  const quoted = readQuoted(source, at);
  if (quoted) return quoted;
  const field = match(FIELD);
  if (field) return readField(field, at);
  for (const [kind, pattern] of [
    ['number', NUMBER],
    ['name', NAME],
    ['symbol', SYMBOL],
  ] as const) {
    const found = match(pattern);
    if (found) return { token: { kind, value: found[0], at }, length: found[0].length };
  }
  const character = String.fromCodePoint(source.codePointAt(at) ?? 0);
  if (character === '$') throw new ExpressionError('a reference is written ${name}', at);
  throw new ExpressionError(`"${character}" is not understood here`, at);
}

function readQuoted(source: string, at: number): TokenMatch | null {
  const opened = source[at] ?? '';
  const closing = QUOTES.get(opened);
  if (closing === undefined) return null;
  const end = source.indexOf(closing, at + 1);
  if (end < 0) throw new ExpressionError(`a text begins with ${opened} and never ends`, at);
  return { token: { kind: 'text', value: source.slice(at + 1, end), at }, length: end + 1 - at };
}

function readField(found: RegExpExecArray, at: number): TokenMatch {
  const name = (found[1] ?? '').trim();
  if (name === '') throw new ExpressionError('a reference is written ${name}', at);
  return { token: { kind: 'field', value: name, at }, length: found[0].length };
}
