-- Made by tools/gen-functions.ts from supabase/migrations: the functions of schema presence as they are now. Do not edit: npm run gen.

CREATE OR REPLACE FUNCTION presence.seen_at(p_person uuid)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select date_trunc('hour', max(greatest(s.created_at, s.refreshed_at at time zone 'utc')))
  from auth.sessions s where s.user_id = p_person
$function$;
