-- The rule of a form says who gets what an answer asks for (docs/decisions/0761-who-gets-it.md). The device that finishes finds the
-- person among the rows it has; where it found nobody, or somebody who has left meanwhile, the server looks again when the work arrives.

-- Whom a rule means, of those who may work on action items at the place: the nearest, then who has the least to do.
-- packages/core/src/field-ops/find-assignee.ts says the same.
create function sync.rule_assignee(p_rule text, p_organization uuid, p_site uuid, p_conductor uuid) returns uuid
  language sql stable security definer set search_path = '' as $$
  select m.user_id from public.organization_members m
  where m.organization_id = p_organization and m.user_id in (select inbox.people_with('action.work', p_organization, p_site))
    and case when p_rule like 'person:%' then m.user_id::text = substr(p_rule, 8)
      when p_rule like 'role:%' then m.role = substr(p_rule, 6)
      when p_rule = 'conductors_manager' then m.user_id is distinct from p_conductor
        and m.user_id in (select inbox.people_with('action.manage', p_organization, p_site))
      else false end
  order by
    case when p_rule = 'conductors_manager' then
        case when exists (select from public.team_members t join public.team_members o on o.team_id = t.team_id and o.user_id = p_conductor and o.deleted_at is null
            where t.organization_id = p_organization and t.user_id = m.user_id and t.deleted_at is null) then 0
          when exists (select from public.site_members s join public.site_members o on o.site_id = s.site_id and o.user_id = p_conductor and o.deleted_at is null
            where s.organization_id = p_organization and s.user_id = m.user_id and s.deleted_at is null) then 1
          else 2 end
      else case when exists (select from public.site_members s where s.site_id = p_site and s.user_id = m.user_id and s.deleted_at is null) then 0 else 2 end
        + (m.user_id is not distinct from p_conductor)::integer end,
    (select count(*) from public.action_items a
      where a.organization_id = p_organization and a.assignee_id = m.user_id and a.deleted_at is null and not inbox.action_ended(a.status)),
    m.user_id
  limit 1
$$;

-- source_fields: {title, description, priority, media_ids, due_at, assignee: the rule's words, assignee_id: whom the device found}.
-- Whom a person gave it to, or that they took it from whom the rule named, stays as it is.
create function sync.assign_by_rule() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  rule constant text := new.source_fields ->> 'assignee';
  is_new constant boolean := tg_op = 'INSERT' or (old.source_fields ->> 'assignee') is null;
begin
  if rule is null or not is_new or auth.uid() is null or not sync.is_device_edit() or sync.is_outsider(new.organization_id)
    or new.source_type is distinct from 'inspection' or new.status not in ('open', 'assigned') then
    return new;
  end if;
  if new.assignee_id is null and (new.source_fields ->> 'assignee_id') is not null
    or new.assignee_id is not null and (tg_op = 'UPDATE' or sync.is_member(new.organization_id, new.assignee_id)) then
    return new;
  end if;
  new.assignee_id := sync.rule_assignee(rule, new.organization_id, new.site_id, new.created_by);
  new.status := case when new.assignee_id is null then 'open' else 'assigned' end;
  return new;
end $$;
-- After guard_source, which says where it stands, and before guard_named.
create trigger d_assign before insert or update of source_fields on action_items for each row execute function sync.assign_by_rule();

revoke execute on function sync.rule_assignee(text, uuid, uuid, uuid), sync.assign_by_rule() from public;
