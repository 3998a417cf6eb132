-- Renaming a rule is an edit of the rule: what it makes bears its title, so whoever writes that answers for it
-- (docs/decisions/0745-whose-words-these-are.md). Of two people who changed one rule apart, the second is asked:
-- merged field by field, one would answer for what the other wrote.
update sync.tables set groups = '[["title","trigger","matching","conditions","steps","is_on"]]' where name = 'workflow_rules';
select sync.refresh_table('workflow_rules');

create or replace function pg_temp.extend(p_function text, p_before text, p_added text) returns void language plpgsql as $$
declare
  was constant text := pg_get_functiondef(p_function::regprocedure);
begin
  if position(p_before in was) = 0 then raise exception '% has no %', p_function, p_before; end if;
  execute replace(was, p_before, p_added);
end $$;
-- `acts_for` follows the title; that what happened before is left alone (on_since) does not.
select pg_temp.extend('workflow.guard_rule()', $x$  if tg_op = 'INSERT' or (new.trigger,$x$, $x$  if tg_op = 'UPDATE' and new.title is distinct from old.title
      and (new.trigger, new.matching, new.conditions, new.steps, new.is_on) is not distinct from (old.trigger, old.matching, old.conditions, old.steps, old.is_on) then
    new.acts_for := coalesce(auth.uid(), new.acts_for, new.created_by);
    new.on_since := old.on_since;
  elsif tg_op = 'INSERT' or (new.trigger,$x$);
select pg_temp.extend('audit.note_workflow()', $x$(new.trigger, new.matching, new.conditions, new.steps) is distinct from (old.trigger, old.matching, old.conditions, old.steps)$x$,
  $x$(new.title, new.trigger, new.matching, new.conditions, new.steps) is distinct from (old.title, old.trigger, old.matching, old.conditions, old.steps)$x$);
