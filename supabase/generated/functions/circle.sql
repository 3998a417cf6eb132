-- Made by tools/gen-functions.ts from supabase/migrations: the functions of schema circle as they are now. Do not edit: npm run gen.

CREATE OR REPLACE FUNCTION circle.bound_circle_sessions()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION circle.circle_name(p_user uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(nullif(p.display_name, ''), nullif(p.full_name, ''), split_part(u.email, '@', 1))
  from auth.users u left join public.profiles p on p.id = u.id where u.id = p_user
$function$;

CREATE OR REPLACE FUNCTION circle.committed_principle(p_subject uuid, p_version uuid)
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select v.id from public.policy_versions v
  join public.organizations o on o.id = v.organization_id and o.kind = 'private' and o.created_by = p_subject
  join public.policies p on p.id = v.policy_id and p.state = 'published' and p.current_major = v.major and p.deleted_at is null
  join public.policy_acknowledgements a on a.version_id = v.id and a.user_id = p_subject and a.state = 'acknowledged' and a.deleted_at is null
  where v.id = p_version and v.deleted_at is null and v.file is null and v.quiz is null
$function$;

CREATE OR REPLACE FUNCTION circle.count_circle_invitation()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is null then return new; end if;
  perform pg_advisory_xact_lock(hashtext('circle-invitations'), hashtext(new.subject_id::text));
  if (select count(*) from public.circle_invitations x where x.subject_id = new.subject_id and x.created_at > now() - interval '1 day') >= 50 then
    raise exception 'at most 50 invitations a day' using errcode = 'P0001', detail = 'CN178';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION circle.due_talk(p_relationship uuid, p_user uuid, p_day date, p_zone text, p_now timestamp with time zone)
 RETURNS TABLE(by_own boolean, key text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select not seen.sees_all, 'circle.session_due/' || r.id::text || '/' || (l.last_day + r.cadence_days)::text
  from public.circle_relationships r
  cross join lateral (select p_user = r.subject_id or circle.session_grant(r.id, p_now) is not null as sees_all) seen
  cross join lateral (select max(c.at at time zone p_zone)::date as last_day from public.circle_sessions c
    where c.relationship_id = r.id and c.state = 'held' and c.deleted_at is null and c.at <= p_now
      and (seen.sees_all or c.author_id = r.helper_id)) l
  where r.id = p_relationship and p_user in (r.subject_id, r.helper_id) and r.cadence_days is not null and r.state = 'active' and r.deleted_at is null
    and exists (select from public.circle_visibility v where v.role = r.role and v.scope = 'sessions')
    and p_day >= greatest(l.last_day + r.cadence_days - 2, l.last_day + 1)
    and not exists (select from public.circle_sessions c where c.relationship_id = r.id and c.state = 'planned' and c.deleted_at is null
      and c.at > p_now and (seen.sees_all or c.author_id = r.helper_id))
$function$;

CREATE OR REPLACE FUNCTION circle.end_circle(p_user uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  delete from public.circle_invitations i where i.subject_id = p_user;
  delete from public.circle_relationships r where r.subject_id = p_user;
  update public.countersignatures c set signature = null, reason = '',
    signed_name = case when c.signed_name is not null then 'Former helper' end where c.helper_id = p_user;
  update public.circle_relationships r set state = 'ended', helper_name = 'Former helper' where r.helper_id = p_user;
end $function$;

CREATE OR REPLACE FUNCTION circle.expire_session_notices(s circle_sessions)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform inbox.mark_resolved_read(s.id, array['circle.session_soon']);
  if s.deleted_at is not null or s.state not in ('planned', 'held') then return; end if;
  perform inbox.mark_resolved_read(s.relationship_id, array['circle.session_due'], s.subject_id);
  if s.author_id = s.helper_id or circle.session_grant(s.relationship_id, now()) is not null then
    perform inbox.mark_resolved_read(s.relationship_id, array['circle.session_due'], s.helper_id);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION circle.forget_week()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update sync.wellness_week w set is_gone = true, n = null, mood = null, energy = null, stress = null
    where w.user_id = old.user_id and w.week = date_trunc('week', old.day)::date;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION circle.goal_figures(p_subject uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'active', count(*) filter (where g.state = 'active'), 'paused', count(*) filter (where g.state = 'paused'),
    'achieved_90', count(*) filter (where g.state = 'achieved' and g.ended_on > current_date - 90),
    'moved_14', count(*) filter (where g.state = 'active' and (
      exists (select from public.goal_check_ins c where c.goal_id = g.id and c.deleted_at is null and c.day > current_date - 14)
      or exists (select from public.goal_milestones m where m.goal_id = g.id and m.deleted_at is null and m.done_on > current_date - 14))))
  from public.goals g where g.user_id = p_subject and g.deleted_at is null
$function$;

CREATE OR REPLACE FUNCTION circle.goal_titles(p_subject uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'title', g.title, 'state', g.state, 'due_on', g.due_on)
    order by g.due_on nulls last, g.title), '[]')
  from public.goals g
  where g.user_id = p_subject and g.deleted_at is null and g.state in ('active', 'paused')
$function$;

CREATE OR REPLACE FUNCTION circle.guard_circle_message()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION circle.guard_circle_session()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION circle.guard_countersignature()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION circle.guard_grant()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION circle.guard_grant_read()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION circle.guard_held_session()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION circle.guard_principle_grant()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if jsonb_array_length(new.item_ids) <> 1 or new.item_ids ->> 0 !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
    or circle.committed_principle(new.subject_id, (new.item_ids ->> 0)::uuid) is null then
    raise exception 'a countersignature is asked for what one committed to' using errcode = '42501', detail = 'CN384';
  end if;
  if not exists (select from public.circle_relationships r where r.id = new.relationship_id and r.state = 'active') then
    raise exception 'nobody is there to sign' using errcode = '42501', detail = 'CN385';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION circle.guard_relationship()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION circle.habit_figures(p_subject uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'habits', (select count(*) from public.habits h where h.user_id = p_subject and h.deleted_at is null and h.archived_at is null),
    'days_7', count(distinct e.day) filter (where e.day > current_date - 7), 'days_30', count(distinct e.day))
  from growth.habit_days_done(p_subject, current_date - 29, current_date) e
$function$;

CREATE OR REPLACE FUNCTION circle.limit_acting()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.valid_until := least(new.valid_until, coalesce(new.created_at, now()) + interval '31 days');
  return new;
end $function$;

CREATE OR REPLACE FUNCTION circle.lock_circle_messages()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform pg_advisory_xact_lock(hashtext('circle-messages'), hashtext(new.relationship_id::text));
  return new;
end $function$;

CREATE OR REPLACE FUNCTION circle.note_read(g consent_grants, p_now timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  insert into public.grant_reads as x (id, grant_id, relationship_id, subject_id, helper_id, offline, read_at)
    values (extensions.uuid_generate_v5(g.id, 'read/' || floor(extract(epoch from p_now) / 300)::bigint::text),
      g.id, g.relationship_id, g.subject_id, g.helper_id, false, p_now)
    on conflict (id) do update set times = x.times + 1 where x.times < 10000
$function$;

CREATE OR REPLACE FUNCTION circle.notify_circle_message()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  other constant uuid := case when new.from_id = new.subject_id then new.helper_id else new.subject_id end;
  name text;
begin
  select case when new.from_id = r.subject_id then r.subject_name else r.helper_name end into name
    from public.circle_relationships r where r.id = new.relationship_id;
  perform inbox.notify(other, 'circle.message', 'circle.message/' || new.id::text, '/support-circle',
    jsonb_build_object('by', name), new.relationship_id, null, new.from_id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION circle.notify_circle_session()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION circle.notify_countersign_requested()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION circle.notify_countersigned()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  name text;
  type constant text := case new.decision when 'signed' then 'circle.countersigned' else 'circle.countersign_declined' end;
begin
  select r.helper_name into name from public.circle_relationships r where r.id = new.relationship_id;
  perform inbox.mark_resolved_read(new.grant_id, array['circle.countersign_asked'], new.helper_id);
  perform inbox.notify(new.subject_id, type, type || '/' || new.id::text, '/policies/' || new.policy_id::text,
    jsonb_build_object('by', name), new.id, (select v.organization_id from public.policy_versions v where v.id = new.version_id), new.helper_id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION circle.notify_grantee(r circle_relationships, p_type text, p_key text, p_subject uuid, p_by uuid, p_now timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  given constant uuid := circle.session_grant(r.id, p_now);
begin
  if given is null or inbox.notify(r.helper_id, p_type, p_key, '/support-circle/' || r.id::text,
      jsonb_build_object('by', r.subject_name), p_subject, null, p_by) is null then return false; end if;
  perform circle.note_read(g, p_now) from public.consent_grants g where g.id = given;
  return true;
end $function$;

CREATE OR REPLACE FUNCTION circle.notify_session_parties(s circle_sessions, p_type text, p_key text, p_by uuid, p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  r public.circle_relationships;
begin
  select * into r from public.circle_relationships c where c.id = s.relationship_id and c.state = 'active' and c.deleted_at is null;
  if r.id is null then return; end if;
  perform inbox.notify(r.subject_id, p_type, p_key, '/support-circle/' || r.id::text, jsonb_build_object('by', r.helper_name), s.id, null, p_by);
  if s.author_id = r.helper_id then
    perform inbox.notify(r.helper_id, p_type, p_key, '/support-circle/' || r.id::text, jsonb_build_object('by', r.subject_name), s.id, null, p_by);
  else perform circle.notify_grantee(r, p_type, p_key, s.id, p_by, p_now); end if;
end $function$;

CREATE OR REPLACE FUNCTION circle.pin_countersigner()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- A former helper's names go together (end_circle).
  new.account_name := case when tg_op = 'INSERT' then case when new.decision = 'signed' then space.account_name(new.helper_id) end
    when new.signed_name is not distinct from old.signed_name then old.account_name end;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION circle.session_grant(p_relationship uuid, p_now timestamp with time zone)
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select g.id from public.consent_grants g
  join public.circle_relationships r on r.id = g.relationship_id and r.helper_id = g.helper_id and r.subject_id = g.subject_id
  join public.circle_visibility v on v.role = r.role and v.scope = g.scope and v.level = g.level and v.chosen = (g.item_ids is not null)
  where g.relationship_id = p_relationship and g.scope = 'sessions' and r.state = 'active' and r.deleted_at is null
    and g.deleted_at is null and g.revoked_at is null and g.valid_from <= p_now and (g.valid_until is null or g.valid_until > p_now)
  order by g.id limit 1
$function$;

CREATE OR REPLACE FUNCTION circle.session_soon_key(c circle_sessions)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((('circle.session_soon/'::text || ((c).id)::text) || '/'::text) || (floor(EXTRACT(epoch FROM (c).at)))::text);

CREATE OR REPLACE FUNCTION circle.shared_data(g consent_grants)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return case g.scope || '/' || g.level
    when 'goals/full' then circle.shared_goals(g.subject_id, g.item_ids)
    when 'goals/titles' then circle.goal_titles(g.subject_id)
    when 'goals/summary' then circle.goal_figures(g.subject_id)
    when 'habits/full' then circle.shared_habits(g.subject_id, g.item_ids)
    when 'habits/summary' then circle.habit_figures(g.subject_id)
    when 'wellness/summary' then (select coalesce(jsonb_agg(to_jsonb(w) order by w.week), '[]') from circle.wellness_weeks(g.subject_id) w)
    when 'wellness/ok' then (select coalesce(jsonb_agg(jsonb_build_object('week', w.week,
        'ok', w.mood >= 3 and coalesce(w.stress, 1) < 4) order by w.week), '[]') from circle.wellness_weeks(g.subject_id) w)
    when 'tasks/full' then circle.shared_tasks(g.subject_id, g.item_ids)
    when 'tasks/act' then circle.shared_tasks(g.subject_id, g.item_ids)
    when 'tasks/counts' then circle.task_counts(g.subject_id)
    when 'sessions/full' then circle.shared_sessions(g.relationship_id)
    when 'principles/countersign' then circle.shared_principle(g.subject_id, (g.item_ids ->> 0)::uuid)
  end;
end $function$;

CREATE OR REPLACE FUNCTION circle.shared_goals(p_subject uuid, p_items jsonb)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'title', g.title, 'area', g.area, 'state', g.state, 'metric', g.metric,
      'unit', g.unit, 'baseline', g.baseline, 'target', g.target, 'due_on', g.due_on,
      'milestones', (select coalesce(jsonb_agg(jsonb_build_object('title', m.title, 'due_on', m.due_on, 'done_on', m.done_on)
          order by m.position, m.title), '[]')
        from public.goal_milestones m where m.goal_id = g.id and m.user_id = p_subject and m.deleted_at is null),
      'check_ins', (select coalesce(jsonb_agg(jsonb_build_object('day', c.day, 'value', c.value, 'progress', c.progress,
          'confidence', c.confidence) order by c.day, c.at), '[]')
        from public.goal_check_ins c where c.goal_id = g.id and c.user_id = p_subject and c.deleted_at is null and c.day > current_date - 400)
    ) order by g.due_on nulls last, g.title), '[]')
  from public.goals g
  where g.user_id = p_subject and g.deleted_at is null and g.state in ('active', 'paused', 'achieved')
    and (p_items is null or p_items ? g.id::text)
$function$;

CREATE OR REPLACE FUNCTION circle.shared_habits(p_subject uuid, p_items jsonb)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object('id', h.id, 'name', h.name, 'kind', h.kind, 'unit', h.unit, 'target', h.target,
      'target_kind', h.target_kind, 'times', h.times, 'per_days', h.per_days, 'started_on', h.started_on,
      'entries', (select coalesce(jsonb_agg(jsonb_build_object('day', e.day, 'value', e.value, 'amount', e.amount) order by e.day), '[]')
        from public.habit_entries e where e.habit_id = h.id and e.user_id = p_subject and e.deleted_at is null and e.day > current_date - 400),
      'pauses', (select coalesce(jsonb_agg(jsonb_build_object('from_day', p.from_day, 'until_day', p.until_day)), '[]')
        from public.habit_pauses p where p.user_id = p_subject and p.deleted_at is null and (p.habit_id is null or p.habit_id = h.id))
    ) order by h.position, h.name), '[]')
  from public.habits h
  where h.user_id = p_subject and h.deleted_at is null and h.archived_at is null
    and (p_items is null or p_items ? h.id::text)
$function$;

CREATE OR REPLACE FUNCTION circle.shared_principle(p_subject uuid, p_version uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET "TimeZone" TO 'UTC'
AS $function$
  select jsonb_build_object('version_id', v.id, 'title', v.title, 'body', v.body, 'major', v.major, 'minor', v.minor,
      'content_hash', v.content_hash, 'is_current', p.state = 'published' and p.current_major = v.major,
      'name', a.signed_name, 'account_name', a.account_name, 'decided_at', a.decided_at, 'received_at', a.received_at)
  from public.policy_versions v
  join public.organizations o on o.id = v.organization_id and o.kind = 'private' and o.created_by = p_subject
  join public.policies p on p.id = v.policy_id
  join public.policy_acknowledgements a on a.version_id = v.id and a.user_id = p_subject and a.state = 'acknowledged' and a.deleted_at is null
  where v.id = p_version and v.deleted_at is null and v.major is not null
$function$;

CREATE OR REPLACE FUNCTION circle.shared_sessions(p_relationship uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET "TimeZone" TO 'UTC'
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'at', s.at, 'state', s.state, 'minutes', s.minutes, 'note', s.note,
      'reason', s.reason, 'next_steps', s.next_steps, 'is_mine', s.author_id = s.helper_id) order by s.at desc), '[]')
  from public.circle_sessions s
  where s.relationship_id = p_relationship and s.deleted_at is null and s.at > now() - interval '400 days'
