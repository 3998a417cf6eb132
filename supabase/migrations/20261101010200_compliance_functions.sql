-- Evidence, controls, findings and plans of action: functions.

set local check_function_bodies = off;   -- what they call may be made later

-- From a state to those it may move to; packages/core/src/evidence/evidence-states.ts says the same.
create function compliance.evidence_may_become(p_from text, p_to text) returns boolean
  language sql immutable parallel safe return p_from = p_to or p_to = any (case p_from
    when 'collected' then array['accepted', 'sent_back', 'withdrawn']
    when 'sent_back' then array['collected', 'withdrawn']
    when 'accepted' then array['superseded', 'withdrawn']
    else array[]::text[] end);

create function compliance.number_evidence(p public.evidence) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  first public.evidence;
begin
  if p.series_id = p.id then return 1; end if;
  select * into first from public.evidence e where e.id = p.series_id for update;
  if not found or first.organization_id <> p.organization_id or first.series_id <> first.id or first.deleted_at is not null
    or sync.pushing() and not access.is_in_sight(first.scopes) then
    raise exception 'a revision needs what it revises' using errcode = '23503', detail = 'CN161';
  end if;
  return (select max(e.revision) + 1 from public.evidence e where e.organization_id = p.organization_id and e.series_id = p.series_id);
end $$;

-- Whether somebody decides on what they brought themselves, though another could (as with inspections, 0152).
-- Who ever answered for it counts as who does, while somebody who never did could decide. Could decide also whoever was merely named by
-- the caller, themselves or by a file of theirs.
create function compliance.is_own_evidence(p public.evidence, p_caller uuid) returns boolean
  language sql stable security definer set search_path = '' as $$
  select compliance.wrote_evidence(p, p_caller)
    and exists (select from inbox.people_with('evidence.review', p.organization_id, null) q
      where q <> p_caller and q is distinct from p.created_by and not review_queue.was_involved('evidence', p.id, q)
        and not access.was_assigned_apart_from('evidence', p.id, q, p_caller)
        and not exists (select from sync.evidence_author a where a.evidence_id = p.id and a.user_id = q))
$$;

-- Also taking back what was accepted is a second person's word.
create function compliance.guard_evidence_review(new_row public.evidence, p_from text) returns void
  language plpgsql stable security definer set search_path = '' as $$
begin
  if not compliance.evidence_may_become(p_from, new_row.state) or new_row.state = 'superseded' then
    raise exception 'evidence that is % cannot become %', p_from, new_row.state using errcode = '23514', hint = 'state', detail = 'CN162';
  end if;
  if new_row.state = 'collected' or new_row.state = 'withdrawn' and p_from <> 'accepted' then return; end if;
  if not access.may('evidence.review', new_row.organization_id) then
    raise exception 'this needs evidence.review' using errcode = '42501', detail = 'CN163';
  end if;
  -- Accepted work of somebody who left brings no decision of theirs.
  if access.same_organization() is not null then raise exception 'a decision is given in one''s own name' using errcode = '42501', detail = 'CN164'; end if;
  if compliance.is_own_evidence(new_row, auth.uid()) then
    raise exception 'somebody else decides on one''s own evidence' using errcode = '42501', hint = 'own', detail = 'CN165';
  end if;
  if new_row.state <> 'accepted' and btrim(coalesce(new_row.review_note, '')) = '' then
    raise exception 'who says no says why' using errcode = '23514', hint = 'reason', detail = 'CN166';
  end if;
end $$;

-- By the clock, in portions: whose evidence runs out is told 30 and 7 days before its last day, and once it has run out.
create function compliance.sweep_evidence(p_now timestamptz default now(), p_limit integer default 500) returns integer
  language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
declare
  o record;
  told integer := 0;
  ends timestamptz;
begin
  for o in
    select e.*, s.type, coalesce(e.owner_id, e.created_by) as person, k.key,
      row_number() over (partition by e.organization_id order by e.expires_on, e.id) as turn
    from public.evidence e
    cross join lateral (select e.expires_on - p_now::date as days) d
    cross join lateral (select case when d.days < 0 then 'evidence.expired' else 'evidence.expiring' end as type,
      case when d.days < 0 then 'expired' when d.days <= 7 then '7' else '30' end as step) s
    cross join lateral (select 'evidence/' || e.id::text || '/' || s.step || '/' || e.expires_on::text as key) k
    where e.state = 'accepted' and e.deleted_at is null and d.days between -7 and 30 and coalesce(e.owner_id, e.created_by) is not null
      and not exists (select from inbox.sweep_mark x where x.key = k.key || ' ' || coalesce(e.owner_id, e.created_by)::text)
    order by turn, e.expires_on limit p_limit
  loop
    ends := coalesce(ends, inbox.sweep_deadline());
    exit when o.turn > 1 and clock_timestamp() > ends;
    perform inbox.note_swept(o.key, o.person);
    if o.type = 'evidence.expired' then perform inbox.mark_resolved_read(o.id, array['evidence.expiring'], null); end if;
    perform inbox.notify(o.person, o.type, o.key, '/policies/evidence/' || o.id::text, jsonb_build_object('title', o.title, 'due', o.expires_on),
      o.id, o.organization_id);
    told := told + 1;
  end loop;
  return told;
