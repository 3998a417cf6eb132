import type { Context, MiddlewareHandler } from 'hono';
import type { GateVariables } from '../access/gate.ts';
import { bytesOf, withBytes } from '../requests/reject-truncated-body.ts';
import { knownForms } from './accept.ts';
import { askedIn, checkKnown, noFunction, type RequestTarget } from './asked.ts';
import { shapeOf } from '../requests/body-shape.ts';
import type { Catalogue } from './catalogue.ts';
import { knownPreferences } from './prefer.ts';
import { checkQuery } from './query.ts';
import { RequestFault } from './request-fault.ts';

/** Which of its headers a request keeps; whatever else it brought is nobody's further in. */
const KEPT = [
  'authorization',
  'apikey',
  'user-agent',
  'x-client-info',
  'content-profile',
  'accept-profile',
  'range-unit',
];
const MAX_HEADER = 8192;
const RANGE = /^(?:items=)?\d{1,9}-\d{0,9}$/;

/** @throws {RequestFault} PGRST106 */
function checkProfile({ method, headers }: Request): void {
  const name = method === 'GET' || method === 'HEAD' ? 'accept-profile' : 'content-profile';
  const schema = headers.get(name) ?? 'public';
  if (schema === 'public') return;
  const hint = 'Only the following schemas are exposed: public';
  throw new RequestFault(406, 'PGRST106', `Invalid schema: ${schema.slice(0, 63)}`, { hint });
}

/** @throws {RequestFault} PGRST107, PGRST122 */
function knownHeaders(request: Request): Headers {
  const kept = new Headers();
  for (const name of KEPT) {
    const value = request.headers.get(name);
    if (value !== null && value.length <= MAX_HEADER) kept.set(name, value);
  }
  const preferred = knownPreferences(request.headers.get('prefer') ?? '');
  if (preferred !== null) kept.set('prefer', preferred);
  const accepted = request.headers.get('accept');
  if (accepted !== null) kept.set('accept', knownForms(accepted));
  const range = request.headers.get('range');
  if (range !== null && RANGE.test(range)) kept.set('range', range);
  return kept;
}

/** Their bodies go to the database as text: nothing here makes values of them. */
const SYNC_CALLS = new Set(['sync_push', 'sync_pull']);
/** Ten megabytes of the smallest edits. */
const MAX_SYNC_VALUES = 1_500_000;

const noJson = () => new RequestFault(400, 'PGRST102', 'Empty or invalid json');
const oddType = (type: string) =>
  new RequestFault(415, 'PGRST102', `Content-Type not acceptable: ${type.slice(0, 63)}`);

/** @throws {RequestFault} PGRST102, PGRST204, PGRST202, 413 */
function checkBody(request: Request, asked: RequestTarget): Uint8Array<ArrayBuffer> | null {
  const bytes = bytesOf(request);
  if (!bytes || bytes.byteLength === 0) return null;
  const type = (request.headers.get('content-type') ?? 'application/json').split(';')[0]?.trim().toLowerCase() ?? '';
  if (type !== 'application/json') throw oddType(type);
  if (request.method === 'DELETE') throw noJson();
  const shape = shapeOf(bytes, SYNC_CALLS.has(asked.name) ? MAX_SYNC_VALUES : undefined);
  if ('fault' in shape) {
    if (shape.fault === 'root') throw noJson();
    throw new RequestFault(413, '413', 'The request holds too many rows, members or values');
  }
  if (shape.isArray && (asked.kind === 'function' || request.method === 'PATCH')) throw noJson();
  if (asked.kind === 'table') for (const name of shape.names) checkKnown(asked, name);
  else if ([...shape.names].some(name => !asked.args.has(name))) throw noFunction(asked.name, shape.names);
  return bytes;
}

/** The request as whatever answers it shall see it. @throws {RequestFault} */
function readRequest(c: Context<GateVariables>, catalogue: Catalogue): Request {
  const request = c.req.raw;
  const { pathname, search } = new URL(request.url);
  checkProfile(request);
  const asked = askedIn(request.method, pathname, catalogue);
  checkQuery(search, asked);
  const headers = knownHeaders(request);
  const body = checkBody(request, asked);
  if (body) headers.set('content-type', 'application/json');
  const { url, method, signal } = request;
  return withBytes(new Request(url, { method, headers, signal, body }), body);
}

/**
 * For /rest/v1, behind the gate and the whole body: path, query, headers and body are read here first, by a grammar of our own, and
 * what is no part of it reaches neither the library nor the database (decision 45).
 */
export function knownRequests(catalogue: () => Promise<Catalogue>): MiddlewareHandler<GateVariables> {
  return async (c, next) => {
    const known = await catalogue();
    try {
      c.req.raw = readRequest(c, known);
    } catch (error) {
      if (error instanceof RequestFault) return error.answer();
      throw error;
    }
    return next();
  };
}
