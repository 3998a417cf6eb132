-- Controls: what a framework asks for, as an organisation took it over from a catalogue, and which policies and forms answer to
-- it. Evidence is linked to controls like to anything else; what is covered is worked out on the device, and nowhere stored
-- (docs/decisions/0242-controls.md).

insert into permissions (key, description) values ('control.manage', 'Bring frameworks in, say which policies and forms answer to their controls');
insert into role_permissions (role_kind, role, permission)
  select 'organization', role, 'control.manage' from unnest(array['admin', 'manager']) role;

create table frameworks (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations (id) on delete cascade,
  title           text not null check (btrim(title) <> '' and char_length(title) <= 300),
  edition         text check (char_length(edition) <= 100),      -- the version its publisher gave it
  source_id       text check (char_length(source_id) <= 100),    -- uuid of the catalogue it came from
  created_by      uuid references auth.users (id) on delete set null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  unique (organization_id, id)
);

create table controls (
  id              uuid primary key,                              -- derivedId(framework_id, 'control/<code>')
  organization_id uuid not null,                                 -- copied from the framework
  framework_id    uuid not null,
  code            text not null check (code ~ '^[a-z0-9][a-z0-9._-]{0,49}$'),   -- as the catalogue names it: ac-1
  label           text not null check (label <> '' and char_length(label) <= 50),   -- as people name it: AC-1
  title           text not null check (btrim(title) <> '' and char_length(title) <= 300),
  family          text not null check (family <> '' and char_length(family) <= 200),
  statement       text not null default '' check (char_length(statement) <= 40000),
  position        integer not null check (position between 0 and 10000),   -- in its framework
  created_by      uuid references auth.users (id) on delete set null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  unique (organization_id, id),
  unique (framework_id, code),
  foreign key (organization_id, framework_id) references frameworks (organization_id, id) on delete cascade
);

-- Which policies and forms answer to a control.
create table control_links (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null,                                 -- copied from the control
  control_id      uuid not null,
  target_table    text not null check (target_table in ('policies', 'forms')),
  target_id       uuid not null,
  created_by      uuid references auth.users (id) on delete set null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  foreign key (organization_id, control_id) references controls (organization_id, id) on delete cascade
);
create index control_links_control on control_links (organization_id, control_id);
create index control_links_target on control_links (target_id);

select sync.add_table('frameworks', 26, $$ sync.scopes(sync.org_scope(organization_id)) $$);
select sync.add_table('controls', 27, $$ sync.scopes(sync.org_scope(organization_id)) $$);
select sync.add_table('control_links', 35, $$ sync.scopes(sync.org_scope(organization_id)) $$);

create policy "scope reads" on frameworks for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "managers add" on frameworks for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('control.manage')));
create policy "managers change" on frameworks for update to authenticated
  using ((select sync.pushing()) and organization_id in (select my_organizations_with('control.manage')));
grant insert, update on frameworks to authenticated;

create policy "scope reads" on controls for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "managers add" on controls for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('control.manage')));
create policy "managers change" on controls for update to authenticated
  using ((select sync.pushing()) and organization_id in (select my_organizations_with('control.manage')));
grant insert, update on controls to authenticated;

create policy "scope reads" on control_links for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "managers link" on control_links for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('control.manage')));
create policy "managers unlink" on control_links for update to authenticated
  using ((select sync.pushing()) and organization_id in (select my_organizations_with('control.manage')));
grant insert, update on control_links to authenticated;

do $$
declare
  t text;
begin
  foreach t in array array['frameworks', 'controls', 'control_links'] loop
    execute format('create trigger a0_need_push before insert on public.%I for each statement execute function sync.need_push()', t);
    execute format('create trigger b_creator before insert or update on public.%I for each row execute function sync.set_creator()', t);
    execute format('create trigger b_keep_organization before update on public.%I for each row execute function sync.keep_organization()', t);
  end loop;
end $$;

create function sync.guard_control() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  f public.frameworks;
begin
  if tg_op = 'UPDATE' then
    if (new.framework_id, new.code) is distinct from (old.framework_id, old.code) then
      raise exception 'a control keeps its framework and its code' using errcode = '42501';
    end if;
    return new;
  end if;
  select * into f from public.frameworks x where x.id = new.framework_id;
  if not found or sync.pushing() and auth.uid() is not null and not sync.is_in_sight(f.scopes) then
    raise exception 'a control needs its framework' using errcode = '23503';
  end if;
  new.organization_id := f.organization_id;
  -- A derived id is its own row's, and nobody takes it before them.
  if auth.uid() is not null and new.id <> extensions.uuid_generate_v5(new.framework_id, 'control/' || new.code) then
    raise exception 'this id follows from another record' using errcode = '23514', constraint = 'id_is_derived';
  end if;
  return new;
end $$;
create trigger c_guard before insert or update on controls for each row execute function sync.guard_control();

create function sync.guard_control_link() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  c public.controls;
  seen boolean;
begin
  if tg_op = 'UPDATE' then
    if (new.control_id, new.target_table, new.target_id) is distinct from (old.control_id, old.target_table, old.target_id) then
      raise exception 'a link keeps its ends' using errcode = '42501';
    end if;
    return new;
  end if;
  select * into c from public.controls x where x.id = new.control_id;
  if not found or sync.pushing() and auth.uid() is not null and not sync.is_in_sight(c.scopes) then
    raise exception 'a link needs its control' using errcode = '23503';
  end if;
  new.organization_id := c.organization_id;
  execute format('select exists (select from public.%I t where t.id = $1 and t.organization_id = $2 and t.deleted_at is null and ($3 or sync.is_in_sight(t.scopes)))',
    new.target_table) into seen using new.target_id, c.organization_id, auth.uid() is null;
  if not seen then raise exception 'a link needs what it leads to' using errcode = '23503'; end if;
  return new;
end $$;
create trigger c_guard before insert or update on control_links for each row execute function sync.guard_control_link();

alter table evidence_links drop constraint evidence_links_target_table_check;
alter table evidence_links add constraint evidence_links_target_table_check
  check (target_table in ('policies', 'action_items', 'inspections', 'controls'));

-- A framework goes with its controls; one word in the log for all of them.
create function sync.remove_controls() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update public.controls set deleted_at = new.deleted_at where framework_id = new.id and deleted_at is null;
  return null;
end $$;
create trigger d_controls after update on frameworks for each row
  when (old.deleted_at is null and new.deleted_at is not null) execute function sync.remove_controls();

create function audit.note_framework() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_table_name = 'control_links' then
    perform audit.note(new.organization_id, case when new.deleted_at is null then 'control.linked' else 'control.unlinked' end, 'controls', new.control_id,
      jsonb_build_object('table', new.target_table, 'target_id', new.target_id));
  elsif tg_op = 'INSERT' then
    perform audit.note(new.organization_id, 'framework.added', 'frameworks', new.id);
  elsif old.deleted_at is null and new.deleted_at is not null then
    perform audit.note(new.organization_id, 'framework.removed', 'frameworks', new.id);
  end if;
  return null;
end $$;
create trigger z_audit after insert or update on frameworks for each row execute function audit.note_framework();
create trigger z_audit after insert or update on control_links for each row execute function audit.note_framework();

revoke execute on function sync.guard_control(), sync.guard_control_link(), sync.remove_controls(), audit.note_framework() from public;
