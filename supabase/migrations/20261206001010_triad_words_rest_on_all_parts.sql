-- An operator's own words rest on all they were shown of the person, whichever part they were shown it in: who helps as a mentor too writes
-- knowing both. What was granted without choosing single things was shown whole: it is not covered by some of them
-- (docs/decisions/0803-words-rest-on-every-part.md).

-- Whether a grant tells at least what another told. What was written in a session belongs to its one relationship: no other tells it.
create function sync.grant_tells(g public.consent_grants, p_scope text, p_level text, p_items jsonb) returns boolean
  language sql immutable set search_path = '' as $$
  select sync.grant_covers(g, p_scope, p_level, p_items)
    or g.scope = p_scope and p_scope <> 'sessions' and (g.item_ids is null or p_items <@ g.item_ids)
      and (g.level = p_level or p_level in ('full', 'act', 'titles') and g.level in ('full', 'act'))
$$;
revoke execute on function sync.grant_tells(public.consent_grants, text, text, jsonb) from public;

-- As before, of every part the operator has in the person's circle; `item_ids` is null where all of it was shown.
create or replace function sync.words_may_reach(b public.triad_briefs, p_relationship uuid) returns boolean
  language sql stable security definer set search_path = '' as $$
  select not exists (select from (
      select l.scope, l.level, l.item_ids from public.triad_brief_lines l where l.brief_id = b.id
      union all select o.scope, o.level, o.item_ids from public.circle_relationships r cross join lateral sync.open_grants(r.id) o
        where r.subject_id = b.subject_id and r.helper_id = b.operator_id
      union all select g.scope, g.level, g.item_ids from public.grant_reads x join public.consent_grants g on g.id = x.grant_id
        where x.subject_id = b.subject_id and x.helper_id = b.operator_id and x.received_at >= (b.week + 7)::timestamp at time zone 'UTC') seen
    where not exists (select from sync.open_grants(p_relationship) g where sync.grant_tells(g, seen.scope, seen.level, seen.item_ids)))
$$;
