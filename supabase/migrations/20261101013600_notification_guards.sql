-- Notifications: guards and what else triggers do.

create function inbox.guard_read_at() returns trigger language plpgsql set search_path = '' as $$
begin
  new.read_at := case when new.is_read and not old.is_read then now() when new.is_read then old.read_at end;
  return new;
end $$;
create trigger b_read_at before update on notifications for each row execute function inbox.guard_read_at();

create function inbox.guard_choice() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and (new.user_id, new.type, new.channel) is distinct from (old.user_id, old.type, old.channel) then
    raise exception 'a choice keeps its person, type and channel' using errcode = '42501', detail = 'CN395';
  end if;
  if exists (select from public.notification_types t where t.key = new.type and t.class <> 'normal') then
    raise exception 'what concerns safety and security is always told at once' using errcode = '42501', detail = 'CN396';
  end if;
  return new;
end $$;
create trigger b_guard before insert or update on notification_choices for each row execute function inbox.guard_choice();

-- Read or removed in the app: what has not gone out yet stays here.
create function inbox.cancel_read() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update inbox.delivery set state = 'cancelled', finished_at = now() where notification_id = new.id and state = 'waiting';
  return null;
end $$;
create trigger d_cancel after update on notifications for each row
  when (new.is_read and not old.is_read or new.deleted_at is not null and old.deleted_at is null) execute function inbox.cancel_read();

create function inbox.choices_changed() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform inbox.plan_again(new.user_id);
  return null;
end $$;
create trigger d_plan after insert or update on notification_choices for each row execute function inbox.choices_changed();
create trigger d_plan_first after insert on user_preferences for each row execute function inbox.choices_changed();
create trigger d_plan after update on wellness_settings for each row
  when (old.quiet_until is distinct from new.quiet_until) execute function inbox.choices_changed();
create trigger d_plan_first after insert on wellness_settings for each row
  when (new.quiet_until is not null) execute function inbox.choices_changed();
create trigger d_plan after update on user_preferences for each row
  when ((old.email_notifications, old.text_notifications, old.notification_time, old.timezone, old.quiet_hours_enabled, old.quiet_hours_start, old.quiet_hours_end, old.notification_settings)
    is distinct from (new.email_notifications, new.text_notifications, new.notification_time, new.timezone, new.quiet_hours_enabled, new.quiet_hours_start, new.quiet_hours_end, new.notification_settings))
  execute function inbox.choices_changed();

create function inbox.action_changed() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  actor constant uuid := coalesce(auth.uid(), case when tg_op = 'INSERT' then new.created_by end);
  ended constant boolean := inbox.action_ended(new.status) or new.deleted_at is not null;
  critical constant boolean := new.priority = 'critical';
  fresh constant boolean := tg_op = 'INSERT' or new.assignee_id is distinct from old.assignee_id;
begin
  if tg_op = 'UPDATE' then
    if ended then
      perform inbox.mark_resolved_read(new.id, array['action.assigned', 'action.critical', 'action.due_soon', 'action.overdue']);
    elsif new.assignee_id is distinct from old.assignee_id and old.assignee_id is not null then
      perform inbox.mark_resolved_read(new.id, array['action.assigned', 'action.critical', 'action.due_soon', 'action.overdue'], old.assignee_id);
    end if;
    if new.due_at is distinct from old.due_at then
      perform inbox.mark_resolved_read(new.id, array['action.due_soon', 'action.overdue']);
    end if;
  end if;
  if ended or new.assignee_id is null then return null; end if;
  if fresh or critical and tg_op = 'UPDATE' and old.priority <> 'critical' then
    perform inbox.notify(new.assignee_id, case when critical then 'action.critical' else 'action.assigned' end,
      'action/' || new.id::text || '/assigned/' || new.version::text, '/action-items/' || new.id::text,
      jsonb_build_object('title', new.title, 'by', inbox.name_of(actor)), new.id, new.organization_id, actor);
  end if;
  return null;
end $$;
create trigger x_notify_insert after insert on action_items for each row
  when (new.assignee_id is not null) execute function inbox.action_changed();
