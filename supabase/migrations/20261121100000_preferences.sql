-- Preferences: what the specification names is there since the first migration; here are the product's own three, and the
-- bounds of every value, so that no client can store what no screen can show.

alter table user_preferences
  add column files_on_mobile_data boolean not null default true,   -- false: photos wait for another network
  add column storage_limit_mb     integer                          -- megabytes of received files kept on a device; null: as much as fits
    check (storage_limit_mb between 50 and 100000),
  add column week_start           text not null default 'auto' check (week_start in ('auto', 'monday', 'saturday', 'sunday')),
  add constraint user_preferences_times check (
    notification_time ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$' and quiet_hours_start ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'
    and quiet_hours_end ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  add constraint user_preferences_look check (
    font_size in ('small', 'medium', 'large', 'extra-large') and primary_color ~ '^[a-z][a-z-]{1,19}$'),
  add constraint user_preferences_language check (
    language ~ '^[a-z]{2}(-[A-Z]{2})?$' and timezone ~ '^[A-Za-z0-9_+/-]{1,64}$'
    and date_format in ('MM/dd/yyyy', 'dd/MM/yyyy', 'dd.MM.yyyy', 'yyyy-MM-dd')),
  add constraint user_preferences_person check (
    char_length(dashboard_layout) <= 4000 and wellness_coach_avatar ~ '^[a-z][a-z-]{1,39}$'
    and char_length(custom_avatar_url) <= 500);

-- Only the person sees their profile row; colleagues know the name (docs/decisions/0005-people-projection.md).
alter table profiles
  add column emergency_contact_name  text check (char_length(emergency_contact_name) <= 200),
  add column emergency_contact_phone text check (char_length(emergency_contact_phone) <= 60),
  add constraint profiles_lengths check (
    char_length(full_name) <= 200 and char_length(display_name) <= 200 and char_length(job_title) <= 200
    and char_length(phone) <= 60 and char_length(bio) <= 2000 and char_length(avatar_url) <= 500);

-- 0007: a changed table has its push functions written anew.
select sync.refresh_table('user_preferences');
select sync.refresh_table('profiles');
