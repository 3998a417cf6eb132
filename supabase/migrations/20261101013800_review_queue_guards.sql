-- The review queue of orphaned edits: guards and what else triggers do, and who sees and writes which rows.

-- Pieces add up: which status a record ends in shows only where they are put together.
create function review_queue.guard_submitted() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if review_queue.accepted_by() is null then return new; end if;
  if tg_op = 'UPDATE' and review_queue.is_decision(tg_table_name, to_jsonb(old)) then
    if to_jsonb(old) -> 'status' = to_jsonb(new) -> 'status' and (old.deleted_at is null) = (new.deleted_at is null) then return new; end if;
  elsif not review_queue.is_decision(tg_table_name, to_jsonb(new)) then
    return new;
  end if;
  if review_queue.submitter_of(new.organization_id, new.id) is not null then
    raise exception 'a decision is given in one''s own name' using errcode = '42501', detail = 'CN164';
  end if;
  return new;
end $$;
create trigger d_behalf before insert or update on inspections for each row execute function review_queue.guard_submitted();
create trigger d_behalf before insert or update on action_items for each row execute function review_queue.guard_submitted();
create trigger d_behalf before insert or update on issue_reports for each row execute function review_queue.guard_submitted();
create trigger d_behalf before insert or update on tasks for each row execute function review_queue.guard_submitted();

-- What was brought says so itself, its whole as well, and the audit log has an entry for each.
create function review_queue.note_involvement() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  part record;
begin
  insert into sync.submitted_record (tbl, id, person, involvement)
    select w.tbl, w.id, h.person, h.involvement
    from review_queue.aggregate_of(new.body ->> 't', (new.body ->> 'id')::uuid) w
    cross join (values (new.submitted_by, 'submitted'), (new.decided_by, 'accepted')) h (person, involvement)
    where h.person is not null
    on conflict do nothing;
  if new.submitted_by is null then return null; end if;
  for part in select * from review_queue.aggregate_of(new.body ->> 't', (new.body ->> 'id')::uuid) loop
    perform review_queue.mark_submitted_by(part.tbl, part.id, new.submitted_by);
  end loop;
  -- What the log of the record says its author did in this acceptance came by somebody else's hand.
  update sync.activity a set submitted_by = new.submitted_by
    where a.record_id = (new.body ->> 'id')::uuid and a.by_id = new.user_id and a.at >= transaction_timestamp();
  perform audit.note(new.organization_id, 'orphaned_edits.submitted', new.body ->> 't', (new.body ->> 'id')::uuid,
    jsonb_build_object('user_id', new.user_id, 'submitted_by', new.submitted_by, 'accepted_by', new.decided_by));
  return null;
end $$;
create trigger x_involvement after update of state on sync.orphaned_edit for each row
  when (new.state = 'accepted' and old.state <> 'accepted') execute function review_queue.note_involvement();

-- Who may call what.
revoke execute on function review_queue.guard_submitted(), review_queue.note_involvement() from public;

-- Who sees and writes which rows.

alter table sync.submitted_record enable row level security;
