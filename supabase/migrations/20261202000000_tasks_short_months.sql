-- What comes every so many months or years and begins on a 29th, 30th or 31st falls on the last day of a month that is too short
-- (docs/decisions/0750-short-months.md). Days of past months that it now has are not owed: they were nobody's duty then.

update public.task_series set active_since = now()
where state = 'active' and deleted_at is null and based_on = 'scheduled' and extract(day from start_day) > 28
  and recurrence ~ 'FREQ=(MONTHLY|YEARLY)' and recurrence !~ '(BYDAY|BYMONTHDAY|SKIP)=';
update public.schedules set active_since = now()
where state = 'active' and deleted_at is null and based_on = 'scheduled' and extract(day from start_day::date) > 28
  and recurrence ~ 'FREQ=(MONTHLY|YEARLY)' and recurrence !~ '(BYDAY|BYMONTHDAY|SKIP)=';
