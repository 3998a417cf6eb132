-- Taking a pack over: as drafts, never published by itself, once; and what a later version of it would change.

-- The text with its variables filled in. Values hold no braces (value_fault), so that nothing in them is filled in again.
create function marketplace.filled(p_text text, p_values jsonb, p_in_json boolean default false) returns text
  language plpgsql immutable parallel safe as $$
declare
  one record;
  words text := p_text;
begin
  for one in select key, value from jsonb_each_text(p_values) loop
    words := replace(words, '{{' || one.key || '}}',
      case when p_in_json then substr(to_json(one.value)::text, 2, char_length(to_json(one.value)::text) - 2) else one.value end);
  end loop;
  return words;
end $$;

create function marketplace.filled_json(p_json jsonb, p_values jsonb) returns jsonb
  language sql immutable parallel safe return marketplace.filled(p_json::text, p_values, true)::jsonb;

-- The values of a version's variables, each given and fit to stand in a text. `p_known` were given before and stay.
create function marketplace.values_for(p_contents jsonb, p_given jsonb, p_known jsonb default '{}') returns jsonb
  language plpgsql stable set search_path = '' as $$
declare
  v jsonb;
  value text;
  taken jsonb := p_known;
begin
  if jsonb_typeof(coalesce(p_given, '{}')) <> 'object' then raise exception 'variables are an object' using errcode = '22023'; end if;
  for v in select * from jsonb_array_elements(p_contents -> 'variables') loop
    continue when taken ? (v ->> 'key');
    value := btrim(p_given ->> (v ->> 'key'));
    if coalesce(value, '') = '' or char_length(value) > 200 or value ~ '[[:cntrl:]{}<>]' or marketplace.markup_in(value, true) then
      raise exception 'a variable has no fit value' using errcode = '23514', hint = 'variables';
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
    if char_length(words ->> 'body') > 400000 then raise exception 'too long with its words filled in' using errcode = '23514', hint = 'too_long'; end if;
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
    raise exception 'installing packs needs marketplace.access' using errcode = '42501';
  end if;
  select w.* into v from public.pack_versions w join public.policy_packs p on p.id = w.pack_id
    where w.id = p_version and w.state = 'listed' and p.status = 'active' and (p.is_template or p.organization_id = p_organization);
  if not found then raise exception 'no such pack is offered' using errcode = '42501'; end if;
  perform pg_advisory_xact_lock(hashtext('pack'), hashtext(p_organization::text || v.pack_id::text));
  return v;
end $$;

create function marketplace.check_playbook(p_organization uuid, p_playbook uuid) returns void
  language plpgsql stable security definer set search_path = '' as $$
begin
  if p_playbook is not null and not exists (select from public.playbooks b
      where b.id = p_playbook and b.organization_id = p_organization and b.type = 'company' and b.deleted_at is null) then
    raise exception 'no such playbook of this company' using errcode = '42501';
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
create function marketplace.write_policy(p_policy uuid, p_body text, p_seen text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  p public.policies;
  v public.policy_versions;
begin
  select * into p from public.policies q where q.id = p_policy and q.deleted_at is null for update;
  if not found or p.state = 'archived' then raise exception 'this policy is not there to be changed' using errcode = '23514', hint = 'gone'; end if;
  select * into v from public.policy_versions w where w.policy_id = p.id and w.major is null and w.deleted_at is null for update;
  if found and v.state not in ('draft', 'change_requested') then raise exception 'what was sent for approval stays as it is' using errcode = '23514', hint = 'state'; end if;
  if found and v.editing_by <> auth.uid() and v.editing_since > now() - sync.pen_lasts() then
    raise exception 'somebody else is writing this' using errcode = '23514', hint = 'pen';
  end if;
  if v.id is null then select * into v from public.policy_versions w where w.id = p.current_version_id; end if;
  if v.content_hash is distinct from p_seen then raise exception 'somebody changed this since' using errcode = '23514', hint = 'changed'; end if;
  if v.major is null then
    update public.policy_versions set body = p_body where id = v.id;
  else
    insert into public.policy_versions (id, organization_id, policy_id, change, title, body, based_on_id, source)
      values (extensions.uuid_generate_v5(v.id, 'next version'), p.organization_id, p.id, 'minor', v.title, p_body, v.id, 'pack');
  end if;
end $$;

-- Decides on one document of a later version: 'keep' leaves what stands here, 'take' writes a policy's `p_body` (what the person
-- made of both) or an unchanged form's new definition into a draft, 'add' makes a draft of what is new. Nothing is overwritten
-- that was not seen: `p_seen` is the hash of the policy's words as they were on the screen. Returns whether all is decided.
create function take_pack_item(p_organization uuid, p_version uuid, p_kind text, p_key text, p_how text,
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
    raise exception 'this is no update' using errcode = '42501';
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
    if not found then raise exception 'this form is not there to be changed' using errcode = '23514', hint = 'gone'; end if;
    select marketplace.item_of(w.contents, 'form', p_key) into base from public.pack_versions w where w.id = item.version_id;
    if marketplace.form_now(item.target_id) is distinct from marketplace.filled_json(base, had.variables) -> 'definition' then
      raise exception 'this form was changed here' using errcode = '23514', hint = 'changed';
    end if;
    update public.form_drafts set definition = marketplace.filled_json(theirs, filled) -> 'definition' where form_id = item.target_id;
  elsif not (p_how = 'keep' and item.id is not null) then
    raise exception 'this cannot be decided so' using errcode = '22023';
  end if;
  update public.pack_items set version_id = v.id, pack_number = v.number where id = item.id;
  return marketplace.settle(p_organization, v);
end $$;

-- The version a company stands at is the one all its documents were decided at.
create function marketplace.settle(p_organization uuid, p_version public.pack_versions) returns boolean
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

-- One word of a company that has the pack; its own pack is judged by others.
create function rate_pack(p_organization uuid, p_pack uuid, p_stars integer) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  if auth.uid() is null or p_organization is null or p_organization not in (select public.my_marketplace_companies('marketplace.access'))
    or not exists (select from public.pack_installs i join public.policy_packs p on p.id = i.pack_id
      where i.organization_id = p_organization and i.pack_id = p_pack and p.organization_id is distinct from p_organization) then
    raise exception 'who installed a pack rates it' using errcode = '42501';
  end if;
  insert into public.pack_reviews as r (pack_id, organization_id, stars, created_by) values (p_pack, p_organization, p_stars, auth.uid())
    on conflict (pack_id, organization_id) do update set stars = excluded.stars, created_by = excluded.created_by, updated_at = now();
end $$;

revoke execute on all functions in schema marketplace from public;
revoke execute on function install_pack(uuid, uuid, uuid, jsonb), take_pack_item(uuid, uuid, text, text, text, text, text, jsonb),
  rate_pack(uuid, uuid, integer) from public, anon, authenticated;
grant execute on function install_pack(uuid, uuid, uuid, jsonb), take_pack_item(uuid, uuid, text, text, text, text, text, jsonb),
  rate_pack(uuid, uuid, integer) to authenticated;
