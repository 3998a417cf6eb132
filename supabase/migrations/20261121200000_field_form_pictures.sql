-- Field operations: pictures of choices. They are small and travel as rows, so that whoever has a form has its pictures, also
-- without a signal. A choice in a version names its picture by id; a picture never changes.

create table form_pictures (
  id              uuid primary key,
  organization_id uuid not null references organizations (id) on delete cascade,
  name            text not null check (btrim(name) <> '' and char_length(name) <= 200),   -- of the file it came from, as `media::image` says
  width           integer not null check (width between 1 and 1024),                     -- px
  height          integer not null check (height between 1 and 1024),                    -- px
  -- The bytes of a JPEG (it begins FF D8 FF), base64, at most 45 kB.
  data            text not null check (char_length(data) between 64 and 61440 and left(data, 4) = '/9j/' and data ~ '^[A-Za-z0-9+/]+={0,2}$'),
  created_by      uuid references auth.users (id) on delete set null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1
);
create index form_pictures_organization on form_pictures (organization_id);
create index form_pictures_creator on form_pictures (created_by);
select sync.add_table('form_pictures', 21, $$ sync.scopes(sync.org_scope(organization_id)) $$);

create policy "scope reads" on form_pictures for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "form managers add" on form_pictures for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('form.manage')));
-- A push locks a row before it judges the edit, which takes the grant; without a policy it finds nothing to lock.
grant insert, update on form_pictures to authenticated;
-- No update: what a version shows stays as it was. Nothing says that no version names a picture any more, so none is removed.

create trigger b_creator before insert or update on form_pictures for each row execute function sync.set_creator();

-- Every device of the organisation carries all of them.
create function sync.guard_form_picture() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is not null and (select count(*) from public.form_pictures p where p.organization_id = new.organization_id) >= 400 then
    raise exception 'an organisation has at most 400 pictures of choices' using errcode = '23514';
  end if;
  return new;
end $$;
revoke execute on function sync.guard_form_picture() from public;
create trigger c_guard before insert on form_pictures for each row execute function sync.guard_form_picture();
