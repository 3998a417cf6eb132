-- Inspections, their answers, review and log: guards and what else triggers do.

create function inspection.guard_inspection() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
begin
  if caller is not null and new.conducted_by is null and new.status <> 'scheduled' then
    new.conducted_by := caller;
  end if;
  if tg_op = 'INSERT' then
    if caller is not null then
      new.received_at := null;
      new.round := 1;
      new.reviewed_by := null;
      if (new.status in ('has_issues', 'approved', 'rejected', 'closed')) and not access.may('inspection.review', new.organization_id) then
        raise exception 'only a reviewer decides on an inspection' using errcode = '42501', detail = 'CN260';
      end if;
    end if;
  else
    if old.status <> 'scheduled' and (new.form_id, new.form_version_id) is distinct from (old.form_id, old.form_version_id)
      and not form.may_move_version(old, new) then
      raise exception 'a started inspection keeps its form' using errcode = '42501', detail = 'CN261';
    end if;
    if caller is not null then
      new.received_at := old.received_at;
      new.round := old.round + (old.status = 'has_issues' and new.status = 'finalised')::integer;
      new.reviewed_by := case when new.status is distinct from old.status and new.status in ('has_issues', 'approved', 'rejected')
        then caller else old.reviewed_by end;
    end if;
    perform inspection.guard_inspection_change(old, new);
  end if;
  if new.received_at is null and (inspection.is_finished(new.status) or new.status = 'has_issues') then new.received_at := now(); end if;
  return new;
end $$;
create trigger c_guard before insert or update on inspections for each row execute function inspection.guard_inspection();

-- Answers and photos stand where their inspection stands. Those that were taken away are on no device any more, and stand there again
-- when they come back: their guards say so at each change.
create function inspection.move_with_inspection() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update public.inspection_answers a set site_id = new.site_id
    where a.inspection_id = new.id and a.deleted_at is null and a.site_id is distinct from new.site_id;
  update public.media m set site_id = new.site_id
    where m.inspection_id = new.id and m.deleted_at is null and m.site_id is distinct from new.site_id;
  return null;
end $$;
create trigger d_move after update of site_id on inspections
  for each row when (old.site_id is distinct from new.site_id) execute function inspection.move_with_inspection();

-- Devices send a finished inspection before the answers they still hold, so its conductor may add and change answers
-- until it is approved or closed; what was signed is held by its content_hash. Nobody changes an answer of a decided inspection: what a
-- device brings late is refused there as a whole, and stays on that device to be looked at.
create function inspection.guard_answer() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
  is_theirs boolean;
  is_reviewer boolean;
  i record;
begin
  select organization_id, site_id, status, conducted_by, assigned_to, scopes into i
    from public.inspections where id = new.inspection_id;
  if not found then
    raise exception 'an answer needs its inspection' using errcode = '23503', detail = 'CN262';
  end if;
  new.organization_id := i.organization_id;
  new.site_id := i.site_id;
  if tg_op = 'UPDATE' and (new.inspection_id, new.question) is distinct from (old.inspection_id, old.question) then
    raise exception 'an answer keeps its question' using errcode = '42501', detail = 'CN263';
  end if;
  if caller is null or pg_trigger_depth() > 1 then return new; end if;
  if tg_op = 'INSERT' then
    new.answered_by := coalesce(new.answered_by, caller);
  elsif new.answered_by is distinct from old.answered_by and new.answered_by is distinct from caller then
    raise exception 'nobody answers in the name of somebody else' using errcode = '42501', detail = 'CN264';
  end if;
  is_theirs := coalesce(i.conducted_by = caller, false) or coalesce(i.assigned_to = caller, false)
    -- While nobody has begun, nobody answers beforehand what somebody else will find.
    or (i.conducted_by is null and i.assigned_to is null and i.status <> 'scheduled' and (i.site_id is null or i.site_id in (select public.my_sites())));
  if is_theirs and not inspection.is_decided(i.status) then return new; end if;
  is_reviewer := access.may('inspection.review', i.organization_id);
  -- Before anything is said about it.
  if tg_op = 'INSERT' and not access.is_in_sight(i.scopes) then
    raise exception 'an answer needs its inspection' using errcode = '23503', detail = 'CN262';
  end if;
  if inspection.is_decided(i.status) then
    raise exception 'the inspection is decided' using errcode = '42501', detail = 'CN265';
  end if;
  if not is_reviewer then
    raise exception 'this is somebody else''s inspection' using errcode = '42501', detail = 'CN266';
  end if;
  return new;
