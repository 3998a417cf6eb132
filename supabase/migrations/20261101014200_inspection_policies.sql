-- Inspections, their answers, review and log: who sees and writes which rows.

grant insert, update on inspections to authenticated;
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

-- Whose inspection it is and whether it is still open: trigger guard_answer, which reads the inspection once per row.
grant insert, update on inspection_answers to authenticated;
create policy "scope reads" on inspection_answers for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "conductors add" on inspection_answers for insert to authenticated
  with check ((select sync.pushing()) and answered_by = (select auth.uid())
    and organization_id in (select my_organizations_with('inspection.conduct')));
create policy "conductors and reviewers edit" on inspection_answers for update to authenticated
  using ((select sync.pushing())
    and (organization_id in (select my_organizations_with('inspection.conduct'))
      or organization_id in (select my_organizations_with('inspection.review'))));

create policy "scope reads" on inspection_events for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));

-- A push locks a row before it judges the edit, which takes the grant; without a policy it finds nothing to lock.
grant insert, update on presence_entries to authenticated;
create policy "scope reads" on presence_entries for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "conductors add" on presence_entries for insert to authenticated
  with check ((select sync.pushing()) and by_id = (select auth.uid())
    and organization_id in (select my_organizations_with('inspection.conduct')));

alter table sync.finishes enable row level security;
