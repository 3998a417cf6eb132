-- Policies, their versions and acknowledgements: what its tables themselves call.

set local check_function_bodies = off;   -- what they call may be made later

create function policy.is_audience(p jsonb) returns boolean
  language sql immutable set search_path = '' return
  coalesce(jsonb_typeof(p) = 'object' and (p ->> 'kind' = 'all'
    or p ->> 'kind' in ('roles', 'sites', 'teams', 'people') and jsonb_typeof(p -> 'ids') = 'array'
      and jsonb_array_length(p -> 'ids') between 1 and 500
      and not exists (select from jsonb_array_elements(p -> 'ids') e where jsonb_typeof(e) <> 'string'
        or p ->> 'kind' = 'roles' and e #>> '{}' not in ('admin', 'manager', 'member', 'auditor')
        or p ->> 'kind' <> 'roles' and e #>> '{}' !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$')), false);

-- A quiz as it was written, to the byte: [{"id", "type", "text", "choices": [{"id", "text"}], "right": [ids], "explanation", "section"}],
-- 1 to 10 questions. Types are those of forms' questions, and true_false, whose choices are "true" and "false".
-- packages/core/src/policies/quiz.ts reads and writes it.
create function policy.is_quiz(p text) returns boolean
  language plpgsql immutable set search_path = '' as $$
declare
  quiz jsonb;
  q jsonb;
begin
  if char_length(p) > 60000 then return false; end if;
  quiz := p::jsonb;
  if jsonb_typeof(quiz) <> 'array' or jsonb_array_length(quiz) not between 1 and 10 then return false; end if;
  for q in select e from jsonb_array_elements(quiz) e loop
    if jsonb_typeof(q) <> 'object' or (select array_agg(k order by k) from jsonb_object_keys(q) k)
        <> array['choices', 'explanation', 'id', 'right', 'section', 'text', 'type']
      or exists (select from unnest(array['explanation', 'id', 'section', 'text', 'type']) k where jsonb_typeof(q -> k) <> 'string')
      or q ->> 'id' !~ '^[a-z0-9-]{1,40}$' or q ->> 'type' not in ('select_one', 'select_multiple', 'true_false')
      or char_length(q ->> 'text') > 500 or char_length(q ->> 'explanation') > 1000 or char_length(q ->> 'section') > 300
      or jsonb_typeof(q -> 'choices') <> 'array' or jsonb_typeof(q -> 'right') <> 'array' then return false; end if;
    if jsonb_array_length(q -> 'choices') > (case q ->> 'type' when 'true_false' then 0 else 8 end)
      or exists (select from jsonb_array_elements(q -> 'choices') c where jsonb_typeof(c) <> 'object' or (c - 'id' - 'text') <> '{}'
        or coalesce(jsonb_typeof(c -> 'id'), '') <> 'string' or coalesce(jsonb_typeof(c -> 'text'), '') <> 'string'
        or c ->> 'id' !~ '^[a-z0-9-]{1,40}$' or char_length(c ->> 'text') > 300)
      or (select count(*) <> count(distinct c ->> 'id') from jsonb_array_elements(q -> 'choices') c)
      or exists (select from jsonb_array_elements(q -> 'right') r where jsonb_typeof(r) <> 'string'
        or r #>> '{}' not in (select x from unnest(case q ->> 'type' when 'true_false' then array['true', 'false']
          else array(select c ->> 'id' from jsonb_array_elements(q -> 'choices') c) end) x)) then return false; end if;
  end loop;
  return (select count(*) = count(distinct e ->> 'id') from jsonb_array_elements(quiz) e);
exception when data_exception or program_limit_exceeded then return false;
end $$;

-- What somebody chose: {"<question>": ["<choice>", …]}.
create function policy.is_quiz_answers(p jsonb) returns boolean
  language sql immutable set search_path = '' return
  p is null or coalesce(jsonb_typeof(p) = 'object' and pg_column_size(p) <= 8000
    and not exists (select from jsonb_each(case when jsonb_typeof(p) = 'object' then p else '{}' end) a where jsonb_typeof(a.value) <> 'array'), false);

-- {"id": its row in media, "sha256", "bytes", "mime", "name", "pages": null for what has none}; packages/core/src/policies/policy-file.ts
-- says the same. 25 MiB: a phone reads all of it at once.
create function policy.is_policy_file(p jsonb) returns boolean
  language sql immutable set search_path = '' return
  p is null or coalesce(jsonb_typeof(p) = 'object'
    and (select array_agg(k order by k) from jsonb_object_keys(case when jsonb_typeof(p) = 'object' then p else '{}' end) k)
      = array['bytes', 'id', 'mime', 'name', 'pages', 'sha256']
    and jsonb_typeof(p -> 'id') = 'string' and p ->> 'id' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
    and jsonb_typeof(p -> 'sha256') = 'string' and p ->> 'sha256' ~ '^[0-9a-f]{64}$'
    and jsonb_typeof(p -> 'mime') = 'string' and p ->> 'mime' in ('application/pdf', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document')
    and jsonb_typeof(p -> 'name') = 'string' and p ->> 'name' <> '' and char_length(p ->> 'name') <= 200 and p ->> 'name' !~ '[/\\[:cntrl:]]'
    and jsonb_typeof(p -> 'bytes') = 'number' and (p ->> 'bytes') ~ '^[1-9][0-9]{0,7}$' and (p ->> 'bytes')::bigint <= 26214400
    and (jsonb_typeof(p -> 'pages') = 'null' or jsonb_typeof(p -> 'pages') = 'number' and (p ->> 'pages') ~ '^[1-9][0-9]{0,3}$'), false);

-- Who may call what.
revoke execute on function policy.is_audience(jsonb) from public;
grant execute on function policy.is_audience(jsonb), policy.is_quiz(text), policy.is_quiz_answers(jsonb), policy.is_policy_file(jsonb) to service_role, authenticated;
