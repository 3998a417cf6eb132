-- Comments, follows and the activity of a record: guards and what else triggers do, and who sees and writes which rows.

-- What a colleague ticked off were other words, and times are those of a clock that could be right.
create function comment.guard_comment() returns trigger
  language plpgsql security definer set search_path = '' as $$
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
end $$;
create trigger c_guard before insert or update on comments for each row execute function comment.guard_comment();

-- All comments of a record are written anew whenever its audience changes, while everybody else's work at the place waits: a record has
-- 1000, those taken away too, for they stay as rows. One person has 250 of them, so that nobody keeps others from speaking, and 2000 a
-- day wherever they are, for who has many records may end all of them at once (delete_account). What the server brings (guests, rules)
-- still has room beside what people wrote.
create function comment.limit_comments() returns trigger
  language plpgsql security definer set search_path = '' as $$
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
end $$;
-- After c_guard, which says of a record out of sight that there is none.
create trigger d_bound before insert on comments for each row execute function comment.limit_comments();

create function comment.guard_follow() returns trigger
  language plpgsql security definer set search_path = '' as $$
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
end $$;
create trigger c_guard before insert or update on record_follows for each row execute function comment.guard_follow();

-- Comments stand where their record stands, and go and come back with it. The guard above sets their audience anew. One that was taken
-- away is on no device any more, and one whose audience stays has nothing to tell.
create function comment.follow_subject() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update public.comments c set scopes = new.scopes where c.subject_id = new.id and c.subject_table = tg_table_name
    and c.deleted_at is null and c.scopes is distinct from case when new.deleted_at is null then new.scopes else '{}' end;
  return null;
end $$;
create trigger x_comments after update on inspections
  for each row when (((old.scopes is distinct from new.scopes) or ((old.deleted_at is null) <> (new.deleted_at is null)))) execute function comment.follow_subject();
create trigger x_comments after update on action_items
  for each row when (((old.scopes is distinct from new.scopes) or ((old.deleted_at is null) <> (new.deleted_at is null)))) execute function comment.follow_subject();
create trigger x_comments after update on tasks
  for each row when (((old.scopes is distinct from new.scopes) or ((old.deleted_at is null) <> (new.deleted_at is null)))) execute function comment.follow_subject();
create trigger x_comments after update on issue_reports
  for each row when (((old.scopes is distinct from new.scopes) or ((old.deleted_at is null) <> (new.deleted_at is null)))) execute function comment.follow_subject();
create trigger x_comments after update on findings for each row
  when (old.scopes is distinct from new.scopes or (old.deleted_at is null) <> (new.deleted_at is null)) execute function comment.follow_subject();

-- Arguments: the columns that are told as they are (states, dates, ids), then those whose words stay untold.
create function comment.note_activity() returns trigger
  language plpgsql security definer set search_path = '' as $$
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
end $$;
create trigger y_activity after update on tasks for each row
  execute function comment.note_activity('status,assignee_id,reviewer_id,due_at,priority,site_id', 'title,notes,labels,media_ids');
-- Of a series what its tasks say: they bear its maker's name, and their own log says what of them is somebody else's.
create trigger y_activity after update on task_series for each row
  execute function comment.note_activity('assignee_id,reviewer_id,priority,site_id',
    'title,notes,steps,labels,recurrence,due_time,zone,estimate_minutes,playbook_id,evidence_required');
create trigger y_activity after update on issue_reports for each row
  execute function comment.note_activity('status,severity,category,site_id', 'answer');
create trigger y_activity after update on action_items for each row
  execute function comment.note_activity('status,assignee_id,due_at,priority,site_id,kind,check_on,outcome,risk_until', 'title,description,root_cause,media_ids');
create trigger y_activity after update on findings for each row
  execute function comment.note_activity('state,severity,owner_id', 'title,body,requirement,answer,verdict');
-- Who changed what of it, as of other work.
create trigger y_activity after update on public.evidence for each row
  execute function comment.note_activity('state,owner_id,period_from,period_to,effective_on,expires_on', 'title,description,media_ids,review_note');

create function comment.guard_outside_name() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is not null then new.outside_name := case when tg_op = 'UPDATE' then old.outside_name end; end if;
  return new;
end $$;
create trigger b_outside before insert or update on comments for each row execute function comment.guard_outside_name();

-- The name under which a guest speaks is typed too.
create function comment.clean_outside_name() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  new.outside_name := nullif(content.one_line(new.outside_name, 100), '');
  return new;
end $$;
create trigger c_outside before insert or update of outside_name on comments for each row when (new.outside_name is not null)
  execute function comment.clean_outside_name();

-- Triggers whose functions stand with another area.

create trigger a0_require_push before insert on comments for each statement execute function sync.require_push();
create trigger b_fixed_organization before update on comments for each row execute function space.refuse_organization_change();
create trigger x_notify_insert after insert on comments for each row when (new.deleted_at is null) execute function inbox.commented();
create trigger x_notify_update after update on comments for each row
  when (old.mention_ids is distinct from new.mention_ids or old.deleted_at is null and new.deleted_at is not null) execute function inbox.commented();

create trigger a0_require_push before insert on record_follows for each statement execute function sync.require_push();
create trigger b_fixed_organization before update on record_follows for each row execute function space.refuse_organization_change();

-- Who may call what.
revoke execute on function comment.guard_comment(), comment.limit_comments(), comment.guard_follow(), comment.follow_subject(), comment.note_activity(), comment.guard_outside_name(),
  comment.clean_outside_name() from public;

-- Who sees and writes which rows.

-- Whose record it is: trigger guard_comment.
grant insert, update on comments to authenticated;
create policy "whoever sees the record reads" on comments for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "whoever works on the record writes" on comments for insert to authenticated
  with check ((select sync.pushing()) and author_id = (select auth.uid()) and scopes && (select array(select my_scopes())));
create policy "authors edit, others tick off" on comments for update to authenticated
  using ((select sync.pushing()) and scopes && (select array(select my_scopes())));

grant insert, update on record_follows to authenticated;
-- Who works on it, and who may change what: trigger c_guard. No delete: clients set deleted_at.
create policy "the person reads" on record_follows for select to authenticated
  using (user_id = (select auth.uid()) and scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "the person adds" on record_follows for insert to authenticated
  with check ((select sync.pushing()) and user_id = (select auth.uid()) and scopes && (select array(select my_scopes())));
create policy "the person edits" on record_follows for update to authenticated
  using ((select sync.pushing()) and user_id = (select auth.uid()) and scopes && (select array(select my_scopes())));
