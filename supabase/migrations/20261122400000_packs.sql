-- The policy marketplace: packs of policies, forms and tasks that one organisation offers and another takes over as drafts of
-- its own (docs/decisions/0400-packs-are-data.md). Browsing is online by nature; only where a record came from is fed to devices.

create schema marketplace;

create table policy_packs (
  id                 uuid primary key default gen_random_uuid(),
  organization_id    uuid references organizations (id) on delete cascade,   -- who made it; null: came with the installation
  name               text not null check (btrim(name) <> '' and char_length(name) <= 120),
  summary            text not null default '' check (char_length(summary) <= 600),
  publisher          text not null check (btrim(publisher) <> '' and char_length(publisher) <= 120),   -- as it is shown
  kind               text not null default 'compliance' check (kind in ('compliance', 'growth')),
  licence            text not null check (licence in ('CC0-1.0', 'CC-BY-4.0', 'CC-BY-SA-4.0', 'MIT', 'Apache-2.0', 'all-rights-reserved')),   -- SPDX; the last: may be used, not passed on
  attribution        text check (char_length(attribution) <= 600),           -- whose words these were before
  locale             text not null default 'en' check (locale ~ '^[a-z]{2}(-[A-Z]{2})?$'),
  industry           text not null default 'any' check (industry in ('any', 'manufacturing', 'construction', 'logistics', 'care', 'software', 'office', 'education', 'public')),
  frameworks         jsonb not null default '[]' check (jsonb_typeof(frameworks) = 'array' and jsonb_array_length(frameworks) <= 20 and pg_column_size(frameworks) <= 2000),   -- names
  is_template        boolean not null default true,                          -- offered to every organisation once listed; else kept to one's own
  status             text not null default 'draft' check (status in ('draft', 'active', 'withdrawn')),   -- follows from its versions
  current_version_id uuid,                                                   -- the newest one that is listed
  current_number     text,
  forked_from_id     uuid references policy_packs (id) on delete set null,
  linked_playbooks   integer not null default 0 check (linked_playbooks >= 0),   -- how many playbooks have it, over all organisations
  rating_count       integer not null default 0 check (rating_count >= 0),
  rating_sum         integer not null default 0 check (rating_sum >= 0),         -- stars
  created_by         uuid references auth.users (id) on delete set null,
  created_at         timestamptz not null default now(),
  updated_at         timestamptz not null default now()
);
create index policy_packs_organization on policy_packs (organization_id);
create index policy_packs_offered on policy_packs (created_at desc) where is_template and status = 'active';

create table pack_versions (
  id              uuid primary key default gen_random_uuid(),
  pack_id         uuid not null references policy_packs (id) on delete cascade,
  organization_id uuid references organizations (id) on delete cascade,      -- copied from the pack
  number          text not null check (number ~ '^(0|[1-9][0-9]{0,4})\.(0|[1-9][0-9]{0,4})\.(0|[1-9][0-9]{0,4})$'),   -- semantic: major.minor.patch
  rank            integer[] not null generated always as (string_to_array(number, '.')::integer[]) stored,
  state           text not null default 'draft' check (state in ('draft', 'submitted', 'in_review', 'listed', 'withdrawn')),
  changelog       text not null default '' check (char_length(changelog) <= 2000),
  contents        jsonb not null,                                            -- packages/core/src/marketplace/pack-contents.ts
  content_hash    text not null default '' check (content_hash ~ '^([0-9a-f]{64})?$'),   -- sha-256 (hex) of the contents as PostgreSQL writes them
  review_note     text check (char_length(review_note) <= 2000),             -- why it was sent back or taken down
  submitted_by    uuid references auth.users (id) on delete set null,
  submitted_at    timestamptz,
  reviewed_by     uuid references auth.users (id) on delete set null,
  listed_at       timestamptz,
  withdrawn_at    timestamptz,
  created_by      uuid references auth.users (id) on delete set null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  unique (pack_id, number)
);
-- What is made next stands once.
create unique index pack_versions_next on pack_versions (pack_id) where state in ('draft', 'submitted', 'in_review');
create index pack_versions_waiting on pack_versions (submitted_at) where state in ('submitted', 'in_review');
alter table policy_packs add foreign key (current_version_id) references pack_versions (id) on delete set null;

