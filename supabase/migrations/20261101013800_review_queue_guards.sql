-- The review queue of orphaned edits: guards and what else triggers do, and who sees and writes which rows.

-- Pieces add up: which status a record ends in shows only where they are put together.
create function review_queue.guard_brought() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if review_queue.accepted_by() is null then return new; end if;
  if tg_op = 'UPDATE' and review_queue.is_decision(tg_table_name, to_jsonb(old)) then
    if to_jsonb(old) -> 'status' = to_jsonb(new) -> 'status' and (old.deleted_at is null) = (new.deleted_at is null) then return new; end if;
  elsif not review_queue.is_decision(tg_table_name, to_jsonb(new)) then
    return new;
  end if;
  if review_queue.bringer_of(new.organization_id, new.id) is not null then
    raise exception 'a decision is given in one''s own name' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger d_brought before insert or update on inspections for each row execute function review_queue.guard_brought();
create trigger d_brought before insert or update on action_items for each row execute function review_queue.guard_brought();
create trigger d_brought before insert or update on issue_reports for each row execute function review_queue.guard_brought();
create trigger d_brought before insert or update on tasks for each row execute function review_queue.guard_brought();

-- What was brought says so itself, its whole as well, and the audit log has an entry for each.
create function review_queue.note_hands() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  part record;
begin
  insert into sync.brought (tbl, id, person, hand)
    select w.tbl, w.id, h.person, h.hand
    from review_queue.whole_of(new.body ->> 't', (new.body ->> 'id')::uuid) w
    cross join (values (new.brought_by, 'brought'), (new.decided_by, 'accepted')) h (person, hand)
    where h.person is not null
    on conflict do nothing;
  if new.brought_by is null then return null; end if;
  for part in select * from review_queue.whole_of(new.body ->> 't', (new.body ->> 'id')::uuid) loop
    perform review_queue.mark_brought(part.tbl, part.id, new.brought_by);
  end loop;
  -- What the log of the record says its author did in this acceptance came by somebody else's hand.
  update sync.activity a set brought_by = new.brought_by
    where a.record_id = (new.body ->> 'id')::uuid and a.by_id = new.user_id and a.at >= transaction_timestamp();
  perform audit.note(new.organization_id, 'unsent.brought', new.body ->> 't', (new.body ->> 'id')::uuid,
    jsonb_build_object('user_id', new.user_id, 'brought_by', new.brought_by, 'accepted_by', new.decided_by));
  return null;
end $$;
create trigger x_hands after update of state on sync.unsent for each row
  when (new.state = 'accepted' and old.state <> 'accepted') execute function review_queue.note_hands();

-- Who may call what.
revoke execute on function review_queue.guard_brought(), review_queue.note_hands() from public;

-- Who sees and writes which rows.

alter table sync.brought enable row level security;
