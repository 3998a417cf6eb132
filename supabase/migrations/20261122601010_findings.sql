-- Findings: what an auditor says of a control, a policy, a piece of evidence or an inspection; the company answers, with work where it
-- takes work; whoever audits closes it or opens it again (docs/decisions/0521-who-answers-does-not-close.md).

insert into permissions (key, description) values
  ('finding.raise', 'Write findings of an audit, close them or open them again'),
  ('finding.answer', 'Answer findings, say who is responsible');
insert into role_permissions (role_kind, role, permission)
  select 'organization', role, 'finding.raise' from unnest(array['admin', 'manager', 'auditor']) role
  union all select 'organization', role, 'finding.answer' from unnest(array['admin', 'manager']) role;

create table findings (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations (id) on delete cascade,   -- copied from what it is about
  subject_table   text not null check (subject_table in ('controls', 'policies', 'evidence', 'inspections')),
  subject_id      uuid not null,
  title           text not null check (btrim(title) <> '' and char_length(title) <= 200),
  body            text not null default '' check (char_length(body) <= 8000),      -- what was seen
  requirement     text check (char_length(requirement) <= 300),  -- what asks for it: "ISO 45001, 8.1.2"
  severity        text not null default 'minor' check (severity in ('observation', 'minor', 'major', 'critical')),
  state           text not null default 'open' check (state in ('open', 'answered', 'closed', 'reopened')),
  owner_id        uuid references auth.users (id) on delete set null,   -- who is responsible in the company
  answer          text check (char_length(answer) <= 4000),
  answered_by     uuid references auth.users (id) on delete set null,
  answered_at     timestamptz,                                   -- device time
  verdict         text check (char_length(verdict) <= 2000),     -- of who closed it, or opened it again
  decided_by      uuid references auth.users (id) on delete set null,
  decided_at      timestamptz,                                   -- device time
  raised_by       uuid references auth.users (id) on delete set null,
  raised_at       timestamptz not null,                          -- device time
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  unique (organization_id, id)
);
create index findings_organization on findings (organization_id, state);
create index findings_subject on findings (subject_id);
create index findings_owner on findings (owner_id);

-- Before action items: those that answer it follow it.
select sync.add_table('findings', 31,
  $$ sync.scopes(sync.holder_scope('evidence.read', organization_id), sync.member_scope(organization_id, owner_id), sync.member_scope(organization_id, raised_by)) $$,
  p_groups => '[["state","answer","answered_by","answered_at","verdict","decided_by","decided_at"]]');

create policy "scope reads" on findings for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "auditors add" on findings for insert to authenticated
  with check ((select sync.pushing()) and raised_by = (select auth.uid()) and organization_id in (select my_organizations_with('finding.raise')));
create policy "auditors, the responsible and who answers change" on findings for update to authenticated
  using ((select sync.pushing()) and scopes && (select array(select my_scopes()))
    and (organization_id in (select my_organizations_with('finding.raise')) or organization_id in (select my_organizations_with('finding.answer'))
      or owner_id = (select auth.uid())));
grant insert, update on findings to authenticated;
-- Who may change what: trigger c_guard. No delete: clients set deleted_at.

-- Who is responsible for what a finding is about; null where nobody is named.
create function sync.finding_owner(p_table text, p_id uuid) returns uuid
  language sql stable security definer set search_path = '' return case p_table
    when 'policies' then (select p.owner_id from public.policies p where p.id = p_id)
    when 'evidence' then (select coalesce(e.owner_id, e.created_by) from public.evidence e where e.id = p_id)
    when 'inspections' then (select coalesce(i.conducted_by, i.assigned_to) from public.inspections i where i.id = p_id) end;

-- From a state to those it may move to; packages/core/src/findings/finding-states.ts says the same.
create function sync.finding_may_become(p_from text, p_to text) returns boolean
  language sql immutable parallel safe return p_from = p_to or p_to = any (case p_from
    when 'open' then array['answered']
    when 'reopened' then array['answered']
    when 'answered' then array['closed', 'reopened']
    when 'closed' then array['reopened']
    else array[]::text[] end);

