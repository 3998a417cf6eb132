-- Weekly briefs of Triad Intelligence: tables.

-- The weekly brief: what a week says in figures, put together by fixed rules from what the operator of a circle is granted,
-- looked through by them, approved by the person line by line, and only then sent to those of the circle whom the person chose.

-- One week of one person with one operator. Who is named, which week and how far it is; nothing of what it says.
create table triad_briefs (
  id              uuid primary key default gen_random_uuid(),
  relationship_id uuid not null references circle_relationships (id) on delete cascade,   -- the operator's
  subject_id      uuid not null references auth.users (id) on delete cascade,   -- whose week it is
  operator_id     uuid not null references auth.users (id) on delete cascade,   -- who looks it through
  week            date not null check (extract(isodow from week) = 1 and week >= date '2020-01-06' and week < date '2200-01-01'),   -- its Monday
  state           text not null default 'review' check (state in ('review', 'approval', 'sent', 'kept', 'withdrawn')),
  reviewed_at     timestamptz,                                    -- server time
  decided_at      timestamptz,                                    -- server time
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  unique (relationship_id, week)
);
create index triad_briefs_subject on triad_briefs (subject_id);
create index triad_briefs_operator on triad_briefs (operator_id);
select sync.add_table('triad_briefs', 45, $$ sync.scopes(sync.user_scope(subject_id), sync.user_scope(operator_id)) $$);
alter table grant_reads add foreign key (brief_id) references triad_briefs (id) on delete set null;

-- What it says: one line per thing that is granted. The person alone has these rows; the operator reads them by
-- `brief_for_review`, which writes it down.
create table triad_brief_lines (
  id          uuid primary key default gen_random_uuid(),
  brief_id    uuid not null references triad_briefs (id) on delete cascade,
  subject_id  uuid not null references auth.users (id) on delete cascade,
  grant_id    uuid not null references consent_grants (id) on delete cascade,   -- the operator's, from which it was made
  scope       text not null,
  level       text not null,                                      -- how much it tells: what somebody must be granted to be sent it
  kind        text not null check (kind in ('goals', 'habits', 'wellness', 'week', 'tasks')),
  position    integer not null,                                   -- order in the brief, lower first
  figures     jsonb not null check (jsonb_typeof(figures) = 'object'),
  item_ids    jsonb not null default '[]' check (jsonb_typeof(item_ids) = 'array'),   -- which goals, habits or tasks were counted
  wording     text check (btrim(wording) <> '' and char_length(wording) <= 400),   -- the operator's words beside the figures
  is_left_out boolean not null default false,                     -- by the operator
  is_approved boolean not null default false,                     -- by the person
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now(),
  deleted_at  timestamptz,
  version     bigint not null default 1,
  unique (brief_id, kind),
  constraint triad_brief_lines_level_bounded check (char_length(level) <= 100),
  constraint triad_brief_lines_scope_bounded check (char_length(scope) <= 100),
  constraint triad_brief_lines_figures_bounded check (octet_length(figures::text) <= 100000),
  constraint triad_brief_lines_item_ids_bounded check (octet_length(item_ids::text) <= 40000)
);
create index triad_brief_lines_subject on triad_brief_lines (subject_id);
create index triad_brief_lines_grant on triad_brief_lines (grant_id);
select sync.add_table('triad_brief_lines', 46, $$ sync.scopes(sync.user_scope(subject_id)) $$);

-- What was sent to one of the circle. It goes to their devices as long as the two have to do with each other and it was not taken back.
create table triad_brief_copies (
  id              uuid primary key default gen_random_uuid(),
  brief_id        uuid not null references triad_briefs (id) on delete cascade,
  relationship_id uuid not null references circle_relationships (id) on delete cascade,   -- the receiver's
  subject_id      uuid not null references auth.users (id) on delete cascade,
  helper_id       uuid not null references auth.users (id) on delete cascade,
  week            date not null,                                  -- its Monday
  lines           jsonb not null check (jsonb_typeof(lines) = 'array'),   -- [{id, scope, level, kind, figures, wording}]
  sent_at         timestamptz not null default now(),             -- server time
  taken_back_at   timestamptz,                                    -- server time
  is_open         boolean not null default true,                  -- the receiver has it
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  unique (brief_id, relationship_id),
  constraint triad_brief_copies_lines_bounded check (octet_length(lines::text) <= 1000000)
);
create index triad_brief_copies_relationship on triad_brief_copies (relationship_id);
create index triad_brief_copies_subject on triad_brief_copies (subject_id);
create index triad_brief_copies_helper on triad_brief_copies (helper_id);
select sync.add_table('triad_brief_copies', 46, $$ sync.scopes(sync.user_scope(subject_id), case when is_open then sync.user_scope(helper_id) end) $$);
