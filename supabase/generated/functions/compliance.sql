-- Made by tools/gen-functions.ts from supabase/migrations: the functions of schema compliance as they are now. Do not edit: npm run gen.

CREATE OR REPLACE FUNCTION compliance.closes_own_finding(f findings, p_caller uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN (COALESCE((p_caller = ANY (ARRAY[(f).answered_by, (f).owner_id])), false) OR (access.was_assigned('findings'::text, (f).id, p_caller) AND (EXISTS (SELECT FROM approval.holders('finding.raise'::text, (closes_own_finding.f).organization_id) h(h) WHERE ((h.h <> closes_own_finding.p_caller) AND (h.h IS DISTINCT FROM (closes_own_finding.f).answered_by) AND (NOT access.was_assigned_apart_from('findings'::text, (closes_own_finding.f).id, h.h, closes_own_finding.p_caller)))))));

CREATE OR REPLACE FUNCTION compliance.decide_evidence(e evidence, old_row evidence)
 RETURNS evidence
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION compliance.evidence_may_become(p_from text, p_to text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((p_from = p_to) OR (p_to = ANY (CASE p_from WHEN 'collected'::text THEN ARRAY['accepted'::text, 'sent_back'::text, 'withdrawn'::text] WHEN 'sent_back'::text THEN ARRAY['collected'::text, 'withdrawn'::text] WHEN 'accepted'::text THEN ARRAY['superseded'::text, 'withdrawn'::text] ELSE ARRAY[]::text[] END)));

CREATE OR REPLACE FUNCTION compliance.evidence_statement(e evidence)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN (to_jsonb(e) - ARRAY['state'::text, 'review_note'::text, 'reviewed_by'::text, 'reviewed_at'::text, 'version'::text, 'updated_at'::text, 'scopes'::text, 'submitted_by'::text, 'submitted_at'::text]);

CREATE OR REPLACE FUNCTION compliance.finding_may_become(p_from text, p_to text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((p_from = p_to) OR (p_to = ANY (CASE p_from WHEN 'open'::text THEN ARRAY['answered'::text] WHEN 'reopened'::text THEN ARRAY['answered'::text] WHEN 'answered'::text THEN ARRAY['closed'::text, 'reopened'::text] WHEN 'closed'::text THEN ARRAY['reopened'::text] ELSE ARRAY[]::text[] END)));

CREATE OR REPLACE FUNCTION compliance.finding_owner(p_table text, p_id uuid)
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN CASE p_table WHEN 'policies'::text THEN (SELECT p.owner_id FROM policies p WHERE (p.id = finding_owner.p_id)) WHEN 'evidence'::text THEN (SELECT COALESCE(e.owner_id, e.created_by) AS "coalesce" FROM evidence e WHERE (e.id = finding_owner.p_id)) WHEN 'inspections'::text THEN (SELECT COALESCE(i.conducted_by, i.assigned_to) AS "coalesce" FROM inspections i WHERE (i.id = finding_owner.p_id)) ELSE NULL::uuid END;

CREATE OR REPLACE FUNCTION compliance.guard_control()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  f public.frameworks;
begin
  if tg_op = 'UPDATE' then
    if (new.framework_id, new.code) is distinct from (old.framework_id, old.code) then
      raise exception 'a control keeps its framework and its code' using errcode = '42501', detail = 'CN343';
    end if;
    return new;
  end if;
  select * into f from public.frameworks x where x.id = new.framework_id;
  if not found or sync.pushing() and auth.uid() is not null and not access.is_in_sight(f.scopes) then
    raise exception 'a control needs its framework' using errcode = '23503', detail = 'CN344';
  end if;
  new.organization_id := f.organization_id;
  -- A derived id is its own row's, and nobody takes it before them.
  if auth.uid() is not null and new.id <> extensions.uuid_generate_v5(new.framework_id, 'control/' || new.code) then
    raise exception 'this id follows from another record' using errcode = '23514', constraint = 'id_is_derived', detail = 'CN230';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION compliance.guard_control_link()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  c public.controls;
  seen boolean;
begin
  if tg_op = 'UPDATE' then
    if (new.control_id, new.target_table, new.target_id) is distinct from (old.control_id, old.target_table, old.target_id) then
      raise exception 'a link keeps its ends' using errcode = '42501', detail = 'CN340';
    end if;
    return new;
  end if;
  select * into c from public.controls x where x.id = new.control_id;
  if not found or sync.pushing() and auth.uid() is not null and not access.is_in_sight(c.scopes) then
    raise exception 'a link needs its control' using errcode = '23503', detail = 'CN345';
  end if;
  new.organization_id := c.organization_id;
  execute format('select exists (select from public.%I t where t.id = $1 and t.organization_id = $2 and t.deleted_at is null and ($3 or access.is_in_sight(t.scopes)))',
    new.target_table) into seen using new.target_id, c.organization_id, auth.uid() is null;
  if not seen then raise exception 'a link needs what it leads to' using errcode = '23503', detail = 'CN342'; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION compliance.guard_decided_link()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  e public.evidence;
begin
  if auth.uid() is null or not sync.is_device_edit() then return new; end if;
  select * into e from public.evidence x where x.id = new.evidence_id;
  if not found or e.state in ('collected', 'sent_back') or access.is_outsider(e.organization_id) then return new; end if;
  if not access.may('evidence.review', e.organization_id) or compliance.is_own_evidence(e, auth.uid()) then
    raise exception 'what was decided on stays as it is; a revision follows it' using errcode = '42501', detail = 'CN339';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION compliance.guard_evidence()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if access.is_outsider(new.organization_id) then return new; end if;   -- the policy refuses, and says nothing of who is who
  if tg_op = 'INSERT' then
    new.revision := compliance.number_evidence(new);
    if auth.uid() is null then return new; end if;
    new.state := 'collected';
    new.review_note := null;
    new.reviewed_by := null;
    new.reviewed_at := null;
    new.received_at := clock_timestamp();
  elsif (new.series_id, new.collected_at) is distinct from (old.series_id, old.collected_at) then
    raise exception 'evidence keeps its series and the moment it was collected' using errcode = '42501', detail = 'CN338';
  end if;
  if new.owner_id is not null and auth.uid() is not null and (tg_op = 'INSERT' or new.owner_id is distinct from old.owner_id)
    and not access.is_member(new.organization_id, new.owner_id) then
    raise exception 'only a member of the organisation can be named on its records' using errcode = '42501', detail = 'CN083';
  end if;
  if tg_op = 'INSERT' or not sync.is_device_edit() then return new; end if;
  if old.state not in ('collected', 'sent_back') and
    (new.title, new.description, new.period_from, new.period_to, new.effective_on, new.expires_on, new.media_ids, new.deleted_at) is distinct from
    (old.title, old.description, old.period_from, old.period_to, old.effective_on, old.expires_on, old.media_ids, old.deleted_at) then
    raise exception 'what was decided on stays as it is; a revision follows it' using errcode = '42501', detail = 'CN339';
  end if;
  new.reviewed_by := old.reviewed_by;
  new.reviewed_at := old.reviewed_at;
  if new.state <> old.state then return compliance.decide_evidence(new, old); end if;
  if new.review_note is distinct from old.review_note then
    raise exception 'what was said with a decision stays' using errcode = '42501', detail = 'CN176';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION compliance.guard_evidence_link()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  e public.evidence;
  seen boolean;
begin
  if tg_op = 'UPDATE' then
    if (new.evidence_id, new.target_table, new.target_id) is distinct from (old.evidence_id, old.target_table, old.target_id) then
      raise exception 'a link keeps its ends' using errcode = '42501', detail = 'CN340';
    end if;
    return new;
  end if;
  select * into e from public.evidence x where x.id = new.evidence_id;
  if not found or sync.pushing() and auth.uid() is not null and not access.is_in_sight(e.scopes) then
    raise exception 'a link needs its evidence' using errcode = '23503', detail = 'CN341';
  end if;
  new.organization_id := e.organization_id;
  new.owner_id := e.owner_id;
  execute format('select exists (select from public.%I t where t.id = $1 and t.organization_id = $2 and t.deleted_at is null and ($3 or access.is_in_sight(t.scopes)))',
    new.target_table) into seen using new.target_id, e.organization_id, auth.uid() is null;
  if not seen then raise exception 'a link needs what it leads to' using errcode = '23503', detail = 'CN342'; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION compliance.guard_evidence_review(new_row evidence, p_from text)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION compliance.guard_finding()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := auth.uid();
  blank public.findings;
begin
  if tg_op = 'INSERT' then
    new := compliance.guard_new_finding(new);
    if caller is null or new.state = 'open' then
      if caller is not null then new.answer := null; new.answered_by := null; new.answered_at := null; end if;
      return new;
    end if;
    -- A device that raised and answered before it had signal sends both at once.
    if new.state <> 'answered' then raise exception 'a finding begins open' using errcode = '23514', hint = 'state', detail = 'CN349'; end if;
    blank := new;
    blank.state := 'open';
    return compliance.guard_finding_state(new, blank);
  end if;
  if caller is null or pg_trigger_depth() > 1 then return new; end if;
  if (new.subject_table, new.subject_id, new.raised_by, new.raised_at) is distinct from (old.subject_table, old.subject_id, old.raised_by, old.raised_at) then
    raise exception 'a finding keeps what it is about and who raised it' using errcode = '42501', detail = 'CN350';
  end if;
  if (new.title, new.body, new.requirement, new.severity, new.deleted_at) is distinct from (old.title, old.body, old.requirement, old.severity, old.deleted_at)
    and (old.raised_by is distinct from caller or old.state <> 'open' or not access.may('finding.raise', old.organization_id)) then
    raise exception 'its author changes a finding, until it is answered' using errcode = '42501', detail = 'CN351';
  end if;
  if new.owner_id is distinct from old.owner_id then
    if not access.may('finding.answer', old.organization_id) then raise exception 'this needs finding.answer' using errcode = '42501', detail = 'CN172'; end if;
    if new.owner_id is not null and not access.is_member(new.organization_id, new.owner_id) then
      raise exception 'only a member of the organisation can be named on its records' using errcode = '42501', detail = 'CN083';
    end if;
  end if;
  if new.state <> old.state then return compliance.guard_finding_state(new, old); end if;
  if (new.answer, new.answered_by, new.answered_at, new.verdict, new.decided_by, new.decided_at)
    is distinct from (old.answer, old.answered_by, old.answered_at, old.verdict, old.decided_by, old.decided_at) then
    raise exception 'what was said stays' using errcode = '42501', detail = 'CN352';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION compliance.guard_finding_source()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  f public.findings;
begin
  if auth.uid() is null then return new; end if;
  select * into f from public.findings x where x.id = new.source_id and x.organization_id = new.organization_id and x.deleted_at is null;
  if not found or not access.is_in_sight(f.scopes) then
    raise exception 'an action item needs its finding' using errcode = '23503', detail = 'CN353';
  end if;
  if not (access.may('finding.answer', f.organization_id) or coalesce(f.owner_id = auth.uid(), false)) then
    raise exception 'this needs finding.answer' using errcode = '42501', detail = 'CN172';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION compliance.guard_finding_state(f findings, old findings)
 RETURNS findings
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION compliance.guard_new_finding(f findings)
 RETURNS findings
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION compliance.guard_poam()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- A derived id is its own row's, and nobody takes it before them.
  if tg_op = 'INSERT' and auth.uid() is not null
    and new.id <> extensions.uuid_generate_v5(new.organization_id, 'poam/' || new.source_id) then
    raise exception 'this id follows from another record' using errcode = '23514', constraint = 'id_is_derived', detail = 'CN230';
  end if;
  if new.deleted_at is not null and auth.uid() is not null then
    raise exception 'a plan is put away, not removed' using errcode = '42501', detail = 'CN346';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION compliance.guard_poam_source()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is null then return new; end if;
  -- What somebody may not see is to them as if it were not there.
  if not exists (select from public.poams p where p.id = new.source_id and p.organization_id = new.organization_id and access.is_in_sight(p.scopes)) then
    raise exception 'an action item needs its plan' using errcode = '23503', detail = 'CN347';
  end if;
  if not access.may('control.manage', new.organization_id) then
    raise exception 'this needs control.manage' using errcode = '42501', detail = 'CN348';
  end if;
  if new.id is distinct from extensions.uuid_generate_v5(new.source_id, 'action/' || new.source_question) then
    raise exception 'this id follows from another record' using errcode = '23514', constraint = 'id_is_derived', detail = 'CN230';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION compliance.is_own_evidence(p evidence, p_caller uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select compliance.wrote_evidence(p, p_caller)
    and exists (select from inbox.people_with('evidence.review', p.organization_id, null) q
      where q <> p_caller and q is distinct from p.created_by and not review_queue.was_involved('evidence', p.id, q)
        and not access.was_assigned_apart_from('evidence', p.id, q, p_caller)
        and not exists (select from sync.evidence_author a where a.evidence_id = p.id and a.user_id = q))
$function$;

CREATE OR REPLACE FUNCTION compliance.note_evidence_author(p_evidence uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  insert into sync.evidence_author (evidence_id, user_id)
    select e.id, auth.uid() from public.evidence e where e.id = p_evidence and e.state in ('collected', 'sent_back') and auth.uid() is not null
    on conflict do nothing
$function$;

CREATE OR REPLACE FUNCTION compliance.note_evidence_text()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is null or not sync.is_device_edit() then return null; end if;
  if tg_table_name = 'evidence' then
    if compliance.evidence_statement(new) is distinct from compliance.evidence_statement(old) then perform compliance.note_evidence_author(new.id); end if;
  elsif tg_table_name = 'evidence_links' then
    perform compliance.note_evidence_author(new.evidence_id);
  elsif to_jsonb(new) - array['state', 'completed_at', 'version', 'updated_at', 'scopes'] is distinct from
      to_jsonb(old) - array['state', 'completed_at', 'version', 'updated_at', 'scopes'] then
    perform compliance.note_evidence_author(e.id) from public.evidence e
      where e.media_ids <> '[]' and e.media_ids ? new.id::text and e.organization_id = new.organization_id;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION compliance.number_evidence(p evidence)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION compliance.remove_controls()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.controls set deleted_at = new.deleted_at where framework_id = new.id and deleted_at is null;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION compliance.supersede_evidence()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.evidence e set state = 'superseded'
    where e.organization_id = new.organization_id and e.series_id = new.series_id and e.id <> new.id and e.state = 'accepted';
  return null;
end $function$;

CREATE OR REPLACE FUNCTION compliance.sweep_evidence(p_now timestamp with time zone DEFAULT now(), p_limit integer DEFAULT 500)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET "TimeZone" TO 'UTC'
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION compliance.wrote_evidence(p evidence, p_person uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(p_person in (p.created_by, p.owner_id), false)
    or review_queue.was_involved('evidence', p.id, p_person) or access.was_assigned('evidence', p.id, p_person)
    or exists (select from sync.evidence_author a where a.evidence_id = p.id and a.user_id = p_person)
    or exists (select from public.media m where m.organization_id = p.organization_id and m.captured_by = p_person and p.media_ids ? m.id::text)
$function$;