create trigger x_notify_update after update on action_items for each row
  when ((old.assignee_id, old.status, old.priority, old.due_at, old.deleted_at)
    is distinct from (new.assignee_id, new.status, new.priority, new.due_at, new.deleted_at))
  execute function inbox.action_changed();

create function inbox.inspection_changed() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  actor constant uuid := coalesce(auth.uid(), new.conducted_by);
  reviewer uuid;
begin
  if new.status = 'scheduled' and new.deleted_at is null and new.assigned_to is not null
    and (tg_op = 'INSERT' or new.assigned_to is distinct from old.assigned_to) then
    perform inbox.notify(new.assigned_to, 'inspection.assigned', 'inspection/' || new.id::text || '/assigned/' || new.version::text,
      '/field/' || new.id::text, jsonb_build_object('title', new.title, 'by', inbox.name_of(auth.uid())), new.id, new.organization_id, auth.uid());
  end if;
  if tg_op = 'UPDATE' and (new.status <> 'scheduled' or new.deleted_at is not null) then
    perform inbox.mark_resolved_read(new.id, array['inspection.assigned']);
  end if;
  if new.result = 'fail' and new.received_at is not null and new.deleted_at is null
    and (tg_op = 'INSERT' or old.received_at is null or old.result is distinct from 'fail') then
    for reviewer in select inbox.people_with('inspection.review', new.organization_id, new.site_id) loop
      perform inbox.notify(reviewer, 'inspection.failed', 'inspection/' || new.id::text || '/failed', '/field/' || new.id::text,
        jsonb_build_object('title', new.title, 'by', inbox.name_of(actor)), new.id, new.organization_id, actor);
    end loop;
  end if;
  return null;
end $$;
create trigger x_notify_update after update on inspections for each row
  when ((old.assigned_to, old.status, old.result, old.received_at, old.deleted_at)
    is distinct from (new.assigned_to, new.status, new.result, new.received_at, new.deleted_at))
  execute function inbox.inspection_changed();
create trigger x_notify_insert after insert on inspections for each row
  when (new.schedule_id is null and (new.status = 'scheduled' or new.result = 'fail' and new.finished_at > now() - interval '30 days'))
  execute function inbox.inspection_changed();

-- A device's edit that waits for its person's choice, or was refused: told also where that device is not at hand.
create function inbox.conflict_waits() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  unread constant uuid[] := array(
    select n.subject_id from public.notifications n
    where n.user_id = new.user_id and n.type = 'sync.conflict' and not n.is_read and n.deleted_at is null);
begin
  if tg_op = 'UPDATE' then
    if not exists (select from sync.conflict c where c.user_id = new.user_id and c.resolved_at is null) then
      perform inbox.mark_resolved_read(subject, array['sync.conflict'], new.user_id) from unnest(unread) subject;
    end if;
  elsif unread = '{}' then
    perform inbox.notify(new.user_id, 'sync.conflict', 'conflict/' || new.id::text, '/sync', '{}', new.id);
  end if;
  return null;
end $$;
create trigger x_notify_insert after insert on sync.conflict for each row execute function inbox.conflict_waits();
create trigger x_notify_resolved after update of resolved_at on sync.conflict for each row
  when (old.resolved_at is null and new.resolved_at is not null) execute function inbox.conflict_waits();

-- sync.finish_push forgets a refused edit, so that a retry is judged anew; one that went through has its result.
-- What was refused for its id goes again by itself, under another: nobody need be told.
create function inbox.edit_refused() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if old.op = 'insert' and sync.is_id_collision(jsonb_build_object('t', old.tbl, 'id', old.row_id, 'mid', old.mid), true) then return null; end if;
  perform inbox.notify(old.user_id, 'sync.refused', 'refused/' || old.mid::text, '/sync', '{}', old.row_id);
  return null;
end $$;
create trigger x_notify_refused after delete on sync.mutation for each row
  when (old.result is null and access.same_organization() is null) execute function inbox.edit_refused();

create function inbox.member_joined() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  organisation record;
  told uuid;
