-- Made by tools/gen-functions.ts from supabase/migrations: the functions of schema kiosk as they are now. Do not edit: npm run gen.

CREATE OR REPLACE FUNCTION kiosk.acknowledge(w kiosk_acknowledgements, v policy_versions, p_state text, p_needed integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into public.policy_acknowledgements as a (id, organization_id, policy_id, version_id, user_id, state, content_hash, opened_at,
      sections_read, sections, method, signed_name, signature, reason, decided_at, received_at, quiz_attempts, quiz_answers, quiz_right,
      quiz_needed, quiz_at, witness_id, proof, device)
    values (extensions.uuid_generate_v5(v.id, 'acknowledgement/' || w.user_id::text), v.organization_id, v.policy_id, v.id, w.user_id, p_state,
      w.content_hash, w.opened_at, w.sections_read, w.sections, w.method, w.signed_name, w.signature, w.reason, w.decided_at, clock_timestamp(),
      w.quiz_attempts, w.quiz_answers, policy.quiz_right(v.quiz, w.quiz_answers), p_needed, w.quiz_at, w.witness_id, w.proof, w.device)
    on conflict (id) do update set (state, content_hash, sections_read, sections, method, signed_name, signature, reason, decided_at, received_at,
        quiz_attempts, quiz_answers, quiz_right, quiz_needed, quiz_at, witness_id, proof, device)
      = row (excluded.state, excluded.content_hash, excluded.sections_read, excluded.sections, excluded.method, excluded.signed_name,
        excluded.signature, excluded.reason, excluded.decided_at, excluded.received_at, greatest(a.quiz_attempts, excluded.quiz_attempts),
        excluded.quiz_answers, excluded.quiz_right, excluded.quiz_needed, excluded.quiz_at, excluded.witness_id, excluded.proof, excluded.device)
      where a.state = 'opened'
        or a.state = 'declined' and excluded.state <> 'declined' and (excluded.proof = 'pin' or a.proof is not distinct from 'witness');
  return found;
end $function$;

CREATE OR REPLACE FUNCTION kiosk.apply_acknowledgement()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v public.policy_versions;
  p public.policies;
  needed integer;
begin
  select * into v from public.policy_versions x where x.id = new.version_id;
  -- What somebody may not see is to them as if it were not there.
  if v.major is null or sync.pushing() and auth.uid() is not null and not v.scopes && array(select public.my_scopes()) then
    raise exception 'only what was published is acknowledged' using errcode = '23503', detail = 'CN326';
  end if;
  new.organization_id := v.organization_id;
  new.policy_id := v.policy_id;
  if not sync.is_device_edit() then return new; end if;
  if new.witness_id is distinct from auth.uid() or not access.may('policy.witness', v.organization_id) then
    raise exception 'a word of another has a witness' using errcode = '42501', detail = 'CN335';
  end if;
  if new.user_id is null or not access.is_member(v.organization_id, new.user_id) or not kiosk.shares_site(v.organization_id, new.user_id) then
    raise exception 'only members of the organisation acknowledge' using errcode = '42501', detail = 'CN336';
  end if;
  if new.user_id = new.witness_id then
    raise exception 'nobody witnesses their own word' using errcode = '42501', detail = 'CN337';
  end if;
  new.opened_at := sync.clamp_device_time(new.opened_at, v.published_at);
  new.decided_at := sync.clamp_device_time(new.decided_at, v.published_at);
  new.quiz_at := sync.clamp_device_time(new.quiz_at, v.published_at);
  select * into p from public.policies q where q.id = v.policy_id for share;
  perform pg_advisory_xact_lock(hashtextextended('kiosk/' || v.policy_id::text || new.user_id::text, 0));
  new.proof := case when kiosk.consume_pass(new) then 'pin' else 'witness' end;
  perform kiosk.check_acknowledgement(new, v);
  if v.major < p.current_major then
    new.outcome := case when kiosk.acknowledge(new, v, 'void', null) then 'void' else 'already' end;
  elsif exists (select from public.policy_acknowledgements a join public.policy_versions x on x.id = a.version_id
      where a.policy_id = v.policy_id and a.user_id = new.user_id and x.major = v.major and a.state in ('acknowledged', 'exempt') and a.deleted_at is null) then
    new.outcome := 'already';
  elsif p.state <> 'published' or policy.requested_since(v.organization_id, v.policy_id, v.major, new.user_id) is null then
    new.outcome := 'not_owed';
  else
    needed := case when new.decision = 'acknowledged' then kiosk.check_quiz(new, v) end;
    new.outcome := case when kiosk.acknowledge(new, v, new.decision, needed) then 'counted' else 'already' end;
  end if;
  new.signed_name := null;
  new.signature := null;
  new.reason := null;
  new.quiz_answers := null;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION kiosk.check_acknowledgement(w kiosk_acknowledgements, v policy_versions)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if w.content_hash is distinct from v.content_hash then
    raise exception 'what was on the screen is not this version' using errcode = '23514', detail = 'CN150';
  end if;
  if w.decision = 'acknowledged' and (w.method is null or btrim(coalesce(w.signed_name, '')) = '' or w.method = 'drawn' and w.signature is null) then
    raise exception 'an acknowledgement is signed' using errcode = '23514', detail = 'CN151';
  end if;
  if w.decision = 'declined' and btrim(coalesce(w.reason, '')) = '' then
    raise exception 'who declines says why' using errcode = '23514', detail = 'CN152';
  end if;
  -- A typed name alone, or none, would show nothing of who it was.
  if w.proof = 'witness' and (w.method is distinct from 'drawn' or w.signature is null) then
    raise exception 'without a PIN a word is signed by hand' using errcode = '23514', hint = 'signature', detail = 'CN153';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION kiosk.check_quiz(w kiosk_acknowledgements, v policy_versions)
 RETURNS integer
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  needed constant integer := policy.quiz_needed(v, w.user_id);
  given constant integer := coalesce(policy.quiz_right(v.quiz, w.quiz_answers), 0);
  in_force public.policy_versions;
begin
  select x.* into in_force from public.policies p join public.policy_versions x on x.id = p.current_version_id where p.id = v.policy_id;
  if needed > given or in_force.quiz is distinct from v.quiz and policy.quiz_needed(in_force, w.user_id) is not null then
    raise exception 'the quiz is not passed: % right, % needed', given, coalesce(policy.quiz_needed(in_force, w.user_id), needed)
      using errcode = '23Q01', constraint = 'quiz_passed', detail = 'CN154';
  end if;
  return needed;
end $function$;

CREATE OR REPLACE FUNCTION kiosk.consume_pass(w kiosk_acknowledgements)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update kiosk.pass p set used_at = clock_timestamp()
    where p.id = w.pass_id and p.policy_id = w.policy_id and p.user_id = w.user_id and p.witness_id = w.witness_id
      and p.used_at is null and p.given_at > clock_timestamp() - interval '7 days';
  return found;
end $function$;

CREATE OR REPLACE FUNCTION kiosk.shares_site(p_organization uuid, p_user uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select not exists (select from access.my_memberships() m where m.organization_id = p_organization and m.site_limited)
    or exists (select from public.site_members s
      where s.organization_id = p_organization and s.user_id = p_user and s.deleted_at is null and s.site_id in (select public.my_sites()))
$function$;
