-- What comes from outside: public report codes and guests: tables.

create table report_codes (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations (id) on delete cascade,
  site_id         uuid,                                           -- neither site nor asset: the organisation
  asset_id        uuid,
  spot            text check (spot <> '' and char_length(spot) <= 80),   -- where it hangs: "Gate 2"
  created_by      uuid references auth.users (id) on delete set null,
  created_at      timestamptz not null default now(),
  rotated_at      timestamptz not null default now(),             -- since when its present token holds
  paused_at       timestamptz,
  paused_because  text check (paused_because in ('hand', 'flood')),
  revoked_at      timestamptz,
  counted_from    timestamptz not null default now(),             -- the flood guard counts no report from before
  reports         integer not null default 0,                     -- reports that came by it
  last_report_at  timestamptz,
  foreign key (organization_id, site_id) references sites (organization_id, id) on delete cascade,
  foreign key (organization_id, asset_id) references assets (organization_id, id) on delete cascade,
  check ((paused_at is null) = (paused_because is null)),
  check (site_id is null or asset_id is null)
);
create index report_codes_organization on report_codes (organization_id, created_at);
create index report_codes_site on report_codes (site_id);
create index report_codes_asset on report_codes (asset_id);
create index report_codes_created_by on report_codes (created_by);

-- No write: the calls below.

-- Who may be asked back. Apart from the report, which everybody at the place has on their device.
create table report_contacts (
  id              uuid primary key references issue_reports (id) on delete cascade,   -- of the report
  organization_id uuid not null references organizations (id) on delete cascade,
  name            text check (name <> '' and char_length(name) <= 100),
  contact         text check (contact <> '' and char_length(contact) <= 200),
  created_at      timestamptz not null default now(),
  check (name is not null or contact is not null)
);
create index report_contacts_organization on report_contacts (organization_id);

create table intake.code_token (
  hash    bytea primary key,                                      -- sha-256 of the token
  code_id uuid not null unique references public.report_codes (id) on delete cascade
);

-- One report that was taken. Its key was made on the visitor's phone: it says that a repeated call is the same one, and
-- lets its photos follow.
create table intake.submission (
  key_hash   bytea primary key,                                   -- sha-256 of the key
  code_id    uuid not null references public.report_codes (id) on delete cascade,
  report_id  uuid not null unique references public.issue_reports (id) on delete cascade,
  body_hash  bytea not null,
  bytes      bigint not null,                                     -- of its photos, as announced
  created_at timestamptz not null default clock_timestamp()
);
create index submission_code on intake.submission (code_id, created_at);

-- Photos that were announced. A row of `media` is made when the bytes are there: until then the path is nobody's to write.
create table intake.photo (
  report_id uuid not null references public.issue_reports (id) on delete cascade,
  n         integer not null check (n between 1 and 5),
  media_id  uuid not null unique default gen_random_uuid(),
  bytes     bigint not null check (bytes between 1 and 8000000),
  sha256    text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  stored_at timestamptz,
  primary key (report_id, n)
);

-- Guest links: somebody outside the organisation does one action item, by a link in a letter, without an account. Whoever may assign
-- the item gives the link, sees when it was opened and takes it back. Only hashes of tokens are kept, in a schema the API does not
-- serve. What comes by a link moves the item to its check and never further (docs/decisions/32-action-items-findings-and-guests.md).
create table intake.guest_link (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations (id) on delete cascade,
  action_id       uuid not null references public.action_items (id) on delete cascade,
  name            text not null check (btrim(name) <> '' and char_length(name) <= 100),
  email           text not null check (char_length(email) <= 254 and email ~ '^[^@\s<>"(),:;\\]+@[^@\s<>"(),:;\\]+\.[^@\s<>"(),:;\\]+$'),
  until           date not null check (until >= date '1970-01-01' and until < date '2200-01-01'),   -- last day it opens, wherever one is
  state           text not null default 'given' check (state in ('given', 'accepted', 'declined', 'done')),   -- the guest's last word
  created_by      uuid references auth.users (id) on delete set null,
  created_at      timestamptz not null default now(),
  sent_at         timestamptz not null default now(),             -- when the last letter was asked for
  opened_at       timestamptz,                                    -- first
  seen_at         timestamptz,                                    -- last
  revoked_at      timestamptz
);
create index guest_link_action on intake.guest_link (action_id);
create index guest_link_organization on intake.guest_link (organization_id);
create index guest_link_created_by on intake.guest_link (created_by);

-- Each letter has a token of its own: a second letter must not end what somebody is writing behind the first one.
create table intake.guest_token (
  hash    bytea primary key,                                      -- sha-256 of the token
  link_id uuid not null references intake.guest_link (id) on delete cascade
);
create index guest_token_link on intake.guest_token (link_id);

-- One word of a guest that was taken. Its key was made on their phone: a repeated call is the same one, and its photos may follow.
create table intake.guest_reply (
  key_hash   bytea primary key,                                   -- sha-256 of the key
  link_id    uuid not null references intake.guest_link (id) on delete cascade,
  act        text not null check (act in ('accept', 'decline', 'done')),
  comment_id uuid,
  body_hash  bytea not null,
  bytes      bigint not null,                                     -- of its photos, as announced
  replied_at timestamptz not null,                                -- the phone's clock, within what it may have waited
  created_at timestamptz not null default clock_timestamp()
);
create index guest_reply_link on intake.guest_reply (link_id, created_at);
create index guest_reply_comment on intake.guest_reply (comment_id);

create table intake.guest_photo (
  key_hash bytea not null references intake.guest_reply (key_hash) on delete cascade,
  n        integer not null check (n between 1 and 5),
  media_id uuid not null unique default gen_random_uuid(),
  bytes    bigint not null check (bytes between 1 and 8000000),
  sha256   text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  stored_at timestamptz,
  primary key (key_hash, n)
);