begin
  select o.name, o.kind into organisation from public.organizations o where o.id = new.organization_id;
  if organisation.kind is distinct from 'company' then return null; end if;
  for told in select inbox.people_with('people.manage', new.organization_id, null) loop
    perform inbox.notify(told, 'member.joined', 'member/' || new.id::text || '/joined/' || new.version::text, '/dashboard',
      jsonb_build_object('name', inbox.name_of(new.user_id), 'organization', organisation.name), new.user_id, new.organization_id, new.user_id);
  end loop;
  return null;
end $$;
create trigger x_notify_insert after insert on organization_members for each row
  when (new.deleted_at is null) execute function inbox.member_joined();
create trigger x_notify_again after update on organization_members for each row
  when (old.deleted_at is not null and new.deleted_at is null and access.same_organization() is null) execute function inbox.member_joined();

-- One notice at once, and one of all others, in ten minutes: whoever signs in again and again, each time as another device, sends no
-- letter and no text message with each.
create function inbox.signed_in() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  span constant interval := '10 minutes';
  agents_kept constant integer := 100;
  began constant timestamptz := date_bin(span, now(), '2000-01-01');
  notice constant text := 'sign-in/' || extract(epoch from began)::bigint::text;
  agent constant jsonb := jsonb_build_object('agent', left(new.user_agent, 300));
  others uuid;
  hash constant bytea := sha256(convert_to(coalesce(new.user_agent, ''), 'UTF8'));
  first boolean;
begin
  select not exists (select from inbox.known_device d where d.user_id = new.user_id) into first;
  insert into inbox.known_device (user_id, agent) values (new.user_id, hash) on conflict do nothing;
  if found and not first then
    delete from inbox.known_device d where d.user_id = new.user_id and d.agent not in (
      select k.agent from inbox.known_device k where k.user_id = new.user_id order by k.first_at desc, k.agent limit agents_kept);
    if inbox.notify(new.user_id, 'security.new_device', notice, '/profile', agent, new.id) is null then
      others := inbox.notify(new.user_id, 'security.new_device', notice || '/more', '/profile', agent, new.id);
      update inbox.delivery set due_at = greatest(due_at, began + span) where notification_id = others and state = 'waiting';
      if others is null then
        update public.notifications n set is_read = false,
          params = n.params || jsonb_build_object('more', coalesce((n.params ->> 'more')::integer, 0) + 1)
        where n.user_id = new.user_id and n.key = notice || '/more' and n.deleted_at is null;
      end if;
    end if;
  end if;
  return null;
exception when others then
  -- Nobody is kept out because they could not be told.
  raise warning 'inbox: a sign-in was not told (%)', sqlstate;
  return null;
end $$;

create function inbox.inspection_decided() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform inbox.mark_resolved_read(new.id, array['inspection.sent_back']);
  if new.status in ('has_issues', 'approved', 'rejected') and new.conducted_by is not null then
    perform inbox.notify(new.conducted_by,
      case new.status when 'has_issues' then 'inspection.sent_back' else 'inspection.' || new.status end,
      'inspection/' || new.id::text || '/' || new.status || '/' || new.round::text, '/field/' || new.id::text,
      jsonb_build_object('title', new.title, 'by', inbox.name_of(auth.uid())), new.id, new.organization_id, auth.uid());
  end if;
  return null;
end $$;
create trigger x_notify_decided after update of status on inspections for each row
  when (old.status is distinct from new.status and old.status in ('finalised', 'has_issues'))
  execute function inbox.inspection_decided();

-- Begun, moved or taken back: the reminder is settled.
create function inbox.occurrence_begun() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform inbox.mark_resolved_read(new.id, array['inspection.due_soon', 'inspection.missed']);
  return null;
end $$;
create trigger x_notify_begun after update of status, deleted_at on inspections for each row
  when (old.schedule_id is not null and old.status = 'scheduled' and (new.status <> 'scheduled' or new.deleted_at is not null))
  execute function inbox.occurrence_begun();

