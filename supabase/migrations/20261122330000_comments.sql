-- Comments on any record that people work on together: one table, one set of rules (docs/decisions/0330-one-table-of-comments.md).
-- A comment is seen by whoever sees its record, and written by whoever works on it. It names people, carries files, is ticked off.

create table comments (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations (id) on delete cascade,   -- copied from the record
  subject_table   text not null check (subject_table in ('inspections', 'action_items', 'tasks', 'issue_reports', 'policy_versions')),
  subject_id      uuid not null,
  question        text check (question <> ''),                   -- path in the form of an inspection; null: about the whole
  round           integer check (round > 0),                     -- the inspection's when it was written
  body            text not null check (btrim(body) <> '' and char_length(body) <= 4000),
  mention_ids     jsonb not null default '[]' check (jsonb_typeof(mention_ids) = 'array' and jsonb_array_length(mention_ids) <= 20),   -- ids of people
  media_ids       jsonb not null default '[]' check (jsonb_typeof(media_ids) = 'array' and jsonb_array_length(media_ids) <= 10),       -- ids of media
  author_id       uuid references auth.users (id) on delete set null,
  written_at      timestamptz not null,                          -- device time
  resolved_at     timestamptz,                                   -- device time at which it was ticked off
  resolved_by     uuid references auth.users (id) on delete set null,
  created_at      timestamptz not null default now(),            -- server time
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  check (question is null or subject_table = 'inspections'),
  -- Files belong to a place; drafts of policies are read by less than everybody there.
  check (subject_table <> 'policy_versions' or media_ids = '[]')
);
create index comments_subject on comments (subject_id);
create index comments_organization on comments (organization_id);

-- Whether a person wants to hear of a record, said by themselves; without a row the record's people and who spoke there do.
create table record_follows (
  id              uuid primary key,                              -- derivedId(user_id, 'follow/' || subject_id)
  organization_id uuid not null references organizations (id) on delete cascade,
  user_id         uuid not null references auth.users (id) on delete cascade,
  subject_table   text not null check (subject_table in ('inspections', 'action_items', 'tasks', 'issue_reports', 'policy_versions')),
  subject_id      uuid not null,
  is_following    boolean not null default true,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  unique (user_id, subject_id)
);
create index record_follows_subject on record_follows (subject_id);
create index record_follows_organization on record_follows (organization_id);

select sync.add_table('comments', 36, null, p_groups => '[["resolved_at","resolved_by"]]');
select sync.add_table('record_follows', 45, $$ sync.scopes(sync.member_scope(organization_id, user_id)) $$);

-- What comments were so far stood under inspections alone.
insert into comments (id, organization_id, subject_table, subject_id, question, round, body, author_id, written_at, resolved_at, resolved_by, created_at, deleted_at, scopes)
  select id, organization_id, 'inspections', inspection_id, question, round, body, author_id, written_at, resolved_at, resolved_by, created_at, deleted_at, scopes
  from inspection_comments;

-- What a comment is about: where it is, who sees it, who stands on it, what it is called and where its screen is.
create function sync.subject_of(p_table text, p_id uuid) returns table (
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
    else return;
  end case;
end $$;

-- Whether a member of an organisation sees what has these audiences; for telling them, where nobody's rights are asked by RLS.
create function sync.sees(p_user uuid, p_organization uuid, p_scopes text[]) returns boolean
  language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.organization_members m
    where m.organization_id = p_organization and m.user_id = p_user and m.deleted_at is null and (m.valid_until is null or m.valid_until > now())
      and (p_scopes && array[sync.org_scope(p_organization), sync.member_scope(p_organization, p_user)]
        or exists (select from public.site_members s
          where s.organization_id = p_organization and s.user_id = p_user and s.deleted_at is null and 'site:' || s.site_id::text = any (p_scopes))
        or exists (select from public.role_permissions r join public.permissions p on p.key = r.permission
          where r.role_kind = 'organization' and r.role = m.role and r.deleted_at is null
            and (p.is_audience and sync.holder_scope(p.key, p_organization) = any (p_scopes)
              or p.key = 'place.all' and exists (select from unnest(p_scopes) s where s like 'site:%')))))
