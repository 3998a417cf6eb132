-- Nobody decides on their own in two steps (docs/decisions/0431-who-had-it-had-it.md): who ever had a record counts as having it, an
-- action item ends by somebody else's word in whatever way, and a file is kept by the word of its own author or of a second person.

-- Who ever had an action item or answered for evidence, for as long as the record lives.
create table sync.held (
  tbl    text not null,                                -- public table
  id     uuid not null,
  person uuid not null references auth.users (id) on delete cascade,
  primary key (tbl, id, person)
);
create index held_person on sync.held (person);
alter table sync.held enable row level security;

-- Argument: the column that names who has it.
create function sync.note_held() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  person constant uuid := to_jsonb(new) ->> tg_argv[0];
begin
  if person is not null then insert into sync.held (tbl, id, person) values (tg_table_name, new.id, person) on conflict do nothing; end if;
  return null;
end $$;
create trigger x_held after insert or update of assignee_id on action_items for each row execute function sync.note_held('assignee_id');
create trigger x_held after insert or update of owner_id on evidence for each row execute function sync.note_held('owner_id');
insert into sync.held (tbl, id, person) select 'action_items', id, assignee_id from public.action_items where assignee_id is not null;
insert into sync.held (tbl, id, person) select 'evidence', id, owner_id from public.evidence where owner_id is not null;

create function sync.has_held(p_table text, p_id uuid, p_person uuid) returns boolean
  language sql stable security definer set search_path = '' return
  exists (select from sync.held h where h.tbl = p_table and h.id = p_id and h.person = p_person);

-- Whether somebody ends by themselves what they have, did or had, though another could look at it. Who once had it may, where
-- somebody else says that they did it. Two who both had it do not wait for each other.
create function sync.ends_own_action(a public.action_items, p_caller uuid) returns boolean
  language sql stable security definer set search_path = '' return
  coalesce(p_caller in (a.done_by, a.assignee_id), false) and sync.another_verifies(a)
  or sync.has_held('action_items', a.id, p_caller) and not coalesce(a.status = 'ready_for_verification' and a.done_by <> p_caller, false)
    and exists (select from inbox.people_with('action.work', a.organization_id, a.site_id) q
      where q <> p_caller and q is distinct from a.done_by and q is distinct from a.assignee_id and not sync.has_held('action_items', a.id, q));

-- As before; every end but a risk accepted is somebody else's word.
create or replace function sync.guard_action_life() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
  ends constant text[] := array['closed', 'duplicate', 'not_valid'];
begin
  if new.due_at is distinct from (case when tg_op = 'UPDATE' then old.due_at end) then new.escalation := 0; end if;
  -- What the server does itself, by its clock or after an approval, is its own word.
  if caller is null or pg_trigger_depth() > 1 then return new; end if;
  if new.status = 'risk_accepted' and (tg_op = 'INSERT' or old.status <> 'risk_accepted') then
    raise exception 'a risk is accepted by an approver' using errcode = '42501', hint = 'approval';
  end if;
  if tg_op = 'INSERT' then
    if new.status = any (ends) and sync.another_verifies(new) then
      raise exception 'somebody else checks it' using errcode = '42501', hint = 'own';
    end if;
    new.done_by := case when new.status in ('ready_for_verification', 'closed') then caller end;
    new.outcome := null;
    new.outcome_by := null;
    new.outcome_at := null;
    return new;
  end if;
  if new.status is distinct from old.status and new.status = any (ends)
    and (sync.ends_own_action(old, caller) or sync.another_verifies(old)
      and (new.status <> 'closed' or old.status <> 'ready_for_verification') and not sync.may('action.manage', old.organization_id)) then
    raise exception 'somebody else checks it' using errcode = '42501', hint = 'own';
  end if;
  new.done_by := case when new.status is distinct from old.status and new.status = 'ready_for_verification' then caller else old.done_by end;
  if old.status = 'risk_accepted' and new.status <> old.status then
    new.risk_until := null;
    new.risk_reason := null;
  end if;
  if new.outcome is distinct from old.outcome then
    if new.outcome is not null and old.status <> 'closed' then
      raise exception 'whether it worked is said once it is closed' using errcode = '23514', constraint = 'outcome_needs_closed';
    end if;
    if new.outcome is not null and caller = old.done_by and sync.another_verifies(old) then
      raise exception 'somebody else checks it' using errcode = '42501', hint = 'own';
    end if;
    new.outcome_by := case when new.outcome is not null then caller end;
    new.outcome_at := case when new.outcome is not null then coalesce(new.outcome_at, now()) end;
  else
    new.outcome_by := old.outcome_by;
  end if;
  return new;
end $$;

-- As before; what somebody closed is opened by them, by who made it or manages, or by who finds that it did not work.
create or replace function sync.guard_action_over() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
  has_say boolean;
