import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { namedIn, serveWorld, type Client, type ServedWorld } from './people-by-client.ts';
import { rlsCases, rlsExpectations, type Person } from './rls-expectations.ts';
import { copyOf, servedTables } from './sample-row.ts';

/** What tables.rls.test.ts proves by SQL, here the whole way: official client, local server, session, policy. */
let served: ServedWorld;
beforeAll(async () => {
  served = await serveWorld();
});
afterAll(() => served.stop());

type Answer = { data: unknown; error: { code?: string; message: string } | null; status: number };
type Sample = { key: string; value: unknown; first: string; row: Record<string, unknown> };

/** The sample row as a client names it: by its primary key. */
async function sampleOf(table: string, where: string): Promise<Sample> {
  const { columns, row } = await copyOf(served.db, table, where);
  const [found] = await served.db.asAdmin(
    `select attname from pg_index join pg_attribute on attrelid = indrelid and attnum = any (indkey)
     where indisprimary and indrelid = 'public.${table}'::regclass`,
  );
  const key = String(found?.['attname']);
  const [sample] = await served.db.asAdmin(`select ${key} as value from ${table} where ${where} limit 1`);
  return { key, value: sample?.['value'], first: columns[0] ?? key, row };
}

const VERBS = {
  s: (client: Client, table: string, { key, value }: Sample) => client.from(table).select(key).eq(key, value),
  // Preferences are one row per person: saved as an upsert, as the app does it.
  i: (client: Client, table: string, { row }: Sample) =>
    table === 'user_preferences'
      ? client.from(table).upsert(row, { onConflict: 'user_id' })
      : client.from(table).insert(row),
  u: (client: Client, table: string, { key, value, first, row }: Sample) =>
    client
      .from(table)
      .update({ [first]: row[first] })
      .eq(key, value),
  d: (client: Client, table: string, { key, value }: Sample) => client.from(table).delete().eq(key, value),
};

/** Changes with every row that is added, written (even with the same values) or removed. */
async function stateOf(table: string, where: string = 'true'): Promise<string> {
  const [row] = await served.db.asAdmin(
    `select coalesce(string_agg(ctid::text || xmin::text, ' ' order by ctid), '') as state from ${table} where ${where}`,
  );
  return String(row?.['state']);
}

/** The database, not the answer, says whether a write went through. */
async function goesThrough(verb: keyof typeof VERBS, table: string, sample: Sample, person: Person): Promise<boolean> {
  const before = await stateOf(table);
  const answer: Answer = await VERBS[verb](served.clients[person], table, sample);
  const isChanged = (await stateOf(table)) !== before;
  if (answer.error) {
    const refusal = { code: '42501', status: person === 'visitor' ? 401 : 403, isChanged: false };
    expect({ code: answer.error.code, status: answer.status, isChanged }).toEqual(refusal);
    return false;
  }
  return verb === 's' ? Array.isArray(answer.data) && answer.data.length > 0 : isChanged;
}

async function verbsOf(table: string, where: string, person: Person): Promise<string> {
  const sample = await sampleOf(table, where);
  let verbs = '';
  for (const verb of ['s', 'i', 'u', 'd'] as const) {
    if (await goesThrough(verb, table, sample, person)) verbs += verb;
  }
  return verbs;
}

const withoutExpectation = async () =>
  (await servedTables(served.db)).filter(table => !Object.hasOwn(rlsExpectations, table));

describe('who gets through on each table through the official client', () => {
  test.for(rlsCases)('$table, $person: "$verbs"', async ({ table, person, row, verbs }) => {
    expect(await verbsOf(table, row(served.world), person)).toBe(verbs);
  });

  test('every table and view of the catalogue is tried; a new one without its row is named', async () => {
    // What stands here needs a row in rls-expectations.ts.
    expect(await withoutExpectation()).toEqual([]);
    await served.db.asAdmin('create table forgotten (id int)');
    await served.db.asAdmin('create view seen as select 1 as one');
    expect(await withoutExpectation()).toEqual(['forgotten', 'seen']);
    await served.db.asAdmin('drop table forgotten; drop view seen');
  });
});

