import type { PostgresType } from 'postgres';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** What no number that JavaScript wrote is far beyond: the database writes each out in full, a hundred thousand digits for nine letters. */
const LONG_NUMBER = /\de[+-]?\d{3}/i;

/** JSON whose numbers are no longer than those of JavaScript, as in a body that was parsed; also in a text that is JSON itself. */
function shortened(json: string): string {
  // What is no text is parsed once more only where it has such a number.
  if (!json.trimStart().startsWith('"')) return LONG_NUMBER.test(json) ? JSON.stringify(JSON.parse(json)) : json;
  const text = String(JSON.parse(json));
  const inner = isJson(text) ? shortened(text) : text;
  return inner === text ? json : JSON.stringify(inner);
}

/**
 * lite 0.10 gives the driver JSON that is text already, and the driver's serializer makes a JSON string of it once more:
 * jsonb arguments of functions and auth metadata arrive as one string. Text that is JSON is passed as it is. A string
 * value comes as bare text, so one that happens to read as JSON ("7") arrives as what it reads as; nothing here can tell.
 */
const serialize = (value: unknown): string =>
  typeof value === 'string' && isJson(value) ? shortened(value) : JSON.stringify(value);
const parse = (text: string): unknown => JSON.parse(text);

export const jsonTypes: Record<'json' | 'jsonb', PostgresType> = {
  json: { to: 114, from: [114], serialize, parse },
  jsonb: { to: 3802, from: [3802], serialize, parse },
};
