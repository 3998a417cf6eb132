-- The policy marketplace: functions.

set local check_function_bodies = off;   -- what they call may be made later

-- Companies in which the caller may do this and whose tier lets them: the permission and the tier's ability, both.
create function my_marketplace_companies(p_permission text) returns setof uuid
  language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select o.id from public.organizations o
    where o.kind = 'company' and o.deleted_at is null and o.id in (select public.my_organizations_with(p_permission))
      and exists (select from public.subscription_tiers t
        where t.tier = coalesce((select s.tier from public.subscriptions s where s.id = auth.uid()), 'personal_consumer')
          and case p_permission when 'marketplace.access' then t.can_access_marketplace when 'content.manage' then t.can_create_content else false end);
end $$;

-- Whether what is offered is open to the caller: they may install in some company, or they look after the listings.
create function my_marketplace_is_open() returns boolean
  language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from public.my_marketplace_companies('marketplace.access')) or public.my_platform_permission('platform.moderate');
end $$;

-- What is, or was, before who looks after listings: never a draft, never what a company keeps to itself.
create function my_packs_to_review() returns setof uuid
  language plpgsql stable security definer set search_path = '' as $$
begin
  if not public.my_platform_permission('platform.moderate') then return; end if;
  return query select p.id from public.policy_packs p
    where p.is_template and exists (select from public.pack_versions v where v.pack_id = p.id and v.state <> 'draft');
end $$;

-- Why these contents are refused, or null; packages/core/src/marketplace/pack-contents.ts says the same before anything is sent.
create function marketplace.markup_in(p_text text, p_any_tag boolean) returns boolean
  language sql immutable parallel safe
  return regexp_replace(p_text, '<(https?://|mailto:)[^<>\s"]*>', '', 'gi')
      ~* case when p_any_tag then '<[a-z/!?]' else '<\s*/?\s*(script|iframe|object|embed|style|link|meta|svg|math|form|base|img|video|audio|body|html)\M' end
    or p_text ~* '(javascript|vbscript)\s*:|data\s*:\s*((text|application)/|image/svg)|&(#|colon;|tab;|newline;)'
    -- What is not seen, or turns round what is.
    or p_text ~ '(^|[^\\])(\\\\)*\\(u00(0|1|7f)|b)' or p_text ~ U&'[\007F\200B\202A-\202E\2066-\2069]';

create function marketplace.text_fault(p_of jsonb, p_limits jsonb) returns text
  language plpgsql immutable parallel safe as $$
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
end $$;

create function marketplace.contents_fault(p_contents jsonb) returns text
  language plpgsql immutable parallel safe as $$
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
end $$;

-- The text with its variables filled in. Values hold no braces (value_fault), so that nothing in them is filled in again.
-- Nothing is filled in that would be longer than a pack may be.
create function marketplace.with_values_filled(p_text text, p_values jsonb, p_in_json boolean default false) returns text
  language plpgsql immutable parallel safe set search_path = '' as $$
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
end $$;

create function marketplace.filled_json(p_json jsonb, p_values jsonb) returns jsonb
  language sql immutable parallel safe return marketplace.with_values_filled(p_json::text, p_values, true)::jsonb;

-- The values of a version's variables, each given and fit to stand in a text. `p_known` were given before and stay.
create function marketplace.values_for(p_contents jsonb, p_given jsonb, p_known jsonb default '{}') returns jsonb
  language plpgsql stable set search_path = '' as $$
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
end $$;

create function marketplace.item_of(p_contents jsonb, p_kind text, p_key text) returns jsonb
  language sql immutable parallel safe
  return (select e from jsonb_array_elements(p_contents -> case p_kind when 'policy' then 'policies' else p_kind || 's' end) e where e ->> 'key' = p_key);

-- One document of a pack as a draft of an organisation, and where it came from. Returns its id.
create function marketplace.add_document(p_organization uuid, p_playbook uuid, p_version public.pack_versions, p_kind text, p_item jsonb, p_values jsonb) returns uuid
  language plpgsql volatile security definer set search_path = '' as $$
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
end $$;