begin
  if caller is null or not sync.is_device_edit() then return new; end if;
  if not inbox.action_ended(new.status) then
    new.closed_by := null;
    new.closed_at := null;
  elsif tg_op = 'INSERT' or new.status <> old.status then
    new.closed_by := caller;
    new.closed_at := sync.ended_when(new.closed_at, new.created_at, coalesce(new.created_by = caller, false));
  end if;
  if tg_op = 'INSERT' then return new; end if;
  -- Who brought or accepted the work of somebody else is no second person (0361).
  if new.status = 'closed' and old.status <> 'closed' and sync.had_hand('action_items', old.id, caller) and sync.another_verifies(old) then
    raise exception 'somebody else checks it' using errcode = '42501', hint = 'own';
  end if;
  if not inbox.action_ended(old.status) then return new; end if;
  has_say := coalesce(caller in (old.created_by, old.closed_by), false) or sync.may('action.manage', old.organization_id);
  if not inbox.action_ended(new.status) then
    if not has_say and old.closed_by is not null
      and not coalesce(old.outcome is null and new.outcome = 'not_effective' and caller is distinct from old.assignee_id, false) then
      raise exception 'what somebody else closed is opened by them' using errcode = '42501';
    end if;
    return new;
  end if;
  if new.status = old.status then
    new.closed_by := old.closed_by;
    new.closed_at := old.closed_at;
  end if;
  if not new.media_ids @> old.media_ids or not has_say and
    (new.title, new.description, new.due_at, new.status) is distinct from (old.title, old.description, old.due_at, old.status) then
    raise exception 'what was closed stays as it was' using errcode = '42501';
  end if;
  return new;
end $$;

-- As before; who ever answered for it counts as who does, while somebody who never did could decide.
create or replace function sync.is_own_evidence(p public.evidence, p_caller uuid) returns boolean
  language sql stable security definer set search_path = '' return
  coalesce(p_caller in (p.created_by, p.owner_id), false)
    and exists (select from inbox.people_with('evidence.review', p.organization_id, null) q
      where q is distinct from p.created_by and q is distinct from p.owner_id and not sync.had_hand('evidence', p.id, q))
  or (sync.had_hand('evidence', p.id, p_caller) or sync.has_held('evidence', p.id, p_caller))
    and exists (select from inbox.people_with('evidence.review', p.organization_id, null) q
      where q <> p_caller and q is distinct from p.created_by and not sync.had_hand('evidence', p.id, q) and not sync.has_held('evidence', p.id, q));

-- Whether a person named files on a record themselves, after it was made (of that only that they did is kept, 0332).
create function sync.named_files(p_table text, p_id uuid, p_person uuid) returns boolean
  language sql stable security definer set search_path = '' return
  exists (select from sync.activity a where a.record_id = p_id and a.tbl = p_table and a.field = 'media_ids' and a.by_id = p_person);

-- Whether somebody's word on a record rests on this file: accepted evidence, an ended task or action item, a report as it was made.
-- A word of somebody who alone names the file of another binds nothing: its author may still take it away. Words of their own do, of
-- a second person who decided, and of an inspection the file and the record both belong to.
create or replace function sync.is_file_bound(p_organization uuid, p_file uuid) returns boolean
  language sql stable security definer set search_path = '' return
  exists (select from public.media m where m.id = p_file and (
    exists (select from public.evidence e where e.media_ids <> '[]' and e.media_ids ? p_file::text
      and e.organization_id = p_organization and e.state not in ('collected', 'sent_back') and e.deleted_at is null
      and (m.captured_by is null or m.captured_by in (e.created_by, e.owner_id) or e.reviewed_by is distinct from e.created_by and e.reviewed_by is not null))
    or exists (select from public.tasks t where t.media_ids <> '[]' and t.media_ids ? p_file::text
      and t.organization_id = p_organization and sync.task_ended(t.status) and t.deleted_at is null
      and (m.captured_by is null or m.captured_by in (t.created_by, t.ended_by) or sync.named_files('tasks', t.id, m.captured_by)
        or t.source_type = 'inspection' and t.source_id = m.inspection_id
        or t.ended_by = t.reviewer_id and t.ended_by is distinct from t.assignee_id and t.assignee_id is not null))
    or exists (select from public.action_items a where a.media_ids <> '[]' and a.media_ids ? p_file::text
      and a.organization_id = p_organization and inbox.action_ended(a.status) and a.deleted_at is null
      and (m.captured_by is null or m.captured_by in (a.created_by, a.done_by, a.closed_by) or sync.named_files('action_items', a.id, m.captured_by)
        or a.source_type = 'inspection' and a.source_id = m.inspection_id
        or a.closed_by is distinct from a.created_by and a.closed_by is distinct from a.done_by and a.closed_by is not null))
    or exists (select from public.issue_reports r where r.media_ids <> '[]' and r.media_ids ? p_file::text
      and r.organization_id = p_organization and r.deleted_at is null
      and (m.captured_by is null or m.captured_by = r.reported_by
        or r.decided_by is distinct from r.reported_by and r.decided_by is not null))));

revoke execute on function sync.note_held(), sync.has_held(text, uuid, uuid), sync.ends_own_action(public.action_items, uuid),
  sync.named_files(text, uuid, uuid) from public;
