-- Wellness, habits and goals: guards and what else triggers do, and who sees and writes which rows.

-- A goal follows one of the same person's; asked for by the trigger, because a policy on goals cannot read goals.
create function growth.guard_goal() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if new.follows_id is not null and (tg_op = 'INSERT' or new.follows_id is distinct from old.follows_id)
    and not exists (select from public.goals g where g.id = new.follows_id and g.user_id = new.user_id) then
    raise exception 'no such goal' using errcode = '23503', detail = 'CN363';
  end if;
  return new;
end $$;
create trigger b_guard before insert or update on goals for each row execute function growth.guard_goal();

-- A person is reminded of 200 habits at most, and of 20 questionnaires.
create function growth.bound_reminded_habits() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  -- What had one already keeps it.
  if tg_op = 'UPDATE' and old.remind_at is not null and old.deleted_at is null and old.archived_at is null then return new; end if;
  -- Of others nothing is told: the policy refuses them.
  if new.user_id = auth.uid() and (select count(*) from public.habits h
      where h.user_id = new.user_id and h.id <> new.id and h.remind_at is not null and h.deleted_at is null and h.archived_at is null) >= 200 then
    raise exception 'at most 200 habits have a reminder' using errcode = '23514', hint = 'many', detail = 'CN364';
  end if;
  return new;
end $$;
create trigger c_bound before insert or update on public.habits for each row
  when (new.remind_at is not null and new.deleted_at is null and new.archived_at is null) execute function growth.bound_reminded_habits();

create function growth.bound_questionnaires() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and old.category = 'wellness' and old.state = 'published' and old.deleted_at is null then return new; end if;
  if exists (select from public.organizations o where o.id = new.organization_id and o.kind = 'private' and o.created_by = auth.uid())
    and (select count(*) from public.forms f where f.organization_id = new.organization_id and f.id <> new.id
      and f.category = 'wellness' and f.state = 'published' and f.deleted_at is null) >= 20 then
    raise exception 'at most 20 questionnaires ask again' using errcode = '23514', hint = 'many', detail = 'CN365';
  end if;
  return new;
end $$;
create trigger c_bound before insert or update on public.forms for each row
  when (new.category = 'wellness' and new.state = 'published' and new.deleted_at is null) execute function growth.bound_questionnaires();

create function growth.guard_entry_day() returns trigger language plpgsql set search_path = '' as $$
begin
  if auth.uid() is not null then
    raise exception 'an entry keeps its habit and its day' using errcode = '23514', constraint = 'id_is_derived', detail = 'CN366';
  end if;
  return new;
end $$;
create trigger d_guard_day before update on public.habit_entries for each row
  when ((old.habit_id, old.day) is distinct from (new.habit_id, new.day)) execute function growth.guard_entry_day();

-- Triggers whose functions stand with another area.

create trigger a0_require_push before insert on goal_check_ins for each statement execute function sync.require_push();
create trigger a2_times before insert or update on goal_check_ins for each row
  when (new.at > now() + interval '1 day') execute function sync.clamp_times_ahead('at');

create trigger a0_require_push before insert on goal_links for each statement execute function sync.require_push();
create trigger d_derived_id before insert on goal_links for each row
  when (sync.is_derived(new.id)) execute function sync.guard_derived_id();

create trigger a0_require_push before insert on goal_milestones for each statement execute function sync.require_push();

create trigger a0_require_push before insert on goal_pauses for each statement execute function sync.require_push();
create trigger d_derived_id before insert on goal_pauses for each row
  when (sync.is_derived(new.id)) execute function sync.guard_derived_id();

create trigger a0_require_push before insert on goals for each statement execute function sync.require_push();

create trigger a0_require_push before insert on habit_entries for each statement execute function sync.require_push();
create trigger d_derived_id before insert on public.habit_entries for each row execute function sync.guard_derived_id();

create trigger a0_require_push before insert on habit_pauses for each statement execute function sync.require_push();

create trigger a0_require_push before insert on habits for each statement execute function sync.require_push();

create trigger a0_require_push before insert on note_keys for each statement execute function sync.require_push();

create trigger a0_require_push before insert on wellness_check_ins for each statement execute function sync.require_push();
create trigger a2_times before insert or update on wellness_check_ins for each row
  when (new.at > now() + interval '1 day') execute function sync.clamp_times_ahead('at');

create trigger a0_require_push before insert on wellness_settings for each statement execute function sync.require_push();
create trigger d_derived_id before insert on wellness_settings for each row
  when (sync.is_derived(new.id)) execute function sync.guard_derived_id();

-- Who may call what.
revoke execute on function growth.guard_goal(), growth.bound_reminded_habits(), growth.bound_questionnaires(), growth.guard_entry_day() from public;

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
