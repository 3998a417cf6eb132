import { ExpressionError, type Token, tokenize } from './expression-tokens.ts';
import { numberText } from './expression-values.ts';

export type BinaryOperator = 'or' | 'and' | '=' | '!=' | '<' | '<=' | '>' | '>=' | '+' | '-' | '*' | 'div' | 'mod';

/** The parsed form of an expression; `at` is the place in its text, for errors found later. */
export type Syntax =
  | { kind: 'number'; value: number }
  | { kind: 'text'; value: string }
  /** `.`: the answer of the question the expression belongs to. */
  | { kind: 'self' }
  /** `${name}` */
  | { kind: 'field'; name: string; at: number }
  /** `../a/b`, `/form/a`, `..`, or a bare name; `up` counts the `..`, null for a path from the root. */
  | { kind: 'path'; up: number | null; steps: string[]; at: number }
  /** `instance('list')/root/item[test]/column`: what stands in a column of a list, for the choices that pass one test after the other. */
  | { kind: 'lookup'; list: string; tests: Syntax[]; column: string | null; at: number }
  /** `${repeat}[test]/a`: what stands at a path in the entries of a repeat that pass the test. */
  | { kind: 'entries'; of: Syntax & { kind: 'field' | 'path' }; test: Syntax; steps: string[]; at: number }
  /** `instance('__last-saved')/form/a`: what the last inspection had there. */
  | { kind: 'saved'; steps: string[]; at: number }
  | { kind: 'call'; name: string; args: Syntax[]; at: number }
  | { kind: 'negate'; of: Syntax }
  | { kind: 'binary'; operator: BinaryOperator; left: Syntax; right: Syntax };

const STRENGTH: Record<BinaryOperator, number> = {
  or: 1,
  and: 2,
  '=': 3,
  '!=': 3,
  '<': 4,
  '<=': 4,
  '>': 4,
  '>=': 4,
  '+': 5,
  '-': 5,
  '*': 6,
  div: 6,
  mod: 6,
};
const NEGATE = 7;
/** Deeper nesting is refused, so that no text can exhaust the stack. */
const DEPTH = 200;

const isOperator = (value: string): value is BinaryOperator => Object.hasOwn(STRENGTH, value);

/**
 * Parses one expression: XPath 1.0 as far as XLSForm uses it, without axes; predicates only where a list is looked up.
 *
 * @param anyRows the rows of a list may be called otherwise than /root/item, as XForms allow
 * @throws {ExpressionError} with the place in `source`
 */
export function parseExpression(source: string, { anyRows = false } = {}): Syntax {
  const parser = new Parser(tokenize(source), anyRows);
  const parsed = parser.expression(0, 0);
  parser.expectEnd();
  return parsed;
}

/** Precedence climbing over the tokens. */
class Parser {
  private readonly tokens: Token[];
  private readonly anyRows: boolean;
  private position = 0;

  constructor(tokens: Token[], anyRows: boolean) {
    this.tokens = tokens;
    this.anyRows = anyRows;
  }

  expression(strength: number, depth: number): Syntax {
    if (depth > DEPTH) throw new ExpressionError('this is nested too deeply', this.peek().at);
    let left = this.unary(depth);
    for (;;) {
      const token = this.peek();
      if (token.kind === 'text' || !isOperator(token.value) || STRENGTH[token.value] <= strength) return left;
      this.next();
      const right = this.expression(STRENGTH[token.value], depth + 1);
      left = { kind: 'binary', operator: token.value, left, right };
    }
  }

  expectEnd(): void {
    const token = this.peek();
    if (token.kind !== 'end') throw new ExpressionError(`${shown(token)} is not expected here`, token.at);
  }

  private unary(depth: number): Syntax {
    if (!this.take('-')) return this.primary(depth);
    return { kind: 'negate', of: this.expression(NEGATE - 1, depth + 1) };
  }

  private primary(depth: number): Syntax {
    const token = this.next();
    if (token.kind === 'number') return { kind: 'number', value: Number(token.value) };
    if (token.kind === 'text') return { kind: 'text', value: token.value };
    if (token.kind === 'field') return this.filtered({ kind: 'field', name: token.value, at: token.at }, depth);
    if (token.kind === 'name') return this.nameOrCall(token, depth);
    if (token.kind === 'symbol') return this.symbol(token, depth);
    throw new ExpressionError('something is missing at the end', token.at);
  }

  private symbol(token: Token, depth: number): Syntax {
    if (token.value === '(') {
      const inner = this.expression(0, depth + 1);
      this.expect(')');
      return inner;
    }
    if (token.value === '.') {
      if (!this.take('/')) return { kind: 'self' };
      return this.relative(token, depth);
    }
    if (token.value === '..') return this.afterUp(token, depth);
    if (token.value === '/') return this.path(null, token, depth);
    throw new ExpressionError(`${shown(token)} is not expected here`, token.at);
  }

  private nameOrCall(token: Token, depth: number): Syntax {
    if (!this.take('(')) {
      const rest = this.take('/') ? this.steps() : [];
      return this.filtered({ kind: 'path', up: 0, steps: [token.value, ...rest], at: token.at }, depth);
    }
    const args: Syntax[] = [];
    if (!this.take(')')) {
      do args.push(this.expression(0, depth + 1));
      while (this.take(','));
      this.expect(')');
    }
    // In a choice filter, `current()/../state` is how XForms writes `${state}`.
    if (token.value === 'current' && args.length === 0 && this.take('/')) return this.relative(token, depth);
    if (token.value === 'instance' && this.take('/')) return this.lookup(token, args, depth);
    return { kind: 'call', name: token.value, args, at: token.at };
  }

