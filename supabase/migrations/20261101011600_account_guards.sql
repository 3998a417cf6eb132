-- An account: preferences, usage analytics, export and end: guards and what else triggers do, and who sees and writes which rows.

create function preference.notify_language_changed() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update auth.users u set raw_user_meta_data = coalesce(u.raw_user_meta_data, '{}') || jsonb_build_object('locale', new.language)
    where u.id = new.user_id and u.raw_user_meta_data ->> 'locale' is distinct from new.language;
  return null;
end $$;
create trigger x_language_insert after insert on user_preferences for each row
  when (new.locale_chosen) execute function preference.notify_language_changed();
create trigger x_language_update after update on user_preferences for each row
  when (new.locale_chosen and (old.language is distinct from new.language or not old.locale_chosen)) execute function preference.notify_language_changed();

-- Whoever stores another language, zone or format has chosen, also a client that knows nothing of the column; nobody unchooses.
create function preference.locale_chosen() returns trigger language plpgsql set search_path = '' as $$
begin
  new.locale_chosen := new.locale_chosen or case tg_op
    when 'INSERT' then (new.language, new.timezone, new.date_format, new.time_format) is distinct from ('en', 'UTC', 'MM/dd/yyyy', '12h')
    else old.locale_chosen or (new.language, new.timezone, new.date_format, new.time_format)
      is distinct from (old.language, old.timezone, old.date_format, old.time_format)
    end;
  return new;
end $$;
create trigger c_locale_chosen before insert or update on user_preferences for each row execute function preference.locale_chosen();

-- Triggers whose functions stand with another area.

create trigger b_own_columns before insert or update on user_preferences for each row execute function space.own_columns();

-- Who may call what.
revoke execute on function preference.notify_language_changed(), preference.locale_chosen() from public;

-- Who sees and writes which rows.

grant insert, update on user_preferences to authenticated;
-- No write: derived from profiles and memberships.
create policy "scope reads" on user_preferences for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "owner adds" on user_preferences for insert to authenticated with check (user_id = (select auth.uid()));
create policy "owner edits" on user_preferences for update to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));

alter table analytics_events enable row level security;
revoke all on analytics_events from anon, authenticated;
grant insert, select on analytics_events to authenticated;
create policy "owner reads" on analytics_events for select to authenticated using (user_id = (select auth.uid()));
create policy "who shares usage adds" on analytics_events for insert to authenticated
  with check (user_id = (select auth.uid()) and (select analytics.shares_usage()));

alter table analytics_metrics enable row level security;
revoke all on analytics_metrics from anon, authenticated;
grant insert, select on analytics_metrics to authenticated;
create policy "owner reads" on analytics_metrics for select to authenticated using (user_id = (select auth.uid()));
create policy "who shares usage adds" on analytics_metrics for insert to authenticated
  with check (user_id = (select auth.uid()) and (select analytics.shares_usage()));
