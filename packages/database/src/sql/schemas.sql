-- What a fresh Supabase project has around the public schema. Idempotent: runs at every start.
do $$
begin
  execute format('grant create, connect, temporary on database %I to cairn_migrator', current_database());
  execute format('alter database %I set search_path = "$user", public, extensions', current_database());
end $$;

alter schema public owner to cairn_migrator;
grant usage on schema public to anon, authenticated, service_role;
alter default privileges for role cairn_migrator in schema public
  grant all on tables to anon, authenticated, service_role;
alter default privileges for role cairn_migrator in schema public
  grant all on sequences to anon, authenticated, service_role;
alter default privileges for role cairn_migrator in schema public
  grant all on functions to anon, authenticated, service_role;

create schema if not exists extensions;
grant usage on schema extensions to anon, authenticated, service_role, cairn_migrator;
create extension if not exists pgcrypto with schema extensions;
create extension if not exists "uuid-ossp" with schema extensions;

-- Supabase's own wording of who is asking, where the library's reads one setting only.
create or replace function auth.uid() returns uuid language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.sub', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid
$$;
create or replace function auth.role() returns text language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.role', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role')
$$;
create or replace function auth.email() returns text language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.email', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email')
$$;
create or replace function auth.jwt() returns jsonb language sql stable as $$
  select nullif(current_setting('request.jwt.claims', true), '')::jsonb
$$;

grant usage on schema auth to anon, authenticated, service_role, cairn_migrator;
grant all on all tables in schema auth to cairn_migrator;
grant execute on all functions in schema auth to anon, authenticated, service_role, cairn_migrator;

alter table storage.buckets owner to supabase_storage_admin;
alter table storage.objects owner to supabase_storage_admin;
grant usage on schema storage to anon, authenticated, service_role, cairn_migrator, supabase_storage_admin;
grant all on all tables in schema storage to anon, authenticated, service_role;
grant execute on all functions in schema storage to anon, authenticated, service_role, cairn_migrator;
grant usage on schema auth to supabase_storage_admin, supabase_realtime_admin;
grant references on auth.users to supabase_storage_admin, supabase_realtime_admin;
