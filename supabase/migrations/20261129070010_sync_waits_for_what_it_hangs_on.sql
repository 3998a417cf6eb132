-- For a day after a restore an edit waits not only for earlier versions of its own row, but for what else it hangs on and somebody
-- else's device has yet to bring: a record it names, a place, a role, a step, a name that was free (docs/decisions/0702). And a row
-- the caller cannot see is answered as one that is not there: whether it exists, and its version, could be asked in that day.

-- The version of a row as the caller sees it; 0 where there is none to be seen.
create function sync.version_in_sight(p_table text, p_id uuid) returns bigint
  language plpgsql volatile set search_path = '' as $$
begin
  if not exists (select from sync.tables t where t.name = p_table) then return 0; end if;
  return coalesce((sync.see_row(p_table, p_id) ->> 'version')::bigint, 0);
end $$;

-- As before; what came back of a row is looked at only where the row is in sight.
create or replace function sync.in_order(m jsonb, p_present bigint) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  based_on constant bigint := coalesce((m ->> 'bv')::bigint, 0);
  is_again constant boolean := m ? 'av';
  judged_on constant bigint := case when not is_again then based_on when m ? 'same' then (m ->> 'av')::bigint else (m ->> 'av')::bigint - 1 end;
  reached bigint;
  r sync.replayed;
begin
  select * into r from sync.replayed where tbl = m ->> 't' and row_id = (m ->> 'id')::uuid and p_present > 0;
  reached := p_present - case when is_again then coalesce(r.others, 0) else 0 end;
  if judged_on > reached and (judged_on - coalesce(r.base, reached) > 10000 or exists (
      select from generate_series(coalesce(r.base, reached) + 1, judged_on) k where k <> all (coalesce(r.seen, '{}')))) then
    raise exception 'behind' using errcode = 'P0001';
  end if;
  if m ->> 'op' = 'delete' and based_on <> p_present and (is_again or based_on > p_present)
    and p_present = coalesce(r.base + r.steps, p_present) then
    return m || jsonb_build_object('bv', p_present);
  end if;
  return m;
end $$;

-- Who belongs to the organisation no more hands over: what is new by the organisation it names, an edit by that of its record.
create function sync.refuse_former_work(m jsonb) returns void
  language plpgsql volatile set search_path = '' as $$
begin
  if current_setting('sync.kept_former', true) is not distinct from '{}' then return; end if;
  perform sync.refuse_former_member(case when m ->> 'op' = 'insert' then (m -> 'patch' ->> 'organization_id')::uuid else sync.organization_of(m) end);
end $$;

-- As it is judged on any day.
create function sync.apply_at_once(m jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  result jsonb;
begin
  if m ->> 'op' = 'insert' then
    perform sync.refuse_former_work(m);
    -- Before anything of it could be merged into a record of another organisation that the same person sees.
    if sync.is_id_taken(m, false) then perform sync.refuse_taken_id(); end if;
  end if;
  result := sync.apply_own_mutation(m);
  if result ->> 'kind' = 'missing_or_hidden' then
    if m ->> 'op' <> 'insert' then perform sync.refuse_former_work(m);
    elsif sync.is_id_taken(m, true) then perform sync.refuse_taken_id();
    end if;
  end if;
  return result;
end $$;

-- Whether a refusal may pass once other devices have been there. An acknowledged edit had passed every rule that looks at other
-- rows, at rights or at what stands in its row; one the server never had may belong to a record that has yet to come.
create function sync.may_pass_later(m jsonb, p_code text, p_message text, p_rule text) returns boolean
  language sql immutable parallel safe set search_path = ''
  return p_message <> 'not_a_member' and p_rule <> 'id_taken' and (m ? 'av' or p_code = '23503');

-- In the day after a restore. What the refused or disputed edit did goes with it, a conflict it noted too.
create function sync.apply_in_turn(m jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  before constant bigint := sync.version_in_sight(m ->> 't', (m ->> 'id')::uuid);
  result jsonb;
  code text; message text; rule text;
begin
  if before = 0 then perform sync.refuse_former_work(m); end if;
  m := sync.in_order(m, before);
  result := sync.said_again(m);
  if result is not null then return result; end if;
  begin
    result := sync.apply_at_once(m);
  exception
    when integrity_constraint_violation or insufficient_privilege or raise_exception then
      get stacked diagnostics code = returned_sqlstate, message = message_text, rule = constraint_name;
      if not sync.may_pass_later(m, code, message, rule) then raise; end if;
      raise exception 'behind' using errcode = 'P0001';
  end;
  if result ->> 'kind' = 'missing_or_hidden' and m ? 'av' then raise exception 'behind' using errcode = 'P0001'; end if;
  -- Of what the caller cannot see nothing was made.
  if (result ->> 'v')::bigint > 0 then perform sync.note_replayed(m, before); end if;
  return result;
end $$;

create or replace function sync.apply_mutation(m jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
begin
  if sync.is_restored() then return sync.apply_in_turn(m); end if;
  return sync.apply_at_once(m);
end $$;

revoke execute on function sync.version_in_sight(text, uuid), sync.refuse_former_work(jsonb), sync.apply_at_once(jsonb),
  sync.may_pass_later(jsonb, text, text, text), sync.apply_in_turn(jsonb) from public;
grant execute on function sync.version_in_sight(text, uuid), sync.refuse_former_work(jsonb), sync.apply_at_once(jsonb),
  sync.may_pass_later(jsonb, text, text, text), sync.apply_in_turn(jsonb) to authenticated;
