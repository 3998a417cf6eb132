-- Made by tools/gen-functions.ts from supabase/migrations: the functions of schema comment as they are now. Do not edit: npm run gen.

CREATE OR REPLACE FUNCTION comment.clean_outside_name()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  new.outside_name := nullif(content.one_line(new.outside_name, 100), '');
  return new;
end $function$;

CREATE OR REPLACE FUNCTION comment.follow_subject()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.comments c set scopes = new.scopes where c.subject_id = new.id and c.subject_table = tg_table_name
    and c.deleted_at is null and c.scopes is distinct from case when new.deleted_at is null then new.scopes else '{}' end;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION comment.followers(p_table text, p_id uuid)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION comment.guard_comment()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := auth.uid();
  of record;
begin
  select * into of from comment.subject_of(new.subject_table, new.subject_id);
  if not found or (caller is not null and tg_op = 'INSERT' and (of.is_gone or not access.is_in_sight(of.scopes))) then
    raise exception 'a comment needs its record' using errcode = '23503', detail = 'CN397';
  end if;
  new.organization_id := of.organization_id;
  new.scopes := case when of.is_gone then '{}' else of.scopes end;
  if caller is null or pg_trigger_depth() > 1 then return new; end if;
  if not comment.may_comment(new.subject_table, new.subject_id) then
    raise exception 'this is somebody else''s work' using errcode = '42501', detail = 'CN398';
  end if;
  if tg_op = 'INSERT' then
    new.author_id := caller;
    new.round := of.round;
    new.written_at := sync.written_when(new.written_at);
    new.resolved_by := case when new.resolved_at is null then null else caller end;
    if new.resolved_at is not null then new.resolved_at := sync.clamp_time(new.resolved_at, new.written_at); end if;
  else
    if (new.subject_table, new.subject_id, new.question, new.written_at, new.author_id, new.round)
      is distinct from (old.subject_table, old.subject_id, old.question, old.written_at, old.author_id, old.round) then
      raise exception 'a comment keeps its place and its author' using errcode = '42501', detail = 'CN399';
    end if;
    if (new.body, new.mention_ids, new.media_ids, new.deleted_at) is distinct from (old.body, old.mention_ids, old.media_ids, old.deleted_at)
      and old.author_id is distinct from caller then
      raise exception 'only its author changes a comment' using errcode = '42501', detail = 'CN400';
    end if;
    if new.resolved_at is distinct from old.resolved_at then
      new.resolved_by := case when new.resolved_at is null then null else caller end;
      if new.resolved_at is not null then new.resolved_at := sync.clamp_time(new.resolved_at, new.written_at); end if;
    elsif (new.body, new.media_ids) is distinct from (old.body, old.media_ids) and old.resolved_by is distinct from caller then
      new.resolved_at := null;
      new.resolved_by := null;
    else
      new.resolved_by := old.resolved_by;
    end if;
  end if;
  if exists (
    select from jsonb_array_elements_text(new.mention_ids) p
    where (tg_op = 'INSERT' or not old.mention_ids ? p) and not exists (
      select from public.organization_members m where m.organization_id = new.organization_id and m.user_id::text = lower(p)
        and access.is_member(m.organization_id, m.user_id))) then
    raise exception 'only a member of the organisation can be named on its records' using errcode = '42501', detail = 'CN083';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION comment.guard_follow()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  of record;
begin
  if auth.uid() is null then return new; end if;
  if tg_op = 'UPDATE' then
    if (new.user_id, new.subject_table, new.subject_id) is distinct from (old.user_id, old.subject_table, old.subject_id) then
      raise exception 'a wish to follow keeps its record' using errcode = '42501', detail = 'CN401';
    end if;
    return new;
  end if;
  select * into of from comment.subject_of(new.subject_table, new.subject_id);
  if not found or of.is_gone or not access.is_in_sight(of.scopes) then
    raise exception 'there is no such record to follow' using errcode = '23503', detail = 'CN402';
  end if;
  new.organization_id := of.organization_id;
  if new.id is distinct from extensions.uuid_generate_v5(new.user_id, 'follow/' || new.subject_id::text) then
    raise exception 'this id follows from another record' using errcode = '23514', constraint = 'id_is_derived', detail = 'CN230';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION comment.guard_outside_name()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is not null then new.outside_name := case when tg_op = 'UPDATE' then old.outside_name end; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION comment.limit_comments()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := auth.uid();
  present integer;
  own integer;
begin
  select count(*), count(*) filter (where c.author_id = caller) into present, own from (
    select x.author_id from public.comments x where x.subject_id = new.subject_id and x.subject_table = new.subject_table and x.id <> new.id limit 2000) c;
  if present >= (case when caller is null then 2000 else 1000 end) or own >= 250 then
    raise exception 'a record has at most 1000 comments' using errcode = '23514', hint = 'many', detail = 'CN412';
  end if;
  if 2000 <= (select count(*) from (select from public.comments x
      where x.author_id = caller and x.created_at > now() - interval '1 day' and x.id <> new.id limit 2000) c) then
    raise exception 'a person writes at most 2000 comments a day' using errcode = '23514', hint = 'many', detail = 'CN416';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION comment.may_be_near()
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  place constant text[] := regexp_match(realtime.topic(), '^near:([a-z_]{1,40}):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$');
begin
  return place is not null and exists (
    select from comment.subject_of(place[1], place[2]::uuid) s where not s.is_gone and access.is_in_sight(s.scopes));
end $function$;

CREATE OR REPLACE FUNCTION comment.may_comment(p_table text, p_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION comment.note_activity()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  was constant jsonb := to_jsonb(old);
  is_now constant jsonb := to_jsonb(new);
  c text;
begin
  foreach c in array string_to_array(tg_argv[0], ',') loop
    continue when was -> c is not distinct from is_now -> c;
    insert into sync.activity (organization_id, tbl, record_id, by_id, field, before, after)
      values (new.organization_id, tg_table_name, new.id, auth.uid(), c, was ->> c, is_now ->> c);
  end loop;
  foreach c in array string_to_array(tg_argv[1], ',') loop
    continue when was -> c is not distinct from is_now -> c;
    -- Text that is typed and kept again and again is one change, until somebody else writes: whose words it is says the latest entry.
    continue when exists (select from (
        select a.by_id, a.at from sync.activity a where a.record_id = new.id and a.field = c and a.tbl = tg_table_name order by a.id desc limit 1) last
      where last.by_id is not distinct from auth.uid() and last.at > clock_timestamp() - interval '5 minutes');
    insert into sync.activity (organization_id, tbl, record_id, by_id, field) values (new.organization_id, tg_table_name, new.id, auth.uid(), c);
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION comment.subject_of(p_table text, p_id uuid)
 RETURNS TABLE(organization_id uuid, site_id uuid, scopes text[], people uuid[], title text, path text, round integer, is_gone boolean)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;
