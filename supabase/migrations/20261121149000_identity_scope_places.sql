-- How far a scope has come tells how busy its people are, in their private space too: it is answered for one's own scopes
-- only, and for any other like for one that never was.
create or replace function sync.place_of_scope(p_scope text) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select coalesce((select jsonb_build_array(c.epoch, c.version) from sync.scope c
      where c.id = p_scope and p_scope in (select public.my_scopes())),
    jsonb_build_array('00000000-0000-0000-0000-000000000000', 0))
$$;
