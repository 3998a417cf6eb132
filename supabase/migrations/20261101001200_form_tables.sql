-- Forms, their versions, drafts and pictures: tables.

create table forms (
  id                 uuid primary key default gen_random_uuid(),
  organization_id    uuid not null references organizations (id) on delete cascade,
  playbook_id        uuid,
  name               text not null check (name <> ''),
  description        text,
  category           text,
  asset_category     text,                                        -- offered for assets of this category
  minutes            integer check (minutes > 0),                 -- how long it usually takes
  state              text not null default 'draft' check (state in ('draft', 'published', 'archived')),
  current_version_id uuid,                                        -- the version new inspections start with
  created_by         uuid references auth.users (id) on delete set null,
  created_at         timestamptz not null default now(),
  updated_at         timestamptz not null default now(),
  deleted_at         timestamptz,
  version            bigint not null default 1,
  unique (organization_id, id),
  foreign key (organization_id, playbook_id) references playbooks (organization_id, id) on delete set null (playbook_id),
  constraint forms_name_bounded check (char_length(name) <= 500),
  constraint forms_description_bounded check (char_length(description) <= 20000),
  constraint forms_category_bounded check (char_length(category) <= 200),
  constraint forms_asset_category_bounded check (char_length(asset_category) <= 200)
);
create index forms_about_oneself on forms (organization_id) where category = 'wellness' and deleted_at is null;
select sync.add_table('forms', 21, $$ sync.scopes(sync.org_scope(organization_id)) $$);

create table form_versions (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null,                                  -- copied from the form
  form_id         uuid not null,
  number          integer not null check (number > 0),            -- 1, 2, 3 …
  definition      jsonb not null check (jsonb_typeof(definition) = 'object'),   -- packages/core/src/field-ops/form-definition.ts
  source          text not null default 'builder' check (source in ('builder', 'xlsform', 'xform', 'json', 'seed')),
  created_by      uuid references auth.users (id) on delete set null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  changes         text check (char_length(changes) <= 500),
  unique (form_id, number),
  unique (form_id, id),
  foreign key (organization_id, form_id) references forms (organization_id, id) on delete cascade
);
select sync.add_table('form_versions', 22, $$ sync.scopes(sync.org_scope(organization_id)) $$);
alter table forms add foreign key (id, current_version_id) references form_versions (form_id, id)
    on delete set null (current_version_id) deferrable initially deferred;

-- Field operations: forms that are being built. A version never changes; what is edited stands beside it, once for each form,
-- until it is published as the next version.
create table form_drafts (
  id              uuid primary key,                               -- derivedId(form_id, 'draft')
  organization_id uuid not null,                                  -- copied from the form
  form_id         uuid not null unique,
  definition      jsonb check (jsonb_typeof(definition) = 'object'),   -- as form_versions.definition; null: nothing that is not published
  edited_by       uuid references auth.users (id) on delete set null,   -- who wrote it last
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  foreign key (organization_id, form_id) references forms (organization_id, id) on delete cascade
);
create index form_drafts_form on form_drafts (organization_id, form_id);
-- Everybody of the organisation has it, as they have the forms: there is no audience "may manage forms".
select sync.add_table('form_drafts', 23, $$ sync.scopes(sync.org_scope(organization_id)) $$,
  p_server_columns => array['edited_by']);

-- Field operations: pictures of choices. They are small and travel as rows, so that whoever has a form has its pictures, also
-- without a signal. A choice in a version names its picture by id; a picture never changes.
create table form_pictures (
  id              uuid primary key,
  organization_id uuid not null references organizations (id) on delete cascade,
  name            text not null check (btrim(name) <> '' and char_length(name) <= 200),   -- of the file it came from, as `media::image` says
  width           integer not null check (width between 1 and 1024),   -- px
  height          integer not null check (height between 1 and 1024),   -- px
  -- The bytes of a JPEG (it begins FF D8 FF), base64, at most 45 kB.
  data            text not null check (char_length(data) between 64 and 61440 and left(data, 4) = '/9j/' and data ~ '^[A-Za-z0-9+/]+={0,2}$'),
  created_by      uuid references auth.users (id) on delete set null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1
);
create index form_pictures_organization on form_pictures (organization_id);
create index form_pictures_creator on form_pictures (created_by);
select sync.add_table('form_pictures', 21, $$ sync.scopes(sync.org_scope(organization_id)) $$);
