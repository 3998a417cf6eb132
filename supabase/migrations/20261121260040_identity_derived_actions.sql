-- As before; in a company an id that follows from a record is refused without that record. The sample company has one such
-- action item; in a private space, where a person adds samples, nobody else's record is kept out: ids are judged (0200).
create or replace function sync.guard_source() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  i record;
begin
  if auth.uid() is null then return new; end if;
  if tg_op = 'INSERT' and sync.is_derived(new.id) and (new.source_id is null or new.source_type is distinct from 'inspection')
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
