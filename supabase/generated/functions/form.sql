-- Made by tools/gen-functions.ts from supabase/migrations: the functions of schema form as they are now. Do not edit: npm run gen.

CREATE OR REPLACE FUNCTION form.copy_form_organization()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  new.organization_id := coalesce((select f.organization_id from public.forms f where f.id = new.form_id), access.no_organization());
  return new;
end $function$;

CREATE OR REPLACE FUNCTION form.guard_form_picture()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is null or access.is_outsider(new.organization_id) then return new; end if;   -- the policy refuses, and says nothing of others
  if (select count(*) from public.form_pictures p where p.organization_id = new.organization_id and p.deleted_at is null) >= 400 then
    raise exception 'an organisation has at most 400 pictures of choices' using errcode = '23514', detail = 'CN254';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION form.may_move_version(o inspections, n inspections)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select o.status = 'in_progress' and n.status = 'in_progress' and n.form_id = o.form_id
    and exists (select from public.forms f where f.id = n.form_id and f.current_version_id = n.form_version_id);
$function$;

CREATE OR REPLACE FUNCTION form.replan_schedules_of_form()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if new.state = 'published' and new.deleted_at is null then
    perform set_config('cairn.form_is_back', 'yes', true);
    -- Another version of the schedule, so that it is planned anew.
    update public.schedules s set active_since = now() where s.form_id = new.id and s.state = 'active' and s.deleted_at is null;
    perform set_config('cairn.form_is_back', '', true);
  else
    update public.inspections i set deleted_at = now()
      where i.form_id = new.id and i.schedule_id is not null and i.status = 'scheduled' and i.missed_at is null
        and i.due_at > now() and i.deleted_at is null;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION form.set_draft_editor()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'UPDATE' and new.form_id is distinct from old.form_id then
    raise exception 'a draft keeps its form' using errcode = '42501', detail = 'CN253';
  end if;
  if auth.uid() is not null then new.edited_by := auth.uid(); end if;
  return new;
end $function$;
