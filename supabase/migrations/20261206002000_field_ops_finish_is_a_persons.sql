-- What is finished is its finisher's: answers and their files come from the person and the device that finished it alone, and a push that
-- names no device is another device. What a finish says stays for reviewers too, and a decision names who finished last
-- (docs/decisions/22-separation-of-duties-and-frozen-records.md).

alter table sync.finishes add column person uuid references auth.users (id) on delete set null;
create index finishes_person on sync.finishes (person);
comment on table sync.finishes is 'who finished an inspection, and with which device; gone while it is sent back';

create function sync.finished_last_by(p_inspection uuid, p_else uuid) returns uuid
  language sql stable security definer set search_path = '' as $$
  -- Null where their account ended; `p_else` only where no finish was ever logged.
  select case when count(*) = 0 then p_else else (array_agg(l.by_id))[1] end from (
    select e.by_id from public.inspection_events e
    where e.inspection_id = p_inspection and e.kind = 'state' and e.after = '"finalised"' order by e.created_at desc, e.id desc limit 1) l
$$;
update sync.finishes f set person = sync.finished_last_by(f.inspection_id, i.conducted_by) from public.inspections i where i.id = f.inspection_id;

-- Whose push this is; of work that waited in the tray, the device it was handed over by. What somebody else brought has none.
create function sync.sending_device() returns uuid
  language sql stable set search_path = ''
  return case when sync.pushing() then coalesce(sync.device(),
    case when sync.accepted_by() is not null then nullif(current_setting('sync.handed_device', true), '')::uuid end) end;

create function sync.handed_device(p_organization uuid, p_user uuid, p_work jsonb) returns uuid
  language sql stable security definer set search_path = '' as $$
  select case when count(distinct u.device) = 1 and count(u.brought_by) = 0 and count(u.device) = count(*) then min(u.device::text)::uuid end
  from sync.unsent u where u.organization_id = p_organization and u.user_id = p_user
    and u.mid in (select (w ->> 'mid')::uuid from jsonb_array_elements(p_work) w)
$$;

create or replace function pg_temp.extend(p_function text, p_before text, p_added text) returns void language plpgsql as $$
declare
  was constant text := pg_get_functiondef(p_function::regprocedure);
begin
  if position(p_before in was) = 0 then raise exception '% has no %', p_function, p_before; end if;
  execute replace(was, p_before, p_added);
end $$;
select pg_temp.extend('public.decide_unsent_work(uuid, uuid, uuid[], boolean)',
  $x$  perform set_config('sync.accepted_by', auth.uid()::text, true);$x$,
  $x$  perform set_config('sync.accepted_by', auth.uid()::text, true);
  perform set_config('sync.handed_device', coalesce(sync.handed_device(p_organization, p_user, work)::text, ''), true);$x$);

create or replace function sync.note_finish() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if sync.is_finished(new.status) and (tg_op = 'INSERT' or not sync.is_finished(old.status)) then
    -- Whoever decides on what was sent back finished nothing.
    insert into sync.finishes (inspection_id, device, person)
      values (new.id, case when new.status = 'finalised' then sync.sending_device() end, case when new.status = 'finalised' then auth.uid() end)
      on conflict (inspection_id) do update set device = excluded.device, person = excluded.person;
  elsif not sync.is_finished(new.status) then
    delete from sync.finishes where inspection_id = new.id;
  end if;
  return null;
end $$;

-- Whether somebody else finished it, or another device than the one that pushes. In the day after a restore what was taken in before a
-- finish may come again behind it, from any device of the one who finished.
create or replace function sync.is_finished_elsewhere(p_inspection uuid) returns boolean
  language sql stable security definer set search_path = ''
  return sync.pushing() and auth.uid() is not null and exists (select from sync.finishes f where f.inspection_id = p_inspection
    and (f.person is distinct from auth.uid() or not sync.is_restored() and coalesce(f.device <> sync.sending_device(), true)));

