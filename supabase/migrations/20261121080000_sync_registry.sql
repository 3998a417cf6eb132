-- The registry of synced tables. Each has one row here and a generated column `scopes` that names its audience
-- (docs/sync-protocol.md): the feed, the policies and the generated types all read the same two facts.

create schema sync;
revoke all on schema sync from public;

create table sync.tables (
  name           text primary key,
  priority       integer not null,                    -- pulled and pushed in this order, lower first: parents before children
  groups         jsonb not null default '[]',         -- [["status","closed_at"], …]: fields that conflict together
  server_columns text[] not null,                     -- ignored in what a device sends
  columns        text[] not null                      -- every column a device gets: all but scopes
);

-- The words of an audience. Immutable and plain SQL, so that a generated column may use them at no cost.
create function sync.org_scope(p_organization uuid) returns text
  language sql immutable parallel safe return 'org:' || p_organization::text;
create function sync.user_scope(p_user uuid) returns text
  language sql immutable parallel safe return 'user:' || p_user::text;
create function sync.place_scope(p_organization uuid, p_site uuid) returns text
  language sql immutable parallel safe return coalesce('site:' || p_site::text, 'org:' || p_organization::text);
create function sync.org_scopes(p_organizations uuid[]) returns text[]
  language sql immutable parallel safe
  as $$ select coalesce(array_agg('org:' || o::text order by o), '{}') from unnest(p_organizations) o $$;
create function sync.scopes(variadic p_scopes text[]) returns text[]
  language sql immutable parallel safe return array_remove(p_scopes, null);

-- Makes a table synced: adds `scopes`, computed from the row by the expression p_scopes.
create function sync.add_table(
  p_table text, p_priority integer, p_scopes text,
  p_groups jsonb default '[]', p_server_columns text[] default '{}'
) returns void language plpgsql as $$
begin
  execute format('alter table public.%I add column scopes text[] not null generated always as (%s) stored', p_table, p_scopes);
  insert into sync.tables (name, priority, groups, server_columns, columns)
    select p_table, p_priority, p_groups,
      array(select c from unnest(array['version', 'created_at', 'updated_at', 'deleted_at', 'created_by'] || p_server_columns) c
            where exists (select from pg_attribute where attrelid = format('public.%I', p_table)::regclass and attname = c)
            group by c order by c),
      array_agg(attname::text order by attnum)
    from pg_attribute
    where attrelid = format('public.%I', p_table)::regclass and attnum > 0 and not attisdropped and attname <> 'scopes';
end $$;
