import { Hono } from 'hono';
import type { GateVariables } from '../access/gate.ts';
import { validBucket } from './names.ts';
import { asCaller, jsonBody, withInstants, type Storage, type StorageRequest } from './storage-context.ts';
import { invalidRequest } from './storage-error.ts';

const COLUMNS = ['name', 'updated_at', 'created_at', 'last_accessed_at'];
const DEFAULT_LIMIT = 100;
const MAX_PREFIX_LENGTH = 1024;
const MAX_LISTED = 1000;
/** Names that are passed over: whoever wants more asks by folder. */
const MAX_OFFSET = 1_000_000;

type Query = { prefix: string; search: string; limit: number; offset: number; column: string; isDown: boolean };

type Range = { least: number; most: number; otherwise: number };

function wholeNumber(body: Record<string, unknown>, field: string, { least, most, otherwise }: Range): number {
  const value = body[field] ?? otherwise;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most)
    throw invalidRequest(`body/${field} must be an integer from ${least} to ${most}`);
  return value;
}

function text(body: Record<string, unknown>, field: string): string {
  const value = body[field] ?? '';
  if (typeof value !== 'string' || value.length > MAX_PREFIX_LENGTH || value.includes('\0'))
    throw invalidRequest(`body/${field} must be a string that can be part of a name`);
  return value;
}

function order(body: Record<string, unknown>): Pick<Query, 'column' | 'isDown'> {
  const sortBy: unknown = body['sortBy'] ?? {};
  if (typeof sortBy !== 'object' || sortBy === null) throw invalidRequest('body/sortBy must be object');
  const { column = 'name', order: direction = 'asc' }: { column?: unknown; order?: unknown } = sortBy;
  if (typeof column !== 'string' || !COLUMNS.includes(column))
    throw invalidRequest(`body/sortBy/column must be one of ${COLUMNS.join(', ')}`);
  if (direction !== 'asc' && direction !== 'desc') throw invalidRequest('body/sortBy/order must be asc or desc');
  return { column, isDown: direction === 'desc' };
}

const asFolder = (prefix: string) => (prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`);

/**
 * One level of the tree: folders by name, then files. A folder is what names share up to the next slash, and has nothing
 * but its name.
 */
function list(c: StorageRequest, storage: Storage, bucket: string, query: Query) {
  const { prefix, search, limit, offset, column, isDown } = query;
  const pattern = `${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return asCaller(storage, c.get('caller'), 'object.list', async tx => {
    const down = isDown ? tx`desc` : tx`asc`;
    return tx`
      with here as (
        select *, substr(name, length(${prefix}) + 1) as rest from storage.objects
        where bucket_id = ${bucket} and starts_with(name, ${prefix}) and substr(name, length(${prefix}) + 1) ilike ${pattern}
      ), level as (
        select 0 as kind, split_part(rest, '/', 1) as name, null::uuid as id, null::timestamptz as updated_at,
               null::timestamptz as created_at, null::timestamptz as last_accessed_at, null::jsonb as metadata
        from here where rest like '%/%' group by split_part(rest, '/', 1)
        union all
        select 1, rest, id, updated_at, created_at, last_accessed_at, metadata from here where rest not like '%/%'
      )
      select name, id, updated_at, created_at, last_accessed_at, metadata from level
      order by kind, case when kind = 0 then name end collate "C" ${down}, ${tx(column)} ${down}, name collate "C"
      limit ${limit} offset ${offset}`;
  });
}

async function listOne(c: StorageRequest, storage: Storage): Promise<Response> {
  const bucket = validBucket(c.req.param('bucket'));
  const body = await jsonBody(c);
  const query: Query = {
    prefix: asFolder(text(body, 'prefix')),
    search: text(body, 'search'),
    limit: wholeNumber(body, 'limit', { least: 1, most: MAX_LISTED, otherwise: DEFAULT_LIMIT }),
    offset: wholeNumber(body, 'offset', { least: 0, most: MAX_OFFSET, otherwise: 0 }),
    ...order(body),
  };
  // For somebody who is not signed in no bucket is gone through as a whole.
  if (c.get('caller').role === 'anon' && query.prefix === '') return c.json([]);
  return c.json((await list(c, storage, bucket, query)).map(withInstants));
}

/** What is in a folder. */
export function listRoutes(storage: Storage): Hono<GateVariables> {
  const routes = new Hono<GateVariables>();
  routes.post('/object/list/:bucket', c => listOne(c, storage));
  return routes;
}
