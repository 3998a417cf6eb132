-- Review of inspections: finalised → received → has issues (sent back) → approved | rejected → closed, with comments at
-- their question and the log of who changed which answer when. The same states stand in packages/core/src/field-ops/
-- inspection-states.ts; a test holds the two together.

alter table inspections drop constraint inspections_status_check;
alter table inspections
  add constraint inspections_status_check
    check (status in ('scheduled', 'in_progress', 'finalised', 'has_issues', 'approved', 'rejected', 'closed')),
  add column round       integer not null default 1 check (round > 0),   -- 1, and one more each time a sent-back one is finished again
  add column reviewed_by uuid references auth.users (id) on delete set null,
  add column reviewed_at timestamptz;                                    -- device time of the last decision
alter table inspections
  add constraint inspections_reviewed_at_in_time check (reviewed_at >= timestamptz '1970-01-01T00:00:00Z' and reviewed_at < timestamptz '2200-01-01T00:00:00Z');
create index inspections_reviewer on inspections (reviewed_by);

-- A decision was made on one round: when the inspection was finished anew meanwhile, it is a conflict, not a decision.
update sync.tables set
  groups = '[["status","finished_at","score","score_max","result","round"],["signature","signed_by","signed_at","content_hash"]]',
  server_columns = server_columns || array['round', 'reviewed_by']
  where name = 'inspections';
select sync.refresh_table('inspections');

create table inspection_comments (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null,                                 -- copied from the inspection
  site_id         uuid,                                          -- copied from the inspection
  conductor_id    uuid references auth.users (id) on delete set null,   -- copied from the inspection: who is to read it
  inspection_id   uuid not null,
  question        text check (question <> ''),                   -- path in the form; null: about the whole
  body            text not null check (btrim(body) <> '' and char_length(body) <= 4000),
  author_id       uuid references auth.users (id) on delete set null,
  round           integer not null default 1 check (round > 0),  -- the inspection's when it was written
  written_at      timestamptz not null,                          -- device time
  resolved_at     timestamptz,                                   -- device time at which it was ticked off
  resolved_by     uuid references auth.users (id) on delete set null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  foreign key (organization_id, inspection_id) references inspections (organization_id, id) on delete cascade
);
create index inspection_comments_inspection on inspection_comments (organization_id, inspection_id);

-- Written by the server alone: a device cannot leave out what it changed.
create table inspection_events (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null,
  site_id         uuid,
  conductor_id    uuid references auth.users (id) on delete set null,
  inspection_id   uuid not null,
  kind            text not null check (kind in ('state', 'answer')),
  question        text,                                          -- of an answer
  before          jsonb,                                         -- a state's name, or {value, note, media_ids}
  after           jsonb,
  by_id           uuid references auth.users (id) on delete set null,
  at              timestamptz not null,                          -- device time where the device said it, else the server's
  created_at      timestamptz not null default clock_timestamp(),   -- server time
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  foreign key (organization_id, inspection_id) references inspections (organization_id, id) on delete cascade
);
create index inspection_events_inspection on inspection_events (organization_id, inspection_id, created_at);

select sync.add_table('inspection_comments', 34,
  $$ sync.scopes(sync.place_scope(organization_id, site_id), sync.member_scope(organization_id, conductor_id)) $$,
  p_groups => '[["resolved_at","resolved_by"]]',
  p_server_columns => array['conductor_id']);
select sync.add_table('inspection_events', 35,
  $$ sync.scopes(sync.place_scope(organization_id, site_id), sync.member_scope(organization_id, conductor_id)) $$,
  p_server_columns => array['organization_id', 'site_id', 'conductor_id', 'inspection_id', 'kind', 'question', 'before', 'after', 'by_id', 'at']);

create policy "scope reads" on inspection_comments for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "reviewers and conductors write" on inspection_comments for insert to authenticated
  with check ((select sync.pushing()) and author_id = (select auth.uid())
    and (organization_id in (select my_organizations_with('inspection.review'))
      or organization_id in (select my_organizations_with('inspection.conduct'))));
