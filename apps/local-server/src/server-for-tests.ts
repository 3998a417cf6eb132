import { chmodSync, readFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { withConnection } from '@cairn/database/prepare-database.ts';
import { startPostgres, type EmbeddedPostgres } from '@cairn/database/embedded-postgres.ts';
import type { Secrets } from '@cairn/supabase-local/access/secrets.ts';
import { startServer, type RunningServer, type ServerOptions } from './server.ts';

/** A small schema that has one thing of each kind the API must get right. */
const MIGRATION = `
  create table notes (
    id uuid primary key default gen_random_uuid(),
    owner uuid not null default auth.uid() references auth.users (id) on delete cascade,
    words text not null check (words <> ''),
    extra jsonb
  );
  alter table notes enable row level security;
  create policy own on notes to authenticated using (owner = (select auth.uid())) with check (owner = (select auth.uid()));
  create table closed (id int primary key);
  insert into closed values (1);
  revoke all on closed from anon, authenticated;
  create table names (id uuid primary key, name text);
  create function meet() returns trigger language plpgsql security definer set search_path = '' as $$
  begin
    insert into public.names (id, name) values (new.id, new.raw_user_meta_data ->> 'full_name');
    return new;
  end $$;
  create trigger meet after insert on auth.users for each row execute function meet();
  create function kind_of(p_value jsonb) returns text language sql as $$ select jsonb_typeof(p_value) $$;
  create function keep_note(p_words text, p_extra jsonb) returns void language sql security definer as
    $$ insert into public.notes (owner, words, extra) values (auth.uid(), p_words, p_extra) $$;
  create function refuse() returns void language plpgsql as $$
  begin raise exception 'not today' using detail = 'because', hint = 'tomorrow'; end $$;
  create function refuse_with_code(p_detail text) returns void language plpgsql as $$
  begin raise exception 'not like this' using errcode = '23514', detail = p_detail; end $$;
  create function raise_state(p_state text) returns void language plpgsql as $$
  begin raise exception using errcode = p_state, message = 'as asked'; end $$;
  create function who() returns jsonb language sql as
    $$ select jsonb_build_object('role', current_user, 'uid', auth.uid(), 'headers', current_setting('request.headers', true)) $$;
  create function patience() returns text language sql as $$ select current_setting('statement_timeout') $$;
  create function shout(p_topic text, p_words text) returns void language sql security definer as
    $$ select realtime.send(jsonb_build_object('words', p_words), 'changed', p_topic, true) $$;
  create policy listen on realtime.messages for select to authenticated
    using (realtime.topic() = 'person:' || (select auth.uid()));
  insert into storage.buckets (id, name) values ('box', 'box');
  create policy add on storage.objects for insert to authenticated with check (bucket_id = 'box' and owner_id = (select auth.uid())::text);
  create policy see on storage.objects for select to authenticated using (bucket_id = 'box' and owner_id = (select auth.uid())::text);
  create function sync_pull(p_cursors jsonb default '{}', p_device uuid default null, p_limit int default 1000,
      p_packed boolean default false, p_snapshots boolean default false, p_constant boolean default false)
    returns jsonb language sql stable as
    $$ select jsonb_build_object('uid', auth.uid(), 'kind', jsonb_typeof(p_cursors), 'device', p_device, 'limit', p_limit, 'patience', current_setting('statement_timeout')) $$;
  create function calendar_feed(p_token text, p_known text[] default '{}', p_tag_only boolean default false)
    returns jsonb language plpgsql security definer as $$
  begin
    if not p_tag_only then perform from public.closed; end if;
    return jsonb_build_object('tag', md5(p_token))
      || case when p_tag_only then '{}' else '{"kind": "tasks", "zone": "UTC", "language": null, "entries": []}'::jsonb end;
  end $$;
  create function give_guest_link(p_action text, p_name text, p_email text, p_until text) returns jsonb language sql as
    $$ select jsonb_build_object('token', 't', 'email', p_email, 'name', p_name, 'until', p_until, 'organization', 'Firm') $$;
  create function sync_push(p_device uuid, p_mutations jsonb) returns jsonb language plpgsql as $$
  begin
    if jsonb_array_length(p_mutations) = 0 then raise exception 'nothing to do' using errcode = '22023'; end if;
    return jsonb_build_object('results', p_mutations);
  end $$;`;

export type TestServer = RunningServer & {
  root: string;
  data: string;
  secrets: Secrets;
  databaseUrl: string;
  /** A client that is not signed in. */
  visitor(): SupabaseClient;
  /** The same, whose requests go through `ask`. */
  visitorWith(ask: typeof fetch): SupabaseClient;
  /** With the secret key. */
  operator(): SupabaseClient;
  /** A new person, signed up and signed in. */
  person(name: string): Promise<{ client: SupabaseClient; id: string; token: string }>;
  ask(text: string): Promise<Record<string, unknown>[]>;
  /** Takes the database away from under the server, and brings it back on the same port. */
  stopDatabase(): Promise<void>;
  startDatabase(): Promise<void>;
};

const NO_STORE = { persistSession: false, autoRefreshToken: false };

function writeFolders(root: string): Pick<ServerOptions, 'migrations' | 'seedFolder' | 'dist'> {
  const [migrations, seedFolder, dist] = [join(root, 'migrations'), join(root, 'seed'), join(root, 'dist')];
  for (const folder of [migrations, seedFolder, join(dist, 'assets')]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(migrations, '20260101000000_test_all.sql'), MIGRATION);
  writeFileSync(join(dist, 'index.html'), '<!doctype html><title>Cairn</title>');
  writeFileSync(join(dist, 'assets', 'app-Ab12Cd34.js'), `export const words = '${'stone '.repeat(400)}';`);
  return { migrations, seedFolder, dist };
}

function signUp(visitor: () => SupabaseClient): TestServer['person'] {
  let people = 0;
  return async name => {
    const client = visitor();
    people += 1;
    const credentials = { email: `person${people}@example.test`, password: 'a long word' };
    const { data, error } = await client.auth.signUp({ ...credentials, options: { data: { full_name: name } } });
    if (error || !data.session) throw new Error(`sign-up failed: ${error?.message ?? 'no session'}`);
    return { client, id: data.session.user.id, token: data.session.access_token };
  };
}

type ServedParts = Pick<
  TestServer,
  keyof RunningServer | 'root' | 'data' | 'secrets' | 'visitor' | 'visitorWith' | 'operator'
>;

const newRoot = () => {
  const root = mkdtempSync(join(tmpdir(), 'cairn-server-'));
  // As root, Postgres would otherwise keep its data outside, where nothing removes it.
  chmodSync(root, 0o711);
  return root;
};

async function serve(root: string, options: Partial<ServerOptions> & { databaseUrl: string }): Promise<ServedParts> {
  const data = join(root, 'data');
  const mail = { smtpUrl: null, from: 'Cairn <cairn@localhost>' };
  const auth = { confirmEmail: false, limitFactor: 1000 };
  const base = {
    port: 0,
    host: '127.0.0.1',
    data,
    origins: [],
    seed: 'off' as const,
    mail,
    auth,
    publicRealtime: false,
  };
  const server = await startServer({ ...base, ...options });
  const secrets: Secrets = JSON.parse(readFileSync(join(data, 'secrets.json'), 'utf8'));
  const visitor = () => createClient(server.url, secrets.publishableKey, { auth: NO_STORE });
  const visitorWith = (ask: typeof fetch) =>
    createClient(server.url, secrets.publishableKey, { auth: NO_STORE, global: { fetch: ask } });
  const operator = () => createClient(server.url, secrets.secretKey, { auth: NO_STORE });
  return { ...server, root, data, secrets, visitor, visitorWith, operator };
}

/** The product's own schema, on a database that the caller made and drops. */
export async function startServerOn(
  databaseUrl: string,
): Promise<Pick<ServedParts, 'url' | 'visitor' | 'operator' | 'secrets' | 'stop'>> {
  const root = newRoot();
  const server = await serve(root, { databaseUrl });
  return {
    ...server,
    async stop() {
      await server.stop();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** @param overrides settings that differ; `migrations: undefined` never happens, the small schema is used */
export async function startTestServer(overrides: Partial<ServerOptions> = {}): Promise<TestServer> {
  const root = newRoot();
  let postgres: EmbeddedPostgres = await startPostgres({ dataDir: join(root, 'postgres') });
  const server = await serve(root, { ...writeFolders(root), ...overrides, databaseUrl: postgres.url });
  return {
    ...server,
    databaseUrl: postgres.url,
    person: signUp(server.visitor),
    ask: text => withConnection(postgres.url, async sql => [...(await sql.unsafe(text))]),
    stopDatabase: () => postgres.stop(),
    async startDatabase() {
      postgres = await startPostgres({ dataDir: join(root, 'postgres'), port: postgres.port });
    },
    async stop() {
      await server.stop();
      await postgres.stop();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
