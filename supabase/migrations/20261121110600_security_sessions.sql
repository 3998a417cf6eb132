-- The devices somebody is signed in on. Read from the auth service's own table, so that it is the same list wherever the
-- service runs; a session that is taken out there is signed out at its next call.

create function my_sessions()
returns table (
  id           uuid,
  created_at   timestamptz,
  -- The last time this device asked for a new token, or signed in.
  seen_at      timestamptz,
  -- What the device called itself; an app reads system and browser from it.
  user_agent   text,
  ip_address   text,
  -- aal1, or aal2 after a second factor.
  level        text,
  is_current   boolean
)
language sql stable security definer set search_path = '' as $$
  select s.id, s.created_at,
         greatest(s.created_at, s.refreshed_at at time zone 'utc'),
         s.user_agent, host(s.ip), coalesce(s.aal::text, 'aal1'),
         s.id = nullif((select auth.jwt()) ->> 'session_id', '')::uuid
  from auth.sessions s
  where s.user_id = (select auth.uid()) and (s.not_after is null or s.not_after > now())
  order by 7 desc nulls last, 3 desc
$$;
comment on function my_sessions() is 'Sessions of whoever asks, the asking one first';

create function end_my_session(p_id uuid)
returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  delete from auth.sessions s where s.id = p_id and s.user_id = (select auth.uid());
  return found;
end $$;
comment on function end_my_session(uuid) is
  'Signs one of the asker''s own devices out; false when there is no such session, whoever else may have it';

revoke execute on function my_sessions(), end_my_session(uuid) from public, anon, authenticated;
grant execute on function my_sessions(), end_my_session(uuid) to authenticated;
