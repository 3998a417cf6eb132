-- As before; the settings of a person's check-ins have an id of their own too, and their helpers know whose they are.

create or replace function sync.guard_derived_id() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  fits boolean;
begin
  if auth.uid() is null then return new; end if;
  case tg_table_name
    when 'inspection_answers' then
      fits := new.id = extensions.uuid_generate_v5(new.inspection_id, 'answer/' || new.question);
    when 'form_drafts' then
      fits := new.id = extensions.uuid_generate_v5(new.form_id, 'draft');
    when 'notification_choices' then
      fits := new.id = extensions.uuid_generate_v5(new.user_id, 'notifications/' || new.type || '/' || new.channel);
    when 'habit_entries' then
      fits := new.id = extensions.uuid_generate_v5(new.habit_id, 'habits/' || new.day::text);
    when 'goal_links' then
      fits := new.id = extensions.uuid_generate_v5(new.goal_id, 'link/' || new.item_id::text);
    when 'goal_pauses' then
      fits := new.id = extensions.uuid_generate_v5(new.goal_id, 'pause/' || new.from_day::text);
    when 'wellness_settings' then
      fits := new.id = extensions.uuid_generate_v5(new.user_id, 'wellness');
    when 'inspections' then
      -- Occurrences are the server's; what a device derives is the sample company.
      fits := exists (select from generate_series(0, 31) n where new.id in (
        extensions.uuid_generate_v5(new.organization_id, 'past/' || n), extensions.uuid_generate_v5(new.organization_id, 'planned/' || n)));
  end case;
  if fits is not true then
    raise exception 'this id follows from another record' using errcode = '23514', constraint = 'id_is_derived';
  end if;
  return new;
end $$;
create trigger d_derived_id before insert on wellness_settings for each row
  when (sync.is_derived(new.id)) execute function sync.guard_derived_id();
