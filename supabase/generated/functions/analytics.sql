-- Made by tools/gen-functions.ts from supabase/migrations: the functions of schema analytics as they are now. Do not edit: npm run gen.

CREATE OR REPLACE FUNCTION analytics.shares_usage()
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select not exists (select from public.user_preferences p where p.user_id = auth.uid() and not p.usage_analytics)
$function$;
