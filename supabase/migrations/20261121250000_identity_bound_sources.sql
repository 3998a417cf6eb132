-- What follows from a record is bound to it: corrective work stands where its inspection stands and is made by whoever may
-- answer there, so that nobody makes it first at a place the right person does not see (docs/decisions/0250-bound-to-their-source.md).

-- Whether the caller answers for an inspection: conducts it, is asked to, finds it free, or reviews.
create function sync.answers_for(p_organization uuid, p_conductor uuid, p_assignee uuid) returns boolean
  language sql stable security definer set search_path = ''
  return coalesce(p_conductor = auth.uid(), false) or coalesce(p_assignee = auth.uid(), false)
    or p_conductor is null and p_assignee is null or sync.may('inspection.review', p_organization);

create function sync.guard_source() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  i record;
begin
  if auth.uid() is null or new.source_id is null and tg_op = 'INSERT' then return new; end if;
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
create trigger c_source before insert or update on action_items for each row execute function sync.guard_source();

-- As before; an id that follows from a question stands for that question's action item only, also before whoever sees both.
create or replace function sync.is_id_taken(m jsonb, p_hidden boolean) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
declare
  wanted constant jsonb := coalesce(m -> 'patch', '{}');
  present jsonb;
begin
  if not exists (select from sync.tables t where t.name = m ->> 't') then return false; end if;
  execute format('select to_jsonb(x) - ''scopes'' from public.%I x where x.id = $1', m ->> 't') into present using (m ->> 'id')::uuid;
  if present is null then return false; end if;
  if wanted ->> 'organization_id' is not null and present ->> 'organization_id' is distinct from lower(wanted ->> 'organization_id')
    and present ? 'organization_id' then
    return true;
  end if;
  if m ->> 't' = 'action_items' and sync.is_derived((m ->> 'id')::uuid)
    and (present ->> 'source_id', present ->> 'source_question') is distinct from (lower(wanted ->> 'source_id'), wanted ->> 'source_question') then
    return true;
  end if;
  if not p_hidden then return false; end if;
  -- Where guard_derived_id and guard_source hold, only the same record can have it.
  if sync.is_derived((m ->> 'id')::uuid)
    and m ->> 't' in ('inspection_answers', 'form_drafts', 'notification_choices', 'inspections', 'action_items') then
    return false;
  end if;
  return not exists (select from sync.mutation k where k.user_id = auth.uid() and k.tbl = m ->> 't' and k.row_id = (m ->> 'id')::uuid
    and k.op = 'insert' and k.mid <> (m ->> 'mid')::uuid);
end $$;

-- Every table that people write by push alone refuses a direct call before any trigger of it has looked, whoever made the table.
do $$
declare
  t text;
begin
  for t in
    select distinct p.tablename from pg_policies p
    where p.schemaname = 'public' and p.cmd = 'INSERT' and p.with_check like '%pushing()%' and not exists (
      select from pg_trigger g where g.tgrelid = format('public.%I', p.tablename)::regclass and g.tgname = 'a0_need_push')
  loop
    execute format('create trigger a0_need_push before insert on public.%I for each statement execute function sync.need_push()', t);
  end loop;
end $$;

revoke execute on function sync.guard_source(), sync.answers_for(uuid, uuid, uuid) from public;