  private relative(token: Token, depth: number): Syntax {
    // `current()/.` and `./.` are the answer itself.
    if (this.take('.')) return this.take('/') ? this.relative(token, depth) : { kind: 'self' };
    return this.take('..') ? this.afterUp(token, depth) : this.path(0, token, depth);
  }

  private afterUp(token: Token, depth: number): Syntax {
    let up = 1;
    while (this.take('/')) {
      if (!this.take('..')) return this.path(up, token, depth);
      up += 1;
    }
    return { kind: 'path', up, steps: [], at: token.at };
  }

  private path(up: number | null, token: Token, depth: number): Syntax {
    // A path from the root, or from the answer itself, is nothing without a name.
    const steps = this.steps(up ? 0 : 1);
    return this.filtered({ kind: 'path', up, steps, at: token.at }, depth);
  }

  /** What a condition in [ ] behind it leaves of it. */
  private filtered(of: Syntax & { kind: 'field' | 'path' }, depth: number): Syntax {
    const { at } = this.peek();
    if (!this.take('[')) return of;
    const test = this.expression(0, depth + 1);
    this.expect(']');
    const steps = this.take('/') ? this.steps() : [];
    this.refuseFilter();
    return { kind: 'entries', of, test, steps, at };
  }

  private refuseFilter(): void {
    const token = this.peek();
    if (token.value !== '[' || token.kind !== 'symbol') return;
    throw new ExpressionError('only one condition in [ ] is understood in a path', token.at);
  }

  private lookup(token: Token, args: Syntax[], depth: number): Syntax {
    const [list] = args;
    if (list?.kind !== 'text' || args.length > 1) {
      throw new ExpressionError("instance() names its list in quotes, as in instance('towns')", token.at);
    }
    if (list.value === '__last-saved') return { kind: 'saved', steps: this.steps(), at: token.at };
    const names = [this.name(), this.take('/') ? this.name() : ''];
    if (names.join('/') !== 'root/item' && !(this.anyRows && names[1] !== '')) {
      throw new ExpressionError(`after instance() comes /root/item, not /${names.join('/')}`, token.at);
    }
    const tests: Syntax[] = [];
    while (this.take('[')) {
      tests.push(this.expression(0, depth + 1));
      this.expect(']');
    }
    const column = this.take('/') ? this.name() : null;
    this.refuseFilter();
    return { kind: 'lookup', list: list.value, tests, column, at: token.at };
  }

  /** @param least so many must be left where the path ends */
  private steps(least = 0): string[] {
    const steps: string[] = [];
    do this.step(steps, least);
    while (this.take('/'));
    return steps;
  }

  /** Further down, or as `.` and `..` say inside a path: at the same place, or one back up. */
  private step(steps: string[], least: number): void {
    if (steps.length >= least && this.take('.')) return;
    if (steps.length > least && this.take('..')) steps.pop();
    else steps.push(this.name());
  }

  private name(): string {
    const token = this.next();
    if (token.kind !== 'name') throw new ExpressionError('a path needs a name here', token.at);
    return token.value;
  }

  private peek(): Token {
    const token = this.tokens[this.position];
    if (!token) throw new Error('read past the end of an expression');
    return token;
  }

  private next(): Token {
    const token = this.peek();
    if (token.kind !== 'end') this.position += 1;
    return token;
  }

  private take(symbol: string): boolean {
    const token = this.peek();
    const taken = token.kind === 'symbol' && token.value === symbol;
    if (taken) this.position += 1;
    return taken;
  }

  private expect(symbol: string): void {
    const token = this.peek();
    if (!this.take(symbol)) throw new ExpressionError(`"${symbol}" is missing before ${shown(token)}`, token.at);
  }
}

const shown = (token: Token): string => (token.kind === 'end' ? 'the end' : `"${token.value}"`);

/** Writes an expression so that parsing it gives the same again. */
export function printExpression(syntax: Syntax): string {
  return print(syntax, 0);
}

function print(syntax: Syntax, strength: number): string {
  switch (syntax.kind) {
    case 'number':
      return numberText(syntax.value);
    case 'text':
      return syntax.value.includes("'") ? `"${syntax.value}"` : `'${syntax.value}'`;
    case 'self':
      return '.';
    case 'field':
      return `\${${syntax.name}}`;
    case 'path':
      return printPath(syntax.up, syntax.steps);
    case 'lookup':
      return printLookup(syntax);
    case 'entries':
      return `${print(syntax.of, 0)}[${print(syntax.test, 0)}]${syntax.steps.map(step => `/${step}`).join('')}`;
    case 'saved':
      return `instance('__last-saved')/${syntax.steps.join('/')}`;
    case 'call':
      return `${syntax.name}(${syntax.args.map(arg => print(arg, 0)).join(', ')})`;
    case 'negate':
      return parenthesised(`-${print(syntax.of, NEGATE - 1)}`, strength >= NEGATE);
    default: {
      const own = STRENGTH[syntax.operator];
      const text = `${print(syntax.left, own - 1)} ${syntax.operator} ${print(syntax.right, own)}`;
      return parenthesised(text, strength >= own);
    }
  }
}

const parenthesised = (text: string, needed: boolean): string => (needed ? `(${text})` : text);

function printPath(up: number | null, steps: string[]): string {
  if (up === null) return `/${steps.join('/')}`;
  return [...Array.from({ length: up }, () => '..'), ...steps].join('/');
}

function printLookup({ list, tests, column }: Syntax & { kind: 'lookup' }): string {
  const quoted = print({ kind: 'text', value: list }, 0);
  const filter = tests.map(test => `[${print(test, 0)}]`).join('');
  return `instance(${quoted})/root/item${filter}${column === null ? '' : `/${column}`}`;
}
