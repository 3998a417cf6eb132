import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addForeignRows } from './foreign-rows.ts';
import { serveWorld, type ServedWorld } from './people-by-client.ts';
import { servedTables } from './sample-row.ts';

/**
 * What the planner estimates is made of everybody's rows. Two states of the database that differ only in rows the asker may not see
 * answer every form of a request with the same bytes. Tables come from the catalogue: a new one is covered by itself.
 */
const FOREIGN_ROWS = 400;
/** Some 3,000 requests; a limit for what hangs. */
const TEST_MS = 600_000;
/** Requests at once of one asker; four are worked at. */
const AT_ONCE = 4;

type Requester = 'stranger' | 'other' | 'admin' | 'visitor';
type Form = { method: string; headers: Record<string, string>; query?: string };

const prefer = (value: string, method = 'GET'): Form => ({ method, headers: { prefer: value } });
const accept = (value: string): Form => ({ method: 'GET', headers: { accept: value, prefer: 'count=planned' } });
const PLAN = 'application/vnd.pgrst.plan';

/** Of every table. */
const FORMS: Form[] = [
  prefer('count=planned'),
  prefer('count=estimated', 'HEAD'),
  accept(`${PLAN}+json; for="application/json"; options=analyze|verbose`),
];
/** Of those that are a person's alone. */
const MORE_FORMS: Form[] = [
  ...[
    'count=exact',
    'Count=Planned',
    'count = planned',
    'return=minimal, count=estimated',
    'count=estimated,count=exact',
  ].map(value => prefer(value)),
  ...[
    'count="planned"',
    'count=planned; x',
    'plan=true',
    'handling=strict, count=planned',
    'handling=lenient,count=PLANNED',
  ].map(value => prefer(value)),
  ...['count=planned', 'count=exact', 'max-affected=1, handling=strict, count=planned'].map(value =>
    prefer(value, 'HEAD'),
  ),
  ...[
    PLAN,
    `${PLAN}+text`,
    `application/json, ${PLAN}`,
    PLAN.toUpperCase(),
    'text/csv',
    'application/vnd.pgrst.object+json',
  ].map(accept),
  { method: 'GET', headers: { prefer: 'count=planned', range: '0-0' } },
  { method: 'GET', headers: { prefer: 'count=estimated' }, query: 'limit=0' },
  { method: 'GET', headers: { prefer: 'count=planned' }, query: 'offset=5' },
  { method: 'GET', headers: { prefer: 'count=planned' }, query: `id=eq.00000000-0000-4000-8000-0000000000ff` },
  {
    method: 'GET',
    headers: { prefer: 'count=planned', 'x-prefer': 'count=planned' },
    query: 'or=(id.is.null,id.not.is.null)',
  },
  { method: 'PATCH', headers: { prefer: 'count=planned' }, query: 'id=is.null' },
  { method: 'DELETE', headers: { prefer: 'count=estimated' }, query: 'id=is.null' },
];
const PRIVATE = ['wellness_check_ins', 'habit_entries', 'goal_check_ins', 'cohort_consents', 'consent_grants'];
const HEADERS = [
  'content-range',
  'content-location',
  'location',
  'preference-applied',
  'content-type',
  'content-length',
];

let served: ServedWorld;
let tables: string[];
/** Column that rows are in order by, of each table. */
const keys = new Map<string, string>();
const bearers = new Map<Requester, Record<string, string>>();

async function headersOf(client: ServedWorld['clients']['other']): Promise<Record<string, string>> {
  const { data } = await client.auth.getSession();
  return { authorization: `Bearer ${data.session?.access_token ?? ''}` };
}

beforeAll(async () => {
  served = await serveWorld();
  tables = await servedTables(served.db);
  const rows = await served.db.asAdmin(
    `select c.relname as table, coalesce(min(k.attname), min(a.attname)) as key from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     left join pg_index i on i.indrelid = c.oid and i.indisprimary
     left join pg_attribute k on k.attrelid = c.oid and k.attnum = i.indkey[0]
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm') group by 1`,
  );
  for (const { table, key } of rows) keys.set(String(table), String(key));
  const stranger = served.clients.visitor;
  await stranger.auth.signUp({ email: 'nobody@nowhere.test', password: 'a long word' });
  bearers.set('stranger', await headersOf(stranger));
  bearers.set('other', await headersOf(served.clients.other));
  bearers.set('admin', await headersOf(await served.signIn('admin')));
  bearers.set('visitor', {});
});
afterAll(() => served.stop());

