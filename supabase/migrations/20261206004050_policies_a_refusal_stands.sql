-- A refusal stays what its person said: an exemption, a later signature or a word at a kiosk comes beside it. Without a PIN a word at a kiosk
-- is signed by hand whatever it says, and takes the place of nothing its person said themselves.

alter table public.policy_acknowledgements
  add column declined_reason text,                            -- why its person declined, the last time; kept whatever came after
  add column declined_at     timestamptz;
update sync.tables set server_columns = server_columns || array['declined_reason', 'declined_at'] where name = 'policy_acknowledgements';
select sync.refresh_table('policy_acknowledgements');
update public.policy_acknowledgements set declined_reason = reason, declined_at = decided_at where state = 'declined';

create function sync.keep_refusal() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if new.state = 'declined' then
    new.declined_reason := new.reason;
    new.declined_at := new.decided_at;
  else
    new.declined_reason := case when tg_op = 'UPDATE' then old.declined_reason end;
    new.declined_at := case when tg_op = 'UPDATE' then old.declined_at end;
  end if;
  return new;
end $$;
-- After the guards, which say when it was decided.
create trigger y_refusal before insert or update on public.policy_acknowledgements for each row execute function sync.keep_refusal();
revoke execute on function sync.keep_refusal() from public;

-- As before; without a PIN it replaces a refusal at a kiosk alone, never one its person sent themselves.
create or replace function kiosk.acknowledge(w public.kiosk_words, v public.policy_versions, p_state text, p_needed integer) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into public.policy_acknowledgements as a (id, organization_id, policy_id, version_id, user_id, state, content_hash, opened_at,
      sections_read, sections, method, signed_name, signature, reason, decided_at, received_at, quiz_attempts, quiz_answers, quiz_right,
      quiz_needed, quiz_at, witness_id, proof, device)
    values (extensions.uuid_generate_v5(v.id, 'acknowledgement/' || w.user_id::text), v.organization_id, v.policy_id, v.id, w.user_id, p_state,
      w.content_hash, w.opened_at, w.sections_read, w.sections, w.method, w.signed_name, w.signature, w.reason, w.decided_at, clock_timestamp(),
      w.quiz_attempts, w.quiz_answers, sync.quiz_right(v.quiz, w.quiz_answers), p_needed, w.quiz_at, w.witness_id, w.proof, w.device)
    on conflict (id) do update set (state, content_hash, sections_read, sections, method, signed_name, signature, reason, decided_at, received_at,
        quiz_attempts, quiz_answers, quiz_right, quiz_needed, quiz_at, witness_id, proof, device)
      = row (excluded.state, excluded.content_hash, excluded.sections_read, excluded.sections, excluded.method, excluded.signed_name,
        excluded.signature, excluded.reason, excluded.decided_at, excluded.received_at, greatest(a.quiz_attempts, excluded.quiz_attempts),
        excluded.quiz_answers, excluded.quiz_right, excluded.quiz_needed, excluded.quiz_at, excluded.witness_id, excluded.proof, excluded.device)
      where a.state = 'opened'
        or a.state = 'declined' and excluded.state <> 'declined' and (excluded.proof = 'pin' or a.proof is not distinct from 'witness');
  return found;
end $$;

-- As before; a refusal too.
create or replace function kiosk.check_word(w public.kiosk_words, v public.policy_versions) returns void
  language plpgsql stable security definer set search_path = '' as $$
begin
  if w.content_hash is distinct from v.content_hash then
    raise exception 'what was on the screen is not this version' using errcode = '23514';
  end if;
  if w.decision = 'acknowledged' and (w.method is null or btrim(coalesce(w.signed_name, '')) = '' or w.method = 'drawn' and w.signature is null) then
    raise exception 'an acknowledgement is signed' using errcode = '23514';
  end if;
  if w.decision = 'declined' and btrim(coalesce(w.reason, '')) = '' then
    raise exception 'who declines says why' using errcode = '23514';
  end if;
  -- A typed name alone, or none, would show nothing of who it was.
  if w.proof = 'witness' and (w.method is distinct from 'drawn' or w.signature is null) then
    raise exception 'without a PIN a word is signed by hand' using errcode = '23514', hint = 'signature';
  end if;
end $$;

-- Whoever witnesses for some sites does so for people of these, in everything a kiosk does.
create or replace function public.kiosk_standing(p_policy uuid) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  p public.policies;
begin
  select * into p from public.policies q where q.id = p_policy and q.deleted_at is null;
  if not found or auth.uid() is null or not sync.may('policy.witness', p.organization_id) then
    raise exception 'no such policy' using errcode = '42501';
  end if;
  return jsonb_build_object('major', p.current_major,
    'settled', coalesce((select jsonb_agg(distinct a.user_id) from public.policy_acknowledgements a
      join public.policy_versions v on v.id = a.version_id
      where a.policy_id = p.id and v.major = p.current_major and a.state in ('acknowledged', 'exempt', 'declined') and a.deleted_at is null
        and kiosk.is_of_ones_sites(p.organization_id, a.user_id)), '[]'),
    'pins', coalesce((select jsonb_agg(k.user_id) from kiosk.pin k
      where k.organization_id = p.organization_id and sync.is_member(k.organization_id, k.user_id)
        and kiosk.is_of_ones_sites(k.organization_id, k.user_id)), '[]'));
end $$;

