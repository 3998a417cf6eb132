-- The review queue of orphaned edits: tables.

-- Work of somebody who was removed while their device was offline. The push refuses it with `not_a_member`; the device
-- hands the queue over once, to one tray per organisation, and an administrator accepts or declines it. Accepting pushes
-- it as if the author were still a member: with the rights they had, in their name, under their own mutation ids.
create table sync.unsent (
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
  brought_by      uuid references auth.users (id) on delete set null,
  bytes           integer not null generated always as (octet_length(body::text)) stored,
  checked         uuid,                                           -- in storage.objects: its bytes are what the piece says
  primary key (user_id, mid)
);
create index unsent_organization on sync.unsent (organization_id, state, n);
create index unsent_row on sync.unsent (user_id, organization_id, ((body ->> 'id')));
-- A file of handed-over work is confirmed like any other (decision 0695): its bytes may come after an administrator accepted the work,
-- who asked for them when they were not there, and nobody asked again. Its author, or who brought it, asks when they have sent it.
create index unsent_brought on sync.unsent (brought_by) where brought_by is not null;
create index unsent_file on sync.unsent ((body ->> 'id')) where body ->> 't' = 'media' and body ->> 'op' = 'insert';

-- Who had a hand in bringing a record counts as its author while somebody else may decide on it
-- (docs/decisions/0361-who-brings-does-not-decide.md); and an id is an id, however it is written.

-- Whose hands brought or accepted what came by the tray, for as long as the record lives: the tray itself is emptied.
create table sync.brought (
  tbl    text not null,                                           -- public table
  id     uuid not null,
  person uuid not null references auth.users (id) on delete cascade,
  hand   text not null check (hand in ('brought', 'accepted')),
  primary key (tbl, id, person, hand)
);
create index brought_person on sync.brought (person);
