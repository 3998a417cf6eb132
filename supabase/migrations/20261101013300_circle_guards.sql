-- The support circle: guards and what else triggers do.

-- No insert: a relationship begins with an invitation of the subject.
create function circle.guard_relationship() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if (new.subject_id, new.helper_id, new.role) is distinct from (old.subject_id, old.helper_id, old.role) then
    raise exception 'a relationship keeps its people and its role' using errcode = '42501', detail = 'CN367';
  end if;
  if auth.uid() is not null and new.deleted_at is distinct from old.deleted_at then
    raise exception 'a relationship is ended, not removed' using errcode = '42501', detail = 'CN368';
  end if;
  if old.state = 'ended' and new.state <> 'ended' then
    raise exception 'what has ended begins with a new invitation' using errcode = '42501', detail = 'CN369';
  end if;
  if auth.uid() = old.helper_id and new.state = 'active' and old.state <> 'active' then
    raise exception 'only the person themselves resumes' using errcode = '42501', detail = 'CN370';
  end if;
  return new;
end $$;
create trigger b_guard before update on circle_relationships for each row execute function circle.guard_relationship();

-- Whose helper it is and what may be granted is the relationship's; a device says no more than which.
create function circle.guard_grant() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  r public.circle_relationships;
begin
  if tg_op = 'UPDATE' then
    if (new.relationship_id, new.subject_id, new.helper_id, new.role, new.scope, new.level, new.valid_from)
      is distinct from (old.relationship_id, old.subject_id, old.helper_id, old.role, old.scope, old.level, old.valid_from)
      or new.item_ids is distinct from old.item_ids then
      raise exception 'a grant is taken back, and another one given' using errcode = '42501', detail = 'CN371';
    end if;
    if old.revoked_at is not null and new.revoked_at is null then
      raise exception 'what was taken back stays so' using errcode = '42501', detail = 'CN372';
    end if;
    return new;
  end if;
  select * into r from public.circle_relationships c where c.id = new.relationship_id and c.deleted_at is null;
  if r.id is null or r.subject_id <> new.subject_id or r.state = 'ended' then
    raise exception 'nobody to grant this to' using errcode = '42501', detail = 'CN373';
  end if;
  new.helper_id := r.helper_id;
  new.role := r.role;
  if not exists (select from public.circle_visibility v where v.role = r.role and v.scope = new.scope and v.level = new.level
      and v.chosen = (new.item_ids is not null)) then
    raise exception 'this role cannot be given that' using errcode = '42501', detail = 'CN374';
  end if;
  return new;
end $$;
create trigger b_guard before insert or update on consent_grants for each row execute function circle.guard_grant();

create function circle.guard_grant_read() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  g public.consent_grants;
begin
  select * into g from public.consent_grants c where c.id = new.grant_id;
  if g.id is null or g.helper_id <> new.helper_id then
    raise exception 'no such grant' using errcode = '42501', detail = 'CN375';
  end if;
  new.relationship_id := g.relationship_id;
  new.subject_id := g.subject_id;
  new.scope := g.scope;
  new.level := g.level;
  if sync.pushing() then
    new.offline := true;
    new.received_at := now();
    new.times := 1;
    -- A clock that is ahead must not hide a read in the future, nor one that is behind put it long before there was anything to read.
    new.read_at := greatest(least(new.read_at, now()), least(g.valid_from, now()) - interval '1 day');
    if g.helper_id = auth.uid() then
      if sync.is_derived(new.id) then
        raise exception 'this id follows from another record' using errcode = '23514', constraint = 'id_is_derived', detail = 'CN230';
      end if;
      if new.read_at > least(g.valid_until, g.revoked_at, g.deleted_at) + interval '30 days' then
        raise exception 'there was nothing to read any more' using errcode = '42501', detail = 'CN376';
      end if;
      if (select count(*) from (select from public.grant_reads x
          where x.grant_id = g.id and x.offline and x.received_at > now() - interval '1 day' limit 300) b) >= 300 then
        raise exception 'at most 300 reads a day' using errcode = '23514', hint = 'many', detail = 'CN377';
      end if;
    end if;
  end if;
  return new;
