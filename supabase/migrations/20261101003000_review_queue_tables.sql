-- The review queue of orphaned edits: tables.

-- Work of somebody who was removed while their device was offline. The push refuses it with `not_a_member`; the device
-- hands the queue over once, to one review queue per organisation, and an administrator accepts or declines it. Accepting pushes
-- it as if the author were still a member: with the rights they had, in their name, under their own mutation ids.
create table sync.orphaned_edit (
  n               bigint generated always as identity unique,     -- order of arrival
  user_id         uuid not null references auth.users (id) on delete cascade,
  mid             uuid not null,
  organization_id uuid not null references public.organizations (id) on delete cascade,
  device          uuid,
  body            jsonb not null,                                 -- the mutation as the device sent it
  state           text not null default 'waiting' check (state in ('waiting', 'accepted', 'refused', 'declined')),
  result          jsonb,                                          -- the push's word for it, when accepted or refused
  submitted_at    timestamptz not null default now(),
  decided_at      timestamptz,
  decided_by      uuid references auth.users (id) on delete set null,
  submitted_by    uuid references auth.users (id) on delete set null,
  bytes           integer not null generated always as (octet_length(body::text)) stored,
  checked         uuid,                                           -- in storage.objects: its bytes are what the piece says
  primary key (user_id, mid)
);
create index orphaned_edit_organization on sync.orphaned_edit (organization_id, state, n);
create index orphaned_edit_row on sync.orphaned_edit (user_id, organization_id, ((body ->> 'id')));
-- A file of handed-over work is confirmed like any other (decision 14): its bytes may come after an administrator accepted the work,
-- who asked for them when they were not there, and nobody asked again. Its author, or who brought it, asks when they have sent it.
create index orphaned_edit_submitter on sync.orphaned_edit (submitted_by) where submitted_by is not null;
create index orphaned_edit_file on sync.orphaned_edit ((body ->> 'id')) where body ->> 't' = 'media' and body ->> 'op' = 'insert';

-- Who had a hand in bringing a record counts as its author while somebody else may decide on it
-- (docs/decisions/22-separation-of-duties-and-frozen-records.md); and an id is an id, however it is written.

-- Whose hands brought or accepted what came by the review queue, for as long as the record lives: the review queue itself is emptied.
create table sync.submitted_record (
  tbl    text not null,                                           -- public table
  id     uuid not null,
  person uuid not null references auth.users (id) on delete cascade,
  involvement text not null check (involvement in ('submitted', 'accepted')),
  primary key (tbl, id, person, involvement)
);
create index submitted_record_person on sync.submitted_record (person);
