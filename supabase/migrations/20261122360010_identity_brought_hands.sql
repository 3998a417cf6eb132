-- Who had a hand in bringing a record counts as its author while somebody else may decide on it
-- (docs/decisions/0361-who-brings-does-not-decide.md); and an id is an id, however it is written.

-- Whose hands brought or accepted what came by the tray, for as long as the record lives: the tray itself is emptied.
create table sync.brought (
  tbl    text not null,                                -- public table
  id     uuid not null,
  person uuid not null references auth.users (id) on delete cascade,
  hand   text not null check (hand in ('brought', 'accepted')),
  primary key (tbl, id, person, hand)
);
create index brought_person on sync.brought (person);
alter table sync.brought enable row level security;

-- What is written about a part is written about the whole.
create function sync.whole_of(p_table text, p_id uuid) returns table (tbl text, id uuid)
  language sql stable security definer set search_path = '' as $$
  select p_table, p_id
  union all select 'inspections', a.inspection_id from public.inspection_answers a where p_table = 'inspection_answers' and a.id = p_id
  union all select 'inspections', m.inspection_id from public.media m where p_table = 'media' and m.id = p_id and m.inspection_id is not null
  union all select 'tasks', i.task_id from public.task_items i where p_table = 'task_items' and i.id = p_id
  union all select 'evidence', e.id from public.evidence e where p_table = 'media' and e.media_ids <> '[]' and e.media_ids ? p_id::text
$$;

create function sync.note_hands() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  insert into sync.brought (tbl, id, person, hand)
    select w.tbl, w.id, h.person, h.hand
    from sync.whole_of(new.body ->> 't', (new.body ->> 'id')::uuid) w
    cross join (values (new.brought_by, 'brought'), (new.decided_by, 'accepted')) h (person, hand)
    where h.person is not null
    on conflict do nothing;
  return null;
end $$;
create trigger x_hands after update of state on sync.unsent for each row
  when (new.state = 'accepted' and old.state <> 'accepted') execute function sync.note_hands();

create function sync.had_hand(p_table text, p_id uuid, p_person uuid) returns boolean
  language sql stable security definer set search_path = '' return
  exists (select from sync.brought b where b.tbl = p_table and b.id = p_id and b.person = p_person);

-- As before, and so does who had a hand in it. Whoever merely did it still counts as somebody else for them, so that two
-- reviewers never wait for each other.
create or replace function sync.guard_own_review() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
  deciding constant uuid[] := array_remove(array[caller, sync.accepted_by()], null);
  conductor constant uuid := case when tg_op = 'UPDATE' then old.conducted_by else new.conducted_by end;
begin
  if caller is null or (tg_op = 'UPDATE' and new.status is not distinct from old.status) then return new; end if;
  if exists (select from unnest(deciding) d where sync.did_inspection(new.id, conductor, d) or sync.had_hand('inspections', new.id, d))
    and exists (select from inbox.people_with('inspection.review', new.organization_id, new.site_id) p
      where p <> all (deciding) and not sync.had_hand('inspections', new.id, p)) then
    raise exception 'somebody else decides on one''s own inspection' using errcode = '42501';
  end if;
  return new;
end $$;

create or replace function sync.is_own_evidence(p public.evidence, p_caller uuid) returns boolean
  language sql stable security definer set search_path = '' return
  coalesce(p_caller in (p.created_by, p.owner_id), false)
    and exists (select from inbox.people_with('evidence.review', p.organization_id, null) q
      where q is distinct from p.created_by and q is distinct from p.owner_id and not sync.had_hand('evidence', p.id, q))
  or sync.had_hand('evidence', p.id, p_caller)
    and exists (select from inbox.people_with('evidence.review', p.organization_id, null) q
      where q <> p_caller and not sync.had_hand('evidence', p.id, q));

