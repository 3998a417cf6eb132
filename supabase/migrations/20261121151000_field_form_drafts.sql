-- Field operations: forms that are being built. A version never changes; what is edited stands beside it, once for each form,
-- until it is published as the next version.

create table form_drafts (
  id              uuid primary key,                              -- derivedId(form_id, 'draft')
  organization_id uuid not null,                                 -- copied from the form
  form_id         uuid not null unique,
  definition      jsonb check (jsonb_typeof(definition) = 'object'),   -- as form_versions.definition; null: nothing that is not published
  edited_by       uuid references auth.users (id) on delete set null,  -- who wrote it last
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  foreign key (organization_id, form_id) references forms (organization_id, id) on delete cascade
);
create index form_drafts_form on form_drafts (organization_id, form_id);

-- Everybody of the organisation has it, as they have the forms: there is no audience "may manage forms".
select sync.add_table('form_drafts', 23, $$ sync.scopes(sync.org_scope(organization_id)) $$,
  p_server_columns => array['edited_by']);

create policy "scope reads" on form_drafts for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "form managers add" on form_drafts for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('form.manage')));
create policy "form managers edit" on form_drafts for update to authenticated
  using ((select sync.pushing()) and organization_id in (select my_organizations_with('form.manage')));
grant insert, update on form_drafts to authenticated;

create function sync.set_draft_editor() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and new.form_id is distinct from old.form_id then
    raise exception 'a draft keeps its form' using errcode = '42501';
  end if;
  if auth.uid() is not null then new.edited_by := auth.uid(); end if;
  return new;
end $$;
revoke execute on function sync.set_draft_editor() from public;
create trigger b_editor before insert or update on form_drafts for each row execute function sync.set_draft_editor();
create trigger c_copy_organization before insert or update on form_drafts
  for each row execute function sync.copy_form_organization();

-- Where a version came from, in words that are true; and what is different in it, in one line.
alter table form_versions drop constraint form_versions_source_check;
update form_versions set source = 'builder' where source = 'built';
alter table form_versions
  alter column source set default 'builder',
  add constraint form_versions_source_check check (source in ('builder', 'xlsform', 'xform', 'json', 'seed')),
  add column changes text check (char_length(changes) <= 500);
select sync.refresh_table('form_versions');

-- Whether an inspection may change its version: one under way, to the version its form is published in now.
create function sync.may_move_version(o public.inspections, n public.inspections) returns boolean
  language sql stable security definer set search_path = '' as $$
  select o.status = 'in_progress' and n.status = 'in_progress' and n.form_id = o.form_id
    and exists (select from public.forms f where f.id = n.form_id and f.current_version_id = n.form_version_id);
$$;
revoke execute on function sync.may_move_version(public.inspections, public.inspections) from public;

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
    if old.status <> 'scheduled' and (new.form_id, new.form_version_id) is distinct from (old.form_id, old.form_version_id)
      and not sync.may_move_version(old, new) then
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
