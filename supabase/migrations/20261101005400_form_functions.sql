-- Forms, their versions, drafts and pictures: functions.

set local check_function_bodies = off;   -- what they call may be made later

-- Whether an inspection may change its version: one under way, to the version its form is published in now.
create function form.may_move_version(o public.inspections, n public.inspections) returns boolean
  language sql stable security definer set search_path = '' as $$
  select o.status = 'in_progress' and n.status = 'in_progress' and n.form_id = o.form_id
    and exists (select from public.forms f where f.id = n.form_id and f.current_version_id = n.form_version_id);
$$;

-- Who may call what.
revoke execute on function form.may_move_version(public.inspections, public.inspections) from public;
