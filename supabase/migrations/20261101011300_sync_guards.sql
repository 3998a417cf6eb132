-- The sync engine: guards and what else triggers do, and who sees and writes which rows.

-- Runs at commit, after every row lock is taken. Counters are locked last and in order, so that a visible version means
-- every lower one is visible, no two transactions wait for each other, and the lock lasts as long as the commit.
-- Each entry says which version of its row it tells of.
-- After the counters of the feed the chains are locked, last and in order as well.
create function sync.publish() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  this constant xid8 := pg_current_xact_id();
  moved text[];
  versions bigint[] := '{}';
  s text;
  v bigint;
begin
  select array_agg(distinct t.scope order by t.scope) into moved from sync.touched t where t.xid = this;
  if moved is not null then
    foreach s in array moved loop
      insert into sync.scope as c (id, version) values (s, 1)
        on conflict (id) do update set version = c.version + 1 returning version into v;
      versions := versions || v;
    end loop;
    insert into sync.change (scope, version, tbl, id, gone, device, row_version, bytes)
      select t.scope, m.version, t.tbl, t.id, t.gone, o.device, t.version, t.bytes
      from sync.touched t
      join unnest(moved, versions) as m (scope, version) on m.scope = t.scope
      left join sync.transaction_write o on o.xid = this and o.tbl = t.tbl and o.id = t.id and o.version = t.version
      where t.xid = this
      on conflict (scope, tbl, id) do update
        set version = excluded.version, gone = excluded.gone, device = excluded.device, row_version = excluded.row_version, bytes = excluded.bytes;
    perform sync.nudge(moved, versions);
    delete from sync.touched where xid = this;
  end if;
  delete from sync.transaction_write where xid = this;
  if exists (select from audit.pending_entry w where w.xid = this) then perform audit.link(this); end if;
  -- What a later deferred trigger touches marks the transaction again.
  delete from sync.pending where xid = this;
  return null;
end $$;
create constraint trigger publish after insert on sync.pending
  deferrable initially deferred for each row execute function sync.publish();

create function sync.count_inserted() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  insert into sync.digest as d (scope, tbl, n, h)
    select n.scope, n.tbl, count(*), bit_xor(sync.row_hash(n.id, n.row_version)) from new_rows n where not n.gone group by 1, 2 order by 1, 2
    on conflict (scope, tbl) do update set n = d.n + excluded.n, h = d.h # excluded.h;
  return null;
end $$;
create trigger count_inserted after insert on sync.change referencing new table as new_rows
  for each statement execute function sync.count_inserted();

create function sync.count_changed() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  insert into sync.digest as d (scope, tbl, n, h)
    select e.scope, e.tbl, sum(e.one), bit_xor(sync.row_hash(e.id, e.row_version))
    from (select o.scope, o.tbl, o.id, o.row_version, -1 as one from old_rows o where not o.gone
          union all
          select n.scope, n.tbl, n.id, n.row_version, 1 from new_rows n where not n.gone) e
    group by 1, 2 order by 1, 2
    on conflict (scope, tbl) do update set n = d.n + excluded.n, h = d.h # excluded.h;
  return null;
end $$;
create trigger count_changed after update on sync.change referencing old table as old_rows new table as new_rows
  for each statement execute function sync.count_changed();

create function sync.count_deleted() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  insert into sync.digest as d (scope, tbl, n, h)
    select o.scope, o.tbl, -count(*), bit_xor(sync.row_hash(o.id, o.row_version)) from old_rows o where not o.gone group by 1, 2 order by 1, 2
    on conflict (scope, tbl) do update set n = d.n + excluded.n, h = d.h # excluded.h;
  return null;
end $$;
create trigger count_deleted after delete on sync.change referencing old table as old_rows
  for each statement execute function sync.count_deleted();

create function sync.guard_derived_id() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  fits boolean;
begin
  if auth.uid() is null then return new; end if;
  case tg_table_name
    when 'inspection_answers' then
      fits := new.id = extensions.uuid_generate_v5(new.inspection_id, 'answer/' || new.question);
    when 'form_drafts' then
      fits := new.id = extensions.uuid_generate_v5(new.form_id, 'draft');
    when 'notification_choices' then
      fits := new.id = extensions.uuid_generate_v5(new.user_id, 'notifications/' || new.type || '/' || new.channel);
    when 'habit_entries' then
      fits := new.id = extensions.uuid_generate_v5(new.habit_id, 'habits/' || new.day::text);
    when 'goal_links' then
      fits := new.id = extensions.uuid_generate_v5(new.goal_id, 'link/' || new.item_id::text);
    when 'goal_pauses' then
      fits := new.id = extensions.uuid_generate_v5(new.goal_id, 'pause/' || new.from_day::text);
    when 'wellness_settings' then
      fits := new.id = extensions.uuid_generate_v5(new.user_id, 'wellness');
    when 'inspections' then
      -- Occurrences are the server's; what a device derives is the sample company.
      fits := exists (select from generate_series(0, 31) n where new.id in (
        extensions.uuid_generate_v5(new.organization_id, 'past/' || n), extensions.uuid_generate_v5(new.organization_id, 'planned/' || n)));
  end case;
  if fits is not true then
    raise exception 'this id follows from another record' using errcode = '23514', constraint = 'id_is_derived', detail = 'CN230';
  end if;
  return new;
