-- A record that comes twice among neighbouring inserts ends their run, as it does among updates: the second was answered as
-- applied although nothing of it was written (supabase/tests/sync-push-split.test.ts found it).
create or replace function sync.insert_run(t sync.tables, p_run jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  made jsonb;
  results jsonb := '[]';
  after jsonb;
  m jsonb;
begin
  if (select count(distinct (e ->> 'id')::uuid) from jsonb_array_elements(p_run) e) < jsonb_array_length(p_run) then
    raise exception 'a record comes twice' using errcode = 'CM002';
  end if;
  made := sync.insert_all(t.name, (
    select jsonb_agg(coalesce(e -> 'patch', '{}') || jsonb_build_object('id', e ->> 'id') order by n)
    from jsonb_array_elements(p_run) with ordinality as es (e, n)));
  for m in select e from jsonb_array_elements(p_run) with ordinality as es (e, n) order by n loop
    after := made -> ((m ->> 'id')::uuid)::text;
    if after is null then raise exception 'not all are new' using errcode = 'CM002'; end if;
    results := results || sync.inserted(m, after, sync.fields_of(t, coalesce(m -> 'patch', '{}')));
  end loop;
  return results;
end $$;
