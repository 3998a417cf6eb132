-- Calendar feeds: functions.

set local check_function_bodies = off;   -- what they call may be made later

create function my_calendar_feeds() returns jsonb
  language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'kind', f.kind, 'renewed_at', f.renewed_at, 'read_at', f.read_at) order by f.kind), '[]')
  from calendar.feed f where f.user_id = auth.uid()
$$;

-- Makes the caller's feed of that kind, or gives it a new token: the one before opens nothing from then on. Answers the token, this once.
create function make_calendar_feed(p_kind text, p_zone text) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  token constant text := identity.new_token();
  made uuid;
begin
  if auth.uid() is null then raise exception 'sign in first' using errcode = '42501', detail = 'CN077'; end if;
  perform identity.require_full_session();
  if coalesce(p_kind, '') not in ('tasks', 'day') or not exists (select from pg_catalog.pg_timezone_names z where z.name = p_zone) then
    raise exception 'a feed has a kind and a zone' using errcode = '22023', detail = 'CN229';
  end if;
  insert into calendar.feed (user_id, kind, hash, zone) values (auth.uid(), p_kind, identity.token_hash(token), p_zone)
    on conflict (user_id, kind) do update set hash = excluded.hash, zone = excluded.zone, renewed_at = now(), read_at = null
    returning id into made;
  return jsonb_build_object('id', made, 'token', token);
end $$;

-- Whether there was one to revoke.
create function revoke_calendar_feed(p_id uuid) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
begin
  if auth.uid() is null then raise exception 'sign in first' using errcode = '42501', detail = 'CN077'; end if;
  -- That of somebody else and one that is gone are answered alike.
  delete from calendar.feed f where f.id = p_id and f.user_id = auth.uid();
  return found;
end $$;

-- What is due for a person, of what these scopes let them read: from 60 days back to 13 months on. `at` is the instant it is late.
create function calendar.entries(p_user uuid, p_kind text, p_scopes text[]) returns jsonb
  language sql stable security definer set search_path = '' as $$
  with span as (select now() - interval '60 days' as first, now() + interval '13 months 1 day' as last),
  due as (
    select 'task' as kind, t.id, t.title, t.due_day as day, t.due_time as time, t.due_at as at, t.estimate_minutes as minutes,
      t.status = 'done' as done, t.updated_at as changed, t.version, t.site_id
    from public.tasks t, span
    where (t.assignee_id = p_user or t.assignee_id is null and t.created_by = p_user)
      and t.deleted_at is null and t.scopes && p_scopes and t.status not in ('cancelled', 'not_applicable')
      and t.due_at between span.first and span.last
    union all
    select 'action', a.id, a.title, null, null, a.due_at, null, a.status in ('closed', 'risk_accepted'), a.updated_at, a.version, a.site_id
    from public.action_items a, span
    where p_kind = 'day' and a.assignee_id = p_user and a.deleted_at is null and a.scopes && p_scopes
      and a.status not in ('duplicate', 'not_valid') and a.due_at between span.first and span.last
    union all
    select 'inspection', i.id, i.title, null, null, i.due_at, null, i.status not in ('scheduled', 'in_progress', 'has_issues'),
      i.updated_at, i.version, i.site_id
    from public.inspections i, span
    where p_kind = 'day' and (i.assigned_to = p_user or i.conducted_by = p_user or i.assigned_team in (
        select m.team_id from public.team_members m where m.user_id = p_user and m.deleted_at is null))
      and i.deleted_at is null and i.missed_at is null and i.scopes && p_scopes and i.due_at between span.first and span.last
  ),
  -- More than calendars take; what is near counts most.
  nearest as (select * from due order by abs(extract(epoch from at - now())), id limit 3000)
  -- A title is cut: what others write into it must not make the whole too large to be answered.
  select coalesce(jsonb_agg(jsonb_build_object('kind', n.kind, 'id', n.id, 'title', left(n.title, 300), 'day', n.day, 'time', n.time, 'at', n.at,
      'minutes', n.minutes, 'done', n.done, 'changed', n.changed, 'version', n.version, 'site', left(s.name, 100)) order by n.at, n.id), '[]')
  from nearest n left join public.sites s on s.id = n.site_id
$$;

-- For the server alone, whom a calendar asked: what the feed of that token holds now, with the rights its owner has now. `tag`: a
-- hash of all that the calendar's text depends on. In the language of inbox.language. The tag alone where that is asked for: whoever then
-- waits for their turn to make the text has not taken in thousands of entries.
create function calendar_feed(p_token text, p_known text[] default '{}', p_tag_only boolean default false) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  claims constant text := current_setting('request.jwt.claims', true);
  caller constant text := current_setting('request.jwt.claim.sub', true);
  f calendar.feed;
  rights text[];
  feed jsonb;
  tag text;
begin
  -- Whose account is locked is answered as if there were no such feed.
  select x.* into f from calendar.feed x join auth.users u on u.id = x.user_id and coalesce(u.banned_until <= now(), true)
    where x.hash = identity.token_hash(left(p_token, 200));
  if f.id is null then return null; end if;
  -- In the owner's name: what they may read is asked where it is always asked.
  perform set_config('request.jwt.claims', ((coalesce(nullif(claims, ''), '{}')::jsonb - 'session_id')
    || jsonb_build_object('sub', f.user_id, 'aal', 'aal2'))::text, true);
  perform set_config('request.jwt.claim.sub', f.user_id::text, true);
  perform access.clear_cached_rights();
  rights := array(select public.my_scopes());
  perform set_config('request.jwt.claims', coalesce(claims, ''), true);
  perform set_config('request.jwt.claim.sub', coalesce(caller, ''), true);
  perform access.clear_cached_rights();
  update calendar.feed x set read_at = now() where x.id = f.id and (x.read_at is null or x.read_at < now() - interval '1 minute');
  feed := jsonb_build_object('kind', f.kind, 'zone', f.zone,
    'language', inbox.language(f.user_id), 'entries', calendar.entries(f.user_id, f.kind, rights));
  tag := md5(feed::text);
  return case when p_tag_only or tag = any (p_known) then '{}' else feed end || jsonb_build_object('tag', tag);
end $$;

-- Who may call what.
revoke execute on function my_calendar_feeds(), make_calendar_feed(text, text), revoke_calendar_feed(uuid) from public, anon;
revoke execute on function calendar.entries(uuid, text, text[]) from public;
revoke execute on function calendar_feed(text, text[], boolean) from public, anon, authenticated;