create function inbox.issue_reported() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  told uuid;
begin
  for told in select inbox.people_with('issue.triage', new.organization_id, new.site_id) loop
    -- The author is not told of their own report, and who asked not to be named is not given away by it either way.
    perform inbox.notify(told, case when new.severity = 'critical' then 'issue.critical' else 'issue.reported' end,
      'issue/' || new.id::text || '/reported', '/field/reports/' || new.id::text,
      jsonb_strip_nulls(jsonb_build_object('title', new.title, 'by', inbox.name_of(new.reported_by))),
      new.id, new.organization_id, new.reported_by);
  end loop;
  return null;
end $$;
create trigger x_notify_insert after insert on issue_reports for each row
  when (new.status = 'reported' and new.deleted_at is null) execute function inbox.issue_reported();

create function inbox.issue_decided() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if new.status <> 'reported' then perform inbox.mark_resolved_read(new.id, array['issue.reported', 'issue.critical']); end if;
  if new.reported_by is null then return null; end if;
  perform inbox.notify(new.reported_by, 'issue.progress', 'issue/' || new.id::text || '/' || new.status || '/' || new.version::text,
    '/field/reports/' || new.id::text, jsonb_build_object('title', new.title, 'status', new.status), new.id, new.organization_id, auth.uid());
  return null;
end $$;
create trigger x_notify_update after update on issue_reports for each row
  when (old.status is distinct from new.status) execute function inbox.issue_decided();

-- Whoever is to decide now; who is away is not disturbed, who stands in is told instead.
-- Who stands in is who may decide now, as the sweep has it.
-- Who stands in is told while they could decide, else whoever was asked.
create function inbox.approval_moved() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  w record;
begin
  if tg_op = 'UPDATE' then perform inbox.mark_resolved_read(new.id, array['approval.requested']); end if;
  if new.state = 'pending' then
    for w in select t.asked, t.told from inbox.people_of_approval(new) t loop
      perform inbox.notify(w.told, 'approval.requested', 'approval/' || new.id::text || '/' || new.stage::text || '/' || w.asked::text, new.path,
        jsonb_build_object('title', new.title, 'by', inbox.name_of(new.requested_by)), new.id, new.organization_id,
        case when w.asked = new.requested_by then null else new.requested_by end);
    end loop;
  elsif new.state <> 'withdrawn' then
    perform inbox.notify(new.requested_by, 'approval.decided', 'approval/' || new.id::text || '/' || new.state, new.path,
      jsonb_build_object('title', new.title, 'state', new.state), new.id, new.organization_id, auth.uid());
  end if;
  return null;
end $$;
create trigger x_notify_insert after insert on approval_requests for each row execute function inbox.approval_moved();
create trigger x_notify_update after update on approval_requests for each row
  when ((old.state, old.stage) is distinct from (new.state, new.stage)) execute function inbox.approval_moved();

-- A word given settles what was asked of this person; a no is told to whoever answers for the policy.
create function inbox.acknowledgement_decided() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  p public.policies;
begin
  if new.state in ('opened', 'void') then return null; end if;
  perform inbox.mark_resolved_read(new.policy_id, array['policy.requested', 'policy.due_soon', 'policy.overdue'], new.user_id);
  if new.state = 'declined' then
    select * into p from public.policies q where q.id = new.policy_id;
    perform inbox.notify(p.owner_id, 'policy.declined', 'acknowledgement/' || new.id::text || '/declined', '/policies/' || p.id::text,
      jsonb_build_object('title', p.title, 'by', inbox.name_of(new.user_id)), new.id, new.organization_id, new.user_id);
  end if;
  return null;
end $$;
create trigger x_notify_insert after insert on policy_acknowledgements for each row execute function inbox.acknowledgement_decided();
create trigger x_notify_update after update on policy_acknowledgements for each row
  when (old.state is distinct from new.state) execute function inbox.acknowledgement_decided();

create function inbox.task_changed() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  actor constant uuid := coalesce(auth.uid(), case when tg_op = 'INSERT' then new.created_by end);
  ended constant boolean := task.task_ended(new.status) or new.deleted_at is not null;
  path constant text := '/tasks/' || new.id::text;
