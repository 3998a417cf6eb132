-- What happened to a record: which field, from what to what, who, when. Of words only that they changed, never which: a log is
-- read by more people, and for longer, than what it tells of. Written by the database from what arrives; read on line, by page.
-- Inspections have a log of their own that travels (docs/decisions/0128).

create table sync.activity (
  id              bigint generated always as identity primary key,
  organization_id uuid not null references public.organizations (id) on delete cascade,
  tbl             text not null,
  record_id       uuid not null,
  at              timestamptz not null default clock_timestamp(),   -- server time
  by_id           uuid,                                          -- null: the server itself
  field           text not null,
  before          text,                                          -- null for words
  after           text
);
create index activity_record on sync.activity (record_id, id);
create index activity_organization on sync.activity (organization_id);

-- Arguments: the columns that are told as they are (states, dates, ids), then those whose words stay untold.
create function sync.note_activity() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  was constant jsonb := to_jsonb(old);
  is_now constant jsonb := to_jsonb(new);
  c text;
begin
  foreach c in array string_to_array(tg_argv[0], ',') loop
    continue when was -> c is not distinct from is_now -> c;
    insert into sync.activity (organization_id, tbl, record_id, by_id, field, before, after)
      values (new.organization_id, tg_table_name, new.id, auth.uid(), c, was ->> c, is_now ->> c);
  end loop;
  foreach c in array string_to_array(tg_argv[1], ',') loop
    continue when was -> c is not distinct from is_now -> c;
    -- Text that is typed and kept again and again is one change.
    continue when exists (select from sync.activity a where a.record_id = new.id and a.field = c and a.by_id is not distinct from auth.uid()
      and a.at > clock_timestamp() - interval '5 minutes');
    insert into sync.activity (organization_id, tbl, record_id, by_id, field) values (new.organization_id, tg_table_name, new.id, auth.uid(), c);
  end loop;
  return null;
end $$;
create trigger y_activity after update on action_items for each row
  execute function sync.note_activity('status,assignee_id,due_at,priority,site_id', 'title,description,media_ids');
create trigger y_activity after update on tasks for each row
  execute function sync.note_activity('status,assignee_id,reviewer_id,due_at,priority,site_id', 'title,notes,media_ids');
create trigger y_activity after update on issue_reports for each row
  execute function sync.note_activity('status,severity,category,site_id', 'answer');

-- The newest fifty before `p_before`, for whoever sees the record; nothing for anybody else, as if there were none.
create function record_activity(p_table text, p_id uuid, p_before bigint default null) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  of record;
begin
  if p_table is null or p_table not in ('action_items', 'tasks', 'issue_reports') then
    raise exception 'this kind of record keeps no activity' using errcode = '22023';
  end if;
  select * into of from sync.subject_of(p_table, p_id);
  if not found or of.is_gone or auth.uid() is null or not sync.is_in_sight(of.scopes) then return '[]'; end if;
  return (select coalesce(jsonb_agg(jsonb_build_object('id', a.id, 'at', a.at, 'by', a.by_id, 'field', a.field, 'before', a.before, 'after', a.after)
      order by a.id desc), '[]')
    from (select * from sync.activity x where x.record_id = p_id and x.tbl = p_table and (p_before is null or x.id < p_before)
      order by x.id desc limit 50) a);
end $$;
revoke execute on function record_activity(text, uuid, bigint) from public, anon, authenticated;
grant execute on function record_activity(text, uuid, bigint) to authenticated;
revoke execute on function sync.note_activity() from public;
