-- Sessions have a bound, 50 of a relationship in a day, and relationships take turns: many planned for one hour kept everybody's reminders back.
-- Whoever has several ahead at once hears of the next one.

create index circle_sessions_made on public.circle_sessions (relationship_id, created_at);

create function sync.bound_circle_sessions() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  -- Of others nothing is told: the policy refuses them.
  if auth.uid() in (new.subject_id, new.helper_id) and (select count(*) from (
      select from public.circle_sessions c where c.relationship_id = new.relationship_id and c.created_at > now() - interval '1 day' limit 50) x) >= 50 then
    raise exception 'at most 50 sessions a day' using errcode = '23514', hint = 'many';
  end if;
  return new;
end $$;
create trigger c_bound before insert on public.circle_sessions for each row execute function sync.bound_circle_sessions();

-- As before, of one side on one of their days.
drop function sync.due_talks(timestamptz);
create function sync.due_talk(p_relationship uuid, p_user uuid, p_day date, p_zone text, p_now timestamptz) returns table (by_own boolean, key text)
  language sql stable security definer set search_path = '' as $$
  select not seen.sees_all, 'circle.session_due/' || r.id::text || '/' || (l.last_day + r.cadence_days)::text
  from public.circle_relationships r
  cross join lateral (select p_user = r.subject_id or sync.session_grant(r.id, p_now) is not null as sees_all) seen
  cross join lateral (select max(c.at at time zone p_zone)::date as last_day from public.circle_sessions c
    where c.relationship_id = r.id and c.state = 'held' and c.deleted_at is null and c.at <= p_now
      and (seen.sees_all or c.author_id = r.helper_id)) l
  where r.id = p_relationship and p_user in (r.subject_id, r.helper_id) and r.cadence_days is not null and r.state = 'active' and r.deleted_at is null
    and exists (select from public.circle_visibility v where v.role = r.role and v.scope = 'sessions')
    and p_day >= greatest(l.last_day + r.cadence_days - 2, l.last_day + 1)
    and not exists (select from public.circle_sessions c where c.relationship_id = r.id and c.state = 'planned' and c.deleted_at is null
      and c.at > p_now and (seen.sees_all or c.author_id = r.helper_id))
$$;

create or replace function sync.sweep_sessions(p_now timestamptz default now(), p_limit integer default 500) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  s record;
  pair public.circle_relationships;
  t record;
  day date;
  told integer := 0;
  ends timestamptz;
begin
  for s in
    select d.session, d.keys from (
      select distinct on (c.relationship_id) c as session, c.at, array_agg(k.key) over (partition by c.relationship_id) as keys
      from public.circle_sessions c join public.circle_relationships r on r.id = c.relationship_id and r.state = 'active' and r.deleted_at is null
      cross join lateral (select 'circle.session_soon/' || c.id::text || '/' || floor(extract(epoch from c.at))::text as key) k
      where c.state = 'planned' and c.deleted_at is null and c.at > p_now and c.at <= p_now + interval '1 hour'
        and c.created_at < c.at - interval '1 hour'
        and not exists (select from inbox.swept x where x.key = k.key || ' ' || c.subject_id::text)
      order by c.relationship_id, c.at, c.id) d
    order by d.at, (d.session).id limit p_limit
  loop
    ends := coalesce(ends, inbox.sweep_ends());
    -- Whoever is left out now comes in the next round: what is told of does not come again.
    exit when told > 0 and clock_timestamp() > ends;
    perform inbox.note_swept(k, (s.session).subject_id) from unnest(s.keys) k;
    perform sync.tell_of_session(s.session, 'circle.session_soon',
      'circle.session_soon/' || (s.session).id::text || '/' || floor(extract(epoch from (s.session).at))::text, null, p_now);
    told := told + 1;
  end loop;
  ends := null;
  for s in select * from inbox.due_reminders('talk', p_now, p_limit) loop
    ends := coalesce(ends, inbox.sweep_ends());
    exit when s.turn > 1 and clock_timestamp() > ends;
    day := inbox.strike('talk', s.subject_id, s.user_id, p_now);
    continue when day is null;
    select * into t from sync.due_talk(s.subject_id, s.user_id, day, (inbox.settings(s.user_id)).zone, p_now);
    continue when t.key is null;
    select * into pair from public.circle_relationships c where c.id = s.subject_id;
    if s.user_id = pair.subject_id or t.by_own then
      perform inbox.notify(s.user_id, 'circle.session_due', t.key, '/support-circle/' || pair.id::text,
        jsonb_build_object('by', case when s.user_id = pair.subject_id then pair.helper_name else pair.subject_name end), pair.id);
    else perform sync.tell_granted(pair, 'circle.session_due', t.key, pair.id, null, p_now); end if;
    told := told + 1;
  end loop;
  return told;
end $$;

revoke execute on function sync.bound_circle_sessions(), sync.due_talk(uuid, uuid, date, text, timestamptz) from public;
