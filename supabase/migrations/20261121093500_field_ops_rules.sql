-- What keeps field operations right, whoever writes. A statement without a signed-in person is the server's own
-- (seed, migration, service calls) and passes the checks of rights, not those of consistency.

create function sync.set_creator() returns trigger language plpgsql set search_path = '' as $$
begin
  if auth.uid() is not null then
    new.created_by := case when tg_op = 'INSERT' then auth.uid() else old.created_by end;
  end if;
  return new;
end $$;
create trigger b_creator before insert or update on forms for each row execute function sync.set_creator();
create trigger b_creator before insert or update on form_versions for each row execute function sync.set_creator();
create trigger b_creator before insert or update on action_items for each row execute function sync.set_creator();

create trigger b_keep_organization before update on assets for each row execute function sync.keep_organization();
create trigger b_keep_organization before update on forms for each row execute function sync.keep_organization();
create trigger b_keep_organization before update on inspections for each row execute function sync.keep_organization();
create trigger b_keep_organization before update on action_items for each row execute function sync.keep_organization();
create trigger b_keep_organization before update on media for each row execute function sync.keep_organization();

create function sync.copy_form_organization() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  select f.organization_id into new.organization_id from public.forms f where f.id = new.form_id;
  return new;
end $$;
create trigger c_copy_organization before insert or update on form_versions
  for each row execute function sync.copy_form_organization();

-- Whoever is named on a row belongs to its organisation when they are named, whoever names them: a name puts the row into
-- that person's feed. Who left later stays named. Fires last, when the guards have filled in what they fill in.
create function sync.guard_named() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  named uuid[];
  before uuid[] := '{}';
begin
  case tg_table_name
    when 'inspections' then
      named := array[new.assigned_to, new.conducted_by];
      if tg_op = 'UPDATE' then before := array[old.assigned_to, old.conducted_by]; end if;
    when 'inspection_answers' then
      named := array[new.answered_by];
      if tg_op = 'UPDATE' then before := array[old.answered_by]; end if;
    when 'action_items' then
      named := array[new.assignee_id, new.created_by, new.closed_by];
      if tg_op = 'UPDATE' then before := array[old.assignee_id, old.created_by, old.closed_by]; end if;
    when 'media' then
      named := array[new.captured_by];
      if tg_op = 'UPDATE' then before := array[old.captured_by]; end if;
  end case;
  if named = before then return new; end if;
  if exists (select from unnest(named, before) as p (now, before)
             where p.now is not null and p.now is distinct from p.before and not exists (
               select from public.organization_members m
               where m.organization_id = new.organization_id and m.user_id = p.now and m.deleted_at is null)) then
    raise exception 'only a member of the organisation can be named on its records' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger e_named before insert or update on inspections for each row execute function sync.guard_named();
create trigger e_named before insert or update on inspection_answers for each row execute function sync.guard_named();
create trigger e_named before insert or update on action_items for each row execute function sync.guard_named();
create trigger e_named before insert or update on media for each row execute function sync.guard_named();

-- Finished inspections are evidence: without inspection.review their result, signature and state stay as they are.
create function sync.is_finished(p_status text) returns boolean
  language sql immutable return p_status in ('finalised', 'approved', 'rejected', 'closed');

create function sync.guard_inspection() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
begin
  if caller is not null and new.conducted_by is null and new.status <> 'scheduled' then
    new.conducted_by := caller;
  end if;
  if tg_op = 'INSERT' then
    if caller is not null then new.received_at := null; end if;
    if caller is not null and new.status in ('approved', 'rejected', 'closed') and not sync.may('inspection.review', new.organization_id) then
      raise exception 'only a reviewer approves, rejects or closes an inspection' using errcode = '42501';
    end if;
  else
    if caller is not null then new.received_at := old.received_at; end if;
    if old.status <> 'scheduled' and (new.form_id, new.form_version_id) is distinct from (old.form_id, old.form_version_id) then
      raise exception 'a started inspection keeps its form' using errcode = '42501';
    end if;
    perform sync.guard_inspection_change(old, new);
  end if;
  if new.received_at is null and sync.is_finished(new.status) then new.received_at := now(); end if;
  return new;
