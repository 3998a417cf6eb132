-- The audit log: who sees and writes which rows.

alter table audit_entries enable row level security;
revoke all on audit_entries from anon, authenticated, service_role;
grant select on audit_entries to service_role;
create policy "readers of the log read" on audit_entries for select to authenticated
  using (organization_id in (select my_organizations_with('audit.read')));

alter table audit_heads enable row level security;
revoke all on audit_heads from anon, authenticated, service_role;
grant select on audit_heads to service_role;
create policy "readers of the log read" on audit_heads for select to authenticated
  using (organization_id in (select my_organizations_with('audit.read')));
