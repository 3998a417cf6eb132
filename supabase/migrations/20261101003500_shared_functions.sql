-- Rules of one area that are part of the rules of others.

set local check_function_bodies = off;   -- what they call may be made later

create function inbox.action_ended(p_status text) returns boolean language sql immutable
  return p_status in ('closed', 'risk_accepted', 'duplicate', 'not_valid');

create function sync.is_uuid(p_text text) returns boolean
  language sql immutable parallel safe
  return coalesce(p_text ~ '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$', false);

create function sync.is_plain_id(p_text text) returns boolean
  language sql immutable parallel safe set search_path = ''
  return coalesce(p_text ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$', false);

create function action.was_ended(p_action uuid) returns boolean
  language sql stable security definer set search_path = ''
  return exists (select from sync.activity x where x.record_id = p_action and x.tbl = 'action_items' and x.field = 'status'
    and inbox.action_ended(x.after));

-- Who may call what.
revoke execute on function inbox.action_ended(text), sync.is_uuid(text), sync.is_plain_id(text), action.was_ended(uuid) from public;
grant execute on function sync.is_uuid(text), sync.is_plain_id(text) to authenticated;
