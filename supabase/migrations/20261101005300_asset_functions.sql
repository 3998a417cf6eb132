-- Assets and site maps: functions.

set local check_function_bodies = off;   -- what they call may be made later

-- The state an asset is in: what was entered, and down while a critical failure keeps it out of service.
create function asset.service_status(p public.assets) returns text
  language sql stable security definer set search_path = '' return
  case when p.status <> 'retired' and exists (select from public.action_items a
      where a.asset_id = p.id and a.organization_id = p.organization_id and action.holds_asset(a)) then 'down'
    else p.status end;

-- The asset a record an action item follows from is about; no row where that record is not there for the caller.
create function asset.asset_of_source(p_organization uuid, p_type text, p_source uuid) returns table (asset_id uuid)
  language sql stable security definer set search_path = '' as $$
  select i.asset_id from public.inspections i
    where p_type = 'inspection' and i.id = p_source and i.organization_id = p_organization and access.is_in_sight(i.scopes)
  union all
  select r.asset_id from public.issue_reports r
    where p_type = 'issue_report' and r.id = p_source and r.organization_id = p_organization and access.is_in_sight(r.scopes)
$$;

create function asset.require_asset_in_sight(p_organization uuid, p_asset uuid) returns void
  language plpgsql stable security definer set search_path = '' as $$
begin
  if p_asset is null or exists (select from public.assets a
    where a.id = p_asset and a.organization_id = p_organization and access.is_in_sight(a.scopes)) then return; end if;
  raise exception 'there is no such asset' using errcode = '23503', detail = 'CN107';
end $$;

-- Who may call what.
revoke execute on function asset.service_status(public.assets), asset.asset_of_source(uuid, text, uuid), asset.require_asset_in_sight(uuid, uuid) from public;
