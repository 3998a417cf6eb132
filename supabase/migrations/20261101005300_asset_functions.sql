-- Assets and site maps: functions.

set local check_function_bodies = off;   -- what they call may be made later

-- The state an asset is in: what was entered, and down while a critical failure keeps it out of service.
create function asset.service_status(p public.assets) returns text
  language sql stable security definer set search_path = '' return
  case when p.status <> 'retired' and exists (select from public.action_items a
      where a.asset_id = p.id and a.organization_id = p.organization_id and action.holds_asset(a)) then 'down'
    else p.status end;

-- Who may call what.
revoke execute on function asset.service_status(public.assets) from public;
