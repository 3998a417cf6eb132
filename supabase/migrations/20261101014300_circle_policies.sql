-- The support circle: who sees and writes which rows.

grant update on circle_relationships to authenticated;
create policy "both sides read" on circle_relationships for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "both sides pause and end" on circle_relationships for update to authenticated
  using ((select sync.pushing()) and (subject_id = (select auth.uid()) or helper_id = (select auth.uid())));

alter table circle_visibility enable row level security;
revoke all on circle_visibility from anon, authenticated;
grant select on circle_visibility to authenticated;
create policy "everybody reads" on circle_visibility for select to authenticated using (true);

grant insert, update on consent_grants to authenticated;
create policy "both sides read" on consent_grants for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "the person grants what the role may have" on consent_grants for insert to authenticated
  with check ((select sync.pushing()) and subject_id = (select auth.uid())
    and (role, scope, level) in (select v.role, v.scope, v.level from circle_visibility v where v.chosen = (item_ids is not null)));
create policy "the person takes back" on consent_grants for update to authenticated
  using ((select sync.pushing()) and subject_id = (select auth.uid()));

grant insert, update on grant_reads to authenticated;
create policy "both sides read" on grant_reads for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "the helper says what was read offline" on grant_reads for insert to authenticated
  with check ((select sync.pushing()) and helper_id = (select auth.uid()) and offline
    and grant_id in (select g.id from consent_grants g where g.helper_id = (select auth.uid())));

grant insert, update on circle_messages to authenticated;
-- No policy for update: what was read was read.
create policy "both sides read" on circle_messages for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "both sides write" on circle_messages for insert to authenticated
  with check ((select sync.pushing()) and from_id = (select auth.uid())
    and (subject_id = (select auth.uid()) or subject_id in (select my_circle_with('circle.nudge'))));

alter table circle_invitations enable row level security;
revoke all on circle_invitations from anon, authenticated;
grant select on circle_invitations to authenticated;
create policy "the person reads" on circle_invitations for select to authenticated using (subject_id = (select auth.uid()));

grant insert, update on circle_sessions to authenticated;
create policy "the person and who wrote it read" on circle_sessions for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "both sides write" on circle_sessions for insert to authenticated
  with check ((select sync.pushing()) and author_id = (select auth.uid())
    and (subject_id = (select auth.uid()) or subject_id in (select my_circle_with('circle.nudge'))));
create policy "who wrote it edits, the person says what became of it" on circle_sessions for update to authenticated
  using ((select sync.pushing()) and (author_id = (select auth.uid()) or subject_id = (select auth.uid())));

create policy "both sides read" on circle_acts for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));

alter table sync.wellness_week enable row level security;

grant insert, update on countersignatures to authenticated;
create policy "both sides read" on countersignatures for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "the partner answers what they were asked" on countersignatures for insert to authenticated
  with check ((select sync.pushing()) and helper_id = (select auth.uid())
    and grant_id in (select g.id from consent_grants g where g.helper_id = (select auth.uid()) and g.scope = 'principles'));