-- Which playbook has which pack, and with which words filled in.
create table pack_installs (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations (id) on delete cascade,
  playbook_id     uuid,
  pack_id         uuid not null references policy_packs (id) on delete cascade,
  version_id      uuid not null references pack_versions (id) on delete cascade,   -- the one all its documents stand at
  variables       jsonb not null default '{}' check (jsonb_typeof(variables) = 'object' and pg_column_size(variables) <= 20000),
  installed_by    uuid references auth.users (id) on delete set null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  unique nulls not distinct (organization_id, pack_id, playbook_id),
  foreign key (organization_id, playbook_id) references playbooks (organization_id, id) on delete cascade
);
create index pack_installs_pack on pack_installs (pack_id);

-- Where a record came from. It says so for good: whether the pack is still listed, or the licence changed since, is another matter.
create table pack_items (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations (id) on delete cascade,
  pack_id         uuid not null,
  version_id      uuid not null,                                 -- the version its words were last compared with
  pack_name       text not null,
  pack_number     text not null,                                 -- number of that version
  publisher       text not null,
  licence         text not null,
  attribution     text,
  kind            text not null check (kind in ('policy', 'form', 'task')),
  item_key        text not null,                                 -- as the pack calls it
  target_id       uuid not null,                                 -- the record here
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  unique (target_id)
);
create index pack_items_pack on pack_items (organization_id, pack_id);
select sync.add_table('pack_items', 36, $$ sync.scopes(sync.org_scope(organization_id)) $$);
create policy "scope reads" on pack_items for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
-- No write: install_pack and take_pack_item.

create table pack_reviews (
  id              uuid primary key default gen_random_uuid(),
  pack_id         uuid not null references policy_packs (id) on delete cascade,
  organization_id uuid not null references organizations (id) on delete cascade,   -- one word for each that installed it
  stars           integer not null check (stars between 1 and 5),
  created_by      uuid references auth.users (id) on delete set null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  unique (pack_id, organization_id)
);
create index pack_reviews_organization on pack_reviews (organization_id);

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

alter table policy_packs enable row level security;
alter table pack_versions enable row level security;
alter table pack_installs enable row level security;
alter table pack_reviews enable row level security;
revoke all on policy_packs, pack_versions, pack_installs, pack_reviews from anon, authenticated;
grant select on policy_packs, pack_versions, pack_installs, pack_reviews to authenticated;

create policy "who may install reads" on policy_packs for select to authenticated
  using (is_template and status = 'active' and (select my_marketplace_is_open())
    or organization_id in (select my_marketplace_companies('marketplace.access'))
    or organization_id in (select my_marketplace_companies('content.manage'))
    -- What one has is still looked up when it is offered no more.
    or id in (select i.pack_id from pack_installs i)
    or id in (select my_packs_to_review()));
create policy "who may install reads" on pack_versions for select to authenticated
  using (state = 'listed' and pack_id in (select p.id from policy_packs p where p.status = 'active')
    or organization_id in (select my_marketplace_companies('content.manage'))
    or state in ('listed', 'withdrawn') and pack_id in (select i.pack_id from pack_installs i)
    or state <> 'draft' and pack_id in (select my_packs_to_review()));
create policy "who may install reads" on pack_installs for select to authenticated
  using (organization_id in (select my_marketplace_companies('marketplace.access')));
create policy "who may install reads" on pack_reviews for select to authenticated
  using (organization_id in (select my_marketplace_companies('marketplace.access')));
-- No write on any of them: the calls of the next two migrations.

