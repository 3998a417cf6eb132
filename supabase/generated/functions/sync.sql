-- Made by tools/gen-functions.ts from supabase/migrations: the functions of schema sync as they are now. Do not edit: npm run gen.

CREATE OR REPLACE FUNCTION sync.add_bounds(p_table text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  c record;
begin
  for c in
    select attname as name, atttypid = 'timestamptz'::regtype as is_time from pg_attribute
    where attrelid = format('public.%I', p_table)::regclass and attnum > 0 and not attisdropped
      and atttypid in ('timestamptz'::regtype, 'numeric'::regtype)
  loop
    if c.is_time then
      execute format('alter table public.%1$I add constraint %2$I check (%3$I >= timestamptz %4$L and %3$I < timestamptz %5$L)',
        p_table, p_table || '_' || c.name || '_in_time', c.name, '1970-01-01T00:00:00Z', '2200-01-01T00:00:00Z');
    else
      -- NaN counts as greater than infinity.
      execute format('alter table public.%1$I add constraint %2$I check (%3$I > numeric %4$L and %3$I < numeric %5$L)',
        p_table, p_table || '_' || c.name || '_finite', c.name, '-infinity', 'infinity');
    end if;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION sync.add_table(p_table text, p_priority integer, p_scopes text, p_groups jsonb DEFAULT '[]'::jsonb, p_server_columns text[] DEFAULT '{}'::text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  execute format($ddl$
    alter table public.%1$I add column scopes text[] not null %2$s;
    alter table public.%1$I enable row level security;
    revoke all on public.%1$I from anon, authenticated;
    grant select on public.%1$I to authenticated;
    create trigger a_stamp before insert or update on public.%1$I
      for each row execute function sync.stamp_row();
    create trigger z_touched_insert after insert on public.%1$I referencing new table as new_rows
      for each statement execute function sync.note_touched();
    create trigger z_touched_update after update on public.%1$I referencing old table as old_rows new table as new_rows
      for each statement execute function sync.note_touched();
    create trigger z_touched_delete after delete on public.%1$I referencing old table as old_rows
      for each statement execute function sync.note_touched();
  $ddl$, p_table, coalesce('generated always as (' || p_scopes || ') stored', 'default ''{}'''));
  perform sync.add_bounds(p_table);
  insert into sync.tables (name, priority, groups, server_columns, columns, json_columns, generated)
    values (p_table, p_priority, p_groups, p_server_columns, '{}', '{}', '{}');
  perform sync.refresh_table(p_table);
end $function$;

CREATE OR REPLACE FUNCTION sync.apply_atomically(m jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  result jsonb;
begin
  if m ->> 'op' = 'insert' then
    perform review_queue.refuse_former_member_edit(m);
    -- Before anything of it could be merged into a record of another organisation that the same person sees.
    if sync.is_id_collision(m, false) and sync.version_in_sight(m ->> 't', (m ->> 'id')::uuid) > 0 then perform sync.refuse_colliding_id(); end if;
  end if;
  result := sync.merge_mutation(m);
  if result ->> 'kind' = 'missing_or_hidden' then
    if m ->> 'op' <> 'insert' then perform review_queue.refuse_former_member_edit(m);
    elsif sync.is_id_collision(m, true) then perform sync.refuse_colliding_id();
    end if;
  end if;
  return result;
end $function$;

CREATE OR REPLACE FUNCTION sync.apply_in_causal_order(m jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  before constant bigint := sync.version_in_sight(m ->> 't', (m ->> 'id')::uuid);
  result jsonb;
  code text; message text; rule text;
begin
  if before = 0 then perform review_queue.refuse_former_member_edit(m); end if;
  m := sync.in_order(m, before);
  result := sync.replayed_results(m);
  if result is not null then return result; end if;
  begin
    result := sync.apply_atomically(m);
  exception
    when integrity_constraint_violation or insufficient_privilege or raise_exception then
      get stacked diagnostics code = returned_sqlstate, message = message_text, rule = constraint_name;
      if not sync.may_pass_later(m, code, message, rule) then raise; end if;
      raise exception 'behind' using errcode = 'P0001', detail = 'CN032';
  end;
  if result ->> 'kind' = 'missing_or_hidden' and m ? 'av' then raise exception 'behind' using errcode = 'P0001', detail = 'CN032'; end if;
  -- Of what the caller cannot see nothing was made.
  if (result ->> 'v')::bigint > 0 then perform sync.record_replayed(m, before); end if;
  return result;
end $function$;

CREATE OR REPLACE FUNCTION sync.apply_mutation(m jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if sync.is_restored() then return sync.apply_in_causal_order(m); end if;
  perform inspection.refuse_late(m);
  return sync.apply_atomically(m);
end $function$;

CREATE OR REPLACE FUNCTION sync.apply_run(p_run jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  t sync.tables;
begin
  -- Whether an edit has to wait is asked of each.
  if sync.is_restored() then return null; end if;
  select * into t from sync.tables where name = p_run -> 0 ->> 't';
  if t.name is null or t.goes_alone then return null; end if;
  return case p_run -> 0 ->> 'op' when 'insert' then sync.insert_run(t, p_run) else sync.update_run(t, p_run) end;
exception
  when data_exception or integrity_constraint_violation or syntax_error_or_access_rule_violation or program_limit_exceeded
    or raise_exception or cardinality_violation or sqlstate 'CM002' then
    return null;
end $function$;

CREATE OR REPLACE FUNCTION sync.claim(p_device uuid, p_mutations jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  answer jsonb;
begin
  -- What guards a row may ask which device sends it (`sync.device`).
  perform set_config('sync.device', coalesce(p_device::text, ''), true);
  if exists (select from jsonb_array_elements(p_mutations) m
      where not sync.is_plain_id(m ->> 'mid') or not sync.is_plain_id(m ->> 'id')) then
    raise exception 'mid and id are uuids in lower case' using errcode = '22023', detail = 'CN020';
  end if;
  with caller as materialized (
    select auth.uid() as id
  ), sent as (
    select distinct on (mid) (m ->> 'mid')::uuid as mid, m
    from jsonb_array_elements(p_mutations) m order by mid
  ), taken as (
    insert into sync.mutation (user_id, mid, hash, device, tbl, row_id, op, client_at)
      select caller.id, sent.mid, sync.mutation_hash(m), p_device, m ->> 't', (m ->> 'id')::uuid, m ->> 'op', m ->> 'at'
      from sent, caller order by sent.mid
      on conflict do nothing returning mid
  )
  select coalesce(jsonb_agg(mid), '[]') into answer from taken;
  return answer;
end $function$;

CREATE OR REPLACE FUNCTION sync.clamp_device_time(p_at timestamp with time zone, p_first timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 PARALLEL SAFE
 SET search_path TO ''
RETURN CASE WHEN (p_at IS NULL) THEN NULL::timestamp with time zone ELSE LEAST(GREATEST(p_at, p_first), (clock_timestamp() + '1 day'::interval)) END;

CREATE OR REPLACE FUNCTION sync.clamp_time(p_at timestamp with time zone, p_earliest timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
RETURN LEAST(GREATEST(COALESCE(p_at, now()), p_earliest), now());

CREATE OR REPLACE FUNCTION sync.clamp_times_ahead()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  name text;
begin
  if auth.uid() is null or not sync.is_device_edit() then return new; end if;
  foreach name in array tg_argv loop
    if (to_jsonb(new) ->> name)::timestamptz > clock_timestamp() + interval '1 day' then
      new := jsonb_populate_record(new, jsonb_build_object(name, clock_timestamp()));
    end if;
  end loop;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION sync.clock_allowance()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
RETURN '00:05:00'::interval;

CREATE OR REPLACE FUNCTION sync.conflict_result(p_mutation jsonb, p_kind text, p_fields jsonb, p_row jsonb)
 RETURNS jsonb
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select jsonb_build_object('mid', p_mutation -> 'mid', 'st', 'conflict', 'v', coalesce(p_row -> 'version', '0'),
    'row', coalesce(sync.told_row(p_row), 'null'), 'cid', sync.note_conflict(p_mutation, p_kind, p_fields), 'kind', p_kind, 'fields', p_fields)
$function$;

CREATE OR REPLACE FUNCTION sync.count_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into sync.digest as d (scope, tbl, n, h)
    select e.scope, e.tbl, sum(e.one), bit_xor(sync.row_hash(e.id, e.row_version))
    from (select o.scope, o.tbl, o.id, o.row_version, -1 as one from old_rows o where not o.gone
          union all
          select n.scope, n.tbl, n.id, n.row_version, 1 from new_rows n where not n.gone) e
    group by 1, 2 order by 1, 2
    on conflict (scope, tbl) do update set n = d.n + excluded.n, h = d.h # excluded.h;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION sync.count_deleted()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into sync.digest as d (scope, tbl, n, h)
    select o.scope, o.tbl, -count(*), bit_xor(sync.row_hash(o.id, o.row_version)) from old_rows o where not o.gone group by 1, 2 order by 1, 2
    on conflict (scope, tbl) do update set n = d.n + excluded.n, h = d.h # excluded.h;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION sync.count_inserted()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into sync.digest as d (scope, tbl, n, h)
    select n.scope, n.tbl, count(*), bit_xor(sync.row_hash(n.id, n.row_version)) from new_rows n where not n.gone group by 1, 2 order by 1, 2
    on conflict (scope, tbl) do update set n = d.n + excluded.n, h = d.h # excluded.h;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION sync.delete_row(p_table text, p_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
    begin
      case p_table when 'note_keys' then return sync.delete_note_keys(p_id); when 'notification_types' then return sync.delete_notification_types(p_id); when 'role_permissions' then return sync.delete_role_permissions(p_id); when 'subscription_tiers' then return sync.delete_subscription_tiers(p_id); when 'organizations' then return sync.delete_organizations(p_id); when 'organization_members' then return sync.delete_organization_members(p_id); when 'circle_relationships' then return sync.delete_circle_relationships(p_id); when 'organization_activations' then return sync.delete_organization_activations(p_id); when 'profiles' then return sync.delete_profiles(p_id); when 'subscriptions' then return sync.delete_subscriptions(p_id); when 'user_preferences' then return sync.delete_user_preferences(p_id); when 'user_roles' then return sync.delete_user_roles(p_id); when 'notification_choices' then return sync.delete_notification_choices(p_id); when 'people' then return sync.delete_people(p_id); when 'playbooks' then return sync.delete_playbooks(p_id); when 'sites' then return sync.delete_sites(p_id); when 'wellness_settings' then return sync.delete_wellness_settings(p_id); when 'site_members' then return sync.delete_site_members(p_id); when 'teams' then return sync.delete_teams(p_id); when 'playbook_members' then return sync.delete_playbook_members(p_id); when 'team_members' then return sync.delete_team_members(p_id); when 'assets' then return sync.delete_assets(p_id); when 'form_pictures' then return sync.delete_form_pictures(p_id); when 'forms' then return sync.delete_forms(p_id); when 'form_versions' then return sync.delete_form_versions(p_id); when 'form_drafts' then return sync.delete_form_drafts(p_id); when 'policies' then return sync.delete_policies(p_id); when 'policy_variables' then return sync.delete_policy_variables(p_id); when 'policy_versions' then return sync.delete_policy_versions(p_id); when 'acknowledgement_campaigns' then return sync.delete_acknowledgement_campaigns(p_id); when 'approval_delegations' then return sync.delete_approval_delegations(p_id); when 'approval_requests' then return sync.delete_approval_requests(p_id); when 'frameworks' then return sync.delete_frameworks(p_id); when 'approval_decisions' then return sync.delete_approval_decisions(p_id); when 'controls' then return sync.delete_controls(p_id); when 'kiosk_acknowledgements' then return sync.delete_kiosk_acknowledgements(p_id); when 'policy_acknowledgements' then return sync.delete_policy_acknowledgements(p_id); when 'poams' then return sync.delete_poams(p_id); when 'schedules' then return sync.delete_schedules(p_id); when 'inspections' then return sync.delete_inspections(p_id); when 'findings' then return sync.delete_findings(p_id); when 'inspection_answers' then return sync.delete_inspection_answers(p_id); when 'action_items' then return sync.delete_action_items(p_id); when 'task_series' then return sync.delete_task_series(p_id); when 'media' then return sync.delete_media(p_id); when 'recurrence_decisions' then return sync.delete_recurrence_decisions(p_id); when 'task_items' then return sync.delete_task_items(p_id); when 'evidence' then return sync.delete_evidence(p_id); when 'issue_reports' then return sync.delete_issue_reports(p_id); when 'tasks' then return sync.delete_tasks(p_id); when 'control_links' then return sync.delete_control_links(p_id); when 'evidence_links' then return sync.delete_evidence_links(p_id); when 'inspection_events' then return sync.delete_inspection_events(p_id); when 'comments' then return sync.delete_comments(p_id); when 'pack_items' then return sync.delete_pack_items(p_id); when 'presence_entries' then return sync.delete_presence_entries(p_id); when 'site_maps' then return sync.delete_site_maps(p_id); when 'workflow_rules' then return sync.delete_workflow_rules(p_id); when 'notifications' then return sync.delete_notifications(p_id); when 'wellness_check_ins' then return sync.delete_wellness_check_ins(p_id); when 'cohort_consents' then return sync.delete_cohort_consents(p_id); when 'goals' then return sync.delete_goals(p_id); when 'habits' then return sync.delete_habits(p_id); when 'goal_check_ins' then return sync.delete_goal_check_ins(p_id); when 'goal_links' then return sync.delete_goal_links(p_id); when 'goal_milestones' then return sync.delete_goal_milestones(p_id); when 'goal_pauses' then return sync.delete_goal_pauses(p_id); when 'habit_entries' then return sync.delete_habit_entries(p_id); when 'habit_pauses' then return sync.delete_habit_pauses(p_id); when 'consent_grants' then return sync.delete_consent_grants(p_id); when 'task_views' then return sync.delete_task_views(p_id); when 'circle_acts' then return sync.delete_circle_acts(p_id); when 'circle_messages' then return sync.delete_circle_messages(p_id); when 'circle_sessions' then return sync.delete_circle_sessions(p_id); when 'grant_reads' then return sync.delete_grant_reads(p_id); when 'record_follows' then return sync.delete_record_follows(p_id); when 'triad_briefs' then return sync.delete_triad_briefs(p_id); when 'countersignatures' then return sync.delete_countersignatures(p_id); when 'triad_brief_copies' then return sync.delete_triad_brief_copies(p_id); when 'triad_brief_lines' then return sync.delete_triad_brief_lines(p_id); end case;
    end $function$;

CREATE OR REPLACE FUNCTION sync.device()
 RETURNS uuid
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN CASE WHEN sync.pushing() THEN (NULLIF(current_setting('sync.device'::text, true), ''::text))::uuid ELSE NULL::uuid END;

CREATE OR REPLACE FUNCTION sync.difference(p_row jsonb, p_expected jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
begin
  return (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(p_row)
    where key <> 'version' and value is distinct from coalesce(p_expected -> key, 'null'));
end $function$;

CREATE OR REPLACE FUNCTION sync.differing_rows(p_scope text, p_table text, p_sums jsonb, p_limit integer)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  audience constant text[] := array(select distinct s from public.my_scopes() s order by s);
  wrong record;
  found record;
begin
  execute format($query$
    with held as (
      select get_byte(uuid_send(x.id), 15) as bucket, x.id, sync.row_hash(x.id, x.version) as h, c.bytes
      from sync.ids_of_scope($1, $2) c join public.%I x on x.id = c.id where x.deleted_at is null
    ), sums as (
      select b.bucket, count(held.id) as n, coalesce(bit_xor(held.h), 0) as h, coalesce(sum(held.bytes), 0) as bytes
      from generate_series(0, 255) b (bucket) left join held on held.bucket = b.bucket group by 1
    ), wrong as (
      select s.bucket, sum(s.n) over (order by s.bucket) - s.n as before, sum(s.bytes) over (order by s.bucket) as bytes
      from sums s where jsonb_build_array(s.n, sync.hex(s.h)) is distinct from coalesce($3 -> s.bucket::text, '[0, "0000000000000000"]')
    ), taken as (
      select w.bucket, w.bytes from wrong w
      where w.bucket = (select min(f.bucket) from wrong f) or w.before < $4 and w.bytes <= sync.page_bytes()
    )
    select (select count(*) from wrong) as n, coalesce((select jsonb_agg(t.bucket order by t.bucket) from taken t), '[]') as buckets,
      coalesce((select array_agg(held.id) from held join taken t on t.bucket = held.bucket), '{}') as ids,
      coalesce((select max(t.bytes) from taken t), 0) as bytes
  $query$, p_table) into wrong using p_scope, p_table, p_sums, p_limit;
  if wrong.bytes > 4 * sync.page_bytes() then
    raise exception 'what differs is too large for one answer' using errcode = 'PT413', detail = 'CN455';
  end if;
  found := sync.read_rows(p_table, wrong.ids, '{}', audience);
  return jsonb_build_object('at', sync.place_of_scope(p_scope), 'order', to_jsonb(audience), 'wrong', wrong.n,
    'buckets', wrong.buckets, 'rows', found.o_rows);
end $function$;

CREATE OR REPLACE FUNCTION sync.drop_all_snapshot_pages()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from sync.snapshot_page;
  delete from sync.snapshot_state;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION sync.drop_snapshot_pages()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from sync.snapshot_page d using (
    select distinct p.scope, p.after_v, p.after_t, p.after_id
    from old_rows o
    cross join lateral (
      select r.scope, r.after_v, r.after_t, r.after_id, r.upto_v, r.upto_t, r.upto_id from sync.snapshot_page r
      where r.scope = o.scope and (r.after_v, r.after_t, r.after_id) < (o.version, o.tbl, o.id)
      order by r.after_v desc, r.after_t desc, r.after_id desc limit 1
    ) p
    where (p.upto_v, p.upto_t, p.upto_id) >= (o.version, o.tbl, o.id)
  ) f
  where (d.scope, d.after_v, d.after_t, d.after_id) = (f.scope, f.after_v, f.after_t, f.after_id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION sync.fields_of(t sync.tables, p_sent jsonb)
 RETURNS text[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  fields text[];
begin
  select array_agg(k order by k) filter (where k <> all (t.server_columns) and k <> all (t.generated) and k <> 'id')
    into fields from jsonb_object_keys(p_sent) k where k <> 'scopes';
  fields := coalesce(fields, '{}');
  if not fields <@ t.columns then raise exception 'no such column' using errcode = '22023', detail = 'CN021'; end if;
  return fields;
end $function$;

CREATE OR REPLACE FUNCTION sync.finish_push(p_device uuid, p_mutations jsonb, p_results jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := auth.uid();
  writer constant uuid := sync.writer_of(caller, p_device);
  unjudged uuid[];
begin
  update sync.mutation k set result = r from jsonb_array_elements(p_results) r
    where k.user_id = caller and k.mid = (r ->> 'mid')::uuid and k.result is null and r ->> 'st' <> 'rejected' and not r ? 'dup';
  delete from sync.mutation k using jsonb_array_elements(p_results) r
    where k.user_id = caller and k.mid = (r ->> 'mid')::uuid and k.result is null and r ->> 'st' = 'rejected';
  if jsonb_array_length(p_results) < jsonb_array_length(p_mutations) then
    with rest as (
      update sync.mutation k set result = '{}' from jsonb_array_elements(p_mutations) m
        where k.user_id = caller and k.mid = (m ->> 'mid')::uuid and k.result is null returning k.mid
    ) select array_agg(mid) into unjudged from rest;
    delete from sync.mutation k where k.user_id = caller and k.mid = any (unjudged);
  end if;
  if p_device is null then return; end if;
  insert into sync.transaction_write (xid, tbl, id, version, device)
    select pg_current_xact_id(), m ->> 't', (m ->> 'id')::uuid, max((r ->> 'v')::bigint), writer
    from jsonb_array_elements(p_mutations) with ordinality as ms (m, n)
    join jsonb_array_elements(p_results) with ordinality as rs (r, n) using (n)
    where r ->> 'st' <> 'rejected' and not r ? 'dup' and (r ->> 'v')::bigint > 0
    group by m ->> 't', m ->> 'id'
    on conflict (xid, tbl, id) do update set version = excluded.version;
end $function$;

CREATE OR REPLACE FUNCTION sync.guard_derived_id()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
    when 'goal_links' then
      fits := new.id = extensions.uuid_generate_v5(new.goal_id, 'link/' || new.item_id::text);
    when 'goal_pauses' then
      fits := new.id = extensions.uuid_generate_v5(new.goal_id, 'pause/' || new.from_day::text);
    when 'wellness_settings' then
      fits := new.id = extensions.uuid_generate_v5(new.user_id, 'wellness');
    when 'inspections' then
      -- Occurrences are the server's; what a device derives is the sample company.
      fits := exists (select from generate_series(0, 31) n where new.id in (
        extensions.uuid_generate_v5(new.organization_id, 'past/' || n), extensions.uuid_generate_v5(new.organization_id, 'planned/' || n)));
  end case;
  if fits is not true then
    raise exception 'this id follows from another record' using errcode = '23514', constraint = 'id_is_derived', detail = 'CN230';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION sync.guard_foreign_ids()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  t text;
begin
  for t in
    select s.name from sync.tables s where s.name not in ('action_items', 'approval_decisions', 'controls', 'countersignatures',
      'policy_acknowledgements', 'policy_versions', 'poams', 'presence_entries', 'record_follows', 'tasks')
      and exists (select from pg_attribute a where a.attrelid = format('public.%I', s.name)::regclass and a.attname = 'id' and not a.attisdropped and a.attgenerated = '')
      and not exists (select from pg_trigger g where g.tgrelid = format('public.%I', s.name)::regclass and g.tgname in ('d_derived_id', 'a1_foreign_id'))
  loop
    execute format('create trigger a1_foreign_id before insert on public.%I for each row when (sync.is_derived(new.id)) execute function sync.release_foreign_id()', t);
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION sync.hex(p_hash bigint)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN lpad(to_hex(p_hash), 16, '0'::text);

CREATE OR REPLACE FUNCTION sync.holder_scope(p_permission text, p_organization uuid)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((('may:'::text || p_permission) || ':'::text) || (p_organization)::text);

CREATE OR REPLACE FUNCTION sync.ids_of_scope(p_scope text, p_table text, OUT id uuid, OUT bytes integer)
 RETURNS SETOF record
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select c.id, c.bytes from sync.change c where c.scope = p_scope and c.tbl = p_table and not c.gone and p_scope in (select public.my_scopes())
$function$;

CREATE OR REPLACE FUNCTION sync.in_order(m jsonb, p_present bigint)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  based_on constant bigint := coalesce((m ->> 'bv')::bigint, 0);
  is_again constant boolean := m ? 'av';
  judged_on constant bigint := case when not is_again then based_on when m ? 'unchanged' then (m ->> 'av')::bigint else (m ->> 'av')::bigint - 1 end;
  reached bigint;
  r sync.replayed;
begin
  select * into r from sync.replayed where tbl = m ->> 't' and row_id = (m ->> 'id')::uuid and p_present > 0;
  reached := p_present - case when is_again then coalesce(r.others, 0) else 0 end;
  if judged_on > reached and (judged_on - coalesce(r.base, reached) > 10000 or exists (
      select from generate_series(coalesce(r.base, reached) + 1, judged_on) k where k <> all (coalesce(r.seen, '{}')))) then
    raise exception 'behind' using errcode = 'P0001', detail = 'CN032';
  end if;
  if m ->> 'op' = 'delete' and based_on <> p_present and (is_again or based_on > p_present)
    and p_present = coalesce(r.base + r.steps, p_present) then
    return m || jsonb_build_object('bv', p_present);
  end if;
  return m;
end $function$;

CREATE OR REPLACE FUNCTION sync.insert_all(p_table text, p_rows jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
    begin
      case p_table when 'note_keys' then return sync.insert_all_note_keys(p_rows); when 'notification_types' then return sync.insert_all_notification_types(p_rows); when 'role_permissions' then return sync.insert_all_role_permissions(p_rows); when 'subscription_tiers' then return sync.insert_all_subscription_tiers(p_rows); when 'organizations' then return sync.insert_all_organizations(p_rows); when 'organization_members' then return sync.insert_all_organization_members(p_rows); when 'circle_relationships' then return sync.insert_all_circle_relationships(p_rows); when 'organization_activations' then return sync.insert_all_organization_activations(p_rows); when 'profiles' then return sync.insert_all_profiles(p_rows); when 'subscriptions' then return sync.insert_all_subscriptions(p_rows); when 'user_preferences' then return sync.insert_all_user_preferences(p_rows); when 'user_roles' then return sync.insert_all_user_roles(p_rows); when 'notification_choices' then return sync.insert_all_notification_choices(p_rows); when 'people' then return sync.insert_all_people(p_rows); when 'playbooks' then return sync.insert_all_playbooks(p_rows); when 'sites' then return sync.insert_all_sites(p_rows); when 'wellness_settings' then return sync.insert_all_wellness_settings(p_rows); when 'site_members' then return sync.insert_all_site_members(p_rows); when 'teams' then return sync.insert_all_teams(p_rows); when 'playbook_members' then return sync.insert_all_playbook_members(p_rows); when 'team_members' then return sync.insert_all_team_members(p_rows); when 'assets' then return sync.insert_all_assets(p_rows); when 'form_pictures' then return sync.insert_all_form_pictures(p_rows); when 'forms' then return sync.insert_all_forms(p_rows); when 'form_versions' then return sync.insert_all_form_versions(p_rows); when 'form_drafts' then return sync.insert_all_form_drafts(p_rows); when 'policies' then return sync.insert_all_policies(p_rows); when 'policy_variables' then return sync.insert_all_policy_variables(p_rows); when 'policy_versions' then return sync.insert_all_policy_versions(p_rows); when 'acknowledgement_campaigns' then return sync.insert_all_acknowledgement_campaigns(p_rows); when 'approval_delegations' then return sync.insert_all_approval_delegations(p_rows); when 'approval_requests' then return sync.insert_all_approval_requests(p_rows); when 'frameworks' then return sync.insert_all_frameworks(p_rows); when 'approval_decisions' then return sync.insert_all_approval_decisions(p_rows); when 'controls' then return sync.insert_all_controls(p_rows); when 'kiosk_acknowledgements' then return sync.insert_all_kiosk_acknowledgements(p_rows); when 'policy_acknowledgements' then return sync.insert_all_policy_acknowledgements(p_rows); when 'poams' then return sync.insert_all_poams(p_rows); when 'schedules' then return sync.insert_all_schedules(p_rows); when 'inspections' then return sync.insert_all_inspections(p_rows); when 'findings' then return sync.insert_all_findings(p_rows); when 'inspection_answers' then return sync.insert_all_inspection_answers(p_rows); when 'action_items' then return sync.insert_all_action_items(p_rows); when 'task_series' then return sync.insert_all_task_series(p_rows); when 'media' then return sync.insert_all_media(p_rows); when 'recurrence_decisions' then return sync.insert_all_recurrence_decisions(p_rows); when 'task_items' then return sync.insert_all_task_items(p_rows); when 'evidence' then return sync.insert_all_evidence(p_rows); when 'issue_reports' then return sync.insert_all_issue_reports(p_rows); when 'tasks' then return sync.insert_all_tasks(p_rows); when 'control_links' then return sync.insert_all_control_links(p_rows); when 'evidence_links' then return sync.insert_all_evidence_links(p_rows); when 'inspection_events' then return sync.insert_all_inspection_events(p_rows); when 'comments' then return sync.insert_all_comments(p_rows); when 'pack_items' then return sync.insert_all_pack_items(p_rows); when 'presence_entries' then return sync.insert_all_presence_entries(p_rows); when 'site_maps' then return sync.insert_all_site_maps(p_rows); when 'workflow_rules' then return sync.insert_all_workflow_rules(p_rows); when 'notifications' then return sync.insert_all_notifications(p_rows); when 'wellness_check_ins' then return sync.insert_all_wellness_check_ins(p_rows); when 'cohort_consents' then return sync.insert_all_cohort_consents(p_rows); when 'goals' then return sync.insert_all_goals(p_rows); when 'habits' then return sync.insert_all_habits(p_rows); when 'goal_check_ins' then return sync.insert_all_goal_check_ins(p_rows); when 'goal_links' then return sync.insert_all_goal_links(p_rows); when 'goal_milestones' then return sync.insert_all_goal_milestones(p_rows); when 'goal_pauses' then return sync.insert_all_goal_pauses(p_rows); when 'habit_entries' then return sync.insert_all_habit_entries(p_rows); when 'habit_pauses' then return sync.insert_all_habit_pauses(p_rows); when 'consent_grants' then return sync.insert_all_consent_grants(p_rows); when 'task_views' then return sync.insert_all_task_views(p_rows); when 'circle_acts' then return sync.insert_all_circle_acts(p_rows); when 'circle_messages' then return sync.insert_all_circle_messages(p_rows); when 'circle_sessions' then return sync.insert_all_circle_sessions(p_rows); when 'grant_reads' then return sync.insert_all_grant_reads(p_rows); when 'record_follows' then return sync.insert_all_record_follows(p_rows); when 'triad_briefs' then return sync.insert_all_triad_briefs(p_rows); when 'countersignatures' then return sync.insert_all_countersignatures(p_rows); when 'triad_brief_copies' then return sync.insert_all_triad_brief_copies(p_rows); when 'triad_brief_lines' then return sync.insert_all_triad_brief_lines(p_rows); end case;
    end $function$;

CREATE OR REPLACE FUNCTION sync.insert_row(p_table text, p_row jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
    begin
      case p_table when 'note_keys' then return sync.insert_note_keys(p_row); when 'notification_types' then return sync.insert_notification_types(p_row); when 'role_permissions' then return sync.insert_role_permissions(p_row); when 'subscription_tiers' then return sync.insert_subscription_tiers(p_row); when 'organizations' then return sync.insert_organizations(p_row); when 'organization_members' then return sync.insert_organization_members(p_row); when 'circle_relationships' then return sync.insert_circle_relationships(p_row); when 'organization_activations' then return sync.insert_organization_activations(p_row); when 'profiles' then return sync.insert_profiles(p_row); when 'subscriptions' then return sync.insert_subscriptions(p_row); when 'user_preferences' then return sync.insert_user_preferences(p_row); when 'user_roles' then return sync.insert_user_roles(p_row); when 'notification_choices' then return sync.insert_notification_choices(p_row); when 'people' then return sync.insert_people(p_row); when 'playbooks' then return sync.insert_playbooks(p_row); when 'sites' then return sync.insert_sites(p_row); when 'wellness_settings' then return sync.insert_wellness_settings(p_row); when 'site_members' then return sync.insert_site_members(p_row); when 'teams' then return sync.insert_teams(p_row); when 'playbook_members' then return sync.insert_playbook_members(p_row); when 'team_members' then return sync.insert_team_members(p_row); when 'assets' then return sync.insert_assets(p_row); when 'form_pictures' then return sync.insert_form_pictures(p_row); when 'forms' then return sync.insert_forms(p_row); when 'form_versions' then return sync.insert_form_versions(p_row); when 'form_drafts' then return sync.insert_form_drafts(p_row); when 'policies' then return sync.insert_policies(p_row); when 'policy_variables' then return sync.insert_policy_variables(p_row); when 'policy_versions' then return sync.insert_policy_versions(p_row); when 'acknowledgement_campaigns' then return sync.insert_acknowledgement_campaigns(p_row); when 'approval_delegations' then return sync.insert_approval_delegations(p_row); when 'approval_requests' then return sync.insert_approval_requests(p_row); when 'frameworks' then return sync.insert_frameworks(p_row); when 'approval_decisions' then return sync.insert_approval_decisions(p_row); when 'controls' then return sync.insert_controls(p_row); when 'kiosk_acknowledgements' then return sync.insert_kiosk_acknowledgements(p_row); when 'policy_acknowledgements' then return sync.insert_policy_acknowledgements(p_row); when 'poams' then return sync.insert_poams(p_row); when 'schedules' then return sync.insert_schedules(p_row); when 'inspections' then return sync.insert_inspections(p_row); when 'findings' then return sync.insert_findings(p_row); when 'inspection_answers' then return sync.insert_inspection_answers(p_row); when 'action_items' then return sync.insert_action_items(p_row); when 'task_series' then return sync.insert_task_series(p_row); when 'media' then return sync.insert_media(p_row); when 'recurrence_decisions' then return sync.insert_recurrence_decisions(p_row); when 'task_items' then return sync.insert_task_items(p_row); when 'evidence' then return sync.insert_evidence(p_row); when 'issue_reports' then return sync.insert_issue_reports(p_row); when 'tasks' then return sync.insert_tasks(p_row); when 'control_links' then return sync.insert_control_links(p_row); when 'evidence_links' then return sync.insert_evidence_links(p_row); when 'inspection_events' then return sync.insert_inspection_events(p_row); when 'comments' then return sync.insert_comments(p_row); when 'pack_items' then return sync.insert_pack_items(p_row); when 'presence_entries' then return sync.insert_presence_entries(p_row); when 'site_maps' then return sync.insert_site_maps(p_row); when 'workflow_rules' then return sync.insert_workflow_rules(p_row); when 'notifications' then return sync.insert_notifications(p_row); when 'wellness_check_ins' then return sync.insert_wellness_check_ins(p_row); when 'cohort_consents' then return sync.insert_cohort_consents(p_row); when 'goals' then return sync.insert_goals(p_row); when 'habits' then return sync.insert_habits(p_row); when 'goal_check_ins' then return sync.insert_goal_check_ins(p_row); when 'goal_links' then return sync.insert_goal_links(p_row); when 'goal_milestones' then return sync.insert_goal_milestones(p_row); when 'goal_pauses' then return sync.insert_goal_pauses(p_row); when 'habit_entries' then return sync.insert_habit_entries(p_row); when 'habit_pauses' then return sync.insert_habit_pauses(p_row); when 'consent_grants' then return sync.insert_consent_grants(p_row); when 'task_views' then return sync.insert_task_views(p_row); when 'circle_acts' then return sync.insert_circle_acts(p_row); when 'circle_messages' then return sync.insert_circle_messages(p_row); when 'circle_sessions' then return sync.insert_circle_sessions(p_row); when 'grant_reads' then return sync.insert_grant_reads(p_row); when 'record_follows' then return sync.insert_record_follows(p_row); when 'triad_briefs' then return sync.insert_triad_briefs(p_row); when 'countersignatures' then return sync.insert_countersignatures(p_row); when 'triad_brief_copies' then return sync.insert_triad_brief_copies(p_row); when 'triad_brief_lines' then return sync.insert_triad_brief_lines(p_row); end case;
    end $function$;

CREATE OR REPLACE FUNCTION sync.insert_run(t sync.tables, p_run jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  made jsonb;
  results jsonb := '[]';
  after jsonb;
  m jsonb;
begin
  if (select count(distinct (e ->> 'id')::uuid) from jsonb_array_elements(p_run) e) < jsonb_array_length(p_run) then
    raise exception 'a record comes twice' using errcode = 'CM002', detail = 'CN023';
  end if;
  made := sync.insert_all(t.name, (
    select jsonb_agg(coalesce(e -> 'patch', '{}') || jsonb_build_object('id', e ->> 'id') order by n)
    from jsonb_array_elements(p_run) with ordinality as es (e, n)));
  for m in select e from jsonb_array_elements(p_run) with ordinality as es (e, n) order by n loop
    after := made -> ((m ->> 'id')::uuid)::text;
    if after is null then raise exception 'not all are new' using errcode = 'CM002', detail = 'CN024'; end if;
    results := results || sync.inserted(m, after, sync.fields_of(t, coalesce(m -> 'patch', '{}')));
  end loop;
  return results;
end $function$;

CREATE OR REPLACE FUNCTION sync.inserted(p_mutation jsonb, p_after jsonb, p_fields text[])
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  row_id constant uuid := (p_mutation ->> 'id')::uuid;
  mine constant jsonb := sync.typed_row(p_mutation ->> 't', coalesce(p_mutation -> 'patch', '{}') || jsonb_build_object('id', row_id));
begin
  if (p_after ->> 'id')::uuid <> row_id then raise exception 'this row''s id is given' using errcode = '22023', detail = 'CN022'; end if;
  return jsonb_build_object('mid', p_mutation -> 'mid', 'st', 'applied', 'v', p_after -> 'version',
    'd', sync.difference(p_after, (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(mine) where key = 'id' or key = any (p_fields))));
end $function$;

CREATE OR REPLACE FUNCTION sync.is_derived(p_id uuid)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (substr((p_id)::text, 15, 1) = '5'::text);

CREATE OR REPLACE FUNCTION sync.is_device_edit()
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN (sync.pushing() AND (pg_trigger_depth() <= 1));

CREATE OR REPLACE FUNCTION sync.is_id_collision(m jsonb, p_hidden boolean)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION sync.is_plain_id(p_text text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
RETURN COALESCE((p_text ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'::text), false);

CREATE OR REPLACE FUNCTION sync.is_read_by_scope(p_table text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(bool_and(p.permissive) and bool_or(regexp_replace(p.qual, '[\s()"]|public\.', '', 'g')
      = 'scopes&&SELECTARRAYSELECTmy_scopesASmy_scopesASarrayANDdeleted_atISNULLORSELECTsync.pushingASpushing'), false)
  from (
    select p.polpermissive as permissive, pg_catalog.pg_get_expr(p.polqual, p.polrelid) as qual from pg_catalog.pg_policy p
    where p.polrelid = format('public.%I', p_table)::regclass and p.polcmd in ('r', '*')
      and p.polroles && array[0, (select r.oid from pg_catalog.pg_roles r where r.rolname = 'authenticated')]::oid[]
  ) p
$function$;

CREATE OR REPLACE FUNCTION sync.is_restored()
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN (EXISTS (SELECT FROM sync.restored r WHERE (r.at > (now() - '1 day'::interval))));

CREATE OR REPLACE FUNCTION sync.is_self_derived(p_table text, p jsonb)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  -- What the row names by itself comes first, then the caller's own records, by an index: never what everybody has.
  select case when (p ->> 'id')::uuid in (
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
      where p_table = 'form_versions' and f.id = (p ->> 'form_id')::uuid and access.is_in_sight(f.scopes)) then true
    when p_table <> 'action_items' then false
    else exists (select from public.goal_check_ins c
        where c.user_id = auth.uid() and extensions.uuid_generate_v5(c.id, 'next-step') = (p ->> 'id')::uuid)
      -- Both parties of a session see it, and nobody else does.
      or exists (
        with own as materialized (
          select s.next_steps from public.circle_sessions s where s.subject_id = auth.uid()
          union all select s.next_steps from public.circle_sessions s where s.author_id = auth.uid() and s.subject_id <> auth.uid())
        select from own, jsonb_array_elements(own.next_steps) step
        where access.same_organization() is null and step ->> 'id' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
          and extensions.uuid_generate_v5((step ->> 'id')::uuid, 'action') = (p ->> 'id')::uuid) end
$function$;

CREATE OR REPLACE FUNCTION sync.is_uuid(p_text text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN COALESCE((p_text ~ '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$'::text), false);

CREATE OR REPLACE FUNCTION sync.known_results(p_mids uuid[])
 RETURNS jsonb
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_object_agg(k.mid, jsonb_build_object('hash', encode(k.hash, 'hex'), 'result', k.result)), '{}')
  from sync.mutation k where k.user_id = auth.uid() and k.mid = any (p_mids)
$function$;

CREATE OR REPLACE FUNCTION sync.knows_conflict(p_conflict text, p_table text, p_row uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN ((EXISTS (SELECT FROM sync.restored)) OR (EXISTS (SELECT FROM sync.conflict c WHERE (((c.id)::text = knows_conflict.p_conflict) AND (c.user_id = auth.uid()) AND (c.tbl = knows_conflict.p_table) AND (c.row_id = knows_conflict.p_row)))));

CREATE OR REPLACE FUNCTION sync.lock_all(p_table text, p_ids uuid[])
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
    begin
      case p_table when 'note_keys' then return sync.lock_all_note_keys(p_ids); when 'notification_types' then return sync.lock_all_notification_types(p_ids); when 'role_permissions' then return sync.lock_all_role_permissions(p_ids); when 'subscription_tiers' then return sync.lock_all_subscription_tiers(p_ids); when 'organizations' then return sync.lock_all_organizations(p_ids); when 'organization_members' then return sync.lock_all_organization_members(p_ids); when 'circle_relationships' then return sync.lock_all_circle_relationships(p_ids); when 'organization_activations' then return sync.lock_all_organization_activations(p_ids); when 'profiles' then return sync.lock_all_profiles(p_ids); when 'subscriptions' then return sync.lock_all_subscriptions(p_ids); when 'user_preferences' then return sync.lock_all_user_preferences(p_ids); when 'user_roles' then return sync.lock_all_user_roles(p_ids); when 'notification_choices' then return sync.lock_all_notification_choices(p_ids); when 'people' then return sync.lock_all_people(p_ids); when 'playbooks' then return sync.lock_all_playbooks(p_ids); when 'sites' then return sync.lock_all_sites(p_ids); when 'wellness_settings' then return sync.lock_all_wellness_settings(p_ids); when 'site_members' then return sync.lock_all_site_members(p_ids); when 'teams' then return sync.lock_all_teams(p_ids); when 'playbook_members' then return sync.lock_all_playbook_members(p_ids); when 'team_members' then return sync.lock_all_team_members(p_ids); when 'assets' then return sync.lock_all_assets(p_ids); when 'form_pictures' then return sync.lock_all_form_pictures(p_ids); when 'forms' then return sync.lock_all_forms(p_ids); when 'form_versions' then return sync.lock_all_form_versions(p_ids); when 'form_drafts' then return sync.lock_all_form_drafts(p_ids); when 'policies' then return sync.lock_all_policies(p_ids); when 'policy_variables' then return sync.lock_all_policy_variables(p_ids); when 'policy_versions' then return sync.lock_all_policy_versions(p_ids); when 'acknowledgement_campaigns' then return sync.lock_all_acknowledgement_campaigns(p_ids); when 'approval_delegations' then return sync.lock_all_approval_delegations(p_ids); when 'approval_requests' then return sync.lock_all_approval_requests(p_ids); when 'frameworks' then return sync.lock_all_frameworks(p_ids); when 'approval_decisions' then return sync.lock_all_approval_decisions(p_ids); when 'controls' then return sync.lock_all_controls(p_ids); when 'kiosk_acknowledgements' then return sync.lock_all_kiosk_acknowledgements(p_ids); when 'policy_acknowledgements' then return sync.lock_all_policy_acknowledgements(p_ids); when 'poams' then return sync.lock_all_poams(p_ids); when 'schedules' then return sync.lock_all_schedules(p_ids); when 'inspections' then return sync.lock_all_inspections(p_ids); when 'findings' then return sync.lock_all_findings(p_ids); when 'inspection_answers' then return sync.lock_all_inspection_answers(p_ids); when 'action_items' then return sync.lock_all_action_items(p_ids); when 'task_series' then return sync.lock_all_task_series(p_ids); when 'media' then return sync.lock_all_media(p_ids); when 'recurrence_decisions' then return sync.lock_all_recurrence_decisions(p_ids); when 'task_items' then return sync.lock_all_task_items(p_ids); when 'evidence' then return sync.lock_all_evidence(p_ids); when 'issue_reports' then return sync.lock_all_issue_reports(p_ids); when 'tasks' then return sync.lock_all_tasks(p_ids); when 'control_links' then return sync.lock_all_control_links(p_ids); when 'evidence_links' then return sync.lock_all_evidence_links(p_ids); when 'inspection_events' then return sync.lock_all_inspection_events(p_ids); when 'comments' then return sync.lock_all_comments(p_ids); when 'pack_items' then return sync.lock_all_pack_items(p_ids); when 'presence_entries' then return sync.lock_all_presence_entries(p_ids); when 'site_maps' then return sync.lock_all_site_maps(p_ids); when 'workflow_rules' then return sync.lock_all_workflow_rules(p_ids); when 'notifications' then return sync.lock_all_notifications(p_ids); when 'wellness_check_ins' then return sync.lock_all_wellness_check_ins(p_ids); when 'cohort_consents' then return sync.lock_all_cohort_consents(p_ids); when 'goals' then return sync.lock_all_goals(p_ids); when 'habits' then return sync.lock_all_habits(p_ids); when 'goal_check_ins' then return sync.lock_all_goal_check_ins(p_ids); when 'goal_links' then return sync.lock_all_goal_links(p_ids); when 'goal_milestones' then return sync.lock_all_goal_milestones(p_ids); when 'goal_pauses' then return sync.lock_all_goal_pauses(p_ids); when 'habit_entries' then return sync.lock_all_habit_entries(p_ids); when 'habit_pauses' then return sync.lock_all_habit_pauses(p_ids); when 'consent_grants' then return sync.lock_all_consent_grants(p_ids); when 'task_views' then return sync.lock_all_task_views(p_ids); when 'circle_acts' then return sync.lock_all_circle_acts(p_ids); when 'circle_messages' then return sync.lock_all_circle_messages(p_ids); when 'circle_sessions' then return sync.lock_all_circle_sessions(p_ids); when 'grant_reads' then return sync.lock_all_grant_reads(p_ids); when 'record_follows' then return sync.lock_all_record_follows(p_ids); when 'triad_briefs' then return sync.lock_all_triad_briefs(p_ids); when 'countersignatures' then return sync.lock_all_countersignatures(p_ids); when 'triad_brief_copies' then return sync.lock_all_triad_brief_copies(p_ids); when 'triad_brief_lines' then return sync.lock_all_triad_brief_lines(p_ids); end case;
    end $function$;

CREATE OR REPLACE FUNCTION sync.lock_row(p_table text, p_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
    begin
      case p_table when 'note_keys' then return sync.lock_note_keys(p_id); when 'notification_types' then return sync.lock_notification_types(p_id); when 'role_permissions' then return sync.lock_role_permissions(p_id); when 'subscription_tiers' then return sync.lock_subscription_tiers(p_id); when 'organizations' then return sync.lock_organizations(p_id); when 'organization_members' then return sync.lock_organization_members(p_id); when 'circle_relationships' then return sync.lock_circle_relationships(p_id); when 'organization_activations' then return sync.lock_organization_activations(p_id); when 'profiles' then return sync.lock_profiles(p_id); when 'subscriptions' then return sync.lock_subscriptions(p_id); when 'user_preferences' then return sync.lock_user_preferences(p_id); when 'user_roles' then return sync.lock_user_roles(p_id); when 'notification_choices' then return sync.lock_notification_choices(p_id); when 'people' then return sync.lock_people(p_id); when 'playbooks' then return sync.lock_playbooks(p_id); when 'sites' then return sync.lock_sites(p_id); when 'wellness_settings' then return sync.lock_wellness_settings(p_id); when 'site_members' then return sync.lock_site_members(p_id); when 'teams' then return sync.lock_teams(p_id); when 'playbook_members' then return sync.lock_playbook_members(p_id); when 'team_members' then return sync.lock_team_members(p_id); when 'assets' then return sync.lock_assets(p_id); when 'form_pictures' then return sync.lock_form_pictures(p_id); when 'forms' then return sync.lock_forms(p_id); when 'form_versions' then return sync.lock_form_versions(p_id); when 'form_drafts' then return sync.lock_form_drafts(p_id); when 'policies' then return sync.lock_policies(p_id); when 'policy_variables' then return sync.lock_policy_variables(p_id); when 'policy_versions' then return sync.lock_policy_versions(p_id); when 'acknowledgement_campaigns' then return sync.lock_acknowledgement_campaigns(p_id); when 'approval_delegations' then return sync.lock_approval_delegations(p_id); when 'approval_requests' then return sync.lock_approval_requests(p_id); when 'frameworks' then return sync.lock_frameworks(p_id); when 'approval_decisions' then return sync.lock_approval_decisions(p_id); when 'controls' then return sync.lock_controls(p_id); when 'kiosk_acknowledgements' then return sync.lock_kiosk_acknowledgements(p_id); when 'policy_acknowledgements' then return sync.lock_policy_acknowledgements(p_id); when 'poams' then return sync.lock_poams(p_id); when 'schedules' then return sync.lock_schedules(p_id); when 'inspections' then return sync.lock_inspections(p_id); when 'findings' then return sync.lock_findings(p_id); when 'inspection_answers' then return sync.lock_inspection_answers(p_id); when 'action_items' then return sync.lock_action_items(p_id); when 'task_series' then return sync.lock_task_series(p_id); when 'media' then return sync.lock_media(p_id); when 'recurrence_decisions' then return sync.lock_recurrence_decisions(p_id); when 'task_items' then return sync.lock_task_items(p_id); when 'evidence' then return sync.lock_evidence(p_id); when 'issue_reports' then return sync.lock_issue_reports(p_id); when 'tasks' then return sync.lock_tasks(p_id); when 'control_links' then return sync.lock_control_links(p_id); when 'evidence_links' then return sync.lock_evidence_links(p_id); when 'inspection_events' then return sync.lock_inspection_events(p_id); when 'comments' then return sync.lock_comments(p_id); when 'pack_items' then return sync.lock_pack_items(p_id); when 'presence_entries' then return sync.lock_presence_entries(p_id); when 'site_maps' then return sync.lock_site_maps(p_id); when 'workflow_rules' then return sync.lock_workflow_rules(p_id); when 'notifications' then return sync.lock_notifications(p_id); when 'wellness_check_ins' then return sync.lock_wellness_check_ins(p_id); when 'cohort_consents' then return sync.lock_cohort_consents(p_id); when 'goals' then return sync.lock_goals(p_id); when 'habits' then return sync.lock_habits(p_id); when 'goal_check_ins' then return sync.lock_goal_check_ins(p_id); when 'goal_links' then return sync.lock_goal_links(p_id); when 'goal_milestones' then return sync.lock_goal_milestones(p_id); when 'goal_pauses' then return sync.lock_goal_pauses(p_id); when 'habit_entries' then return sync.lock_habit_entries(p_id); when 'habit_pauses' then return sync.lock_habit_pauses(p_id); when 'consent_grants' then return sync.lock_consent_grants(p_id); when 'task_views' then return sync.lock_task_views(p_id); when 'circle_acts' then return sync.lock_circle_acts(p_id); when 'circle_messages' then return sync.lock_circle_messages(p_id); when 'circle_sessions' then return sync.lock_circle_sessions(p_id); when 'grant_reads' then return sync.lock_grant_reads(p_id); when 'record_follows' then return sync.lock_record_follows(p_id); when 'triad_briefs' then return sync.lock_triad_briefs(p_id); when 'countersignatures' then return sync.lock_countersignatures(p_id); when 'triad_brief_copies' then return sync.lock_triad_brief_copies(p_id); when 'triad_brief_lines' then return sync.lock_triad_brief_lines(p_id); end case;
    end $function$;

CREATE OR REPLACE FUNCTION sync.make_snapshot_page(p_scope text, p_least integer, p_most integer, INOUT at_v bigint, INOUT at_t text, INOUT at_id uuid, OUT outcome text)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET "TimeZone" TO 'UTC'
AS $function$
declare
  next record;
  made record;
  made_before record;
begin
  -- Another may have made one here since.
  select * into made_before from sync.snapshot_page_end_before(p_scope, at_v, at_t, at_id);
  if (made_before.v, made_before.t, made_before.id) > (at_v, at_t, at_id) then
    at_v := made_before.v; at_t := made_before.t; at_id := made_before.id;
  end if;
  loop
    select r.after_v, r.after_t, r.after_id, r.upto_v, r.upto_t, r.upto_id into next from sync.snapshot_page r
      where r.scope = p_scope and (r.after_v, r.after_t, r.after_id) >= (at_v, at_t, at_id)
      order by r.after_v, r.after_t, r.after_id limit 1;
    if found and (next.after_v, next.after_t, next.after_id) = (at_v, at_t, at_id) then
      at_v := next.upto_v; at_t := next.upto_t; at_id := next.upto_id;
      continue;
    end if;
    select m.seen, m.page into made
      from sync.snapshot_page_bounds(p_scope, at_v, at_t, at_id, next.after_v, next.after_t, next.after_id, p_least, p_most) m;
    if (made.page).n > 0 then
      -- Written, not only locked: a transaction that began before, with one snapshot for all it does, would not see the page it has to delete.
      update sync.scope c set version = c.version where c.id = p_scope and c.version = made.seen;
      outcome := 'moved';
      if not found then return; end if;
      select * into made_before from sync.snapshot_page_end_before(p_scope, (made.page).upto_v, (made.page).upto_t, (made.page).upto_id);
      if (made_before.v, made_before.t, made_before.id) > (at_v, at_t, at_id) then return; end if;
      insert into sync.snapshot_page select (made.page).*;
      outcome := 'made';
      return;
    end if;
    if (made.page).upto_v is not null then
      -- Too few, or some of them cannot be in a page; what stands behind them can.
      at_v := (made.page).upto_v; at_t := (made.page).upto_t; at_id := (made.page).upto_id;
    elsif next.after_v is null then outcome := 'whole'; return;
    else at_v := next.after_v; at_t := next.after_t; at_id := next.after_id;
    end if;
  end loop;
exception when others then
  -- What goes wrong in one scope keeps none of the others from its pages.
  raise warning 'sync: a ready page could not be made (%)', sqlstate;
  outcome := 'failed';
end $function$;

CREATE OR REPLACE PROCEDURE sync.make_snapshot_pages(IN p_rows integer DEFAULT 1000, IN p_least integer DEFAULT 100, IN p_most integer DEFAULT 500)
 LANGUAGE plpgsql
AS $procedure$
declare
  began timestamptz := clock_timestamp();
  place record;
  v bigint;                                            -- how far in it
  t text;
  i uuid;
  outcome text;
  moved integer;
begin
  -- Of another shape, nobody reads them; whoever is just deleting one waits for nobody.
  delete from sync.snapshot_page r where r.ctid = any (array(
    select o.ctid from sync.snapshot_page o where o.shape <> (select sync.snapshot_shape()) for update skip locked));
  if found then delete from sync.snapshot_state; end if;
  commit;
  for place in
    select c.id, c.version
    from (select d.scope from sync.digest d where d.scope !~ '^(user|member):' group by d.scope having sum(d.n) >= p_rows) many
    join sync.scope c on c.id = many.scope
    left join sync.snapshot_state r on r.scope = c.id
    where r.version is null or (r.version <> c.version and r.at < now() - interval '10 minutes')
    order by r.at nulls first, c.id
  loop
    v := 0; t := ''; i := '00000000-0000-0000-0000-000000000000';
    moved := 0;
    loop
      exit when clock_timestamp() > began + interval '20 seconds' or not pg_try_advisory_xact_lock(hashtext('sync.make_snapshot_pages'));
      select m.at_v, m.at_t, m.at_id, m.outcome into v, t, i, outcome from sync.make_snapshot_page(place.id, p_least, p_most, v, t, i) m;
      moved := moved + (outcome = 'moved')::integer;
      if outcome in ('whole', 'failed') or moved = 5 then
        insert into sync.snapshot_state (scope, version) values (place.id, case outcome when 'whole' then place.version else -1 end)
          on conflict (scope) do update set version = excluded.version, at = excluded.at;
        exit;
      end if;
      commit;
    end loop;
    commit;
  end loop;
end $procedure$;

CREATE OR REPLACE FUNCTION sync.may_pass_later(m jsonb, p_code text, p_message text, p_rule text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
RETURN ((p_message <> 'not_a_member'::text) AND (p_rule <> 'id_collision'::text) AND ((m ? 'av'::text) OR (p_code = '23503'::text)));

CREATE OR REPLACE FUNCTION sync.member_scope(p_organization uuid, p_user uuid)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((('member:'::text || (p_organization)::text) || ':'::text) || (p_user)::text);

CREATE OR REPLACE FUNCTION sync.member_scopes(p_organization uuid, p_people jsonb)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (SELECT COALESCE(array_agg(((('member:'::text || (member_scopes.p_organization)::text) || ':'::text) || lower(p.value))), '{}'::text[]) AS "coalesce" FROM jsonb_array_elements_text(member_scopes.p_people) p(value) WHERE (p.value ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'::text));

CREATE OR REPLACE FUNCTION sync.merge_fields(p_fields text[], p_groups jsonb, p_current jsonb, p_mine jsonb, p_base jsonb, p_base_keys text[], OUT o_apply text[], OUT o_conflicts jsonb)
 RETURNS record
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare
  f text;
  unit text[];
  sent text[];
  done text[] := '{}';
  grouped text[] := '{}';
  agreed boolean;
  clean boolean;
begin
  o_apply := '{}'; o_conflicts := '[]';
  if p_groups <> '[]' then
    grouped := array(select e from jsonb_array_elements(p_groups) g, jsonb_array_elements_text(g) e);
  end if;
  foreach f in array p_fields loop
    continue when f = any (done);
    -- Most fields stand alone; for them no query is needed.
    if f <> all (grouped) then
      if p_current -> f is distinct from p_mine -> f then
        if p_current -> f is not distinct from p_base -> f then
          o_apply := o_apply || f;
        else
          o_conflicts := o_conflicts || jsonb_build_object('f', f, 'base', p_base -> f, 'mine', p_mine -> f, 'theirs', p_current -> f);
        end if;
      end if;
      continue;
    end if;
    select array_agg(e) into unit from jsonb_array_elements(p_groups) g, jsonb_array_elements_text(g) e where g ? f;
    done := done || unit;
    select array_agg(u) filter (where u = any (p_fields)),
      bool_and(p_current -> u is not distinct from p_mine -> u) filter (where u = any (p_fields)),
      bool_and(p_current -> u is not distinct from p_base -> u
        or (u = any (p_fields) and p_current -> u is not distinct from p_mine -> u))
        filter (where u = any (p_fields) or u = any (p_base_keys))
      into sent, agreed, clean
      from unnest(unit) u;
    if agreed then
      continue;
    elsif clean then
      o_apply := o_apply || sent;
    else
      select o_conflicts || jsonb_agg(jsonb_build_object('f', u, 'base', p_base -> u, 'mine', p_mine -> u, 'theirs', p_current -> u))
        into o_conflicts from unnest(sent) u where p_current -> u is distinct from p_mine -> u;
    end if;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION sync.merge_mutation(m jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  t sync.tables;
  op constant text := m ->> 'op';
  row_id constant uuid := (m ->> 'id')::uuid;
  sent constant jsonb := coalesce(m -> 'patch', '{}');
  based_on constant bigint := coalesce((m ->> 'bv')::bigint, 0);
  fields text[];
  mine jsonb;
  base jsonb;
  present jsonb;
  after jsonb;
  locked boolean := false;
  is_known boolean := true;
  merge record;
begin
  select * into t from sync.tables where name = m ->> 't';
  if t.name is null then raise exception 'no such table' using errcode = '22023', detail = 'CN004'; end if;
  if op is null or op not in ('insert', 'update', 'delete', 'resolve') then raise exception 'no such operation' using errcode = '22023', detail = 'CN005'; end if;
  if jsonb_typeof(sent) <> 'object' or jsonb_typeof(coalesce(m -> 'base', '{}')) <> 'object' then
    raise exception 'patch and base are objects' using errcode = '22023', detail = 'CN006';
  end if;
  fields := sync.fields_of(t, sent);

  if op = 'resolve' then
    is_known := sync.knows_conflict(m ->> 'conflict', t.name, row_id);
    perform sync.resolve_conflict(m ->> 'conflict', t.name, row_id);
  end if;

  for attempt in 1 .. 2 loop
    present := sync.lock_row(t.name, row_id);
    locked := present is not null;
    if not locked and (op <> 'insert' or attempt = 2) then
      -- Visible, but not ours to change?
      present := sync.see_row(t.name, row_id);
    end if;
    exit when present is not null or op <> 'insert';
    after := sync.insert_row(t.name, sent || jsonb_build_object('id', row_id));
    if after is not null then return sync.inserted(m, after, fields); end if;
  end loop;

  if present is null then
    if op = 'resolve' and fields = '{}' then
      return jsonb_build_object('mid', m -> 'mid', 'st', 'applied', 'v', 0, 'd', '{}'::jsonb, 'unchanged', true);
    end if;
    return sync.conflict_result(m, 'missing_or_hidden', '[]', null);
  end if;
  if present ->> 'deleted_at' is not null then
    if op = 'delete' or (op = 'resolve' and fields = '{}') then
      return jsonb_build_object('mid', m -> 'mid', 'st', 'applied', 'v', present -> 'version', 'd', '{}'::jsonb, 'unchanged', true);
    end if;
    return sync.conflict_result(m, 'deleted_remotely', '[]', present);
  end if;
  if op = 'delete' then
    if not locked then raise exception 'no right to delete this record' using errcode = '42501', detail = 'CN007'; end if;
    if (present ->> 'version')::bigint <> based_on then
      return sync.conflict_result(m, 'edited_remotely', '[]', present);
    end if;
    after := sync.delete_row(t.name, row_id);
    return jsonb_build_object('mid', m -> 'mid', 'st', 'applied', 'v', after -> 'version', 'd', sync.difference(after, present));
  end if;

  -- The device took its choice for done: it is told how the row stands.
  if not is_known then
    return jsonb_build_object('mid', m -> 'mid', 'st', 'merged', 'v', present -> 'version', 'row', present, 'unchanged', true);
  end if;

  mine := sync.typed_row(t.name, sent);
  base := sync.typed_row(t.name, coalesce(m -> 'base', '{}'));
  merge := sync.merge_fields(fields, t.groups, present, mine, base, array(select jsonb_object_keys(coalesce(m -> 'base', '{}'))));
  after := present;
  if not locked and (merge.o_apply <> '{}' or merge.o_conflicts <> '[]') then
    raise exception 'no right to change this record' using errcode = '42501', detail = 'CN008';
  end if;
  if merge.o_apply <> '{}' then
    after := sync.update_row(t.name, row_id, sent, merge.o_apply);
    if after is null then raise exception 'no right to change this record' using errcode = '42501', detail = 'CN008'; end if;
  end if;
  if merge.o_conflicts <> '[]' then
    return sync.conflict_result(m, 'fields', merge.o_conflicts, after) || sync.unchanged_result(present, after);
  end if;
  return sync.updated(m, present, after, mine, merge.o_apply);
end $function$;

CREATE OR REPLACE FUNCTION sync.mutation_hash(p_mutation jsonb)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN sha256(convert_to(((((p_mutation - 'at'::text) - 'av'::text) - 'unchanged'::text))::text, 'UTF8'::name));

CREATE OR REPLACE FUNCTION sync.next_changes(p_cursors jsonb, p_device uuid, p_limit integer, p_snapshots boolean, OUT o_cursors jsonb, OUT o_order text[], OUT o_resets text[], OUT o_more boolean, OUT o_scope integer[], OUT o_table text[], OUT o_id uuid[], OUT o_gone boolean[], OUT o_known boolean[], OUT o_pages json)
 RETURNS record
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  left_over integer := p_limit;
  bytes_left integer := sync.page_bytes();
  has_any boolean := false;                            -- whether the page holds a change: the first one comes whatever it weighs
  writer constant uuid := sync.writer_of(auth.uid(), p_device);   -- of somebody else's device nothing is known
  place integer := -1;
  s record;                                            -- scope, head, epoch and the device's cursor taken apart
  own_scopes text[] := '{}';                           -- the person's own scopes the device holds, and its cursors in them
  own_v bigint[] := '{}';
  own_t text[] := '{}';
  own_id uuid[] := '{}';
  page record;
  ready sync.snapshot_page;                               -- the next page of the scope that is ready
  present_shape text;
  -- Made into one object at the end: an object that grows is copied with each of its members, and scopes may be thousands.
  cursor_values jsonb[] := '{}';
  ready_scope text[] := '{}'; ready_v bigint[] := '{}'; ready_t text[] := '{}'; ready_id uuid[] := '{}';
begin
  o_order := '{}'; o_resets := '{}'; o_more := false;
  o_scope := '{}'; o_table := '{}'; o_id := '{}'; o_gone := '{}'; o_known := '{}'; o_pages := '[]';
  -- A copy that follows another server has no unlogged table.
  p_snapshots := p_snapshots and not pg_is_in_recovery();
  for s in
    select m.scope, coalesce(c.version, 0) as head, coalesce(c.epoch, '00000000-0000-0000-0000-000000000000')::text as epoch,
      split_part(d.cursor ->> 0, '.', 1) as d_epoch,
      case when split_part(d.cursor ->> 0, '.', 2) ~ '^\d{1,18}$' then split_part(d.cursor ->> 0, '.', 2)::bigint end as d_start,
      case when d.cursor ->> 1 ~ '^\d{1,18}$' then (d.cursor ->> 1)::bigint end as d_v,
      d.cursor ->> 2 as d_t,
      case when d.cursor ->> 3 ~ '^[0-9a-f-]{36}$' then (d.cursor ->> 3)::uuid end as d_id,
      d.cursor is not null as held, false as own
    from public.my_scopes() as m (scope)
    left join sync.scope c on c.id = m.scope
    cross join lateral (select p_cursors -> m.scope as cursor) d
    group by m.scope, c.version, c.epoch, d.cursor
    -- A person's own work first, then what screens need to make sense of it, then the places.
    order by case split_part(m.scope, ':', 1) when 'user' then 0 when 'member' then 1 when 'all' then 2 when 'org' then 3 else 4 end, m.scope
  loop
    place := place + 1;
    o_order := o_order || s.scope;
    -- A scope that has no counter yet and one that has: both are of the epoch the device may hold at version 0.
    if s.held and (s.d_v is null or s.d_start is null or s.d_t is null or s.d_id is null or s.d_v > s.head
        or (s.d_epoch <> s.epoch and s.d_v > 0)) then
      o_resets := o_resets || s.scope;
      s.held := false;
    end if;
    if not s.held or s.d_v = 0 then
      s.d_start := case when s.held and s.d_epoch = s.epoch then s.d_start else s.head end;
      s.d_v := 0; s.d_t := ''; s.d_id := '00000000-0000-0000-0000-000000000000';
    end if;
    s.own := s.scope ~ '^(user|member):';
    if s.own and s.d_v > 0 then
      own_scopes := own_scopes || s.scope; own_v := own_v || s.d_v; own_t := own_t || s.d_t; own_id := own_id || s.d_id;
    end if;
    if s.head > s.d_v or (s.head = s.d_v and s.d_t <> '~') then
      while left_over > 0 and (s.head > s.d_v or s.d_t <> '~') loop
        ready := null;
        -- Who reads the scope for the first time takes what is ready, as long as it fits; up to the next page row by row.
        if p_snapshots and not s.own and s.d_v <= s.d_start then
          -- Asked for where there are pages only: it reads the catalogues.
          present_shape := coalesce(present_shape,
            (select sync.snapshot_shape() where exists (select from sync.snapshot_page r where r.scope = s.scope)));
          ready := sync.next_snapshot_page(s.scope, s.d_v, s.d_t, s.d_id, s.d_start, present_shape);
          if (ready.after_v, ready.after_t, ready.after_id) = (s.d_v, s.d_t, s.d_id) then
            if ready.n <= left_over and (ready.bytes <= bytes_left or not has_any) then
              ready_scope := ready_scope || s.scope; ready_v := ready_v || s.d_v; ready_t := ready_t || s.d_t; ready_id := ready_id || s.d_id;
              s.d_v := ready.upto_v; s.d_t := ready.upto_t; s.d_id := ready.upto_id;
              left_over := left_over - ready.n;
              bytes_left := bytes_left - ready.bytes;
              has_any := true;
              continue;
            elsif ready_scope <> '{}' then
              -- It is the next answer's first. Only behind another: each answer gets on, also where others keep adding before it.
              left_over := 0;
              continue;
            end if;
            ready := null;
          end if;
        end if;
        -- Those that fit, in their order. What is known or gone is told in a few words.
        select coalesce(count(*) filter (where c.fits), 0)::integer as n, array_agg(c.tbl) filter (where c.fits) as tbl,
          array_agg(c.id) filter (where c.fits) as id, array_agg(c.gone) filter (where c.fits) as gone,
          array_agg(c.known) filter (where c.fits) as known, max(c.version) filter (where c.fits) as v,
          coalesce(max(c.so_far) filter (where c.fits), 0) as bytes, coalesce(bool_or(not c.fits), false) as is_cut
        into page
        from (
          select w.*, w.so_far <= bytes_left or (w.n = 1 and not has_any) as fits
          from (
            select k.*, row_number() over feed as n,
              sum(case when k.known or k.gone then 0 else k.bytes end) over (feed rows unbounded preceding) as so_far
            from (
              select p.version, p.tbl, p.id, p.gone, p.bytes, coalesce(p.device = writer and p.version > s.d_start, false) or p.pulled as known
              from (
                select f.version, f.tbl, f.id, f.gone, f.device, f.bytes,
                  -- A row of the place that already came through an own scope needs no second copy: a change of a row moves all
                  -- its scopes in one transaction, so what the device read there up to its cursor is the row as it is.
                  not s.own and own_scopes <> '{}' and exists (
                    select from unnest(own_scopes, own_v, own_t, own_id) as o (scope, v, t, id)
                    join sync.change u on u.scope = o.scope and u.tbl = f.tbl and u.id = f.id
                    where not u.gone and (u.version, u.tbl, u.id) <= (o.v, o.t, o.id)) as pulled
                from sync.change f
                where f.scope = s.scope and (f.version, f.tbl, f.id) > (s.d_v, s.d_t, s.d_id)
                  -- Who reads a scope for the first time holds nothing that could be gone.
                  and (not f.gone or f.version > s.d_start)
                  and (ready.n is null or (f.version, f.tbl, f.id) <= (ready.after_v, ready.after_t, ready.after_id))
                order by f.version, f.tbl, f.id limit left_over
              ) p
            ) k
            window feed as (order by k.version, k.tbl, k.id)
          ) w
        ) c;
        if page.n > 0 then
          o_scope := o_scope || array_fill(place, array[page.n]);
          o_table := o_table || page.tbl; o_id := o_id || page.id; o_gone := o_gone || page.gone; o_known := o_known || page.known;
          has_any := true;
          bytes_left := bytes_left - page.bytes;
        end if;
        if page.is_cut then
          if page.n > 0 then s.d_v := page.v; s.d_t := page.tbl[page.n]; s.d_id := page.id[page.n]; end if;
          left_over := 0;
          continue;
        end if;
        if page.n < left_over and ready.n is not null then
          s.d_v := ready.after_v; s.d_t := ready.after_t; s.d_id := ready.after_id;
        elsif page.n < left_over then
          s.d_v := s.head; s.d_t := '~'; s.d_id := '00000000-0000-0000-0000-000000000000';
        else
          s.d_v := page.v; s.d_t := page.tbl[page.n]; s.d_id := page.id[page.n];
        end if;
        left_over := left_over - page.n;
      end loop;
      o_more := o_more or s.d_v < s.head or s.d_t <> '~';
    end if;
    cursor_values := cursor_values || jsonb_build_array(s.epoch || '.' || s.d_start, s.d_v, s.d_t, s.d_id);
  end loop;
  select coalesce(jsonb_object_agg(c.scope, c.cursor), '{}') into o_cursors from unnest(o_order, cursor_values) as c (scope, cursor);
  if ready_scope = '{}' then return; end if;
  -- Of the audience of a row its reader learns the scopes that are their own.
  select json_agg(json_build_object('parts', r.parts, 'audiences', (
      select json_agg((
        select json_agg(array(
          select array_position(o_order, a) - 1 from jsonb_array_elements_text(named) a where a = any (o_order) group by a order by 1) order by x.n)
        from jsonb_array_elements(part) with ordinality as x (named, n)) order by y.n)
      from jsonb_array_elements(r.audiences) with ordinality as y (part, n)
    )) order by k.at) into o_pages
    from unnest(ready_scope, ready_v, ready_t, ready_id) with ordinality as k (scope, v, t, id, at)
    join sync.snapshot_page r on (r.scope, r.after_v, r.after_t, r.after_id) = (k.scope, k.v, k.t, k.id);
end $function$;

CREATE OR REPLACE FUNCTION sync.next_snapshot_page(p_scope text, p_v bigint, p_t text, p_id uuid, p_start bigint, p_shape text)
 RETURNS sync.snapshot_page
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  ready sync.snapshot_page;
begin
  select r.n, r.bytes, r.after_v, r.after_t, r.after_id, r.upto_v, r.upto_t, r.upto_id
    into ready.n, ready.bytes, ready.after_v, ready.after_t, ready.after_id, ready.upto_v, ready.upto_t, ready.upto_id
    from sync.snapshot_page r
    where r.scope = p_scope and (r.after_v, r.after_t, r.after_id) >= (p_v, p_t, p_id) and r.upto_v <= p_start and r.shape = p_shape
    order by r.after_v, r.after_t, r.after_id limit 1;
  return ready;
end $function$;

CREATE OR REPLACE FUNCTION sync.note_conflict(p_mutation jsonb, p_kind text, p_fields jsonb)
 RETURNS uuid
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  insert into sync.conflict (user_id, mid, tbl, row_id, kind, fields, patch)
    values (auth.uid(), (p_mutation ->> 'mid')::uuid, p_mutation ->> 't', (p_mutation ->> 'id')::uuid, p_kind, p_fields,
      coalesce(p_mutation -> 'patch', '{}'))
    returning id
$function$;

CREATE OR REPLACE FUNCTION sync.note_mismatch(p_scope text, p_table text, p_device uuid, p_buckets integer)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  insert into sync.mismatch as m (user_id, scope, tbl, buckets, device)
    select auth.uid(), p_scope, p_table, p_buckets, p_device
    where p_scope in (select public.my_scopes()) and p_table in (select name from sync.tables)
    on conflict (user_id, scope, tbl) do update
      set times = m.times + 1, buckets = excluded.buckets, device = excluded.device, at = now()
$function$;

CREATE OR REPLACE FUNCTION sync.note_touched()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into sync.touched (xid, scope, tbl, id, gone, version, bytes)
      select distinct pg_current_xact_id(), s, tg_table_name, n.id, n.gone, n.version, n.bytes
      from (select r.id, r.scopes, r.version, r.deleted_at is not null as gone,
          case when r.deleted_at is null then octet_length(r::text) else 0 end as bytes from new_rows r offset 0) n, unnest(n.scopes) s
      on conflict (xid, scope, tbl, id) do update set gone = excluded.gone, version = excluded.version, bytes = excluded.bytes;
  elsif tg_op = 'UPDATE' then
    insert into sync.touched (xid, scope, tbl, id, gone, version, bytes)
      select pg_current_xact_id(), t.s, tg_table_name, t.id, bool_and(t.gone), max(t.version), max(t.bytes)
      from (select o.id, unnest(o.scopes) s, true gone, o.version, 0 as bytes from old_rows o
            union all
            select n.id, unnest(n.scopes), n.gone, n.version, n.bytes
            from (select r.id, r.scopes, r.version, r.deleted_at is not null as gone,
                case when r.deleted_at is null then octet_length(r::text) else 0 end as bytes from new_rows r offset 0) n) t
      group by t.s, t.id
      on conflict (xid, scope, tbl, id) do update set gone = excluded.gone, version = excluded.version, bytes = excluded.bytes;
  else
    insert into sync.touched (xid, scope, tbl, id, gone, version)
      select distinct pg_current_xact_id(), s, tg_table_name, o.id, true, o.version
      from old_rows o, unnest(o.scopes) s
      on conflict (xid, scope, tbl, id) do update set gone = excluded.gone, version = excluded.version, bytes = excluded.bytes;
  end if;
  if found then
    insert into sync.pending (xid) values (pg_current_xact_id()) on conflict do nothing;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION sync.nudge(p_scopes text[], p_versions bigint[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if to_regprocedure('realtime.send(jsonb, text, text, boolean)') is null then return; end if;
  execute $send$
    select realtime.send(jsonb_build_object('scope', s, 'v', v), 'changed', 'scope:' || s, true)
    from unnest($1, $2) as moved (s, v)
  $send$ using p_scopes, p_versions;
exception when others then
  raise warning 'sync: nudge not sent (%)', sqlstate;
end $function$;

CREATE OR REPLACE FUNCTION sync.org_scope(p_organization uuid)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ('org:'::text || (p_organization)::text);

CREATE OR REPLACE FUNCTION sync.page_bytes()
 RETURNS integer
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN COALESCE((NULLIF(current_setting('sync.page_bytes'::text, true), ''::text))::integer, 4194304);

CREATE OR REPLACE FUNCTION sync.place_of_scope(p_scope text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce((select jsonb_build_array(c.epoch, c.version) from sync.scope c
      where c.id = p_scope and p_scope in (select public.my_scopes())),
    jsonb_build_array('00000000-0000-0000-0000-000000000000', 0))
$function$;

CREATE OR REPLACE FUNCTION sync.place_scope(p_organization uuid, p_site uuid)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN COALESCE(('site:'::text || (p_site)::text), ('org:'::text || (p_organization)::text));

CREATE OR REPLACE FUNCTION sync.plan_update(t sync.tables, m jsonb, p_present jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  sent constant jsonb := coalesce(m -> 'patch', '{}');
  fields constant text[] := sync.fields_of(t, sent);
  mine constant jsonb := sync.typed_row(t.name, sent);
  merge record;
begin
  if p_present ->> 'deleted_at' is not null or (p_present ->> 'version')::bigint < coalesce((m ->> 'bv')::bigint, 0) then
    raise exception 'deleted, or older than the device knows it' using errcode = 'CM002', detail = 'CN027';
  end if;
  merge := sync.merge_fields(fields, t.groups, p_present, mine, sync.typed_row(t.name, coalesce(m -> 'base', '{}')),
    array(select jsonb_object_keys(coalesce(m -> 'base', '{}'))));
  if merge.o_conflicts <> '[]' then raise exception 'a conflict' using errcode = 'CM002', detail = 'CN028'; end if;
  return jsonb_build_object('m', m, 'present', p_present, 'mine', mine, 'fields', to_jsonb(merge.o_apply));
end $function$;

CREATE OR REPLACE FUNCTION sync.publish()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  this constant xid8 := pg_current_xact_id();
  moved text[];
  versions bigint[] := '{}';
  s text;
  v bigint;
begin
  select array_agg(distinct t.scope order by t.scope) into moved from sync.touched t where t.xid = this;
  if moved is not null then
    foreach s in array moved loop
      insert into sync.scope as c (id, version) values (s, 1)
        on conflict (id) do update set version = c.version + 1 returning version into v;
      versions := versions || v;
    end loop;
    insert into sync.change (scope, version, tbl, id, gone, device, row_version, bytes)
      select t.scope, m.version, t.tbl, t.id, t.gone, o.device, t.version, t.bytes
      from sync.touched t
      join unnest(moved, versions) as m (scope, version) on m.scope = t.scope
      left join sync.transaction_write o on o.xid = this and o.tbl = t.tbl and o.id = t.id and o.version = t.version
      where t.xid = this
      on conflict (scope, tbl, id) do update
        set version = excluded.version, gone = excluded.gone, device = excluded.device, row_version = excluded.row_version, bytes = excluded.bytes;
    perform sync.nudge(moved, versions);
    delete from sync.touched where xid = this;
  end if;
  delete from sync.transaction_write where xid = this;
  if exists (select from audit.pending_entry w where w.xid = this) then perform audit.link(this); end if;
  -- What a later deferred trigger touches marks the transaction again.
  delete from sync.pending where xid = this;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION sync.push_budget()
 RETURNS interval
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN CASE WHEN (access.same_organization() IS NULL) THEN make_interval(secs => ((COALESCE((NULLIF(current_setting('sync.push_budget'::text, true), ''::text))::numeric, (1000)::numeric) / (1000)::numeric))::double precision) ELSE NULL::interval END;

CREATE OR REPLACE FUNCTION sync.pushing()
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (COALESCE(current_setting('sync.pushing'::text, true), ''::text) = 'on'::text);

CREATE OR REPLACE FUNCTION sync.raise_epochs()
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  raised bigint;
begin
  insert into sync.restored (at) values (clock_timestamp());
  delete from sync.replayed;
  update sync.scope set epoch = gen_random_uuid();
  get diagnostics raised = row_count;
  -- What was under way when the backup was made has ended.
  delete from sync.touched; delete from sync.transaction_write; delete from sync.pending;
  return raised;
end $function$;

CREATE OR REPLACE FUNCTION sync.read_packed(p_table text, p_ids uuid[], p_known uuid[], p_order text[], OUT o_rows json, OUT o_stubs jsonb, OUT o_found uuid[])
 RETURNS record
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  t sync.tables;
  news constant uuid[] := case when p_known = '{}' then p_ids else array(select unnest(p_ids) except select unnest(p_known)) end;
  held uuid[];
begin
  select * into strict t from sync.tables where name = p_table;
  execute format($query$
    select case when count(*) > 0 then json_build_object('cols', $3, 'vals', json_build_array(%2$s, json_agg(a.places))) end,
      coalesce(array_agg(x.id), '{}')
    from public.%1$I x
    -- An offset keeps this a question of its own, whose answers PostgreSQL remembers by audience.
    cross join lateral (
      select array(select array_position($2, s) - 1 from unnest(x.scopes) s where s = any ($2) group by s) as places offset 0
    ) a
    where x.id = any ($1)
  $query$, p_table, (select string_agg(format('case when count(x.%1$I) > 0 then json_agg(x.%1$I) end', c), ', ' order by n)
      from unnest(t.columns) with ordinality as named (c, n)))
    into o_rows, o_found using news, p_order, to_json(t.columns || '_s'::text);
  o_stubs := '[]';
  if p_known <> '{}' then
    execute format($query$
      select coalesce(jsonb_agg(jsonb_build_array(x.id, x.version,
          array(select array_position($2, s) - 1 from unnest(x.scopes) s where s = any ($2) group by s))), '[]'),
        coalesce(array_agg(x.id), '{}')
      from public.%I x where x.id = any ($1)
    $query$, p_table) into o_stubs, held using p_known, p_order;
    o_found := o_found || held;
  end if;
end $function$;

CREATE OR REPLACE FUNCTION sync.read_rows(p_table text, p_ids uuid[], p_known uuid[], p_order text[], OUT o_rows jsonb, OUT o_stubs jsonb, OUT o_found uuid[])
 RETURNS record
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  t sync.tables;
  plain text;
  json text;
  audience constant text := 'array(select array_position($3, s) - 1 from unnest(x.scopes) s where s = any ($3) group by s)';
begin
  select * into strict t from sync.tables where name = p_table;
  select string_agg(format('x.%I', c), ', ') into plain from unnest(t.columns) c where c <> all (t.json_columns);
  select coalesce(string_agg(format(' || case when x.%1$I is null then ''{}'' else jsonb_build_object(%1$L, x.%1$I) end', c), ''), '')
    into json from unnest(t.json_columns) c;
  execute format($query$
    select coalesce(jsonb_agg(jsonb_strip_nulls(to_jsonb(p)) %s || jsonb_build_object('_s', %s)) filter (where x.id <> all ($2)), '[]'),
      coalesce(jsonb_agg(jsonb_build_array(x.id, x.version, %2$s)) filter (where x.id = any ($2)), '[]'),
      coalesce(array_agg(x.id), '{}')
    from public.%I x, lateral (select %s) p where x.id = any ($1)
  $query$, json, audience, p_table, plain) into o_rows, o_stubs, o_found using p_ids, p_known, p_order;
end $function$;

CREATE OR REPLACE FUNCTION sync.receipt_arrival(p_user uuid, p_mids uuid[])
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select greatest(max(k.at), max(a.received_at)) from sync.mutation k
  left join public.policy_acknowledgements a
    on k.tbl = 'policy_acknowledgements' and a.id = k.row_id and a.version = (k.result ->> 'v')::bigint
  where k.user_id = p_user and k.mid = any (p_mids)
$function$;

CREATE OR REPLACE FUNCTION sync.receipt_contents(p_user uuid, p_mids uuid[])
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with received as (
    select k.tbl, k.row_id, max(k.at) as at, max((k.result ->> 'v')::bigint) as version from sync.mutation k
    where k.user_id = p_user and k.mid = any (p_mids) and k.result ->> 'st' in ('applied', 'merged')
    group by k.tbl, k.row_id
  ), named as (
    select b.row_id, case
      when b.tbl <> 'policy_acknowledgements' then b.tbl
      -- What was decided stands, so the last thing brought decided it: where that came after what this receipt covers, it was open then.
      when coalesce(a.state, 'opened') = 'opened' or a.version > b.version and exists (
        select from sync.mutation l where l.user_id = p_user and l.tbl = b.tbl and l.row_id = b.row_id and l.at > b.at
          and not l.mid = any (p_mids) and l.result ->> 'st' in ('applied', 'merged')) then 'policy_openings'
      when a.state = 'declined' then 'policy_declines'
      else b.tbl end as name
    from received b left join public.policy_acknowledgements a on b.tbl = 'policy_acknowledgements' and a.id = b.row_id
  )
  select coalesce(jsonb_object_agg(name, n), '{}') from (select name, count(distinct row_id) as n from named group by name) c
$function$;

CREATE OR REPLACE FUNCTION sync.receipt_number()
 RETURNS text
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select 'R-' || string_agg(case when n = 5 then '-' else '' end || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + get_byte(b, at) % 32, 1), '' order by n)
  from (select uuid_send(gen_random_uuid()) as b) r, unnest(array[0, 1, 2, 3, 4, 5, 10, 11]) with ordinality as p (at, n)
$function$;

CREATE OR REPLACE FUNCTION sync.record_replayed(m jsonb, p_before bigint)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  insert into sync.replayed as r (tbl, row_id, base, steps, others, seen)
    select m ->> 't', (m ->> 'id')::uuid, p_before, case when m ? 'av' then made else 0 end, case when m ? 'av' then 0 else made end,
      case when m ? 'av' and not m ? 'unchanged' then array[(m ->> 'av')::bigint] else '{}' end
    from (select sync.version_of(m ->> 't', (m ->> 'id')::uuid) - p_before as made) x
    on conflict (tbl, row_id) do update set steps = r.steps + excluded.steps, others = r.others + excluded.others,
      seen = case when excluded.seen <@ r.seen then r.seen else r.seen || excluded.seen end
$function$;

CREATE OR REPLACE FUNCTION sync.refresh_table(p_table text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  t sync.tables;
  writable text[];
  signature text;
begin
  update sync.tables set
    server_columns = array(
      select distinct c from unnest(array['version', 'created_at', 'updated_at', 'deleted_at', 'created_by'] || server_columns) c
      where c in (select a.attname from pg_attribute a where a.attrelid = format('public.%I', p_table)::regclass) order by c),
    (columns, json_columns, generated) = (
      select array_agg(attname::text order by attnum),
        coalesce(array_agg(attname::text order by attnum) filter (where atttypid = 'jsonb'::regtype), '{}'),
        coalesce(array_agg(attname::text order by attnum) filter (where attgenerated <> ''), '{}')
      from pg_attribute
      where attrelid = format('public.%I', p_table)::regclass and attnum > 0 and not attisdropped and attname <> 'scopes')
    where name = p_table returning * into strict t;
  writable := array(select c from unnest(t.columns) c where c <> all (t.server_columns) and c <> all (t.generated));

  execute format($ddl$
    create or replace function sync.typed_%1$s(p jsonb) returns jsonb language plpgsql stable as $body$
    begin return to_jsonb(jsonb_populate_record(null::public.%1$I, p)); end $body$;

    create or replace function sync.see_%1$s(p_id uuid) returns jsonb language plpgsql volatile as $body$
    begin return (select to_jsonb(x) - 'scopes' from public.%1$I x where x.id = p_id); end $body$;

    create or replace function sync.lock_%1$s(p_id uuid) returns jsonb language plpgsql volatile as $body$
    declare answer jsonb;
    begin
      select to_jsonb(x) - 'scopes' into answer from public.%1$I x where x.id = p_id for no key update;
      return answer;
    end $body$;

    create or replace function sync.insert_%1$s(p jsonb) returns jsonb language plpgsql volatile as $body$
    declare answer jsonb;
    begin
      insert into public.%1$I as x (%2$s) select %3$s from jsonb_populate_record(null::public.%1$I, p) r
        on conflict (id) do nothing returning to_jsonb(x) - 'scopes' into answer;
      return answer;
    end $body$;

    create or replace function sync.insert_all_%1$s(p_rows jsonb) returns jsonb language plpgsql volatile as $body$
    declare answer jsonb;
    begin
      with made as (
        insert into public.%1$I as x (%2$s)
          select %3$s from jsonb_array_elements(p_rows) with ordinality as sent (p, n)
            cross join lateral jsonb_populate_record(null::public.%1$I, sent.p) r order by n
          on conflict (id) do nothing returning x.id, to_jsonb(x) - 'scopes' as made
      )
      select coalesce(jsonb_object_agg(m.id, m.made), '{}') into answer from made m;
      return answer;
    end $body$;

    create or replace function sync.update_%1$s(p_id uuid, p jsonb, p_fields text[]) returns jsonb language plpgsql volatile as $body$
    declare answer jsonb;
    begin
      update public.%1$I x set %4$s from jsonb_populate_record(null::public.%1$I, p) r
        where x.id = p_id returning to_jsonb(x) - 'scopes' into answer;
      return answer;
    end $body$;

    create or replace function sync.lock_all_%1$s(p_ids uuid[]) returns jsonb language plpgsql volatile as $body$
    begin
      return (select coalesce(jsonb_object_agg(l.id, l.row), '{}') from (
        select x.id, to_jsonb(x) - 'scopes' as row from public.%1$I x where x.id = any (p_ids) order by x.id for no key update) l);
    end $body$;

    create or replace function sync.update_all_%1$s(p_edits jsonb) returns jsonb language plpgsql volatile as $body$
    declare answer jsonb;
    begin
      with made as (
        update public.%1$I x set %5$s
          from jsonb_array_elements(p_edits) e cross join lateral jsonb_populate_record(null::public.%1$I, e -> 'patch') r
          where x.id = (e ->> 'id')::uuid returning x.id, to_jsonb(x) - 'scopes' as made
      )
      select coalesce(jsonb_object_agg(m.id, m.made), '{}') into answer from made m;
      return answer;
    end $body$;

    create or replace function sync.delete_%1$s(p_id uuid) returns jsonb language plpgsql volatile as $body$
    declare answer jsonb;
    begin
      update public.%1$I x set deleted_at = now() where x.id = p_id returning to_jsonb(x) - 'scopes' into answer;
      return answer;
    end $body$;
  $ddl$, p_table,
    (select string_agg(quote_ident(c), ', ') from unnest(writable) c),
    (select string_agg(case when d.adbin is null or c = 'id' then format('r.%I', c)
        else format('case when p ? %L then r.%I else %s end', c, c, pg_get_expr(d.adbin, d.adrelid)) end, ', ' order by n)
      from unnest(writable) with ordinality as w (c, n)
      join pg_attribute a on a.attrelid = format('public.%I', p_table)::regclass and a.attname = c
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum),
    (select coalesce(string_agg(format('%1$I = case when %1$L = any (p_fields) then r.%1$I else x.%1$I end', c), ', '), 'version = x.version')
      from unnest(writable) c where c <> 'id'),
    (select coalesce(string_agg(format('%1$I = case when e -> ''fields'' ? %1$L then r.%1$I else x.%1$I end', c), ', '), 'version = x.version')
      from unnest(writable) c where c <> 'id'));

  foreach signature in array array['typed_%s(jsonb)', 'see_%s(uuid)', 'lock_%s(uuid)', 'insert_%s(jsonb)', 'insert_all_%s(jsonb)', 'update_%s(uuid, jsonb, text[])', 'lock_all_%s(uuid[])', 'update_all_%s(jsonb)', 'delete_%s(uuid)'] loop
    execute format('revoke execute on function sync.%1$s from public; grant execute on function sync.%1$s to authenticated', format(signature, p_table));
  end loop;
  perform sync.write_choice('typed_row', 'p_row jsonb', 'typed_%s(p_row)');
  perform sync.write_choice('see_row', 'p_id uuid', 'see_%s(p_id)');
  perform sync.write_choice('lock_row', 'p_id uuid', 'lock_%s(p_id)');
  perform sync.write_choice('insert_row', 'p_row jsonb', 'insert_%s(p_row)');
  perform sync.write_choice('insert_all', 'p_rows jsonb', 'insert_all_%s(p_rows)');
  perform sync.write_choice('lock_all', 'p_ids uuid[]', 'lock_all_%s(p_ids)');
  perform sync.write_choice('update_all', 'p_edits jsonb', 'update_all_%s(p_edits)');
  perform sync.write_choice('update_row', 'p_id uuid, p_row jsonb, p_fields text[]', 'update_%s(p_id, p_row, p_fields)');
  perform sync.write_choice('delete_row', 'p_id uuid', 'delete_%s(p_id)');
end $function$;

CREATE OR REPLACE FUNCTION sync.refusal(p_mid text, p_code text, p_message text, p_constraint text, p_column text, p_detail text)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN ((jsonb_build_object('mid', p_mid, 'st', 'rejected', 'code', CASE WHEN (((p_code = '42501'::text) AND (p_message = 'not_a_member'::text)) OR ((p_code = 'P0001'::text) AND (p_message = 'behind'::text))) THEN p_message WHEN ((p_code = '23505'::text) AND (p_constraint = 'id_collision'::text)) THEN p_constraint ELSE p_code END, 'msg', CASE WHEN (p_code = ANY (ARRAY['P0001'::text, '42501'::text, '22023'::text])) THEN p_message WHEN (p_code ~~ '23%'::text) THEN COALESCE(NULLIF(p_constraint, ''::text), NULLIF(p_column, ''::text), p_message) ELSE 'a value does not fit its column'::text END) || CASE WHEN (p_constraint = 'refused with its group'::text) THEN '{"with_group": true}'::jsonb ELSE '{}'::jsonb END) || CASE WHEN (p_detail ~ '^CN[0-9]{3}$'::text) THEN jsonb_build_object('reason', p_detail) ELSE '{}'::jsonb END);

CREATE OR REPLACE FUNCTION sync.refuse_colliding_id()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  raise exception 'this id stands for another record' using errcode = '23505', constraint = 'id_collision', detail = 'CN017';
end $function$;

CREATE OR REPLACE FUNCTION sync.release_foreign_id()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is null or not sync.is_device_edit() or sync.is_restored() then return new; end if;
  if not sync.is_self_derived(tg_table_name, to_jsonb(new)) then perform sync.refuse_colliding_id(); end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION sync.replayed_results(m jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  present jsonb;
begin
  if not m ? 'unchanged' or not m ? 'av' or m ->> 'op' = 'delete' then return null; end if;
  present := sync.see_row(m ->> 't', (m ->> 'id')::uuid);
  if present is null then return null; end if;
  if m ->> 'op' = 'resolve' then perform sync.resolve_conflict(m ->> 'conflict', m ->> 't', (m ->> 'id')::uuid); end if;
  return jsonb_build_object('mid', m -> 'mid', 'st', 'merged', 'v', present -> 'version', 'row', sync.told_row(present), 'unchanged', true);
end $function$;

CREATE OR REPLACE FUNCTION sync.require_push()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if current_user = 'authenticated' and not sync.pushing() then
    raise exception 'new row violates row-level security policy for table "%"', tg_table_name using errcode = '42501';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION sync.resolve_conflict(p_conflict text, p_table text, p_row uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  update sync.conflict set resolved_at = now(), resolved_by = auth.uid()
    where id::text = p_conflict and user_id = auth.uid() and tbl = p_table and row_id = p_row and resolved_at is null
$function$;

CREATE OR REPLACE FUNCTION sync.row_hash(p_id uuid, p_version bigint)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN uuid_hash_extended(p_id, p_version);

CREATE OR REPLACE FUNCTION sync.run_length(p_mutations jsonb, p_first integer, p_known jsonb)
 RETURNS integer
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare
  tbl constant text := p_mutations -> p_first ->> 't';
  op constant text := p_mutations -> p_first ->> 'op';
  n integer := p_first;
  m jsonb;
begin
  if op is null or op not in ('insert', 'update') then return 0; end if;
  loop
    m := p_mutations -> n;
    exit when m is null or m ->> 't' <> tbl or m ->> 'op' <> op or m ->> 'group' is not null or p_known ? (m ->> 'mid');
    n := n + 1;
  end loop;
  return n - p_first;
end $function$;

CREATE OR REPLACE FUNCTION sync.sanitize_cursors(p_cursors jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_object_agg(key, case when jsonb_typeof(value) = 'array'
      and coalesce(value ->> 3 ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$', false) then value else '[]' end), '{}')
  from jsonb_each(p_cursors)
$function$;

CREATE OR REPLACE FUNCTION sync.scopes(VARIADIC p_scopes text[])
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN array_remove(p_scopes, NULL::text);

CREATE OR REPLACE FUNCTION sync.see_row(p_table text, p_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
    begin
      case p_table when 'note_keys' then return sync.see_note_keys(p_id); when 'notification_types' then return sync.see_notification_types(p_id); when 'role_permissions' then return sync.see_role_permissions(p_id); when 'subscription_tiers' then return sync.see_subscription_tiers(p_id); when 'organizations' then return sync.see_organizations(p_id); when 'organization_members' then return sync.see_organization_members(p_id); when 'circle_relationships' then return sync.see_circle_relationships(p_id); when 'organization_activations' then return sync.see_organization_activations(p_id); when 'profiles' then return sync.see_profiles(p_id); when 'subscriptions' then return sync.see_subscriptions(p_id); when 'user_preferences' then return sync.see_user_preferences(p_id); when 'user_roles' then return sync.see_user_roles(p_id); when 'notification_choices' then return sync.see_notification_choices(p_id); when 'people' then return sync.see_people(p_id); when 'playbooks' then return sync.see_playbooks(p_id); when 'sites' then return sync.see_sites(p_id); when 'wellness_settings' then return sync.see_wellness_settings(p_id); when 'site_members' then return sync.see_site_members(p_id); when 'teams' then return sync.see_teams(p_id); when 'playbook_members' then return sync.see_playbook_members(p_id); when 'team_members' then return sync.see_team_members(p_id); when 'assets' then return sync.see_assets(p_id); when 'form_pictures' then return sync.see_form_pictures(p_id); when 'forms' then return sync.see_forms(p_id); when 'form_versions' then return sync.see_form_versions(p_id); when 'form_drafts' then return sync.see_form_drafts(p_id); when 'policies' then return sync.see_policies(p_id); when 'policy_variables' then return sync.see_policy_variables(p_id); when 'policy_versions' then return sync.see_policy_versions(p_id); when 'acknowledgement_campaigns' then return sync.see_acknowledgement_campaigns(p_id); when 'approval_delegations' then return sync.see_approval_delegations(p_id); when 'approval_requests' then return sync.see_approval_requests(p_id); when 'frameworks' then return sync.see_frameworks(p_id); when 'approval_decisions' then return sync.see_approval_decisions(p_id); when 'controls' then return sync.see_controls(p_id); when 'kiosk_acknowledgements' then return sync.see_kiosk_acknowledgements(p_id); when 'policy_acknowledgements' then return sync.see_policy_acknowledgements(p_id); when 'poams' then return sync.see_poams(p_id); when 'schedules' then return sync.see_schedules(p_id); when 'inspections' then return sync.see_inspections(p_id); when 'findings' then return sync.see_findings(p_id); when 'inspection_answers' then return sync.see_inspection_answers(p_id); when 'action_items' then return sync.see_action_items(p_id); when 'task_series' then return sync.see_task_series(p_id); when 'media' then return sync.see_media(p_id); when 'recurrence_decisions' then return sync.see_recurrence_decisions(p_id); when 'task_items' then return sync.see_task_items(p_id); when 'evidence' then return sync.see_evidence(p_id); when 'issue_reports' then return sync.see_issue_reports(p_id); when 'tasks' then return sync.see_tasks(p_id); when 'control_links' then return sync.see_control_links(p_id); when 'evidence_links' then return sync.see_evidence_links(p_id); when 'inspection_events' then return sync.see_inspection_events(p_id); when 'comments' then return sync.see_comments(p_id); when 'pack_items' then return sync.see_pack_items(p_id); when 'presence_entries' then return sync.see_presence_entries(p_id); when 'site_maps' then return sync.see_site_maps(p_id); when 'workflow_rules' then return sync.see_workflow_rules(p_id); when 'notifications' then return sync.see_notifications(p_id); when 'wellness_check_ins' then return sync.see_wellness_check_ins(p_id); when 'cohort_consents' then return sync.see_cohort_consents(p_id); when 'goals' then return sync.see_goals(p_id); when 'habits' then return sync.see_habits(p_id); when 'goal_check_ins' then return sync.see_goal_check_ins(p_id); when 'goal_links' then return sync.see_goal_links(p_id); when 'goal_milestones' then return sync.see_goal_milestones(p_id); when 'goal_pauses' then return sync.see_goal_pauses(p_id); when 'habit_entries' then return sync.see_habit_entries(p_id); when 'habit_pauses' then return sync.see_habit_pauses(p_id); when 'consent_grants' then return sync.see_consent_grants(p_id); when 'task_views' then return sync.see_task_views(p_id); when 'circle_acts' then return sync.see_circle_acts(p_id); when 'circle_messages' then return sync.see_circle_messages(p_id); when 'circle_sessions' then return sync.see_circle_sessions(p_id); when 'grant_reads' then return sync.see_grant_reads(p_id); when 'record_follows' then return sync.see_record_follows(p_id); when 'triad_briefs' then return sync.see_triad_briefs(p_id); when 'countersignatures' then return sync.see_countersignatures(p_id); when 'triad_brief_copies' then return sync.see_triad_brief_copies(p_id); when 'triad_brief_lines' then return sync.see_triad_brief_lines(p_id); end case;
    end $function$;

CREATE OR REPLACE FUNCTION sync.sending_device()
 RETURNS uuid
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN CASE WHEN sync.pushing() THEN COALESCE(sync.device(), CASE WHEN (review_queue.accepted_by() IS NOT NULL) THEN (NULLIF(current_setting('sync.submitting_device'::text, true), ''::text))::uuid ELSE NULL::uuid END) ELSE NULL::uuid END;

CREATE OR REPLACE FUNCTION sync.snapshot_page_bounds(p_scope text, p_v bigint, p_t text, p_id uuid, p_bound_v bigint, p_bound_t text, p_bound_id uuid, p_least integer, p_most integer, OUT seen bigint, OUT page sync.snapshot_page)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  part record;
  made record;
  parts json[] := '{}';
begin
  select c.version into seen from sync.scope c where c.id = p_scope;
  page.scope := p_scope;
  page.after_v := p_v; page.after_t := p_t; page.after_id := p_id;
  page.audiences := '[]';
  page.shape := sync.snapshot_shape();
  select f.version, f.tbl, f.id, f.n into page.upto_v, page.upto_t, page.upto_id, page.n
  from (
    select c.version, c.tbl, c.id, row_number() over feed as n, sum(c.bytes) over (feed rows unbounded preceding) as so_far
    from (
      select r.version, r.tbl, r.id, r.bytes from sync.change r
      where r.scope = p_scope and (r.version, r.tbl, r.id) > (p_v, p_t, p_id) and not r.gone
        and (p_bound_v is null or (r.version, r.tbl, r.id) <= (p_bound_v, p_bound_t, p_bound_id))
      order by r.version, r.tbl, r.id limit p_most
    ) c
    window feed as (order by c.version, c.tbl, c.id)
  ) f where f.n = 1 or f.so_far <= sync.page_bytes() order by f.n desc limit 1;
  if page.n is null or page.n < p_least then page.n := 0; return; end if;
  for part in
    select c.tbl, array_agg(c.id) as ids from sync.change c
    where c.scope = p_scope and (c.version, c.tbl, c.id) > (p_v, p_t, p_id)
      and (c.version, c.tbl, c.id) <= (page.upto_v, page.upto_t, page.upto_id) and not c.gone
    group by c.tbl order by c.tbl
  loop
    made := sync.snapshot_part(part.tbl, part.ids, p_scope);
    if made.o_n < cardinality(part.ids) then page.n := 0; return; end if;
    parts := parts || made.o_part;
    page.audiences := page.audiences || jsonb_build_array(made.o_audiences);
  end loop;
  page.parts := array_to_json(parts);
  page.bytes := octet_length(page.parts::text);
end $function$;

CREATE OR REPLACE FUNCTION sync.snapshot_page_end_before(p_scope text, p_v bigint, p_t text, p_id uuid, OUT v bigint, OUT t text, OUT id uuid)
 RETURNS record
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select r.upto_v, r.upto_t, r.upto_id from sync.snapshot_page r
    where r.scope = p_scope and (r.after_v, r.after_t, r.after_id) < (p_v, p_t, p_id)
    order by r.after_v desc, r.after_t desc, r.after_id desc limit 1
$function$;

CREATE OR REPLACE FUNCTION sync.snapshot_part(p_table text, p_ids uuid[], p_scope text, OUT o_part json, OUT o_audiences jsonb, OUT o_n integer)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  t sync.tables;
begin
  o_n := 0;
  if not sync.is_read_by_scope(p_table) then return; end if;
  select * into strict t from sync.tables where name = p_table;
  execute format($query$
    with x as materialized (
      select r.*, dense_rank() over (order by r.scopes) - 1 as z_audience from public.%1$I r
      where r.id = any ($1) and r.deleted_at is null and $2 = any (r.scopes)
    )
    select json_build_object('t', %2$L, 'cols', $3::text[], 'vals', json_build_array(%3$s), 'aud', json_agg(x.z_audience)),
      (select jsonb_agg(to_jsonb(a.scopes) order by a.scopes) from (select distinct y.scopes from x y) a), count(*)
    from x
  $query$, p_table, p_table,
    (select string_agg(format($column$
      case
        when count(x.%1$I) = 0 then null
        when %1$L <> 'id' and count(x.%1$I) = count(*) and count(distinct to_jsonb(x.%1$I)) = 1
          then json_build_object('constant', json_agg(x.%1$I) -> 0)
        else json_agg(x.%1$I)
      end$column$, c), ', ' order by n)
      from unnest(t.columns) with ordinality as named (c, n)))
    into o_part, o_audiences, o_n using p_ids, p_scope, t.columns;
end $function$;

CREATE OR REPLACE FUNCTION sync.snapshot_shape()
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select md5(concat_ws('/',
    (select string_agg(concat_ws('.', t.name, t.xmin, c.xmin), ' ' order by t.name)
      from sync.tables t left join pg_catalog.pg_class c on c.relname = t.name and c.relnamespace = 'public'::regnamespace),
    (select string_agg(p.oid || '.' || p.xmin, ' ' order by p.oid) from pg_catalog.pg_policy p)))
$function$;

CREATE OR REPLACE FUNCTION sync.stamp_row()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    new.version := 1;
  else
    if new.id <> old.id then
      raise exception 'the id of a row never changes' using errcode = '22023', detail = 'CN001';
    end if;
    new.version := old.version + 1;
  end if;
  new.updated_at := now();
  return new;
end $function$;

CREATE OR REPLACE FUNCTION sync.submitting_device(p_organization uuid, p_user uuid, p_work jsonb)
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select case when count(distinct u.device) = 1 and count(u.submitted_by) = 0 and count(u.device) = count(*) then min(u.device::text)::uuid end
  from sync.orphaned_edit u where u.organization_id = p_organization and u.user_id = p_user
    and u.mid in (select (w ->> 'mid')::uuid from jsonb_array_elements(p_work) w)
$function$;

CREATE OR REPLACE FUNCTION sync.told_row(p_row jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
RETURN CASE WHEN ((p_row ->> 'deleted_at'::text) IS NULL) THEN p_row ELSE jsonb_build_object('id', (p_row -> 'id'::text), 'version', (p_row -> 'version'::text), 'deleted_at', (p_row -> 'deleted_at'::text)) END;

CREATE OR REPLACE FUNCTION sync.typed_row(p_table text, p_row jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
    begin
      case p_table when 'note_keys' then return sync.typed_note_keys(p_row); when 'notification_types' then return sync.typed_notification_types(p_row); when 'role_permissions' then return sync.typed_role_permissions(p_row); when 'subscription_tiers' then return sync.typed_subscription_tiers(p_row); when 'organizations' then return sync.typed_organizations(p_row); when 'organization_members' then return sync.typed_organization_members(p_row); when 'circle_relationships' then return sync.typed_circle_relationships(p_row); when 'organization_activations' then return sync.typed_organization_activations(p_row); when 'profiles' then return sync.typed_profiles(p_row); when 'subscriptions' then return sync.typed_subscriptions(p_row); when 'user_preferences' then return sync.typed_user_preferences(p_row); when 'user_roles' then return sync.typed_user_roles(p_row); when 'notification_choices' then return sync.typed_notification_choices(p_row); when 'people' then return sync.typed_people(p_row); when 'playbooks' then return sync.typed_playbooks(p_row); when 'sites' then return sync.typed_sites(p_row); when 'wellness_settings' then return sync.typed_wellness_settings(p_row); when 'site_members' then return sync.typed_site_members(p_row); when 'teams' then return sync.typed_teams(p_row); when 'playbook_members' then return sync.typed_playbook_members(p_row); when 'team_members' then return sync.typed_team_members(p_row); when 'assets' then return sync.typed_assets(p_row); when 'form_pictures' then return sync.typed_form_pictures(p_row); when 'forms' then return sync.typed_forms(p_row); when 'form_versions' then return sync.typed_form_versions(p_row); when 'form_drafts' then return sync.typed_form_drafts(p_row); when 'policies' then return sync.typed_policies(p_row); when 'policy_variables' then return sync.typed_policy_variables(p_row); when 'policy_versions' then return sync.typed_policy_versions(p_row); when 'acknowledgement_campaigns' then return sync.typed_acknowledgement_campaigns(p_row); when 'approval_delegations' then return sync.typed_approval_delegations(p_row); when 'approval_requests' then return sync.typed_approval_requests(p_row); when 'frameworks' then return sync.typed_frameworks(p_row); when 'approval_decisions' then return sync.typed_approval_decisions(p_row); when 'controls' then return sync.typed_controls(p_row); when 'kiosk_acknowledgements' then return sync.typed_kiosk_acknowledgements(p_row); when 'policy_acknowledgements' then return sync.typed_policy_acknowledgements(p_row); when 'poams' then return sync.typed_poams(p_row); when 'schedules' then return sync.typed_schedules(p_row); when 'inspections' then return sync.typed_inspections(p_row); when 'findings' then return sync.typed_findings(p_row); when 'inspection_answers' then return sync.typed_inspection_answers(p_row); when 'action_items' then return sync.typed_action_items(p_row); when 'task_series' then return sync.typed_task_series(p_row); when 'media' then return sync.typed_media(p_row); when 'recurrence_decisions' then return sync.typed_recurrence_decisions(p_row); when 'task_items' then return sync.typed_task_items(p_row); when 'evidence' then return sync.typed_evidence(p_row); when 'issue_reports' then return sync.typed_issue_reports(p_row); when 'tasks' then return sync.typed_tasks(p_row); when 'control_links' then return sync.typed_control_links(p_row); when 'evidence_links' then return sync.typed_evidence_links(p_row); when 'inspection_events' then return sync.typed_inspection_events(p_row); when 'comments' then return sync.typed_comments(p_row); when 'pack_items' then return sync.typed_pack_items(p_row); when 'presence_entries' then return sync.typed_presence_entries(p_row); when 'site_maps' then return sync.typed_site_maps(p_row); when 'workflow_rules' then return sync.typed_workflow_rules(p_row); when 'notifications' then return sync.typed_notifications(p_row); when 'wellness_check_ins' then return sync.typed_wellness_check_ins(p_row); when 'cohort_consents' then return sync.typed_cohort_consents(p_row); when 'goals' then return sync.typed_goals(p_row); when 'habits' then return sync.typed_habits(p_row); when 'goal_check_ins' then return sync.typed_goal_check_ins(p_row); when 'goal_links' then return sync.typed_goal_links(p_row); when 'goal_milestones' then return sync.typed_goal_milestones(p_row); when 'goal_pauses' then return sync.typed_goal_pauses(p_row); when 'habit_entries' then return sync.typed_habit_entries(p_row); when 'habit_pauses' then return sync.typed_habit_pauses(p_row); when 'consent_grants' then return sync.typed_consent_grants(p_row); when 'task_views' then return sync.typed_task_views(p_row); when 'circle_acts' then return sync.typed_circle_acts(p_row); when 'circle_messages' then return sync.typed_circle_messages(p_row); when 'circle_sessions' then return sync.typed_circle_sessions(p_row); when 'grant_reads' then return sync.typed_grant_reads(p_row); when 'record_follows' then return sync.typed_record_follows(p_row); when 'triad_briefs' then return sync.typed_triad_briefs(p_row); when 'countersignatures' then return sync.typed_countersignatures(p_row); when 'triad_brief_copies' then return sync.typed_triad_brief_copies(p_row); when 'triad_brief_lines' then return sync.typed_triad_brief_lines(p_row); end case;
    end $function$;

CREATE OR REPLACE FUNCTION sync.unchanged_result(p_before jsonb, p_after jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
RETURN (CASE WHEN ((p_before -> 'version'::text) = (p_after -> 'version'::text)) THEN '{"unchanged": true}'::text ELSE '{}'::text END)::jsonb;

CREATE OR REPLACE FUNCTION sync.update_all(p_table text, p_edits jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
    begin
      case p_table when 'note_keys' then return sync.update_all_note_keys(p_edits); when 'notification_types' then return sync.update_all_notification_types(p_edits); when 'role_permissions' then return sync.update_all_role_permissions(p_edits); when 'subscription_tiers' then return sync.update_all_subscription_tiers(p_edits); when 'organizations' then return sync.update_all_organizations(p_edits); when 'organization_members' then return sync.update_all_organization_members(p_edits); when 'circle_relationships' then return sync.update_all_circle_relationships(p_edits); when 'organization_activations' then return sync.update_all_organization_activations(p_edits); when 'profiles' then return sync.update_all_profiles(p_edits); when 'subscriptions' then return sync.update_all_subscriptions(p_edits); when 'user_preferences' then return sync.update_all_user_preferences(p_edits); when 'user_roles' then return sync.update_all_user_roles(p_edits); when 'notification_choices' then return sync.update_all_notification_choices(p_edits); when 'people' then return sync.update_all_people(p_edits); when 'playbooks' then return sync.update_all_playbooks(p_edits); when 'sites' then return sync.update_all_sites(p_edits); when 'wellness_settings' then return sync.update_all_wellness_settings(p_edits); when 'site_members' then return sync.update_all_site_members(p_edits); when 'teams' then return sync.update_all_teams(p_edits); when 'playbook_members' then return sync.update_all_playbook_members(p_edits); when 'team_members' then return sync.update_all_team_members(p_edits); when 'assets' then return sync.update_all_assets(p_edits); when 'form_pictures' then return sync.update_all_form_pictures(p_edits); when 'forms' then return sync.update_all_forms(p_edits); when 'form_versions' then return sync.update_all_form_versions(p_edits); when 'form_drafts' then return sync.update_all_form_drafts(p_edits); when 'policies' then return sync.update_all_policies(p_edits); when 'policy_variables' then return sync.update_all_policy_variables(p_edits); when 'policy_versions' then return sync.update_all_policy_versions(p_edits); when 'acknowledgement_campaigns' then return sync.update_all_acknowledgement_campaigns(p_edits); when 'approval_delegations' then return sync.update_all_approval_delegations(p_edits); when 'approval_requests' then return sync.update_all_approval_requests(p_edits); when 'frameworks' then return sync.update_all_frameworks(p_edits); when 'approval_decisions' then return sync.update_all_approval_decisions(p_edits); when 'controls' then return sync.update_all_controls(p_edits); when 'kiosk_acknowledgements' then return sync.update_all_kiosk_acknowledgements(p_edits); when 'policy_acknowledgements' then return sync.update_all_policy_acknowledgements(p_edits); when 'poams' then return sync.update_all_poams(p_edits); when 'schedules' then return sync.update_all_schedules(p_edits); when 'inspections' then return sync.update_all_inspections(p_edits); when 'findings' then return sync.update_all_findings(p_edits); when 'inspection_answers' then return sync.update_all_inspection_answers(p_edits); when 'action_items' then return sync.update_all_action_items(p_edits); when 'task_series' then return sync.update_all_task_series(p_edits); when 'media' then return sync.update_all_media(p_edits); when 'recurrence_decisions' then return sync.update_all_recurrence_decisions(p_edits); when 'task_items' then return sync.update_all_task_items(p_edits); when 'evidence' then return sync.update_all_evidence(p_edits); when 'issue_reports' then return sync.update_all_issue_reports(p_edits); when 'tasks' then return sync.update_all_tasks(p_edits); when 'control_links' then return sync.update_all_control_links(p_edits); when 'evidence_links' then return sync.update_all_evidence_links(p_edits); when 'inspection_events' then return sync.update_all_inspection_events(p_edits); when 'comments' then return sync.update_all_comments(p_edits); when 'pack_items' then return sync.update_all_pack_items(p_edits); when 'presence_entries' then return sync.update_all_presence_entries(p_edits); when 'site_maps' then return sync.update_all_site_maps(p_edits); when 'workflow_rules' then return sync.update_all_workflow_rules(p_edits); when 'notifications' then return sync.update_all_notifications(p_edits); when 'wellness_check_ins' then return sync.update_all_wellness_check_ins(p_edits); when 'cohort_consents' then return sync.update_all_cohort_consents(p_edits); when 'goals' then return sync.update_all_goals(p_edits); when 'habits' then return sync.update_all_habits(p_edits); when 'goal_check_ins' then return sync.update_all_goal_check_ins(p_edits); when 'goal_links' then return sync.update_all_goal_links(p_edits); when 'goal_milestones' then return sync.update_all_goal_milestones(p_edits); when 'goal_pauses' then return sync.update_all_goal_pauses(p_edits); when 'habit_entries' then return sync.update_all_habit_entries(p_edits); when 'habit_pauses' then return sync.update_all_habit_pauses(p_edits); when 'consent_grants' then return sync.update_all_consent_grants(p_edits); when 'task_views' then return sync.update_all_task_views(p_edits); when 'circle_acts' then return sync.update_all_circle_acts(p_edits); when 'circle_messages' then return sync.update_all_circle_messages(p_edits); when 'circle_sessions' then return sync.update_all_circle_sessions(p_edits); when 'grant_reads' then return sync.update_all_grant_reads(p_edits); when 'record_follows' then return sync.update_all_record_follows(p_edits); when 'triad_briefs' then return sync.update_all_triad_briefs(p_edits); when 'countersignatures' then return sync.update_all_countersignatures(p_edits); when 'triad_brief_copies' then return sync.update_all_triad_brief_copies(p_edits); when 'triad_brief_lines' then return sync.update_all_triad_brief_lines(p_edits); end case;
    end $function$;

CREATE OR REPLACE FUNCTION sync.update_row(p_table text, p_id uuid, p_row jsonb, p_fields text[])
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
    begin
      case p_table when 'note_keys' then return sync.update_note_keys(p_id, p_row, p_fields); when 'notification_types' then return sync.update_notification_types(p_id, p_row, p_fields); when 'role_permissions' then return sync.update_role_permissions(p_id, p_row, p_fields); when 'subscription_tiers' then return sync.update_subscription_tiers(p_id, p_row, p_fields); when 'organizations' then return sync.update_organizations(p_id, p_row, p_fields); when 'organization_members' then return sync.update_organization_members(p_id, p_row, p_fields); when 'circle_relationships' then return sync.update_circle_relationships(p_id, p_row, p_fields); when 'organization_activations' then return sync.update_organization_activations(p_id, p_row, p_fields); when 'profiles' then return sync.update_profiles(p_id, p_row, p_fields); when 'subscriptions' then return sync.update_subscriptions(p_id, p_row, p_fields); when 'user_preferences' then return sync.update_user_preferences(p_id, p_row, p_fields); when 'user_roles' then return sync.update_user_roles(p_id, p_row, p_fields); when 'notification_choices' then return sync.update_notification_choices(p_id, p_row, p_fields); when 'people' then return sync.update_people(p_id, p_row, p_fields); when 'playbooks' then return sync.update_playbooks(p_id, p_row, p_fields); when 'sites' then return sync.update_sites(p_id, p_row, p_fields); when 'wellness_settings' then return sync.update_wellness_settings(p_id, p_row, p_fields); when 'site_members' then return sync.update_site_members(p_id, p_row, p_fields); when 'teams' then return sync.update_teams(p_id, p_row, p_fields); when 'playbook_members' then return sync.update_playbook_members(p_id, p_row, p_fields); when 'team_members' then return sync.update_team_members(p_id, p_row, p_fields); when 'assets' then return sync.update_assets(p_id, p_row, p_fields); when 'form_pictures' then return sync.update_form_pictures(p_id, p_row, p_fields); when 'forms' then return sync.update_forms(p_id, p_row, p_fields); when 'form_versions' then return sync.update_form_versions(p_id, p_row, p_fields); when 'form_drafts' then return sync.update_form_drafts(p_id, p_row, p_fields); when 'policies' then return sync.update_policies(p_id, p_row, p_fields); when 'policy_variables' then return sync.update_policy_variables(p_id, p_row, p_fields); when 'policy_versions' then return sync.update_policy_versions(p_id, p_row, p_fields); when 'acknowledgement_campaigns' then return sync.update_acknowledgement_campaigns(p_id, p_row, p_fields); when 'approval_delegations' then return sync.update_approval_delegations(p_id, p_row, p_fields); when 'approval_requests' then return sync.update_approval_requests(p_id, p_row, p_fields); when 'frameworks' then return sync.update_frameworks(p_id, p_row, p_fields); when 'approval_decisions' then return sync.update_approval_decisions(p_id, p_row, p_fields); when 'controls' then return sync.update_controls(p_id, p_row, p_fields); when 'kiosk_acknowledgements' then return sync.update_kiosk_acknowledgements(p_id, p_row, p_fields); when 'policy_acknowledgements' then return sync.update_policy_acknowledgements(p_id, p_row, p_fields); when 'poams' then return sync.update_poams(p_id, p_row, p_fields); when 'schedules' then return sync.update_schedules(p_id, p_row, p_fields); when 'inspections' then return sync.update_inspections(p_id, p_row, p_fields); when 'findings' then return sync.update_findings(p_id, p_row, p_fields); when 'inspection_answers' then return sync.update_inspection_answers(p_id, p_row, p_fields); when 'action_items' then return sync.update_action_items(p_id, p_row, p_fields); when 'task_series' then return sync.update_task_series(p_id, p_row, p_fields); when 'media' then return sync.update_media(p_id, p_row, p_fields); when 'recurrence_decisions' then return sync.update_recurrence_decisions(p_id, p_row, p_fields); when 'task_items' then return sync.update_task_items(p_id, p_row, p_fields); when 'evidence' then return sync.update_evidence(p_id, p_row, p_fields); when 'issue_reports' then return sync.update_issue_reports(p_id, p_row, p_fields); when 'tasks' then return sync.update_tasks(p_id, p_row, p_fields); when 'control_links' then return sync.update_control_links(p_id, p_row, p_fields); when 'evidence_links' then return sync.update_evidence_links(p_id, p_row, p_fields); when 'inspection_events' then return sync.update_inspection_events(p_id, p_row, p_fields); when 'comments' then return sync.update_comments(p_id, p_row, p_fields); when 'pack_items' then return sync.update_pack_items(p_id, p_row, p_fields); when 'presence_entries' then return sync.update_presence_entries(p_id, p_row, p_fields); when 'site_maps' then return sync.update_site_maps(p_id, p_row, p_fields); when 'workflow_rules' then return sync.update_workflow_rules(p_id, p_row, p_fields); when 'notifications' then return sync.update_notifications(p_id, p_row, p_fields); when 'wellness_check_ins' then return sync.update_wellness_check_ins(p_id, p_row, p_fields); when 'cohort_consents' then return sync.update_cohort_consents(p_id, p_row, p_fields); when 'goals' then return sync.update_goals(p_id, p_row, p_fields); when 'habits' then return sync.update_habits(p_id, p_row, p_fields); when 'goal_check_ins' then return sync.update_goal_check_ins(p_id, p_row, p_fields); when 'goal_links' then return sync.update_goal_links(p_id, p_row, p_fields); when 'goal_milestones' then return sync.update_goal_milestones(p_id, p_row, p_fields); when 'goal_pauses' then return sync.update_goal_pauses(p_id, p_row, p_fields); when 'habit_entries' then return sync.update_habit_entries(p_id, p_row, p_fields); when 'habit_pauses' then return sync.update_habit_pauses(p_id, p_row, p_fields); when 'consent_grants' then return sync.update_consent_grants(p_id, p_row, p_fields); when 'task_views' then return sync.update_task_views(p_id, p_row, p_fields); when 'circle_acts' then return sync.update_circle_acts(p_id, p_row, p_fields); when 'circle_messages' then return sync.update_circle_messages(p_id, p_row, p_fields); when 'circle_sessions' then return sync.update_circle_sessions(p_id, p_row, p_fields); when 'grant_reads' then return sync.update_grant_reads(p_id, p_row, p_fields); when 'record_follows' then return sync.update_record_follows(p_id, p_row, p_fields); when 'triad_briefs' then return sync.update_triad_briefs(p_id, p_row, p_fields); when 'countersignatures' then return sync.update_countersignatures(p_id, p_row, p_fields); when 'triad_brief_copies' then return sync.update_triad_brief_copies(p_id, p_row, p_fields); when 'triad_brief_lines' then return sync.update_triad_brief_lines(p_id, p_row, p_fields); end case;
    end $function$;

CREATE OR REPLACE FUNCTION sync.update_run(t sync.tables, p_run jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  ids constant uuid[] := array(select (e ->> 'id')::uuid from jsonb_array_elements(p_run) e);
  present constant jsonb := sync.lock_all(t.name, ids);
  edits jsonb := '[]';
  plans jsonb[] := '{}';
  made jsonb;
  results jsonb := '[]';
  m jsonb;
  plan jsonb;
begin
  -- A record twice in a run, one not to be had or deleted, a conflict: each for itself.
  if (select count(*) from jsonb_object_keys(present)) < cardinality(ids) then raise exception 'not all are there' using errcode = 'CM002', detail = 'CN025'; end if;
  for m in select e from jsonb_array_elements(p_run) with ordinality as es (e, n) order by n loop
    plan := sync.plan_update(t, m, present -> ((m ->> 'id')::uuid)::text);
    plans := plans || plan;
    if plan -> 'fields' <> '[]' then
      edits := edits || jsonb_build_object('id', m -> 'id', 'patch', m -> 'patch', 'fields', plan -> 'fields');
    end if;
  end loop;
  made := sync.update_all(t.name, edits);
  if (select count(*) from jsonb_object_keys(made)) < jsonb_array_length(edits) then raise exception 'not all are ours' using errcode = 'CM002', detail = 'CN026'; end if;
  foreach plan in array plans loop
    results := results || sync.updated(plan -> 'm', plan -> 'present',
      coalesce(made -> ((plan -> 'm' ->> 'id')::uuid)::text, plan -> 'present'), plan -> 'mine', array(select jsonb_array_elements_text(plan -> 'fields')));
  end loop;
  return results;
end $function$;

CREATE OR REPLACE FUNCTION sync.updated(p_mutation jsonb, p_before jsonb, p_after jsonb, p_mine jsonb, p_applied text[])
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  if (p_before ->> 'version')::bigint = coalesce((p_mutation ->> 'bv')::bigint, 0) then
    return jsonb_build_object('mid', p_mutation -> 'mid', 'st', 'applied', 'v', p_after -> 'version', 'd', sync.difference(p_after,
      p_before || (select coalesce(jsonb_object_agg(f, p_mine -> f), '{}') from unnest(p_applied) f))) || sync.unchanged_result(p_before, p_after);
  end if;
  return jsonb_build_object('mid', p_mutation -> 'mid', 'st', 'merged', 'v', p_after -> 'version', 'row', p_after)
    || sync.unchanged_result(p_before, p_after);
end $function$;

CREATE OR REPLACE FUNCTION sync.user_scope(p_user uuid)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ('user:'::text || (p_user)::text);

CREATE OR REPLACE FUNCTION sync.version_in_sight(p_table text, p_id uuid)
 RETURNS bigint
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if not exists (select from sync.tables t where t.name = p_table) then return 0; end if;
  return coalesce((sync.see_row(p_table, p_id) ->> 'version')::bigint, 0);
end $function$;

CREATE OR REPLACE FUNCTION sync.version_of(p_table text, p_id uuid)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  answer bigint;
begin
  if not exists (select from sync.tables t where t.name = p_table) then return 0; end if;
  execute format('select x.version from public.%I x where x.id = $1', p_table) into answer using p_id;
  return coalesce(answer, 0);
end $function$;

CREATE OR REPLACE FUNCTION sync.write_choice(p_name text, p_parameters text, p_call text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  execute format($ddl$
    create or replace function sync.%1$I(p_table text, %2$s) returns jsonb language plpgsql volatile set search_path = '' as $body$
    begin
      case p_table %3$s end case;
    end $body$;
    revoke execute on function sync.%1$I from public; grant execute on function sync.%1$I to authenticated
  $ddl$, p_name, p_parameters,
    (select string_agg(format('when %L then return sync.%s;', t.name, format(p_call, t.name)), ' ' order by t.priority, t.name) from sync.tables t));
end $function$;

CREATE OR REPLACE FUNCTION sync.writer_of(p_person uuid, p_device uuid)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN uuid_generate_v5(p_person, (p_device)::text);

CREATE OR REPLACE FUNCTION sync.written_when(p_at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN sync.clamp_time(p_at, (now() - '366 days'::interval));
