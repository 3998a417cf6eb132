-- An operator's own words in a brief can say anything the operator was shown, whichever line they stand beside: they go only to those
-- who are granted all of that, and else to the person alone (docs/decisions/0745-whose-words-these-are.md).

-- Whether a receiver is granted whatever the operator of a brief was shown: each of its lines, and what the operator is granted now.
create function sync.words_may_reach(b public.triad_briefs, p_relationship uuid) returns boolean
  language sql stable security definer set search_path = '' as $$
  select not exists (select from (
      select l.scope, l.level, l.item_ids from public.triad_brief_lines l where l.brief_id = b.id
      union all select o.scope, o.level, coalesce(o.item_ids, '[]') from sync.open_grants(b.relationship_id) o) seen
    where not exists (select from sync.open_grants(p_relationship) g where sync.grant_covers(g, seen.scope, seen.level, seen.item_ids)))
$$;

create or replace function pg_temp.extend(p_function text, p_before text, p_added text) returns void language plpgsql as $$
declare
  was constant text := pg_get_functiondef(p_function::regprocedure);
begin
  if position(p_before in was) = 0 then raise exception '% has no %', p_function, p_before; end if;
  execute replace(was, p_before, p_added);
end $$;
select pg_temp.extend('decide_brief(uuid, uuid[], jsonb)', $x$'figures', l.figures, 'wording', l.wording)$x$,
  $x$'figures', l.figures, 'wording', case when sync.words_may_reach(b, r.id) then l.wording end)$x$);
-- What was withdrawn takes the words with it that were written with its knowledge, on whichever line.
select pg_temp.extend('sync.withdraw_lines(uuid, uuid)', $x$  update public.triad_briefs b set state = 'withdrawn'$x$,
  $x$  update public.triad_brief_lines l set wording = null from public.triad_briefs b
    where b.id = l.brief_id and b.relationship_id = p_relationship and b.state in ('review', 'approval') and l.wording is not null;
  update public.triad_briefs b set state = 'withdrawn'$x$);
revoke execute on function sync.words_may_reach(public.triad_briefs, uuid) from public;
