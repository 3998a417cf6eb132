-- Who may read and write field operations. Reading: scopes overlap. Writing: through sync_push, with the permission in
-- the organisation, at a place one sees; one's own work may also be finished after a change of site.
-- No delete policies: clients set deleted_at through sync_push, so that other devices hear of it.

create policy "scope reads" on assets for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "asset managers add" on assets for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('asset.manage'))
    and (site_id is null or site_id in (select my_sites())));
create policy "asset managers edit" on assets for update to authenticated
  using ((select sync.pushing()) and organization_id in (select my_organizations_with('asset.manage'))
    and (site_id is null or site_id in (select my_sites())));
grant insert, update on assets to authenticated;

create policy "scope reads" on forms for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "form managers add" on forms for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('form.manage')));
create policy "form managers edit" on forms for update to authenticated
  using ((select sync.pushing()) and organization_id in (select my_organizations_with('form.manage')));
grant insert, update on forms to authenticated;

create policy "scope reads" on form_versions for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "form managers add" on form_versions for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('form.manage')));
-- A push locks a row before it judges the edit, which takes the grant; without a policy it finds nothing to lock.
grant insert, update on form_versions to authenticated;
-- No update: what was answered stays as it was; a change is a new version.

create policy "scope reads" on inspections for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "conductors and planners add" on inspections for insert to authenticated
  with check ((select sync.pushing())
    and (site_id is null or site_id in (select my_sites()))
    and (conducted_by is null or conducted_by = (select auth.uid()))
    and (organization_id in (select my_organizations_with('inspection.assign'))
      or (organization_id in (select my_organizations_with('inspection.conduct'))
        and (assigned_to is null or assigned_to = (select auth.uid())))));
create policy "conductors, planners and reviewers edit" on inspections for update to authenticated
  using ((select sync.pushing())
    and ((organization_id in (select my_organizations_with('inspection.conduct'))
        and (conducted_by = (select auth.uid()) or assigned_to = (select auth.uid())
          or (conducted_by is null and assigned_to is null and (site_id is null or site_id in (select my_sites())))))
      or ((site_id is null or site_id in (select my_sites()))
        and (organization_id in (select my_organizations_with('inspection.assign'))
          or organization_id in (select my_organizations_with('inspection.review'))))));
grant insert, update on inspections to authenticated;

create policy "scope reads" on inspection_answers for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "conductors add" on inspection_answers for insert to authenticated
  with check ((select sync.pushing()) and answered_by = (select auth.uid())
    and organization_id in (select my_organizations_with('inspection.conduct')));
create policy "conductors and reviewers edit" on inspection_answers for update to authenticated
  using ((select sync.pushing())
    and (organization_id in (select my_organizations_with('inspection.conduct'))
      or organization_id in (select my_organizations_with('inspection.review'))));
grant insert, update on inspection_answers to authenticated;
-- Whose inspection it is and whether it is still open: trigger guard_answer, which reads the inspection once per row.

create policy "scope reads" on action_items for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "creators add" on action_items for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('action.create'))
    and (site_id is null or site_id in (select my_sites())
      or source_id in (select i.id from inspections i where i.conducted_by = (select auth.uid()))));
create policy "workers edit what they see" on action_items for update to authenticated
  using ((select sync.pushing())
    and (organization_id in (select my_organizations_with('action.work'))
      or organization_id in (select my_organizations_with('action.manage')))
    and (site_id is null or site_id in (select my_sites())
      or assignee_id = (select auth.uid()) or created_by = (select auth.uid())));
grant insert, update on action_items to authenticated;
-- Reassigning, moving and deleting: trigger guard_action_item.

create policy "scope reads" on media for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "who captured it adds" on media for insert to authenticated
  with check ((select sync.pushing()) and captured_by = (select auth.uid())
    and (organization_id in (select my_organizations_with('inspection.conduct'))
      or organization_id in (select my_organizations_with('action.create')))
    and (site_id is null or site_id in (select my_sites())
      or inspection_id in (select i.id from inspections i where i.conducted_by = (select auth.uid()))));
create policy "who captured it and reviewers edit" on media for update to authenticated
  using ((select sync.pushing())
    and (captured_by = (select auth.uid())
      or (organization_id in (select my_organizations_with('inspection.review'))
        and (site_id is null or site_id in (select my_sites())))));
grant insert, update on media to authenticated;
