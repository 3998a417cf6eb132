-- What was signed stays as it was signed (docs/decisions/0709): an answer that another device brings once an inspection was finished
-- went into the signed report, where its question had none yet or its person chose to keep theirs. A finish is the work of one
-- device: what it still has of it belongs to it, and may come behind the finish; anything else waits until the inspection is sent back.

create table sync.finishes (
  inspection_id uuid primary key references public.inspections (id) on delete cascade,
  device        uuid                                   -- null: none is known, as where an administrator took work from a tray
);
alter table sync.finishes enable row level security;
comment on table sync.finishes is 'which device finished an inspection; gone while it is sent back';

-- Whose push this is, as `sync.claim` said it.
create function sync.device() returns uuid
  language sql stable set search_path = ''
  return case when sync.pushing() then nullif(current_setting('sync.device', true), '')::uuid end;

create function sync.note_finish() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if sync.is_finished(new.status) and (tg_op = 'INSERT' or not sync.is_finished(old.status)) then
    insert into sync.finishes (inspection_id, device) values (new.id, sync.device())
      on conflict (inspection_id) do update set device = excluded.device;
  elsif not sync.is_finished(new.status) then
    delete from sync.finishes where inspection_id = new.id;
  end if;
  return null;
end $$;
create trigger x_finish_insert after insert on inspections for each row when (sync.is_finished(new.status)) execute function sync.note_finish();
create trigger x_finish_update after update of status on inspections for each row
  when (old.status is distinct from new.status) execute function sync.note_finish();

-- Whether another device finished it than the one that pushes. Not in the day after a restore: what was taken in before a finish
-- may come again behind it.
create function sync.is_finished_elsewhere(p_inspection uuid) returns boolean
  language sql stable security definer set search_path = ''
  return sync.device() is not null and not sync.is_restored()
    and exists (select from sync.finishes f where f.inspection_id = p_inspection and f.device is distinct from sync.device());

create function sync.refuse_after_finish(p_inspection uuid) returns void
  language plpgsql stable set search_path = '' as $$
begin
  if sync.is_finished_elsewhere(p_inspection) then
    raise exception 'a finished inspection stays as it was signed' using errcode = '42501';
  end if;
end $$;

create function sync.guard_late_answer() returns trigger
  language plpgsql set search_path = '' as $$
begin
  perform sync.refuse_after_finish(new.inspection_id);
  return new;
end $$;
-- After every guard that says what others have: none of it is to be told by this one.
create trigger g_late before insert or update on inspection_answers for each row execute function sync.guard_late_answer();

-- Before it is compared with what was signed, so that nobody is asked to choose over what is not to be changed any more: an answer,
-- and another finish of the same inspection. Only of what the caller sees.
create function sync.refuse_late(m jsonb) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  op constant text := m ->> 'op';
  patch constant jsonb := coalesce(m -> 'patch', '{}');
  row_id constant uuid := (m ->> 'id')::uuid;
begin
  if m ->> 't' = 'inspection_answers' and not (op = 'resolve' and patch = '{}') then
    perform sync.refuse_after_finish((sync.see_row('inspection_answers', row_id) ->> 'inspection_id')::uuid);
  elsif m ->> 't' = 'inspections' and op in ('insert', 'update') and sync.is_finished(patch ->> 'status')
      and not coalesce(sync.is_finished(m -> 'base' ->> 'status'), false) and sync.see_row('inspections', row_id) is not null then
    perform sync.refuse_after_finish(row_id);
  end if;
end $$;

create or replace function sync.apply_mutation(m jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
begin
  if sync.is_restored() then return sync.apply_in_turn(m); end if;
  perform sync.refuse_late(m);
  return sync.apply_at_once(m);
end $$;

revoke execute on function sync.device(), sync.note_finish(), sync.is_finished_elsewhere(uuid), sync.refuse_after_finish(uuid),
  sync.guard_late_answer(), sync.refuse_late(jsonb) from public;
grant execute on function sync.device(), sync.is_finished_elsewhere(uuid), sync.refuse_after_finish(uuid), sync.refuse_late(jsonb) to authenticated;
