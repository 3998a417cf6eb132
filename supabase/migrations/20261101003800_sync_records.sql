-- The sync engine: what a record, its id and its audiences are.

set local check_function_bodies = off;   -- what they call may be made later

-- A nudge that cannot be sent must not undo the change it tells of: devices pull every minute anyway.
create function sync.nudge(p_scopes text[], p_versions bigint[]) returns void
  language plpgsql security definer set search_path = '' as $$
begin
  if to_regprocedure('realtime.send(jsonb, text, text, boolean)') is null then return; end if;
  execute $send$
    select realtime.send(jsonb_build_object('scope', s, 'v', v), 'changed', 'scope:' || s, true)
    from unnest($1, $2) as moved (s, v)
  $send$ using p_scopes, p_versions;
exception when others then
  raise warning 'sync: nudge not sent (%)', sqlstate;
end $$;

-- A device whose clock is this much ahead is honest; what it brings counts.
create function sync.clock_allowance() returns interval language sql immutable return interval '5 minutes';

create function sync.is_device_edit() returns boolean
  language sql stable set search_path = '' return sync.pushing() and pg_trigger_depth() <= 1;

-- The id a person's row has to have where it is a derived one; null where its table knows no such rule.
create function sync.is_derived(p_id uuid) returns boolean
  language sql immutable parallel safe return substr(p_id::text, 15, 1) = '5';

-- Whether the id of a new record stands for another one: of another organisation than it names, or (p_hidden: the caller
-- may not see what is there) one that this person never made. What two people derive from the same facts is one record.
-- An id that follows from a question stands for that question's action item only, also before whoever sees both.
create function sync.is_id_collision(m jsonb, p_hidden boolean) returns boolean
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

create function sync.refuse_colliding_id() returns void language plpgsql set search_path = '' as $$
begin
  raise exception 'this id stands for another record' using errcode = '23505', constraint = 'id_collision', detail = 'CN017';
end $$;

-- What a device says of a time, no earlier than could be and no later than a clock that is a day fast would say.
create function sync.clamp_device_time(p_at timestamptz, p_first timestamptz) returns timestamptz
  language sql volatile parallel safe set search_path = '' return
  case when p_at is null then null else least(greatest(p_at, p_first), clock_timestamp() + interval '1 day') end;

-- Whose push this is, as `sync.claim` said it.
create function sync.device() returns uuid
  language sql stable set search_path = ''
  return case when sync.pushing() then nullif(current_setting('sync.device', true), '')::uuid end;

-- Whose push this is; of work that waited in the review queue, the device it was handed over by. What somebody else brought has none.
create function sync.sending_device() returns uuid
  language sql stable set search_path = ''
  return case when sync.pushing() then coalesce(sync.device(),
    case when review_queue.accepted_by() is not null then nullif(current_setting('sync.submitting_device', true), '')::uuid end) end;

create function sync.submitting_device(p_organization uuid, p_user uuid, p_work jsonb) returns uuid
  language sql stable security definer set search_path = '' as $$
  select case when count(distinct u.device) = 1 and count(u.submitted_by) = 0 and count(u.device) = count(*) then min(u.device::text)::uuid end
  from sync.orphaned_edit u where u.organization_id = p_organization and u.user_id = p_user
    and u.mid in (select (w ->> 'mid')::uuid from jsonb_array_elements(p_work) w)
$$;

-- Who may call what.
revoke execute on function sync.nudge(text[], bigint[]), sync.clock_allowance(), sync.is_device_edit(), sync.is_derived(uuid),
  sync.is_id_collision(jsonb, boolean), sync.refuse_colliding_id(), sync.clamp_device_time(timestamp with time zone, timestamp with time zone), sync.device(),
  sync.sending_device(), sync.submitting_device(uuid, uuid, jsonb) from public;
grant execute on function sync.is_derived(uuid) to service_role, authenticated;
grant execute on function sync.is_id_collision(jsonb, boolean), sync.refuse_colliding_id(), sync.device(), sync.sending_device(),
  sync.submitting_device(uuid, uuid, jsonb) to authenticated;
