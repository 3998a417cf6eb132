-- Who begins to be away while something waits for them: their deputy is told then, and who is back and still asked is told again.
-- By the clock, each of them once a request, stage and person asked.
create function inbox.sweep_approvals(p_limit integer default 200) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  w record;
  done integer := 0;
begin
  for w in
    select r.id, r.organization_id, r.path, r.title, r.requested_by, t.told, k.key
    from public.approval_requests r
    cross join lateral sync.people_of_stage(r) asked
    cross join lateral (
      select d.to_id as told from public.approval_delegations d
        where d.organization_id = r.organization_id and d.from_id = asked and sync.stands_in(r.organization_id, asked, d.to_id) = d.id
      union select asked where not exists (select from public.approval_delegations d
        where d.organization_id = r.organization_id and d.from_id = asked and sync.stands_in(r.organization_id, asked, d.to_id) is not null)) t
    cross join lateral (select 'approval/' || r.id::text || '/' || r.stage::text || '/' || asked::text as key) k
    where r.state = 'pending' and r.deleted_at is null and sync.is_member(r.organization_id, t.told)
      and (asked is distinct from r.requested_by or t.told is distinct from asked)
      and not exists (select from public.approval_decisions d where d.request_id = r.id and d.stage = r.stage and d.approver_id = asked and d.deleted_at is null)
      and not exists (select from public.notifications n where n.user_id = t.told and n.key = k.key)
    limit p_limit
  loop
    perform inbox.notify(w.told, 'approval.requested', w.key, w.path, jsonb_build_object('title', w.title, 'by', inbox.name_of(w.requested_by)),
      w.id, w.organization_id);
    done := done + 1;
  end loop;
  return done;
end $$;
revoke execute on function inbox.sweep_approvals(integer) from public;

do $$
begin
  if exists (select from pg_extension where extname = 'pg_cron') then
    execute $cron$ select cron.schedule('cairn-approvals', '* * * * *', 'select inbox.sweep_approvals()') $cron$;
  end if;
end $$;
