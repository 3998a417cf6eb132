-- Wellness, habits and goals: guards and what else triggers do, and who sees and writes which rows.

-- A goal follows one of the same person's; asked for by the trigger, because a policy on goals cannot read goals.
create function growth.guard_goal() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if new.follows_id is not null and (tg_op = 'INSERT' or new.follows_id is distinct from old.follows_id)
    and not exists (select from public.goals g where g.id = new.follows_id and g.user_id = new.user_id) then
    raise exception 'no such goal' using errcode = '23503';
  end if;
  return new;
end $$;
create trigger b_guard before insert or update on goals for each row execute function growth.guard_goal();

-- Triggers whose functions stand with another area.

create trigger d_derived_id before insert on habit_entries for each row
  when (sync.is_derived(new.id)) execute function sync.guard_derived_id();
create trigger a0_need_push before insert on habit_entries for each statement execute function sync.need_push();

create trigger a0_need_push before insert on goal_check_ins for each statement execute function sync.need_push();

create trigger a0_need_push before insert on goal_links for each statement execute function sync.need_push();
create trigger d_derived_id before insert on goal_links for each row
  when (sync.is_derived(new.id)) execute function sync.guard_derived_id();

create trigger a0_need_push before insert on goal_milestones for each statement execute function sync.need_push();

create trigger a0_need_push before insert on goal_pauses for each statement execute function sync.need_push();
create trigger d_derived_id before insert on goal_pauses for each row
  when (sync.is_derived(new.id)) execute function sync.guard_derived_id();

create trigger a0_need_push before insert on goals for each statement execute function sync.need_push();

create trigger a0_need_push before insert on habit_pauses for each statement execute function sync.need_push();

create trigger a0_need_push before insert on habits for each statement execute function sync.need_push();

create trigger a0_need_push before insert on note_keys for each statement execute function sync.need_push();

create trigger a0_need_push before insert on wellness_check_ins for each statement execute function sync.need_push();

create trigger a0_need_push before insert on wellness_settings for each statement execute function sync.need_push();
create trigger d_derived_id before insert on wellness_settings for each row
  when (sync.is_derived(new.id)) execute function sync.guard_derived_id();

-- Who may call what.
revoke execute on function growth.guard_goal() from public;

-- Who sees and writes which rows.

grant insert, update on note_keys to authenticated;
create policy "the person reads" on note_keys for select to authenticated
  using (user_id = (select auth.uid()) and (deleted_at is null or (select sync.pushing())));
create policy "the person adds" on note_keys for insert to authenticated
  with check ((select sync.pushing()) and user_id = (select auth.uid()));
create policy "the person closes anew" on note_keys for update to authenticated
  using ((select sync.pushing()) and user_id = (select auth.uid()));

grant insert, update on wellness_check_ins to authenticated;
create policy "the person reads" on wellness_check_ins for select to authenticated
  using (user_id = (select auth.uid()) and (deleted_at is null or (select sync.pushing())));
create policy "the person adds" on wellness_check_ins for insert to authenticated
  with check ((select sync.pushing()) and user_id = (select auth.uid()));
create policy "the person edits" on wellness_check_ins for update to authenticated
  using ((select sync.pushing()) and user_id = (select auth.uid()));

grant insert, update on habits to authenticated;
create policy "the person reads" on habits for select to authenticated
  using (user_id = (select auth.uid()) and (deleted_at is null or (select sync.pushing())));
create policy "the person adds" on habits for insert to authenticated
  with check ((select sync.pushing()) and user_id = (select auth.uid()));
create policy "the person edits" on habits for update to authenticated
  using ((select sync.pushing()) and user_id = (select auth.uid()));

grant insert, update on habit_entries to authenticated;
create policy "the person reads" on habit_entries for select to authenticated
  using (user_id = (select auth.uid()) and (deleted_at is null or (select sync.pushing())));
create policy "the person adds" on habit_entries for insert to authenticated
  with check ((select sync.pushing()) and user_id = (select auth.uid())
    and habit_id in (select h.id from habits h where h.user_id = (select auth.uid())));
create policy "the person edits" on habit_entries for update to authenticated
  using ((select sync.pushing()) and user_id = (select auth.uid()))
  with check ((select sync.pushing()) and user_id = (select auth.uid())
    and habit_id in (select h.id from habits h where h.user_id = (select auth.uid())));

