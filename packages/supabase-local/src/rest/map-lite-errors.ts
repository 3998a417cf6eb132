import type { MiddlewareHandler } from 'hono';

type Body = { code?: unknown; message?: unknown };

/** What lite 0.10 answers with 500 and its own words though the request could not be read, as PostgREST answers it. */
const LITE_ERRORS: { words: RegExp; code: string; message: string }[] = [
  { words: /^Error: (Missing closing quote|invalid column reference)/, code: 'PGRST100', message: 'failed to parse' },
  { words: /^RangeError: Maximum call stack/, code: 'PGRST102', message: 'The JSON is nested too deeply' },
];

const answer = (status: number, code: string, message: string): Response =>
  Response.json({ code, message, details: null, hint: null }, { status });

/**
 * lite names a fault of its own `SUP` and hands its words on: a mistake of who asks is told as one, and of a fault nothing
 * is said. Everything else goes through as it came.
 */
export async function toPostgrestError(response: Response): Promise<Response> {
  if (response.status !== 500) return response;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  const { code, message } = (body ?? {}) as Body;
  if (code !== 'SUP') return response;
  const known = LITE_ERRORS.find(({ words }) => words.test(String(message)));
  if (known) return answer(400, known.code, known.message);
  return answer(500, 'XX000', 'The server could not answer this request');
}

const isDecodable = (address: string): boolean => {
  try {
    return !decodeURIComponent(new URL(address).pathname).includes('\0');
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return false;
  }
};

/**
 * A cast in the address of a function would be put on its answer: what cannot be read in it breaks the transaction, and with
 * it whatever the function wrote down. No client of ours asks for one.
 */
const CAST_IN_NAME = /::/;
const NAMES = ['select', 'order', 'columns', 'on_conflict'];
const isTree = (name: string) => /(^|\.)(not\.)?(and|or)$/.test(name);

function asksForCast(address: URL): boolean {
  return [...address.searchParams].some(
    ([name, value]) => CAST_IN_NAME.test(name) || ((NAMES.includes(name) || isTree(name)) && CAST_IN_NAME.test(value)),
  );
}

/** Whether whoever answers will take the path for a function's, however its slashes are written. */
const isFunction = (path: string): boolean => /\/rpc\//.test(decodeURIComponent(path));

/** For /rest/v1, behind wholeAddress. */
export const noCasts: MiddlewareHandler = async (c, next) => {
  const address = new URL(c.req.url);
  if (isFunction(address.pathname) && asksForCast(address))
    return answer(400, 'PGRST100', 'failed to parse: no casts on a function');
  return next();
};

/** lite says that it rolled back, and commits, as PostgREST does unless it was set up otherwise: that one says nothing. */
export const rejectClientClaims: MiddlewareHandler = async (c, next) => {
  await next();
  const applied = c.res.headers.get('Preference-Applied')?.split(/,\s*/) ?? [];
  if (!applied.includes('tx=rollback')) return;
  const done = applied.filter(preference => preference !== 'tx=rollback');
  if (done.length > 0) c.res.headers.set('Preference-Applied', done.join(', '));
  else c.res.headers.delete('Preference-Applied');
};

/** What no client of ours sends: a library further in, or the database, would call it a fault of the server. */
export const rejectUndecodableUrl: MiddlewareHandler = async (c, next) => {
  if (!isDecodable(c.req.url)) return answer(400, 'PGRST125', 'Invalid path specified in request URL');
  if (/%00/.test(new URL(c.req.url).search)) return answer(400, 'PGRST100', 'failed to parse: a zero byte');
  return next();
};