create policy "authors edit, reviewers and conductors tick off" on inspection_comments for update to authenticated
  using ((select sync.pushing())
    and (organization_id in (select my_organizations_with('inspection.review'))
      or organization_id in (select my_organizations_with('inspection.conduct'))));
grant insert, update on inspection_comments to authenticated;
-- Whose inspection it is: trigger guard_comment.

create policy "scope reads" on inspection_events for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
-- No other policy: the log is written by triggers.

-- What state may follow which; everything else is refused, whoever asks.
create function sync.inspection_may_become(p_from text, p_to text) returns boolean
  language sql immutable return p_to = any (case p_from
    when 'scheduled' then array['in_progress', 'finalised']
    when 'in_progress' then array['scheduled', 'finalised']
    when 'finalised' then array['has_issues', 'approved', 'rejected']
    when 'has_issues' then array['finalised', 'approved', 'rejected']
    when 'approved' then array['closed']
    when 'rejected' then array['closed']
    else '{}' end);

-- States in which nothing of it changes any more but the state itself.
create function sync.is_decided(p_status text) returns boolean
  language sql immutable return p_status in ('approved', 'rejected', 'closed');

create or replace function sync.guard_inspection() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
begin
  if caller is not null and new.conducted_by is null and new.status <> 'scheduled' then
    new.conducted_by := caller;
  end if;
  if tg_op = 'INSERT' then
    if caller is not null then
      new.received_at := null;
      new.round := 1;
      new.reviewed_by := null;
      if (new.status in ('has_issues', 'approved', 'rejected', 'closed')) and not sync.may('inspection.review', new.organization_id) then
        raise exception 'only a reviewer decides on an inspection' using errcode = '42501';
      end if;
    end if;
  else
    if old.status <> 'scheduled' and (new.form_id, new.form_version_id) is distinct from (old.form_id, old.form_version_id) then
      raise exception 'a started inspection keeps its form' using errcode = '42501';
    end if;
    if caller is not null then
      new.received_at := old.received_at;
      new.round := old.round + (old.status = 'has_issues' and new.status = 'finalised')::integer;
      new.reviewed_by := case when new.status is distinct from old.status and new.status in ('has_issues', 'approved', 'rejected')
        then caller else old.reviewed_by end;
    end if;
    perform sync.guard_inspection_change(old, new);
  end if;
  if new.received_at is null and (sync.is_finished(new.status) or new.status = 'has_issues') then new.received_at := now(); end if;
  return new;
end $$;

create or replace function sync.guard_inspection_change(o public.inspections, n public.inspections) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
begin
  if caller is null then return; end if;
  if ((o.assigned_to is distinct from n.assigned_to and n.assigned_to is distinct from caller)
      or (o.conducted_by is distinct from n.conducted_by and (o.conducted_by is not null or n.conducted_by is distinct from caller)))
    and not sync.may('inspection.assign', o.organization_id) then
    raise exception 'giving an inspection to somebody needs inspection.assign' using errcode = '42501';
  end if;
  if o.status is distinct from n.status and not sync.inspection_may_become(o.status, n.status) then
    raise exception 'an inspection that is % cannot become %', o.status, n.status using errcode = '42501';
  end if;
  if sync.is_decided(o.status) and
    (o.finished_at, o.score, o.score_max, o.result, o.signature, o.signed_by, o.signed_at, o.content_hash, o.started_at, o.asset_id)
    is distinct from
    (n.finished_at, n.score, n.score_max, n.result, n.signature, n.signed_by, n.signed_at, n.content_hash, n.started_at, n.asset_id) then
    raise exception 'a decided inspection stays as it was signed' using errcode = '42501';
  end if;
  if sync.may('inspection.review', o.organization_id) then return; end if;
  if (o.status is distinct from n.status and (sync.is_finished(o.status) or n.status in ('has_issues', 'approved', 'rejected', 'closed')))
    or o.reviewed_at is distinct from n.reviewed_at then
    raise exception 'only a reviewer changes the state of a finished inspection' using errcode = '42501';
  end if;
  if sync.is_finished(o.status) and
    (o.finished_at, o.score, o.score_max, o.result, o.signature, o.signed_by, o.signed_at, o.content_hash, o.started_at,
     o.site_id, o.asset_id, o.deleted_at)
    is distinct from
    (n.finished_at, n.score, n.score_max, n.result, n.signature, n.signed_by, n.signed_at, n.content_hash, n.started_at,
     n.site_id, n.asset_id, n.deleted_at) then
    raise exception 'a finished inspection stays as it was signed' using errcode = '42501';
  end if;
  if o.status = 'has_issues' and o.deleted_at is distinct from n.deleted_at then
    raise exception 'what was sent back is corrected, not removed' using errcode = '42501';
  end if;