end $$;
create trigger c_guard before insert or update on inspection_answers for each row execute function inspection.guard_answer();

-- All that belongs to an inspection is written anew when it moves or is given to somebody else, while everybody else's work at the place
-- waits: it has so many of each (the trigger's argument), those taken away too. By statement: a device sends the answers of a day in a
-- few, and each counts once.
create function inspection.limit_parts() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  most constant integer := tg_argv[0];
  is_over boolean;
begin
  if auth.uid() is null then return null; end if;
  case tg_table_name
    when 'inspection_answers' then
      select exists (select from (select distinct n.organization_id, n.inspection_id from new_rows n) w where most < (
        select count(*) from (select from public.inspection_answers a
          where a.organization_id = w.organization_id and a.inspection_id = w.inspection_id limit most + 1) x)) into is_over;
    when 'presence_entries' then
      select exists (select from (select distinct n.organization_id, n.inspection_id from new_rows n) w where most < (
        select count(*) from (select from public.presence_entries e
          where e.organization_id = w.organization_id and e.inspection_id = w.inspection_id limit most + 1) x)) into is_over;
  end case;
  if is_over then
    raise exception 'an inspection has at most % of these', most using errcode = '23514', hint = 'many', detail = 'CN414';
  end if;
  return null;
end $$;
create trigger x_bound after insert on inspection_answers referencing new table as new_rows
  for each statement execute function inspection.limit_parts('10000');
create trigger x_bound after insert on presence_entries referencing new table as new_rows
  for each statement execute function inspection.limit_parts('5000');

-- Of files too, which whoever sees the inspection may bring, or put on it later. So many (the trigger's argument) are those of one who
-- does it; whoever else brings some has a tenth of that, and all of these together two fifths, so that nobody uses up what its photos
-- need. It has three times as many in all, whoever did it one after the other.
create function inspection.limit_files() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  most constant integer := tg_argv[0];
  came uuid[];                                         -- the files that come to an inspection by this statement
  w record;
  n record;
begin
  if auth.uid() is null then return null; end if;
  if tg_op = 'INSERT' then
    came := array(select x.id from new_rows x where x.inspection_id is not null);
  else
    came := array(select x.id from new_rows x join old_rows o on o.id = x.id
      where x.inspection_id is not null and x.inspection_id is distinct from o.inspection_id);
  end if;
  if came = '{}' then return null; end if;
  for w in
    select distinct x.organization_id, x.inspection_id, x.captured_by, i.conducted_by, i.assigned_to
    from public.media x join public.inspections i on i.organization_id = x.organization_id and i.id = x.inspection_id
    where x.id = any (came)
  loop
    select count(*) as all_of_it, count(*) filter (where m.captured_by = w.captured_by) as own,
      count(*) filter (where m.captured_by is distinct from w.conducted_by and m.captured_by is distinct from w.assigned_to) as others
    into n from (select f.captured_by from public.media f
      where f.organization_id = w.organization_id and f.inspection_id = w.inspection_id limit 3 * most + 1) m;
    if n.all_of_it > 3 * most or n.own > most
      or w.captured_by is distinct from w.conducted_by and w.captured_by is distinct from w.assigned_to
        and (n.own > most / 10 or n.others > most * 2 / 5) then
      raise exception 'an inspection has at most % of these', most using errcode = '23514', hint = 'many', detail = 'CN414';
    end if;
  end loop;
  return null;
end $$;

-- Each change of its state, and each signature, is a line of its log, which moves with it whole: one person makes so many of them that
-- nobody keeps others from deciding.
create function inspection.limit_states(p_organization uuid, p_inspection uuid) returns void
  language plpgsql stable security definer set search_path = '' as $$
begin
  if auth.uid() is not null and 500 <= (select count(*) from (select from public.inspection_events e
      where e.organization_id = p_organization and e.inspection_id = p_inspection and e.kind in ('state', 'signature') and e.by_id = auth.uid()
      limit 500) x) then
    raise exception 'a person moves and signs an inspection at most 500 times' using errcode = '23514', hint = 'many', detail = 'CN456';
  end if;
end $$;

-- What belongs to an inspection stands where it stands, and travels to whoever does it.
-- The log of an inspection stands where the inspection stands, and travels to whoever does it.
-- What proves who was there stands where the inspection stands.
create function inspection.follow_inspection() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update public.inspection_events e set site_id = new.site_id, conductor_id = coalesce(new.conducted_by, new.assigned_to)
    where e.inspection_id = new.id and e.deleted_at is null
      and (e.site_id, e.conductor_id) is distinct from (new.site_id, coalesce(new.conducted_by, new.assigned_to));
  update public.presence_entries p set site_id = new.site_id, conductor_id = coalesce(new.conducted_by, new.assigned_to)
    where p.inspection_id = new.id and p.deleted_at is null
      and (p.site_id, p.conductor_id) is distinct from (new.site_id, coalesce(new.conducted_by, new.assigned_to));
  return null;
end $$;
create trigger d_follow after update of site_id, conducted_by, assigned_to on inspections for each row
  when ((old.site_id, old.conducted_by, old.assigned_to) is distinct from (new.site_id, new.conducted_by, new.assigned_to))
  execute function inspection.follow_inspection();

-- The log. A correction within a minute of the last by the same person is the same correction: text is kept as it is typed.
create function inspection.log_inspection_state() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform inspection.limit_states(new.organization_id, new.id);
  insert into public.inspection_events (organization_id, site_id, conductor_id, inspection_id, kind, before, after, by_id, at)
    values (new.organization_id, new.site_id, coalesce(new.conducted_by, new.assigned_to), new.id, 'state',
      case when tg_op = 'UPDATE' then to_jsonb(old.status) end, to_jsonb(new.status), coalesce(auth.uid(), new.conducted_by),
      coalesce(case
        when new.status in ('has_issues', 'approved', 'rejected') then new.reviewed_at
        when new.status = 'finalised' then coalesce(new.signed_at, new.finished_at)
        when new.status = 'in_progress' then new.started_at end, now()));
  return null;
end $$;
create trigger x_log_insert after insert on inspections for each row
  when (new.status <> 'scheduled') execute function inspection.log_inspection_state();
create trigger x_log_update after update of status on inspections for each row
  when (old.status is distinct from new.status) execute function inspection.log_inspection_state();

-- Voice notes are files of the answer too.
create function inspection.log_answer_change() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  answer_text constant jsonb := jsonb_build_object('value', new.value, 'note', new.note, 'media_ids', new.media_ids || new.voice_ids);
  last public.inspection_events;
begin
  select * into last from public.inspection_events e
    where e.organization_id = new.organization_id and e.inspection_id = new.inspection_id
      and (e.kind = 'state' or e.question = new.question)
    order by e.created_at desc, e.id desc limit 1;
  if last.kind = 'answer' and last.by_id is not distinct from auth.uid() and last.created_at > now() - interval '1 minute' then
    update public.inspection_events set after = answer_text, at = coalesce(new.answered_at, now()) where id = last.id;
    return null;
  end if;
  -- As many as it has answers at most (limit_parts): the log moves with it too, and nothing of it is left out.
  if auth.uid() is not null and 10000 <= (select count(*) from (select from public.inspection_events e
      where e.organization_id = new.organization_id and e.inspection_id = new.inspection_id and e.kind = 'answer' limit 10000) x) then
    raise exception 'the answers of an inspection are corrected at most 10000 times' using errcode = '23514', hint = 'many', detail = 'CN415';
  end if;
  insert into public.inspection_events (organization_id, site_id, conductor_id, inspection_id, kind, question, before, after, by_id, at)
    select new.organization_id, new.site_id, coalesce(i.conducted_by, i.assigned_to), new.inspection_id, 'answer', new.question,
      jsonb_build_object('value', old.value, 'note', old.note, 'media_ids', old.media_ids || old.voice_ids), answer_text,
      coalesce(auth.uid(), new.answered_by), coalesce(new.answered_at, now())
    from public.inspections i where i.id = new.inspection_id;
  return null;
end $$;
create trigger x_log after update on inspection_answers for each row
  when ((old.value, old.note, old.media_ids, old.voice_ids) is distinct from (new.value, new.note, new.media_ids, new.voice_ids))
  execute function inspection.log_answer_change();

create function inspection.guard_opening() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is null or old.opens_at is null then return new; end if;
  if least(coalesce(new.started_at, now()), now()) < old.opens_at - sync.clock_allowance() then
    raise exception 'this is not open yet' using errcode = '42501', detail = 'CN267';
  end if;
  return new;
end $$;
create trigger c_opening before update of status on inspections for each row
  when (old.status = 'scheduled' and new.status <> 'scheduled') execute function inspection.guard_opening();

-- Who accepts somebody's decision on their own inspection decides on it as well.
-- So does who had a hand in it. Whoever merely did it still counts as somebody else for them, so that two
-- reviewers never wait for each other.
create function inspection.guard_own_review() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
  deciding constant uuid[] := array_remove(array[caller, review_queue.accepted_by()], null);
  conductor constant uuid := case when tg_op = 'UPDATE' then old.conducted_by else new.conducted_by end;
  -- Taking it away once it was finished is an end like another.
  is_removal constant boolean := tg_op = 'UPDATE' and old.deleted_at is null and new.deleted_at is not null
    and (inspection.is_finished(old.status) or old.status = 'has_issues');
begin
  if caller is null or (tg_op = 'UPDATE' and new.status is not distinct from old.status and not is_removal) then return new; end if;
  if exists (select from unnest(deciding) d where inspection.did_inspection(new.id, conductor, d) or review_queue.was_involved('inspections', new.id, d))
    and exists (select from inbox.people_with('inspection.review', new.organization_id, new.site_id) p
      where p <> all (deciding) and not review_queue.was_involved('inspections', new.id, p)) then
    if is_removal then raise exception 'somebody else takes it away' using errcode = '42501', hint = 'own', detail = 'CN092'; end if;
    raise exception 'somebody else decides on one''s own inspection' using errcode = '42501', detail = 'CN268';
  end if;
  return new;
end $$;
create trigger d_own_review before update of status on inspections for each row
  when (new.status in ('has_issues', 'approved', 'rejected')) execute function inspection.guard_own_review();
create trigger d_own_removal before update of deleted_at on inspections for each row
  when (old.deleted_at is null and new.deleted_at is not null) execute function inspection.guard_own_review();
create trigger d_own_review_at_once before insert on inspections for each row
  when (new.status in ('has_issues', 'approved', 'rejected', 'closed')) execute function inspection.guard_own_review();

-- Everything but the state and what the server says itself; the older guard names a part of it. Its removal is another reviewer's
-- (d_own_removal), and is noted (z_audit_removal).
create function inspection.guard_decided_inspection() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  own constant text[] := array['status', 'received_at', 'round', 'reviewed_by', 'deleted_at', 'version', 'updated_at', 'scopes', 'missed_at'];
begin
  if auth.uid() is null or not sync.is_device_edit() then return new; end if;
  -- When it was decided is said with the decision. Kept rather than refused: the rest of a late review is a conflict to choose in.
  if new.status = old.status or new.status not in ('has_issues', 'approved', 'rejected') then
    new.reviewed_at := old.reviewed_at;
  else
    new.reviewed_at := sync.clamp_time(new.reviewed_at, old.finished_at);
  end if;
  -- Whose account ended is not followed by whoever closes it (guard_inspection names the caller where nobody is named).
  if inspection.is_decided(old.status) and old.conducted_by is null then new.conducted_by := null; end if;
  if inspection.is_decided(old.status) and to_jsonb(new) - own is distinct from to_jsonb(old) - own then
    raise exception 'a decided inspection stays as it was signed' using errcode = '42501', detail = 'CN269';
  end if;
  if new.due_at is distinct from old.due_at and not access.may('inspection.assign', old.organization_id) then
    raise exception 'when it is due says who plans' using errcode = '42501', detail = 'CN270';
  end if;
  return new;
end $$;
create trigger d_decided before update on inspections for each row execute function inspection.guard_decided_inspection();

-- A strand that is another inspection's is nobody's to go on with, and what comes after the inspection was thrown away goes with it.
create function inspection.guard_presence_entry() returns trigger
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
      raise exception 'what was witnessed stays' using errcode = '42501', detail = 'CN271';
    end if;
    return new;
  end if;
  select organization_id, site_id, status, conducted_by, assigned_to, scopes, deleted_at into i
    from public.inspections where id = new.inspection_id;
  if not found or caller is not null and not access.is_in_sight(i.scopes) then
    raise exception 'an entry needs its inspection' using errcode = '23503', detail = 'CN272';
  end if;
  new.organization_id := i.organization_id;
  new.site_id := i.site_id;
  new.conductor_id := coalesce(i.conducted_by, i.assigned_to);
  new.deleted_at := i.deleted_at;
  new.received_at := clock_timestamp();
  if caller is not null then
    new.by_id := caller;
    if not (coalesce(i.conducted_by = caller, false) or coalesce(i.assigned_to = caller, false)
      -- While nobody has begun, nobody proves beforehand that somebody was there.
      or i.conducted_by is null and i.assigned_to is null and i.status <> 'scheduled' and (i.site_id is null or i.site_id in (select public.my_sites()))) then
      raise exception 'this is somebody else''s inspection' using errcode = '42501', detail = 'CN266';
    end if;
    if inspection.is_decided(i.status) then raise exception 'the inspection is decided' using errcode = '42501', detail = 'CN265'; end if;
    perform inspection.refuse_after_finish(new.inspection_id);
  end if;
  -- One at a time within a strand: two at once would each miss the other as its neighbour.
  perform pg_advisory_xact_lock(hashtextextended('presence/' || new.strand, 0));
  if exists (select from public.presence_entries e
      where e.strand = new.strand and (e.inspection_id <> new.inspection_id or e.by_id is distinct from new.by_id)) then
    raise exception 'nobody goes on with somebody else''s chain' using errcode = '42501', detail = 'CN273';
  end if;
  -- What is sent together goes before what is sent by itself, so an entry may come before the one it follows. Each names that one's
  -- hash: where a neighbour is there, it is the one, and a place that is taken is taken.
  select e.hash into before from public.presence_entries e
    where e.inspection_id = new.inspection_id and e.strand = new.strand and e.position = new.position - 1;
  if new.id <> extensions.uuid_generate_v5(new.strand, new.position::text)
    or new.hash <> encode(sha256(convert_to(new.body, 'UTF8')), 'hex')
    or not inspection.is_presence_body(new, case when new.position = 1 then repeat('0', 64) else before end)
    or new.by_id is not null and new.body::jsonb ->> 'by' is distinct from new.by_id::text
    or exists (select from public.presence_entries e where e.inspection_id = new.inspection_id and e.strand = new.strand
      and e.position = new.position + 1 and e.body::jsonb ->> 'previous' <> new.hash) then
    raise exception 'this entry does not follow' using errcode = '23514', constraint = 'presence_entries_follow', detail = 'CN274';
  end if;
  return new;
end $$;
create trigger c_guard before insert or update on presence_entries for each row execute function inspection.guard_presence_entry();

-- A draft that is thrown away keeps nobody's position. What comes back stands where it stands by then.
create function inspection.discard_presence() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update public.presence_entries p set deleted_at = new.deleted_at, site_id = new.site_id, conductor_id = coalesce(new.conducted_by, new.assigned_to)
    where p.inspection_id = new.id and p.deleted_at is distinct from new.deleted_at;
  return null;
end $$;
create trigger d_discard_presence after update of deleted_at on inspections for each row
  when (old.deleted_at is distinct from new.deleted_at) execute function inspection.discard_presence();

create function inspection.note_finish() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if inspection.is_finished(new.status) and (tg_op = 'INSERT' or not inspection.is_finished(old.status)) then
    -- Whoever decides on what was sent back finished nothing.
    insert into sync.finishes (inspection_id, device, person)
      values (new.id, case when new.status = 'finalised' then sync.sending_device() end, case when new.status = 'finalised' then auth.uid() end)
      on conflict (inspection_id) do update set device = excluded.device, person = excluded.person;
  elsif not inspection.is_finished(new.status) then
    delete from sync.finishes where inspection_id = new.id;
  end if;
  return null;
end $$;
create trigger x_finish_insert after insert on inspections for each row when (inspection.is_finished(new.status)) execute function inspection.note_finish();
create trigger x_finish_update after update of status on inspections for each row
  when (old.status is distinct from new.status) execute function inspection.note_finish();

create function inspection.guard_late_answer() returns trigger
  language plpgsql set search_path = '' as $$
begin
  perform inspection.refuse_after_finish(new.inspection_id);
  return new;
end $$;
-- After every guard that says what others have: none of it is to be told by this one.
create trigger g_late before insert or update on inspection_answers for each row execute function inspection.guard_late_answer();

-- Whose account sent the signature of an inspection. A typed name of an inspection is part of what its hash covers: it stays as it was
-- typed, and is made one line wherever it is shown.
create function inspection.pin_inspection_signer() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  new.signed_account := case when new.signature is null then null
    when tg_op = 'UPDATE' and (new.signature, new.signed_by, new.signed_at) is not distinct from (old.signature, old.signed_by, old.signed_at)
      -- The server alone takes it away: what an account was called goes with it (delete_account).
      then case when auth.uid() is null then new.signed_account else old.signed_account end
    else space.account_name(coalesce(auth.uid(), new.conducted_by)) end;
  return new;
end $$;
create trigger d_signer before insert or update on inspections for each row execute function inspection.pin_inspection_signer();

-- A former signature says whose account gave it, as the report does.
create function inspection.log_signed_again() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform inspection.limit_states(new.organization_id, new.id);
  -- `before` and `after`: {signature, signed_by, signed_account, signed_at, content_hash}, as they stand on the inspection.
  insert into public.inspection_events (organization_id, site_id, conductor_id, inspection_id, kind, before, after, by_id, at)
    values (new.organization_id, new.site_id, coalesce(new.conducted_by, new.assigned_to), new.id, 'signature',
      jsonb_build_object('signature', old.signature, 'signed_by', old.signed_by, 'signed_account', old.signed_account, 'signed_at', old.signed_at, 'content_hash', old.content_hash),
      jsonb_build_object('signature', new.signature, 'signed_by', new.signed_by, 'signed_account', new.signed_account, 'signed_at', new.signed_at, 'content_hash', new.content_hash),
      coalesce(auth.uid(), new.conducted_by), coalesce(new.signed_at, now()));
  return null;
end $$;
create trigger x_log_signature after update of signature, signed_by, signed_at, content_hash on inspections for each row
  when (old.signature is not null
    and (old.signature, old.signed_by, old.signed_at, old.content_hash) is distinct from (new.signature, new.signed_by, new.signed_at, new.content_hash))
  execute function inspection.log_signed_again();

-- A decision on what was sent back puts back who finished last. It is approved as it was finished.
create function inspection.guard_conductor() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is null or not sync.is_device_edit() then return new; end if;
  if new.status = 'finalised' and old.status <> 'finalised' then
    new.conducted_by := auth.uid();
  elsif old.status = 'has_issues' and inspection.is_finished(new.status) then
    new.conducted_by := inspection.finished_last_by(old.id, old.conducted_by);
    if new.status = 'approved' and inspection.was_answered_since(old.id) then
      raise exception 'what was changed since it was sent back is finished first' using errcode = '42501', detail = 'CN275';
    end if;
  elsif inspection.is_finished(old.status) then
    -- Whose account ended is followed by nobody: guard_inspection names the caller where nobody is named.
    if old.conducted_by is null then new.conducted_by := null; end if;
    if new.conducted_by is distinct from old.conducted_by then
      raise exception 'a finished inspection stays with who did it' using errcode = '42501', detail = 'CN276';
    end if;
  end if;
  return new;
end $$;
create trigger d_conductor before update on public.inspections for each row execute function inspection.guard_conductor();

-- A file of a finished inspection is as little anybody else's as its answers. One that an answer names comes from whoever gave that answer.
create function inspection.guard_finished_file() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  -- What the server says of a file itself.
  own constant text[] := array['state', 'completed_at', 'version', 'updated_at', 'scopes'];
begin
  if auth.uid() is null or not sync.is_device_edit() then return new; end if;
  if tg_op = 'UPDATE' then
    if to_jsonb(new) - own is distinct from to_jsonb(old) - own then
      perform inspection.refuse_after_finish(old.inspection_id);
      perform inspection.refuse_after_finish(new.inspection_id);
    end if;
  elsif new.inspection_id is not null and exists (select from public.inspections i where i.id = new.inspection_id and inspection.is_finished(i.status))
    and exists (select from public.inspection_answers a where a.inspection_id = new.inspection_id and a.deleted_at is null
      and (a.media_ids ? new.id::text or a.voice_ids ? new.id::text) and a.answered_by is distinct from auth.uid()) then
    perform inspection.refuse_after_finish(new.inspection_id);
  end if;
  return new;
end $$;

-- An answer bears who sent what it says; a new one is refused in any other name.
create function inspection.name_answerer() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is null or not sync.is_device_edit() then return new; end if;
  new.answered_by := case
    when (new.value, new.note, new.media_ids, new.voice_ids) is distinct from (old.value, old.note, old.media_ids, old.voice_ids) then auth.uid()
    else old.answered_by end;
  return new;
end $$;
create trigger d_answerer before update on public.inspection_answers for each row execute function inspection.name_answerer();

-- Triggers whose functions stand with another area.

create trigger b_fixed_organization before update on inspections for each row execute function space.refuse_organization_change();
create trigger e_named before insert or update on inspections for each row execute function space.guard_named();
create trigger d_place before update of site_id on inspections
  for each row when (old.site_id is distinct from new.site_id) execute function space.guard_place();
create trigger c_occurrence before insert or update on inspections for each row execute function schedule.guard_occurrence();
create trigger d_derived_id before insert on inspections for each row
  when (sync.is_derived(new.id)) execute function sync.guard_derived_id();
create trigger a0_require_push before insert on inspections for each statement execute function sync.require_push();
create trigger a2_times before insert or update on inspections for each row
  when (greatest(new.started_at, new.finished_at, new.signed_at) > now() + interval '1 day') execute function sync.clamp_times_ahead('started_at', 'finished_at', 'signed_at');
create trigger c_asset before insert or update of asset_id on public.inspections for each row execute function asset.guard_named_asset();

create trigger e_named before insert or update on inspection_answers for each row execute function space.guard_named();
-- One answer to a question: whoever came first under another id would shut out who does the inspection.
create trigger d_derived_id before insert on inspection_answers for each row execute function sync.guard_derived_id();
create trigger a0_require_push before insert on inspection_answers for each statement execute function sync.require_push();
create trigger a2_times before insert or update on inspection_answers for each row
  when (new.answered_at > now() + interval '1 day') execute function sync.clamp_times_ahead('answered_at');

create trigger a0_require_push before insert on presence_entries for each statement execute function sync.require_push();
create trigger b_outsider before insert on presence_entries for each row execute function access.guard_outsider();
create trigger b_fixed_organization before update on presence_entries for each row execute function space.refuse_organization_change();

-- Who may call what.
revoke execute on function inspection.guard_inspection(), inspection.limit_parts(), inspection.limit_files(), inspection.limit_states(uuid, uuid), inspection.move_with_inspection(), inspection.guard_answer(), inspection.follow_inspection(),
  inspection.log_inspection_state(), inspection.log_answer_change(), inspection.guard_opening(), inspection.guard_own_review(), inspection.guard_decided_inspection(),
  inspection.guard_presence_entry(), inspection.discard_presence(), inspection.note_finish(), inspection.guard_late_answer(), inspection.pin_inspection_signer(),
  inspection.log_signed_again(), inspection.guard_conductor(), inspection.guard_finished_file(), inspection.name_answerer() from public;
