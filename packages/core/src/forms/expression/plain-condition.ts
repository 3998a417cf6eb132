import { ExpressionError } from './expression-tokens.ts';
import { parseExpression, type Syntax } from './expression-syntax.ts';

/** A condition that can be chosen instead of written: one question, one comparison, one value. */
export type PlainCondition = {
  /** Null for the answer of the question itself. */
  question: string | null;
  test: 'is' | 'is_not' | 'has' | 'more' | 'less' | 'answered' | 'unanswered';
  /** Empty for answered and unanswered. */
  value: string;
};

const NUMBER = /^-?\d+(\.\d+)?$/;

/** The expression that says it, e.g. `${fuel} = 'gas'`. */
export function writeCondition({ question, test, value }: PlainCondition): string {
  const of = question === null ? '.' : `\${${question}}`;
  const literal = NUMBER.test(value) ? value : quoted(value);
  switch (test) {
    case 'is':
      return `${of} = ${literal}`;
    case 'is_not':
      return `${of} != ${literal}`;
    case 'has':
      return `selected(${of}, ${quoted(value)})`;
    case 'more':
      return `${of} > ${literal}`;
    case 'less':
      return `${of} < ${literal}`;
    case 'answered':
      return `${of} != ''`;
    default:
      return `${of} = ''`;
  }
}

const quoted = (text: string): string => (text.includes("'") ? `"${text.replaceAll('"', '')}"` : `'${text}'`);

const TESTS = { '=': 'is', '!=': 'is_not', '>': 'more', '<': 'less' } as const;

/** The condition an expression says; null where it says more than can be chosen, or cannot be read. */
export function readCondition(expression: string): PlainCondition | null {
  try {
    return ofSyntax(parseExpression(expression));
  } catch (error) {
    if (error instanceof ExpressionError) return null;
    throw error;
  }
}

function ofSyntax(syntax: Syntax): PlainCondition | null {
  if (syntax.kind === 'call') return ofSelected(syntax);
  if (syntax.kind !== 'binary' || !Object.hasOwn(TESTS, syntax.operator)) return null;
  const test = TESTS[syntax.operator as keyof typeof TESTS];
  const question = subject(syntax.left);
  const value = constant(syntax.right);
  if (question === undefined || value === null) return null;
  if (value === '') {
    return test === 'is' || test === 'is_not'
      ? { question, test: test === 'is' ? 'unanswered' : 'answered', value }
      : null;
  }
  return { question, test, value };
}

function ofSelected({ name, args }: Syntax & { kind: 'call' }): PlainCondition | null {
  const [of, choice] = args;
  if (name !== 'selected' || args.length !== 2 || !of || choice?.kind !== 'text') return null;
  const question = subject(of);
  return question === undefined ? null : { question, test: 'has', value: choice.value };
}

function subject(syntax: Syntax): string | null | undefined {
  if (syntax.kind === 'self') return null;
  return syntax.kind === 'field' && !syntax.name.includes('#') ? syntax.name : undefined;
}

function constant(syntax: Syntax): string | null {
  if (syntax.kind === 'text') return syntax.value;
  if (syntax.kind === 'number') return String(syntax.value);
  if (syntax.kind === 'negate' && syntax.of.kind === 'number') return String(-syntax.of.value);
  return null;
}
