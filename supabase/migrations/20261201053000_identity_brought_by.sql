-- Who brought it stands beside a record wherever it is read: an administrator can write in a member's name what the member never did
-- (docs/decisions/0096-brought-work.md), so readers are told, on every device and for good.

do $$
declare
  work text;
begin
  foreach work in array array['assets', 'inspections', 'inspection_answers', 'comments', 'action_items', 'media', 'issue_reports',
    'tasks', 'task_items', 'task_series', 'evidence', 'evidence_links', 'presence_entries'] loop
    execute format($ddl$
      alter table public.%1$I
        add column brought_at timestamptz constraint %1$s_brought_at_in_time
          check (brought_at >= timestamptz '1970-01-01T00:00:00Z' and brought_at < timestamptz '2200-01-01T00:00:00Z'),   -- server time; null: its author's own device sent all of it
        add column brought_by uuid references auth.users (id) on delete set null;   -- null beside a time: their account is gone
      create index %1$s_brought_by on public.%1$I (brought_by) where brought_by is not null;
    $ddl$, work);
    update sync.tables set server_columns = server_columns || array['brought_at', 'brought_by'] where name = work;
    perform sync.refresh_table(work);
  end loop;
end $$;

alter table sync.activity add column brought_by uuid;              -- who brought the change that `by_id` is said to have made

create function sync.mark_brought(p_table text, p_id uuid, p_by uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  execute format('update public.%I x set brought_at = clock_timestamp(), brought_by = $2 where x.id = $1', p_table) using p_id, p_by;
end $$;

-- As before; what was brought says so itself, its whole as well, and the audit log has an entry for each.
create or replace function sync.note_hands() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  part record;
begin
  insert into sync.brought (tbl, id, person, hand)
    select w.tbl, w.id, h.person, h.hand
    from sync.whole_of(new.body ->> 't', (new.body ->> 'id')::uuid) w
    cross join (values (new.brought_by, 'brought'), (new.decided_by, 'accepted')) h (person, hand)
    where h.person is not null
    on conflict do nothing;
  if new.brought_by is null then return null; end if;
  for part in select * from sync.whole_of(new.body ->> 't', (new.body ->> 'id')::uuid) loop
    perform sync.mark_brought(part.tbl, part.id, new.brought_by);
  end loop;
  -- What the log of the record says its author did in this acceptance came by somebody else's hand.
  update sync.activity a set brought_by = new.brought_by
    where a.record_id = (new.body ->> 'id')::uuid and a.by_id = new.user_id and a.at >= transaction_timestamp();
  perform audit.note(new.organization_id, 'unsent.brought', new.body ->> 't', (new.body ->> 'id')::uuid,
    jsonb_build_object('user_id', new.user_id, 'brought_by', new.brought_by, 'accepted_by', new.decided_by));
  return null;
end $$;

-- What was brought before this and is still there.
do $$
declare
  b record;
begin
  for b in select distinct on (x.tbl, x.id) x.tbl, x.id, x.person from sync.brought x
    where x.hand = 'brought' and sync.is_work(x.tbl) order by x.tbl, x.id, x.person loop
    perform sync.mark_brought(b.tbl, b.id, b.person);
  end loop;
end $$;

create or replace function pg_temp.extend(p_function text, p_before text, p_added text) returns void language plpgsql as $$
declare
  was constant text := pg_get_functiondef(p_function::regprocedure);
begin
  if position(p_before in was) = 0 then raise exception '% has no %', p_function, p_before; end if;
  execute replace(was, p_before, p_added);
end $$;
select pg_temp.extend('record_activity(text, uuid, bigint)', $x$'outside', a.outside)$x$, $x$'outside', a.outside, 'brought_by', a.brought_by)$x$);

revoke execute on function sync.mark_brought(text, uuid, uuid) from public;
