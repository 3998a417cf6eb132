import { randomUUID } from 'node:crypto';
import postgres, { type Sql } from 'postgres';
import { inject } from 'vitest';
import { TEMPLATE } from './postgres-for-tests.ts';
import { seams } from './seams.ts';

export type SqlRow = Record<string, unknown>;

export type TestDatabase = {
  /** Connection string of the superuser, for what needs sessions of its own. */
  url: string;
  /** One statement as a signed-in person (by id), or as a visitor (null), the way PostgREST runs it. */
  as(userId: string | null, text: string, params?: unknown[]): Promise<SqlRow[]>;
  /** One statement as the service role. */
  asService(text: string, params?: unknown[]): Promise<SqlRow[]>;
  asAdmin(text: string, params?: unknown[]): Promise<SqlRow[]>;
  /** Calls a function with one JSON answer (an rpc) as a person. */
  rpc<A>(userId: string | null, name: string, args: Record<string, unknown>): Promise<A>;
  /** Signs a new person up; the database makes their profile and private space. */
  person(email: string): Promise<string>;
  /** Puts a copy of everything aside, as a nightly backup does. */
  backup(): Promise<void>;
  /** Makes everything as it was at the backup, which is used up; what was written since is gone. Calls meanwhile fail. */
  restore(): Promise<void>;
  drop(): Promise<void>;
};

/** JSON text is sent as it is: the driver would encode it a second time. */
const JSON_TYPE = {
  to: 114,
  from: [114, 3802],
  serialize: (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)),
  parse: (text: string): unknown => JSON.parse(text),
};

async function dropDatabase(adminUrl: string, name: string): Promise<void> {
  const admin = postgres(adminUrl, { max: 1, onnotice: () => {} });
  await admin.unsafe(`drop database if exists ${name} with (force)`);
  await admin.end();
}

const encode = (value: unknown): never =>
  (typeof value === 'object' && value !== null && !Array.isArray(value) ? JSON.stringify(value) : value) as never;

function runAs(sql: Sql, role: string, userId: string | null, text: string, params: unknown[]): Promise<SqlRow[]> {
  const claims = JSON.stringify({ role, ...(userId && { sub: userId }) });
  return sql.begin(async tx => {
    await tx`select set_config('request.jwt.claims', ${claims}, true), set_config('role', ${role}, true)`;
    return tx.unsafe(text, params.map(encode));
  }) as Promise<SqlRow[]>;
}

const CONNECTIONS = { max: 8, onnotice: () => {}, types: { json: JSON_TYPE } };

/** The connections to one database, which close while it is copied. */
function openConnections(adminUrl: string, name: string) {
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  const copy = `${name}_copy`;
  const state = { sql: postgres(url.href, CONNECTIONS) };
  const copied = async (...statements: string[]) => {
    await state.sql.end({ timeout: 1 });
    const admin = postgres(adminUrl, { max: 1, onnotice: () => {} });
    for (const statement of statements) await admin.unsafe(statement);
    await admin.end();
    state.sql = postgres(url.href, CONNECTIONS);
  };
  return {
    url: url.href,
    state,
    backup: () => copied(`drop database if exists ${copy}`, `create database ${copy} template ${name}`),
    restore: () => copied(`drop database ${name} with (force)`, `alter database ${copy} rename to ${name}`),
    async drop() {
      await state.sql.end({ timeout: 1 });
      await dropDatabase(adminUrl, name);
      await dropDatabase(adminUrl, copy);
    },
  };
}

/** A database of its own for one test file, cloned from the run's template (≈ 50 ms). Call `drop` in afterAll. */
export async function freshDatabase(): Promise<TestDatabase> {
  const adminUrl = inject('postgresUrl');
  const name = `cairn_test_${randomUUID().replaceAll('-', '')}`;
  const admin = postgres(adminUrl, { max: 1, onnotice: () => {} });
  await admin.unsafe(`create database ${name} template ${TEMPLATE}`);
  await admin.end();
  const { state, url, ...whole } = openConnections(adminUrl, name);
  const asAdmin = async (text: string, params: unknown[] = []): Promise<SqlRow[]> =>
    state.sql.unsafe(text, params.map(encode));
  const as = (userId: string | null, text: string, params: unknown[] = []) =>
    runAs(state.sql, userId ? 'authenticated' : 'anon', userId, text, params);

  const db: TestDatabase = {
    url,
    ...whole,
    as,
    asAdmin,
    asService: (text, params = []) => runAs(state.sql, 'service_role', null, text, params),
    async rpc<A>(userId: string | null, name: string, args: Record<string, unknown>) {
      const names = Object.keys(args);
      const list = names.map((key, index) => `${key} => $${index + 1}`).join(', ');
      const [row] = await as(userId, `select public.${name}(${list}) as answer`, Object.values(args));
      return row?.['answer'] as A;
    },
    async person(email) {
      const id = randomUUID();
      await asAdmin('insert into auth.users (id, email, raw_user_meta_data) values ($1, $2, $3)', [
        id,
        email,
        { full_name: email.split('@')[0] },
      ]);
      return id;
    },
  };
  await seams.database(db);
  return db;
}