end $$;
create trigger b_guard before insert on grant_reads for each row execute function circle.guard_grant_read();

-- A hundred words a day to one person, by the server's clock, are enough.
create function circle.guard_circle_message() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  r public.circle_relationships;
begin
  select * into r from public.circle_relationships c where c.id = new.relationship_id and c.deleted_at is null;
  if r.id is null or r.state <> 'active' or new.from_id not in (r.subject_id, r.helper_id) then
    raise exception 'nobody is there to hear it' using errcode = '42501', detail = 'CN378';
  end if;
  new.subject_id := r.subject_id;
  new.helper_id := r.helper_id;
  if auth.uid() is not null and new.from_id = auth.uid() and (select count(*) from public.circle_messages m
      where m.relationship_id = r.id and m.from_id = new.from_id and m.created_at > now() - interval '1 day') >= 100 then
    raise exception 'at most 100 messages a day to one person' using errcode = 'P0001', detail = 'CN379';
  end if;
  return new;
end $$;
create trigger b_guard before insert on circle_messages for each row execute function circle.guard_circle_message();

-- Tells the other side that there is a word for them; what it says stays in the circle.
create function circle.notify_circle_message() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  other constant uuid := case when new.from_id = new.subject_id then new.helper_id else new.subject_id end;
  name text;
begin
  select case when new.from_id = r.subject_id then r.subject_name else r.helper_name end into name
    from public.circle_relationships r where r.id = new.relationship_id;
  perform inbox.notify(other, 'circle.message', 'circle.message/' || new.id::text, '/support-circle',
    jsonb_build_object('by', name), new.relationship_id, null, new.from_id);
  return null;
end $$;
create trigger x_notify after insert on circle_messages for each row execute function circle.notify_circle_message();

