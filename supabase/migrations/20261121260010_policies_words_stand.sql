-- A delegation only ends, an acknowledgement stays as it was given, nobody exempts themselves
-- (docs/decisions/0261-times-of-a-device-are-clamped.md).

-- As before; what was revoked stays revoked, an end only comes nearer, and who stands in changes nothing of it but gives it back.
create or replace function sync.guard_delegation() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is null then return new; end if;
  if tg_op = 'UPDATE' and (new.from_id, new.to_id, new.starts_at) is distinct from (old.from_id, old.to_id, old.starts_at) then
    raise exception 'a delegation keeps its people' using errcode = '42501';
  end if;
  if tg_op = 'UPDATE' then
    if old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at or old.deleted_at is not null and new.deleted_at is null then
      raise exception 'what was revoked stays revoked' using errcode = '42501';
    end if;
    if new.ends_at > old.ends_at then raise exception 'a delegation is not made longer' using errcode = '42501'; end if;
  end if;
  if sync.is_outsider(new.organization_id) then return new; end if;   -- the policy refuses, and says nothing of who is who
  -- Who manages people may name a deputy for somebody, never themselves: one would hold both voices.
  if new.from_id <> auth.uid() and new.to_id = auth.uid() and (tg_op = 'INSERT'
      -- Giving the voice back is no way of taking it.
      or (new.starts_at, new.ends_at, new.reason) is distinct from (old.starts_at, old.ends_at, old.reason)) then
    raise exception 'nobody makes themselves the deputy of another' using errcode = '42501';
  end if;
  if tg_op = 'INSERT' and not (sync.is_member(new.organization_id, new.from_id) and sync.is_member(new.organization_id, new.to_id)) then
    raise exception 'only members of the organisation stand in for each other' using errcode = '42501';
  end if;
  return new;
end $$;

-- As before; each change of its time is an entry.
create or replace function audit.note_delegation() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform audit.note(new.organization_id, 'delegation.made', 'approval_delegations', new.id,
      jsonb_build_object('from_id', new.from_id, 'to_id', new.to_id, 'starts_at', new.starts_at, 'ends_at', new.ends_at));
    return null;
  end if;
  if old.revoked_at is null and new.revoked_at is not null or old.deleted_at is null and new.deleted_at is not null then
    perform audit.note(new.organization_id, 'delegation.revoked', 'approval_delegations', new.id);
  elsif (new.revoked_at, new.deleted_at) is distinct from (old.revoked_at, old.deleted_at) then
    perform audit.note(new.organization_id, 'delegation.restored', 'approval_delegations', new.id);
  end if;
  if (new.starts_at, new.ends_at) is distinct from (old.starts_at, old.ends_at) then
    perform audit.note(new.organization_id, 'delegation.time_changed', 'approval_delegations', new.id, jsonb_build_object(
      'starts_at', new.starts_at, 'ends_at', new.ends_at, 'from', jsonb_build_object('starts_at', old.starts_at, 'ends_at', old.ends_at)));
  end if;
  return null;
end $$;

-- What a device says of a time, no earlier than could be and no later than a clock that is a day fast would say.
create function sync.believable(p_at timestamptz, p_first timestamptz) returns timestamptz
  language sql volatile parallel safe set search_path = '' return
  case when p_at is null then null else least(greatest(p_at, p_first), clock_timestamp() + interval '1 day') end;

-- As before; all of a word stays once it was given, and the device's times are brought within what can be.
create or replace function sync.guard_acknowledgement() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  v public.policy_versions;
  major_now integer;