-- As before; of what came by the tray every later entry says who had brought it.
create or replace function audit.note(p_organization uuid, p_act text, p_table text, p_subject uuid, p_detail jsonb default '{}') returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  acceptor constant uuid := nullif(sync.accepted_by(), auth.uid());
begin
  if not exists (select from public.organizations o where o.id = p_organization and o.kind = 'company') then return; end if;
  insert into audit.noted (xid, organization_id, actor_id, act, subject_table, subject_id, detail)
    values (pg_current_xact_id(), p_organization, auth.uid(), p_act, p_table, p_subject, jsonb_strip_nulls(p_detail)
      || jsonb_strip_nulls(jsonb_build_object('accepted_by', acceptor,
        'brought_by', case when acceptor is not null then sync.bringer_of(p_organization, p_subject)
          else (select b.person from sync.brought b where b.tbl = p_table and b.id = p_subject and b.hand = 'brought' limit 1) end)));
  insert into sync.pending (xid) values (pg_current_xact_id()) on conflict do nothing;
end $$;

-- As before; the ids of records are written as every device writes them, so that no rule that compares words is passed by capitals.
create or replace function sync.is_piece(m jsonb) returns boolean
  language sql stable
  return jsonb_typeof(m) = 'object' and sync.is_uuid(m ->> 'mid') and sync.is_uuid(m ->> 'id') and m ->> 'id' = lower(m ->> 'id')
    and sync.is_work(m ->> 't')
    and coalesce(m ->> 'op' in ('insert', 'update', 'delete'), false) and jsonb_typeof(coalesce(m -> 'patch', '{}')) = 'object'
    and jsonb_typeof(coalesce(m -> 'base', '{}')) = 'object' and (m -> 'patch' ->> 'organization_id' is null or sync.is_uuid(m -> 'patch' ->> 'organization_id'))
    and coalesce(m ->> 'bv' ~ '^[0-9]{1,18}$', true);

-- Whether what stands under this id is decided on.
create function sync.is_record_decided(p_table text, p_id uuid) returns boolean
  language plpgsql stable security definer set search_path = '' as $$
declare
  present jsonb;
begin
  if not sync.is_of_organization(p_table) then return false; end if;
  execute format('select to_jsonb(x) from public.%I x where x.id = $1', p_table) into present using p_id;
  return coalesce(sync.is_decision(p_table, present), false);
end $$;

-- As before; to take away what was decided on is a decision as well.
create or replace function sync.home_of_piece(m jsonb, p_organization uuid, p_author uuid) returns uuid
  language plpgsql stable security definer set search_path = '' as $$
begin
  if p_author is distinct from auth.uid() and (sync.is_decision(m ->> 't', m -> 'patch')
    or m ->> 'op' = 'delete' and sync.is_record_decided(m ->> 't', (m ->> 'id')::uuid)) then return null; end if;
  if m ->> 'op' = 'insert' then return (m -> 'patch' ->> 'organization_id')::uuid; end if;
  return coalesce((select u.organization_id from sync.unsent u
    where u.user_id = p_author and u.organization_id = p_organization and lower(u.body ->> 'id') = lower(m ->> 'id')
      and u.body ->> 't' = m ->> 't' limit 1),
    sync.organization_of(m));
end $$;

create or replace function sync.bringer_of(p_organization uuid, p_id uuid) returns uuid
  language sql stable security definer set search_path = '' as $$
  select u.brought_by from sync.unsent u
  where sync.accepted_by() is not null and u.user_id = auth.uid() and u.organization_id = p_organization and lower(u.body ->> 'id') = p_id::text
    and u.brought_by is not null and u.state in ('waiting', 'refused') limit 1
$$;

create or replace function sync.guard_brought() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if sync.accepted_by() is null then return new; end if;
  if tg_op = 'UPDATE' and sync.is_decision(tg_table_name, to_jsonb(old)) then
    if to_jsonb(old) -> 'status' = to_jsonb(new) -> 'status' and (old.deleted_at is null) = (new.deleted_at is null) then return new; end if;
  elsif not sync.is_decision(tg_table_name, to_jsonb(new)) then
    return new;
  end if;
  if sync.bringer_of(new.organization_id, new.id) is not null then
    raise exception 'a decision is given in one''s own name' using errcode = '42501';
  end if;
  return new;
end $$;

revoke execute on function sync.whole_of(text, uuid), sync.note_hands(), sync.had_hand(text, uuid, uuid), sync.is_record_decided(text, uuid) from public;
