-- The sync engine: what its tables themselves call.

set local check_function_bodies = off;   -- what they call may be made later

-- The words of an audience. Immutable and plain SQL, so that a generated column may use them at no cost.
create function sync.org_scope(p_organization uuid) returns text
  language sql immutable parallel safe return 'org:' || p_organization::text;

create function sync.user_scope(p_user uuid) returns text
  language sql immutable parallel safe return 'user:' || p_user::text;

create function sync.member_scope(p_organization uuid, p_user uuid) returns text
  language sql immutable parallel safe return 'member:' || p_organization::text || ':' || p_user::text;

create function sync.place_scope(p_organization uuid, p_site uuid) returns text
  language sql immutable parallel safe return coalesce('site:' || p_site::text, 'org:' || p_organization::text);

create function sync.scopes(variadic p_scopes text[]) returns text[]
  language sql immutable parallel safe return array_remove(p_scopes, null);

create function sync.holder_scope(p_permission text, p_organization uuid) returns text
  language sql immutable parallel safe return 'may:' || p_permission || ':' || p_organization::text;

-- The audiences of people named in a list; what is no id names nobody.
create function sync.member_scopes(p_organization uuid, p_people jsonb) returns text[]
  language sql immutable parallel safe
  return (select coalesce(array_agg('member:' || p_organization::text || ':' || lower(p)), '{}')
    from jsonb_array_elements_text(p_people) p where p ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$');

-- Who may call what.
revoke execute on function sync.org_scope(uuid), sync.user_scope(uuid), sync.member_scope(uuid, uuid), sync.place_scope(uuid, uuid),
  sync.scopes(text[]), sync.holder_scope(text, uuid) from public;
grant execute on function sync.org_scope(uuid), sync.user_scope(uuid), sync.member_scope(uuid, uuid), sync.place_scope(uuid, uuid),
  sync.scopes(text[]), sync.holder_scope(text, uuid) to service_role, authenticated;
