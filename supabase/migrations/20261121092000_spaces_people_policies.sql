-- Who may read and write spaces and people. Reading: your scopes and the row's overlap. Writing: only by sync_push
-- (sync.pushing), except the direct calls the specification names: insert playbooks, own preferences, own profile.
-- No table has a delete policy: clients set deleted_at through sync_push, so that other devices hear of it.

create policy "scope reads" on organizations for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "managers edit" on organizations for update to authenticated
  using ((select sync.pushing()) and id in (select my_organizations_with('organization.manage')));
grant update on organizations to authenticated;
-- No insert: sign-up makes the private space, companies are founded by a call of their own.

create policy "scope reads" on organization_members for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "people managers edit" on organization_members for update to authenticated
  using ((select sync.pushing()) and organization_id in (select my_organizations_with('people.manage')));
grant update on organization_members to authenticated;
-- No insert: one joins by accepting an invitation.

create policy "scope reads" on organization_activations for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
-- No write: activations follow partner links, on the server.

create policy "scope reads" on user_roles for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
-- No write: system roles are given by the operator.

create policy "scope reads" on profiles for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "owner adds" on profiles for insert to authenticated with check (id = (select auth.uid()));
create policy "owner edits" on profiles for update to authenticated using (id = (select auth.uid()));
grant insert, update on profiles to authenticated;

create policy "scope reads" on people for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
-- No write: derived from profiles and memberships.

create policy "scope reads" on user_preferences for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "owner adds" on user_preferences for insert to authenticated with check (user_id = (select auth.uid()));
create policy "owner edits" on user_preferences for update to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
grant insert, update on user_preferences to authenticated;

create policy "scope reads" on sites for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "managers add" on sites for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('organization.manage')));
create policy "managers edit" on sites for update to authenticated
  using ((select sync.pushing()) and organization_id in (select my_organizations_with('organization.manage')));
grant insert, update on sites to authenticated;

create policy "scope reads" on site_members for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "people managers add" on site_members for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('people.manage')));
create policy "people managers edit" on site_members for update to authenticated
  using ((select sync.pushing()) and organization_id in (select my_organizations_with('people.manage')));
grant insert, update on site_members to authenticated;

create policy "scope reads" on teams for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "managers add" on teams for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('organization.manage')));
create policy "managers edit" on teams for update to authenticated
  using ((select sync.pushing()) and organization_id in (select my_organizations_with('organization.manage')));
grant insert, update on teams to authenticated;

create policy "scope reads" on team_members for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "people managers add" on team_members for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('people.manage')));
create policy "people managers edit" on team_members for update to authenticated
  using ((select sync.pushing()) and organization_id in (select my_organizations_with('people.manage')));
grant insert, update on team_members to authenticated;

create policy "scope reads" on playbooks for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "creators add" on playbooks for insert to authenticated
  with check (owner_id = (select auth.uid()) and organization_id in (select my_organizations_with('playbook.create')));
create policy "administrators edit" on playbooks for update to authenticated
  using ((select sync.pushing()) and id in (select my_administered_playbooks()));
grant insert, update on playbooks to authenticated;

create policy "scope reads" on playbook_members for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "administrators add" on playbook_members for insert to authenticated
  with check ((select sync.pushing()) and playbook_id in (select my_administered_playbooks()));
create policy "administrators edit" on playbook_members for update to authenticated
  using ((select sync.pushing()) and playbook_id in (select my_administered_playbooks()));
grant insert, update on playbook_members to authenticated;