-- A version the caller may take over in this company. One pack is taken over in one company by one at a time.
create function marketplace.version_to_take(p_organization uuid, p_version uuid) returns public.pack_versions
  language plpgsql volatile security definer set search_path = '' as $$
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
end $$;

create function marketplace.check_playbook(p_organization uuid, p_playbook uuid) returns void
  language plpgsql stable security definer set search_path = '' as $$
begin
  if p_playbook is not null and not exists (select from public.playbooks b
      where b.id = p_playbook and b.organization_id = p_organization and b.type = 'company' and b.deleted_at is null) then
    raise exception 'no such playbook of this company' using errcode = '42501', detail = 'CN201';
  end if;
end $$;

-- Takes a pack over: {"installed", "documents"}. What a company has already is not made again; another playbook of it is linked.
create function install_pack(p_organization uuid, p_version uuid, p_playbook uuid default null, p_variables jsonb default '{}') returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v constant public.pack_versions := marketplace.version_to_take(p_organization, p_version);
  before public.pack_installs;
  filled jsonb;
  part record;
  n integer := 0;
begin
  perform marketplace.check_playbook(p_organization, p_playbook);
  select * into before from public.pack_installs i where i.organization_id = p_organization and i.pack_id = v.pack_id order by i.created_at limit 1;
  if found then
    insert into public.pack_installs (organization_id, playbook_id, pack_id, version_id, variables, installed_by)
      values (p_organization, p_playbook, v.pack_id, before.version_id, before.variables, auth.uid()) on conflict do nothing;
    return jsonb_build_object('installed', false, 'documents', 0);
  end if;
  filled := marketplace.values_for(v.contents, p_variables);
  insert into public.pack_installs (organization_id, playbook_id, pack_id, version_id, variables, installed_by)
    values (p_organization, p_playbook, v.pack_id, v.id, filled, auth.uid());
  for part in select 'policy' as kind, e from jsonb_array_elements(v.contents -> 'policies') e
    union all select 'form', e from jsonb_array_elements(v.contents -> 'forms') e
    union all select 'task', e from jsonb_array_elements(v.contents -> 'tasks') e loop
    perform marketplace.add_document(p_organization, p_playbook, v, part.kind, part.e, filled);
    n := n + 1;
  end loop;
  perform audit.note(p_organization, 'pack.installed', 'policy_packs', v.pack_id,
    jsonb_build_object('version', v.number, 'content_hash', v.content_hash, 'documents', n));
  return jsonb_build_object('installed', true, 'documents', n);
end $$;

-- What stands in a form at present: its draft, else what is published.
create function marketplace.form_now(p_form uuid) returns jsonb
  language sql stable security definer set search_path = ''
  return (select coalesce(d.definition, v.definition) from public.forms f
    left join public.form_drafts d on d.form_id = f.id and d.deleted_at is null
    left join public.form_versions v on v.id = f.current_version_id where f.id = p_form);

-- A policy's words as they were decided on, into a draft; refused where somebody changed them since they were looked at.
-- The quiz goes on with the next version.
-- Words that a pack brings take the place of a file that was being prepared.
create function marketplace.write_policy(p_policy uuid, p_body text, p_seen text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
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
end $$;

-- Decides on one document of a later version: 'keep' leaves what stands here, 'take' writes a policy's `p_body` (what the person
-- made of both) or an unchanged form's new definition into a draft, 'add' makes a draft of what is new. Nothing is overwritten
-- that was not seen: `p_seen` is the hash of the policy's words as they were on the screen. Returns whether all is decided.
-- Who takes an item of a pack up writes a policy, a form or a task, and needs the right to: packs are also installed by people without any.
create function public.take_pack_item(p_organization uuid, p_version uuid, p_kind text, p_key text, p_how text,
  p_body text default null, p_seen text default null, p_variables jsonb default '{}') returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v constant public.pack_versions := marketplace.version_to_take(p_organization, p_version);
  had public.pack_installs;
  item public.pack_items;
  theirs constant jsonb := marketplace.item_of(v.contents, p_kind, p_key);
  base jsonb;
  filled jsonb;
