-- Made by tools/gen-functions.ts from supabase/migrations: the functions of schema preference as they are now. Do not edit: npm run gen.

CREATE OR REPLACE FUNCTION preference.locale_chosen()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.locale_chosen := new.locale_chosen or case tg_op
    when 'INSERT' then (new.language, new.timezone, new.date_format, new.time_format) is distinct from ('en', 'UTC', 'MM/dd/yyyy', '12h')
    else old.locale_chosen or (new.language, new.timezone, new.date_format, new.time_format)
      is distinct from (old.language, old.timezone, old.date_format, old.time_format)
    end;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION preference.notify_language_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update auth.users u set raw_user_meta_data = coalesce(u.raw_user_meta_data, '{}') || jsonb_build_object('locale', new.language)
    where u.id = new.user_id and u.raw_user_meta_data ->> 'locale' is distinct from new.language;
  return null;
end $function$;