create or replace function public.set_kiosk_pin(p_organization uuid, p_user uuid, p_pin text, p_replace boolean default false) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  before kiosk.pin;
begin
  if auth.uid() is null or not sync.is_member(p_organization, p_user)
    or not (p_user = auth.uid() or sync.may('policy.witness', p_organization) and kiosk.is_of_ones_sites(p_organization, p_user))
    or sync.is_outsider(p_organization) then
    raise exception 'no such person' using errcode = '42501';
  end if;
  if p_pin is null or p_pin !~ '^\d{4,8}$' then raise exception 'a PIN is 4 to 8 digits' using errcode = '23514', hint = 'pin'; end if;
  perform pg_advisory_xact_lock(hashtextextended('kiosk pin/' || p_organization::text || p_user::text, 0));
  select * into before from kiosk.pin k where k.organization_id = p_organization and k.user_id = p_user for update;
  if before.user_id is not null and p_user <> auth.uid() and not coalesce(p_replace, false) then
    raise exception 'this person has a PIN' using errcode = '23514', hint = 'has_pin';
  end if;
  insert into kiosk.pin as k (organization_id, user_id, hash, set_by)
    values (p_organization, p_user, extensions.crypt(p_pin, extensions.gen_salt('bf', 11)), auth.uid())
    on conflict (organization_id, user_id) do update
      set hash = excluded.hash, set_by = excluded.set_by, set_at = now(), wrong = 0, locked_until = null;
  perform audit.note(p_organization, case when before.user_id is null then 'kiosk.pin_set' else 'kiosk.pin_replaced' end, 'organization_members',
    p_user, jsonb_build_object('user_id', p_user));
end $$;

create or replace function public.check_kiosk_pin(p_policy uuid, p_user uuid, p_pin text) returns jsonb
  language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
declare
  most constant integer := 5;
  p public.policies;
  k kiosk.pin;
  pass uuid;
begin
  select * into p from public.policies q where q.id = p_policy and q.deleted_at is null;
  if not found or auth.uid() is null or not sync.may('policy.witness', p.organization_id) or not sync.is_member(p.organization_id, p_user)
    or not kiosk.is_of_ones_sites(p.organization_id, p_user) then
    raise exception 'no such policy' using errcode = '42501';
  end if;
  select * into k from kiosk.pin x where x.organization_id = p.organization_id and x.user_id = p_user for update;
  if not found then raise exception 'this person has no PIN' using errcode = '23514', hint = 'no_pin'; end if;
  if k.locked_until > clock_timestamp() then return jsonb_build_object('locked_until', k.locked_until); end if;
  if k.hash = extensions.crypt(left(coalesce(p_pin, ''), 20), k.hash) then
    update kiosk.pin x set wrong = 0, locked_until = null where x.organization_id = k.organization_id and x.user_id = k.user_id;
    insert into kiosk.pass (policy_id, user_id, witness_id) values (p.id, p_user, auth.uid()) returning id into pass;
    return jsonb_build_object('pass', pass);
  end if;
  -- A wrong one is answered, not raised: raising would take the count back.
  update kiosk.pin x set wrong = x.wrong + 1, locked_until = case when (x.wrong + 1) % most = 0
      then clock_timestamp() + least(interval '15 minutes' * 2 ^ least((x.wrong + 1) / most - 1, 7), interval '1 day') end
    where x.organization_id = k.organization_id and x.user_id = k.user_id returning * into k;
  if k.locked_until is not null then
    perform audit.note(p.organization_id, 'kiosk.pin_locked', 'organization_members', p_user, jsonb_build_object('user_id', p_user));
    return jsonb_build_object('locked_until', k.locked_until);
  end if;
  return jsonb_build_object('left', most - k.wrong % most);
end $$;

-- As before; for people of one's sites.
create or replace function kiosk.take_word() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  v public.policy_versions;
  p public.policies;
  needed integer;
begin
  select * into v from public.policy_versions x where x.id = new.version_id;
  -- What somebody may not see is to them as if it were not there.
  if v.major is null or sync.pushing() and auth.uid() is not null and not v.scopes && array(select public.my_scopes()) then
    raise exception 'only what was published is acknowledged' using errcode = '23503';
  end if;
  new.organization_id := v.organization_id;
  new.policy_id := v.policy_id;
  if not sync.is_device_edit() then return new; end if;
  if new.witness_id is distinct from auth.uid() or not sync.may('policy.witness', v.organization_id) then
    raise exception 'a word of another has a witness' using errcode = '42501';
  end if;
  if new.user_id is null or not sync.is_member(v.organization_id, new.user_id) or not kiosk.is_of_ones_sites(v.organization_id, new.user_id) then
    raise exception 'only members of the organisation acknowledge' using errcode = '42501';
  end if;
  if new.user_id = new.witness_id then
    raise exception 'nobody witnesses their own word' using errcode = '42501';
  end if;
  new.opened_at := sync.believable(new.opened_at, v.published_at);
  new.decided_at := sync.believable(new.decided_at, v.published_at);
  new.quiz_at := sync.believable(new.quiz_at, v.published_at);
  select * into p from public.policies q where q.id = v.policy_id for share;
  perform pg_advisory_xact_lock(hashtextextended('kiosk/' || v.policy_id::text || new.user_id::text, 0));
  new.proof := case when kiosk.take_pass(new) then 'pin' else 'witness' end;
  perform kiosk.check_word(new, v);
  if v.major < p.current_major then
    new.outcome := case when kiosk.acknowledge(new, v, 'void', null) then 'void' else 'already' end;
  elsif exists (select from public.policy_acknowledgements a join public.policy_versions x on x.id = a.version_id
      where a.policy_id = v.policy_id and a.user_id = new.user_id and x.major = v.major and a.state in ('acknowledged', 'exempt') and a.deleted_at is null) then
    new.outcome := 'already';
  elsif p.state <> 'published' or sync.asked_since(v.organization_id, v.policy_id, v.major, new.user_id) is null then
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
end $$;