begin
  select * into had from public.pack_installs i where i.organization_id = p_organization and i.pack_id = v.pack_id order by i.created_at limit 1;
  if not found or v.rank < (select w.rank from public.pack_versions w where w.id = had.version_id) then
    raise exception 'this is no update' using errcode = '42501', detail = 'CN206';
  end if;
  -- What a pack brings is written with the rights of whoever writes such things.
  if p_how in ('add', 'take') and not access.may(case p_kind when 'policy' then 'policy.author' when 'form' then 'form.manage' else 'task.create' end,
      p_organization) then
    raise exception 'taking this needs the right to write it' using errcode = '42501', hint = 'right', detail = 'CN207';
  end if;
  filled := marketplace.values_for(v.contents, p_variables, had.variables);
  update public.pack_installs set variables = filled, updated_at = now() where organization_id = p_organization and pack_id = v.pack_id;
  select * into item from public.pack_items x where x.organization_id = p_organization and x.pack_id = v.pack_id and x.kind = p_kind
    and x.item_key = p_key order by x.created_at desc limit 1 for update;
  if p_how = 'add' and item.id is null and theirs is not null then
    perform marketplace.add_document(p_organization, had.playbook_id, v, p_kind, theirs, filled);
  elsif p_how = 'take' and item.id is not null and theirs is not null and p_kind = 'policy' and btrim(coalesce(p_body, '')) <> '' then
    perform marketplace.write_policy(item.target_id, p_body, p_seen);
  elsif p_how = 'take' and item.id is not null and theirs is not null and p_kind = 'form' then
    perform from public.forms f where f.id = item.target_id and f.deleted_at is null and f.state <> 'archived' for update;
    if not found then raise exception 'this form is not there to be changed' using errcode = '23514', hint = 'gone', detail = 'CN208'; end if;
    select marketplace.item_of(w.contents, 'form', p_key) into base from public.pack_versions w where w.id = item.version_id;
    if marketplace.form_now(item.target_id) is distinct from marketplace.filled_json(base, had.variables) -> 'definition' then
      raise exception 'this form was changed here' using errcode = '23514', hint = 'changed', detail = 'CN209';
    end if;
    update public.form_drafts set definition = marketplace.filled_json(theirs, filled) -> 'definition' where form_id = item.target_id;
  elsif not (p_how = 'keep' and item.id is not null) then
    raise exception 'this cannot be decided so' using errcode = '22023', detail = 'CN210';
  end if;
  update public.pack_items set version_id = v.id, pack_number = v.number where id = item.id;
  return marketplace.set_current_version(p_organization, v);
end $$;

-- The version a company stands at is the one all its documents were decided at.
create function marketplace.set_current_version(p_organization uuid, p_version public.pack_versions) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
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
end $$;

-- One word of a company that has the pack, and one of a person (marketplace.count_stars). A pack is judged by nobody who made it or
-- belongs to whoever did: one person founds several companies.
create function rate_pack(p_organization uuid, p_pack uuid, p_stars integer) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  if auth.uid() is null or p_organization is null or p_organization not in (select public.my_marketplace_companies('marketplace.access'))
    or not exists (select from public.pack_installs i join public.policy_packs p on p.id = i.pack_id
      where i.organization_id = p_organization and i.pack_id = p_pack and p.organization_id is distinct from p_organization) then
    raise exception 'who installed a pack rates it' using errcode = '42501', detail = 'CN211';
  end if;
  if exists (select from public.policy_packs p where p.id = p_pack and (p.created_by = auth.uid()
      or exists (select from access.my_memberships() m where m.organization_id = p.organization_id)
      or exists (select from public.pack_versions v where v.pack_id = p.id and auth.uid() in (v.created_by, v.submitted_by)))) then
    raise exception 'a pack is rated by nobody who made it' using errcode = '42501', detail = 'CN411';
  end if;
  insert into public.pack_reviews as r (pack_id, organization_id, stars, created_by) values (p_pack, p_organization, p_stars, auth.uid())
    on conflict (pack_id, organization_id) do update set stars = excluded.stars, created_by = excluded.created_by, updated_at = now();
