-- Letters of the auth service speak the language the app is set to: the choice goes along to where their words are chosen
-- (`locale` of the person's metadata; docs/deploy-supabase.md for templates of a hosted project).

create function sync.tell_language() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update auth.users u set raw_user_meta_data = coalesce(u.raw_user_meta_data, '{}') || jsonb_build_object('locale', new.language)
    where u.id = new.user_id and u.raw_user_meta_data ->> 'locale' is distinct from new.language;
  return null;
end $$;
create trigger x_language_insert after insert on user_preferences for each row execute function sync.tell_language();
create trigger x_language_update after update on user_preferences for each row
  when (old.language is distinct from new.language) execute function sync.tell_language();

revoke execute on function sync.tell_language() from public;