end $$;

-- As before, and: nobody changes an answer of a decided inspection. What a device brings late is refused there as a whole,
-- and stays on that device to be looked at.
create or replace function sync.guard_answer() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
  i record;
begin
  select organization_id, site_id, status, conducted_by, assigned_to into i
    from public.inspections where id = new.inspection_id;
  if not found then
    raise exception 'an answer needs its inspection' using errcode = '23503';
  end if;
  new.organization_id := i.organization_id;
  new.site_id := i.site_id;
  if tg_op = 'UPDATE' and (new.inspection_id, new.question) is distinct from (old.inspection_id, old.question) then
    raise exception 'an answer keeps its question' using errcode = '42501';
  end if;
  if caller is null or pg_trigger_depth() > 1 then return new; end if;
  if tg_op = 'INSERT' then
    new.answered_by := coalesce(new.answered_by, caller);
  elsif new.answered_by is distinct from old.answered_by and new.answered_by is distinct from caller then
    raise exception 'nobody answers in the name of somebody else' using errcode = '42501';
  end if;
  if sync.is_decided(i.status) then
    raise exception 'the inspection is decided' using errcode = '42501';
  end if;
  if sync.may('inspection.review', i.organization_id) then return new; end if;
  if not (coalesce(i.conducted_by = caller, false) or coalesce(i.assigned_to = caller, false)
      or (i.conducted_by is null and i.assigned_to is null
        and (i.site_id is null or i.site_id in (select public.my_sites())))) then
    raise exception 'this is somebody else''s inspection' using errcode = '42501';
  end if;
  return new;
end $$;

create function sync.guard_comment() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
  i record;
begin
  select organization_id, site_id, conducted_by, assigned_to, round into i from public.inspections where id = new.inspection_id;
  if not found then
    raise exception 'a comment needs its inspection' using errcode = '23503';
  end if;
  new.organization_id := i.organization_id;
  new.site_id := i.site_id;
  new.conductor_id := coalesce(i.conducted_by, i.assigned_to);
  if caller is null or pg_trigger_depth() > 1 then return new; end if;
  if not (sync.may('inspection.review', i.organization_id) and (i.site_id is null or i.site_id in (select public.my_sites()))
    or coalesce(i.conducted_by = caller, false) or coalesce(i.assigned_to = caller, false)) then
    raise exception 'this is somebody else''s inspection' using errcode = '42501';
  end if;
  if tg_op = 'INSERT' then
    new.author_id := caller;
    new.round := i.round;
    new.resolved_by := case when new.resolved_at is null then null else caller end;
    return new;
  end if;
  if (new.inspection_id, new.question, new.written_at, new.author_id, new.round)
    is distinct from (old.inspection_id, old.question, old.written_at, old.author_id, old.round) then
    raise exception 'a comment keeps its place and its author' using errcode = '42501';
  end if;
  if (new.body, new.deleted_at) is distinct from (old.body, old.deleted_at) and old.author_id is distinct from caller then
    raise exception 'only its author changes a comment' using errcode = '42501';
  end if;
  if new.resolved_at is distinct from old.resolved_at then
    new.resolved_by := case when new.resolved_at is null then null else caller end;
  else
    new.resolved_by := old.resolved_by;
  end if;
  return new;
