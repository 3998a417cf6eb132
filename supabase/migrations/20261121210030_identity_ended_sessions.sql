-- A session that is ended elsewhere is noticed at once: its device is nudged, pulls, is told that the session is gone, and
-- signs out. The nudge goes to all devices of the person, as a change of theirs would; it says nothing of sessions.

create function sync.tell_ended_sessions() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  told text[];
begin
  select array_agg(distinct sync.user_scope(o.user_id)) into told from ended o;
  if told is null then return null; end if;
  perform sync.nudge(told, array(
    select coalesce(s.version, 0) from unnest(told) with ordinality as t (scope, n) left join sync.scope s on s.id = t.scope order by t.n));
  return null;
end $$;
revoke execute on function sync.tell_ended_sessions() from public;
do $$
begin
  create trigger cairn_tell_ended after delete on auth.sessions referencing old table as ended
    for each statement execute function sync.tell_ended_sessions();
exception when insufficient_privilege or feature_not_supported then
  -- Where the table is not ours to watch, the device finds out when it asks the server next.
  raise notice 'ended sessions are not told at once';
end $$;