-- Nobody changes another's words: of a session their helper planned, the person says how it went, once.
create function circle.guard_circle_session() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  r public.circle_relationships;
begin
  if tg_op = 'UPDATE' and (new.relationship_id, new.author_id) is distinct from (old.relationship_id, old.author_id) then
    raise exception 'a session keeps its people' using errcode = '42501', detail = 'CN380';
  end if;
  if tg_op = 'UPDATE' and auth.uid() <> old.author_id and (old.state <> 'planned'
    or (new.at, new.minutes, new.note, new.next_steps, new.deleted_at) is distinct from (old.at, old.minutes, old.note, old.next_steps, old.deleted_at)) then
    raise exception 'a session is mended by who wrote it' using errcode = '42501', detail = 'CN381';
  end if;
  select * into r from public.circle_relationships c where c.id = new.relationship_id and c.deleted_at is null;
  if r.id is null or new.author_id not in (r.subject_id, r.helper_id)
    or not exists (select from public.circle_visibility v where v.role = r.role and v.scope = 'sessions') then
    raise exception 'nobody to talk with' using errcode = '42501', detail = 'CN382';
  end if;
  -- One's own words can be mended and taken back as long as the two have to do with each other.
  if r.state <> 'active' and not (tg_op = 'UPDATE' and new.author_id = r.subject_id) then
    raise exception 'nobody to talk with' using errcode = '42501', detail = 'CN382';
  end if;
  if exists (select from jsonb_array_elements(new.next_steps) s where jsonb_typeof(s) <> 'object' or coalesce(btrim(s ->> 'title'), '') = ''
      or char_length(s ->> 'title') > 200 or coalesce(s ->> 'id', '') !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
      or coalesce(s ->> 'due_on', '2026-01-01') !~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$') then
    raise exception 'a next step has an id and a title' using errcode = '22023', detail = 'CN383';
  end if;
  new.subject_id := r.subject_id;
  new.helper_id := r.helper_id;
  return new;
end $$;
create trigger b_guard before insert or update on circle_sessions for each row execute function circle.guard_circle_session();

-- The other side hears what was planned, moved, cancelled or missed, and the person that their helper wrote a session down. What it says
-- stays in the circle.
create function circle.notify_circle_session() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  actor constant uuid := coalesce(auth.uid(), new.author_id);
  is_new constant boolean := tg_op = 'INSERT';
begin
  if not is_new and (old.state <> 'planned' or (new.state, new.at, new.deleted_at) is not distinct from (old.state, old.at, old.deleted_at)) then
    return null;
  end if;
  perform circle.expire_session_notices(new);
  if is_new and new.state = 'planned' then
    perform circle.notify_session_parties(new, 'circle.session_planned', 'circle.session_planned/' || new.id::text, actor, now());
  elsif new.state = 'held' and new.deleted_at is null then
    if new.author_id <> new.subject_id then
      perform inbox.notify(new.subject_id, 'circle.session', 'circle.session/' || new.id::text, '/support-circle',
        jsonb_build_object('by', (select r.helper_name from public.circle_relationships r where r.id = new.relationship_id)),
        new.relationship_id, null, actor);
    end if;
  elsif not is_new then
    perform circle.notify_session_parties(new, 'circle.session_changed', concat_ws('/', 'circle.session_changed', new.id, new.version), actor, now());
  end if;
  return null;
end $$;
create trigger x_notify after insert or update on circle_sessions for each row execute function circle.notify_circle_session();

-- Acting for somebody is for a month at most, and is granted anew then.
create function circle.limit_acting() returns trigger language plpgsql set search_path = '' as $$
begin
  new.valid_until := least(new.valid_until, coalesce(new.created_at, now()) + interval '31 days');
  return new;
end $$;
create trigger c_acting before insert or update on consent_grants for each row when (new.level = 'act') execute function circle.limit_acting();

-- One person's invitations of a day are counted one after the other.
create function circle.count_circle_invitation() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is null then return new; end if;
  perform pg_advisory_xact_lock(hashtext('circle-invitations'), hashtext(new.subject_id::text));
  if (select count(*) from public.circle_invitations x where x.subject_id = new.subject_id and x.created_at > now() - interval '1 day') >= 50 then
    raise exception 'at most 50 invitations a day' using errcode = 'P0001', detail = 'CN178';
  end if;
  return new;
end $$;
create trigger b_count before insert on circle_invitations for each row execute function circle.count_circle_invitation();

-- So are the words of a day (b_guard counts them).
create function circle.lock_circle_messages() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtext('circle-messages'), hashtext(new.relationship_id::text));
  return new;
end $$;
create trigger b_a_lock before insert on circle_messages for each row execute function circle.lock_circle_messages();

create function circle.forget_week() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update sync.wellness_week w set is_gone = true, n = null, mood = null, energy = null, stress = null
    where w.user_id = old.user_id and w.week = date_trunc('week', old.day)::date;
  return null;
end $$;
create trigger x_week_gone after update of deleted_at on wellness_check_ins for each row
  when (old.deleted_at is null and new.deleted_at is not null and old.mood is not null) execute function circle.forget_week();
create trigger x_week_removed after delete on wellness_check_ins for each row when (old.mood is not null) execute function circle.forget_week();

-- Asks for one thing at a time, of somebody who is there to answer.
create function circle.guard_principle_grant() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if jsonb_array_length(new.item_ids) <> 1 or new.item_ids ->> 0 !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
    or circle.committed_principle(new.subject_id, (new.item_ids ->> 0)::uuid) is null then
    raise exception 'a countersignature is asked for what one committed to' using errcode = '42501', detail = 'CN384';
  end if;
  if not exists (select from public.circle_relationships r where r.id = new.relationship_id and r.state = 'active') then
    raise exception 'nobody is there to sign' using errcode = '42501', detail = 'CN385';
  end if;
  return new;
end $$;
-- After `b_guard`, which says whose grant it is.
create trigger c_principle before insert on consent_grants for each row when (new.scope = 'principles')
  execute function circle.guard_principle_grant();