end $$;

-- A pack of a company in which the caller makes packs, locked.
-- Whether a pack exists is told to nobody else: its own people are looked for before it is held, and whoever may not make packs hears the
-- same of every id.
create function marketplace.own_pack(p_pack uuid) returns public.policy_packs
  language plpgsql volatile security definer set search_path = '' as $$
declare
  p public.policy_packs;
begin
  select * into p from public.policy_packs q
    where q.id = p_pack and auth.uid() is not null and q.organization_id in (select public.my_marketplace_companies('content.manage')) for update;
  if p.id is null then raise exception 'no such pack of yours' using errcode = '42501', detail = 'CN212'; end if;
  return p;
end $$;

-- Begins a pack or changes what stands around it. What people chose it by stays as it was once a version left the draft.
-- With the facts written by the one who also writes them with a version.
create function save_pack(p_id uuid, p_organization uuid, p_facts jsonb) returns uuid
  language plpgsql volatile security definer set search_path = '' as $$
declare
  facts constant jsonb := coalesce(p_facts, '{}');
  companies constant uuid[] := case when auth.uid() is null then '{}' else array(select public.my_marketplace_companies('content.manage')) end;
  p public.policy_packs;
begin
  if not exists (select from public.policy_packs q where q.id = p_id and q.organization_id = any(companies)) then
    if p_id is null or p_organization is null or not p_organization = any(companies) then
      raise exception 'making packs needs content.manage and a tier that creates' using errcode = '42501', detail = 'CN213';
    end if;
    perform pg_advisory_xact_lock(hashtext('packs of'), hashtext(p_organization::text));
    if (select count(*) from public.policy_packs q where q.organization_id = p_organization) >= 200 then
      raise exception 'two hundred packs are enough' using errcode = 'P0001', detail = 'CN214';
    end if;
    insert into public.policy_packs (id, organization_id, name, publisher, licence, created_by)
      select p_id, o.id, facts ->> 'name', o.name, facts ->> 'licence', auth.uid() from public.organizations o where o.id = p_organization
      on conflict (id) do nothing;
  end if;
  p := marketplace.own_pack(p_id);
  perform marketplace.write_facts(p.id, facts);
  return p.id;
end $$;

-- The version that is being made: begun, or written anew while it is a draft.
-- A draft that somebody else wrote anew since is left as they wrote it. Answers the hash of what stands there now.
-- What the pack is goes with the version where it is said. `p_seen` is the hash of all that is written, and so is the answer.
create function save_pack_version(p_id uuid, p_pack uuid, p_number text, p_changelog text, p_contents jsonb, p_seen text default null, p_facts jsonb default null)
  returns text language plpgsql volatile security definer set search_path = '' as $$
declare
  p constant public.policy_packs := marketplace.own_pack(p_pack);
  v public.pack_versions;
  hash text;
begin
  select * into v from public.pack_versions w where w.id = p_id for update;
  if found and (v.pack_id <> p.id or v.state <> 'draft') then
    raise exception 'what was submitted stays as it is' using errcode = '23514', hint = 'state', detail = 'CN215';
  end if;
  if not found and p_seen is not null then
    raise exception 'this draft was thrown away' using errcode = '23514', hint = 'gone', detail = 'CN216';
  end if;
  if exists (select from public.pack_versions w where w.pack_id = p.id and w.state in ('listed', 'withdrawn')
      and p_number ~ '^[0-9]{1,5}(\.[0-9]{1,5}){2}$' and w.rank >= string_to_array(p_number, '.')::integer[]) then
    raise exception 'a version follows the ones before it' using errcode = '23514', hint = 'number', detail = 'CN217';
  end if;
  if p_facts is not null then perform marketplace.write_facts(p.id, p_facts); end if;
  insert into public.pack_versions (id, pack_id, number, changelog, contents, created_by)
    values (p_id, p.id, p_number, coalesce(p_changelog, ''), p_contents, auth.uid())
    on conflict (id) do update set number = excluded.number, changelog = excluded.changelog, contents = excluded.contents, updated_at = now()
    returning draft_hash into hash;
  -- Where nothing else stands there now, the same was sent again after a lost answer.
  if v.id is not null and p_seen is not null and p_seen <> v.draft_hash and hash <> v.draft_hash then
    raise exception 'somebody changed this since' using errcode = '23514', hint = 'changed', detail = 'CN205';
  end if;
  return hash;