$$;

-- Whether the caller may say something at a record they see.
create function sync.may_comment(p_table text, p_id uuid) returns boolean
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
  i record;
  home uuid;
begin
  if p_table = 'inspections' then
    select x.organization_id, x.site_id, x.conducted_by, x.assigned_to into i from public.inspections x where x.id = p_id;
    return coalesce(i.conducted_by = caller, false) or coalesce(i.assigned_to = caller, false)
      or sync.may('inspection.review', i.organization_id) and (i.site_id is null or i.site_id in (select public.my_sites()));
  end if;
  select s.organization_id into home from sync.subject_of(p_table, p_id) s;
  return case p_table
    when 'action_items' then sync.may('action.work', home) or sync.may('action.manage', home)
    when 'tasks' then sync.may('task.work', home) or sync.may('task.manage', home)
    when 'issue_reports' then sync.may('issue.report', home) or sync.may('issue.triage', home)
    when 'policy_versions' then sync.may('policy.author', home) or sync.may('policy.approve', home)
    else false end;
end $$;

create policy "whoever sees the record reads" on comments for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "whoever works on the record writes" on comments for insert to authenticated
  with check ((select sync.pushing()) and author_id = (select auth.uid()) and scopes && (select array(select my_scopes())));
create policy "authors edit, others tick off" on comments for update to authenticated
  using ((select sync.pushing()) and scopes && (select array(select my_scopes())));
grant insert, update on comments to authenticated;
-- Who works on it, and who may change what: trigger c_guard. No delete: clients set deleted_at.