-- An answer counts while it is asked for; the grant and the pair are locked, so that it meets either the ask or its end.
create function circle.guard_countersignature() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  g public.consent_grants;
  r public.circle_relationships;
  v public.policy_versions;
begin
  if tg_op = 'UPDATE' then return new; end if;
  select * into r from public.circle_relationships c where c.deleted_at is null
    and c.id = (select x.relationship_id from public.consent_grants x where x.id = new.grant_id) for share;
  select * into g from public.consent_grants x where x.id = new.grant_id and x.scope = 'principles' for share;
  if g.id is null or g.helper_id is distinct from new.helper_id or new.version_id::text is distinct from g.item_ids ->> 0 then
    raise exception 'nobody asked for this' using errcode = '42501', detail = 'CN386';
  end if;
  select * into v from public.policy_versions w where w.id = new.version_id;
  new.relationship_id := g.relationship_id;
  new.subject_id := g.subject_id;
  new.policy_id := v.policy_id;
  if not sync.is_device_edit() then return new; end if;
  if new.id <> extensions.uuid_generate_v5(g.id, 'countersignature') then
    raise exception 'this id follows from another record' using errcode = '23514', constraint = 'id_is_derived', detail = 'CN230';
  end if;
  if r.state <> 'active' or g.revoked_at is not null or g.deleted_at is not null or g.valid_until <= now() or g.valid_from > now() then
    raise exception 'nobody asks for this any more' using errcode = '42501', detail = 'CN387';
  end if;
  if new.content_hash is distinct from v.content_hash then
    raise exception 'what was on the screen is not this version' using errcode = '23514', detail = 'CN150';
  end if;
  if new.decision = 'signed' and (new.method is null or btrim(coalesce(new.signed_name, '')) = '' or new.method = 'drawn' and new.signature is null) then
    raise exception 'a countersignature is signed' using errcode = '23514', detail = 'CN388';
  end if;
  if new.decision = 'declined' and (new.method, new.signed_name, new.signature) is distinct from (null::text, null::text, null::jsonb) then
    raise exception 'who declines does not sign' using errcode = '23514', detail = 'CN389';
  end if;
  new.decided_at := sync.clamp_device_time(new.decided_at, v.published_at);
  new.received_at := clock_timestamp();
  return new;
end $$;
create trigger b_guard before insert or update on countersignatures for each row execute function circle.guard_countersignature();

-- What it is about stays in the circle: names alone are told.
create function circle.notify_countersign_requested() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  name text;
begin
  if tg_op = 'UPDATE' then
    if new.revoked_at is not null then perform inbox.mark_resolved_read(new.id, array['circle.countersign_asked'], new.helper_id); end if;
    return null;
  end if;
  select r.subject_name into name from public.circle_relationships r where r.id = new.relationship_id;
  perform inbox.notify(new.helper_id, 'circle.countersign_asked', 'circle.countersign_asked/' || new.id::text,
    '/support-circle/' || new.relationship_id::text, jsonb_build_object('by', name), new.id, null, new.subject_id);
  return null;
end $$;
create trigger x_notify_principle after insert or update on consent_grants for each row when (new.scope = 'principles')
  execute function circle.notify_countersign_requested();

create function circle.notify_countersigned() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  name text;
  type constant text := case new.decision when 'signed' then 'circle.countersigned' else 'circle.countersign_declined' end;
begin
  select r.helper_name into name from public.circle_relationships r where r.id = new.relationship_id;
  perform inbox.mark_resolved_read(new.grant_id, array['circle.countersign_asked'], new.helper_id);
  perform inbox.notify(new.subject_id, type, type || '/' || new.id::text, '/policies/' || new.policy_id::text,
    jsonb_build_object('by', name), new.id, (select v.organization_id from public.policy_versions v where v.id = new.version_id), new.helper_id);
  return null;
end $$;
create trigger x_notify after insert on countersignatures for each row execute function circle.notify_countersigned();

create function circle.pin_countersigner() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  -- A former helper's names go together (end_circle).
  new.account_name := case when tg_op = 'INSERT' then case when new.decision = 'signed' then space.account_name(new.helper_id) end
    when new.signed_name is not distinct from old.signed_name then old.account_name end;
  return new;