create function sync.guard_new_finding(f public.findings) returns public.findings
  language plpgsql stable security definer set search_path = '' as $$
declare
  about record;
begin
  execute format('select x.organization_id, x.scopes, x.deleted_at from public.%I x where x.id = $1', f.subject_table) into about using f.subject_id;
  -- What somebody may not see is to them as if it were not there.
  if about is null or about.deleted_at is not null or auth.uid() is not null and not sync.is_in_sight(about.scopes) then
    raise exception 'a finding needs what it is about' using errcode = '23503';
  end if;
  f.organization_id := about.organization_id;
  if auth.uid() is null then return f; end if;
  f.owner_id := sync.finding_owner(f.subject_table, f.subject_id);
  if not sync.is_member(f.organization_id, f.owner_id) then f.owner_id := null; end if;
  f.raised_at := sync.clamped(f.raised_at, null);
  f.decided_by := null; f.decided_at := null; f.verdict := null;
  return f;
end $$;

-- Who says something of a finding, what for, and that no one closes their own answer.
create function sync.guard_finding_state(f public.findings, old public.findings) returns public.findings
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
begin
  if not sync.finding_may_become(old.state, f.state) then
    raise exception 'a finding that is % cannot become %', old.state, f.state using errcode = '23514', hint = 'state';
  end if;
  if sync.only_home() is not null then raise exception 'a decision is given in one''s own name' using errcode = '42501'; end if;
  if f.state = 'answered' then
    if not (sync.may('finding.answer', f.organization_id) or coalesce(old.owner_id = caller, false)) then
      raise exception 'this needs finding.answer' using errcode = '42501';
    end if;
    if btrim(coalesce(f.answer, '')) = '' then raise exception 'an answer has words' using errcode = '23514', hint = 'reason'; end if;
    f.answered_by := caller;
    f.answered_at := sync.clamped(f.answered_at, coalesce(old.decided_at, old.raised_at));
    f.verdict := old.verdict; f.decided_by := old.decided_by; f.decided_at := old.decided_at;
    return f;
  end if;
  if not sync.may('finding.raise', f.organization_id) then raise exception 'this needs finding.raise' using errcode = '42501'; end if;
  if f.state = 'closed' and caller in (old.answered_by, old.owner_id) then
    raise exception 'somebody else closes what one answered' using errcode = '42501', hint = 'own';
  end if;
  if f.state = 'reopened' and btrim(coalesce(f.verdict, '')) = '' then raise exception 'who says no says why' using errcode = '23514', hint = 'reason'; end if;
  f.decided_by := caller;
  f.decided_at := sync.clamped(f.decided_at, old.answered_at);
  f.answer := old.answer; f.answered_by := old.answered_by; f.answered_at := old.answered_at;
  return f;
end $$;

create function sync.guard_finding() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
  blank public.findings;
