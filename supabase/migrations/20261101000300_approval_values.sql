-- Approvals: what its tables themselves call.

set local check_function_bodies = off;   -- what they call may be made later

-- Stages: [{"name": "Safety", "rule": "any" | "all" | "quorum", "quorum": 2, "people": ["<uuid>", …]}], one to five of them.
create function approval.are_stages(p_stages jsonb) returns boolean
  language sql immutable set search_path = '' return
  jsonb_typeof(p_stages) = 'array' and jsonb_array_length(p_stages) between 1 and 5
  and not exists (
    select from jsonb_array_elements(p_stages) s
    where jsonb_typeof(s) <> 'object' or jsonb_typeof(s -> 'name') is distinct from 'string' or char_length(s ->> 'name') > 100
      or s ->> 'rule' is null or s ->> 'rule' not in ('any', 'all', 'quorum')
      or jsonb_typeof(s -> 'people') is distinct from 'array'
      or jsonb_array_length(s -> 'people') not between 1 and 20
      or (select count(distinct e) from jsonb_array_elements_text(s -> 'people') e) < jsonb_array_length(s -> 'people')
      or exists (select from jsonb_array_elements_text(s -> 'people') e where e !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$')
      or s ->> 'rule' = 'quorum' and (jsonb_typeof(s -> 'quorum') is distinct from 'number'
        or (s ->> 'quorum') !~ '^[0-9]{1,2}$' or (s ->> 'quorum')::integer not between 1 and jsonb_array_length(s -> 'people')));

-- Who may call what.
revoke execute on function approval.are_stages(jsonb) from public;
