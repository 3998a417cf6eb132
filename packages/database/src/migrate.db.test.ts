import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startPostgres, type EmbeddedPostgres } from './embedded-postgres.ts';
import { applyMigrations } from './migrate.ts';
import { prepareDatabase, withConnection } from './prepare-database.ts';

let pg: EmbeddedPostgres;
let root: string;
let folder: string;
let url: string;
let number = 0;

const ask = (text: string) => withConnection(url, async sql => [...(await sql.unsafe(text))]);
const migration = (version: string, text: string) => writeFileSync(join(folder, `${version}_area_what.sql`), text);

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'cairn-migrate-'));
  // As root, Postgres would otherwise keep its data outside, where nothing removes it.
  chmodSync(root, 0o711);
  pg = await startPostgres({ dataDir: join(root, 'data') });
});

afterAll(async () => {
  await pg.stop();
  rmSync(root, { recursive: true, force: true });
});

beforeEach(async () => {
  number += 1;
  folder = mkdtempSync(join(root, 'migrations-'));
  await withConnection(pg.url, sql => sql.unsafe(`create database try_${number}`));
  url = pg.url.replace(/\/postgres$/, `/try_${number}`);
  await prepareDatabase(url);
});

test('files are applied once, in order, by a role that is no superuser', async () => {
  migration('20260101000000', 'create table first (id int)');
  migration('20260102000000', 'create table second as select current_user::text as who, usesuper from pg_user, first');
  expect(await applyMigrations(url, folder)).toEqual(['20260101000000', '20260102000000']);
  expect(await applyMigrations(url, folder)).toEqual([]);
  expect(
    await ask(`select tableowner, rolsuper from pg_tables join pg_roles on rolname = tableowner
    where schemaname = 'public' and tablename = 'second'`),
  ).toEqual([{ tableowner: 'cairn_migrator', rolsuper: false }]);
});

test('a file that fails leaves nothing of itself, keeps the earlier ones and names itself', async () => {
  migration('20260101000000', 'create table first (id int)');
  migration('20260102000000', 'create table second (id int); select 1 / 0');
  await expect(applyMigrations(url, folder)).rejects.toThrow(
    'The migration 20260102000000_area_what.sql failed: division by zero',
  );
  expect(await ask(`select tablename from pg_tables where schemaname = 'public'`)).toEqual([{ tablename: 'first' }]);
  migration('20260102000000', 'create table second (id int)');
  expect(await applyMigrations(url, folder)).toEqual(['20260102000000']);
});

test('an applied file that has changed is refused in one sentence', async () => {
  migration('20260101000000', 'create table first (id int)');
  await applyMigrations(url, folder);
  migration('20260101000000', 'create table first (id bigint)');
  await expect(applyMigrations(url, folder)).rejects.toThrow('was changed after it was applied');
});

test('a database that another build made is refused in one sentence that says what to do, and stays as it is', async () => {
  migration('20260101000000', 'create table first (id int)');
  migration('20260102000000', 'create table second (id int)');
  await applyMigrations(url, folder);
  rmSync(join(folder, '20260101000000_area_what.sql'));
  rmSync(join(folder, '20260102000000_area_what.sql'));
  migration('20260201000000', 'create table baseline (id int)');
  await expect(applyMigrations(url, folder)).rejects.toThrow(
    'This database was made by another build of Cairn (it has migration 20260101000000, which is unknown here): open it with that build, or start this one with an empty data folder.',
  );
  expect(await ask(`select tablename from pg_tables where schemaname = 'public' order by 1`)).toEqual([
    { tablename: 'first' },
    { tablename: 'second' },
  ]);
});

test('a migration may do what it may on Supabase: triggers on auth.users, policies on files and channels, a bucket', async () => {
  migration(
    '20260101000000',
    `create table people (id uuid primary key references auth.users (id) on delete cascade, word text default extensions.gen_salt('bf'));
     create function meet() returns trigger language plpgsql security definer set search_path = '' as
       $$ begin insert into public.people (id) values (new.id); return new; end $$;
     create trigger meet after insert on auth.users for each row execute function meet();
     create policy own on storage.objects for select to authenticated using (owner_id = (select auth.uid())::text);
     create policy listen on realtime.messages for select to authenticated using (realtime.topic() = 'a');
     insert into storage.buckets (id, name) values ('b', 'b');
     create schema side; create extension pg_trgm with schema extensions;
     alter publication supabase_realtime add table people;
     select realtime.send('{"a":1}', 'e', 't', true);`,
  );
  await applyMigrations(url, folder);
  await ask(`insert into auth.users (id, email) values ('00000000-0000-4000-8000-000000000001', 'a@b.test')`);
  expect(await ask('select id from people')).toHaveLength(1);
});

test('a migration may not do what only a superuser may', async () => {
  migration('20260101000000', 'create role intruder superuser');
  await expect(applyMigrations(url, folder)).rejects.toThrow('permission denied to create role');
});

test('preparing a database again changes nothing', async () => {
  await prepareDatabase(url);
  expect(await ask(`select count(*)::int as n from pg_publication where pubname = 'supabase_realtime'`)).toEqual([
    { n: 1 },
  ]);
});

test('who is asking is read from either form of the claims', async () => {
  const id = '00000000-0000-4000-8000-000000000001';
  const claims = JSON.stringify({ sub: id, role: 'authenticated', email: 'a@b.test' });
  const answer = await ask(`begin; select set_config('request.jwt.claims', '${claims}', true);
    select auth.uid(), auth.role(), auth.email(), auth.jwt() ->> 'sub' as sub; rollback`);
  expect(JSON.stringify(answer)).toContain(
    JSON.stringify([{ uid: id, role: 'authenticated', email: 'a@b.test', sub: id }]),
  );
});

test('a broadcast too large for a notification does not fail the transaction that sends it', async () => {
  expect(
    await ask(`select realtime.send(jsonb_build_object('a', repeat('x', 9000)), 'e', 't', true) is null as sent`),
  ).toHaveLength(1);
});