end $$;

-- From a state to those a version may move to, and who moves it: 'maker' or 'reviewer'. packages/core/src/marketplace/pack-states.ts
-- says the same.
create function marketplace.may_become(p_from text, p_to text, p_is_template boolean) returns text
  language sql immutable parallel safe return case
    when p_from = 'draft' and p_to = 'submitted' and p_is_template then 'maker'
    when p_from = 'draft' and p_to = 'listed' and not p_is_template then 'maker'
    when p_from = 'submitted' and p_to = 'draft' then 'maker'
    when p_from = 'submitted' and p_to = 'in_review' then 'reviewer'
    when p_from = 'in_review' and p_to in ('listed', 'draft') then 'reviewer'
    when p_from = 'listed' and p_to = 'withdrawn' then 'either' end;

create function move_pack_version(p_version uuid, p_to text, p_note text default null) returns text
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v public.pack_versions;
  p public.policy_packs;
  whose text;
  is_maker boolean;
  is_reviewer boolean;
begin
  perform from public.policy_packs q where q.id = (select w.pack_id from public.pack_versions w where w.id = p_version) for update;
  select * into v from public.pack_versions w where w.id = p_version for update;
  select * into p from public.policy_packs q where q.id = v.pack_id;
  is_maker := auth.uid() is not null and p.organization_id in (select public.my_marketplace_companies('content.manage'));
  -- Nobody lists what they or their own company made.
  is_reviewer := auth.uid() is not null and v.state <> 'draft' and p.is_template and public.my_platform_permission('platform.moderate')
    and not exists (select from access.my_memberships() m where m.organization_id = p.organization_id)
    and v.created_by is distinct from auth.uid() and v.submitted_by is distinct from auth.uid();
  if v.id is null or not coalesce(is_maker, false) and not coalesce(is_reviewer, false) then
    raise exception 'no such version' using errcode = '42501', detail = 'CN136';
  end if;
  whose := marketplace.may_become(v.state, p_to, p.is_template);
  if whose is null then
    raise exception 'a version that is % cannot become %', v.state, p_to using errcode = '23514', hint = 'state', detail = 'CN135';
  end if;
  if whose = 'maker' and not coalesce(is_maker, false) or whose = 'reviewer' and not coalesce(is_reviewer, false) then
    raise exception 'somebody else decides this' using errcode = '42501', hint = 'reviewer', detail = 'CN218';
  end if;
  if (whose = 'reviewer' and p_to = 'draft' or p_to = 'withdrawn') and btrim(coalesce(p_note, '')) = '' then
    raise exception 'it is said why' using errcode = '23514', hint = 'note', detail = 'CN219';
  end if;
  update public.pack_versions w set state = p_to, updated_at = now(),
    review_note = case when p_to in ('draft', 'withdrawn') then left(btrim(p_note), 2000) when p_to = 'submitted' then null else w.review_note end,
    submitted_by = case when p_to = 'submitted' then auth.uid() else w.submitted_by end,
    submitted_at = case when p_to = 'submitted' then clock_timestamp() else w.submitted_at end,
    reviewed_by = case when whose = 'reviewer' then auth.uid() else w.reviewed_by end,
    listed_at = case when p_to = 'listed' then clock_timestamp() else w.listed_at end,
    withdrawn_at = case when p_to = 'withdrawn' then clock_timestamp() else w.withdrawn_at end
    where w.id = v.id;
  if p.organization_id is not null then
    perform audit.note(p.organization_id, 'pack.' || p_to, 'policy_packs', p.id,
      jsonb_build_object('version', v.number, 'from', v.state, 'content_hash', v.content_hash));
  end if;
  return p_to;
