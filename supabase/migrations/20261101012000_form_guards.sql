-- Forms, their versions, drafts and pictures: guards and what else triggers do, and who sees and writes which rows.

create function form.copy_form_organization() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  new.organization_id := coalesce((select f.organization_id from public.forms f where f.id = new.form_id), access.no_organization());
  return new;
end $$;
create trigger c_copy_organization before insert or update on form_versions
  for each row execute function form.copy_form_organization();
create trigger c_copy_organization before insert or update on form_drafts
  for each row execute function form.copy_form_organization();

create function form.set_draft_editor() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and new.form_id is distinct from old.form_id then
    raise exception 'a draft keeps its form' using errcode = '42501', detail = 'CN253';
  end if;
  if auth.uid() is not null then new.edited_by := auth.uid(); end if;
  return new;
end $$;
create trigger b_editor before insert or update on form_drafts for each row execute function form.set_draft_editor();

-- Every device of the organisation carries all of them.
create function form.guard_form_picture() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is null or access.is_outsider(new.organization_id) then return new; end if;   -- the policy refuses, and says nothing of others
  if (select count(*) from public.form_pictures p where p.organization_id = new.organization_id and p.deleted_at is null) >= 400 then
    raise exception 'an organisation has at most 400 pictures of choices' using errcode = '23514', detail = 'CN254';
  end if;
  return new;
end $$;
create trigger c_guard before insert on form_pictures for each row execute function form.guard_form_picture();

create function form.replan_schedules_of_form() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if new.state = 'published' and new.deleted_at is null then
    perform set_config('cairn.form_is_back', 'yes', true);
    -- Another version of the schedule, so that it is planned anew.
    update public.schedules s set active_since = now() where s.form_id = new.id and s.state = 'active' and s.deleted_at is null;
    perform set_config('cairn.form_is_back', '', true);
  else
    update public.inspections i set deleted_at = now()
      where i.form_id = new.id and i.schedule_id is not null and i.status = 'scheduled' and i.missed_at is null
        and i.due_at > now() and i.deleted_at is null;
  end if;
  return null;
end $$;
create trigger x_replan_schedules after update of state, deleted_at on forms for each row
  when (old.state = 'published' and (new.state <> 'published' or new.deleted_at is not null)
    or old.state = 'archived' and new.state = 'published')
  execute function form.replan_schedules_of_form();

-- Triggers whose functions stand with another area.

create trigger b_creator before insert or update on forms for each row execute function space.set_creator();
create trigger b_fixed_organization before update on forms for each row execute function space.refuse_organization_change();
create trigger a0_require_push before insert on forms for each statement execute function sync.require_push();

create trigger b_creator before insert or update on form_versions for each row execute function space.set_creator();
create trigger a0_require_push before insert on form_versions for each statement execute function sync.require_push();
create trigger a_bounds before insert or update on form_versions for each row execute function content.guard_form();

-- No update: what a version shows stays as it was. Nothing says that no version names a picture any more, so none is removed.
create trigger b_creator before insert or update on form_pictures for each row execute function space.set_creator();
create trigger a0_require_push before insert on form_pictures for each statement execute function sync.require_push();

-- One draft a form: under another id it would shut out everybody else's.
create trigger d_derived_id before insert on form_drafts for each row execute function sync.guard_derived_id();
create trigger a0_require_push before insert on form_drafts for each statement execute function sync.require_push();
create trigger a_bounds before insert or update on form_drafts for each row execute function content.guard_form();

-- Who may call what.
revoke execute on function form.copy_form_organization(), form.set_draft_editor(), form.guard_form_picture(), form.replan_schedules_of_form() from public;

-- Who sees and writes which rows.

grant insert, update on forms to authenticated;
create policy "scope reads" on forms for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "form managers add" on forms for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('form.manage')));
create policy "form managers edit" on forms for update to authenticated
  using ((select sync.pushing()) and organization_id in (select my_organizations_with('form.manage')));

-- No update: what was answered stays as it was; a change is a new version.
-- A push locks a row before it judges the edit, which takes the grant; without a policy it finds nothing to lock.
grant insert, update on form_versions to authenticated;
create policy "scope reads" on form_versions for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "form managers add" on form_versions for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('form.manage')));

grant insert, update on form_drafts to authenticated;
create policy "scope reads" on form_drafts for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "form managers add" on form_drafts for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('form.manage')));
create policy "form managers edit" on form_drafts for update to authenticated
  using ((select sync.pushing()) and organization_id in (select my_organizations_with('form.manage')));

-- A push locks a row before it judges the edit, which takes the grant; without a policy it finds nothing to lock.
grant insert, update on form_pictures to authenticated;
create policy "scope reads" on form_pictures for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "form managers add" on form_pictures for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('form.manage')));