begin
  select * into v from public.policy_versions w where w.id = new.version_id;
  -- What somebody may not see is to them as if it were not there.
  if v.major is null or sync.pushing() and auth.uid() is not null and not v.scopes && array(select public.my_scopes()) then
    raise exception 'only what was published is acknowledged' using errcode = '23503';
  end if;
  new.organization_id := v.organization_id;
  new.policy_id := v.policy_id;
  if not sync.is_device_edit() then return new; end if;
  -- A derived id is its own row's, and nobody takes it before them.
  if new.id <> extensions.uuid_generate_v5(new.version_id, 'acknowledgement/' || new.user_id::text) then
    raise exception 'this id follows from another record' using errcode = '23514', constraint = 'id_is_derived';
  end if;
  if tg_op = 'UPDATE' then
    if (new.version_id, new.user_id) is distinct from (old.version_id, old.user_id) or new.deleted_at is not null then
      raise exception 'an acknowledgement keeps its version and its person' using errcode = '42501';
    end if;
    -- Who declined may acknowledge after all; what they said then stays.
    if (old.state in ('acknowledged', 'exempt', 'void') or (old.state, new.state) = ('declined', 'declined')) and
      (new.state, new.content_hash, new.method, new.signed_name, new.signature, new.reason, new.decided_at, new.opened_at, new.sections_read, new.sections)
      is distinct from
      (old.state, old.content_hash, old.method, old.signed_name, old.signature, old.reason, old.decided_at, old.opened_at, old.sections_read, old.sections) then
      raise exception 'what was signed stays as it was signed' using errcode = '42501';
    end if;
    if old.state <> 'opened' then new.opened_at := old.opened_at; end if;
  end if;
  new.opened_at := sync.believable(new.opened_at, v.published_at);
  new.decided_at := sync.believable(new.decided_at, v.published_at);
  if tg_op = 'UPDATE' then
    if new.state is not distinct from old.state then return new; end if;
  end if;
  if new.state not in ('opened', 'acknowledged', 'declined') then
    raise exception 'nobody exempts themselves' using errcode = '42501';
  end if;
  if new.state = 'opened' then
    if tg_op = 'UPDATE' then raise exception 'a word is not taken back' using errcode = '42501'; end if;
    return new;
  end if;
  if new.content_hash is distinct from v.content_hash then
    raise exception 'what was on the screen is not this version' using errcode = '23514';
  end if;
  if new.decided_at is null or new.state = 'acknowledged' and (new.method is null or btrim(coalesce(new.signed_name, '')) = ''
      or new.method = 'drawn' and new.signature is null) then
    raise exception 'an acknowledgement is signed' using errcode = '23514';
  end if;
  if new.state = 'declined' and btrim(coalesce(new.reason, '')) = '' then
    raise exception 'who declines says why' using errcode = '23514';
  end if;
  select p.current_major into major_now from public.policies p where p.id = v.policy_id for share;
  new.received_at := clock_timestamp();
  if v.major < major_now then new.state := 'void'; end if;
  return new;
end $$;

-- As before; nobody exempts themselves while somebody else can.
create or replace function exempt_from_policy(p_policy uuid, p_user uuid, p_reason text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  p public.policies;
begin
  select * into p from public.policies q where q.id = p_policy and q.deleted_at is null for update;
  if not found or auth.uid() is null or not sync.may('policy.publish', p.organization_id) then
    raise exception 'no such policy' using errcode = '42501';
  end if;
  if p_user = auth.uid() and exists (select from sync.holders('policy.publish', p.organization_id) h where h <> auth.uid()) then
    raise exception 'somebody else exempts oneself' using errcode = '42501', hint = 'own';
  end if;
  if p.state <> 'published' then raise exception 'nothing is in force' using errcode = '23514', hint = 'state'; end if;
  if btrim(coalesce(p_reason, '')) = '' then raise exception 'an exemption has a reason' using errcode = '23514', hint = 'reason'; end if;
  if not sync.is_member(p.organization_id, p_user) then raise exception 'no such member' using errcode = '42501'; end if;
  insert into public.policy_acknowledgements as a (id, organization_id, policy_id, version_id, user_id, state, opened_at, reason, decided_at, received_at, exempted_by)
    values (extensions.uuid_generate_v5(p.current_version_id, 'acknowledgement/' || p_user::text), p.organization_id, p.id, p.current_version_id,
      p_user, 'exempt', now(), p_reason, now(), clock_timestamp(), auth.uid())
    on conflict (version_id, user_id) do update set state = 'exempt', reason = excluded.reason, decided_at = excluded.decided_at,
      received_at = excluded.received_at, exempted_by = excluded.exempted_by
      where a.state in ('opened', 'declined');
end $$;

revoke execute on function sync.believable(timestamptz, timestamptz) from public;
