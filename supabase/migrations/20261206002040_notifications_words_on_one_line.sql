-- What others wrote begins no line of its own in what a person is told: names, titles and words in a notification are one line, cleaned as the
-- names of a signature are.

create function inbox.on_one_line(p_params jsonb) returns jsonb
  language sql immutable parallel safe set search_path = '' as $$
  select coalesce(jsonb_object_agg(p.key, case jsonb_typeof(p.value)
    when 'string' then to_jsonb(nullif(sync.one_line(p.value #>> '{}', 1000), '')) else p.value end), '{}')
  from jsonb_each(p_params) p
$$;
revoke execute on function inbox.on_one_line(jsonb) from public;

create or replace function pg_temp.extend(p_function text, p_before text, p_added text) returns void language plpgsql as $$
declare
  was constant text := pg_get_functiondef(p_function::regprocedure);
begin
  if position(p_before in was) = 0 then raise exception '% has no %', p_function, p_before; end if;
  execute replace(was, p_before, p_added);
end $$;
select pg_temp.extend('inbox.notify(uuid, text, text, text, jsonb, uuid, uuid, uuid)', 'jsonb_strip_nulls(p_params)', 'jsonb_strip_nulls(inbox.on_one_line(p_params))');

update public.notifications n set params = jsonb_strip_nulls(inbox.on_one_line(n.params))
  where n.params is distinct from jsonb_strip_nulls(inbox.on_one_line(n.params));
