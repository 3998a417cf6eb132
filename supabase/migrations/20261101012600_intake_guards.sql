-- What comes from outside: public report codes and guests: guards and what else triggers do, and who sees and writes which rows.

-- Triggers whose functions stand with another area.

-- As many letters as invitations may cause, counted together with them.
create trigger f_limit_emails after insert on intake.guest_link for each row execute function identity.limit_invitation_emails();
create trigger f_limit_emails_again after update of sent_at on intake.guest_link
  for each row when (new.sent_at > old.sent_at) execute function identity.limit_invitation_emails();

-- Who sees and writes which rows.

alter table report_codes enable row level security;
revoke all on report_codes from anon, authenticated;
grant select on report_codes to authenticated;
create policy "makers and triagers at the place read" on report_codes for select to authenticated
  using ((organization_id in (select my_organizations_with('issue.code'))
      or organization_id in (select my_organizations_with('issue.triage')))
    and (site_id is null or site_id in (select my_sites()))
    and (asset_id is null or asset_id in (select issue.my_coded_assets())));

alter table report_contacts enable row level security;
revoke all on report_contacts from anon, authenticated;
grant select on report_contacts to authenticated;
create policy "triagers at the place read" on report_contacts for select to authenticated
  using (organization_id in (select my_organizations_with('issue.triage')) and id in (select r.id from issue_reports r));

alter table intake.code_token enable row level security;

alter table intake.submission enable row level security;

alter table intake.photo enable row level security;

alter table intake.guest_link enable row level security;

alter table intake.guest_token enable row level security;

alter table intake.guest_reply enable row level security;

alter table intake.guest_photo enable row level security;