end $$;

-- A write that is no push is refused by the policies of these tables; here it is, before any trigger of theirs has looked.
create function sync.require_push() returns trigger language plpgsql set search_path = '' as $$
begin
  if current_user = 'authenticated' and not sync.pushing() then
    raise exception 'new row violates row-level security policy for table "%"', tg_table_name using errcode = '42501';
  end if;
  return null;
end $$;

create function sync.drop_snapshot_pages() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  delete from sync.snapshot_page d using (
    select distinct p.scope, p.after_v, p.after_t, p.after_id
    from old_rows o
    cross join lateral (
      select r.scope, r.after_v, r.after_t, r.after_id, r.upto_v, r.upto_t, r.upto_id from sync.snapshot_page r
      where r.scope = o.scope and (r.after_v, r.after_t, r.after_id) < (o.version, o.tbl, o.id)
      order by r.after_v desc, r.after_t desc, r.after_id desc limit 1
    ) p
    where (p.upto_v, p.upto_t, p.upto_id) >= (o.version, o.tbl, o.id)
  ) f
  where (d.scope, d.after_v, d.after_t, d.after_id) = (f.scope, f.after_v, f.after_t, f.after_id);
  return null;
end $$;
-- New changes stand behind all others: no page holds them.
create trigger drop_snapshots_changed after update on sync.change referencing old table as old_rows
  for each statement execute function sync.drop_snapshot_pages();
alter table sync.change enable always trigger drop_snapshots_changed;
create trigger drop_snapshots_deleted after delete on sync.change referencing old table as old_rows
  for each statement execute function sync.drop_snapshot_pages();
alter table sync.change enable always trigger drop_snapshots_deleted;

create function sync.drop_all_snapshot_pages() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  delete from sync.snapshot_page;
  delete from sync.snapshot_state;
  return null;
end $$;
create trigger drop_snapshots after insert on sync.restored
  for each statement execute function sync.drop_all_snapshot_pages();
create trigger drop_snapshots_emptied after truncate on sync.change
  for each statement execute function sync.drop_all_snapshot_pages();
alter table sync.change enable always trigger drop_snapshots_emptied;

-- Not in the day after a restore: what was taken in before comes again as it was.
create function sync.release_foreign_id() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is null or not sync.is_device_edit() or sync.is_restored() then return new; end if;
  if not sync.is_self_derived(tg_table_name, to_jsonb(new)) then perform sync.refuse_colliding_id(); end if;
  return new;
end $$;

-- Arguments: columns with times of a device at which something was done. More than a day ahead is no time at which it was: such a row
-- would stand last, or newest, for good.
create function sync.clamp_times_ahead() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  name text;
begin
  if auth.uid() is null or not sync.is_device_edit() then return new; end if;
  foreach name in array tg_argv loop
    if (to_jsonb(new) ->> name)::timestamptz > clock_timestamp() + interval '1 day' then
      new := jsonb_populate_record(new, jsonb_build_object(name, clock_timestamp()));
    end if;
  end loop;
  return new;
end $$;

-- Who may call what.
revoke execute on function sync.publish(), sync.count_inserted(), sync.count_changed(), sync.count_deleted(), sync.guard_derived_id(),
  sync.require_push(), sync.drop_snapshot_pages(), sync.drop_all_snapshot_pages(), sync.release_foreign_id(),
  sync.clamp_times_ahead() from public;

-- Who sees and writes which rows.

grant select on sync.tables to authenticated, service_role;

alter table sync.zones enable row level security;

-- No update, no delete: evidence is replaced by nobody; the server removes what failed its hash.

-- Nudges: one hears of the scopes one has.
create policy "cairn: own scopes" on realtime.messages for select to authenticated
  using ((select realtime.topic()) in (select 'scope:' || s from public.my_scopes() s) and extension = 'broadcast');

create policy "cairn: who is near" on realtime.messages for select to authenticated
  using (extension = 'presence' and (select comment.may_be_near()));

create policy "cairn: being near" on realtime.messages for insert to authenticated
  with check (extension = 'presence' and (select comment.may_be_near()));
