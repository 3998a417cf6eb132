-- Whoever ever had a finding or answered it does not close it while somebody else could: its owner gave it away and closed it in two steps
-- (docs/decisions/22-separation-of-duties-and-frozen-records.md).

create trigger x_held after insert or update of owner_id on public.findings for each row execute function sync.note_held('owner_id');
create trigger x_held_answer after insert or update of answered_by on public.findings for each row execute function sync.note_held('answered_by');
insert into sync.held (tbl, id, person)
  select 'findings', f.id, p from public.findings f cross join lateral unnest(array[f.owner_id, f.answered_by]) p where p is not null
  on conflict do nothing;

create function sync.closes_own_finding(f public.findings, p_caller uuid) returns boolean
  language sql stable security definer set search_path = '' return
  coalesce(p_caller in (f.answered_by, f.owner_id), false)
  or sync.has_held('findings', f.id, p_caller)
    and exists (select from sync.holders('finding.raise', f.organization_id) h
      where h <> p_caller and h is distinct from f.answered_by and h is distinct from f.owner_id and not sync.has_held('findings', f.id, h));

-- As before; also whoever had it once.
create or replace function sync.guard_finding_state(f public.findings, old public.findings) returns public.findings
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
begin
  if not sync.finding_may_become(old.state, f.state) then
    raise exception 'a finding that is % cannot become %', old.state, f.state using errcode = '23514', hint = 'state';
  end if;
  if sync.only_home() is not null then raise exception 'a decision is given in one''s own name' using errcode = '42501'; end if;
  if f.state = 'answered' then
    if not (sync.may('finding.answer', f.organization_id) or coalesce(old.owner_id = caller, false)) then
      raise exception 'this needs finding.answer' using errcode = '42501';
    end if;
    if btrim(coalesce(f.answer, '')) = '' then raise exception 'an answer has words' using errcode = '23514', hint = 'reason'; end if;
    f.answered_by := caller;
    f.answered_at := sync.clamped(f.answered_at, coalesce(old.decided_at, old.raised_at));
    f.verdict := old.verdict; f.decided_by := old.decided_by; f.decided_at := old.decided_at;
    return f;
  end if;
  if not sync.may('finding.raise', f.organization_id) then raise exception 'this needs finding.raise' using errcode = '42501'; end if;
  if f.state = 'closed' and sync.closes_own_finding(old, caller) then
    raise exception 'somebody else closes what one answered' using errcode = '42501', hint = 'own';
  end if;
  if f.state = 'reopened' and btrim(coalesce(f.verdict, '')) = '' then raise exception 'who says no says why' using errcode = '23514', hint = 'reason'; end if;
  f.decided_by := caller;
  f.decided_at := sync.clamped(f.decided_at, old.answered_at);
  f.answer := old.answer; f.answered_by := old.answered_by; f.answered_at := old.answered_at;
  return f;
end $$;

revoke execute on function sync.closes_own_finding(public.findings, uuid) from public;
