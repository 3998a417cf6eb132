-- Issue reports: functions.

set local check_function_bodies = off;   -- what they call may be made later

-- From a state to those it may move to; the same table stands in packages/core/src/issue-reports/report-status.ts.
create function issue.may_move_report(p_from text, p_to text) returns boolean
  language sql immutable parallel safe
  return p_from = p_to or p_to = any (case p_from
    when 'reported' then array['triaged', 'acting', 'dismissed']
    when 'triaged' then array['acting', 'resolved', 'dismissed']
    when 'acting' then array['triaged', 'resolved', 'dismissed']
    when 'resolved' then array['closed', 'triaged']
    when 'closed' then array['triaged']
    when 'dismissed' then array['triaged']
  end);

-- Whether a mutation makes a report without a name. Whatever is not plainly false counts: what it means is found out when it is written.
create function issue.is_nameless_report(m jsonb) returns boolean
  language sql immutable parallel safe
  return coalesce(m ->> 't' = 'issue_reports' and m ->> 'op' = 'insert' and coalesce(m -> 'patch' -> 'is_anonymous', 'false') <> 'false', false);

-- For the holder of a code, signed in or not: where their report stands and what they are told. Nothing else of it, and a
-- code that fits no report answers nothing. 60 random bits are not found by trying.
create function report_progress(p_code text) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('status', r.status, 'answer', r.answer, 'reported_at', r.reported_at, 'decided_at', r.decided_at)
  from public.issue_reports r
  where r.deleted_at is null and r.look_up_hash = encode(sha256(convert_to(
    translate(upper(regexp_replace(left(p_code, 40), '[\s-]', '', 'g')), 'OIL', '011'), 'UTF8')), 'hex')
$$;

-- The assets in the caller's sight that codes are on, those that were taken away too: their codes are still there to be revoked.
create function issue.my_coded_assets() returns setof uuid
  language sql stable security definer set search_path = '' as $$
  select a.id from public.report_codes c join public.assets a on a.id = c.asset_id and a.organization_id = c.organization_id
  where (c.organization_id in (select public.my_organizations_with('issue.code')) or c.organization_id in (select public.my_organizations_with('issue.triage')))
    and (a.site_id is null or a.site_id in (select public.my_sites()))
$$;

-- Who may call what.
revoke execute on function issue.my_coded_assets(), issue.may_move_report(text, text), issue.is_nameless_report(jsonb), report_progress(text) from public;
grant execute on function issue.my_coded_assets(), issue.is_nameless_report(jsonb) to authenticated;
