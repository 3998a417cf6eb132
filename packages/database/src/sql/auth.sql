-- Second factors, as GoTrue keeps them; the library's schema stops before them. Kinds and states are plain text with a
-- check where GoTrue has enums: a query that compares them with a literal reads the same on both.
create table if not exists auth.mfa_factors (
  id                 uuid primary key,
  user_id            uuid not null references auth.users (id) on delete cascade,
  friendly_name      text,
  factor_type        text not null check (factor_type in ('totp', 'phone', 'webauthn', 'recovery_code')),
  status             text not null check (status in ('unverified', 'verified')),
  created_at         timestamptz not null default now(),
  updated_at         timestamptz not null default now(),
  secret             text,
  last_challenged_at timestamptz
);
-- The last half minute whose code was taken: each code opens once (RFC 6238, 5.2).
alter table auth.mfa_factors add column if not exists last_totp_step bigint;
create unique index if not exists mfa_factors_user_friendly_name_unique
  on auth.mfa_factors (friendly_name, user_id) where trim(friendly_name) <> '';
create index if not exists mfa_factors_user_id_idx on auth.mfa_factors (user_id);

create table if not exists auth.mfa_challenges (
  id          uuid primary key,
  factor_id   uuid not null references auth.mfa_factors (id) on delete cascade,
  created_at  timestamptz not null default now(),
  verified_at timestamptz,
  ip_address  text not null
);
create index if not exists mfa_challenges_factor_id_idx on auth.mfa_challenges (factor_id);

create table if not exists auth.mfa_amr_claims (
  session_id            uuid not null references auth.sessions (id) on delete cascade,
  authentication_method text not null,
  created_at            timestamptz not null default now(),
  updated_at            timestamptz not null default now(),
  constraint mfa_amr_claims_session_id_authentication_method_pkey unique (session_id, authentication_method)
);

-- GoTrue's, too: here it marks the session that asked for a new address.
alter table auth.sessions add column if not exists tag text;

create table if not exists auth.mfa_recovery_code_sets (
  id                        uuid primary key,
  user_id                   uuid not null unique references auth.users (id) on delete cascade,
  mfa_factor_id             uuid not null references auth.mfa_factors (id) on delete cascade,
  failed_verification_count integer not null default 0,
  verification_locked_until timestamptz
);

create table if not exists auth.mfa_recovery_codes (
  id          uuid primary key default gen_random_uuid(),
  set_id      uuid not null references auth.mfa_recovery_code_sets (id) on delete cascade,
  code_hash   text not null,
  consumed_at timestamptz
);
create index if not exists mfa_recovery_codes_set_id_idx on auth.mfa_recovery_codes (set_id);

-- A code that was sent and still works beside a later one of the same kind: whoever asks for another one, for themselves or for somebody
-- else, takes nobody's letter away. `kind` is the column of auth.users in which the present one stands.
create table if not exists auth.earlier_codes (
  user_id uuid not null references auth.users (id) on delete cascade,
  kind    text not null,
  token   text not null,                                          -- a keyed hash
  sent_at timestamptz not null,
  primary key (user_id, kind)
);
create index if not exists earlier_codes_token_idx on auth.earlier_codes (token);
