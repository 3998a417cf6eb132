-- Files: tables.

create table media (
  id              uuid primary key,
  organization_id uuid not null references organizations (id) on delete cascade,
  site_id         uuid,
  inspection_id   uuid,
  question        text,                                           -- the question it was taken for
  kind            text not null default 'photo' check (kind in ('photo', 'file')),
  mime            text not null,
  bytes           bigint not null check (bytes > 0),              -- size in bytes
  sha256          text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  width           integer,                                        -- px
  height          integer,                                        -- px
  state           text not null default 'pending' check (state in ('pending', 'complete')),
  captured_at     timestamptz not null,                           -- device time
  captured_by     uuid references auth.users (id) on delete set null,
  completed_at    timestamptz,                                    -- server time, when its bytes were verified
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  drawn_on        uuid,                                           -- the photo this is a marked copy of; no foreign key: either may arrive first
  duration_ms     integer check (duration_ms >= 0),               -- ms, of a sound recorded in the app
  -- A file may be meant for the holders of one permission, whatever place it belongs to; and what was picked has a name.
  audience        text references permissions (key) check (audience in ('evidence.read', 'policy.approve')),
  name            text check (name <> '' and char_length(name) <= 200 and name !~ '[/\\[:cntrl:]]'),   -- of a picked file; its bytes lie under its id
  submitted_at    timestamptz,                                    -- server time; null: its author's own device sent all of it
  submitted_by    uuid references auth.users (id) on delete set null,   -- null beside a time: their account is gone
  foreign key (organization_id, site_id) references sites (organization_id, id),
  foreign key (organization_id, inspection_id) references inspections (organization_id, id) on delete cascade,
  constraint media_size check (bytes <= 262144000),               -- bytes: 250 MiB
  -- Nobody takes what an inspection shows from those who see the inspection.
  constraint media_audience_alone check (audience is null or inspection_id is null),
  constraint media_of_policy check (audience is distinct from 'policy.approve' or site_id is null and bytes <= 26214400),
  constraint media_mime_bounded check (char_length(mime) <= 200),
  constraint media_question_bounded check (char_length(question) <= 2000)
);
create index media_inspection on media (organization_id, inspection_id);
-- The name of a file in the bucket `media`.
create unique index media_object on media ((organization_id::text || '/' || id::text));
-- What an administrator may still accept may still be sent: before, the bytes of work that was refused once were turned away. And who
-- captured a file brings its bytes also where they may see its row no more: what they saved before they were removed, or lost the
-- place, was as good as lost with the phone. A piece that names the file of somebody else brings nothing under it.
create index media_pending on media (captured_by) where state = 'pending' and deleted_at is null;
create index media_submitted_by on media (submitted_by) where submitted_by is not null;
select sync.add_table('media', 33, $$ sync.scopes(case when audience is null then sync.place_scope(organization_id, site_id) else sync.holder_scope(audience, organization_id) end,
    case when audience is distinct from 'policy.approve' then sync.member_scope(organization_id, captured_by) end) $$,
  p_server_columns => array['completed_at', 'state', 'submitted_at', 'submitted_by']);

-- A confirmation that took its time removed by name what it had found wrong, and with it the right bytes that had come there and were
-- confirmed meanwhile. Now it says which object it read, and asks before it removes. An object is never replaced, so that its id
-- stands for its bytes (file.refuse_file_overwrite).
create unlogged table sync.removal (
  object uuid primary key,                                        -- in storage.objects
  at     timestamptz not null default now()
);
