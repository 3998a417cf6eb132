-- Whoever knows an inspection, a question, a goal or an organisation can work out ids that follow from it (docs/decisions/0731), and
-- asked by a new record of their own under such an id, in an organisation of their own, whether the other record exists: `id_taken`
-- said so before the record itself was judged, and where a table had no rule for such ids (action items of a private space, sites,
-- forms, all that devices never derive) one was stored and the other refused. Now a new record is judged first, and an id that does
-- not follow from the record that bears it is given up by the device whether or not it stands for anything.

-- Whether the id of a new row is one a device derives from what the row itself names, or from a record of the caller's own.
create function sync.follows_from_itself(p_table text, p jsonb) returns boolean
  language sql stable security definer set search_path = '' as $$
  select (p ->> 'id')::uuid in (
    select extensions.uuid_generate_v5((p ->> 'organization_id')::uuid, name) from (
      select 'playbook' as name where p_table = 'playbooks'
      union all select 'loose' where p_table = 'action_items'
      union all select format('preset/%s/%s', preset, part)
        from unnest(array['workshop', 'warehouse', 'kitchen', 'office']) preset, lateral (
          select format('site/%s', n) as part from generate_series(0, 31) n where p_table = 'sites'
          union all select format('asset/%s', n) from generate_series(0, 31) n where p_table = 'assets'
          union all select 'form' where p_table = 'forms'
          union all select 'form/1' where p_table = 'form_versions') parts) names
    where p ->> 'organization_id' is not null
    union all select extensions.uuid_generate_v5((p ->> 'playbook_id')::uuid, 'area/' || area)
      from unnest(array['health-wellness-foundation', 'career-growth-essentials', 'personal-development-basics', 'financial-literacy',
        'relationship-building', 'mindfulness-focus']) area where p_table = 'action_items' and p ->> 'playbook_id' is not null
    union all select extensions.uuid_generate_v5((p ->> 'playbook_id')::uuid, 'look-back') where p_table = 'forms' and p ->> 'playbook_id' is not null
    union all select extensions.uuid_generate_v5(f.playbook_id, 'look-back/1') from public.forms f
      where p_table = 'form_versions' and f.id = (p ->> 'form_id')::uuid and sync.is_in_sight(f.scopes)
    union all select extensions.uuid_generate_v5(c.id, 'next-step') from public.goal_check_ins c
      where p_table = 'action_items' and c.user_id = auth.uid()
    union all select extensions.uuid_generate_v5((step ->> 'id')::uuid, 'action') from public.circle_sessions s, jsonb_array_elements(s.next_steps) step
      where p_table = 'action_items' and sync.is_in_sight(s.scopes) and step ->> 'id' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$')
$$;

-- Not in the day after a restore: what was taken in before comes again as it was.
create function sync.give_up_foreign_id() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is null or not sync.is_device_edit() or sync.is_restored() then return new; end if;
  if not sync.follows_from_itself(tg_table_name, to_jsonb(new)) then perform sync.refuse_taken_id(); end if;
  return new;
end $$;

-- Every synced table whose derived ids no rule of its own judges. A table that comes later is one of them until it says otherwise.
create function sync.guard_foreign_ids() returns void
  language plpgsql set search_path = '' as $$
declare
  t text;
begin
  for t in
    select s.name from sync.tables s where s.name not in ('action_items', 'approval_decisions', 'controls', 'countersignatures',
      'policy_acknowledgements', 'policy_versions', 'poams', 'presence_entries', 'record_follows', 'tasks')
      and exists (select from pg_attribute a where a.attrelid = format('public.%I', s.name)::regclass and a.attname = 'id' and not a.attisdropped and a.attgenerated = '')
      and not exists (select from pg_trigger g where g.tgrelid = format('public.%I', s.name)::regclass and g.tgname in ('d_derived_id', 'a1_foreign_id'))
  loop
    execute format('create trigger a1_foreign_id before insert on public.%I for each row when (sync.is_derived(new.id)) execute function sync.give_up_foreign_id()', t);
  end loop;
end $$;
select sync.guard_foreign_ids();
-- In a company guard_source says what an action item's id may follow from, and refuses first; in a private space nothing did.
create trigger d_foreign_id before insert on action_items for each row
  when (sync.is_derived(new.id) and coalesce(new.source_type, '') not in ('inspection', 'poam')) execute function sync.give_up_foreign_id();

-- As before; of a row that is not in sight nothing is said before the new one was judged as if there were none.
create or replace function sync.apply_at_once(m jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  result jsonb;
begin
  if m ->> 'op' = 'insert' then
    perform sync.refuse_former_work(m);
    -- Before anything of it could be merged into a record of another organisation that the same person sees.
    if sync.is_id_taken(m, false) and sync.version_in_sight(m ->> 't', (m ->> 'id')::uuid) > 0 then perform sync.refuse_taken_id(); end if;
  end if;
  result := sync.apply_own_mutation(m);
  if result ->> 'kind' = 'missing_or_hidden' then
    if m ->> 'op' <> 'insert' then perform sync.refuse_former_work(m);
    elsif sync.is_id_taken(m, true) then perform sync.refuse_taken_id();
    end if;
  end if;
  return result;
end $$;

revoke execute on function sync.follows_from_itself(text, jsonb), sync.give_up_foreign_id(), sync.guard_foreign_ids() from public;
grant execute on function sync.apply_at_once(jsonb) to authenticated;