-- As before, for reviewers too, and with what it is called, where and of what it is, and when it was due. What was sent back changes in this
-- when it is finished again.
create or replace function sync.guard_inspection_change(o public.inspections, n public.inspections) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
begin
  if caller is null then return; end if;
  if ((o.assigned_to is distinct from n.assigned_to and n.assigned_to is distinct from caller)
      or (o.conducted_by is distinct from n.conducted_by and (o.conducted_by is not null or n.conducted_by is distinct from caller)))
    and not sync.may('inspection.assign', o.organization_id) then
    raise exception 'giving an inspection to somebody needs inspection.assign' using errcode = '42501';
  end if;
  if o.status is distinct from n.status and not sync.inspection_may_become(o.status, n.status) then
    raise exception 'an inspection that is % cannot become %', o.status, n.status using errcode = '42501';
  end if;
  if (sync.is_finished(o.status) or o.status = 'has_issues' and n.status <> 'finalised') and
    (o.finished_at, o.score, o.score_max, o.result, o.signature, o.signed_by, o.signed_at, o.content_hash, o.started_at,
     o.title, o.site_id, o.playbook_id, o.asset_id, o.due_at)
    is distinct from
    (n.finished_at, n.score, n.score_max, n.result, n.signature, n.signed_by, n.signed_at, n.content_hash, n.started_at,
     n.title, n.site_id, n.playbook_id, n.asset_id, n.due_at) then
    raise exception '% inspection stays as it was signed', case when sync.is_decided(o.status) then 'a decided' else 'a finished' end
      using errcode = '42501';
  end if;
  if sync.may('inspection.review', o.organization_id) then return; end if;
  if (o.status is distinct from n.status and (sync.is_finished(o.status) or n.status in ('has_issues', 'approved', 'rejected', 'closed')))
    or o.reviewed_at is distinct from n.reviewed_at then
    raise exception 'only a reviewer changes the state of a finished inspection' using errcode = '42501';
  end if;
  if sync.is_finished(o.status) and o.deleted_at is distinct from n.deleted_at then
    raise exception 'a finished inspection stays as it was signed' using errcode = '42501';
  end if;
  if o.status = 'has_issues' and o.deleted_at is distinct from n.deleted_at then
    raise exception 'what was sent back is corrected, not removed' using errcode = '42501';
  end if;
end $$;

-- Whether something of it was answered since it was sent back.
create function sync.was_answered_since(p_inspection uuid) returns boolean
  language sql stable security definer set search_path = '' as $$
  select exists (select from public.inspection_answers a where a.inspection_id = p_inspection and a.updated_at >= (
    select max(e.created_at) from public.inspection_events e where e.inspection_id = p_inspection and e.kind = 'state' and e.after = '"has_issues"'))
$$;

-- As before; and a decision on what was sent back puts back who finished last. It is approved as it was finished.
create or replace function sync.guard_conductor() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is null or not sync.is_device_edit() then return new; end if;
  if new.status = 'finalised' and old.status <> 'finalised' then
    new.conducted_by := auth.uid();
  elsif old.status = 'has_issues' and sync.is_finished(new.status) then
    new.conducted_by := sync.finished_last_by(old.id, old.conducted_by);
    if new.status = 'approved' and sync.was_answered_since(old.id) then
      raise exception 'what was changed since it was sent back is finished first' using errcode = '42501';
    end if;
  elsif sync.is_finished(old.status) then
    -- Whose account ended is followed by nobody: guard_inspection names the caller where nobody is named.
    if old.conducted_by is null then new.conducted_by := null; end if;
    if new.conducted_by is distinct from old.conducted_by then
      raise exception 'a finished inspection stays with who did it' using errcode = '42501';
    end if;
  end if;
  return new;
end $$;

-- A file of a finished inspection is as little anybody else's as its answers. One that an answer names comes from whoever gave that answer.
create function sync.guard_finished_file() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  -- What the server says of a file itself.
  own constant text[] := array['state', 'completed_at', 'version', 'updated_at', 'scopes'];
begin
  if auth.uid() is null or not sync.is_device_edit() then return new; end if;
  if tg_op = 'UPDATE' then
    if to_jsonb(new) - own is distinct from to_jsonb(old) - own then
      perform sync.refuse_after_finish(old.inspection_id);
      perform sync.refuse_after_finish(new.inspection_id);
    end if;
  elsif new.inspection_id is not null and exists (select from public.inspections i where i.id = new.inspection_id and sync.is_finished(i.status))
    and exists (select from public.inspection_answers a where a.inspection_id = new.inspection_id and a.deleted_at is null
      and (a.media_ids ? new.id::text or a.voice_ids ? new.id::text) and a.answered_by is distinct from auth.uid()) then
    perform sync.refuse_after_finish(new.inspection_id);
  end if;
  return new;
end $$;
create trigger d_finished before insert or update on public.media for each row execute function sync.guard_finished_file();

-- An answer bears who sent what it says; a new one is refused in any other name.
create function sync.name_answerer() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is null or not sync.is_device_edit() then return new; end if;
  new.answered_by := case
    when (new.value, new.note, new.media_ids, new.voice_ids) is distinct from (old.value, old.note, old.media_ids, old.voice_ids) then auth.uid()
    else old.answered_by end;
  return new;
end $$;
create trigger d_answerer before update on public.inspection_answers for each row execute function sync.name_answerer();

revoke execute on function sync.finished_last_by(uuid, uuid), sync.sending_device(), sync.handed_device(uuid, uuid, jsonb), sync.was_answered_since(uuid),
  sync.guard_finished_file(), sync.name_answerer() from public;
grant execute on function sync.sending_device(), sync.handed_device(uuid, uuid, jsonb) to authenticated;
