-- Two rules the screen keeps, kept by the database too: nothing planned is begun before it opens, and nobody decides on their
-- own inspection while somebody else can.

-- A device whose clock is this much ahead is honest; what it brings counts.
create function sync.clock_allowance() returns interval language sql immutable return interval '5 minutes';

create function sync.guard_opening() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is null or old.opens_at is null then return new; end if;
  if least(coalesce(new.started_at, now()), now()) < old.opens_at - sync.clock_allowance() then
    raise exception 'this is not open yet' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger c_opening before update of status on inspections for each row
  when (old.status = 'scheduled' and new.status <> 'scheduled') execute function sync.guard_opening();

-- Whoever conducts it now, or finished it once, whatever was entered as its conductor since.
create function sync.did_inspection(p_inspection uuid, p_conductor uuid, p_person uuid) returns boolean
  language sql stable security definer set search_path = '' as $$
  select p_conductor is not distinct from p_person
    or exists (select from public.inspection_events e
      where e.inspection_id = p_inspection and e.kind = 'state' and e.after = '"finalised"' and e.by_id = p_person)
$$;

create function sync.guard_own_review() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
begin
  if caller is null or (tg_op = 'UPDATE' and new.status is not distinct from old.status) then return new; end if;
  if sync.did_inspection(new.id, case when tg_op = 'UPDATE' then old.conducted_by else new.conducted_by end, caller)
    and exists (select from inbox.people_with('inspection.review', new.organization_id, new.site_id) p where p <> caller) then
    raise exception 'somebody else decides on one''s own inspection' using errcode = '42501';
  end if;
  return new;
end $$;
-- After c_guard, which says who conducted it.
create trigger d_own_review before insert or update of status on inspections for each row
  when (new.status in ('has_issues', 'approved', 'rejected')) execute function sync.guard_own_review();

revoke execute on function sync.clock_allowance(), sync.guard_opening(), sync.guard_own_review(),
  sync.did_inspection(uuid, uuid, uuid) from public;
