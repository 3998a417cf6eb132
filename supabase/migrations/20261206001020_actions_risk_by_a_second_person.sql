-- Whoever has the work, had it or did it accepts no risk of it while somebody else can: an accepted risk ends the item and puts its asset into
-- service again, as verifying does (docs/decisions/0431, 0760).

-- As before; of an action item those are its authors who have it, had it or did it.
create or replace function sync.authors_of(p_table text, p_subject uuid) returns setof uuid
  language sql stable security definer set search_path = '' as $$
  select a.user_id from sync.policy_author a where p_table = 'policy_versions' and a.version_id = p_subject
  union all
  select e.actor_id from workflow.run x join workflow.event e on e.id = x.event_id
    where p_table = 'workflow_runs' and x.id = p_subject and e.actor_id is not null
  union all
  select p from public.action_items a cross join lateral unnest(array[a.assignee_id, a.done_by]) p
    where p_table = 'action_items' and a.id = p_subject and p is not null
  union all
  select h.person from sync.held h where p_table = 'action_items' and h.tbl = p_table and h.id = p_subject
$$;

create or replace function pg_temp.extend(p_function text, p_before text, p_added text) returns void language plpgsql as $$
declare
  was constant text := pg_get_functiondef(p_function::regprocedure);
begin
  if position(p_before in was) = 0 then raise exception '% has no %', p_function, p_before; end if;
  execute replace(was, p_before, p_added);
end $$;
-- Asked are those who may decide; where all who could are such, they are.
select pg_temp.extend('public.ask_to_accept_risk(uuid, date, text, uuid[])',
  $x$    asked := array(select h from sync.holders('action.accept_risk', a.organization_id) h where h <> auth.uid() order by h limit 20);$x$,
  $x$    asked := array(select h from sync.holders('action.accept_risk', a.organization_id) h
      where h <> auth.uid() and h not in (select sync.authors_of('action_items', a.id)) order by h limit 20);
    if asked = '{}' then
      asked := array(select h from sync.holders('action.accept_risk', a.organization_id) h where h <> auth.uid() order by h limit 20);
    end if;$x$);
