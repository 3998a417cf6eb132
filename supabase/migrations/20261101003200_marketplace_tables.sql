-- The policy marketplace: tables.

create table policy_packs (
  id                 uuid primary key default gen_random_uuid(),
  organization_id    uuid references organizations (id) on delete cascade,   -- who made it; null: came with the installation
  name               text not null check (btrim(name) <> '' and char_length(name) <= 120),
  summary            text not null default '' check (char_length(summary) <= 600),
  publisher          text not null check (btrim(publisher) <> '' and char_length(publisher) <= 120),   -- as it is shown
  kind               text not null default 'compliance' check (kind in ('compliance', 'growth')),
  licence            text not null check (licence in ('CC0-1.0', 'CC-BY-4.0', 'CC-BY-SA-4.0', 'MIT', 'Apache-2.0', 'all-rights-reserved')),   -- SPDX; the last: may be used, not passed on
  attribution        text check (char_length(attribution) <= 600),   -- whose words these were before
  locale             text not null default 'en' check (locale ~ '^[a-z]{2}(-[A-Z]{2})?$'),
  industry           text not null default 'any' check (industry in ('any', 'manufacturing', 'construction', 'logistics', 'care', 'software', 'office', 'education', 'public')),
  frameworks         jsonb not null default '[]' check (jsonb_typeof(frameworks) = 'array' and jsonb_array_length(frameworks) <= 20 and pg_column_size(frameworks) <= 2000),   -- names
  is_template        boolean not null default true,               -- offered to every organisation once listed; else kept to one's own
  status             text not null default 'draft' check (status in ('draft', 'active', 'withdrawn')),   -- follows from its versions
  current_version_id uuid,                                        -- the newest one that is listed
  current_number     text,
  forked_from_id     uuid references policy_packs (id) on delete set null,
  linked_playbooks   integer not null default 0 check (linked_playbooks >= 0),   -- how many playbooks have it, over all organisations
  rating_count       integer not null default 0 check (rating_count >= 0),
  rating_sum         integer not null default 0 check (rating_sum >= 0),   -- stars
  created_by         uuid references auth.users (id) on delete set null,
  created_at         timestamptz not null default now(),
  updated_at         timestamptz not null default now(),
  constraint policy_packs_current_number_bounded check (char_length(current_number) <= 100)
);
create index policy_packs_organization on policy_packs (organization_id);
create index policy_packs_offered on policy_packs (created_at desc) where is_template and status = 'active';

create table pack_versions (
  id              uuid primary key default gen_random_uuid(),
  pack_id         uuid not null references policy_packs (id) on delete cascade,
  organization_id uuid references organizations (id) on delete cascade,   -- copied from the pack
  number          text not null check (number ~ '^(0|[1-9][0-9]{0,4})\.(0|[1-9][0-9]{0,4})\.(0|[1-9][0-9]{0,4})$'),   -- semantic: major.minor.patch
  rank            integer[] not null generated always as (string_to_array(number, '.')::integer[]) stored,
  state           text not null default 'draft' check (state in ('draft', 'submitted', 'in_review', 'listed', 'withdrawn')),
  changelog       text not null default '' check (char_length(changelog) <= 2000),
  contents        jsonb not null,                                 -- packages/core/src/marketplace/pack-contents.ts
  content_hash    text not null default '' check (content_hash ~ '^([0-9a-f]{64})?$'),   -- sha-256 (hex) of the contents as PostgreSQL writes them
  review_note     text check (char_length(review_note) <= 2000),   -- why it was sent back or taken down
  submitted_by    uuid references auth.users (id) on delete set null,
  submitted_at    timestamptz,
  reviewed_by     uuid references auth.users (id) on delete set null,
  listed_at       timestamptz,
  withdrawn_at    timestamptz,
  created_by      uuid references auth.users (id) on delete set null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  draft_hash      text not null default '' check (draft_hash ~ '^([0-9a-f]{64})?$'),   -- sha-256 (hex) of all that is written on a draft's page: number, news, contents, what the pack is
  unique (pack_id, number),
  constraint pack_versions_contents_bounded check (octet_length(contents::text) <= 1100000)
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
  version_id      uuid not null,                                  -- the version its words were last compared with
  pack_name       text not null,
  pack_number     text not null,                                  -- number of that version
  publisher       text not null,
  licence         text not null,
  attribution     text,
  kind            text not null check (kind in ('policy', 'form', 'task')),
  item_key        text not null,                                  -- as the pack calls it
  target_id       uuid not null,                                  -- the record here
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  unique (target_id),
  constraint pack_items_pack_name_bounded check (char_length(pack_name) <= 1000),
  constraint pack_items_pack_number_bounded check (char_length(pack_number) <= 100),
  constraint pack_items_publisher_bounded check (char_length(publisher) <= 1000),
  constraint pack_items_licence_bounded check (char_length(licence) <= 100),
  constraint pack_items_attribution_bounded check (char_length(attribution) <= 1000),
  constraint pack_items_item_key_bounded check (char_length(item_key) <= 100)
);
create index pack_items_pack on pack_items (organization_id, pack_id);
select sync.add_table('pack_items', 36, $$ sync.scopes(sync.org_scope(organization_id)) $$);

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