end $$;

create function sync.guard_inspection_change(o public.inspections, n public.inspections) returns void
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
  if sync.may('inspection.review', o.organization_id) then return; end if;
  if o.status is distinct from n.status and (o.status in ('finalised', 'approved', 'closed') or n.status in ('approved', 'rejected', 'closed')) then
    raise exception 'only a reviewer changes the state of a finished inspection' using errcode = '42501';
  end if;
  if o.status in ('finalised', 'approved', 'closed') and
    (o.finished_at, o.score, o.score_max, o.result, o.signature, o.signed_by, o.signed_at, o.content_hash, o.started_at,
     o.site_id, o.asset_id, o.deleted_at)
    is distinct from
    (n.finished_at, n.score, n.score_max, n.result, n.signature, n.signed_by, n.signed_at, n.content_hash, n.started_at,
     n.site_id, n.asset_id, n.deleted_at) then
    raise exception 'a finished inspection stays as it was signed' using errcode = '42501';
  end if;
end $$;
create trigger c_guard before insert or update on inspections for each row execute function sync.guard_inspection();

-- Answers and photos stand where their inspection stands.
create function sync.move_with_inspection() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update public.inspection_answers set site_id = new.site_id where inspection_id = new.id;
  update public.media set site_id = new.site_id where inspection_id = new.id;
  return null;
end $$;
create trigger d_move after update of site_id on inspections
  for each row when (old.site_id is distinct from new.site_id) execute function sync.move_with_inspection();

-- Devices send a finished inspection before the answers they still hold, so its conductor may add and change answers
-- until it is approved or closed; what was signed is held by its content_hash.
create function sync.guard_answer() returns trigger
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
  if sync.may('inspection.review', i.organization_id) then return new; end if;
  if i.status in ('approved', 'closed') then
    raise exception 'the inspection is closed' using errcode = '42501';
  end if;
  if not (coalesce(i.conducted_by = caller, false) or coalesce(i.assigned_to = caller, false)
      or (i.conducted_by is null and i.assigned_to is null
        and (i.site_id is null or i.site_id in (select public.my_sites())))) then
    raise exception 'this is somebody else''s inspection' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger c_guard before insert or update on inspection_answers for each row execute function sync.guard_answer();

create function sync.guard_action_item() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
begin
  if caller is null then return new; end if;
  if new.closed_by is not null and new.closed_by <> caller and (tg_op = 'INSERT' or new.closed_by is distinct from old.closed_by) then
    raise exception 'nobody closes in the name of somebody else' using errcode = '42501';
  end if;
  if tg_op = 'INSERT' or old.created_by = caller then return new; end if;
  if ((new.assignee_id is distinct from old.assignee_id and not (old.assignee_id is null and new.assignee_id = caller))
      or new.site_id is distinct from old.site_id or new.deleted_at is distinct from old.deleted_at)
    and not sync.may('action.manage', old.organization_id) then
    raise exception 'reassigning, moving and deleting need action.manage' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger c_guard before insert or update on action_items for each row execute function sync.guard_action_item();

-- Only media_complete says that a file has arrived; what was announced (hash, size) never changes.
create function sync.guard_media() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
begin
  if new.inspection_id is not null then
    select i.site_id into new.site_id from public.inspections i where i.id = new.inspection_id;
  end if;
  if caller is null then return new; end if;
  if tg_op = 'INSERT' then
    new.captured_by := coalesce(new.captured_by, caller);
    new.state := 'pending';
    new.completed_at := null;
  else
    new.state := old.state;
    new.completed_at := old.completed_at;
    if (new.sha256, new.bytes, new.mime, new.captured_by, new.captured_at)
      is distinct from (old.sha256, old.bytes, old.mime, old.captured_by, old.captured_at) then
      raise exception 'a file keeps its content and its author' using errcode = '42501';
    end if;
  end if;
  return new;
end $$;
create trigger c_guard before insert or update on media for each row execute function sync.guard_media();
