-- Made by tools/gen-functions.ts from supabase/migrations: the functions of schema inbox as they are now. Do not edit: npm run gen.

CREATE OR REPLACE FUNCTION inbox.acknowledgement_decided()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION inbox.action_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION inbox.action_checked()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform inbox.mark_resolved_read(new.id, array['action.check_due']);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION inbox.action_ended(p_status text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN (p_status = ANY (ARRAY['closed'::text, 'risk_accepted'::text, 'duplicate'::text, 'not_valid'::text]));

CREATE OR REPLACE FUNCTION inbox.action_moved()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION inbox.approval_moved()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION inbox.cadence(p_user uuid, t notification_types, p_channel text, p_settings record)
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  chosen text;
begin
  if p_channel = 'text' and not p_settings.text_on then return 'off'; end if;
  if t.class <> 'normal' then return 'immediate'; end if;
  if p_channel = 'email' and not p_settings.email_on or p_channel = 'push' and not p_settings.push_on then return 'off'; end if;
  if t.setting is not null and p_settings.switches ->> t.setting = 'false' then return 'off'; end if;
  chosen := coalesce(
    (select c.cadence from public.notification_choices c
      where c.user_id = p_user and c.type = t.key and c.deleted_at is null
        and c.channel = case p_channel when 'text' then 'push' else p_channel end),
    case p_channel when 'email' then t.email else t.push end);
  return case when p_channel = 'text' and chosen <> 'immediate' then 'off' else chosen end;
end $function$;

CREATE OR REPLACE FUNCTION inbox.cancel_read()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update inbox.delivery set state = 'cancelled', finished_at = now() where notification_id = new.id and state = 'waiting';
  return null;
end $function$;

CREATE OR REPLACE FUNCTION inbox.choices_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform inbox.plan_again(new.user_id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION inbox.claim(p_channel text, p_now timestamp with time zone DEFAULT now(), p_people integer DEFAULT 50, p_one boolean DEFAULT false)
 RETURNS TABLE(delivery uuid, person uuid, cadence text, email text, phone text, language text, zone text, notification uuid, type text, module text, class text, private boolean, params jsonb, path text, told_at timestamp with time zone)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  people uuid[];
  taken constant uuid := gen_random_uuid();
begin
  -- Whose every notice was cancelled gets no mail; the next one may.
  loop
    select array_agg(locked.user_id) into people from (
      select r.user_id from inbox.recipient r
      where r.user_id in (select d.user_id from inbox.delivery d where d.state = 'waiting' and d.channel = p_channel and d.due_at <= p_now)
      order by r.served_at, r.user_id limit p_people for update skip locked) locked;
    exit when people is null;
    update inbox.recipient r set served_at = clock_timestamp() where r.user_id = any (people);
    -- Who left the organisation since is not told of it any more. Asked once for each of their organisations, not for each row.
    update inbox.delivery d set state = 'cancelled', finished_at = now()
      from public.notifications n, (
        select x.user_id, x.organization_id from (
          select distinct w.user_id, n.organization_id from inbox.delivery w join public.notifications n on n.id = w.notification_id
          where w.user_id = any (people) and w.state = 'waiting' and n.organization_id is not null offset 0) x
        where not access.is_member(x.organization_id, x.user_id)) gone
      where d.notification_id = n.id and d.state = 'waiting' and d.user_id = gone.user_id and n.organization_id = gone.organization_id;
    with due as (
      select w.id, w.cadence,
        row_number() over (partition by w.user_id, w.cadence = 'daily' order by w.created_at, w.id) as nth,
        bool_or(w.cadence <> 'daily') over (partition by w.user_id) as has_sooner
      from inbox.delivery w
      where w.user_id = any (people) and w.state = 'waiting' and w.channel = p_channel and w.due_at <= p_now
    )
    update inbox.delivery d set state = 'sending', claim = taken, claimed_at = now(), attempts = d.attempts + 1
      from due where d.id = due.id and (not p_one
        or due.has_sooner and due.cadence <> 'daily' and due.nth = 1
        or not due.has_sooner and due.nth <= 500);
    exit when found;
  end loop;
  return query
    select d.id, d.user_id, d.cadence, u.email::text, inbox.text_number(u.id), s.language, s.zone, n.id, n.type, n.module, t.class,
      t.private, n.params, n.path, n.created_at
    from inbox.delivery d
    join public.notifications n on n.id = d.notification_id
    join public.notification_types t on t.key = n.type
    join auth.users u on u.id = d.user_id
    cross join lateral inbox.settings(d.user_id) s
    where d.claim = taken and d.state = 'sending' order by d.user_id, n.created_at, n.id;
end $function$;

CREATE OR REPLACE FUNCTION inbox.clock(p_clock text, p_else time without time zone)
 RETURNS time without time zone
 LANGUAGE sql
 IMMUTABLE
RETURN CASE WHEN (p_clock ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'::text) THEN (p_clock)::time without time zone ELSE p_else END;

CREATE OR REPLACE FUNCTION inbox.commented()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION inbox.conflict_waits()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION inbox.critical_unassigned()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION inbox.defer_for_quiet()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION inbox.delivery_delay(p_channel text, p_class text)
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
RETURN CASE WHEN ((p_channel = ANY (ARRAY['email'::text, 'text'::text])) AND (p_class = 'normal'::text)) THEN '00:02:00'::interval ELSE '00:00:00'::interval END;

CREATE OR REPLACE FUNCTION inbox.due(p_from timestamp with time zone, p_cadence text, p_channel text, p_class text, s record)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return inbox.send_time(p_from + case p_cadence when 'immediate' then inbox.delivery_delay(p_channel, p_class) else interval '0' end,
    p_cadence, p_class <> 'normal', s.zone, s.daily, s.quiet, s.quiet_start, s.quiet_end);
end $function$;

CREATE OR REPLACE FUNCTION inbox.due_reminders(p_kind text, p_now timestamp with time zone, p_limit integer)
 RETURNS TABLE(subject_id uuid, user_id uuid, turn bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select d.subject_id, d.user_id, d.turn from (
    select r.subject_id, r.user_id, r.next_at, row_number() over (partition by r.user_id order by r.next_at, r.subject_id) as turn
    from inbox.reminder r where r.kind = p_kind and r.next_at <= p_now) d
  order by d.turn, d.next_at, d.user_id limit p_limit
$function$;

CREATE OR REPLACE FUNCTION inbox.edit_refused()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if old.op = 'insert' and sync.is_id_collision(jsonb_build_object('t', old.tbl, 'id', old.row_id, 'mid', old.mid), true) then return null; end if;
  perform inbox.notify(old.user_id, 'sync.refused', 'refused/' || old.mid::text, '/sync', '{}', old.row_id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION inbox.escalation_people(a action_items, p_step integer)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select distinct p from (
    select unnest(array[a.assignee_id, a.created_by]) as p where p_step = 1
    union all select inbox.people_with('action.manage', a.organization_id, a.site_id) where p_step = 2
    union all select inbox.people_with('people.manage', a.organization_id, null) where p_step = 3) x
  where p is not null
$function$;

CREATE OR REPLACE FUNCTION inbox.evidence_decided()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform inbox.mark_resolved_read(new.id, array['evidence.sent_back'], null);
  if new.state in ('superseded', 'withdrawn') then perform inbox.mark_resolved_read(new.id, array['evidence.expiring', 'evidence.expired'], null); end if;
  if new.state = 'sent_back' then
    perform inbox.notify(coalesce(new.owner_id, new.created_by), 'evidence.sent_back', 'evidence/' || new.id::text || '/sent_back/' || new.version::text,
      '/policies/evidence/' || new.id::text, jsonb_build_object('title', new.title, 'by', inbox.name_of(new.reviewed_by)), new.id,
      new.organization_id, new.reviewed_by);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION inbox.finding_moved()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION inbox.followed_moved()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION inbox.forget_push(p_endpoint text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  delete from inbox.push_subscription where endpoint = p_endpoint
$function$;

CREATE OR REPLACE FUNCTION inbox.growth_answered()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_table_name = 'habit_entries' then perform inbox.mark_resolved_read(new.habit_id, array['habit.reminder'], new.user_id);
  else perform inbox.mark_resolved_read(new.user_id, array['wellness.reminder'], new.user_id); end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION inbox.guard_choice()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'UPDATE' and (new.user_id, new.type, new.channel) is distinct from (old.user_id, old.type, old.channel) then
    raise exception 'a choice keeps its person, type and channel' using errcode = '42501', detail = 'CN395';
  end if;
  if exists (select from public.notification_types t where t.key = new.type and t.class <> 'normal') then
    raise exception 'what concerns safety and security is always told at once' using errcode = '42501', detail = 'CN396';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION inbox.guard_read_at()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.read_at := case when new.is_read and not old.is_read then now() when new.is_read then old.read_at end;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION inbox.guest_link_ended()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if new.status <> 'ready_for_verification' then perform inbox.mark_resolved_read(new.id, array['action.guest_done']); end if;
  if inbox.action_ended(new.status) then perform inbox.mark_resolved_read(new.id, array['action.guest_accepted', 'action.guest_declined']); end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION inbox.has_text_room(p_user uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  per_ten_minutes constant integer := 10;     -- of a person, who has one number
  per_day         constant integer := 30;     -- of a person
  per_hour_of_all constant integer := 300;
begin
  return (select count(*) from inbox.delivery d
      where d.channel = 'text' and d.user_id = p_user and d.created_at > now() - interval '10 minutes') < per_ten_minutes
    and (select count(*) from inbox.delivery d
      where d.channel = 'text' and d.user_id = p_user and d.created_at > now() - interval '1 day') < per_day
    and (select count(*) from inbox.delivery d
      where d.channel = 'text' and d.created_at > now() - interval '1 hour') < per_hour_of_all;
end $function$;

CREATE OR REPLACE FUNCTION inbox.inspection_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION inbox.inspection_decided()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform inbox.mark_resolved_read(new.id, array['inspection.sent_back']);
  if new.status in ('has_issues', 'approved', 'rejected') and new.conducted_by is not null then
    perform inbox.notify(new.conducted_by,
      case new.status when 'has_issues' then 'inspection.sent_back' else 'inspection.' || new.status end,
      'inspection/' || new.id::text || '/' || new.status || '/' || new.round::text, '/field/' || new.id::text,
      jsonb_build_object('title', new.title, 'by', inbox.name_of(auth.uid())), new.id, new.organization_id, auth.uid());
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION inbox.is_quiet(p_at timestamp with time zone, p_zone text, p_start time without time zone, p_end time without time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select case
    when p_start = p_end then false
    when p_start < p_end then t >= p_start and t < p_end
    else t >= p_start or t < p_end end
  from (select (p_at at time zone p_zone)::time as t) local
$function$;

CREATE OR REPLACE FUNCTION inbox.issue_decided()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if new.status <> 'reported' then perform inbox.mark_resolved_read(new.id, array['issue.reported', 'issue.critical']); end if;
  if new.reported_by is null then return null; end if;
  perform inbox.notify(new.reported_by, 'issue.progress', 'issue/' || new.id::text || '/' || new.status || '/' || new.version::text,
    '/field/reports/' || new.id::text, jsonb_build_object('title', new.title, 'status', new.status), new.id, new.organization_id, auth.uid());
  return null;
end $function$;

CREATE OR REPLACE FUNCTION inbox.issue_reported()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION inbox.language(p_user uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(
    (select p.language from public.user_preferences p where p.user_id = p_user and p.deleted_at is null and p.locale_chosen),
    (select substring(u.raw_user_meta_data ->> 'locale' from '^[a-z]{2}(?:-[A-Z]{2})?$') from auth.users u where u.id = p_user),
    'en')
$function$;

CREATE OR REPLACE FUNCTION inbox.last_occurrence_at(p_now timestamp with time zone, p_zone text, p_clock text)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select n.at from (select inbox.next_local(p_now - interval '2 hours', p_zone, p_clock::time) as at) n where n.at <= p_now
$function$;

CREATE OR REPLACE FUNCTION inbox.mark_resolved_read(p_subject uuid, p_types text[], p_user uuid DEFAULT NULL::uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.notifications set is_read = true
  where subject_id = p_subject and type = any (p_types) and not is_read and deleted_at is null and (p_user is null or user_id = p_user);
end $function$;

CREATE OR REPLACE FUNCTION inbox.member_joined()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION inbox.name_of(p_user uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select p.display_name from public.people p where p.id = p_user
$function$;

CREATE OR REPLACE FUNCTION inbox.next_local(p_from timestamp with time zone, p_zone text, p_time time without time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select min(c.at) from generate_series(-1, 2) d,
    lateral (select ((p_from at time zone p_zone)::date + d + p_time) at time zone p_zone as at) c
  where c.at >= p_from
$function$;

CREATE OR REPLACE FUNCTION inbox.note_swept(p_key text, p_user uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  insert into inbox.sweep_mark (key, user_id) values (p_key || ' ' || p_user::text, p_user) on conflict do nothing
$function$;

CREATE OR REPLACE FUNCTION inbox.note_turns(p_keys text[])
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  insert into inbox.sweep_mark (key, swept_at) select k, clock_timestamp() from unnest(p_keys) k
    on conflict (key) do update set swept_at = excluded.swept_at
$function$;

CREATE OR REPLACE FUNCTION inbox.notify(p_user uuid, p_type text, p_key text, p_path text, p_params jsonb DEFAULT '{}'::jsonb, p_subject uuid DEFAULT NULL::uuid, p_organization uuid DEFAULT NULL::uuid, p_by uuid DEFAULT NULL::uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  t public.notification_types;
  s record;
  told uuid;
  channel text;
  chosen text;
  row_scopes text[];
begin
  if p_user is null or p_user = p_by then return null; end if;
  if p_organization is not null and not access.is_member(p_organization, p_user) then return null; end if;
  row_scopes := inbox.subject_scopes(p_type, p_subject);
  if p_organization is not null and row_scopes is not null
    and not access.user_sees_scopes(p_user, p_organization, row_scopes) then return null; end if;
  select * into strict t from public.notification_types n where n.key = p_type;
  insert into public.notifications (user_id, organization_id, type, module, key, subject_id, params, path)
    values (p_user, p_organization, p_type, t.module, p_key, p_subject, jsonb_strip_nulls(inbox.on_one_line(p_params)), p_path)
    on conflict (user_id, key) do nothing returning id into told;
  if told is null then return null; end if;
  s := inbox.settings(p_user);
  foreach channel in array array['push', 'email', 'text'] loop
    chosen := inbox.cadence(p_user, t, channel, s);
    continue when chosen = 'off' or channel = 'push' and not exists (select from inbox.push_subscription b where b.user_id = p_user);
    continue when channel = 'text' and not inbox.has_text_room(p_user);
    insert into inbox.recipient (user_id) values (p_user) on conflict do nothing;
    insert into inbox.delivery (notification_id, user_id, channel, cadence, due_at)
      values (told, p_user, channel, chosen, inbox.due(now(), chosen, channel, t.class, s));
  end loop;
  return told;
exception
  when serialization_failure or deadlock_detected or lock_not_available then raise;
  when others then
    raise warning 'inbox: % was not told (%)', p_type, sqlstate;
    return null;
end $function$;

CREATE OR REPLACE FUNCTION inbox.number_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform inbox.plan_again(new.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION inbox.occurrence_begun()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform inbox.mark_resolved_read(new.id, array['inspection.due_soon', 'inspection.missed']);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION inbox.occurrence_people(i inspections)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select i.assigned_to where i.assigned_to is not null
  union select m.user_id from public.team_members m where i.assigned_to is null and m.team_id = i.assigned_team and m.deleted_at is null
  union select m.user_id from public.site_members m
    where i.assigned_to is null and i.assigned_team is null and m.site_id = i.site_id and m.deleted_at is null
$function$;

CREATE OR REPLACE FUNCTION inbox.on_one_line(p_params jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_object_agg(p.key, case jsonb_typeof(p.value)
    when 'string' then to_jsonb(nullif(content.one_line(p.value #>> '{}', 1000), '')) else p.value end), '{}')
  from jsonb_each(p_params) p
$function$;

CREATE OR REPLACE FUNCTION inbox.orphaned_edits_decided(p_organization uuid, p_user uuid, p_type text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select inbox.notify(p_user, p_type, p_type || '/' || p_organization::text || '/' || to_char(now() at time zone 'UTC', 'YYYY-MM-DD'),
    '/sync', (select jsonb_build_object('organization', o.name) from public.organizations o where o.id = p_organization))
$function$;

CREATE OR REPLACE FUNCTION inbox.people_of_approval(r approval_requests)
 RETURNS TABLE(asked uuid, told uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with able as materialized (select h as person from approval.holders(r.permission, r.organization_id) h),
  deputies as materialized (
    select distinct d.from_id, d.to_id from public.approval_delegations d
    where d.organization_id = r.organization_id and d.from_id in (select approval.people_of_stage(r)) and d.deleted_at is null and d.revoked_at is null
      and now() >= d.starts_at and now() < d.ends_at and access.has_enterprise_plan(r.organization_id)
      and d.from_id in (select person from able) and d.to_id in (select person from able)
      and d.to_id is distinct from r.requested_by and approval.sees_subject(r, d.to_id))
  select p, coalesce(d.to_id, p) from approval.people_of_stage(r) p left join deputies d on d.from_id = p
$function$;

CREATE OR REPLACE FUNCTION inbox.people_with(p_permission text, p_organization uuid, p_site uuid)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select m.user_id from public.organization_members m
  where m.organization_id = p_organization and access.is_member(m.organization_id, m.user_id)
    and exists (select from public.role_permissions r
      where r.role_kind = 'organization' and r.role = m.role and r.permission = p_permission and r.deleted_at is null)
    and (p_site is null
      or exists (select from public.site_members s where s.site_id = p_site and s.user_id = m.user_id and s.deleted_at is null)
      or not m.site_limited and exists (select from public.role_permissions r
        where r.role_kind = 'organization' and r.role = m.role and r.permission = 'place.all' and r.deleted_at is null))
$function$;

CREATE OR REPLACE FUNCTION inbox.plan_again(p_user uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  s record := inbox.settings(p_user);
begin
  update inbox.delivery d
    set state = case when p.cadence = 'off' then 'cancelled' else 'waiting' end,
      finished_at = case when p.cadence = 'off' then now() end,
      cadence = case when p.cadence = 'off' then d.cadence else p.cadence end,
      due_at = case when p.cadence = 'off' then d.due_at else inbox.due(now(), p.cadence, d.channel, p.class, s) end
    from (select w.id, t.class, inbox.cadence(p_user, t, w.channel, s) as cadence
          from inbox.delivery w join public.notifications n on n.id = w.notification_id join public.notification_types t on t.key = n.type
          where w.user_id = p_user and w.state = 'waiting') p
    where d.id = p.id and d.state = 'waiting';
end $function$;

CREATE OR REPLACE FUNCTION inbox.plan_habit()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if new.remind_at is not null and new.deleted_at is null and new.archived_at is null then
    perform inbox.plan_reminder('habit', new.id, new.user_id);
  else
    delete from inbox.reminder r where r.kind = 'habit' and r.subject_id = new.id;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION inbox.plan_look()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform inbox.plan_reminder('look', o.created_by, o.created_by) from public.organizations o
    where o.id = new.organization_id and o.kind = 'private' and o.created_by is not null;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION inbox.plan_person()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_table_name = 'wellness_settings' then
    if new.check_in_at is not null and new.deleted_at is null then perform inbox.plan_reminder('check_in', new.user_id, new.user_id); end if;
  end if;
  update inbox.reminder r set next_at = '-infinity' where r.user_id = new.user_id and r.next_at > '-infinity';
  return null;
end $function$;

CREATE OR REPLACE FUNCTION inbox.plan_reminder(p_kind text, p_subject uuid, p_user uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  insert into inbox.reminder as r (kind, subject_id, user_id) values (p_kind, p_subject, p_user)
    on conflict (kind, subject_id, user_id) do update set next_at = '-infinity' where r.next_at > '-infinity'
$function$;

CREATE OR REPLACE FUNCTION inbox.plan_talk()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform inbox.plan_reminder('talk', new.id, new.subject_id), inbox.plan_reminder('talk', new.id, new.helper_id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION inbox.push_targets(p_user uuid)
 RETURNS TABLE(endpoint text, p256dh text, auth text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select b.endpoint, b.p256dh, b.auth from inbox.push_subscription b
  where b.user_id = p_user and (b.session_id is null or exists (
    select from auth.sessions s where s.id = b.session_id and (s.not_after is null or s.not_after > now())))
$function$;

CREATE OR REPLACE FUNCTION inbox.questionnaire_answered()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_table_name = 'forms' then perform inbox.mark_resolved_read(new.id, array['wellness.look']);
  else perform inbox.mark_resolved_read(new.form_id, array['wellness.look']); end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION inbox.quiet_until(p_user uuid)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select w.quiet_until from public.wellness_settings w where w.user_id = p_user and w.deleted_at is null
$function$;

CREATE OR REPLACE FUNCTION inbox.record_delivery(p_deliveries uuid[], p_outcome text, p_error text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  update inbox.delivery set
    state = case when p_outcome = 'sent' then 'sent' when p_outcome = 'again' and attempts < 5 then 'waiting' else 'failed' end,
    due_at = case when p_outcome = 'again' then now() + interval '1 minute' * 4 ^ (attempts - 1) else due_at end,
    finished_at = case when p_outcome = 'again' and attempts < 5 then null else now() end,
    error = p_error
  where id = any (p_deliveries) and state = 'sending'
$function$;

CREATE OR REPLACE FUNCTION inbox.reminder_clock(p_kind text, p_subject uuid, p_user uuid, p_daily time without time zone)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select case p_kind
    when 'habit' then (select h.remind_at from public.habits h
      where h.id = p_subject and h.user_id = p_user and h.deleted_at is null and h.archived_at is null)
    when 'check_in' then (select w.check_in_at from public.wellness_settings w where w.user_id = p_user and w.deleted_at is null)
    when 'look' then (select coalesce((select w.check_in_at from public.wellness_settings w where w.user_id = p_user and w.deleted_at is null), p_daily::text)
      where exists (select from public.forms f join public.organizations o on o.id = f.organization_id and o.kind = 'private' and o.deleted_at is null
        where o.created_by = p_user and f.category = 'wellness' and f.state = 'published' and f.deleted_at is null))
    else (select p_daily::text from public.circle_relationships r
      where r.id = p_subject and p_user in (r.subject_id, r.helper_id) and r.cadence_days is not null and r.state = 'active' and r.deleted_at is null) end
$function$;

CREATE OR REPLACE FUNCTION inbox.send_time(p_from timestamp with time zone, p_cadence text, p_bypass boolean, p_zone text, p_daily time without time zone, p_quiet boolean, p_start time without time zone, p_end time without time zone)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  at timestamptz := p_from;
begin
  if p_bypass then return p_from; end if;
  if p_cadence = 'daily' then at := inbox.next_local(p_from, p_zone, p_daily); end if;
  -- The end of quiet hours may be moved by a clock change into quiet hours that nearly fill the day.
  for attempt in 1 .. 3 loop
    exit when not p_quiet or not inbox.is_quiet(at, p_zone, p_start, p_end);
    at := inbox.next_local(at + interval '1 microsecond', p_zone, p_end);
  end loop;
  return at;
end $function$;

CREATE OR REPLACE FUNCTION inbox.series_assigned()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform inbox.notify(new.assignee_id, 'task.assigned', 'series/' || new.id::text || '/assigned/' || new.version::text, '/tasks',
    jsonb_build_object('title', new.title, 'by', inbox.name_of(auth.uid())), new.id, new.organization_id, auth.uid());
  return null;
end $function$;

CREATE OR REPLACE FUNCTION inbox.set_text(p_on boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into inbox.server_channel (channel, is_on) values ('text', p_on)
    on conflict (channel) do update set is_on = excluded.is_on;
  if not p_on then
    update inbox.delivery set state = 'cancelled', finished_at = now() where channel = 'text' and state = 'waiting';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION inbox.settings(p_user uuid, OUT zone text, OUT language text, OUT daily time without time zone, OUT quiet boolean, OUT quiet_start time without time zone, OUT quiet_end time without time zone, OUT email_on boolean, OUT push_on boolean, OUT switches jsonb, OUT text_on boolean)
 RETURNS record
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  p public.user_preferences;
begin
  select * into p from public.user_preferences u where u.user_id = p_user and u.deleted_at is null;
  zone := inbox.zone(coalesce(p.timezone, 'UTC'));
  language := inbox.language(p_user);
  daily := inbox.clock(p.notification_time, '09:00');
  quiet := coalesce(p.quiet_hours_enabled, false);
  quiet_start := inbox.clock(p.quiet_hours_start, '22:00');
  quiet_end := inbox.clock(p.quiet_hours_end, '08:00');
  switches := coalesce(p.notification_settings, '{}');
  email_on := coalesce(p.email_notifications, true) and coalesce(switches ->> 'email_enabled', 'true') <> 'false';
  push_on := coalesce(switches ->> 'push_enabled', 'true') <> 'false';
  text_on := coalesce(p.text_notifications, false)
    and exists (select from inbox.server_channel c where c.channel = 'text' and c.is_on)
    and inbox.text_number(p_user) is not null;
end $function$;

CREATE OR REPLACE FUNCTION inbox.signed_in()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION inbox.strike(p_kind text, p_subject uuid, p_user uuid, p_now timestamp with time zone)
 RETURNS date
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  s constant record := inbox.settings(p_user);
  clock constant text := inbox.reminder_clock(p_kind, p_subject, p_user, s.daily);
  quiet constant timestamptz := inbox.quiet_until(p_user);
  struck timestamptz;
  following timestamptz;
begin
  if clock is null then
    delete from inbox.reminder r where r.kind = p_kind and r.subject_id = p_subject and r.user_id = p_user;
    return null;
  end if;
  struck := inbox.last_occurrence_at(p_now, s.zone, clock);
  following := inbox.next_local(p_now + interval '1 second', s.zone, clock::time);
  update inbox.reminder r set next_at = case when struck is not null and quiet > p_now then least(quiet, following) else following end
    where r.kind = p_kind and r.subject_id = p_subject and r.user_id = p_user;
  return case when coalesce(quiet <= p_now, true) then (struck at time zone s.zone)::date end;
end $function$;

CREATE OR REPLACE FUNCTION inbox.subject_scopes(p_type text, p_subject uuid)
 RETURNS text[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN CASE split_part(p_type, '.'::text, 1) WHEN 'action'::text THEN (SELECT a.scopes FROM action_items a WHERE (a.id = subject_scopes.p_subject)) WHEN 'inspection'::text THEN (SELECT i.scopes FROM inspections i WHERE (i.id = subject_scopes.p_subject)) WHEN 'issue'::text THEN (SELECT r.scopes FROM issue_reports r WHERE (r.id = subject_scopes.p_subject)) WHEN 'task'::text THEN COALESCE((SELECT t.scopes FROM tasks t WHERE (t.id = subject_scopes.p_subject)), (SELECT s.scopes FROM task_series s WHERE (s.id = subject_scopes.p_subject))) WHEN 'policy'::text THEN (SELECT p.scopes FROM policies p WHERE (p.id = subject_scopes.p_subject)) WHEN 'evidence'::text THEN (SELECT e.scopes FROM evidence e WHERE (e.id = subject_scopes.p_subject)) WHEN 'finding'::text THEN (SELECT f.scopes FROM findings f WHERE (f.id = subject_scopes.p_subject)) WHEN 'approval'::text THEN (SELECT r.scopes FROM approval_requests r WHERE (r.id = subject_scopes.p_subject)) ELSE NULL::text[] END;

CREATE OR REPLACE FUNCTION inbox.sweep(p_now timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  a record;
  ends timestamptz;
begin
  -- For a day: who is back by then is told after all.
  delete from inbox.sweep_mark where swept_at < now() - interval '1 day';
  for a in
    select i.id, i.organization_id, i.title, i.due_at, w.told, k.type, k.key,
      row_number() over (partition by i.organization_id order by i.due_at, i.id) as turn
    from public.action_items i
    cross join lateral (select coalesce(i.assignee_id, i.created_by) as told) w
    cross join lateral (select case when i.due_at <= p_now then 'action.overdue' else 'action.due_soon' end as type) t
    cross join lateral (select t.type, 'action/' || i.id::text || '/' || t.type || '/' || extract(epoch from i.due_at)::text as key) k
    where i.deleted_at is null and w.told is not null and i.status not in ('closed', 'risk_accepted', 'duplicate', 'not_valid')
      -- Not what has long been late: a first sweep would flood.
      and i.due_at > p_now - interval '7 days' and i.due_at <= p_now + interval '24 hours'
      -- Whoever set a date within the day knows.
      and (i.due_at <= p_now or i.created_at < i.due_at - interval '24 hours')
      and not exists (select from inbox.sweep_mark x where x.key = k.key || ' ' || w.told::text)
    order by turn, i.due_at limit 500
  loop
    ends := coalesce(ends, inbox.sweep_deadline());
    exit when a.turn > 1 and clock_timestamp() > ends;
    perform inbox.note_swept(a.key, a.told);
    if a.type = 'action.overdue' then perform inbox.mark_resolved_read(a.id, array['action.due_soon']); end if;
    perform inbox.notify(a.told, a.type, a.key, '/action-items/' || a.id::text,
      jsonb_build_object('title', a.title, 'due', a.due_at), a.id, a.organization_id);
  end loop;
  -- Claimed by a server that died: it may have gone out, so it does not go again.
  update inbox.delivery set state = 'failed', finished_at = p_now, error = 'unknown' where state = 'sending' and claimed_at < p_now - interval '10 minutes';
  update public.notifications set deleted_at = p_now where deleted_at is null and created_at < p_now - interval '90 days';
  delete from public.notifications where created_at < p_now - interval '180 days';
end $function$;

CREATE OR REPLACE FUNCTION inbox.sweep_actions(p_now timestamp with time zone DEFAULT now(), p_limit integer DEFAULT 500)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET "TimeZone" TO 'UTC'
AS $function$
declare
  r record;
  a public.action_items;
  person uuid;
  step integer;
  due_check text;
  done integer := 0;
  ends timestamptz;
begin
  for r in
    select i as item, t.turn from public.action_items i join (
      select i.id, i.due_at, row_number() over (partition by i.organization_id order by i.due_at, i.id) as turn
      from public.action_items i join public.organizations o on o.id = i.organization_id and o.kind <> 'private'
      where i.deleted_at is null and not inbox.action_ended(i.status) and i.escalation < 3
        -- Not what has long been late: a first sweep would flood.
        and i.due_at > p_now - interval '60 days' and i.due_at <= p_now - interval '1 day'
        and action.escalation_of(i.priority, p_now - i.due_at) > i.escalation) t on t.id = i.id
    where action.escalation_of(i.priority, p_now - i.due_at) > i.escalation
    order by t.turn, t.due_at limit p_limit for update of i skip locked
  loop
    ends := coalesce(ends, inbox.sweep_deadline());
    exit when r.turn > 1 and clock_timestamp() > ends;
    a := r.item;
    for step in a.escalation + 1 .. action.escalation_of(a.priority, p_now - a.due_at) loop
      for person in select inbox.escalation_people(a, step) loop
        perform inbox.notify(person, 'action.escalated', 'action/' || a.id::text || '/escalated/' || step::text || '/' || extract(epoch from a.due_at)::text,
          '/action-items/' || a.id::text, jsonb_build_object('title', a.title, 'due', a.due_at), a.id, a.organization_id);
      end loop;
    end loop;
    update public.action_items set escalation = action.escalation_of(a.priority, p_now - a.due_at) where id = a.id;
    done := done + 1;
  end loop;
  ends := null;
  for r in
    select i as item, t.turn from public.action_items i join (
      select i.id, i.risk_until, row_number() over (partition by i.organization_id order by i.risk_until, i.id) as turn
      from public.action_items i where i.status = 'risk_accepted' and i.deleted_at is null and i.risk_until < p_now::date) t on t.id = i.id
    where i.status = 'risk_accepted' order by t.turn, t.risk_until limit p_limit for update of i skip locked
  loop
    ends := coalesce(ends, inbox.sweep_deadline());
    exit when r.turn > 1 and clock_timestamp() > ends;
    a := r.item;
    update public.action_items set status = 'open', closed_at = null, closed_by = null, risk_until = null, risk_reason = null where id = a.id;
    for person in select distinct p from unnest(array[a.assignee_id, a.created_by, a.closed_by]) p where p is not null loop
      perform inbox.notify(person, 'action.risk_ended', 'action/' || a.id::text || '/risk_ended/' || a.risk_until::text, '/action-items/' || a.id::text,
        jsonb_build_object('title', a.title), a.id, a.organization_id);
    end loop;
    done := done + 1;
  end loop;
  ends := null;
  for r in
    select i as item, t.turn from public.action_items i join (
      select i.id, i.check_on, row_number() over (partition by i.organization_id order by i.check_on, i.id) as turn
      from public.action_items i
      where i.status = 'closed' and i.outcome is null and i.deleted_at is null and i.check_on <= p_now::date and i.check_on > p_now::date - 60
        and coalesce(i.closed_by, i.created_by) is not null and not exists (select from inbox.sweep_mark x
          where x.key = 'action/' || i.id::text || '/check/' || i.check_on::text || ' ' || coalesce(i.closed_by, i.created_by)::text)) t on t.id = i.id
    order by t.turn, t.check_on limit p_limit
  loop
    ends := coalesce(ends, inbox.sweep_deadline());
    exit when r.turn > 1 and clock_timestamp() > ends;
    a := r.item;
    due_check := 'action/' || a.id::text || '/check/' || a.check_on::text;
    perform inbox.note_swept(due_check, coalesce(a.closed_by, a.created_by));
    perform inbox.notify(coalesce(a.closed_by, a.created_by), 'action.check_due', due_check,
      '/action-items/' || a.id::text, jsonb_build_object('title', a.title, 'due', a.check_on), a.id, a.organization_id);
    done := done + 1;
  end loop;
  return done;
end $function$;

CREATE OR REPLACE FUNCTION inbox.sweep_approvals(p_limit integer DEFAULT 200)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  w record;
  r public.approval_requests;
  p record;
  here integer;
  done integer := 0;
  seen text[] := '{}';
  is_short boolean := false;
  ends timestamptz;
begin
  for w in
    select q as item, k.key, row_number() over (partition by q.organization_id order by x.swept_at nulls first, q.created_at, q.id) as turn
    from public.approval_requests q
    cross join lateral (select 'turn/approval/' || q.id::text as key) k
    left join inbox.sweep_mark x on x.key = k.key
    where q.state = 'pending' and q.deleted_at is null
    order by turn, x.swept_at nulls first, q.created_at
  loop
    ends := coalesce(ends, inbox.sweep_deadline());
    is_short := done >= p_limit or w.turn > 1 and clock_timestamp() > ends;
    exit when is_short;
    seen := seen || w.key;
    r := w.item;
    here := 0;
    for p in
      select t.told, k.key
      from inbox.people_of_approval(r) t
      cross join lateral (select 'approval/' || r.id::text || '/' || r.stage::text || '/' || t.asked::text as key) k
      where access.is_member(r.organization_id, t.told) and (t.asked is distinct from r.requested_by or t.told is distinct from t.asked)
        and not exists (select from inbox.sweep_mark x where x.key = k.key || ' ' || t.told::text)
        and not exists (select from public.approval_decisions d
          where d.request_id = r.id and d.stage = r.stage and d.approver_id = t.asked and d.deleted_at is null)
      order by t.told limit p_limit - done
    loop
      exit when here > 0 and clock_timestamp() > ends;
      perform inbox.note_swept(p.key, p.told);
      perform inbox.notify(p.told, 'approval.requested', p.key, r.path, jsonb_build_object('title', r.title, 'by', inbox.name_of(r.requested_by)),
        r.id, r.organization_id);
      here := here + 1;
      done := done + 1;
    end loop;
  end loop;
  if is_short or clock_timestamp() > ends then perform inbox.note_turns(seen); end if;
  return done;
end $function$;

CREATE OR REPLACE FUNCTION inbox.sweep_deadline()
 RETURNS timestamp with time zone
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select clock_timestamp() + interval '2 seconds'
$function$;

CREATE OR REPLACE FUNCTION inbox.sweep_tasks(p_now timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  a record;
  ends timestamptz;
begin
  for a in
    select i.id, i.organization_id, i.title, i.due_at, w.told, k.type, k.key,
      row_number() over (partition by i.organization_id order by i.due_at, i.id) as turn
    from public.tasks i
    cross join lateral (select coalesce(i.assignee_id, i.created_by) as told, case when i.due_time is null then interval '15 hours' else interval '1 hour' end as ahead) w
    cross join lateral (select case when i.due_at <= p_now then 'task.overdue' else 'task.due_soon' end as type) t
    cross join lateral (select t.type, 'task/' || i.id::text || '/' || t.type || '/' || extract(epoch from i.due_at)::text as key) k
    where i.deleted_at is null and i.status not in ('done', 'not_applicable', 'cancelled') and w.told is not null
      -- Not what has long been late: a first sweep would flood.
      and i.due_at > p_now - interval '7 days' and i.due_at <= p_now + w.ahead
      and (i.due_at <= p_now or i.created_at < i.due_at - w.ahead)
      and not exists (select from inbox.sweep_mark x where x.key = k.key || ' ' || w.told::text)
    order by turn, i.due_at limit 500
  loop
    ends := coalesce(ends, inbox.sweep_deadline());
    exit when a.turn > 1 and clock_timestamp() > ends;
    perform inbox.note_swept(a.key, a.told);
    if a.type = 'task.overdue' then perform inbox.mark_resolved_read(a.id, array['task.due_soon']); end if;
    perform inbox.notify(a.told, a.type, a.key, '/tasks/' || a.id::text,
      jsonb_build_object('title', a.title, 'due', a.due_at), a.id, a.organization_id);
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION inbox.task_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION inbox.text_number(p_user uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select u.phone::text from auth.users u where u.id = p_user and u.phone_confirmed_at is not null and u.phone <> ''
$function$;

CREATE OR REPLACE FUNCTION inbox.zone(p_zone text)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  perform now() at time zone p_zone;
  return coalesce(p_zone, 'UTC');
exception when invalid_parameter_value then
  return 'UTC';
end $function$;
