-- Comments, follows and the activity of a record: functions.

set local check_function_bodies = off;   -- what they call may be made later

-- What a comment is about: where it is, who sees it, who stands on it, what it is called and where its screen is.
create function comment.subject_of(p_table text, p_id uuid) returns table (
  organization_id uuid, site_id uuid, scopes text[], people uuid[], title text, path text, round integer, is_gone boolean
) language plpgsql stable security definer set search_path = '' as $$
begin
  case p_table
    when 'inspections' then return query
      select i.organization_id, i.site_id, i.scopes, array[i.conducted_by, i.assigned_to], i.title, '/field/' || i.id::text, i.round, i.deleted_at is not null
      from public.inspections i where i.id = p_id;
    when 'action_items' then return query
      select a.organization_id, a.site_id, a.scopes, array[a.assignee_id, a.created_by], a.title, '/action-items/' || a.id::text, null::integer, a.deleted_at is not null
      from public.action_items a where a.id = p_id;
    when 'tasks' then return query
      select t.organization_id, t.site_id, t.scopes, array[t.assignee_id, t.reviewer_id, t.created_by]
          || array(select w::uuid from jsonb_array_elements_text(t.watcher_ids) w where w ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'),
        t.title, '/tasks/' || t.id::text, null::integer, t.deleted_at is not null
      from public.tasks t where t.id = p_id;
    when 'issue_reports' then return query
      select r.organization_id, r.site_id, r.scopes, array[r.reported_by], r.title, '/field/reports/' || r.id::text, null::integer, r.deleted_at is not null
      from public.issue_reports r where r.id = p_id;
    when 'policy_versions' then return query
      -- What is said while it is written stays among those who write, also once everybody reads the policy.
      select v.organization_id, null::uuid, array[sync.holder_scope('policy.approve', v.organization_id)],
        array[v.created_by, p.owner_id], v.title, '/policies/' || v.policy_id::text || '/versions/' || v.id::text, null::integer, v.deleted_at is not null
      from public.policy_versions v join public.policies p on p.id = v.policy_id where v.id = p_id;
    when 'findings' then return query
      select f.organization_id, null::uuid, f.scopes, array[f.raised_by, f.owner_id, f.answered_by], f.title, '/policies/findings/' || f.id::text, null::integer, f.deleted_at is not null
      from public.findings f where f.id = p_id;
    else return;
  end case;
end $$;

-- Whether the caller may say something at a record they see.
create function comment.may_comment(p_table text, p_id uuid) returns boolean
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
  i record;
  owning_organization uuid;
begin
  if p_table = 'inspections' then
    select x.organization_id, x.site_id, x.conducted_by, x.assigned_to into i from public.inspections x where x.id = p_id;
    return coalesce(i.conducted_by = caller, false) or coalesce(i.assigned_to = caller, false)
      or access.may('inspection.review', i.organization_id) and (i.site_id is null or i.site_id in (select public.my_sites()));
  end if;
  select s.organization_id into owning_organization from comment.subject_of(p_table, p_id) s;
  return case p_table
    when 'action_items' then access.may('action.work', owning_organization) or access.may('action.manage', owning_organization)
    when 'tasks' then access.may('task.work', owning_organization) or access.may('task.manage', owning_organization)
    when 'issue_reports' then access.may('issue.report', owning_organization) or access.may('issue.triage', owning_organization)
    when 'policy_versions' then access.may('policy.author', owning_organization) or access.may('policy.approve', owning_organization)
    when 'findings' then access.may('finding.raise', owning_organization) or access.may('finding.answer', owning_organization)
      or exists (select from public.findings f where f.id = p_id and f.owner_id = caller)
    else false end;
end $$;

-- Who hears of a record: who stands on it, who spoke or was named there, who said so; not who said no, nor who does not see it.
create function comment.followers(p_table text, p_id uuid) returns setof uuid
  language sql stable security definer set search_path = '' as $$
  with of as (select * from comment.subject_of(p_table, p_id)),
  interested as (
    select unnest(of.people) as id from of
    union select c.author_id from public.comments c where c.subject_id = p_id and c.subject_table = p_table and c.deleted_at is null
    union select m::uuid from public.comments c, jsonb_array_elements_text(c.mention_ids) m
      where c.subject_id = p_id and c.subject_table = p_table and c.deleted_at is null
    union select f.user_id from public.record_follows f where f.subject_id = p_id and f.is_following and f.deleted_at is null
  )
  select i.id from interested i cross join of
  where i.id is not null and access.user_sees_scopes(i.id, of.organization_id, of.scopes)
    and not exists (select from public.record_follows f where f.subject_id = p_id and f.user_id = i.id and not f.is_following and f.deleted_at is null)
$$;

-- The newest fifty before `p_before`, for whoever sees the record; nothing for anybody else, as if there were none.
create function public.record_activity(p_table text, p_id uuid, p_before bigint default null) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  of record;
begin
  if p_table is null or p_table not in ('action_items', 'tasks', 'issue_reports', 'findings', 'evidence') then
    raise exception 'this kind of record keeps no activity' using errcode = '22023', detail = 'CN194';
  end if;
  if p_table = 'evidence' then
    select e.scopes, e.deleted_at is not null as is_gone into of from public.evidence e where e.id = p_id;
  else
    select * into of from comment.subject_of(p_table, p_id);
  end if;
  if not found or of.is_gone or auth.uid() is null or not access.is_in_sight(of.scopes) then return '[]'; end if;
  return (select coalesce(jsonb_agg(jsonb_build_object('id', a.id, 'at', a.at, 'by', a.by_id, 'field', a.field, 'before', a.before, 'after', a.after, 'outside', a.outside, 'submitted_by', a.submitted_by)
      order by a.id desc), '[]')
    from (select * from sync.activity x where x.record_id = p_id and x.tbl = p_table and (p_before is null or x.id < p_before)
      order by x.id desc limit 50) a);
end $$;

create function comment.may_be_near() returns boolean
  language plpgsql stable security definer set search_path = '' as $$
declare
  place constant text[] := regexp_match(realtime.topic(), '^near:([a-z_]{1,40}):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$');
begin
  return place is not null and exists (
    select from comment.subject_of(place[1], place[2]::uuid) s where not s.is_gone and access.is_in_sight(s.scopes));
end $$;

-- Who may call what.
revoke execute on function comment.subject_of(text, uuid), comment.may_comment(text, uuid), comment.followers(text, uuid),
  comment.may_be_near() from public;
revoke execute on function record_activity(text, uuid, bigint) from public, anon;
grant execute on function comment.may_be_near() to authenticated;
