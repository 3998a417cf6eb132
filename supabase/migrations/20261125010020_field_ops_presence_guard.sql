-- Field operations: what the guard of presence entries let pass. A strand belongs to one inspection and one person, an entry's text says
-- each thing once and only what can be shown, entries go when their inspection is thrown away, and they are field work like the rest of it.

-- The id of an entry is made of its strand: whoever has read a strand could take its next places at an inspection of their own.
create index presence_entries_strand on presence_entries (strand);

-- As before; and no key twice (readers disagree on which of them counts), facts that are single values, and a moment that there is.
create or replace function sync.is_presence_body(e public.presence_entries, p_previous text) returns boolean
  language plpgsql stable set search_path = '' as $$
declare
  b jsonb;
begin
  b := e.body::jsonb;
  return coalesce(jsonb_typeof(b) = 'object' and jsonb_typeof(b -> 'facts') = 'object'
    and (select array_agg(k order by k collate "C") from json_object_keys(e.body::json) k)
      = array['at', 'by', 'facts', 'format', 'inspection', 'kind', 'position', 'previous', 'strand']
    and (select count(*) = count(distinct k) from json_object_keys(e.body::json -> 'facts') k)
    and not exists (select from jsonb_each(b -> 'facts') f where jsonb_typeof(f.value) in ('object', 'array'))
    and b -> 'format' = '1'
    and b ->> 'inspection' = e.inspection_id::text and b ->> 'strand' = e.strand::text and b -> 'position' = to_jsonb(e.position)
    and b ->> 'previous' ~ '^[0-9a-f]{64}$' and b ->> 'previous' = coalesce(p_previous, b ->> 'previous')
    and b ->> 'kind' in ('started', 'scan', 'no_scan', 'position', 'no_position', 'photo', 'photo_removed', 'signature', 'finished')
    and jsonb_typeof(b -> 'at') = 'string' and b ->> 'at' ~ '^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$'
    and isfinite((b ->> 'at')::timestamptz), false);
exception when data_exception then return false;
end $$;

-- As before; a strand that is another inspection's is nobody's to go on with, and what comes after the inspection was thrown away goes with it.
create or replace function sync.guard_presence_entry() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
  i record;
  before text;
begin
  if tg_op = 'UPDATE' then
    if (new.id, new.inspection_id, new.strand, new.position, new.body, new.hash, new.received_at)
      is distinct from (old.id, old.inspection_id, old.strand, old.position, old.body, old.hash, old.received_at)
      or new.deleted_at is distinct from old.deleted_at
        and new.deleted_at is distinct from (select x.deleted_at from public.inspections x where x.id = new.inspection_id) then
      raise exception 'what was witnessed stays' using errcode = '42501';
    end if;
    return new;
  end if;
  select organization_id, site_id, status, conducted_by, assigned_to, scopes, deleted_at into i
    from public.inspections where id = new.inspection_id;
  if not found or caller is not null and not sync.is_in_sight(i.scopes) then
    raise exception 'an entry needs its inspection' using errcode = '23503';
  end if;
  new.organization_id := i.organization_id;
  new.site_id := i.site_id;
  new.conductor_id := coalesce(i.conducted_by, i.assigned_to);
  new.deleted_at := i.deleted_at;
  new.received_at := clock_timestamp();
  if caller is not null then
    new.by_id := caller;
    if not (coalesce(i.conducted_by = caller, false) or coalesce(i.assigned_to = caller, false)
      or i.conducted_by is null and i.assigned_to is null and (i.site_id is null or i.site_id in (select public.my_sites()))) then
      raise exception 'this is somebody else''s inspection' using errcode = '42501';
    end if;
    if sync.is_decided(i.status) then raise exception 'the inspection is decided' using errcode = '42501'; end if;
  end if;
  -- One at a time within a strand: two at once would each miss the other as its neighbour.
  perform pg_advisory_xact_lock(hashtextextended('presence/' || new.strand, 0));
  if exists (select from public.presence_entries e
      where e.strand = new.strand and (e.inspection_id <> new.inspection_id or e.by_id is distinct from new.by_id)) then
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

-- A draft that is thrown away keeps nobody's position.
create function sync.discard_presence() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update public.presence_entries set deleted_at = new.deleted_at
    where inspection_id = new.id and deleted_at is distinct from new.deleted_at;
  return null;
end $$;
create trigger d_discard_presence after update of deleted_at on inspections for each row
  when (old.deleted_at is distinct from new.deleted_at) execute function sync.discard_presence();
revoke execute on function sync.discard_presence(), sync.guard_presence_entry() from public;

-- As before, with what proves presence: of a person who was removed meanwhile it goes to the tray with the rest of their inspection …
create or replace function sync.is_work(p_table text) returns boolean
  language sql stable security definer set search_path = '' as $$
  select coalesce(p_table in ('assets', 'inspections', 'inspection_answers', 'comments', 'action_items', 'media', 'issue_reports',
    'tasks', 'task_items', 'task_series', 'evidence', 'evidence_links', 'presence_entries') and sync.is_of_organization(p_table), false)
$$;

-- … and nobody else brings it in their name: who was there says so from their own device.
create or replace function sync.is_decision(p_table text, p_row jsonb) returns boolean
  language sql immutable parallel safe set search_path = '' return
  coalesce(case p_table
    when 'inspections' then p_row ->> 'status' in ('has_issues', 'approved', 'rejected', 'closed')
    when 'action_items' then p_row ->> 'status' in ('needs_revision', 'closed', 'risk_accepted', 'duplicate', 'not_valid') or p_row ->> 'outcome' is not null
    when 'issue_reports' then p_row ->> 'status' <> 'reported'
    when 'evidence' then p_row ->> 'state' in ('sent_back', 'accepted', 'superseded')
    when 'tasks' then p_row ->> 'status' = 'reopened' or p_row ->> 'status' = 'done' and p_row ->> 'reviewer_id' is not null
    when 'presence_entries' then true
    else false end, false);