grant insert, update on habit_pauses to authenticated;
create policy "the person reads" on habit_pauses for select to authenticated
  using (user_id = (select auth.uid()) and (deleted_at is null or (select sync.pushing())));
create policy "the person adds" on habit_pauses for insert to authenticated
  with check ((select sync.pushing()) and user_id = (select auth.uid())
    and (habit_id is null or habit_id in (select h.id from habits h where h.user_id = (select auth.uid()))));
create policy "the person edits" on habit_pauses for update to authenticated
  using ((select sync.pushing()) and user_id = (select auth.uid()))
  with check ((select sync.pushing()) and user_id = (select auth.uid())
    and (habit_id is null or habit_id in (select h.id from habits h where h.user_id = (select auth.uid()))));

grant insert, update on goals to authenticated;
create policy "the person reads" on goals for select to authenticated
  using (user_id = (select auth.uid()) and (deleted_at is null or (select sync.pushing())));
create policy "the person adds" on goals for insert to authenticated
  with check ((select sync.pushing()) and user_id = (select auth.uid()));
create policy "the person edits" on goals for update to authenticated
  using ((select sync.pushing()) and user_id = (select auth.uid()));

grant insert, update on goal_milestones to authenticated;
create policy "the person reads" on goal_milestones for select to authenticated
  using (user_id = (select auth.uid()) and (deleted_at is null or (select sync.pushing())));
create policy "the person adds" on goal_milestones for insert to authenticated
  with check ((select sync.pushing()) and user_id = (select auth.uid())
    and goal_id in (select g.id from goals g where g.user_id = (select auth.uid())));
create policy "the person edits" on goal_milestones for update to authenticated
  using ((select sync.pushing()) and user_id = (select auth.uid()))
  with check ((select sync.pushing()) and user_id = (select auth.uid())
    and goal_id in (select g.id from goals g where g.user_id = (select auth.uid())));

grant insert, update on goal_links to authenticated;
create policy "the person reads" on goal_links for select to authenticated
  using (user_id = (select auth.uid()) and (deleted_at is null or (select sync.pushing())));
create policy "the person adds" on goal_links for insert to authenticated
  with check ((select sync.pushing()) and user_id = (select auth.uid())
    and goal_id in (select g.id from goals g where g.user_id = (select auth.uid())));
create policy "the person edits" on goal_links for update to authenticated
  using ((select sync.pushing()) and user_id = (select auth.uid()))
  with check ((select sync.pushing()) and user_id = (select auth.uid())
    and goal_id in (select g.id from goals g where g.user_id = (select auth.uid())));

grant insert, update on goal_check_ins to authenticated;
create policy "the person reads" on goal_check_ins for select to authenticated
  using (user_id = (select auth.uid()) and (deleted_at is null or (select sync.pushing())));
create policy "the person adds" on goal_check_ins for insert to authenticated
  with check ((select sync.pushing()) and user_id = (select auth.uid())
    and goal_id in (select g.id from goals g where g.user_id = (select auth.uid())));
create policy "the person edits" on goal_check_ins for update to authenticated
  using ((select sync.pushing()) and user_id = (select auth.uid()))
  with check ((select sync.pushing()) and user_id = (select auth.uid())
    and goal_id in (select g.id from goals g where g.user_id = (select auth.uid())));

grant insert, update on goal_pauses to authenticated;
create policy "the person reads" on goal_pauses for select to authenticated
  using (user_id = (select auth.uid()) and (deleted_at is null or (select sync.pushing())));
create policy "the person adds" on goal_pauses for insert to authenticated
  with check ((select sync.pushing()) and user_id = (select auth.uid())
    and goal_id in (select g.id from goals g where g.user_id = (select auth.uid())));
create policy "the person edits" on goal_pauses for update to authenticated
  using ((select sync.pushing()) and user_id = (select auth.uid()))
  with check ((select sync.pushing()) and user_id = (select auth.uid())
    and goal_id in (select g.id from goals g where g.user_id = (select auth.uid())));

grant insert, update on wellness_settings to authenticated;
create policy "the person reads" on wellness_settings for select to authenticated
  using (user_id = (select auth.uid()) and (deleted_at is null or (select sync.pushing())));
create policy "the person adds" on wellness_settings for insert to authenticated
  with check ((select sync.pushing()) and user_id = (select auth.uid()));
create policy "the person edits" on wellness_settings for update to authenticated
  using ((select sync.pushing()) and user_id = (select auth.uid()));