begin
  if tg_op = 'INSERT' then
    new := sync.guard_new_finding(new);
    if caller is null or new.state = 'open' then
      if caller is not null then new.answer := null; new.answered_by := null; new.answered_at := null; end if;
      return new;
    end if;
    -- A device that raised and answered before it had signal sends both at once.
    if new.state <> 'answered' then raise exception 'a finding begins open' using errcode = '23514', hint = 'state'; end if;
    blank := new;
    blank.state := 'open';
    return sync.guard_finding_state(new, blank);
  end if;
  if caller is null or pg_trigger_depth() > 1 then return new; end if;
  if (new.subject_table, new.subject_id, new.raised_by, new.raised_at) is distinct from (old.subject_table, old.subject_id, old.raised_by, old.raised_at) then
    raise exception 'a finding keeps what it is about and who raised it' using errcode = '42501';
  end if;
  if (new.title, new.body, new.requirement, new.severity, new.deleted_at) is distinct from (old.title, old.body, old.requirement, old.severity, old.deleted_at)
    and (old.raised_by is distinct from caller or old.state <> 'open' or not sync.may('finding.raise', old.organization_id)) then
    raise exception 'its author changes a finding, until it is answered' using errcode = '42501';
  end if;
  if new.owner_id is distinct from old.owner_id then
    if not sync.may('finding.answer', old.organization_id) then raise exception 'this needs finding.answer' using errcode = '42501'; end if;
    if new.owner_id is not null and not sync.is_member(new.organization_id, new.owner_id) then
      raise exception 'only a member of the organisation can be named on its records' using errcode = '42501';
    end if;
  end if;
  if new.state <> old.state then return sync.guard_finding_state(new, old); end if;
  if (new.answer, new.answered_by, new.answered_at, new.verdict, new.decided_by, new.decided_at)
    is distinct from (old.answer, old.answered_by, old.answered_at, old.verdict, old.decided_by, old.decided_at) then
    raise exception 'what was said stays' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger a0_need_push before insert on findings for each statement execute function sync.need_push();
create trigger b_keep_organization before update on findings for each row execute function sync.keep_organization();
create trigger c_guard before insert or update on findings for each row execute function sync.guard_finding();

-- Corrective work may answer a finding.
alter table action_items drop constraint action_items_source_type_check;
alter table action_items add constraint action_items_source_type_check check (source_type in ('inspection', 'manual', 'issue_report', 'poam', 'finding'));

create function sync.guard_finding_source() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  f public.findings;
begin
  if auth.uid() is null then return new; end if;
  select * into f from public.findings x where x.id = new.source_id and x.organization_id = new.organization_id and x.deleted_at is null;
  if not found or not sync.is_in_sight(f.scopes) then
    raise exception 'an action item needs its finding' using errcode = '23503';
  end if;
  if not (sync.may('finding.answer', f.organization_id) or coalesce(f.owner_id = auth.uid(), false)) then
    raise exception 'this needs finding.answer' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger c_source_finding before insert on action_items for each row when (new.source_type = 'finding') execute function sync.guard_finding_source();

-- People talk about a finding as about any record, and follow it; files stay with the work and the evidence.
alter table comments drop constraint comments_subject_table_check;
alter table comments add constraint comments_subject_table_check
  check (subject_table in ('inspections', 'action_items', 'tasks', 'issue_reports', 'policy_versions', 'findings'));
alter table comments add constraint comments_findings_no_files check (subject_table <> 'findings' or media_ids = '[]');
alter table record_follows drop constraint record_follows_subject_table_check;
alter table record_follows add constraint record_follows_subject_table_check
  check (subject_table in ('inspections', 'action_items', 'tasks', 'issue_reports', 'policy_versions', 'findings'));

-- One more kind of record in what the older functions list.
create function pg_temp.extend(p_function regprocedure, p_before text, p_added text) returns void language plpgsql as $$
declare
  was constant text := pg_get_functiondef(p_function);
begin
  if position(p_before in was) = 0 then raise exception '% has no %', p_function, p_before; end if;
  execute replace(was, p_before, p_added);
end $$;
select pg_temp.extend('sync.subject_of(text, uuid)', '    else return;', $x$    when 'findings' then return query
      select f.organization_id, null::uuid, f.scopes, array[f.raised_by, f.owner_id, f.answered_by], f.title, '/policies/findings/' || f.id::text, null::integer, f.deleted_at is not null
      from public.findings f where f.id = p_id;
    else return;$x$);
select pg_temp.extend('sync.may_comment(text, uuid)', '    else false end;', $x$    when 'findings' then sync.may('finding.raise', home) or sync.may('finding.answer', home)
      or exists (select from public.findings f where f.id = p_id and f.owner_id = caller)
    else false end;$x$);