$function$;

CREATE OR REPLACE FUNCTION circle.shared_tasks(p_subject uuid, p_items jsonb)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object('id', a.id, 'title', a.title, 'status', a.status, 'priority', a.priority, 'due_at', a.due_at)
      order by a.due_at nulls last, a.id), '[]')
  from public.action_items a join public.organizations o on o.id = a.organization_id and o.kind = 'private' and o.created_by = p_subject
  where a.deleted_at is null and (p_items is null or p_items ? a.id::text)
$function$;

CREATE OR REPLACE FUNCTION circle.sweep_sessions(p_now timestamp with time zone DEFAULT now(), p_limit integer DEFAULT 500)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  s record;
  pair public.circle_relationships;
  t record;
  day date;
  told integer := 0;
  ends timestamptz;
begin
  for s in
    select d.session from (
      select distinct on (c.relationship_id) c as session, c.at
      from public.circle_sessions c join public.circle_relationships r on r.id = c.relationship_id and r.state = 'active' and r.deleted_at is null
      where c.state = 'planned' and c.deleted_at is null and c.at > p_now and c.at <= p_now + interval '1 hour'
        and c.created_at < c.at - interval '1 hour'
        and not exists (select from inbox.sweep_mark x where x.key = circle.session_soon_key(c) || ' ' || c.subject_id::text)
      order by c.relationship_id, c.at, c.id) d
    order by d.at, (d.session).id limit p_limit
  loop
    ends := coalesce(ends, inbox.sweep_deadline());
    -- Whoever is left out now comes in the next round: what is told of does not come again.
    exit when told > 0 and clock_timestamp() > ends;
    -- The others of the two that begin in that hour are told of with it.
    perform inbox.note_swept(circle.session_soon_key(c), c.subject_id) from public.circle_sessions c
      where c.relationship_id = (s.session).relationship_id and c.at > p_now and c.at <= p_now + interval '1 hour'
        and c.state = 'planned' and c.deleted_at is null and c.created_at < c.at - interval '1 hour';
    perform circle.notify_session_parties(s.session, 'circle.session_soon', circle.session_soon_key(s.session), null, p_now);
    told := told + 1;
  end loop;
  ends := null;
  for s in select * from inbox.due_reminders('talk', p_now, p_limit) loop
    ends := coalesce(ends, inbox.sweep_deadline());
    exit when s.turn > 1 and clock_timestamp() > ends;
    day := inbox.strike('talk', s.subject_id, s.user_id, p_now);
    continue when day is null;
    select * into t from circle.due_talk(s.subject_id, s.user_id, day, (inbox.settings(s.user_id)).zone, p_now);
    continue when t.key is null;
    select * into pair from public.circle_relationships c where c.id = s.subject_id;
    if s.user_id = pair.subject_id or t.by_own then
      perform inbox.notify(s.user_id, 'circle.session_due', t.key, '/support-circle/' || pair.id::text,
        jsonb_build_object('by', case when s.user_id = pair.subject_id then pair.helper_name else pair.subject_name end), pair.id);
    else perform circle.notify_grantee(pair, 'circle.session_due', t.key, pair.id, null, p_now); end if;
    told := told + 1;
  end loop;
  return told;
