-- A decision on an issue report is in the name of who gives it, at a time between the report and now, and stays with its answer
-- until a new one is given (docs/decisions/0362-a-decision-on-a-report-stays.md).

create function sync.guard_report_decision() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is null or not sync.is_device_edit() then return new; end if;
  if new.status <> old.status then
    new.decided_by := auth.uid();
    new.decided_at := sync.clamped(new.decided_at, coalesce(old.decided_at, old.reported_at));
    return new;
  end if;
  new.decided_by := old.decided_by;
  new.decided_at := old.decided_at;
  if new.answer is distinct from old.answer and old.status in ('resolved', 'dismissed', 'closed') then
    raise exception 'what was said with a decision stays' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger d_decision before update on issue_reports for each row execute function sync.guard_report_decision();

create function audit.note_report() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform audit.note(new.organization_id, 'report.' || new.status, 'issue_reports', new.id, jsonb_build_object('from', old.status));
  return null;
end $$;
create trigger z_audit after update on issue_reports for each row when (new.status <> old.status) execute function audit.note_report();
create trigger z_audit_removal after update on issue_reports for each row
  when (old.deleted_at is null and new.deleted_at is not null) execute function audit.note_removal('report.removed');

revoke execute on function sync.guard_report_decision(), audit.note_report() from public;