select pg_temp.extend('record_activity(text, uuid, bigint)', $x$('action_items', 'tasks', 'issue_reports')$x$, $x$('action_items', 'tasks', 'issue_reports', 'findings')$x$);
select pg_temp.extend('inbox.subject_scopes(text, uuid)', $x$WHEN 'evidence'::text THEN$x$, $x$WHEN 'finding'::text THEN ( SELECT f.scopes FROM public.findings f WHERE f.id = p_subject)
        WHEN 'evidence'::text THEN$x$);

create trigger x_comments after update on findings for each row
  when (old.scopes is distinct from new.scopes or (old.deleted_at is null) <> (new.deleted_at is null)) execute function sync.follow_subject();
create trigger y_activity after update on findings for each row
  execute function sync.note_activity('state,severity,owner_id', 'title,body,requirement,answer,verdict');

insert into notification_types (key, module, class, setting, app, push, email) values
  ('finding.raised', 'policies', 'normal', null, 'immediate', 'immediate', 'daily'),
  ('finding.answered', 'policies', 'normal', null, 'immediate', 'immediate', 'daily'),
  ('finding.reopened', 'policies', 'normal', null, 'immediate', 'immediate', 'daily'),
  ('finding.closed', 'policies', 'normal', null, 'immediate', 'off', 'daily');

-- Who is told: of what waits for an answer who is responsible, or who answers where nobody is; of an answer who raised it; of a
-- verdict who answered.
create function inbox.finding_moved() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  by_id constant uuid := case new.state when 'open' then new.raised_by when 'answered' then new.answered_by else new.decided_by end;
  told uuid;
begin
  perform inbox.settled(new.id, array['finding.raised', 'finding.answered', 'finding.reopened', 'finding.closed'], null);
  if new.deleted_at is not null then return null; end if;
  for told in select distinct p from (
    select new.owner_id as p where new.state in ('open', 'reopened', 'closed')
    union all select inbox.people_with('finding.answer', new.organization_id, null) where new.state in ('open', 'reopened') and new.owner_id is null
    union all select new.answered_by where new.state in ('reopened', 'closed')
    union all select new.raised_by where new.state = 'answered'
    union all select new.decided_by where new.state = 'answered') q where p is not null
  loop
    perform inbox.notify(told, 'finding.' || case new.state when 'open' then 'raised' else new.state end,
      'finding/' || new.id::text || '/' || new.state || '/' || new.version::text || case when new.state = 'open' then '/' || new.owner_id::text else '' end,
      '/policies/findings/' || new.id::text, jsonb_build_object('title', new.title, 'by', inbox.name_of(by_id)), new.id, new.organization_id, by_id);
  end loop;
  return null;
end $$;
create trigger x_notify_insert after insert on findings for each row when (new.state in ('open', 'answered')) execute function inbox.finding_moved();
create trigger x_notify_update after update on findings for each row
  when (old.state is distinct from new.state or old.owner_id is distinct from new.owner_id or (old.deleted_at is null) <> (new.deleted_at is null))
  execute function inbox.finding_moved();

create function audit.note_finding() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' or old.state <> new.state then
    perform audit.note(new.organization_id, 'finding.' || new.state, 'findings', new.id,
      jsonb_build_object('severity', new.severity, 'table', new.subject_table, 'target_id', new.subject_id));
  elsif old.deleted_at is null and new.deleted_at is not null then
    perform audit.note(new.organization_id, 'finding.removed', 'findings', new.id);
  end if;
  return null;
end $$;
create trigger z_audit after insert or update on findings for each row execute function audit.note_finding();

revoke execute on function sync.finding_owner(text, uuid), sync.finding_may_become(text, text), sync.guard_new_finding(public.findings),
  sync.guard_finding_state(public.findings, public.findings), sync.guard_finding(), sync.guard_finding_source(), inbox.finding_moved(),
  audit.note_finding() from public;