begin
  if tg_op = 'UPDATE' then
    if ended then
      perform inbox.mark_resolved_read(new.id, array['task.assigned', 'task.due_soon', 'task.overdue', 'task.to_review']);
    elsif new.assignee_id is distinct from old.assignee_id and old.assignee_id is not null then
      perform inbox.mark_resolved_read(new.id, array['task.assigned', 'task.due_soon', 'task.overdue'], old.assignee_id);
    end if;
    if new.due_at is distinct from old.due_at then perform inbox.mark_resolved_read(new.id, array['task.due_soon', 'task.overdue']); end if;
    if old.status = 'in_review' and new.status <> 'in_review' then perform inbox.mark_resolved_read(new.id, array['task.to_review']); end if;
  end if;
  if ended then return null; end if;
  if new.assignee_id is not null and new.assignee_id is distinct from actor
    and (tg_op = 'INSERT' or new.assignee_id is distinct from old.assignee_id) then
    perform inbox.notify(new.assignee_id, 'task.assigned', 'task/' || new.id::text || '/assigned/' || new.version::text, path,
      jsonb_build_object('title', new.title, 'by', inbox.name_of(actor)), new.id, new.organization_id, actor);
  end if;
  if new.status = 'in_review' and new.reviewer_id is not null and (tg_op = 'INSERT' or old.status <> 'in_review') then
    perform inbox.notify(new.reviewer_id, 'task.to_review', 'task/' || new.id::text || '/to_review/' || new.version::text, path,
      jsonb_build_object('title', new.title, 'by', inbox.name_of(actor)), new.id, new.organization_id, actor);
  end if;
  return null;
end $$;
create trigger x_notify_update after update on tasks for each row
  when ((old.assignee_id, old.status, old.due_at, old.deleted_at) is distinct from (new.assignee_id, new.status, new.due_at, new.deleted_at))
  execute function inbox.task_changed();
create trigger x_notify_insert after insert on tasks for each row
  when (new.series_id is null and (new.assignee_id is not null or new.status = 'in_review')) execute function inbox.task_changed();

create function inbox.series_assigned() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform inbox.notify(new.assignee_id, 'task.assigned', 'series/' || new.id::text || '/assigned/' || new.version::text, '/tasks',
    jsonb_build_object('title', new.title, 'by', inbox.name_of(auth.uid())), new.id, new.organization_id, auth.uid());
  return null;
end $$;
create trigger x_notify_insert after insert on task_series for each row
  when (new.assignee_id is not null and new.assignee_id is distinct from new.created_by) execute function inbox.series_assigned();

-- What only reminds is what a person may switch off by a setting of its own; it waits for the end of quiet mode, and of quiet
-- hours should that fall into them.
create function inbox.defer_for_quiet() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  until constant timestamptz := inbox.quiet_until(new.user_id);
  s record;
begin
  if until is null or new.due_at >= until then return new; end if;
  if exists (select from public.notifications n join public.notification_types t on t.key = n.type
      where n.id = new.notification_id and t.class = 'normal' and t.setting is not null) then
    s := inbox.settings(new.user_id);
    new.due_at := inbox.send_time(until, 'immediate', false, s.zone, s.daily, s.quiet, s.quiet_start, s.quiet_end);
  end if;
  return new;
end $$;
create trigger b_quiet before insert or update of due_at on inbox.delivery for each row
  when (new.state = 'waiting') execute function inbox.defer_for_quiet();

-- What was done needs no reminding.
create function inbox.growth_answered() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_table_name = 'habit_entries' then perform inbox.mark_resolved_read(new.habit_id, array['habit.reminder'], new.user_id);
  else perform inbox.mark_resolved_read(new.user_id, array['wellness.reminder'], new.user_id); end if;
  return null;
end $$;
create trigger x_resolve_notices after insert or update on habit_entries for each row
  when (new.value <> 'unknown') execute function inbox.growth_answered();
create trigger x_resolve_notices after insert on wellness_check_ins for each row execute function inbox.growth_answered();