end $$;

-- A pack of one's own that begins with the words of another: its licence goes with them, and so does whose they were.
create function fork_pack(p_id uuid, p_version uuid, p_organization uuid) returns uuid
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v public.pack_versions;
  p public.policy_packs;
begin
  select w.* into v from public.pack_versions w where w.id = p_version and w.state = 'listed';
  select * into p from public.policy_packs q where q.id = v.pack_id and q.status = 'active';
  if auth.uid() is null or p.id is null or p_id is null or p_organization is null
    or p_organization not in (select public.my_marketplace_companies('content.manage'))
    or not (p.organization_id is not distinct from p_organization or p.is_template and public.my_marketplace_is_open()) then
    raise exception 'no such pack to begin with' using errcode = '42501', detail = 'CN220';
  end if;
  if p.licence = 'all-rights-reserved' and p.organization_id is distinct from p_organization then
    raise exception 'its licence does not let it be passed on' using errcode = '23514', hint = 'licence', detail = 'CN221';
  end if;
  if exists (select from public.policy_packs q where q.id = p_id) then return (marketplace.own_pack(p_id)).id; end if;
  insert into public.policy_packs (id, organization_id, name, summary, publisher, kind, licence, attribution, locale, industry, frameworks, forked_from_id, created_by)
    select p_id, o.id, p.name, p.summary, o.name, p.kind, p.licence,
      right(concat_ws('; ', p.attribution, 'based on "' || p.name || '" ' || v.number || ' by ' || p.publisher), 600),
      p.locale, p.industry, p.frameworks, p.id, auth.uid()
    from public.organizations o where o.id = p_organization;
  insert into public.pack_versions (pack_id, number, contents, created_by) values (p_id, '1.0.0', v.contents, auth.uid());
  return p_id;
end $$;

-- Contents made of a company's own records: policies in force, published forms, tasks. Copies, as they stand now.
-- What is a file stays at home: a pack carries words that its buyers can change.
-- A document's key is its record's whole id: those made within the same minute begin alike.
create function pack_contents_of(p_organization uuid, p_policies uuid[], p_forms uuid[], p_tasks uuid[]) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
begin
  if auth.uid() is null or p_organization is null or p_organization not in (select public.my_marketplace_companies('content.manage')) then
    raise exception 'making packs needs content.manage and a tier that creates' using errcode = '42501', detail = 'CN213';
  end if;
  return jsonb_build_object('schema', 1, 'variables', '[]'::jsonb,
    'policies', (select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('key', 'p-' || replace(p.id::text, '-', ''), 'title', left(v.title, 180), 'code', left(p.code, 30),
        'summary', left(p.summary, 800), 'body', v.body, 'classification', p.classification, 'review_months', p.review_months)) order by v.title, p.id), '[]')
      from public.policies p join public.policy_versions v on v.id = p.current_version_id
      where p.organization_id = p_organization and p.deleted_at is null and p.state = 'published' and p.id = any (p_policies)
        and v.file is null and p.scopes && array(select public.my_scopes())),
    'forms', (select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('key', 'f-' || replace(f.id::text, '-', ''), 'name', left(f.name, 180), 'description', left(f.description, 2000),
        'category', left(f.category, 60))) || jsonb_build_object('definition', v.definition) order by f.name, f.id), '[]')
      from public.forms f join public.form_versions v on v.id = f.current_version_id
      where f.organization_id = p_organization and f.deleted_at is null and f.state = 'published' and f.id = any (p_forms)
        and f.scopes && array(select public.my_scopes())),
    'tasks', (select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('key', 't-' || replace(k.id::text, '-', ''), 'title', left(k.title, 280), 'notes', left(k.notes, 10000),
        'priority', k.priority, 'steps', (select coalesce(jsonb_agg(left(s.title, 280) order by s.position, s.id), '[]') from public.task_items s
          where s.task_id = k.id and s.deleted_at is null))) order by k.title, k.id), '[]')
      from public.tasks k where k.organization_id = p_organization and k.deleted_at is null and k.id = any (p_tasks)
        and k.scopes && array(select public.my_scopes())));