end $$;

-- Somebody takes evidence along in a package: the log keeps the hash of its manifest, so that whoever holds the package can tell
-- later that the manifest is the one that was made then.
create function note_evidence_pack(p_organization uuid, p_sha256 text, p_files integer) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  if auth.uid() is null or not access.may('evidence.read', p_organization) then
    raise exception 'this needs evidence.read in that organisation' using errcode = '42501', detail = 'CN167';
  end if;
  if p_sha256 is null or p_sha256 !~ '^[0-9a-f]{64}$' or p_files is null or p_files < 0 then
    raise exception 'no manifest' using errcode = '22023', detail = 'CN168';
  end if;
  -- One after the other: two calls at once are noted once.
  perform pg_advisory_xact_lock(hashtextextended('evidence_pack/' || p_organization::text, 0));
  if exists (select from public.audit_entries e where e.organization_id = p_organization and e.act = 'evidence.exported'
      and e.at > now() - interval '1 day' and e.detail ->> 'sha256' = p_sha256) then return; end if;
  if (select count(*) from public.audit_entries e where e.organization_id = p_organization and e.act = 'evidence.exported'
      and e.actor_id = auth.uid() and e.at > now() - interval '1 day') >= 100 then
    raise exception 'at most 100 packages a day' using errcode = 'P0001', hint = 'many', detail = 'CN169';
  end if;
  perform audit.note(p_organization, 'evidence.exported', 'organizations', p_organization, jsonb_build_object('sha256', p_sha256, 'files', p_files));
end $$;

-- Who is responsible for what a finding is about; null where nobody is named.
create function compliance.finding_owner(p_table text, p_id uuid) returns uuid
  language sql stable security definer set search_path = '' return case p_table
    when 'policies' then (select p.owner_id from public.policies p where p.id = p_id)
    when 'evidence' then (select coalesce(e.owner_id, e.created_by) from public.evidence e where e.id = p_id)
    when 'inspections' then (select coalesce(i.conducted_by, i.assigned_to) from public.inspections i where i.id = p_id) end;

-- From a state to those it may move to; packages/core/src/findings/finding-states.ts says the same.
create function compliance.finding_may_become(p_from text, p_to text) returns boolean
  language sql immutable parallel safe return p_from = p_to or p_to = any (case p_from
    when 'open' then array['answered']
    when 'reopened' then array['answered']
    when 'answered' then array['closed', 'reopened']
    when 'closed' then array['reopened']
    else array[]::text[] end);

create function compliance.guard_new_finding(f public.findings) returns public.findings
  language plpgsql stable security definer set search_path = '' as $$
declare
  about record;
begin
  execute format('select x.organization_id, x.scopes, x.deleted_at from public.%I x where x.id = $1', f.subject_table) into about using f.subject_id;
  -- What somebody may not see is to them as if it were not there.
  if about is null or about.deleted_at is not null or auth.uid() is not null and not access.is_in_sight(about.scopes) then
    raise exception 'a finding needs what it is about' using errcode = '23503', detail = 'CN170';
  end if;
  f.organization_id := about.organization_id;
  if auth.uid() is null then return f; end if;
  f.owner_id := compliance.finding_owner(f.subject_table, f.subject_id);
  if not access.is_member(f.organization_id, f.owner_id) then f.owner_id := null; end if;
  f.raised_at := sync.written_when(f.raised_at);
  f.decided_by := null; f.decided_at := null; f.verdict := null;
  return f;
end $$;

