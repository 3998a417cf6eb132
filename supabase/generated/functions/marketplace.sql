-- Made by tools/gen-functions.ts from supabase/migrations: the functions of schema marketplace as they are now. Do not edit: npm run gen.

CREATE OR REPLACE FUNCTION marketplace.add_document(p_organization uuid, p_playbook uuid, p_version pack_versions, p_kind text, p_item jsonb, p_values jsonb)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  made constant uuid := gen_random_uuid();
  words constant jsonb := marketplace.filled_json(p_item, p_values);
  step text;
  n integer := 0;
begin
  if p_kind = 'policy' then
    if char_length(words ->> 'body') > 400000 then raise exception 'too long with its words filled in' using errcode = '23514', hint = 'too_long', detail = 'CN149'; end if;
    insert into public.policies (id, organization_id, title, code, summary, classification, review_months)
      values (made, p_organization, left(words ->> 'title', 200), nullif(left(words ->> 'code', 40), ''), nullif(left(words ->> 'summary', 1000), ''),
        coalesce(words ->> 'classification', 'internal'), coalesce((words ->> 'review_months')::integer, 12));
    insert into public.policy_versions (organization_id, policy_id, title, body, source)
      values (p_organization, made, left(words ->> 'title', 200), words ->> 'body', 'pack');
  elsif p_kind = 'form' then
    insert into public.forms (id, organization_id, playbook_id, name, description, category)
      values (made, p_organization, p_playbook, left(words ->> 'name', 200), nullif(words ->> 'description', ''), nullif(words ->> 'category', ''));
    insert into public.form_drafts (id, organization_id, form_id, definition)
      values (extensions.uuid_generate_v5(made, 'draft'), p_organization, made, words -> 'definition');
  else
    insert into public.tasks (id, organization_id, playbook_id, title, notes, priority)
      values (made, p_organization, p_playbook, left(words ->> 'title', 300), nullif(words ->> 'notes', ''), coalesce(words ->> 'priority', 'none'));
    for step in select jsonb_array_elements_text(coalesce(words -> 'steps', '[]')) loop
      insert into public.task_items (organization_id, task_id, title, position) values (p_organization, made, left(step, 300), n);
      n := n + 1;
    end loop;
  end if;
  insert into public.pack_items (organization_id, pack_id, version_id, pack_name, pack_number, publisher, licence, attribution, kind, item_key, target_id)
    select p_organization, p.id, p_version.id, p.name, p_version.number, p.publisher, p.licence, p.attribution, p_kind, p_item ->> 'key', made
    from public.policy_packs p where p.id = p_version.pack_id;
  return made;
end $function$;

CREATE OR REPLACE FUNCTION marketplace.bounds_fault(p_contents jsonb, p_values jsonb DEFAULT NULL::jsonb)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
declare
  given constant jsonb := coalesce(p_values, (select jsonb_object_agg(v ->> 'key', repeat('x', 200)) from jsonb_array_elements(p_contents -> 'variables') v), '{}');
begin
  if exists (select from jsonb_array_elements(p_contents -> 'policies') p where content.markdown_fault(p ->> 'body') is not null)
    or exists (select from jsonb_array_elements(p_contents -> 'forms') f, content.form_fault(f -> 'definition') x where x.bound is not null) then return 'too_complex'; end if;
  if marketplace.filled_length(p_contents::text, given, true) > content.bound('pack_filled_characters')
    or exists (select from jsonb_array_elements(p_contents -> 'policies') p where content.markdown_fault(marketplace.with_values_filled(p ->> 'body', given)) is not null)
    or exists (select from jsonb_array_elements(p_contents -> 'forms') f, content.form_fault(marketplace.filled_json(f -> 'definition', given)) x
      where x.bound is not null) then return 'filled'; end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION marketplace.check_playbook(p_organization uuid, p_playbook uuid)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if p_playbook is not null and not exists (select from public.playbooks b
      where b.id = p_playbook and b.organization_id = p_organization and b.type = 'company' and b.deleted_at is null) then
    raise exception 'no such playbook of this company' using errcode = '42501', detail = 'CN201';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION marketplace.contents_fault(p_contents jsonb)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
  -- Most letters of each word that may stand there; more than 0: it must.
  limits constant jsonb := '{
    "variables": {"label": 100, "hint": -300, "value": -200},
    "policies": {"title": 180, "code": -30, "summary": -800, "body": 100000, "classification": -12},
    "forms": {"name": 180, "description": -2000, "category": -60},
    "tasks": {"title": 280, "notes": -10000, "priority": -6}}';
  most constant jsonb := '{"variables": 30, "policies": 50, "forms": 30, "tasks": 100}';
  part text;
  item jsonb;
  fault text;
  n integer := 0;
