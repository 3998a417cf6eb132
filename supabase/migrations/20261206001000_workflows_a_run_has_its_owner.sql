-- A run that waits for an approval keeps the steps of the rule as it fired. It does them in the name and under the title of then, too: whoever
-- changes the rule meanwhile has not written them (docs/decisions/0802-a-run-keeps-its-owner.md).

alter table workflow.run
  add column acts_for uuid references auth.users (id) on delete set null,   -- who answered for the rule as it fired
  add column title    text;                                                 -- what the rule was called then
create index run_acts_for on workflow.run (acts_for);

-- Of a run that waits while its rule was changed nobody knows who wrote it: it fails where it would go on.
update workflow.run x set title = r.title, acts_for = case when r.updated_at <= x.at then r.acts_for end
  from public.workflow_rules r where r.id = x.rule_id and x.outcome in ('waiting', 'approved');

create or replace function pg_temp.extend(p_function text, p_before text, p_added text) returns void language plpgsql as $$
declare
  was constant text := pg_get_functiondef(p_function::regprocedure);
begin
  if position(p_before in was) = 0 then raise exception '% has no %', p_function, p_before; end if;
  execute replace(was, p_before, p_added);
end $$;
select pg_temp.extend('workflow.apply(public.workflow_rules, workflow.event)', 'outcome, checks, steps)', 'outcome, checks, steps, acts_for, title)');
select pg_temp.extend('workflow.apply(public.workflow_rules, workflow.event)', $x$r.steps else '[]' end)$x$, $x$r.steps else '[]' end, r.acts_for, r.title)$x$);
select pg_temp.extend('workflow.do_steps(uuid)', $x$  perform set_config('workflow.acting', r.id::text, true);$x$,
  $x$  r.acts_for := run.acts_for;
  r.title := run.title;
  perform set_config('workflow.acting', r.id::text, true);$x$);
select pg_temp.extend('workflow.sweep(integer)', 'workflow.may_act(r.acts_for, e)', 'workflow.may_act(run.acts_for, e)');
