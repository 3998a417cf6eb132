-- Identity: invitations, partner links, tiers, support, sessions, what is looked at before every request: tables.

create table organization_invitations (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations (id) on delete cascade,
  email           text,                                           -- lower case; null: whoever has the link
  role            text not null check (role in ('admin', 'manager', 'member', 'auditor')),
  site_ids        uuid[] not null default '{}',
  valid_until     timestamptz,                                    -- of the membership
  created_by      uuid not null references auth.users (id) on delete cascade,
  created_at      timestamptz not null default now(),
  expires_at      timestamptz not null default now() + interval '14 days',
  accepted_at     timestamptz,
  accepted_by     uuid references auth.users (id) on delete set null,
  revoked_at      timestamptz,
  constraint organization_invitations_email_bounded check (char_length(email) <= 400),
  constraint organization_invitations_site_ids_bounded check (octet_length(site_ids::text) <= 80000)
);
create index organization_invitations_organization on organization_invitations (organization_id, created_at);
create index organization_invitations_created_by on organization_invitations (created_by);

-- No write: the calls below.
create table partner_links (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations (id) on delete cascade,
  name            text not null check (name <> ''),
  max_uses        integer check (max_uses > 0),                   -- people; null: no limit
  uses            integer not null default 0,                     -- people who joined
  created_by      uuid not null references auth.users (id) on delete cascade,
  created_at      timestamptz not null default now(),
  expires_at      timestamptz not null,
  revoked_at      timestamptz,
  constraint partner_links_name_bounded check (char_length(name) <= 500)
);
create index partner_links_organization on partner_links (organization_id, created_at);

-- No write: the calls below.
create table identity.invitation_token (
  hash          bytea primary key,                                -- sha-256 of the token
  invitation_id uuid not null unique references public.organization_invitations (id) on delete cascade
);

create table identity.partner_link_token (
  hash            bytea primary key,
  partner_link_id uuid not null unique references public.partner_links (id) on delete cascade
);

-- Tiers: what each may do stands in one table; which one a person has follows from their roles; quotas are counted here.

-- Read by every signed-in person, so that a device without signal knows its owner's abilities.
create table subscription_tiers (
  id                     uuid primary key default gen_random_uuid(),
  tier                   text not null unique check (tier in ('personal_consumer', 'personal_creator', 'company_enterprise')),
  can_create_content     boolean not null,
  can_access_marketplace boolean not null,
  can_earn_revenue       boolean not null,
  has_subscription       boolean not null,
  media_search_quota     integer not null check (media_search_quota >= 0),   -- searches a calendar month (UTC)
  media_sources          jsonb not null check (jsonb_typeof(media_sources) = 'array'),
  auto_recommendations   boolean not null,
  video_generation       boolean not null,
  monthly_video_credits  integer not null check (monthly_video_credits >= 0),   -- credits a calendar month (UTC)
  can_buy_credits        boolean not null,
  can_enhance_videos     boolean not null,
  auto_transcribe        boolean not null,
  created_at             timestamptz not null default now(),
  updated_at             timestamptz not null default now(),
  deleted_at             timestamptz,
  version                bigint not null default 1,
  constraint subscription_tiers_media_sources_bounded check (octet_length(media_sources::text) <= 20000)
);
select sync.add_table('subscription_tiers', 9, $$ array['all'] $$);

