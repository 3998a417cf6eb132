-- The kiosk, mended (docs/decisions/0630-a-word-on-another-device-has-a-witness.md).

-- As before; with the file that was signed for again, which the kiosk's certificate had left out.
create or replace function acknowledgement_certificate(p_policy uuid, p_user uuid, p_major integer default null) returns jsonb
  language plpgsql stable security definer set search_path = '' set timezone = 'UTC' as $$
declare
  p public.policies;
begin
  select * into p from public.policies q where q.id = p_policy and q.deleted_at is null;
  if not found or auth.uid() is null or not sync.may('policy.report', p.organization_id) then
    raise exception 'no such policy' using errcode = '42501';
  end if;
  return (
    select jsonb_build_object('organization', o.name, 'title', v.title, 'version', v.major::text || '.' || v.minor::text,
      'content_hash', a.content_hash, 'file', case when v.file is not null then jsonb_build_object('name', v.file -> 'name', 'sha256', v.file -> 'sha256') end,
      'signed_name', a.signed_name, 'method', a.method, 'signature', a.signature,
      'code', a.certificate_code, 'standing', sync.certificate_standing(a), 'requested_at', a.requested_at, 'opened_at', a.opened_at,
      'sections_read', a.sections_read, 'sections', a.sections, 'decided_at', a.decided_at, 'received_at', a.received_at,
      'replaced_at', (select min(w.published_at) from public.policy_versions w where w.policy_id = p.id and w.major > v.major),
      'archived_at', p.archived_at, 'quiz', case when a.quiz_attempts > 0 then jsonb_build_object('attempts', a.quiz_attempts,
        'right', coalesce(a.quiz_right, 0), 'of', sync.quiz_length(v.quiz), 'needed', a.quiz_needed, 'at', a.quiz_at) end,
      'kiosk', case when a.proof is not null then jsonb_build_object('proof', a.proof, 'device', a.device,
        'witness', (select w.display_name from public.people w where w.id = a.witness_id)) end)
    from public.policy_acknowledgements a
    join public.policy_versions v on v.id = a.version_id
    join public.organizations o on o.id = a.organization_id
    where a.policy_id = p.id and a.user_id = p_user and v.major = coalesce(p_major, p.current_major)
      and a.certificate_code is not null and a.deleted_at is null
    order by array_position(array['acknowledged', 'void'], a.state), a.received_at limit 1);
end $$;

-- As before; the log says who set the PIN that a word rests on.
create or replace function audit.note_acknowledgement() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' then
    if new.state = old.state then return null; end if;
  end if;
  perform audit.note(new.organization_id, 'acknowledgement.' || new.state, 'policy_acknowledgements', new.id,
    jsonb_build_object('user_id', new.user_id, 'version_id', new.version_id, 'content_hash', new.content_hash, 'method', new.method,
      'witness_id', new.witness_id, 'proof', new.proof)
      -- Whoever set a PIN knows it: a word by a PIN that its witness set is as good as the witness, and the log tells which one it was.
      || coalesce((select jsonb_build_object('pin_set_by', k.set_by, 'pin_set_at', k.set_at) from kiosk.pin k
        where new.proof = 'pin' and k.organization_id = new.organization_id and k.user_id = new.user_id), '{}'));
  return null;
end $$;

-- As before; PINs of members only.
create or replace function kiosk_standing(p_policy uuid) returns jsonb
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
      where a.policy_id = p.id and v.major = p.current_major and a.state in ('acknowledged', 'exempt', 'declined') and a.deleted_at is null), '[]'),
    'pins', coalesce((select jsonb_agg(k.user_id) from kiosk.pin k
      where k.organization_id = p.organization_id and sync.is_member(k.organization_id, k.user_id)), '[]'));
end $$;

-- As before; of two who set the first PIN of somebody at once, one is told that there is one.
create or replace function set_kiosk_pin(p_organization uuid, p_user uuid, p_pin text, p_replace boolean default false) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  before kiosk.pin;
begin
  if auth.uid() is null or not sync.is_member(p_organization, p_user)
    or not (p_user = auth.uid() or sync.may('policy.witness', p_organization)) or sync.is_outsider(p_organization) then
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

-- As before; the time it stays closed is reckoned without overflow: an error took the count of a wrong PIN back, and guessing was free.
create or replace function check_kiosk_pin(p_policy uuid, p_user uuid, p_pin text) returns jsonb
  language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
declare
  most constant integer := 5;
  p public.policies;
  k kiosk.pin;
  pass uuid;
begin
  select * into p from public.policies q where q.id = p_policy and q.deleted_at is null;
  if not found or auth.uid() is null or not sync.may('policy.witness', p.organization_id) or not sync.is_member(p.organization_id, p_user) then
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