end $$;
create trigger c_signer before insert or update on countersignatures for each row execute function circle.pin_countersigner();

-- By author: what one of the two writes neither counts against the other nor tells them how much it is.
create function circle.bound_circle_sessions() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  -- Of others nothing is told: the policy refuses them.
  if auth.uid() is distinct from new.author_id or auth.uid() not in (new.subject_id, new.helper_id) then return new; end if;
  if tg_op = 'INSERT' and (select count(*) from (
      select from public.circle_sessions c where c.relationship_id = new.relationship_id and c.author_id = new.author_id
        and c.created_at > now() - interval '1 day' limit 50) x) >= 50 then
    raise exception 'at most 50 sessions a day' using errcode = '23514', hint = 'many', detail = 'CN390';
  end if;
  if new.state = 'planned' and new.deleted_at is null and new.at > now()
    and (tg_op = 'INSERT' or old.state <> 'planned' or old.deleted_at is not null or old.at <= now())
    and (select count(*) from (
      select from public.circle_sessions c where c.relationship_id = new.relationship_id and c.author_id = new.author_id
        and c.at > now() and c.state = 'planned' and c.deleted_at is null and c.id <> new.id limit 100) x) >= 100 then
    raise exception 'at most 100 sessions are planned at once' using errcode = '23514', hint = 'many', detail = 'CN391';
  end if;
  return new;
end $$;
create trigger c_bound before insert or update of state, at, deleted_at on public.circle_sessions
  for each row execute function circle.bound_circle_sessions();

create function circle.guard_held_session() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
begin
  if caller is null then return new; end if;
  if tg_op = 'INSERT' then
    new.concluded_by := case when new.state <> 'planned' then caller end;
    return new;
  end if;
  if old.concluded_by is not null and old.concluded_by <> caller
    and (new.state, new.reason, new.at, new.deleted_at) is distinct from (old.state, old.reason, old.at, old.deleted_at) then
    raise exception 'what became of it stays as it was said' using errcode = '42501', detail = 'CN392';
  end if;
  new.concluded_by := case when new.state = 'planned' then null
    when (new.state, new.reason) is distinct from (old.state, old.reason) then caller else old.concluded_by end;
  return new;
end $$;
create trigger b_settled before insert or update on public.circle_sessions for each row execute function circle.guard_held_session();

-- Triggers whose functions stand with another area.

create trigger a0_require_push before insert on circle_messages for each statement execute function sync.require_push();
create trigger a2_times before insert or update on circle_messages for each row
  when (new.written_at > now() + interval '1 day') execute function sync.clamp_times_ahead('written_at');

create trigger a0_require_push before insert on consent_grants for each statement execute function sync.require_push();

create trigger a0_require_push before insert on grant_reads for each statement execute function sync.require_push();
create trigger a2_times before insert or update on grant_reads for each row
  when (new.read_at > now() + interval '1 day') execute function sync.clamp_times_ahead('read_at');

create trigger a0_require_push before insert on circle_sessions for each statement execute function sync.require_push();

create trigger a0_require_push before insert on countersignatures for each statement execute function sync.require_push();
create trigger a1_name before insert or update of signed_name on countersignatures for each row execute function policy.clean_signed_name();

create trigger c_principles before insert on circle_invitations for each row execute function identity.refuse_wanted_principles();

-- Who may call what.
revoke execute on function circle.guard_relationship(), circle.guard_grant(), circle.guard_grant_read(), circle.guard_circle_message(),
  circle.notify_circle_message(), circle.guard_circle_session(), circle.notify_circle_session(), circle.limit_acting(), circle.count_circle_invitation(),
  circle.lock_circle_messages(), circle.forget_week(), circle.guard_principle_grant(), circle.guard_countersignature(), circle.notify_countersign_requested(),
  circle.notify_countersigned(), circle.pin_countersigner(), circle.bound_circle_sessions(), circle.guard_held_session() from public;
