import type { MiddlewareHandler } from 'hono';

/** Memberships with their organisation and its playbooks are two levels. */
const MAX_DEPTH = 2;
const MAX_EMBEDDED_TABLES = 5;

/** How deep tables stand in each other, and which they are; `count()` and other sums are no tables. */
export function embeddingOf(select: string): { depth: number; tables: string[] } {
  const plain = select.replaceAll(/"[^"]*"/g, 'x').replaceAll(/(?<!\w)\w+(\.\w+)?\(\s*\)/g, '');
  const tables: string[] = [];
  let [open, depth] = [0, 0];
  for (const { 1: name, 0: part } of plain.matchAll(/(?<![^,()])([^,()]*)\(|\)/g)) {
    open += part === ')' ? -1 : 1;
    depth = Math.max(depth, open);
    if (part !== ')') tables.push(tableIn(name ?? ''));
  }
  return { depth, tables };
}

/** `...owner:profiles!owner_id` is of `profiles`. */
const tableIn = (path: string): string => path.split(':').at(-1)?.split('!')[0]?.replaceAll(/[\s.]/g, '') ?? '';

function faultOf(asked: string, selects: readonly string[]): string | null {
  const found = selects.map(embeddingOf);
  if (found.some(({ depth }) => depth > MAX_DEPTH)) return `no more than ${MAX_DEPTH} levels of embedded tables`;
  const tables = found.flatMap(each => each.tables);
  if (tables.length > MAX_EMBEDDED_TABLES) return `no more than ${MAX_EMBEDDED_TABLES} embedded tables`;
  return new Set([...tables, asked]).size <= tables.length ? 'each table once' : null;
}

/**
 * For /rest/v1. Tables within tables answer the product of their rows, and a table that comes back in its own rows answers its square:
 * 200 rows of somebody's own were 82 MB.
 */
export const shallowEmbedding: MiddlewareHandler = async (c, next) => {
  const { pathname, searchParams } = new URL(c.req.url);
  const fault = faultOf(pathname.split('/').at(-1) ?? '', searchParams.getAll('select'));
  if (fault === null) return next();
  const hint = 'Ask for the rows in two requests.';
  return Response.json({ code: 'PGRST100', message: fault, details: null, hint }, { status: 400 });
};
