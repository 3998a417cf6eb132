-- Made by tools/gen-functions.ts from supabase/migrations: the functions of schema request as they are now. Do not edit: npm run gen.

CREATE OR REPLACE FUNCTION request.check_session()
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform request.refuse_estimates();
  perform identity.require_full_session();
end $function$;

CREATE OR REPLACE FUNCTION request.refuse_estimates()
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  headers constant jsonb := nullif(current_setting('request.headers', true), '')::jsonb;
begin
  if headers ->> 'prefer' ~* 'count\s*=\s*"?\s*(planned|estimated)' then
    raise exception 'counts are exact here' using errcode = 'PT400', hint = 'Prefer: count=exact', detail = 'CN079';
  end if;
  if headers ->> 'accept' ~* 'pgrst\.plan' then
    raise exception 'plans are not shown' using errcode = 'PT406', detail = 'CN080';
  end if;
end $function$;