-- Why these contents are refused, or null; packages/core/src/marketplace/pack-contents.ts says the same before anything is sent.
create function marketplace.markup_in(p_text text, p_any_tag boolean) returns boolean
  language sql immutable parallel safe
  return regexp_replace(p_text, '<(https?://|mailto:)[^<>\s"]*>', '', 'gi')
      ~* case when p_any_tag then '<[a-z/!?]' else '<\s*/?\s*(script|iframe|object|embed|style|link|meta|svg|math|form|base|img|video|audio|body|html)\M' end
    or p_text ~* '(javascript|vbscript)\s*:|data\s*:\s*((text|application)/|image/svg)|&(#|colon;|tab;|newline;)'
    -- What is not seen, or turns round what is.
    or p_text ~ '(^|[^\\])(\\\\)*\\(u00(0|1|7f)|b)' or p_text ~ U&'[\007F\200B\202A-\202E\2066-\2069]';

create function marketplace.words_fault(p_of jsonb, p_limits jsonb) returns text
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
      fault := marketplace.words_fault(item, limits -> part);
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

create function marketplace.guard_version() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  fault text;
begin
  if tg_op = 'UPDATE' then
    if (new.pack_id, new.number, new.contents) is not distinct from (old.pack_id, old.number, old.contents) then return new; end if;
    if old.state <> 'draft' then raise exception 'what was submitted stays as it is' using errcode = '42501'; end if;
  end if;
  fault := marketplace.contents_fault(new.contents);
  if fault is not null then raise exception 'these contents are refused: %', fault using errcode = '23514', hint = fault; end if;
  new.content_hash := encode(sha256(convert_to(new.contents::text, 'UTF8')), 'hex');
  select p.organization_id into new.organization_id from public.policy_packs p where p.id = new.pack_id;
  return new;
end $$;
create trigger b_guard before insert or update on pack_versions for each row execute function marketplace.guard_version();

-- What a pack is follows from its versions: the newest listed one is the one that is offered.
create function marketplace.version_moved() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  v public.pack_versions;
begin
  select * into v from public.pack_versions w where w.pack_id = new.pack_id and w.state = 'listed' order by w.rank desc limit 1;
  update public.policy_packs p set current_version_id = v.id, current_number = v.number, updated_at = now(),
    status = case when v.id is not null then 'active'
      when exists (select from public.pack_versions w where w.pack_id = new.pack_id and w.state = 'withdrawn') then 'withdrawn' else 'draft' end
    where p.id = new.pack_id;
  return null;
end $$;
create trigger f_pack after insert or update of state on pack_versions for each row execute function marketplace.version_moved();

create function marketplace.count_playbooks() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  one constant uuid := case tg_op when 'DELETE' then old.pack_id else new.pack_id end;
begin
  update public.policy_packs p set linked_playbooks =
    (select count(*) from public.pack_installs i where i.pack_id = one and i.playbook_id is not null) where p.id = one;
  return null;
end $$;
create trigger f_count after insert or delete on pack_installs for each row execute function marketplace.count_playbooks();

create function marketplace.count_stars() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  one constant uuid := case tg_op when 'DELETE' then old.pack_id else new.pack_id end;
begin
  update public.policy_packs p set rating_count = r.n, rating_sum = r.stars
    from (select count(*) as n, coalesce(sum(w.stars), 0) as stars from public.pack_reviews w where w.pack_id = one) r where p.id = one;
  return null;
end $$;
create trigger f_count after insert or update or delete on pack_reviews for each row execute function marketplace.count_stars();

alter table policy_versions drop constraint policy_versions_source_check;
alter table policy_versions add constraint policy_versions_source_check check (source in ('written', 'markdown', 'seed', 'pack'));

revoke execute on all functions in schema marketplace from public;
revoke execute on function my_marketplace_companies(text), my_marketplace_is_open(), my_packs_to_review() from public, anon;
grant execute on function my_marketplace_companies(text), my_marketplace_is_open(), my_packs_to_review() to authenticated;