create function inbox.evidence_decided() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform inbox.mark_resolved_read(new.id, array['evidence.sent_back'], null);
  if new.state in ('superseded', 'withdrawn') then perform inbox.mark_resolved_read(new.id, array['evidence.expiring', 'evidence.expired'], null); end if;
  if new.state = 'sent_back' then
    perform inbox.notify(coalesce(new.owner_id, new.created_by), 'evidence.sent_back', 'evidence/' || new.id::text || '/sent_back/' || new.version::text,
      '/policies/evidence/' || new.id::text, jsonb_build_object('title', new.title, 'by', inbox.name_of(new.reviewed_by)), new.id,
      new.organization_id, new.reviewed_by);
  end if;
  return null;
end $$;
create trigger x_notify after update on evidence for each row when (old.state <> new.state) execute function inbox.evidence_decided();

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
  select * into of from comment.subject_of(new.subject_table, new.subject_id);
  for person in select m::uuid from jsonb_array_elements_text(new.mention_ids) m where tg_op = 'INSERT' or not old.mention_ids ? m loop
    if access.user_sees_scopes(person, new.organization_id, of.scopes) then
      perform inbox.notify(person, 'comment.mentioned', 'comment/' || new.id::text || '/mention', of.path,
        jsonb_build_object('title', of.title, 'by', inbox.name_of(new.author_id)), new.subject_id, new.organization_id, new.author_id);
    end if;
  end loop;
  if tg_op = 'UPDATE' or new.outside_name is not null then return null; end if;
  for person in select f from comment.followers(new.subject_table, new.subject_id) f where not new.mention_ids ? f::text loop
    perform inbox.notify(person, 'comment.added', 'comment/' || new.id::text, of.path,
      jsonb_build_object('title', of.title, 'by', inbox.name_of(new.author_id)), new.subject_id, new.organization_id, new.author_id);
  end loop;
  return null;
end $$;

-- Who said that they follow a record hears when it moves on.
create function inbox.followed_moved() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  of record;
  person uuid;
begin
  if coalesce(current_setting('sync.outside', true), '') <> '' then return null; end if;
  select * into of from comment.subject_of(tg_table_name, new.id);
  for person in select f.user_id from public.record_follows f where f.subject_id = new.id and f.is_following and f.deleted_at is null loop
    if access.user_sees_scopes(person, new.organization_id, of.scopes) then
      perform inbox.notify(person, 'record.moved', 'record/' || new.id::text || '/' || new.version::text, of.path,
        jsonb_build_object('title', of.title, 'by', inbox.name_of(auth.uid())), new.id, new.organization_id, auth.uid());
    end if;
  end loop;
  return null;
end $$;
create trigger x_notify_followed after update of status on inspections
  for each row when (((old.status is distinct from new.status) and (new.deleted_at is null))) execute function inbox.followed_moved();
create trigger x_notify_followed after update of status on action_items
  for each row when (((old.status is distinct from new.status) and (new.deleted_at is null))) execute function inbox.followed_moved();
create trigger x_notify_followed after update of status on tasks
  for each row when (((old.status is distinct from new.status) and (new.deleted_at is null))) execute function inbox.followed_moved();
create trigger x_notify_followed after update of status on issue_reports
  for each row when (((old.status is distinct from new.status) and (new.deleted_at is null))) execute function inbox.followed_moved();

-- Who made it hears that it is ready to be checked; where they did it themselves, whoever manages action items there.
-- Back to whoever has it.
create function inbox.action_moved() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
  person uuid;