const configured: { publishableKey?: string } = {};
async function publishableKey(): Promise<string> {
  configured.publishableKey ??= (
    (await (await fetch(`${served.url}/config.json`)).json()) as { publishableKey: string }
  ).publishableKey;
  return configured.publishableKey;
}

async function answerTo(asker: Requester, table: string, { method, headers, query }: Form): Promise<string> {
  const key = keys.get(table) ?? '';
  const isWrite = method === 'PATCH' || method === 'DELETE';
  const address = `${served.url}/rest/v1/${table}?${[...(isWrite ? [] : [`select=${key}`, `order=${key}`]), query ?? ''].filter(Boolean).join('&')}`;
  const answer = await fetch(address, {
    method,
    headers: { apikey: await publishableKey(), 'content-type': 'application/json', ...bearers.get(asker), ...headers },
    ...(method === 'PATCH' && { body: '{}' }),
  });
  const kept = HEADERS.map(name => `${name}: ${answer.headers.get(name) ?? ''}`);
  return [answer.status, ...kept, await answer.text()].join('\n');
}

/** What each asker is answered to each form, by a name that says which. */
async function answers(): Promise<Map<string, string>> {
  const asked = [...bearers.keys()].flatMap(asker =>
    tables.flatMap(table =>
      [...FORMS, ...(PRIVATE.includes(table) ? MORE_FORMS : [])].map(form => ({ asker, table, form })),
    ),
  );
  const found = new Map<string, string>();
  const rest = asked.values();
  const work = async () => {
    for (const { asker, table, form } of rest)
      found.set(`${asker} ${table} ${JSON.stringify(form)}`, await answerTo(asker, table, form));
  };
  await Promise.all(Array.from({ length: AT_ONCE * bearers.size }, work));
  return found;
}

/** Rows each person may see, counted by the database itself. */
async function visible(): Promise<Record<string, string>> {
  const ids: [Requester, string | null][] = [
    ['other', served.world.stranger],
    ['admin', served.world.admin],
  ];
  const found: Record<string, string> = {};
  for (const [asker, id] of ids)
    for (const table of tables) {
      const [row] = await served.db.as(id, `select count(*) as n from ${table}`).catch(() => []);
      found[`${asker} ${table}`] = String(row?.['n']);
    }
  return found;
}

describe('two states that differ only in rows the asker may not see', () => {
  test(
    'answer every form of every request with the same bytes',
    async () => {
      const [before, seen] = [await answers(), await visible()];
      const added = await addForeignRows(served.db, served.world, FOREIGN_ROWS);
      const seenNow = await visible();
      // Whatever everybody may see is no secret; it is named here, so that nothing private slips in.
      const open = tables.filter(table =>
        ['other', 'admin'].some(asker => seen[`${asker} ${table}`] !== seenNow[`${asker} ${table}`]),
      );
      expect(open).toEqual(['circle_visibility', 'notification_types', 'permissions', 'policy_packs']);
      for (const table of PRIVATE) expect([table, added[table]]).toEqual([table, FOREIGN_ROWS]);
      const after = await answers();
      const differing = [...before].filter(
        ([name, answer]) => !open.some(table => name.includes(` ${table} `)) && after.get(name) !== answer,
      );
      expect(differing.map(([name, answer]) => [name, answer, after.get(name)])).toEqual([]);
      expect(Object.values(added).filter(n => n > 0).length).toBeGreaterThan(tables.length / 2);
    },
    TEST_MS,
  );

  test('a count that is asked for as an estimate is the exact one of what the asker sees', async () => {
    for (const table of ['organizations', 'sites']) {
      const exact = await answerTo('admin', table, prefer('count=exact'));
      expect(exact).toMatch(/content-range: 0-\d+\/\d+/);
      for (const value of ['count=planned', 'count=estimated'])
        expect(await answerTo('admin', table, prefer(value))).toBe(exact);
    }
  });
});