begin
  if jsonb_typeof(p_contents) is distinct from 'object' or p_contents -> 'schema' is distinct from '1'::jsonb
    or exists (select from jsonb_object_keys(p_contents) k where k not in ('schema', 'variables', 'policies', 'forms', 'tasks')) then return 'shape'; end if;
  if octet_length(p_contents::text) > 1000000 then return 'too_large'; end if;
  if jsonb_path_exists(p_contents, '$.**{25}') then return 'too_deep'; end if;
  foreach part in array array['variables', 'policies', 'forms', 'tasks'] loop
    if jsonb_typeof(p_contents -> part) is distinct from 'array' then return 'shape'; end if;
    if jsonb_array_length(p_contents -> part) > (most ->> part)::integer then return 'too_many'; end if;
    for item in select * from jsonb_array_elements(p_contents -> part) loop
      fault := marketplace.text_fault(item, limits -> part);
      if fault is not null then return fault; end if;
      if part <> 'variables' then n := n + 1; end if;
    end loop;
    if (select count(*) <> count(distinct e ->> 'key') from jsonb_array_elements(p_contents -> part) e) then return 'key'; end if;
    if marketplace.markup_in((p_contents -> part)::text, part <> 'forms') then return 'markup'; end if;
  end loop;
  if n = 0 then return 'empty'; end if;
  if exists (select from jsonb_array_elements(p_contents -> 'variables') v where v ->> 'key' !~ '^[a-z][a-z0-9_]*$') then return 'key'; end if;
  if exists (select from jsonb_array_elements(p_contents -> 'policies') p
      where coalesce(p ->> 'classification', 'internal') not in ('public', 'internal', 'confidential')
        or p ? 'review_months' and (jsonb_typeof(p -> 'review_months') <> 'number' or p ->> 'review_months' !~ '^[0-9]{1,3}$' or (p ->> 'review_months')::integer not between 1 and 120))
    or exists (select from jsonb_array_elements(p_contents -> 'forms') f where jsonb_typeof(f -> 'definition') is distinct from 'object'
        or jsonb_typeof(f #> '{definition,items}') is distinct from 'array')
    or exists (select from jsonb_array_elements(p_contents -> 'tasks') t
      where coalesce(t ->> 'priority', 'none') not in ('none', 'low', 'medium', 'high', 'urgent')
        or jsonb_typeof(coalesce(t -> 'steps', '[]')) <> 'array' or jsonb_array_length(case jsonb_typeof(t -> 'steps') when 'array' then t -> 'steps' else '[]' end) > 30
        or jsonb_path_exists(t, '$.steps[*] ? (@.type() <> "string")')) then return 'shape'; end if;
  for item in select s from jsonb_array_elements(p_contents -> 'tasks') t, jsonb_array_elements(coalesce(t -> 'steps', '[]')) s loop
    if btrim(item #>> '{}') = '' then return 'shape'; end if;
    if char_length(item #>> '{}') > 280 then return 'too_long'; end if;
  end loop;
  if exists (select from regexp_matches(p_contents::text, '\{\{([^{}]*)\}?\}?', 'g') m
      where m[1] not in (select v ->> 'key' from jsonb_array_elements(p_contents -> 'variables') v)) then return 'unknown_variable'; end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION marketplace.count_playbooks()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  one constant uuid := case tg_op when 'DELETE' then old.pack_id else new.pack_id end;
begin
  update public.policy_packs p set linked_playbooks =
    (select count(*) from public.pack_installs i where i.pack_id = one and i.playbook_id is not null) where p.id = one;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION marketplace.count_stars()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  one constant uuid := case tg_op when 'DELETE' then old.pack_id else new.pack_id end;
begin
  update public.policy_packs p set rating_count = r.n, rating_sum = r.stars
    from (select count(*) as n, coalesce(sum(w.stars), 0) as stars from (
      select distinct on (coalesce(q.created_by, q.id)) q.stars from public.pack_reviews q where q.pack_id = one
      order by coalesce(q.created_by, q.id), q.updated_at desc, q.id) w) r where p.id = one;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION marketplace.filled_json(p_json jsonb, p_values jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (marketplace.with_values_filled((p_json)::text, p_values, true))::jsonb;

CREATE OR REPLACE FUNCTION marketplace.filled_length(p_text text, p_values jsonb, p_in_json boolean DEFAULT false)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
RETURN ((char_length(p_text))::numeric + COALESCE((SELECT sum(((((char_length(filled_length.p_text) - char_length(replace(filled_length.p_text, v.name, ''::text))) / char_length(v.name)))::bigint * (char_length(CASE WHEN filled_length.p_in_json THEN substr((to_json(v.value))::text, 2, (char_length((to_json(v.value))::text) - 2)) ELSE v.value END) - char_length(v.name)))) AS sum FROM (SELECT (('{{'::text || jsonb_each_text.key) || '}}'::text) AS name, jsonb_each_text.value FROM jsonb_each_text(filled_length.p_values) jsonb_each_text(key, value)) v), (0)::numeric));

CREATE OR REPLACE FUNCTION marketplace.form_now(p_form uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN (SELECT COALESCE(d.definition, v.definition) AS "coalesce" FROM ((forms f LEFT JOIN form_drafts d ON (((d.form_id = f.id) AND (d.deleted_at IS NULL)))) LEFT JOIN form_versions v ON ((v.id = f.current_version_id))) WHERE (f.id = form_now.p_form));

CREATE OR REPLACE FUNCTION marketplace.guard_install()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  fault text;
begin
  if tg_op = 'UPDATE' and (new.version_id, new.variables) is not distinct from (old.version_id, old.variables) then return new; end if;
  select marketplace.bounds_fault(v.contents, new.variables) into fault from public.pack_versions v where v.id = new.version_id;
  if fault is not null then raise exception 'this pack is past a bound: %', fault using errcode = '23514', hint = fault, detail = 'CN406'; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION marketplace.guard_version()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  fault text;
begin
  if tg_op = 'UPDATE' then
    if (new.pack_id, new.number, new.contents) is not distinct from (old.pack_id, old.number, old.contents) then return new; end if;
    if old.state <> 'draft' then raise exception 'what was submitted stays as it is' using errcode = '42501', detail = 'CN404'; end if;
  end if;
  fault := coalesce(marketplace.contents_fault(new.contents), marketplace.bounds_fault(new.contents));
  if fault is not null then raise exception 'these contents are refused: %', fault using errcode = '23514', hint = fault, detail = 'CN405'; end if;
  new.content_hash := encode(sha256(convert_to(new.contents::text, 'UTF8')), 'hex');
  select p.organization_id into new.organization_id from public.policy_packs p where p.id = new.pack_id;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION marketplace.item_of(p_contents jsonb, p_kind text, p_key text)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (SELECT e.value AS e FROM jsonb_array_elements((item_of.p_contents -> CASE item_of.p_kind WHEN 'policy'::text THEN 'policies'::text ELSE (item_of.p_kind || 's'::text) END)) e(value) WHERE ((e.value ->> 'key'::text) = item_of.p_key));

CREATE OR REPLACE FUNCTION marketplace.markup_in(p_text text, p_any_tag boolean)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((regexp_replace(p_text, '<(https?://|mailto:)[^<>\s"]*>'::text, ''::text, 'gi'::text) ~* CASE WHEN p_any_tag THEN '<[a-z/!?]'::text ELSE '<\s*/?\s*(script|iframe|object|embed|style|link|meta|svg|math|form|base|img|video|audio|body|html)\M'::text END) OR (p_text ~* '(javascript|vbscript)\s*:|data\s*:\s*((text|application)/|image/svg)|&(#|colon;|tab;|newline;)'::text) OR (p_text ~ '(^|[^\\])(\\\\)*\\(u00(0|1|7f)|b)'::text) OR (p_text ~ '[​‪-‮⁦-⁩]'::text));

CREATE OR REPLACE FUNCTION marketplace.may_become(p_from text, p_to text, p_is_template boolean)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN ((p_from = 'draft'::text) AND (p_to = 'submitted'::text) AND p_is_template) THEN 'maker'::text WHEN ((p_from = 'draft'::text) AND (p_to = 'listed'::text) AND (NOT p_is_template)) THEN 'maker'::text WHEN ((p_from = 'submitted'::text) AND (p_to = 'draft'::text)) THEN 'maker'::text WHEN ((p_from = 'submitted'::text) AND (p_to = 'in_review'::text)) THEN 'reviewer'::text WHEN ((p_from = 'in_review'::text) AND (p_to = ANY (ARRAY['listed'::text, 'draft'::text]))) THEN 'reviewer'::text WHEN ((p_from = 'listed'::text) AND (p_to = 'withdrawn'::text)) THEN 'either'::text ELSE NULL::text END;

CREATE OR REPLACE FUNCTION marketplace.notify_facts_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.pack_versions v set updated_at = now() where v.pack_id = new.id and v.state = 'draft';
  return null;
end $function$;

CREATE OR REPLACE FUNCTION marketplace.notify_version_moved()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  p public.policy_packs;
  person record;
  params jsonb;
begin
  select * into p from public.policy_packs q where q.id = new.pack_id;
  params := jsonb_build_object('title', p.name, 'number', new.number);
  if new.state = 'submitted' then
    for person in select distinct u.user_id from public.user_roles u join public.role_permissions r
      on r.role_kind = 'system' and r.role = u.role and r.permission = 'platform.moderate' and r.deleted_at is null where u.deleted_at is null
    loop
      continue when exists (select from public.organization_members m where m.user_id = person.user_id and m.organization_id = p.organization_id
        and access.is_member(m.organization_id, m.user_id));
      perform inbox.notify(person.user_id, 'pack.waits', 'pack/' || new.id::text || '/waits/' || new.submitted_at::text,
        '/policy-marketplace/' || p.id::text, params, new.id, null, auth.uid());
    end loop;
    return null;
  end if;
  perform inbox.mark_resolved_read(new.id, array['pack.waits'], null);
  if new.state in ('listed', 'withdrawn') or new.state = 'draft' and old.state = 'in_review' then
    perform inbox.notify(coalesce(new.submitted_by, new.created_by), 'pack.' || case new.state when 'draft' then 'sent_back' else new.state end,
      'pack/' || new.id::text || '/' || new.state || '/' || new.updated_at::text, '/policy-marketplace/' || p.id::text, params, p.id, p.organization_id, auth.uid());
  end if;
  if new.state = 'listed' then
    for person in select distinct i.organization_id, coalesce(q, i.installed_by) user_id from public.pack_installs i
      left join lateral inbox.people_with('marketplace.access', i.organization_id, null) q on i.installed_by is null
        or not access.is_member(i.organization_id, i.installed_by)
      where i.pack_id = p.id and i.version_id <> new.id
    loop
      perform inbox.notify(person.user_id, 'pack.later', 'pack/' || p.id::text || '/later/' || new.number || '/' || person.organization_id::text,
        '/policy-marketplace/' || p.id::text || '/update', params, p.id, person.organization_id, auth.uid());
    end loop;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION marketplace.own_pack(p_pack uuid)
 RETURNS policy_packs
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  p public.policy_packs;
begin
  select * into p from public.policy_packs q
    where q.id = p_pack and auth.uid() is not null and q.organization_id in (select public.my_marketplace_companies('content.manage')) for update;
  if p.id is null then raise exception 'no such pack of yours' using errcode = '42501', detail = 'CN212'; end if;
  return p;
end $function$;

CREATE OR REPLACE FUNCTION marketplace.seal_draft()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  new.draft_hash := (select encode(sha256(convert_to(jsonb_build_array(new.number, new.changelog, new.content_hash, p.name, p.summary, p.kind, p.licence,
      p.attribution, p.locale, p.industry, p.frameworks, p.is_template)::text, 'UTF8')), 'hex') from public.policy_packs p where p.id = new.pack_id);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION marketplace.set_current_version(p_organization uuid, p_version pack_versions)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if exists (select from public.pack_items x where x.organization_id = p_organization and x.pack_id = p_version.pack_id and x.version_id <> p_version.id)
    or exists (select from (
        select 'policy' as kind, e ->> 'key' as key from jsonb_array_elements(p_version.contents -> 'policies') e
        union all select 'form', e ->> 'key' from jsonb_array_elements(p_version.contents -> 'forms') e
        union all select 'task', e ->> 'key' from jsonb_array_elements(p_version.contents -> 'tasks') e) d
      where not exists (select from public.pack_items x where x.organization_id = p_organization and x.pack_id = p_version.pack_id
        and x.kind = d.kind and x.item_key = d.key)) then return false; end if;
  update public.pack_installs set version_id = p_version.id, updated_at = now() where organization_id = p_organization and pack_id = p_version.pack_id;
  perform audit.note(p_organization, 'pack.updated', 'policy_packs', p_version.pack_id,
    jsonb_build_object('version', p_version.number, 'content_hash', p_version.content_hash));
  return true;
end $function$;

CREATE OR REPLACE FUNCTION marketplace.text_fault(p_of jsonb, p_limits jsonb)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
  name text;
  most integer;
begin
  if jsonb_typeof(p_of) <> 'object' then return 'shape'; end if;
  for name in select jsonb_object_keys(p_of) loop
    if name not in ('key', 'definition', 'review_months', 'steps') and not p_limits ? name then return 'shape'; end if;
  end loop;
  if coalesce(p_of ->> 'key', '') !~ '^[a-z][a-z0-9_-]{0,59}$' then return 'key'; end if;
  for name, most in select e.key, abs(e.value::integer) from jsonb_each_text(p_limits) e loop
    if p_of ? name and jsonb_typeof(p_of -> name) <> 'string' then return 'shape'; end if;
    if (p_limits ->> name)::integer > 0 and btrim(coalesce(p_of ->> name, '')) = '' then return 'shape'; end if;
    if char_length(p_of ->> name) > most then return 'too_long'; end if;
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION marketplace.values_for(p_contents jsonb, p_given jsonb, p_known jsonb DEFAULT '{}'::jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v jsonb;
  value text;
  taken jsonb := p_known;
begin
  if jsonb_typeof(coalesce(p_given, '{}')) <> 'object' then raise exception 'variables are an object' using errcode = '22023', detail = 'CN197'; end if;
  for v in select * from jsonb_array_elements(p_contents -> 'variables') loop
    continue when taken ? (v ->> 'key');
    value := btrim(p_given ->> (v ->> 'key'));
    if coalesce(value, '') = '' or char_length(value) > 200 or value ~ '[[:cntrl:]{}<>]' or marketplace.markup_in(value, true) then
      raise exception 'a variable has no fit value' using errcode = '23514', hint = 'variables', detail = 'CN198';
    end if;
    taken := taken || jsonb_build_object(v ->> 'key', value);
  end loop;
  return taken;
end $function$;

CREATE OR REPLACE FUNCTION marketplace.version_moved()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v public.pack_versions;
begin
  select * into v from public.pack_versions w where w.pack_id = new.pack_id and w.state = 'listed' order by w.rank desc limit 1;
  update public.policy_packs p set current_version_id = v.id, current_number = v.number, updated_at = now(),
    status = case when v.id is not null then 'active'
      when exists (select from public.pack_versions w where w.pack_id = new.pack_id and w.state = 'withdrawn') then 'withdrawn' else 'draft' end
    where p.id = new.pack_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION marketplace.version_to_take(p_organization uuid, p_version uuid)
 RETURNS pack_versions
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v public.pack_versions;
begin
  if auth.uid() is null or p_organization is null or p_organization not in (select public.my_marketplace_companies('marketplace.access')) then
    raise exception 'installing packs needs marketplace.access' using errcode = '42501', detail = 'CN199';
  end if;
  select w.* into v from public.pack_versions w join public.policy_packs p on p.id = w.pack_id
    where w.id = p_version and w.state = 'listed' and p.status = 'active' and (p.is_template or p.organization_id = p_organization);
  if not found then raise exception 'no such pack is offered' using errcode = '42501', detail = 'CN200'; end if;
  perform pg_advisory_xact_lock(hashtext('pack'), hashtext(p_organization::text || v.pack_id::text));
  return v;
end $function$;

CREATE OR REPLACE FUNCTION marketplace.with_values_filled(p_text text, p_values jsonb, p_in_json boolean DEFAULT false)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
declare
  one record;
  words text := p_text;
begin
  if marketplace.filled_length(p_text, p_values, p_in_json) > content.bound('pack_filled_characters') then
    raise exception 'too long with its words filled in' using errcode = '23514', hint = 'too_long', detail = 'CN149';
  end if;
  for one in select key, value from jsonb_each_text(p_values) loop
    words := replace(words, '{{' || one.key || '}}',
      case when p_in_json then substr(to_json(one.value)::text, 2, char_length(to_json(one.value)::text) - 2) else one.value end);
  end loop;
  return words;
end $function$;

CREATE OR REPLACE FUNCTION marketplace.write_facts(p_pack uuid, p_facts jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if jsonb_typeof(p_facts) <> 'object' or marketplace.markup_in(p_facts::text, true) then
    raise exception 'what is said of a pack is plain text' using errcode = '23514', hint = 'markup', detail = 'CN222';
  end if;
  if exists (select from public.pack_versions v where v.pack_id = p_pack and v.state <> 'draft') then
    raise exception 'what was submitted stays as it is' using errcode = '23514', hint = 'state', detail = 'CN215';
  end if;
  update public.policy_packs q set name = coalesce(p_facts ->> 'name', q.name), summary = coalesce(p_facts ->> 'summary', q.summary),
    kind = coalesce(p_facts ->> 'kind', q.kind), locale = coalesce(p_facts ->> 'locale', q.locale), industry = coalesce(p_facts ->> 'industry', q.industry),
    frameworks = case when p_facts ? 'frameworks' then
      (select coalesce(jsonb_agg(left(f, 80)), '[]') from jsonb_array_elements_text(p_facts -> 'frameworks') f where btrim(f) <> '') else q.frameworks end,
    -- Words that were somebody else's keep their licence and their names.
    licence = case when q.forked_from_id is null then coalesce(p_facts ->> 'licence', q.licence) else q.licence end,
    attribution = case when q.forked_from_id is null then coalesce(p_facts ->> 'attribution', q.attribution) else q.attribution end,
    is_template = coalesce((p_facts ->> 'is_template')::boolean, q.is_template), updated_at = now() where q.id = p_pack;
end $function$;

CREATE OR REPLACE FUNCTION marketplace.write_policy(p_policy uuid, p_body text, p_seen text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  p public.policies;
  v public.policy_versions;
begin
  select * into p from public.policies q where q.id = p_policy and q.deleted_at is null for update;
  if not found or p.state = 'archived' then raise exception 'this policy is not there to be changed' using errcode = '23514', hint = 'gone', detail = 'CN202'; end if;
  select * into v from public.policy_versions w where w.policy_id = p.id and w.major is null and w.deleted_at is null for update;
  if found and v.state not in ('draft', 'change_requested') then raise exception 'what was sent for approval stays as it is' using errcode = '23514', hint = 'state', detail = 'CN203'; end if;
  if found and v.editing_by <> auth.uid() and v.editing_since > now() - policy.edit_lock_duration() then
    raise exception 'somebody else is writing this' using errcode = '23514', hint = 'pen', detail = 'CN204';
  end if;
  if v.id is null then select * into v from public.policy_versions w where w.id = p.current_version_id; end if;
  if v.content_hash is distinct from p_seen then raise exception 'somebody changed this since' using errcode = '23514', hint = 'changed', detail = 'CN205'; end if;
  if v.major is null then
    update public.policy_versions set body = p_body, file = null where id = v.id;
  else
    insert into public.policy_versions (id, organization_id, policy_id, change, title, body, quiz, based_on_id, source)
      values (extensions.uuid_generate_v5(v.id, 'next version'), p.organization_id, p.id, 'minor', v.title, p_body, v.quiz, v.id, 'pack');
  end if;
end $function$;
