-- The level of a session is what the database says now, not what its token said when it was made: a factor that is taken out, the
-- lost phone, takes the level of every session it raised with it (docs/decisions/0480).
create or replace function sync.need_whole_session() returns void
  language plpgsql stable security definer set search_path = '' as $$
declare
  session constant uuid := nullif(auth.jwt() ->> 'session_id', '')::uuid;
begin
  if exists (select from auth.mfa_factors f where f.user_id = auth.uid() and f.status = 'verified')
    and (coalesce(auth.jwt() ->> 'aal', 'aal1') <> 'aal2'
      or session is not null and not exists (select from auth.sessions s where s.id = session and s.aal = 'aal2')) then
    -- PostgREST answers 401, upon which a device renews its token or asks for a sign-in. An empty answer would make it
    -- let go of what it holds.
    raise exception 'the second step of this sign-in is missing' using errcode = 'PT401';
  end if;
end $$;
