-- Row ids are made on devices, so that anybody may send any id: one that a stranger took first must not stop the work of
-- whoever it belongs to (docs/decisions/0200-ids-are-judged.md). Ids that follow from their row (uuid v5) are checked: only
-- that row may have them. A random id that stands for another record is answered `id_taken`, and the device gives its own a
-- new one. What the id stands for is told nobody.

-- The id a person's row has to have where it is a derived one; null where its table knows no such rule.
create function sync.is_derived(p_id uuid) returns boolean
  language sql immutable parallel safe return substr(p_id::text, 15, 1) = '5';

create function sync.guard_derived_id() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  fits boolean;
begin
  if auth.uid() is null then return new; end if;
  case tg_table_name
    when 'inspection_answers' then
      fits := new.id = extensions.uuid_generate_v5(new.inspection_id, 'answer/' || new.question);
    when 'form_drafts' then
      fits := new.id = extensions.uuid_generate_v5(new.form_id, 'draft');
    when 'notification_choices' then
      fits := new.id = extensions.uuid_generate_v5(new.user_id, 'notifications/' || new.type || '/' || new.channel);
    when 'habit_entries' then
      fits := new.id = extensions.uuid_generate_v5(new.habit_id, 'habits/' || new.day::text);
    when 'inspections' then
      -- Occurrences are the server's; what a device derives is the sample company.
      fits := exists (select from generate_series(0, 31) n where new.id in (
        extensions.uuid_generate_v5(new.organization_id, 'past/' || n), extensions.uuid_generate_v5(new.organization_id, 'planned/' || n)));
  end case;
  if fits is not true then
    raise exception 'this id follows from another record' using errcode = '23514', constraint = 'id_is_derived';
  end if;
  return new;
end $$;
create trigger d_derived_id before insert on inspection_answers for each row
  when (sync.is_derived(new.id)) execute function sync.guard_derived_id();
create trigger d_derived_id before insert on form_drafts for each row
  when (sync.is_derived(new.id)) execute function sync.guard_derived_id();
create trigger d_derived_id before insert on notification_choices for each row
  when (sync.is_derived(new.id)) execute function sync.guard_derived_id();
create trigger d_derived_id before insert on habit_entries for each row
  when (sync.is_derived(new.id)) execute function sync.guard_derived_id();
create trigger d_derived_id before insert on inspections for each row
  when (sync.is_derived(new.id)) execute function sync.guard_derived_id();

-- Whether the id of a new record stands for another one: of another organisation than it names, or (p_hidden: the caller
-- may not see what is there) one that this person never made. What two people derive from the same facts is one record.
create function sync.is_id_taken(m jsonb, p_hidden boolean) returns boolean
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
  if not p_hidden then return false; end if;
  -- Where guard_derived_id holds, only the same record can have it.
  if sync.is_derived((m ->> 'id')::uuid) and (m ->> 't' in ('inspection_answers', 'form_drafts', 'notification_choices', 'inspections')
      or m ->> 't' = 'action_items' and (present ->> 'source_id', present ->> 'source_question') is not distinct from (wanted ->> 'source_id', wanted ->> 'source_question')) then
    return false;
  end if;
  return not exists (select from sync.mutation k where k.user_id = auth.uid() and k.tbl = m ->> 't' and k.row_id = (m ->> 'id')::uuid
    and k.op = 'insert' and k.mid <> (m ->> 'mid')::uuid);
end $$;

create or replace function sync.apply_mutation(m jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  result jsonb;
  before bigint;
  may_be_former constant boolean := current_setting('sync.kept_former', true) is distinct from '{}';
begin
  if sync.is_restored() then
    before := sync.version_of(m ->> 't', (m ->> 'id')::uuid);
    m := sync.in_order(m, before);
  end if;
  if m ->> 'op' = 'insert' then
    if may_be_former and m -> 'patch' ->> 'organization_id' is not null then
      perform sync.refuse_former_member((m -> 'patch' ->> 'organization_id')::uuid);
    end if;
    -- Before anything of it could be merged into a record of another organisation that the same person sees.
    if sync.is_id_taken(m, false) then perform sync.refuse_taken_id(); end if;
  end if;
  result := sync.apply_own_mutation(m);
  if result ->> 'kind' = 'missing_or_hidden' then
    if m ->> 'op' = 'insert' then
      if sync.is_id_taken(m, true) then perform sync.refuse_taken_id(); end if;
    elsif may_be_former then
      perform sync.refuse_former_member(sync.organization_of(m));
    end if;
  end if;
  if before is not null and m ? 'av' then perform sync.note_replayed(m, before); end if;
  return result;
end $$;

create function sync.refuse_taken_id() returns void language plpgsql set search_path = '' as $$
begin
  raise exception 'this id stands for another record' using errcode = '23505', constraint = 'id_taken';
end $$;

-- As before; a taken id has a word of its own, and who is refused only with its group says so.
create or replace function sync.refusal(p_mid text, p_code text, p_message text, p_constraint text, p_column text) returns jsonb
  language sql immutable set search_path = '' return jsonb_build_object('mid', p_mid, 'st', 'rejected',
    'code', case when (p_code, p_message) in (('42501', 'not_a_member'), ('P0001', 'behind')) then p_message
      when (p_code, p_constraint) = ('23505', 'id_taken') then p_constraint else p_code end, 'msg',
    case when p_code in ('P0001', '42501', '22023') then p_message
      when p_code like '23%' then coalesce(nullif(p_constraint, ''), nullif(p_column, ''), p_message)
      else 'a value does not fit its column' end)
    || case when p_constraint = 'refused with its group' then '{"with_group": true}' else '{}'::jsonb end;

-- What was refused for its id goes again by itself, under another: nobody need be told.
create or replace function inbox.edit_refused() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if old.op = 'insert' and sync.is_id_taken(jsonb_build_object('t', old.tbl, 'id', old.row_id, 'mid', old.mid), true) then return null; end if;
  perform inbox.notify(old.user_id, 'sync.refused', 'refused/' || old.mid::text, '/sync', '{}', old.row_id);
  return null;
end $$;

revoke execute on function sync.is_derived(uuid), sync.guard_derived_id(), sync.is_id_taken(jsonb, boolean), sync.refuse_taken_id() from public;
grant execute on function sync.is_derived(uuid), sync.is_id_taken(jsonb, boolean), sync.refuse_taken_id(), sync.apply_mutation(jsonb),
  sync.refusal(text, text, text, text, text) to authenticated;
-- Asked in the condition of a trigger, as whoever writes.
grant execute on function sync.is_derived(uuid) to service_role;