end $function$;

CREATE OR REPLACE FUNCTION circle.task_counts(p_subject uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object('open', count(*) filter (where a.closed_at is null),
    'late', count(*) filter (where a.closed_at is null and a.due_at < now()),
    'done_30', count(*) filter (where a.closed_at > now() - interval '30 days'))
  from public.action_items a join public.organizations o on o.id = a.organization_id and o.kind = 'private' and o.created_by = p_subject
  where a.deleted_at is null
$function$;

CREATE OR REPLACE FUNCTION circle.wellness_weeks(p_subject uuid)
 RETURNS TABLE(week date, n bigint, mood numeric, energy numeric, stress numeric)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  this_week constant date := date_trunc('week', (now() at time zone 'UTC') - interval '12 hours')::date;
begin
  insert into sync.wellness_week (user_id, week, n, mood, energy, stress)
    select p_subject, date_trunc('week', c.day)::date, case when count(*) >= 5 then count(*) end,
      round(avg(c.mood), 1), round(avg(c.energy), 1), round(avg(c.stress), 1)
    from public.wellness_check_ins c
    where c.user_id = p_subject and c.deleted_at is null and c.skipped is null and c.mood is not null
      and c.day >= this_week - 56 and c.day < this_week
    group by 2 having count(*) >= 2 order by 2
    on conflict do nothing;
  return query select w.week, w.n, w.mood, w.energy, w.stress from sync.wellness_week w
    where w.user_id = p_subject and w.week >= this_week - 56 and w.week < this_week and not w.is_gone
      and exists (select from public.wellness_check_ins c where c.user_id = p_subject and c.deleted_at is null and c.skipped is null
        and c.mood is not null and c.day >= w.week and c.day < w.week + 7)
    order by w.week;
end $function$;