-- A person's tier, kept by triggers on what it follows from, in their own feed.
create table subscriptions (
  id         uuid primary key references auth.users (id) on delete cascade,   -- the person
  tier       text not null default 'personal_consumer' references subscription_tiers (tier)
    check (tier in ('personal_consumer', 'personal_creator', 'company_enterprise')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  version    bigint not null default 1
);
select sync.add_table('subscriptions', 12, $$ sync.scopes(sync.user_scope(id)) $$,
  p_server_columns => array['tier']);

-- Monthly quotas. Months are of UTC. The row of the month is locked while it is judged, so that two calls at once cannot
-- both take the last one; a request id counts once, however often it is sent.
create table identity.quota_use (
  user_id uuid not null references auth.users (id) on delete cascade,
  quota   text not null check (quota in ('media_search', 'video_credits')),
  month   date not null,
  used    integer not null default 0 check (used >= 0),
  primary key (user_id, quota, month)
);

create table identity.credit_balance (
  user_id uuid primary key references auth.users (id) on delete cascade,
  credits integer not null default 0 check (credits >= 0)         -- bought video credits that are left; they do not expire
);

create table identity.quota_request (
  user_id     uuid not null references auth.users (id) on delete cascade,
  id          uuid not null,                                      -- made by the caller
  quota       text not null,
  month       date not null,
  from_month  integer not null,                                   -- how much the month's quota gave
  from_bought integer not null,                                   -- how much bought credits gave
  at          timestamptz not null default now(),
  refunded_at timestamptz,
  primary key (user_id, id)
);

-- More credits: asked for by a person whose tier may buy, decided by whoever fulfils purchases.
create table purchase_requests (
  id           uuid primary key,                                  -- made by the caller
  user_id      uuid not null references auth.users (id) on delete cascade,
  item         text not null default 'video_credits' check (item in ('video_credits')),
  amount       integer not null check (amount between 1 and 1000),   -- credits
  state        text not null default 'requested' check (state in ('requested', 'fulfilled', 'declined', 'cancelled')),
  requested_at timestamptz not null default now(),
  decided_at   timestamptz,
  decided_by   uuid references auth.users (id) on delete set null
);
create index purchase_requests_user on purchase_requests (user_id, requested_at);
create index purchase_requests_open on purchase_requests (requested_at) where state = 'requested';

-- Customer support sees companies, read-only, and only through these calls: they read and log in one transaction. Plain
-- select gives support no foreign row, a private space is never answered, and the organisation sees the log.
create table support_reads (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid references organizations (id) on delete set null,
  reader_id       uuid references auth.users (id) on delete set null,
  tbl             text not null,
  row_ids         uuid[] not null,
  reason          text not null check (length(reason) between 3 and 500),
  at              timestamptz not null default now(),
  constraint support_reads_tbl_bounded check (char_length(tbl) <= 100),
  constraint support_reads_row_ids_bounded check (octet_length(row_ids::text) <= 4000000)
);
create index support_reads_organization on support_reads (organization_id, at);
create index support_reads_reader on support_reads (reader_id, at);

-- A membership that ends by the clock changes no row, so nothing would tell its devices: they would keep what they hold
-- until they pull for another reason. The scheduler looks each minute for those whose time has come and nudges them.
create table sync.sweep_cursor (
  what text primary key,
  at   timestamptz not null                                       -- up to when it was looked
);

-- How many letters invitations may cause. Whoever founds a company may invite, so without a bound anybody could flood a
-- mailbox with renewed invitations, or many mailboxes from many companies.
create table identity.invitation_email (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  sender_id       uuid not null references auth.users (id) on delete cascade,
  address_hash    bytea not null,                                 -- SHA-256: who was invited is nobody's business for longer than needed
  at              timestamptz not null default now()
);
create index invitation_email_address on identity.invitation_email (address_hash, at);
create index invitation_email_sender on identity.invitation_email (sender_id, at);

-- No write: the calls below.
create table identity.circle_invitation_token (
  hash          bytea primary key,                                -- sha-256 of the token
  invitation_id uuid not null unique
);

-- A device whose person deleted their account elsewhere is told so (docs/decisions/40-preferences-texts-and-account-lifecycle.md): until now it heard what it hears of any
-- session that is over, asked for a password that no longer exists, and kept the person's records for ever. Who may learn it holds a
-- refresh token that was truly given to that account. Of the account nothing is kept for it: a hash of a random token leads to nobody.
create table identity.ended_tokens (
  hash     bytea primary key,                                     -- SHA-256 of the token as the sign-in service stored it
  ended_at timestamptz not null default now()
);
comment on table identity.ended_tokens is 'refresh tokens of accounts that were deleted; read by account_has_ended and the sign-in service';
