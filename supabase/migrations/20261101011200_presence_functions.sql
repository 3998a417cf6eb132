-- What others see of a person: functions.

set local check_function_bodies = off;   -- what they call may be made later

-- The hour in which a device of theirs last asked for a token, which each does once an hour while it is used. Null after a sign-out.
create function presence.seen_at(p_person uuid) returns timestamptz
  language sql stable security definer set search_path = '' as $$
  select date_trunc('hour', max(greatest(s.created_at, s.refreshed_at at time zone 'utc')))
  from auth.sessions s where s.user_id = p_person
$$;

create function person_profile(p_person uuid) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  me constant uuid := auth.uid();
  is_colleague boolean;
  is_circle boolean;
  visibility text;
  shows_activity boolean;
  is_shared boolean;
begin
  if me is null then raise exception 'sign in first' using errcode = '42501', detail = 'CN077'; end if;
  perform identity.require_full_session();
  is_colleague := exists (
    select from public.organization_members m join public.organizations o on o.id = m.organization_id
    where m.user_id = me and m.deleted_at is null and o.kind = 'company' and o.deleted_at is null
      and access.is_member(o.id, me) and access.is_member(o.id, p_person));
  is_circle := exists (
    select from public.circle_relationships c
    where c.state <> 'ended' and c.deleted_at is null and (c.subject_id, c.helper_id) in ((me, p_person), (p_person, me)));
  -- Somebody unknown and somebody who does not exist are answered alike.
  if p_person is distinct from me and not is_colleague and not is_circle then return null; end if;
  select u.profile_visibility, u.show_activity_status into visibility, shows_activity
    from public.user_preferences u where u.user_id = p_person and u.deleted_at is null;
  is_shared := p_person = me or case coalesce(visibility, 'public')
    when 'public' then true when 'members' then is_colleague else is_circle end;
  return (select jsonb_build_object('id', p_person, 'name', p.display_name, 'is_shared', is_shared,
      'job_title', case when is_shared then f.job_title end,
      'bio', case when is_shared then f.bio end,
      'seen_at', case when coalesce(shows_activity, true) and (p_person = me or is_colleague)
        then presence.seen_at(p_person) end)
    from public.people p left join public.profiles f on f.id = p.id and f.deleted_at is null
    where p.id = p_person and p.deleted_at is null);
end $$;
comment on function person_profile(uuid) is
  'What the asker may see of a person: name, and by that person''s settings job title, bio and the hour they were last here; null for whoever is no colleague and not of the circle';

-- Who may call what.
revoke execute on function presence.seen_at(uuid) from public;
revoke execute on function person_profile(uuid) from public, anon;
