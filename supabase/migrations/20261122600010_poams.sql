-- Plans of action and milestones (OSCAL): the file an assessor or an authority keeps of what is to be mended. Each item of it is an
-- action item here; everything the columns of one do not know stays in the plan, word for word, and goes out with it again
-- (docs/decisions/0520-a-plan-keeps-what-it-does-not-know.md).

create table poams (
  id              uuid primary key,                              -- derivedId(organization_id, 'poam/<source_id at first>')
  organization_id uuid not null references organizations (id) on delete cascade,
  title           text not null check (btrim(title) <> '' and char_length(title) <= 300),
  edition         text check (char_length(edition) <= 100),      -- the version its writer gave it
  source_id       text not null check (source_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'),   -- uuid of the document; another with each edition
  state           text not null default 'followed' check (state in ('followed', 'put_away')),
  document        text not null check (char_length(document) between 2 and 2000000),   -- JSON, as it was brought last
  created_by      uuid references auth.users (id) on delete set null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  unique (organization_id, id)
);

-- It names weaknesses: for those who see evidence, not for everybody there.
select sync.add_table('poams', 28, $$ sync.scopes(sync.holder_scope('evidence.read', organization_id)) $$,
  p_groups => '[["title","edition","source_id","document","state"]]');

create policy "scope reads" on poams for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "managers add" on poams for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('control.manage')));
create policy "managers change" on poams for update to authenticated
  using ((select sync.pushing()) and organization_id in (select my_organizations_with('control.manage')));
grant insert, update on poams to authenticated;
-- No delete policy, and no removal: a plan that is put away comes back under its id when its next edition is brought.

create function sync.guard_poam() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  -- A derived id is its own row's, and nobody takes it before them.
  if tg_op = 'INSERT' and auth.uid() is not null
    and new.id <> extensions.uuid_generate_v5(new.organization_id, 'poam/' || new.source_id) then
    raise exception 'this id follows from another record' using errcode = '23514', constraint = 'id_is_derived';
  end if;
  if new.deleted_at is not null and auth.uid() is not null then
    raise exception 'a plan is put away, not removed' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger a0_need_push before insert on poams for each statement execute function sync.need_push();
create trigger b_creator before insert or update on poams for each row execute function sync.set_creator();
create trigger b_keep_organization before update on poams for each row execute function sync.keep_organization();
create trigger c_guard before insert or update on poams for each row execute function sync.guard_poam();

-- Corrective work may come from a plan: `source_id` is the plan, `source_question` the uuid of its item.
alter table action_items drop constraint action_items_source_type_check;
alter table action_items add constraint action_items_source_type_check check (source_type in ('inspection', 'manual', 'issue_report', 'poam'));

-- As before; an id that follows from a plan is judged below.
create or replace function sync.guard_source() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  i record;
begin
  if auth.uid() is null then return new; end if;
  if tg_op = 'INSERT' and sync.is_derived(new.id) and (new.source_id is null or coalesce(new.source_type, '') not in ('inspection', 'poam'))
    and new.id <> extensions.uuid_generate_v5(new.organization_id, 'loose')
    and exists (select from public.organizations o where o.id = new.organization_id and o.kind = 'company') then
    raise exception 'this id follows from another record' using errcode = '23514', constraint = 'id_is_derived';
  end if;
  if new.source_id is null and tg_op = 'INSERT' then return new; end if;
  if tg_op = 'UPDATE' then
    if (new.source_type, new.source_id, new.source_question) is not distinct from (old.source_type, old.source_id, old.source_question) then
      return new;
    end if;
    -- A copy of a deleted inspection takes along what followed from it; nothing else of a source changes.
    if (new.source_type, new.source_question) is distinct from (old.source_type, old.source_question) or new.source_id is null
      or old.source_id is null or not (old.created_by = auth.uid() or sync.may('action.manage', old.organization_id)) then
      raise exception 'an action item keeps its source' using errcode = '42501';
    end if;
  elsif new.source_type is distinct from 'inspection' then
    return new;
  end if;
  select x.site_id, x.conducted_by, x.assigned_to into i from public.inspections x
    where x.id = new.source_id and x.organization_id = new.organization_id
      -- What somebody may not see is to them as if it were not there.
      and sync.is_in_sight(x.scopes);
  if not found then
    raise exception 'an action item needs its inspection' using errcode = '23503';
  end if;
  if tg_op = 'INSERT' then
    new.site_id := i.site_id;
    if not sync.is_derived(new.id) then return new; end if;
    if new.id is distinct from extensions.uuid_generate_v5(new.source_id, 'action/' || new.source_question) then
      raise exception 'this id follows from another record' using errcode = '23514', constraint = 'id_is_derived';
    end if;
  end if;
  if not sync.answers_for(new.organization_id, i.conducted_by, i.assigned_to) then
    raise exception 'this is somebody else''s inspection' using errcode = '42501';
  end if;
  return new;
end $$;

create function sync.guard_poam_source() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is null then return new; end if;
  -- What somebody may not see is to them as if it were not there.
  if not exists (select from public.poams p where p.id = new.source_id and p.organization_id = new.organization_id and sync.is_in_sight(p.scopes)) then
    raise exception 'an action item needs its plan' using errcode = '23503';
  end if;
  if not sync.may('control.manage', new.organization_id) then
    raise exception 'this needs control.manage' using errcode = '42501';
  end if;
  if new.id is distinct from extensions.uuid_generate_v5(new.source_id, 'action/' || new.source_question) then
    raise exception 'this id follows from another record' using errcode = '23514', constraint = 'id_is_derived';
  end if;
  return new;
end $$;
create trigger c_source_poam before insert on action_items for each row when (new.source_type = 'poam') execute function sync.guard_poam_source();

-- Action items answer to controls as policies and forms do; what a control counts as is not changed by one.
alter table control_links drop constraint control_links_target_table_check;
alter table control_links add constraint control_links_target_table_check check (target_table in ('policies', 'forms', 'action_items'));

create function audit.note_poam() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform audit.note(new.organization_id, 'poam.added', 'poams', new.id,
      jsonb_build_object('sha256', encode(sha256(convert_to(new.document, 'UTF8')), 'hex')));
  elsif old.state <> new.state then
    perform audit.note(new.organization_id, 'poam.' || new.state, 'poams', new.id);
  end if;
  if tg_op = 'UPDATE' and old.document is distinct from new.document then
    perform audit.note(new.organization_id, 'poam.changed', 'poams', new.id,
      jsonb_build_object('sha256', encode(sha256(convert_to(new.document, 'UTF8')), 'hex')));
  end if;
  return null;
end $$;
create trigger z_audit after insert or update on poams for each row execute function audit.note_poam();

revoke execute on function sync.guard_poam(), sync.guard_poam_source(), audit.note_poam() from public;
