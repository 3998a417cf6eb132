import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApi } from '@cairn/api/routes.ts';
import { BytesInFlight } from '@cairn/supabase-local/limits/bytes-in-flight.ts';
import { createAuthApp } from '@cairn/supabase-local/auth-app.ts';
import type { Auth } from '@cairn/supabase-local/auth/auth-context.ts';
import { serveWorld, type ServedWorld } from './people-by-client.ts';
import { servedTables } from './sample-row.ts';

/**
 * A body goes further only as an object, or where rows are meant as an array of objects: every JSON type as root, for every table, every
 * function of the database and every route of a service. The lists come from the catalogue and the routes.
 */
const ROOTS = [
  '"text"',
  '"["',
  '7',
  '-1e9',
  'true',
  'false',
  'null',
  '[1,2]',
  '["a"]',
  '[[]]',
  '[[{}]]',
  '[null]',
  '[true]',
  '[{},"a"]',
];
const MALFORMED = ['{', '[', '{"a"}', '[{}', '{}{}', 'undefined', '\u0000', '{"a":1,}'];
const TYPES = ['text/csv', 'text/plain', 'application/octet-stream', 'application/x-www-form-urlencoded'];
const AT_ONCE = 8;

let served: ServedWorld;
let headers: Record<string, string>;

beforeAll(async () => {
  served = await serveWorld();
  const config = (await (await fetch(`${served.url}/config.json`)).json()) as { publishableKey: string };
  const { data } = await served.clients.owner.auth.getSession();
  headers = { apikey: config.publishableKey, authorization: `Bearer ${data.session?.access_token ?? ''}` };
});
afterAll(() => served.stop());

type Call = { method: string; path: string; body: string; type?: string; prefer?: string };

async function statusOf({ method, path, body, type = 'application/json', prefer }: Call): Promise<number> {
  const sent = { ...headers, 'content-type': type, ...(prefer !== undefined && { prefer }) };
  const answer = await fetch(`${served.url}${path}`, { method, headers: sent, body });
  const text = await answer.text();
  // Each service words a refusal in JSON.
  if (answer.status >= 400) expect([path, typeof JSON.parse(text)]).toEqual([path, 'object']);
  return answer.status;
}

/** Those that were not refused as the asker's mistake. */
async function taken(calls: readonly Call[]): Promise<string[]> {
  const found: string[] = [];
  const rest = calls.values();
  const work = async () => {
    for (const call of rest) {
      const status = await statusOf(call);
      if (status < 400 || status >= 500)
        found.push(`${status} ${call.method} ${call.path} ${call.type ?? ''} ${call.body}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return found;
}

const stateOf = async (table: string) =>
  String(
    (
      await served.db.asAdmin(
        `select md5(coalesce(string_agg(t::text, ' ' order by t::text), '')) as hash from ${table} t`,
      )
    )[0]?.['hash'],
  );

describe('every JSON type as root', () => {
  test('is refused by every table, for every way of writing, and changes nothing', async () => {
    const tables = await servedTables(served.db);
    expect(tables.length).toBeGreaterThan(80);
    const before = await Promise.all(tables.map(stateOf));
    const calls = tables.flatMap(table => [
      ...[...ROOTS, ...MALFORMED].map(body => ({ method: 'POST', path: `/rest/v1/${table}`, body })),
      ...[...ROOTS.slice(0, 8), '[{}]'].map(body => ({ method: 'PATCH', path: `/rest/v1/${table}`, body })),
      ...ROOTS.slice(0, 3).map(body => ({
        method: 'POST',
        path: `/rest/v1/${table}`,
        body,
        prefer: 'resolution=merge-duplicates',
      })),
      ...TYPES.map(type => ({ method: 'POST', path: `/rest/v1/${table}`, body: 'id\n1\n', type })),
      { method: 'PUT', path: `/rest/v1/${table}`, body: '{}' },
      { method: 'DELETE', path: `/rest/v1/${table}`, body: '{}' },
    ]);
    expect(await taken(calls)).toEqual([]);
    expect(await Promise.all(tables.map(stateOf))).toEqual(before);
  });

  test('is refused by every function of the database', async () => {
    const rows = await served.db.asAdmin(
      `select distinct proname from pg_proc where pronamespace = 'public'::regnamespace and prokind = 'f'
       and prorettype not in ('trigger'::regtype, 'event_trigger'::regtype) order by 1`,
    );
    expect(rows.length).toBeGreaterThan(100);
    const calls = rows.flatMap(({ proname }) => {
      const path = `/rest/v1/rpc/${String(proname)}`;
      return [
        ...[...ROOTS, ...MALFORMED.slice(0, 4), '[]', '[{}]', '{"no_argument":1}', '{"__proto__":{}}'].map(body => ({
          method: 'POST',
          path,
          body,
        })),
        ...TYPES.map(type => ({ method: 'POST', path, body: 'a=1', type })),
      ];
    });
    // The two of sync hand an empty object on; what is no object they refuse like all.
    expect(await taken(calls)).toEqual([]);
  });

  test('is refused by every route of a service', async () => {
    const api = createApi({ url: 'http://nowhere.test', publishableKey: 'a', secretKey: 'b' });
    const paths = new Set(
      api.routes.filter(({ method }) => method !== 'GET').map(({ path }) => path.replace(/\/\*$/, '')),
    );
    const routes = [...paths].filter(path => path.split('/').length > 4);
    expect(routes.length).toBeGreaterThan(5);
    const calls = routes.flatMap(path => [...ROOTS, ...MALFORMED, '[]'].map(body => ({ method: 'POST', path, body })));
    expect(await taken(calls)).toEqual([]);
  });

  test('is refused by every route of sign-in, but for what reads no body', async () => {
    // Only its routes are looked at; nothing is asked of it.
    const routes = createAuthApp({} as Auth, new BytesInFlight({ asker: 0, network: 0, all: 0 })).routes.filter(
      ({ method }) => method === 'POST' || method === 'PUT',
    );
    expect(routes.length).toBeGreaterThan(15);
    const calls = routes.flatMap(({ method, path }) =>
      [...ROOTS, ...MALFORMED, '[]'].map(body => ({ method, path: path.replaceAll(/:\w+/g, 'a'), body })),
    );
    expect(await taken(calls)).toEqual([]);
  });
});
