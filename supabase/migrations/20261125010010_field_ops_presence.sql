-- Field operations: what proves that somebody was there. Each thing that happened at an inspection whose form asks for it (begun, tag
-- scanned, position taken or not, photo, signature, finished) is an entry; its text covers the hash of the entry before it, so that
-- none can be altered, taken out or put elsewhere unseen (docs/decisions/0612-presence-is-a-chain.md). Entries are only ever added.

create table presence_entries (
  id              uuid primary key,                              -- derivedId(strand, position)
  organization_id uuid not null,                                 -- copied from the inspection
  site_id         uuid,                                          -- copied from the inspection
  conductor_id    uuid references auth.users (id) on delete set null,   -- copied from the inspection: who is to read it
  inspection_id   uuid not null,
  strand          uuid not null,                                 -- one person on one device: two of them never write one chain
  position        integer not null check (position between 1 and 5000),   -- 1, 2, 3 …
  body            text not null check (char_length(body) between 2 and 4000),   -- canonical JSON: packages/core/src/field-ops/presence-chain.ts
  hash            text not null check (hash ~ '^[0-9a-f]{64}$'), -- sha-256 of body, hex
  by_id           uuid references auth.users (id) on delete set null,
  received_at     timestamptz,                                   -- server time: when it arrived
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  unique (inspection_id, strand, position),                      -- a fork is refused
  foreign key (organization_id, inspection_id) references inspections (organization_id, id) on delete cascade
);
create index presence_entries_inspection on presence_entries (organization_id, inspection_id);
create index presence_entries_conductor on presence_entries (conductor_id);
create index presence_entries_by on presence_entries (by_id);

select sync.add_table('presence_entries', 36,
  $$ sync.scopes(sync.place_scope(organization_id, site_id), sync.member_scope(organization_id, conductor_id)) $$,
  p_server_columns => array['site_id', 'conductor_id', 'by_id', 'received_at']);

create policy "scope reads" on presence_entries for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "conductors add" on presence_entries for insert to authenticated
  with check ((select sync.pushing()) and by_id = (select auth.uid())
    and organization_id in (select my_organizations_with('inspection.conduct')));
-- A push locks a row before it judges the edit, which takes the grant; without a policy it finds nothing to lock.
grant insert, update on presence_entries to authenticated;
-- No update and no delete: what was witnessed stays. Whose inspection it is, and that it follows: trigger guard_presence_entry.

-- Whether an entry's text says what its columns say, and follows the entry with that hash, where that one is there.
create function sync.is_presence_body(e public.presence_entries, p_previous text) returns boolean
  language plpgsql immutable set search_path = '' as $$
declare
  b jsonb;
begin
  b := e.body::jsonb;
  return coalesce(jsonb_typeof(b) = 'object'
    and (select array_agg(k order by k) from jsonb_object_keys(b) k)
      = array['at', 'by', 'facts', 'format', 'inspection', 'kind', 'position', 'previous', 'strand']
    and b -> 'format' = '1' and jsonb_typeof(b -> 'facts') = 'object'
    and b ->> 'inspection' = e.inspection_id::text and b ->> 'strand' = e.strand::text and b -> 'position' = to_jsonb(e.position)
    and b ->> 'previous' ~ '^[0-9a-f]{64}$' and b ->> 'previous' = coalesce(p_previous, b ->> 'previous')
    and b ->> 'kind' in ('started', 'scan', 'no_scan', 'position', 'no_position', 'photo', 'photo_removed', 'signature', 'finished')
    and jsonb_typeof(b -> 'at') = 'string' and b ->> 'at' ~ '^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$', false);
exception when data_exception then return false;
end $$;
revoke execute on function sync.is_presence_body(public.presence_entries, text) from public;

create function sync.guard_presence_entry() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
  i record;
  before text;
begin
  if tg_op = 'UPDATE' then
    if (new.id, new.inspection_id, new.strand, new.position, new.body, new.hash, new.deleted_at, new.received_at)
      is distinct from (old.id, old.inspection_id, old.strand, old.position, old.body, old.hash, old.deleted_at, old.received_at) then
      raise exception 'what was witnessed stays' using errcode = '42501';
    end if;
    return new;
  end if;
  select organization_id, site_id, status, conducted_by, assigned_to, scopes into i from public.inspections where id = new.inspection_id;
  if not found or caller is not null and not sync.is_in_sight(i.scopes) then
    raise exception 'an entry needs its inspection' using errcode = '23503';
  end if;
  new.organization_id := i.organization_id;
  new.site_id := i.site_id;
  new.conductor_id := coalesce(i.conducted_by, i.assigned_to);
  new.deleted_at := null;
  new.received_at := clock_timestamp();
  if caller is not null then
    new.by_id := caller;
    if not (coalesce(i.conducted_by = caller, false) or coalesce(i.assigned_to = caller, false)
      or i.conducted_by is null and i.assigned_to is null and (i.site_id is null or i.site_id in (select public.my_sites()))) then
      raise exception 'this is somebody else''s inspection' using errcode = '42501';
    end if;
    if sync.is_decided(i.status) then raise exception 'the inspection is decided' using errcode = '42501'; end if;
  end if;
  if exists (select from public.presence_entries e
      where e.inspection_id = new.inspection_id and e.strand = new.strand and e.by_id is distinct from new.by_id) then
    raise exception 'nobody goes on with somebody else''s chain' using errcode = '42501';
  end if;
  -- What is sent together goes before what is sent by itself, so an entry may come before the one it follows. Each names that one's
  -- hash: where a neighbour is there, it is the one, and a place that is taken is taken.
  select e.hash into before from public.presence_entries e
    where e.inspection_id = new.inspection_id and e.strand = new.strand and e.position = new.position - 1;
  if new.id <> extensions.uuid_generate_v5(new.strand, new.position::text)
    or new.hash <> encode(sha256(convert_to(new.body, 'UTF8')), 'hex')
    or not sync.is_presence_body(new, case when new.position = 1 then repeat('0', 64) else before end)
    or new.by_id is not null and new.body::jsonb ->> 'by' is distinct from new.by_id::text
    or exists (select from public.presence_entries e where e.inspection_id = new.inspection_id and e.strand = new.strand
      and e.position = new.position + 1 and e.body::jsonb ->> 'previous' <> new.hash) then
    raise exception 'this entry does not follow' using errcode = '23514', constraint = 'presence_entries_follow';
  end if;
  return new;
end $$;
create trigger a0_need_push before insert on presence_entries for each statement execute function sync.need_push();
create trigger b_outsider before insert on presence_entries for each row execute function sync.guard_outsider();
create trigger b_keep_organization before update on presence_entries for each row execute function sync.keep_organization();
create trigger c_guard before insert or update on presence_entries for each row execute function sync.guard_presence_entry();

-- As before; and what proves who was there stands where the inspection stands.
create or replace function sync.follow_inspection() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update public.inspection_events set site_id = new.site_id, conductor_id = coalesce(new.conducted_by, new.assigned_to)
    where inspection_id = new.id;
  update public.presence_entries set site_id = new.site_id, conductor_id = coalesce(new.conducted_by, new.assigned_to)
    where inspection_id = new.id;
  return null;
end $$;
