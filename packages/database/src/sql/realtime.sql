-- realtime.messages and realtime.send, as far as migrations and policies see them. Supabase stores a message and reads
-- it back from the log; here it travels as a notification that our server hands to the subscribers of its topic.
create schema if not exists realtime;

create table if not exists realtime.messages (
  id          uuid primary key default gen_random_uuid(),
  topic       text not null,
  extension   text not null,
  payload     jsonb,
  event       text,
  private     boolean default false,
  updated_at  timestamp not null default now(),
  inserted_at timestamp not null default now()
);
alter table realtime.messages owner to supabase_realtime_admin;
alter table realtime.messages enable row level security;

grant usage on schema realtime to anon, authenticated, service_role, cairn_migrator, supabase_realtime_admin;
grant select, insert, update on realtime.messages to anon, authenticated, service_role;

create or replace function realtime.topic() returns text language sql stable as $$
  select nullif(current_setting('realtime.topic', true), '')
$$;

-- A notification holds less than 8000 bytes. What does not fit is reported and left out, as Supabase does with a
-- message it cannot store: a broadcast never makes the transaction fail that sends it.
create or replace function realtime.send(payload jsonb, event text, topic text, private boolean default true)
returns void language plpgsql as $$
declare
  message text := jsonb_build_object('topic', topic, 'event', event, 'private', private, 'payload', payload)::text;
begin
  if octet_length(message) > 7900 then
    raise warning 'ErrorSendingBroadcastMessage: the message on this topic is larger than 7900 bytes';
    return;
  end if;
  perform pg_notify('cairn_realtime', message);
end $$;
grant execute on all functions in schema realtime to anon, authenticated, service_role, cairn_migrator;

do $$
begin
  if not exists (select from pg_publication where pubname = 'supabase_realtime') then
    create publication supabase_realtime;
    alter publication supabase_realtime owner to cairn_migrator;
  end if;
end $$;

-- Changes of a published table, told to our server, which asks for each listener whether they may see the row. The server
-- puts this on a table when somebody first listens to it, with the columns of its key as arguments. A record that does not
-- fit into a notification is left out, and read again.
create or replace function realtime.note_change() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  before jsonb := case when tg_op = 'INSERT' then null else to_jsonb(old) end;
  after jsonb := case when tg_op = 'DELETE' then null else to_jsonb(new) end;
  change jsonb;
begin
  select jsonb_build_object(
    'schema', tg_table_schema, 'table', tg_table_name, 'type', tg_op, 'at', now(),
    'key', jsonb_object_agg(k, coalesce(after, before) -> k),
    'old', case when before is not null then jsonb_object_agg(k, before -> k) end)
    into change from unnest(tg_argv) k;
  if octet_length(after::text) + octet_length(change::text) < 7800 then
    change := change || jsonb_build_object('record', after);
  end if;
  if octet_length(change::text) < 7900 then perform pg_notify('cairn_changes', change::text); end if;
  return null;
end $$;
revoke execute on function realtime.note_change() from public, anon, authenticated;