end $$;

-- A draft that shall not go on: the pack with it, where it never had another version.
create function drop_pack_draft(p_version uuid) returns uuid
  language plpgsql volatile security definer set search_path = '' as $$
declare
  p constant public.policy_packs := marketplace.own_pack((select w.pack_id from public.pack_versions w where w.id = p_version));
begin
  delete from public.pack_versions w where w.id = p_version and w.state = 'draft';
  if not found then
    raise exception 'what was submitted stays as it is' using errcode = '23514', hint = 'state', detail = 'CN215';
  end if;
  if not exists (select from public.pack_versions w where w.pack_id = p.id) then
    delete from public.policy_packs q where q.id = p.id;
  end if;
  return p.id;
end $$;

-- Writes what people choose a pack by; what is not in `p_facts` stays. It all stays once a version left the draft.
create function marketplace.write_facts(p_pack uuid, p_facts jsonb) returns void language plpgsql volatile security definer set search_path = '' as $$
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
end $$;

-- How many characters a text has once its variables are filled in; counted without filling it in.
create function marketplace.filled_length(p_text text, p_values jsonb, p_in_json boolean default false) returns bigint
  language sql immutable parallel safe set search_path = '' return
  char_length(p_text) + coalesce((select sum(((char_length(p_text) - char_length(replace(p_text, name, ''))) / char_length(name))::bigint
      * (char_length(case when p_in_json then substr(to_json(value)::text, 2, char_length(to_json(value)::text) - 2) else value end) - char_length(name)))
    from (select '{{' || key || '}}' as name, value from jsonb_each_text(p_values)) v), 0);

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
    or exists (select from jsonb_array_elements(p_contents -> 'policies') p where content.markdown_fault(marketplace.with_values_filled(p ->> 'body', given)) is not null)
    or exists (select from jsonb_array_elements(p_contents -> 'forms') f, content.form_fault(marketplace.filled_json(f -> 'definition', given)) x
      where x.bound is not null) then return 'filled'; end if;
  return null;
end $$;

-- Who may call what.
revoke execute on function my_marketplace_companies(text), my_marketplace_is_open(), my_packs_to_review(), install_pack(uuid, uuid, uuid, jsonb),
  take_pack_item(uuid, uuid, text, text, text, text, text, jsonb), rate_pack(uuid, uuid, integer), save_pack(uuid, uuid, jsonb),
  save_pack_version(uuid, uuid, text, text, jsonb, text, jsonb), move_pack_version(uuid, text, text), fork_pack(uuid, uuid, uuid),
  pack_contents_of(uuid, uuid[], uuid[], uuid[]), drop_pack_draft(uuid) from public, anon;
revoke execute on function marketplace.markup_in(text, boolean), marketplace.text_fault(jsonb, jsonb), marketplace.contents_fault(jsonb),
  marketplace.with_values_filled(text, jsonb, boolean), marketplace.filled_json(jsonb, jsonb), marketplace.values_for(jsonb, jsonb, jsonb),
  marketplace.item_of(jsonb, text, text), marketplace.add_document(uuid, uuid, public.pack_versions, text, jsonb, jsonb),
  marketplace.version_to_take(uuid, uuid), marketplace.check_playbook(uuid, uuid), marketplace.form_now(uuid),
  marketplace.write_policy(uuid, text, text), marketplace.set_current_version(uuid, public.pack_versions), marketplace.own_pack(uuid),
  marketplace.may_become(text, text, boolean), marketplace.write_facts(uuid, jsonb), marketplace.filled_length(text, jsonb, boolean),
  marketplace.bounds_fault(jsonb, jsonb) from public;