begin
  perform inbox.mark_resolved_read(new.id, array['action.to_verify', 'action.risk_ended', 'action.check_due', 'action.sent_back']);
  if inbox.action_ended(new.status) then perform inbox.mark_resolved_read(new.id, array['action.escalated']); end if;
  if new.deleted_at is not null then return null; end if;
  if new.status = 'needs_revision' then
    for person in select distinct p from unnest(array[new.assignee_id, new.done_by]) p where p is not null and p is distinct from caller
    loop
      perform inbox.notify(person, 'action.sent_back', 'action/' || new.id::text || '/sent_back/' || new.version::text, '/action-items/' || new.id::text,
        jsonb_build_object('title', new.title, 'by', inbox.name_of(caller)), new.id, new.organization_id, caller);
    end loop;
  end if;
  if new.status <> 'ready_for_verification' then return null; end if;
  for person in
    select new.created_by where new.created_by is distinct from new.done_by and new.created_by is distinct from new.assignee_id
    union select q from inbox.people_with('action.manage', new.organization_id, new.site_id) q
      where q is distinct from new.assignee_id and (new.created_by is null or new.created_by in (new.done_by, new.assignee_id))
  loop
    perform inbox.notify(person, 'action.to_verify', 'action/' || new.id::text || '/to_verify/' || new.version::text, '/action-items/' || new.id::text,
      jsonb_build_object('title', new.title, 'by', inbox.name_of(new.done_by)), new.id, new.organization_id, new.done_by);
  end loop;
  return null;
end $$;
create trigger x_notify_moved after update of status on action_items for each row
  when (old.status is distinct from new.status) execute function inbox.action_moved();

create function inbox.action_checked() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform inbox.mark_resolved_read(new.id, array['action.check_due']);
  return null;
end $$;
create trigger x_notify_checked after update on action_items for each row
  when ((old.outcome, old.check_on) is distinct from (new.outcome, new.check_on)) execute function inbox.action_checked();

-- Who is told: of what waits for an answer who is responsible, or who answers where nobody is; of an answer who raised it; of a
-- verdict who answered.
create function inbox.finding_moved() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  by_id constant uuid := case new.state when 'open' then new.raised_by when 'answered' then new.answered_by else new.decided_by end;
  told uuid;
begin
  perform inbox.mark_resolved_read(new.id, array['finding.raised', 'finding.answered', 'finding.reopened', 'finding.closed'], null);
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

-- What was answered, or is asked no longer, needs no reminding.
create function inbox.questionnaire_answered() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_table_name = 'forms' then perform inbox.mark_resolved_read(new.id, array['wellness.look']);
  else perform inbox.mark_resolved_read(new.form_id, array['wellness.look']); end if;
  return null;
end $$;
create trigger x_resolve_questionnaire_notice after update on inspections for each row
  when (old.finished_at is null and new.finished_at is not null) execute function inbox.questionnaire_answered();
create trigger x_resolve_questionnaire_notice after update on forms for each row
  when (old.category = 'wellness' and (new.category is distinct from 'wellness' or new.deleted_at is not null)) execute function inbox.questionnaire_answered();

-- What a guest's word said is settled once the item has moved on.
create function inbox.guest_link_ended() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if new.status <> 'ready_for_verification' then perform inbox.mark_resolved_read(new.id, array['action.guest_done']); end if;
  if inbox.action_ended(new.status) then perform inbox.mark_resolved_read(new.id, array['action.guest_accepted', 'action.guest_declined']); end if;
  return null;
end $$;
create trigger x_notify_guest after update of status on action_items for each row
  when (old.status is distinct from new.status) execute function inbox.guest_link_ended();

create function inbox.critical_unassigned() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  actor constant uuid := coalesce(auth.uid(), new.created_by);
  person uuid;
  waits constant boolean := new.priority = 'critical' and new.assignee_id is null and new.deleted_at is null and not inbox.action_ended(new.status);
  waited constant boolean := tg_op = 'UPDATE'
    and old.priority = 'critical' and old.assignee_id is null and old.deleted_at is null and not inbox.action_ended(old.status);
begin
  if waited and not waits then perform inbox.mark_resolved_read(new.id, array['action.unassigned']); end if;
  if waited or not waits then return null; end if;
  for person in select p from inbox.people_with('action.manage', new.organization_id, new.site_id) p where p <> actor loop
    perform inbox.notify(person, 'action.unassigned', 'action/' || new.id::text || '/unassigned/' || new.version::text, '/action-items/' || new.id::text,
      jsonb_build_object('title', new.title), new.id, new.organization_id, actor);
  end loop;
  return null;
end $$;
create trigger x_notify_critical after insert or update on action_items for each row execute function inbox.critical_unassigned();

