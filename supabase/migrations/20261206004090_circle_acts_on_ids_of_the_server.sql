-- A task a helper adds has its id from the server, whatever was sent: a refusal told that a record of that id exists somewhere.
create or replace function public.act_for(p_relationship uuid, p_act text, p_item uuid, p_title text default null) returns uuid
  language plpgsql volatile security definer set search_path = '' as $$
declare
  claims constant text := current_setting('request.jwt.claims', true);
  caller constant text := current_setting('request.jwt.claim.sub', true);
  r public.circle_relationships;
  home uuid;
  name text := nullif(btrim(p_title), '');
  item constant uuid := case when p_act = 'task_added' then gen_random_uuid() else p_item end;
begin
  select c.* into r from public.circle_relationships c
    join public.consent_grants g on g.relationship_id = c.id and g.scope = 'tasks' and g.level = 'act' and g.deleted_at is null
      and g.revoked_at is null and g.valid_from <= now() and g.valid_until > now()
    join public.circle_visibility v on v.role = c.role and v.scope = g.scope and v.level = g.level
    where c.id = p_relationship and c.helper_id = auth.uid() and c.state = 'active' and c.deleted_at is null limit 1 for share of c, g;
  if r.id is null then raise exception 'nothing is granted to act on' using errcode = '42501'; end if;
  select o.id into home from public.organizations o where o.kind = 'private' and o.created_by = r.subject_id and o.deleted_at is null;
  if (select count(*) from public.circle_acts a where a.relationship_id = r.id and a.at > now() - interval '1 day') >= 200 then
    raise exception 'at most 200 acts a day' using errcode = 'P0001';
  end if;
  -- In the person's name: their own rules judge it, and what it becomes is theirs. Without the helper's session, whose level is none
  -- of theirs (sync.need_whole_session).
  perform set_config('request.jwt.claims', ((claims::jsonb - 'session_id') || jsonb_build_object('sub', r.subject_id, 'aal', 'aal2'))::text, true);
  if caller <> '' then perform set_config('request.jwt.claim.sub', r.subject_id::text, true); end if;
  perform sync.forget_kept_rights();
  case p_act
    when 'task_added' then
      if name is null or char_length(name) > 200 then raise exception 'a task has a name' using errcode = '22023'; end if;
      insert into public.action_items (id, organization_id, title, status, priority, source_type, created_by)
        values (item, home, name, 'open', 'medium', 'manual', r.subject_id);
    when 'task_done' then
      update public.action_items a set status = 'closed', closed_at = now(), closed_by = r.subject_id
        where a.id = p_item and a.organization_id = home and a.deleted_at is null and a.closed_at is null returning a.title into name;
    when 'task_reopened' then
      update public.action_items a set status = 'open', closed_at = null, closed_by = null
        where a.id = p_item and a.organization_id = home and a.deleted_at is null and a.closed_at is not null returning a.title into name;
    else raise exception 'no such act' using errcode = '22023';
  end case;
  perform set_config('request.jwt.claims', claims, true);
  if caller <> '' then perform set_config('request.jwt.claim.sub', caller, true); end if;
  perform sync.forget_kept_rights();
  -- Somebody else's, hidden, missing and already done are answered alike.
  if name is null then raise exception 'not allowed' using errcode = '42501'; end if;
  insert into public.circle_acts (relationship_id, subject_id, helper_id, act, item_id, title)
    values (r.id, r.subject_id, auth.uid(), p_act, item, name);
  return item;
end $$;
