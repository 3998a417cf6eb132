-- The sync engine: after a restored backup.

set local check_function_bodies = off;   -- what they call may be made later

-- A step of the restore, after the data is back and before anybody is let in. Answers how many scopes were raised.
create function sync.raise_epochs() returns bigint
  language plpgsql volatile security definer set search_path = '' as $$
declare
  raised bigint;
begin
  insert into sync.restored (at) values (clock_timestamp());
  delete from sync.replayed;
  update sync.scope set epoch = gen_random_uuid();
  get diagnostics raised = row_count;
  -- What was under way when the backup was made has ended.
  delete from sync.touched; delete from sync.transaction_write; delete from sync.pending;
  return raised;
end $$;

-- Which of these mutations the ledger does not have.
-- What lies in a review queue has arrived: a device that handed work over asks for it as for what it pushed. A restored server that has neither
-- gets it once more.
create function sync_missing(p_mids uuid[]) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
begin
  if auth.uid() is null then raise exception 'sync_missing needs a signed-in person' using errcode = '42501', detail = 'CN039'; end if;
  if cardinality(p_mids) > 5000 then raise exception 'sync_missing takes at most 5000 mutations' using errcode = '22023', detail = 'CN040'; end if;
  return (select coalesce(jsonb_agg(m.mid), '[]') from unnest(p_mids) as m (mid)
    where not exists (select from sync.mutation k where k.user_id = auth.uid() and k.mid = m.mid)
      and not exists (select from sync.orphaned_edit u where u.user_id = auth.uid() and u.mid = m.mid));
end $$;

create function sync.version_of(p_table text, p_id uuid) returns bigint
  language plpgsql stable security definer set search_path = '' as $$
declare
  answer bigint;
begin
  if not exists (select from sync.tables t where t.name = p_table) then return 0; end if;
  execute format('select x.version from public.%I x where x.id = $1', p_table) into answer using p_id;
  return coalesce(answer, 0);
end $$;

-- For a day after a restore. An acknowledged edit that goes again was judged on the version before the one it made, one that
-- changed nothing on the version it found: it waits until those that made all versions up to there have come. So the lost
-- versions are made again one by one, and each edit meets what it met. An edit the server never had waits for the version it
-- was made on, where that is later than any there is. Answers the mutation as it is to be applied: a delete that has seen
-- everything there is stands, though the versions are counted anew.
-- What came back of a row is looked at only where the row is in sight.
create function sync.in_order(m jsonb, p_present bigint) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  based_on constant bigint := coalesce((m ->> 'bv')::bigint, 0);
  is_again constant boolean := m ? 'av';
  judged_on constant bigint := case when not is_again then based_on when m ? 'unchanged' then (m ->> 'av')::bigint else (m ->> 'av')::bigint - 1 end;
  reached bigint;
  r sync.replayed;
begin
  select * into r from sync.replayed where tbl = m ->> 't' and row_id = (m ->> 'id')::uuid and p_present > 0;
  reached := p_present - case when is_again then coalesce(r.others, 0) else 0 end;
  if judged_on > reached and (judged_on - coalesce(r.base, reached) > 10000 or exists (
      select from generate_series(coalesce(r.base, reached) + 1, judged_on) k where k <> all (coalesce(r.seen, '{}')))) then
    raise exception 'behind' using errcode = 'P0001', detail = 'CN032';
  end if;
  if m ->> 'op' = 'delete' and based_on <> p_present and (is_again or based_on > p_present)
    and p_present = coalesce(r.base + r.steps, p_present) then
    return m || jsonb_build_object('bv', p_present);
  end if;
  return m;
end $$;

-- The first edit of a row since the restore, whoever sends it, keeps where the row stood.
create function sync.record_replayed(m jsonb, p_before bigint) returns void
  language sql volatile security definer set search_path = '' as $$
  insert into sync.replayed as r (tbl, row_id, base, steps, others, seen)
    select m ->> 't', (m ->> 'id')::uuid, p_before, case when m ? 'av' then made else 0 end, case when m ? 'av' then 0 else made end,
      case when m ? 'av' and not m ? 'unchanged' then array[(m ->> 'av')::bigint] else '{}' end
    from (select sync.version_of(m ->> 't', (m ->> 'id')::uuid) - p_before as made) x
    on conflict (tbl, row_id) do update set steps = r.steps + excluded.steps, others = r.others + excluded.others,
      seen = case when excluded.seen <@ r.seen then r.seen else r.seen || excluded.seen end
$$;

create function sync.is_restored() returns boolean
  language sql stable security definer set search_path = ''
  return exists (select from sync.restored r where r.at > now() - interval '1 day');

-- A cursor that is none is read as one from another epoch: its scope starts anew. It must never fail a pull, or the device
-- that holds it could not get past it.
create function sync.sanitize_cursors(p_cursors jsonb) returns jsonb
  language sql immutable parallel safe set search_path = '' as $$
  select coalesce(jsonb_object_agg(key, case when jsonb_typeof(value) = 'array'
      and coalesce(value ->> 3 ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$', false) then value else '[]' end), '{}')
  from jsonb_each(p_cursors)
$$;

-- Says of an answer that the row stayed as it was.
create function sync.unchanged_result(p_before jsonb, p_after jsonb) returns jsonb
  language sql immutable parallel safe set search_path = ''
  return case when p_before -> 'version' = p_after -> 'version' then '{"unchanged": true}' else '{}' end::jsonb;

-- What had changed nothing on a version that has been made again changes nothing now, whatever came after it.
create function sync.replayed_results(m jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  present jsonb;
begin
  if not m ? 'unchanged' or not m ? 'av' or m ->> 'op' = 'delete' then return null; end if;
  present := sync.see_row(m ->> 't', (m ->> 'id')::uuid);
  if present is null then return null; end if;
  if m ->> 'op' = 'resolve' then perform sync.resolve_conflict(m ->> 'conflict', m ->> 't', (m ->> 'id')::uuid); end if;
  return jsonb_build_object('mid', m -> 'mid', 'st', 'merged', 'v', present -> 'version', 'row', sync.told_row(present), 'unchanged', true);
end $$;

-- Who may call what.
revoke execute on function sync.raise_epochs(), sync.version_of(text, uuid), sync.in_order(jsonb, bigint), sync.record_replayed(jsonb, bigint),
  sync.is_restored(), sync.sanitize_cursors(jsonb), sync.unchanged_result(jsonb, jsonb), sync.replayed_results(jsonb) from public;
revoke execute on function sync_missing(uuid[]) from public, anon;
grant execute on function sync.version_of(text, uuid), sync.in_order(jsonb, bigint), sync.record_replayed(jsonb, bigint), sync.is_restored(),
  sync.sanitize_cursors(jsonb), sync.unchanged_result(jsonb, jsonb), sync.replayed_results(jsonb) to authenticated;