/** What migrations alone write, known by other keys than an id. */
const NOBODYS = ['permissions', 'circle_visibility'];
/** What is given by calls alone, which write down who read it. */
const BY_CALL = ['audit_entries', 'audit_heads'];

describe('whole tables', () => {
  test('somebody of another organisation reads no row that names anything of this one', async () => {
    const { world, clients, db } = served;
    for (const table of await servedTables(db)) {
      const { data, error } = await clients.other.from(table).select('*');
      expect([table, error?.code ?? null]).toEqual([table, BY_CALL.includes(table) ? '42501' : null]);
      expect([table, namedIn(data ?? [], world)]).toEqual([table, []]);
    }
    const own = await clients.other.from('profiles').select('id');
    expect(own.data).toEqual([{ id: world.stranger }]);
  });

  test.for(['other', 'visitor'] as const)("%s: a write to every row touches nobody else's", async person => {
    const { world, clients, db } = served;
    for (const table of await servedTables(db)) {
      const notOwn = NOBODYS.includes(table) ? 'true' : `id <> '${world.stranger}'`;
      const before = await stateOf(table, notOwn);
      const { key, first, row } = await sampleOf(table, rlsExpectations[table]?.row(world) ?? 'true');
      const all = clients[person].from(table);
      await all.update({ [first]: row[first] }).not(key, 'is', null);
      await all.delete().not(key, 'is', null);
      expect([table, await stateOf(table, notOwn)]).toEqual([table, before]);
    }
  });

  test('no schema beside public is served, to nobody, whatever schemas there are', async () => {
    const schemas = await served.db.asAdmin(
      "select nspname as name from pg_namespace where nspname !~ '^pg_' and nspname not in ('public', 'information_schema') order by 1",
    );
    expect(schemas.length).toBeGreaterThan(30);
    for (const { name } of schemas) {
      const { data, error, status } = await served.clients.owner.schema(String(name)).rpc('may');
      expect([name, data, status, error?.code]).toEqual([name, null, 406, 'PGRST106']);
    }
  });

  test.each(['sync', 'identity', 'auth', 'storage', 'extensions', 'realtime', 'supabase_migrations'])(
    'schema %s is not served, to nobody',
    async schema => {
      for (const client of Object.values(served.clients)) {
        const { data, error, status } = await client.schema(schema).from('users').select('*');
        expect([data, status]).toEqual([null, 406]);
        expect(error?.code).toBe('PGRST106');
      }
    },
  );
});

test('R3.13 a second profile for one person is refused', async () => {
  const { error, status } = await served.clients.owner.from('profiles').insert({ id: served.world.worker });
  expect([status, error?.code]).toEqual([409, '23505']);
});

test('R5.01 R5.02 a playbook is made neither by a visitor nor without an organisation of the person, and nothing is stored', async () => {
  const names = async () =>
    (await served.db.asAdmin(`select name from playbooks where name like 'Refused%'`)).map(row => row['name']);
  const { visitor, owner, other } = served.clients;
  const { organization, worker, stranger } = served.world;
  const attempts = [
    visitor.from('playbooks').insert({ name: 'Refused 1', organization_id: organization, owner_id: worker }),
    owner.from('playbooks').insert({ name: 'Refused 2', owner_id: worker }),
    owner.from('playbooks').insert({ name: 'Refused 3', organization_id: null, owner_id: worker }),
    other.from('playbooks').insert({ name: 'Refused 4', organization_id: organization, owner_id: stranger }),
  ];
  const answers: Answer[] = await Promise.all(attempts);
  expect(answers.map(({ status, error }) => [status, error?.code])).toEqual([
    [401, '42501'],
    [403, '42501'],
    [403, '42501'],
    [403, '42501'],
  ]);
  expect(await names()).toEqual([]);
});
