-- Four calls told a little more than they may: that a derived id stands for something, that a rule of others exists, who of other sites has
-- said something of a policy, and words that rest on what was withdrawn before they were written.

create or replace function pg_temp.extend(p_function text, p_before text, p_added text) returns void language plpgsql as $$
declare
  was constant text := pg_get_functiondef(p_function::regprocedure);
begin
  if position(p_before in was) = 0 then raise exception '% has no %', p_function, p_before; end if;
  execute replace(was, p_before, p_added);
end $$;

-- No device derives the id of a task that one makes for somebody: one that follows from a record of others is refused whether it stands for
-- anything or not (docs/decisions/0731).
select pg_temp.extend('act_for(uuid, text, uuid, text)', $x$      insert into public.action_items$x$,
  $x$      if sync.is_derived(p_item) then raise exception 'not allowed' using errcode = '42501'; end if;
      insert into public.action_items$x$);

-- A rule of others and one that never was are answered alike.
select pg_temp.extend('read_workflow_runs(uuid, timestamptz, integer)', $x$  if not found then return '[]'; end if;
  perform workflow.need_manager(r.organization_id);$x$,
  $x$  if not found or auth.uid() is null or not sync.may('workflow.manage', r.organization_id) then return '[]'; end if;$x$);

-- Whoever is limited to sites hears of the people there, as in the report; of everybody else a word is taken once all the same.
create function kiosk.is_of_ones_sites(p_organization uuid, p_user uuid) returns boolean
  language sql stable security definer set search_path = '' as $$
  select not exists (select from sync.my_memberships() m where m.organization_id = p_organization and m.site_limited)
    or exists (select from public.site_members s
      where s.organization_id = p_organization and s.user_id = p_user and s.deleted_at is null and s.site_id in (select public.my_sites()))
$$;
revoke execute on function kiosk.is_of_ones_sites(uuid, uuid) from public;
select pg_temp.extend('kiosk_standing(uuid)', $x$and a.state in ('acknowledged', 'exempt', 'declined') and a.deleted_at is null)$x$,
  $x$and a.state in ('acknowledged', 'exempt', 'declined') and a.deleted_at is null
        and kiosk.is_of_ones_sites(p.organization_id, a.user_id))$x$);

-- As before; also what the operator looked at since the week was over and was withdrawn since. The log of reads has it.
create or replace function sync.words_may_reach(b public.triad_briefs, p_relationship uuid) returns boolean
  language sql stable security definer set search_path = '' as $$
  select not exists (select from (
      select l.scope, l.level, l.item_ids from public.triad_brief_lines l where l.brief_id = b.id
      union all select o.scope, o.level, coalesce(o.item_ids, '[]') from sync.open_grants(b.relationship_id) o
      union all select g.scope, g.level, coalesce(g.item_ids, '[]') from public.grant_reads x join public.consent_grants g on g.id = x.grant_id
        where x.relationship_id = b.relationship_id and x.received_at >= (b.week + 7)::timestamp at time zone 'UTC') seen
    where not exists (select from sync.open_grants(p_relationship) g where sync.grant_covers(g, seen.scope, seen.level, seen.item_ids)))
$$;
