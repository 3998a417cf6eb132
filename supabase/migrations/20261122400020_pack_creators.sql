-- Making packs: draft, submitted, in review, listed, withdrawn. Who makes them may manage content in a company and has a tier that
-- creates; who lists them looks after the platform and is not who made them.

-- A pack of a company in which the caller makes packs, locked.
create function marketplace.own_pack(p_pack uuid) returns public.policy_packs
  language plpgsql volatile security definer set search_path = '' as $$
declare
  p public.policy_packs;
begin
  select * into p from public.policy_packs q where q.id = p_pack for update;
  if auth.uid() is null or p.id is null or p.organization_id is null or p.organization_id not in (select public.my_marketplace_companies('content.manage')) then
    raise exception 'no such pack of yours' using errcode = '42501';
  end if;
  return p;
end $$;

-- Begins a pack or changes what stands around it. What people chose it by stays as it was once a version left the draft.
create function save_pack(p_id uuid, p_organization uuid, p_facts jsonb) returns uuid
  language plpgsql volatile security definer set search_path = '' as $$
declare
  facts constant jsonb := coalesce(p_facts, '{}');
  p public.policy_packs;
begin
  if jsonb_typeof(facts) <> 'object' or marketplace.markup_in(facts::text, true) then
    raise exception 'what is said of a pack is plain text' using errcode = '23514', hint = 'markup';
  end if;
  if not exists (select from public.policy_packs q where q.id = p_id) then
    if auth.uid() is null or p_id is null or p_organization is null or p_organization not in (select public.my_marketplace_companies('content.manage')) then
      raise exception 'making packs needs content.manage and a tier that creates' using errcode = '42501';
    end if;
    perform pg_advisory_xact_lock(hashtext('packs of'), hashtext(p_organization::text));
    if (select count(*) from public.policy_packs q where q.organization_id = p_organization) >= 200 then
      raise exception 'two hundred packs are enough' using errcode = 'P0001';
    end if;
    insert into public.policy_packs (id, organization_id, name, publisher, licence, created_by)
      select p_id, o.id, facts ->> 'name', o.name, facts ->> 'licence', auth.uid() from public.organizations o where o.id = p_organization;
  end if;
  p := marketplace.own_pack(p_id);
  if exists (select from public.pack_versions v where v.pack_id = p.id and v.state <> 'draft') then
    raise exception 'what was submitted stays as it is' using errcode = '23514', hint = 'state';
  end if;
  update public.policy_packs q set name = coalesce(facts ->> 'name', q.name), summary = coalesce(facts ->> 'summary', q.summary),
    kind = coalesce(facts ->> 'kind', q.kind), locale = coalesce(facts ->> 'locale', q.locale), industry = coalesce(facts ->> 'industry', q.industry),
    frameworks = coalesce((select jsonb_agg(left(f, 80)) from jsonb_array_elements_text(facts -> 'frameworks') f where btrim(f) <> ''), q.frameworks),
    -- Words that were somebody else's keep their licence and their names.
    licence = case when q.forked_from_id is null then coalesce(facts ->> 'licence', q.licence) else q.licence end,
    attribution = case when q.forked_from_id is null then coalesce(facts ->> 'attribution', q.attribution) else q.attribution end,
    is_template = coalesce((facts ->> 'is_template')::boolean, q.is_template), updated_at = now() where q.id = p.id;
  return p.id;
end $$;

-- The version that is being made: begun, or written anew while it is a draft.
create function save_pack_version(p_id uuid, p_pack uuid, p_number text, p_changelog text, p_contents jsonb) returns uuid
  language plpgsql volatile security definer set search_path = '' as $$
declare
  p constant public.policy_packs := marketplace.own_pack(p_pack);
  v public.pack_versions;
