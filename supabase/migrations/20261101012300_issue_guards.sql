-- Issue reports: guards and what else triggers do, and who sees and writes which rows.

-- Its asset and its place in words too, and how severe it is and of what kind once it was decided.
create function issue.guard_issue_report() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
begin
  if new.site_id is not null and not exists (
    select from public.sites s where s.id = new.site_id and s.organization_id = new.organization_id) then
    raise exception 'the site is not one of this organisation' using errcode = '23503', detail = 'CN277';
  end if;
  if tg_op = 'INSERT' then
    if caller is null then return new; end if;
    if new.is_anonymous then
      if not (select o.allows_anonymous_reports from public.organizations o where o.id = new.organization_id) then
        raise exception 'this organisation takes reports with a name only' using errcode = '42501', detail = 'CN278';
      end if;
      new.reported_by := null;
    else
      new.reported_by := caller;
    end if;
    new.status := 'reported';
    new.answer := null;
    new.answered_by := null;
    new.decided_at := null;
    new.decided_by := null;
    if sync.is_device_edit() then new.reported_at := sync.written_when(new.reported_at); end if;
    -- The instant of a transaction stands in all it wrote: to the microsecond it would say what else was sent with it, and by whom.
    if new.is_anonymous then
      new.created_at := date_trunc('day', now(), 'UTC');
      new.updated_at := new.created_at;
      new.reported_at := date_trunc('day', new.reported_at, 'UTC');
    end if;
    return new;
  end if;
  if not issue.may_move_report(old.status, new.status) then
    raise exception 'an issue report cannot go from % to %', old.status, new.status using errcode = '23514', detail = 'CN279';
  end if;
  if new.status in ('resolved', 'dismissed') and coalesce(new.answer, '') = '' then
    raise exception 'a report is resolved or dismissed with a word to its author' using errcode = '23514', detail = 'CN280';
  end if;
  if caller is null then return new; end if;
  -- Taking it away says even less than dismissing it: its author, who may have a code only, would be told that there is none.
  if old.deleted_at is null and new.deleted_at is not null and old.status not in ('resolved', 'dismissed', 'closed') then
    raise exception 'a report is resolved or dismissed with a word to its author' using errcode = '23514', detail = 'CN280';
  end if;
  if (new.title, new.description, new.location, new.media_ids, new.is_anonymous, new.reported_by, new.reported_at, new.look_up_hash, new.organization_id)
    is distinct from
    (old.title, old.description, old.location, old.media_ids, old.is_anonymous, old.reported_by, old.reported_at, old.look_up_hash, old.organization_id) then
    raise exception 'a report stays as it was made' using errcode = '42501', detail = 'CN281';
  end if;
  if sync.is_device_edit() and new.asset_id is distinct from old.asset_id then
    raise exception 'a report stays as it was made' using errcode = '42501', detail = 'CN281';
  end if;
  if old.status in ('resolved', 'dismissed', 'closed') and new.status in ('resolved', 'dismissed', 'closed')
    and (new.severity, new.category) is distinct from (old.severity, old.category) then
    raise exception 'a report stays as it was decided' using errcode = '42501', detail = 'CN282';
  end if;
  if new.status <> old.status then new.decided_by := caller; end if;
  -- Whose words they are stays beside them, whoever decides later.
  new.answered_by := case when new.answer is null then null when new.answer is distinct from old.answer then caller else old.answered_by end;
  return new;
end $$;
create trigger c_guard before insert or update on issue_reports for each row execute function issue.guard_issue_report();

-- Whether a photo stands on anything else than this report and what was made of it: there it says who took it, who is to decide on it
-- is asked by that, and whoever compares the two reads the name.
create function issue.is_photo_of_another(r public.issue_reports, p_file text) returns boolean
  language sql stable security definer set search_path = '' return
  file.is_file_bound(r.organization_id, p_file::uuid)
  or exists (select from public.evidence e where e.media_ids <> '[]' and e.media_ids ? p_file and e.organization_id = r.organization_id)
  or exists (select from public.action_items a where a.media_ids <> '[]' and a.media_ids ? p_file and a.organization_id = r.organization_id
    and a.source_id is distinct from r.id)
  or exists (select from public.tasks t where t.media_ids <> '[]' and t.media_ids ? p_file and t.organization_id = r.organization_id
    and t.source_id is distinct from r.id)
  or exists (select from public.issue_reports x where x.media_ids <> '[]' and x.media_ids ? p_file and x.organization_id = r.organization_id and x.id <> r.id)
  or exists (select from public.comments c where c.media_ids <> '[]' and c.media_ids ? p_file and c.organization_id = r.organization_id
    and c.subject_id is distinct from r.id)
  or exists (select from public.inspection_answers n where n.media_ids <> '[]' and n.media_ids ? p_file and n.organization_id = r.organization_id);

-- Photos say who took them, which would name who asked not to be named, and when, which their own other work bears too. The rule
-- that a photo keeps its author and its time is meant for people; here the server itself acts, so for this one statement nobody is
-- signed in.
create function issue.forget_photographer() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
  claims constant text := current_setting('request.jwt.claims', true);
  sub constant text := current_setting('request.jwt.claim.sub', true);
  photos uuid[];
