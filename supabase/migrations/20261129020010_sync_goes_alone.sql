-- A run is one statement, and its AFTER triggers see all of it: where they look at other rows of their own table, the first of two
-- edits found the second already done. Two revisions accepted in one push superseded each other; two decisions on one request both
-- counted; whoever was named in a second comment heard of the first. Records of such a table are pushed each for itself. Not among
-- them: what puts together anew what follows from all rows of one person (people, tiers, plans of reminders) ends the same.
alter table sync.tables add column goes_alone boolean not null default false;
update sync.tables set goes_alone = true
  where name in ('approval_decisions', 'comments', 'evidence', 'organization_members', 'organizations');

create or replace function sync.apply_run(p_run jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
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
end $$;