-- The server forgot a number, or its person did.
create function inbox.number_changed() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform inbox.plan_again(new.id);
  return null;
end $$;
create trigger cairn_number_changed after update of phone, phone_confirmed_at on auth.users for each row
  when (old.phone is distinct from new.phone) execute function inbox.number_changed();

create function inbox.plan_habit() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if new.remind_at is not null and new.deleted_at is null and new.archived_at is null then
    perform inbox.plan_reminder('habit', new.id, new.user_id);
  else
    delete from inbox.reminder r where r.kind = 'habit' and r.subject_id = new.id;
  end if;
  return null;
end $$;
create trigger x_remind_first after insert on public.habits for each row when (new.remind_at is not null) execute function inbox.plan_habit();
create trigger x_remind after update on public.habits for each row
  when (old.remind_at is not null or new.remind_at is not null) execute function inbox.plan_habit();

-- With the clock of a person, or their quiet mode, everything of theirs is reckoned anew.
create function inbox.plan_person() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_table_name = 'wellness_settings' then
    if new.check_in_at is not null and new.deleted_at is null then perform inbox.plan_reminder('check_in', new.user_id, new.user_id); end if;
  end if;
  update inbox.reminder r set next_at = '-infinity' where r.user_id = new.user_id and r.next_at > '-infinity';
  return null;
end $$;
create trigger x_remind after insert or update on public.wellness_settings for each row execute function inbox.plan_person();
create trigger x_remind_first after insert on public.user_preferences for each row execute function inbox.plan_person();
create trigger x_remind after update on public.user_preferences for each row
  when ((old.timezone, old.notification_time, old.deleted_at) is distinct from (new.timezone, new.notification_time, new.deleted_at))
  execute function inbox.plan_person();

create function inbox.plan_look() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform inbox.plan_reminder('look', o.created_by, o.created_by) from public.organizations o
    where o.id = new.organization_id and o.kind = 'private' and o.created_by is not null;
  return null;
end $$;
create trigger x_remind after insert or update on public.forms for each row
  when (new.category = 'wellness' and new.state = 'published' and new.deleted_at is null) execute function inbox.plan_look();

create function inbox.plan_talk() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform inbox.plan_reminder('talk', new.id, new.subject_id), inbox.plan_reminder('talk', new.id, new.helper_id);
  return null;
end $$;
create trigger x_remind after insert or update on public.circle_relationships for each row
  when (new.cadence_days is not null and new.state = 'active' and new.deleted_at is null) execute function inbox.plan_talk();

-- Triggers whose functions stand with another area.

create trigger d_derived_id before insert on notification_choices for each row
  when (sync.is_derived(new.id)) execute function sync.guard_derived_id();
create trigger a0_require_push before insert on notification_choices for each statement execute function sync.require_push();

-- Where the platform does not let us listen to sessions, this one is not told.
do $$
begin
  create trigger cairn_signed_in after insert on auth.sessions for each row execute function inbox.signed_in();
exception when insufficient_privilege or undefined_table then
  raise notice 'inbox: sign-ins from new devices are not told on this platform';
end $$;

-- Who may call what.
revoke execute on function inbox.guard_read_at(), inbox.guard_choice(), inbox.cancel_read(), inbox.choices_changed(), inbox.action_changed(),
  inbox.inspection_changed(), inbox.conflict_waits(), inbox.edit_refused(), inbox.member_joined(), inbox.signed_in(), inbox.inspection_decided(),
  inbox.occurrence_begun(), inbox.issue_reported(), inbox.issue_decided(), inbox.approval_moved(), inbox.acknowledgement_decided(),
  inbox.task_changed(), inbox.series_assigned(), inbox.defer_for_quiet(), inbox.growth_answered(), inbox.evidence_decided(), inbox.commented(),
  inbox.followed_moved(), inbox.action_moved(), inbox.action_checked(), inbox.finding_moved(), inbox.questionnaire_answered(), inbox.guest_link_ended(),
  inbox.critical_unassigned(), inbox.number_changed(), inbox.plan_habit(), inbox.plan_person(), inbox.plan_look(), inbox.plan_talk() from public;
