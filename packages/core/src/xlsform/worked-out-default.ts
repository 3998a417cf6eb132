import { isKnownFunction } from '../forms/expression/expression.ts';
import { parseExpression, type Syntax } from '../forms/expression/expression-syntax.ts';
import { ExpressionError } from '../forms/expression/expression-tokens.ts';
import { isNumber, type QuestionType } from '../forms/question-types/question-types.ts';

const CALL = /(?:^|[\s(,+*<>=[/-])([a-z][\w:-]*)\(/gi;

/**
 * Whether a default is worked out rather than a value that stands in the cell: it refers to an answer, or calls a function;
 * of a question that takes a number, also one that is reckoned. What refers to an answer and cannot be read is no plain text
 * either: it is found, with its place, when the form is compiled.
 */
export function isWorkedOutDefault(cell: string, type: QuestionType): boolean {
  if (cell.includes('${')) return true;
  const calls = [...cell.matchAll(CALL)].map(([, name = '']) => name);
  const syntax = parsed(cell);
  if (calls.some(isKnownFunction)) return syntax !== null || cell.trim().endsWith(')');
  if (!isNumber(type) || syntax === null) return false;
  return syntax.kind === 'binary' || (syntax.kind === 'negate' && syntax.of.kind !== 'number');
}

function parsed(cell: string): Syntax | null {
  try {
    return parseExpression(cell);
  } catch (error) {
    if (error instanceof ExpressionError) return null;
    throw error;
  }
}
