-- What others wrote has bounds: of a Markdown text what it takes to parse it, of a form what it takes to work it out, of a pack what
-- comes out when it is filled in, of any other text its size. The devices have the same (packages/base/src/content-bounds.ts) and refuse
-- it before it is queued; what is stored already stays as it is until somebody writes it anew.

create schema content;

create function content.bound(p_name text) returns bigint
  language sql immutable parallel safe set search_path = '' return
  ('{
    "markdown_characters": 400000, "markdown_lines": 20000, "markdown_indent": 100, "markdown_nesting": 20, "markdown_run": 200,
    "markdown_cells": 20000, "markdown_work": 20000000,
    "form_bytes": 2000000, "form_items": 5000, "form_nesting": 30, "form_repeat_nesting": 4, "form_expression_characters": 10000,
    "form_expression_references": 500, "form_expressions_characters": 500000, "form_expressions_references": 20000, "form_choices": 50000,
    "pack_filled_characters": 2000000}'::jsonb ->> p_name)::bigint;

-- What a parser that looks for the end of each mark has to look at: letters times marks.
create function content.markdown_work(p_unit text) returns bigint
  language sql immutable parallel safe set search_path = '' return
  char_length(p_unit)::bigint * (char_length(p_unit) - char_length(translate(p_unit, '*_~`[]!<&\', '')));

-- One paragraph, heading, item or table, with its lines times its lines. Where each row of a table begins with its line, each cell is a text of its own.
create function content.markdown_unit(p_unit text, out cells bigint, out work bigint)
  language plpgsql immutable parallel safe set search_path = '' as $$
declare
  lines text[];
begin
  lines := array(select l from string_to_table(p_unit, E'\n') with ordinality s (l, n) where l <> '' order by n);
  cells := 0;
  -- A list's item is put together line by line, and looked at anew with each.
  work := cardinality(lines)::bigint * cardinality(lines);
  if strpos(p_unit, '|') = 0 then
    work := work + content.markdown_work(p_unit);
    return;
  end if;
  cells := cardinality(lines) * (select max(char_length(l) - char_length(replace(l, '|', ''))) + 1 from unnest(lines) l);
  if strpos(lines[2], '-') > 0 and lines[2] ~ '^ {0,3}\|[ :|-]*$' and not exists (select from unnest(lines) l where l !~ '^ {0,3}\|') then
    work := work + (select sum(content.markdown_work(l)) from unnest(lines) l);
  else
    work := work + content.markdown_work(p_unit);
  end if;
end $$;

-- The first bound a Markdown text is past, or null; packages/core/src/markdown/markdown-bounds.ts says the same.
create function content.markdown_fault(p_text text) returns text
  language plpgsql immutable parallel safe set search_path = '' as $$
declare
  plain constant text := replace(replace(p_text, E'\r\n', E'\n'), E'\r', E'\n');
  cells bigint;
  work bigint;
begin
  if char_length(p_text) > content.bound('markdown_characters') then return 'markdown_characters'; end if;
  if char_length(plain) - char_length(replace(plain, E'\n', '')) + 1 > content.bound('markdown_lines') then return 'markdown_lines'; end if;
  if exists (select from string_to_table(plain, E'\n') l
      where char_length(replace(substring(l from '^[ \t]*'), E'\t', '    ')) > content.bound('markdown_indent')) then return 'markdown_indent'; end if;
  if exists (select from string_to_table(plain, E'\n') l, substring(l from '^(?:[ \t>]|[-*+][ \t]|[0-9]{1,9}[.)][ \t])+') p
      where char_length(p) > content.bound('markdown_nesting')
        and (select count(*) from regexp_matches(p, '>|[-*+][ \t]|[0-9]{1,9}[.)][ \t]', 'g')) > content.bound('markdown_nesting')) then
    return 'markdown_nesting';
  end if;
  if exists (select from string_to_table('*_~`[]!<>()', null) c
      where strpos(plain, repeat(c, content.bound('markdown_run')::integer + 1)) > 0) then return 'markdown_run'; end if;
  select coalesce(sum(m.cells), 0), coalesce(sum(m.work), 0) into cells, work
    from regexp_split_to_table(plain, '\n[ \t]*(?=\n)|\n(?= {0,3}(?:[-*+]|1[.)])[ \t]+[^ \t\n])|\n(?= {0,3}#{1,6}[ \t])') u, content.markdown_unit(u) m;
  if cells > content.bound('markdown_cells') then return 'markdown_cells'; end if;
  if work > content.bound('markdown_work') then return 'markdown_work'; end if;
  return null;
end $$;

-- Every section and question of a form with its name as it is found, how many sections and repeats it stands in, and its expressions.
create function content.form_parts(p_form jsonb) returns table (path text, depth integer, repeats integer, expressions text[])
  language sql immutable parallel safe set search_path = '' as $$
  with recursive item as (
    select e as i, coalesce(e ->> 'name', '') as path, 0 as depth, 0 as around
      from jsonb_array_elements(case jsonb_typeof(p_form -> 'items') when 'array' then p_form -> 'items' else '[]' end) e
    union all
    select e, item.path || '.' || coalesce(e ->> 'name', ''), item.depth + 1, item.around + (item.i ->> 'type' = 'repeat')::integer
      from item, jsonb_array_elements(case jsonb_typeof(item.i -> 'items') when 'array' then item.i -> 'items' else '[]' end) e
      -- One level more than may be is enough to see it.
      where item.depth <= content.bound('form_nesting'))
  select path, depth + (jsonb_typeof(i -> 'items') = 'array')::integer, around + (i ->> 'type' = 'repeat')::integer,
    array(select v #>> '{}' from (values (i -> 'relevant'), (i -> 'required'), (i -> 'constraint'), (i -> 'calculation'), (i -> 'default_expression'),
        (i -> 'choice_filter'), (i -> 'count'), (i #> '{scoring,fail_when}')) f (v) where jsonb_typeof(v) = 'string'
      union all select r ->> 'when' from jsonb_array_elements(case jsonb_typeof(i -> 'rules') when 'array' then i -> 'rules' else '[]' end) r
        where jsonb_typeof(r -> 'when') = 'string')
  from item $$;

-- The first bound a form is past and where, or null; packages/core/src/field-ops/form-bounds.ts says the same.
create function content.form_fault(p_form jsonb, out bound text, out at text)
  language plpgsql immutable parallel safe set search_path = '' as $$
declare
  part record;
  x text;
  items bigint := 0;
  letters bigint := 0;
  names bigint := 0;
  n bigint;
begin
  at := '';
  if octet_length(p_form::text) > content.bound('form_bytes') then bound := 'form_bytes'; return; end if;
  for part in select * from content.form_parts(p_form) loop
    items := items + 1;
    at := part.path;
    if items > content.bound('form_items') then bound := 'form_items'; return; end if;
    if part.depth > content.bound('form_nesting') then bound := 'form_nesting'; return; end if;
    if part.repeats > content.bound('form_repeat_nesting') then bound := 'form_repeat_nesting'; return; end if;
    foreach x in array part.expressions loop
      n := (char_length(x) - char_length(replace(x, '${', ''))) / 2;
      letters := letters + char_length(x);
      names := names + n;
      if char_length(x) > content.bound('form_expression_characters') then bound := 'form_expression_characters'; return; end if;
      if n > content.bound('form_expression_references') then bound := 'form_expression_references'; return; end if;
      if letters > content.bound('form_expressions_characters') then bound := 'form_expressions_characters'; return; end if;
      if names > content.bound('form_expressions_references') then bound := 'form_expressions_references'; return; end if;
    end loop;
  end loop;
  at := '';
  if jsonb_typeof(p_form -> 'choice_lists') = 'object' and (select coalesce(sum(jsonb_array_length(case jsonb_typeof(l.value) when 'array' then l.value else '[]' end)), 0)
      from jsonb_each(p_form -> 'choice_lists') l) > content.bound('form_choices') then bound := 'form_choices'; end if;
end $$;

-- A form or a draft of one that is written anew.
create function content.guard_form() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  fault record;
begin
  if new.definition is null or tg_op = 'UPDATE' and new.definition is not distinct from old.definition then return new; end if;
  fault := content.form_fault(new.definition);
  if fault.bound is not null then
    raise exception 'this form is past a bound: % %', fault.bound, fault.at using errcode = '23514', constraint = fault.bound, hint = fault.bound;
  end if;
  return new;
end $$;
create trigger a_bounds before insert or update on form_versions for each row execute function content.guard_form();
create trigger a_bounds before insert or update on form_drafts for each row execute function content.guard_form();

-- Words that are written anew, or filled in. Those of a file are not shown as Markdown: the file is.
create function content.guard_words() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  fault text;
begin
  if new.file is not null or tg_op = 'UPDATE' and (new.body, new.file) is not distinct from (old.body, old.file)
    -- What was written before there were bounds is judged when it is to be read by others.
    and (new.state = old.state or new.state not in ('in_review', 'published') or old.state not in ('draft', 'change_requested')) then return new; end if;
  fault := content.markdown_fault(new.body);
  if fault is not null then
    raise exception 'this text is past a bound: %', fault using errcode = '23514', constraint = fault, hint = fault;
  end if;
  return new;
end $$;
-- After the words were filled in (b_guard).
create trigger y_bounds before insert or update on policy_versions for each row execute function content.guard_words();

-- As before; and the text with its words filled in is one the devices can show.
create or replace function sync.with_values(v public.policy_versions, p_from text) returns public.policy_versions
  language plpgsql stable security definer set search_path = '' as $$
declare
  names constant text[] := sync.variables_in(concat_ws(E'\n', v.title, case when v.file is null then v.body end, v.quiz));
  given jsonb;
  words jsonb;
begin
  if v.state in ('draft', 'change_requested') then v.variables := null; end if;
  if v.state not in ('in_review', 'published') or p_from in ('published', 'superseded', 'archived') or names = '{}' then return v; end if;
  -- What nobody approved takes the values of now; a version in review has them already.
  given := case when p_from in ('draft', 'change_requested') then sync.policy_values(v.organization_id) else coalesce(v.variables, '{}') end;
  if exists (select from unnest(names) n where not given ? n) then
    raise exception 'a variable stands for nothing: %', (select min(n) from unnest(names) n where not given ? n) using errcode = '23514', hint = 'variables';
  end if;
  select jsonb_object_agg(e.key, e.value) into given from jsonb_each(given) e where e.key = any (names);
  words := jsonb_build_object('title', marketplace.filled(v.title, given),
    'body', case when v.file is null then marketplace.filled(v.body, given) else v.body end, 'quiz', marketplace.filled(v.quiz, given, true));
  if char_length(words ->> 'title') > 200 or char_length(words ->> 'body') > 400000 or not sync.is_quiz(words ->> 'quiz')
    or v.file is null and content.markdown_fault(words ->> 'body') is not null then
    raise exception 'too long with its words filled in' using errcode = '23514', hint = 'too_long';
  end if;
  v.variables := given;
  if v.state = 'in_review' then return v; end if;
  v.template := jsonb_build_object('title', v.title, 'body', v.body, 'quiz', v.quiz);
  v.title := words ->> 'title';
  v.body := words ->> 'body';
  v.quiz := words ->> 'quiz';
  v.content_hash := sync.policy_hash(v.title, v.body, v.quiz, v.file);
  return v;
end $$;

-- How many characters a text has once its variables are filled in; counted without filling it in.
create function marketplace.filled_length(p_text text, p_values jsonb, p_in_json boolean default false) returns bigint
  language sql immutable parallel safe set search_path = '' return
  char_length(p_text) + coalesce((select sum(((char_length(p_text) - char_length(replace(p_text, name, ''))) / char_length(name))::bigint
      * (char_length(case when p_in_json then substr(to_json(value)::text, 2, char_length(to_json(value)::text) - 2) else value end) - char_length(name)))
    from (select '{{' || key || '}}' as name, value from jsonb_each_text(p_values)) v), 0);

-- As before; nothing is filled in that would be longer than a pack may be.
create or replace function marketplace.filled(p_text text, p_values jsonb, p_in_json boolean default false) returns text
  language plpgsql immutable parallel safe set search_path = '' as $$
declare
  one record;
  words text := p_text;
begin
  if marketplace.filled_length(p_text, p_values, p_in_json) > content.bound('pack_filled_characters') then
    raise exception 'too long with its words filled in' using errcode = '23514', hint = 'too_long';
  end if;
  for one in select key, value from jsonb_each_text(p_values) loop
    words := replace(words, '{{' || one.key || '}}',
      case when p_in_json then substr(to_json(one.value)::text, 2, char_length(to_json(one.value)::text) - 2) else one.value end);
  end loop;
  return words;
end $$;

-- Why a pack is refused for what comes out of it with these values, or with the longest ones there can be: 'too_complex' as it stands,
-- 'filled' once it is filled in; or null. packages/core/src/marketplace/pack-bounds.ts says the same.
create function marketplace.bounds_fault(p_contents jsonb, p_values jsonb default null) returns text
  language plpgsql immutable parallel safe set search_path = '' as $$
declare
  given constant jsonb := coalesce(p_values, (select jsonb_object_agg(v ->> 'key', repeat('x', 200)) from jsonb_array_elements(p_contents -> 'variables') v), '{}');
begin
  if exists (select from jsonb_array_elements(p_contents -> 'policies') p where content.markdown_fault(p ->> 'body') is not null)
    or exists (select from jsonb_array_elements(p_contents -> 'forms') f, content.form_fault(f -> 'definition') x where x.bound is not null) then return 'too_complex'; end if;
  if marketplace.filled_length(p_contents::text, given, true) > content.bound('pack_filled_characters')
    or exists (select from jsonb_array_elements(p_contents -> 'policies') p where content.markdown_fault(marketplace.filled(p ->> 'body', given)) is not null)
    or exists (select from jsonb_array_elements(p_contents -> 'forms') f, content.form_fault(marketplace.filled_json(f -> 'definition', given)) x
      where x.bound is not null) then return 'filled'; end if;
  return null;
end $$;

create or replace function marketplace.guard_version() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  fault text;
begin
  if tg_op = 'UPDATE' then
    if (new.pack_id, new.number, new.contents) is not distinct from (old.pack_id, old.number, old.contents) then return new; end if;
    if old.state <> 'draft' then raise exception 'what was submitted stays as it is' using errcode = '42501'; end if;
  end if;
  fault := coalesce(marketplace.contents_fault(new.contents), marketplace.bounds_fault(new.contents));
  if fault is not null then raise exception 'these contents are refused: %', fault using errcode = '23514', hint = fault; end if;
  new.content_hash := encode(sha256(convert_to(new.contents::text, 'UTF8')), 'hex');
  select p.organization_id into new.organization_id from public.policy_packs p where p.id = new.pack_id;
  return new;
end $$;

-- A pack that was listed before is measured when it is taken over, with the values that were given.
create function marketplace.guard_install() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  fault text;
begin
  if tg_op = 'UPDATE' and (new.version_id, new.variables) is not distinct from (old.version_id, old.variables) then return new; end if;
  select marketplace.bounds_fault(v.contents, new.variables) into fault from public.pack_versions v where v.id = new.version_id;
  if fault is not null then raise exception 'this pack is past a bound: %', fault using errcode = '23514', hint = fault; end if;
  return new;
end $$;
create trigger b_bounds before insert or update on pack_installs for each row execute function marketplace.guard_install();

-- Every other text that somebody else may read has a size: characters of a text, bytes of anything else. What is stored is not looked at.
do $$
declare
  c record;
begin
  for c in select * from (values
    ('acknowledgement_campaigns', 'audience', 40000),
    ('action_items', 'title', 1000),
    ('action_items', 'description', 20000),
    ('action_items', 'source_question', 2000),
    ('action_items', 'media_ids', 40000),
    ('approval_decisions', 'permission', 100),
    ('approval_requests', 'title', 1000),
    ('approval_requests', 'path', 2000),
    ('approval_requests', 'stages', 100000),
    ('audit_entries', 'act', 200),
    ('audit_entries', 'detail', 1000000),
    ('audit_entries', 'subject_table', 100),
    ('circle_acts', 'title', 1000),
    ('circle_visibility', 'level', 100),
    ('circle_visibility', 'role', 100),
    ('circle_visibility', 'scope', 100),
    ('comments', 'question', 2000),
    ('consent_grants', 'level', 100),
    ('consent_grants', 'role', 100),
    ('consent_grants', 'scope', 100),
    ('forms', 'name', 500),
    ('forms', 'description', 20000),
    ('forms', 'category', 200),
    ('forms', 'asset_category', 200),
    ('grant_reads', 'level', 100),
    ('grant_reads', 'scope', 100),
    ('inspection_answers', 'question', 2000),
    ('inspection_answers', 'value', 1000000),
    ('inspection_answers', 'note', 20000),
    ('inspection_answers', 'media_ids', 40000),
    ('inspection_answers', 'voice_ids', 40000),
    ('inspection_events', 'question', 2000),
    ('inspection_events', 'before', 1100000),
    ('inspection_events', 'after', 1100000),
    ('inspections', 'title', 1000),
    ('inspections', 'signature', 1000000),
    ('inspections', 'signed_by', 500),
    ('inspections', 'content_hash', 128),
    ('media', 'mime', 200),
    ('media', 'question', 2000),
    ('notification_types', 'key', 100),
    ('notification_types', 'module', 100),
    ('notification_types', 'setting', 100),
    ('notifications', 'key', 2000),
    ('notifications', 'module', 100),
    ('notifications', 'path', 2000),
    ('notifications', 'params', 200000),
    ('organization_activations', 'activation_source', 200),
    ('organization_invitations', 'email', 400),
    ('organization_invitations', 'site_ids', 80000),
    ('organizations', 'name', 500),
    ('organizations', 'slug', 200),
    ('organizations', 'description', 20000),
    ('organizations', 'program_name', 500),
    ('organizations', 'program_description', 20000),
    ('organizations', 'settings', 200000),
    ('pack_items', 'pack_name', 1000),
    ('pack_items', 'pack_number', 100),
    ('pack_items', 'publisher', 1000),
    ('pack_items', 'licence', 100),
    ('pack_items', 'attribution', 1000),
    ('pack_items', 'item_key', 100),
    ('pack_versions', 'contents', 1100000),
    ('partner_links', 'name', 500),
    ('people', 'display_name', 500),
    ('people', 'avatar_url', 4000),
    ('permissions', 'key', 200),
    ('permissions', 'description', 2000),
    ('playbooks', 'name', 500),
    ('playbooks', 'description', 20000),
    ('playbooks', 'settings', 200000),
    ('playbooks', 'locations', 200000),
    ('policy_acknowledgements', 'quiz_answers', 20000),
    ('policy_packs', 'current_number', 100),
    ('policy_versions', 'file', 4000),
    ('policy_versions', 'quiz', 60000),
    ('policy_versions', 'template', 4000000),
    ('policy_versions', 'variables', 100000),
    ('profiles', 'email', 400),
    ('profiles', 'locale', 100),
    ('role_permissions', 'role', 100),
    ('sites', 'name', 500),
    ('sites', 'address', 4000),
    ('sites', 'timezone', 100),
    ('subscription_tiers', 'media_sources', 20000),
    ('support_reads', 'tbl', 100),
    ('support_reads', 'row_ids', 4000000),
    ('teams', 'name', 500),
    ('triad_brief_copies', 'lines', 1000000),
    ('triad_brief_lines', 'level', 100),
    ('triad_brief_lines', 'scope', 100),
    ('triad_brief_lines', 'figures', 100000),
    ('triad_brief_lines', 'item_ids', 40000),
    ('user_preferences', 'dashboard_config', 200000),
    ('user_preferences', 'notification_settings', 200000),
    ('workflow_rules', 'trigger', 100)) b (tbl, col, size) loop
    execute format('alter table public.%I add constraint %I check (%s <= %s) not valid', c.tbl, c.tbl || '_' || c.col || '_bounded',
      case (select a.atttypid from pg_attribute a where a.attrelid = format('public.%I', c.tbl)::regclass and a.attname = c.col)
        when 'text'::regtype then format('char_length(%I)', c.col) else format('octet_length(%I::text)', c.col) end, c.size);
  end loop;
end $$;

revoke execute on all functions in schema content from public;
revoke execute on all functions in schema marketplace from public;