-- Who says something of a finding, what for, and that no one closes their own answer.
-- Also whoever had it once.
create function compliance.guard_finding_state(f public.findings, old public.findings) returns public.findings
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
begin
  if not compliance.finding_may_become(old.state, f.state) then
    raise exception 'a finding that is % cannot become %', old.state, f.state using errcode = '23514', hint = 'state', detail = 'CN171';
  end if;
  if access.same_organization() is not null then raise exception 'a decision is given in one''s own name' using errcode = '42501', detail = 'CN164'; end if;
  if f.state = 'answered' then
    if not (access.may('finding.answer', f.organization_id) or coalesce(old.owner_id = caller, false)) then
      raise exception 'this needs finding.answer' using errcode = '42501', detail = 'CN172';
    end if;
    if btrim(coalesce(f.answer, '')) = '' then raise exception 'an answer has words' using errcode = '23514', hint = 'reason', detail = 'CN173'; end if;
    f.answered_by := caller;
    f.answered_at := sync.clamp_time(f.answered_at, coalesce(old.decided_at, old.raised_at));
    f.verdict := old.verdict; f.decided_by := old.decided_by; f.decided_at := old.decided_at;
    return f;
  end if;
  if not access.may('finding.raise', f.organization_id) then raise exception 'this needs finding.raise' using errcode = '42501', detail = 'CN174'; end if;
  if f.state = 'closed' and compliance.closes_own_finding(old, caller) then
    raise exception 'somebody else closes what one answered' using errcode = '42501', hint = 'own', detail = 'CN175';
  end if;
  -- What somebody else said is not said again by who says nothing.
  if f.verdict is not distinct from old.verdict and old.decided_by is distinct from caller then f.verdict := null; end if;
  if f.state = 'reopened' and btrim(coalesce(f.verdict, '')) = '' then raise exception 'who says no says why' using errcode = '23514', hint = 'reason', detail = 'CN166'; end if;
  f.decided_by := caller;
  f.decided_at := sync.clamp_time(f.decided_at, old.answered_at);
  f.answer := old.answer; f.answered_by := old.answered_by; f.answered_at := old.answered_at;
  return f;
end $$;

-- What only a decision and the server change.
create function compliance.evidence_statement(e public.evidence) returns jsonb
  language sql stable set search_path = ''
  return to_jsonb(e) - array['state', 'review_note', 'reviewed_by', 'reviewed_at', 'version', 'updated_at', 'scopes', 'submitted_by', 'submitted_at'];

create function compliance.note_evidence_author(p_evidence uuid) returns void
  language sql volatile security definer set search_path = '' as $$
  insert into sync.evidence_author (evidence_id, user_id)
    select e.id, auth.uid() from public.evidence e where e.id = p_evidence and e.state in ('collected', 'sent_back') and auth.uid() is not null
    on conflict do nothing
$$;

create function compliance.wrote_evidence(p public.evidence, p_person uuid) returns boolean
  language sql stable security definer set search_path = '' as $$
  select coalesce(p_person in (p.created_by, p.owner_id), false)
    or review_queue.was_involved('evidence', p.id, p_person) or access.was_assigned('evidence', p.id, p_person)
    or exists (select from sync.evidence_author a where a.evidence_id = p.id and a.user_id = p_person)
    or exists (select from public.media m where m.organization_id = p.organization_id and m.captured_by = p_person and p.media_ids ? m.id::text)
$$;

-- What is said with a new state, by whom and when go together; a note of somebody else is not taken over by who says nothing.
create function compliance.decide_evidence(e public.evidence, old_row public.evidence) returns public.evidence
  language plpgsql stable security definer set search_path = '' as $$
declare
  judged public.evidence := old_row;
begin
  if e.state = 'collected' then
    if e.review_note is distinct from old_row.review_note then
      raise exception 'what was said with a decision stays' using errcode = '42501', detail = 'CN176';
    end if;
    perform compliance.guard_evidence_review(e, old_row.state);
    return e;
  end if;
  if compliance.evidence_statement(e) is distinct from compliance.evidence_statement(old_row) then
    raise exception 'a decision changes nothing of what it decides on' using errcode = '42501', detail = 'CN177';
  end if;
  if e.review_note is not distinct from old_row.review_note and old_row.reviewed_by is distinct from auth.uid() then e.review_note := null; end if;
  judged.state := e.state;
  judged.review_note := e.review_note;
  perform compliance.guard_evidence_review(judged, old_row.state);
  e.reviewed_by := auth.uid();
  e.reviewed_at := clock_timestamp();
  return e;
end $$;

create function compliance.closes_own_finding(f public.findings, p_caller uuid) returns boolean
  language sql stable security definer set search_path = '' return
  coalesce(p_caller in (f.answered_by, f.owner_id), false)
  or access.was_assigned('findings', f.id, p_caller)
    and exists (select from approval.holders('finding.raise', f.organization_id) h
      where h <> p_caller and h is distinct from f.answered_by and not access.was_assigned_apart_from('findings', f.id, h, p_caller));

-- Who may call what.
revoke execute on function compliance.number_evidence(public.evidence), compliance.is_own_evidence(public.evidence, uuid),
  compliance.guard_evidence_review(public.evidence, text), compliance.sweep_evidence(timestamp with time zone, integer), compliance.finding_owner(text, uuid),
  compliance.finding_may_become(text, text), compliance.guard_new_finding(public.findings), compliance.guard_finding_state(public.findings, public.findings),
  compliance.evidence_statement(public.evidence), compliance.note_evidence_author(uuid), compliance.wrote_evidence(public.evidence, uuid),
  compliance.decide_evidence(public.evidence, public.evidence), compliance.closes_own_finding(public.findings, uuid) from public;
revoke execute on function note_evidence_pack(uuid, text, integer) from public, anon;
