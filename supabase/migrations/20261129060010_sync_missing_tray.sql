-- What lies in a tray has arrived: a device that handed work over asks for it as for what it pushed. A restored server that has neither
-- gets it once more.
create or replace function sync_missing(p_mids uuid[]) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
begin
  if auth.uid() is null then raise exception 'sync_missing needs a signed-in person' using errcode = '42501'; end if;
  if cardinality(p_mids) > 5000 then raise exception 'sync_missing takes at most 5000 mutations' using errcode = '22023'; end if;
  return (select coalesce(jsonb_agg(m.mid), '[]') from unnest(p_mids) as m (mid)
    where not exists (select from sync.mutation k where k.user_id = auth.uid() and k.mid = m.mid)
      and not exists (select from sync.unsent u where u.user_id = auth.uid() and u.mid = m.mid));
end $$;
