-- A proof of presence of a finished inspection is its finisher's as its answers are (20261206002000).

create or replace function pg_temp.extend(p_function text, p_before text, p_added text) returns void language plpgsql as $$
declare
  was constant text := pg_get_functiondef(p_function::regprocedure);
begin
  if position(p_before in was) = 0 then raise exception '% has no %', p_function, p_before; end if;
  execute replace(was, p_before, p_added);
end $$;
select pg_temp.extend('sync.guard_presence_entry()', $x$    if sync.is_decided(i.status) then raise exception 'the inspection is decided' using errcode = '42501'; end if;$x$,
  $x$    if sync.is_decided(i.status) then raise exception 'the inspection is decided' using errcode = '42501'; end if;
    perform sync.refuse_after_finish(new.inspection_id);$x$);