end $$;
create trigger c_guard before insert or update on inspection_comments for each row execute function sync.guard_comment();
create trigger b_keep_organization before update on inspection_comments for each row execute function sync.keep_organization();

-- What belongs to an inspection stands where it stands, and travels to whoever does it.
create function sync.follow_inspection() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update public.inspection_comments set site_id = new.site_id where inspection_id = new.id;
  update public.inspection_events set site_id = new.site_id, conductor_id = coalesce(new.conducted_by, new.assigned_to)
    where inspection_id = new.id;
  return null;
end $$;
create trigger d_follow after update of site_id, conducted_by, assigned_to on inspections for each row
  when ((old.site_id, old.conducted_by, old.assigned_to) is distinct from (new.site_id, new.conducted_by, new.assigned_to))
  execute function sync.follow_inspection();

-- The log. A correction within a minute of the last by the same person is the same correction: text is kept as it is typed.
create function sync.log_inspection_state() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  insert into public.inspection_events (organization_id, site_id, conductor_id, inspection_id, kind, before, after, by_id, at)
    values (new.organization_id, new.site_id, coalesce(new.conducted_by, new.assigned_to), new.id, 'state',
      case when tg_op = 'UPDATE' then to_jsonb(old.status) end, to_jsonb(new.status), coalesce(auth.uid(), new.conducted_by),
      coalesce(case
        when new.status in ('has_issues', 'approved', 'rejected') then new.reviewed_at
        when new.status = 'finalised' then coalesce(new.signed_at, new.finished_at)
        when new.status = 'in_progress' then new.started_at end, now()));
  return null;
end $$;
create trigger x_log_insert after insert on inspections for each row
  when (new.status <> 'scheduled') execute function sync.log_inspection_state();
create trigger x_log_update after update of status on inspections for each row
  when (old.status is distinct from new.status) execute function sync.log_inspection_state();

create function sync.log_answer_change() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  said constant jsonb := jsonb_build_object('value', new.value, 'note', new.note, 'media_ids', new.media_ids);
  last public.inspection_events;
begin
  select * into last from public.inspection_events e
    where e.organization_id = new.organization_id and e.inspection_id = new.inspection_id
      and (e.kind = 'state' or e.question = new.question)
    order by e.created_at desc, e.id desc limit 1;
  if last.kind = 'answer' and last.by_id is not distinct from auth.uid() and last.created_at > now() - interval '1 minute' then
    update public.inspection_events set after = said, at = coalesce(new.answered_at, now()) where id = last.id;
    return null;
  end if;
  insert into public.inspection_events (organization_id, site_id, conductor_id, inspection_id, kind, question, before, after, by_id, at)
    select new.organization_id, new.site_id, coalesce(i.conducted_by, i.assigned_to), new.inspection_id, 'answer', new.question,
      jsonb_build_object('value', old.value, 'note', old.note, 'media_ids', old.media_ids), said,
      coalesce(auth.uid(), new.answered_by), coalesce(new.answered_at, now())
    from public.inspections i where i.id = new.inspection_id;
  return null;
end $$;
create trigger x_log after update on inspection_answers for each row
  when ((old.value, old.note, old.media_ids) is distinct from (new.value, new.note, new.media_ids))
  execute function sync.log_answer_change();

-- Told: to whoever did it, what was decided.
insert into notification_types (key, module, class, setting, app, push, email) values
  ('inspection.sent_back', 'field', 'normal', null, 'immediate', 'immediate', 'daily'),
  ('inspection.approved', 'field', 'normal', null, 'immediate', 'off', 'daily'),
  ('inspection.rejected', 'field', 'normal', null, 'immediate', 'immediate', 'daily');

create function inbox.inspection_decided() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform inbox.settled(new.id, array['inspection.sent_back']);
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

revoke execute on function sync.inspection_may_become(text, text), sync.is_decided(text), sync.guard_comment(), sync.follow_inspection(),
  sync.log_inspection_state(), sync.log_answer_change(), inbox.inspection_decided() from public;