create policy "the person reads" on record_follows for select to authenticated
  using (user_id = (select auth.uid()) and scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "the person adds" on record_follows for insert to authenticated
  with check ((select sync.pushing()) and user_id = (select auth.uid()) and scopes && (select array(select my_scopes())));
create policy "the person edits" on record_follows for update to authenticated
  using ((select sync.pushing()) and user_id = (select auth.uid()) and scopes && (select array(select my_scopes())));
grant insert, update on record_follows to authenticated;

-- The old table goes, and with it what was written for it; one set of rules stays.
drop trigger d_follow on inspections;
drop function sync.follow_inspection();
drop table inspection_comments;
drop function sync.guard_comment();
delete from sync.tables where name = 'inspection_comments';
delete from sync.change where tbl = 'inspection_comments';
do $$
declare
  f regprocedure;
begin
  perform sync.refresh_table('comments');
  for f in select p.oid from pg_proc p where p.pronamespace = 'sync'::regnamespace and p.proname like '%\_inspection\_comments' loop
    execute format('drop function %s', f);
  end loop;
  -- A person's field work names its comments by their new table; the rest of that list is others'.
  execute replace(pg_get_functiondef('sync.is_work(text)'::regprocedure), '''inspection_comments''', '''comments''');
end $$;

create function sync.guard_comment() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
  of record;
begin
  select * into of from sync.subject_of(new.subject_table, new.subject_id);
  if not found or (caller is not null and tg_op = 'INSERT' and (of.is_gone or not sync.is_in_sight(of.scopes))) then
    raise exception 'a comment needs its record' using errcode = '23503';
  end if;
  new.organization_id := of.organization_id;
  new.scopes := case when of.is_gone then '{}' else of.scopes end;
  if caller is null or pg_trigger_depth() > 1 then return new; end if;
  if not sync.may_comment(new.subject_table, new.subject_id) then
    raise exception 'this is somebody else''s work' using errcode = '42501';
  end if;
  if tg_op = 'INSERT' then
    new.author_id := caller;
    new.round := of.round;
    new.resolved_by := case when new.resolved_at is null then null else caller end;
  else
    if (new.subject_table, new.subject_id, new.question, new.written_at, new.author_id, new.round)
      is distinct from (old.subject_table, old.subject_id, old.question, old.written_at, old.author_id, old.round) then
      raise exception 'a comment keeps its place and its author' using errcode = '42501';
    end if;
    if (new.body, new.mention_ids, new.media_ids, new.deleted_at) is distinct from (old.body, old.mention_ids, old.media_ids, old.deleted_at)
      and old.author_id is distinct from caller then
      raise exception 'only its author changes a comment' using errcode = '42501';
    end if;
    if new.resolved_at is distinct from old.resolved_at then
      new.resolved_by := case when new.resolved_at is null then null else caller end;
    else
      new.resolved_by := old.resolved_by;
    end if;
  end if;
  if exists (
    select from jsonb_array_elements_text(new.mention_ids) p
    where (tg_op = 'INSERT' or not old.mention_ids ? p) and not exists (
      select from public.organization_members m where m.organization_id = new.organization_id and m.user_id::text = lower(p) and m.deleted_at is null)) then
    raise exception 'only a member of the organisation can be named on its records' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger a0_need_push before insert on comments for each statement execute function sync.need_push();
create trigger b_keep_organization before update on comments for each row execute function sync.keep_organization();
create trigger c_guard before insert or update on comments for each row execute function sync.guard_comment();

create function sync.guard_follow() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  of record;
begin
  if auth.uid() is null then return new; end if;
  if tg_op = 'UPDATE' then
    if (new.user_id, new.subject_table, new.subject_id) is distinct from (old.user_id, old.subject_table, old.subject_id) then
      raise exception 'a wish to follow keeps its record' using errcode = '42501';
    end if;
    return new;
  end if;
  select * into of from sync.subject_of(new.subject_table, new.subject_id);
  if not found or of.is_gone or not sync.is_in_sight(of.scopes) then
    raise exception 'there is no such record to follow' using errcode = '23503';
  end if;
  new.organization_id := of.organization_id;
  if new.id is distinct from extensions.uuid_generate_v5(new.user_id, 'follow/' || new.subject_id::text) then
    raise exception 'this id follows from another record' using errcode = '23514', constraint = 'id_is_derived';
  end if;
  return new;
end $$;
create trigger a0_need_push before insert on record_follows for each statement execute function sync.need_push();
create trigger b_keep_organization before update on record_follows for each row execute function sync.keep_organization();
create trigger c_guard before insert or update on record_follows for each row execute function sync.guard_follow();

-- Comments stand where their record stands, and go and come back with it. The guard above sets their audience anew.
create function sync.follow_subject() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update public.comments c set scopes = new.scopes where c.subject_id = new.id and c.subject_table = tg_table_name;
  return null;
end $$;
do $$
declare
  t text;
begin
  foreach t in array array['inspections', 'action_items', 'tasks', 'issue_reports'] loop
    execute format('create trigger x_comments after update on public.%I for each row
      when (old.scopes is distinct from new.scopes or (old.deleted_at is null) <> (new.deleted_at is null)) execute function sync.follow_subject()', t);
  end loop;
end $$;

-- As before: the log of an inspection stands where the inspection stands, and travels to whoever does it.
create function sync.follow_inspection() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update public.inspection_events set site_id = new.site_id, conductor_id = coalesce(new.conducted_by, new.assigned_to)
    where inspection_id = new.id;
  return null;
end $$;
create trigger d_follow after update of site_id, conducted_by, assigned_to on inspections for each row
  when ((old.site_id, old.conducted_by, old.assigned_to) is distinct from (new.site_id, new.conducted_by, new.assigned_to))
  execute function sync.follow_inspection();

-- Who hears of a record: who stands on it, who spoke or was named there, who said so; not who said no, nor who does not see it.
create function sync.followers(p_table text, p_id uuid) returns setof uuid
  language sql stable security definer set search_path = '' as $$
  with of as (select * from sync.subject_of(p_table, p_id)),
  interested as (
    select unnest(of.people) as id from of
    union select c.author_id from public.comments c where c.subject_id = p_id and c.subject_table = p_table and c.deleted_at is null
    union select m::uuid from public.comments c, jsonb_array_elements_text(c.mention_ids) m
      where c.subject_id = p_id and c.subject_table = p_table and c.deleted_at is null
    union select f.user_id from public.record_follows f where f.subject_id = p_id and f.is_following and f.deleted_at is null
  )
  select i.id from interested i cross join of
  where i.id is not null and sync.sees(i.id, of.organization_id, of.scopes)
    and not exists (select from public.record_follows f where f.subject_id = p_id and f.user_id = i.id and not f.is_following and f.deleted_at is null)
$$;

insert into notification_types (key, module, class, setting, app, push, email) values
  ('comment.mentioned', 'collaboration', 'normal', null, 'immediate', 'immediate', 'daily'),
  ('comment.added', 'collaboration', 'normal', null, 'immediate', 'off', 'daily'),
  ('record.moved', 'collaboration', 'normal', null, 'immediate', 'off', 'daily');

-- No words of the comment: what is told goes by mail and over other people's screens.
create function inbox.commented() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  of record;
  person uuid;
begin
  if new.deleted_at is not null then
    update public.notifications set is_read = true where key like 'comment/' || new.id::text || '%' and subject_id = new.subject_id and not is_read;
    return null;
  end if;
  select * into of from sync.subject_of(new.subject_table, new.subject_id);
  for person in select m::uuid from jsonb_array_elements_text(new.mention_ids) m where tg_op = 'INSERT' or not old.mention_ids ? m loop
    if sync.sees(person, new.organization_id, of.scopes) then
      perform inbox.notify(person, 'comment.mentioned', 'comment/' || new.id::text || '/mention', of.path,
        jsonb_build_object('title', of.title, 'by', inbox.name_of(new.author_id)), new.subject_id, new.organization_id, new.author_id);
    end if;
  end loop;
  if tg_op = 'UPDATE' then return null; end if;
  for person in select f from sync.followers(new.subject_table, new.subject_id) f where not new.mention_ids ? f::text loop
    perform inbox.notify(person, 'comment.added', 'comment/' || new.id::text, of.path,
      jsonb_build_object('title', of.title, 'by', inbox.name_of(new.author_id)), new.subject_id, new.organization_id, new.author_id);
  end loop;
  return null;
end $$;
create trigger x_notify_insert after insert on comments for each row when (new.deleted_at is null) execute function inbox.commented();
create trigger x_notify_update after update on comments for each row
  when (old.mention_ids is distinct from new.mention_ids or old.deleted_at is null and new.deleted_at is not null) execute function inbox.commented();

-- Who said that they follow a record hears when it moves on.
create function inbox.followed_moved() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  of record;
  person uuid;
begin
  select * into of from sync.subject_of(tg_table_name, new.id);
  for person in select f.user_id from public.record_follows f where f.subject_id = new.id and f.is_following and f.deleted_at is null loop
    if sync.sees(person, new.organization_id, of.scopes) then
      perform inbox.notify(person, 'record.moved', 'record/' || new.id::text || '/' || new.version::text, of.path,
        jsonb_build_object('title', of.title, 'by', inbox.name_of(auth.uid())), new.id, new.organization_id, auth.uid());
    end if;
  end loop;
  return null;
end $$;
do $$
declare
  t text;
begin
  foreach t in array array['inspections', 'action_items', 'tasks', 'issue_reports'] loop
    execute format('create trigger x_notify_followed after update of status on public.%I for each row
      when (old.status is distinct from new.status and new.deleted_at is null) execute function inbox.followed_moved()', t);
  end loop;
end $$;

revoke execute on function sync.subject_of(text, uuid), sync.sees(uuid, uuid, text[]), sync.may_comment(text, uuid), sync.guard_comment(),
  sync.guard_follow(), sync.follow_subject(), sync.follow_inspection(), sync.followers(text, uuid), inbox.commented(), inbox.followed_moved() from public;
