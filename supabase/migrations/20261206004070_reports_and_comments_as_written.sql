-- A report stays as it was made and as it was decided; a tick is of the words it was given to; times are those of a clock that could be right.

-- As before; its asset and its place in words too, and how severe it is and of what kind once it was decided.
create or replace function sync.guard_issue_report() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
begin
  if new.site_id is not null and not exists (
    select from public.sites s where s.id = new.site_id and s.organization_id = new.organization_id) then
    raise exception 'the site is not one of this organisation' using errcode = '23503';
  end if;
  if tg_op = 'INSERT' then
    if caller is null then return new; end if;
    if new.is_anonymous then
      if not (select o.allows_anonymous_reports from public.organizations o where o.id = new.organization_id) then
        raise exception 'this organisation takes reports with a name only' using errcode = '42501';
      end if;
      new.reported_by := null;
    else
      new.reported_by := caller;
    end if;
    new.status := 'reported';
    new.answer := null;
    new.decided_at := null;
    new.decided_by := null;
    if sync.is_device_edit() then new.reported_at := sync.written_when(new.reported_at); end if;
    return new;
  end if;
  if not sync.may_move_report(old.status, new.status) then
    raise exception 'an issue report cannot go from % to %', old.status, new.status using errcode = '23514';
  end if;
  if new.status in ('resolved', 'dismissed') and coalesce(new.answer, '') = '' then
    raise exception 'a report is resolved or dismissed with a word to its author' using errcode = '23514';
  end if;
  if caller is null then return new; end if;
  if (new.title, new.description, new.location, new.media_ids, new.is_anonymous, new.reported_by, new.reported_at, new.look_up_hash, new.organization_id)
    is distinct from
    (old.title, old.description, old.location, old.media_ids, old.is_anonymous, old.reported_by, old.reported_at, old.look_up_hash, old.organization_id) then
    raise exception 'a report stays as it was made' using errcode = '42501';
  end if;
  if sync.is_device_edit() and new.asset_id is distinct from old.asset_id then
    raise exception 'a report stays as it was made' using errcode = '42501';
  end if;
  if old.status in ('resolved', 'dismissed', 'closed') and new.status in ('resolved', 'dismissed', 'closed')
    and (new.severity, new.category) is distinct from (old.severity, old.category) then
    raise exception 'a report stays as it was decided' using errcode = '42501';
  end if;
  if new.status <> old.status then new.decided_by := caller; end if;
  return new;
end $$;

-- When something was written on a device that was long without signal: not in the future, and not before anybody could have.
create function sync.written_when(p_at timestamptz) returns timestamptz
  language sql stable set search_path = ''
  return sync.clamped(p_at, now() - interval '366 days');

-- As before; what a colleague ticked off were other words, and times are those of a clock that could be right.
create or replace function sync.guard_comment() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
  of record;
begin
  select * into of from sync.subject_of(new.subject_table, new.subject_id);
  if not found or (caller is not null and tg_op = 'INSERT' and (of.is_gone or not sync.is_in_sight(of.scopes))) then
    raise exception 'a comment needs its record' using errcode = '23503';
  end if;
  new.organization_id := of.organization_id;
  new.scopes := case when of.is_gone then '{}' else of.scopes end;
  if caller is null or pg_trigger_depth() > 1 then return new; end if;
  if not sync.may_comment(new.subject_table, new.subject_id) then
    raise exception 'this is somebody else''s work' using errcode = '42501';
  end if;
  if tg_op = 'INSERT' then
    new.author_id := caller;
    new.round := of.round;
    new.written_at := sync.written_when(new.written_at);
    new.resolved_by := case when new.resolved_at is null then null else caller end;
    if new.resolved_at is not null then new.resolved_at := sync.clamped(new.resolved_at, new.written_at); end if;
  else
    if (new.subject_table, new.subject_id, new.question, new.written_at, new.author_id, new.round)
      is distinct from (old.subject_table, old.subject_id, old.question, old.written_at, old.author_id, old.round) then
      raise exception 'a comment keeps its place and its author' using errcode = '42501';
    end if;
    if (new.body, new.mention_ids, new.media_ids, new.deleted_at) is distinct from (old.body, old.mention_ids, old.media_ids, old.deleted_at)
      and old.author_id is distinct from caller then
      raise exception 'only its author changes a comment' using errcode = '42501';
    end if;
    if new.resolved_at is distinct from old.resolved_at then
      new.resolved_by := case when new.resolved_at is null then null else caller end;
      if new.resolved_at is not null then new.resolved_at := sync.clamped(new.resolved_at, new.written_at); end if;
    elsif (new.body, new.media_ids) is distinct from (old.body, old.media_ids) and old.resolved_by is distinct from caller then
      new.resolved_at := null;
      new.resolved_by := null;
    else
      new.resolved_by := old.resolved_by;
    end if;
  end if;
  if exists (
    select from jsonb_array_elements_text(new.mention_ids) p
    where (tg_op = 'INSERT' or not old.mention_ids ? p) and not exists (
      select from public.organization_members m where m.organization_id = new.organization_id and m.user_id::text = lower(p)
        and sync.is_member(m.organization_id, m.user_id))) then
    raise exception 'only a member of the organisation can be named on its records' using errcode = '42501';
  end if;
  return new;
end $$;
revoke execute on function sync.written_when(timestamptz) from public;
