import type { MiddlewareHandler } from 'hono';

/** letters; the longest that a client of ours sends is a tenth of it. Filters (`id=in.(…)`) are as long as a header may be. */
const MAX_QUERY_CHARS = 4096;
const MAX_DEPTH = 16;

/** What is read as a language of its own. */
const NAMES = ['select', 'order', 'columns', 'on_conflict'];
const isTree = (name: string) => /(^|\.)(and|or)$/.test(name);
const isExpression = (name: string) => isTree(name) || NAMES.includes(name.split('.').at(-1) ?? '');

/** How far brackets stand in each other; those in quotes are somebody's text. */
function levelsOf(expression: string): number {
  let [depth, deepest, isText] = [0, 0, false];
  for (let at = 0; at < expression.length; at += 1) {
    const char = expression[at];
    if (isText && char === '\\') at += 1;
    else if (char === '"') isText = !isText;
    else if (!isText && char === '(') deepest = Math.max(deepest, ++depth);
    else if (!isText && char === ')') depth -= 1;
  }
  return deepest;
}

const refuse = (status: number, code: string, message: string, hint: string): Response =>
  Response.json({ code, message, details: null, hint }, { status });

/** For /rest/v1, before anything reads the address: what it asks for can be as long as a header, and takes seconds to be understood. */
export const shortQuery: MiddlewareHandler = async (c, next) => {
  const asked = [...new URL(c.req.url).searchParams].filter(([name]) => isExpression(name)).map(([, value]) => value);
  const chars = asked.reduce((sum, value) => sum + value.length, 0);
  if (chars > MAX_QUERY_CHARS)
    return refuse(
      414,
      'PT414',
      'The query is too long',
      `select, order, and, or: ${MAX_QUERY_CHARS} letters together.`,
    );
  if (asked.some(value => levelsOf(value) > MAX_DEPTH))
    return refuse(400, 'PGRST100', 'failed to parse: nested too deeply', `No more than ${MAX_DEPTH} levels.`);
  return next();
};