begin
  select * into v from public.pack_versions w where w.id = p_id for update;
  if found and (v.pack_id <> p.id or v.state <> 'draft') then
    raise exception 'what was submitted stays as it is' using errcode = '23514', hint = 'state';
  end if;
  if exists (select from public.pack_versions w where w.pack_id = p.id and w.state in ('listed', 'withdrawn')
      and p_number ~ '^[0-9]{1,5}(\.[0-9]{1,5}){2}$' and w.rank >= string_to_array(p_number, '.')::integer[]) then
    raise exception 'a version follows the ones before it' using errcode = '23514', hint = 'number';
  end if;
  insert into public.pack_versions (id, pack_id, number, changelog, contents, created_by)
    values (p_id, p.id, p_number, coalesce(p_changelog, ''), p_contents, auth.uid())
    on conflict (id) do update set number = excluded.number, changelog = excluded.changelog, contents = excluded.contents, updated_at = now();
  return p_id;
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
    and not exists (select from sync.my_memberships() m where m.organization_id = p.organization_id)
    and v.created_by is distinct from auth.uid() and v.submitted_by is distinct from auth.uid();
  if v.id is null or not coalesce(is_maker, false) and not coalesce(is_reviewer, false) then
    raise exception 'no such version' using errcode = '42501';
  end if;
  whose := marketplace.may_become(v.state, p_to, p.is_template);
  if whose is null then
    raise exception 'a version that is % cannot become %', v.state, p_to using errcode = '23514', hint = 'state';
  end if;
  if whose = 'maker' and not coalesce(is_maker, false) or whose = 'reviewer' and not coalesce(is_reviewer, false) then
    raise exception 'somebody else decides this' using errcode = '42501', hint = 'reviewer';
  end if;
  if (whose = 'reviewer' and p_to = 'draft' or p_to = 'withdrawn') and btrim(coalesce(p_note, '')) = '' then
    raise exception 'it is said why' using errcode = '23514', hint = 'note';
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
    raise exception 'no such pack to begin with' using errcode = '42501';
  end if;
  if p.licence = 'all-rights-reserved' and p.organization_id is distinct from p_organization then
    raise exception 'its licence does not let it be passed on' using errcode = '23514', hint = 'licence';
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
create function pack_contents_of(p_organization uuid, p_policies uuid[], p_forms uuid[], p_tasks uuid[]) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
begin
  if auth.uid() is null or p_organization is null or p_organization not in (select public.my_marketplace_companies('content.manage')) then
    raise exception 'making packs needs content.manage and a tier that creates' using errcode = '42501';
  end if;
  return jsonb_build_object('schema', 1, 'variables', '[]'::jsonb,
    'policies', (select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('key', 'p-' || left(p.id::text, 8), 'title', left(v.title, 180), 'code', left(p.code, 30),
        'summary', left(p.summary, 800), 'body', v.body, 'classification', p.classification, 'review_months', p.review_months)) order by v.title, p.id), '[]')
      from public.policies p join public.policy_versions v on v.id = p.current_version_id
      where p.organization_id = p_organization and p.deleted_at is null and p.state = 'published' and p.id = any (p_policies)
        and p.scopes && array(select public.my_scopes())),
    'forms', (select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('key', 'f-' || left(f.id::text, 8), 'name', left(f.name, 180), 'description', left(f.description, 2000),
        'category', left(f.category, 60))) || jsonb_build_object('definition', v.definition) order by f.name, f.id), '[]')
      from public.forms f join public.form_versions v on v.id = f.current_version_id
      where f.organization_id = p_organization and f.deleted_at is null and f.state = 'published' and f.id = any (p_forms)
        and f.scopes && array(select public.my_scopes())),
    'tasks', (select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('key', 't-' || left(k.id::text, 8), 'title', left(k.title, 280), 'notes', left(k.notes, 10000),
        'priority', k.priority, 'steps', (select coalesce(jsonb_agg(left(s.title, 280) order by s.position, s.id), '[]') from public.task_items s
          where s.task_id = k.id and s.deleted_at is null))) order by k.title, k.id), '[]')
      from public.tasks k where k.organization_id = p_organization and k.deleted_at is null and k.id = any (p_tasks)
        and k.scopes && array(select public.my_scopes())));
end $$;

revoke execute on all functions in schema marketplace from public;
revoke execute on function save_pack(uuid, uuid, jsonb), save_pack_version(uuid, uuid, text, text, jsonb), move_pack_version(uuid, text, text),
  fork_pack(uuid, uuid, uuid), pack_contents_of(uuid, uuid[], uuid[], uuid[]) from public, anon, authenticated;
grant execute on function save_pack(uuid, uuid, jsonb), save_pack_version(uuid, uuid, text, text, jsonb), move_pack_version(uuid, text, text),
  fork_pack(uuid, uuid, uuid), pack_contents_of(uuid, uuid[], uuid[], uuid[]) to authenticated;