begin
  if caller is null then return null; end if;
  photos := array(select m.id from public.media m
    where m.organization_id = new.organization_id and m.captured_by = caller and m.inspection_id is null
      and m.id::text in (select jsonb_array_elements_text(new.media_ids)));
  if exists (select from unnest(photos) f where issue.is_photo_of_another(new, f::text)) then
    raise exception 'a photo of a report without a name stands on no other record'
      using errcode = '23514', constraint = 'photo_is_of_another', detail = 'CN417';
  end if;
  perform set_config('request.jwt.claims', '', true), set_config('request.jwt.claim.sub', '', true);
  update public.media m set captured_by = null, captured_at = date_trunc('day', m.captured_at, 'UTC'), created_at = date_trunc('day', m.created_at, 'UTC')
    where m.id = any (photos);
  -- Nor does the review queue tell it, where a photo was handed over before its report came.
  delete from sync.orphaned_edit u
    where u.user_id = caller and u.organization_id = new.organization_id and u.body ->> 't' = 'media' and u.body ->> 'id' in (select jsonb_array_elements_text(new.media_ids));
  perform set_config('request.jwt.claims', coalesce(claims, ''), true), set_config('request.jwt.claim.sub', coalesce(sub, ''), true);
  return null;
end $$;
create trigger d_forget after insert on issue_reports for each row when (new.is_anonymous) execute function issue.forget_photographer();

-- After a_stamp, which writes the instant of each change.
create function issue.forget_photo_time() returns trigger language plpgsql set search_path = '' as $$
begin
  new.updated_at := new.created_at;
  return new;
end $$;
create trigger d_forget before update of captured_by on media for each row
  when (new.captured_by is null and new.created_at is distinct from old.created_at) execute function issue.forget_photo_time();

-- Each report tells all who look after them, by a notice they cannot switch off where it is critical, and each is dismissed with a word
-- before it goes. So many a day (the trigger's argument) are one person's; whose one without a name is stands nowhere but in the ledger
-- of their own pushes, which nobody reads. By statement: those of one push count once.
create function issue.limit_reports() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
  most constant integer := tg_argv[0];
  earlier integer;
  at_once integer;
begin
  if caller is null then return null; end if;
  select count(*) into earlier from sync.mutation k
    where k.user_id = caller and k.tbl = 'issue_reports' and k.op = 'insert' and k.at > now() - interval '1 day'
      and k.result ->> 'st' in ('applied', 'merged');
  -- What this push has brought is in the ledger once it is over; of reports without a name it is one.
  select count(*) into at_once from (
    select r.id from public.issue_reports r where r.organization_id in (select n.organization_id from new_rows n) and r.reported_by = caller and r.created_at = now()
    union select n.id from new_rows n) x;
  if earlier + at_once > most then
    raise exception 'a person makes at most 100 reports a day' using errcode = '23514', hint = 'many', detail = 'CN457';
  end if;
  return null;
end $$;
create trigger x_bound after insert on issue_reports referencing new table as new_rows
  for each statement execute function issue.limit_reports('100');

create function issue.guard_report_decision() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is null or not sync.is_device_edit() then return new; end if;
  if new.status <> old.status then
    new.decided_by := auth.uid();
    new.decided_at := sync.clamp_time(new.decided_at, coalesce(old.decided_at, old.reported_at));
    return new;
  end if;
  new.decided_by := old.decided_by;
  new.decided_at := old.decided_at;
  if new.answer is distinct from old.answer and old.status in ('resolved', 'dismissed', 'closed') then
    raise exception 'what was said with a decision stays' using errcode = '42501', detail = 'CN176';
  end if;
  return new;
end $$;
create trigger d_decision before update on issue_reports for each row execute function issue.guard_report_decision();

-- Triggers whose functions stand with another area.

create trigger b_fixed_organization before update on issue_reports for each row execute function space.refuse_organization_change();
create trigger a0_require_push before insert on issue_reports for each statement execute function sync.require_push();
create trigger b_outsider before insert on issue_reports for each row execute function access.guard_outsider();
create trigger c_asset before insert or update of asset_id on public.issue_reports for each row execute function asset.guard_named_asset();

-- Who may call what.
revoke execute on function issue.guard_issue_report(), issue.is_photo_of_another(public.issue_reports, text), issue.forget_photographer(), issue.forget_photo_time(),
  issue.limit_reports(), issue.guard_report_decision() from public;

-- Who sees and writes which rows.

grant insert, update on issue_reports to authenticated;
create policy "scope reads" on issue_reports for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "members report" on issue_reports for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('issue.report'))
    and (site_id is null or site_id in (select my_sites())));
create policy "triagers edit" on issue_reports for update to authenticated
  using ((select sync.pushing()) and organization_id in (select my_organizations_with('issue.triage'))
    and (site_id is null or site_id in (select my_sites())));
