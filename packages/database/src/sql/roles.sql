-- Roles as on Supabase. Roles belong to the whole cluster, so each is made once. `cairn_migrator` stands for Supabase's
-- `postgres`: no superuser, bypasses row-level security, owns what the migrations make.
do $$
declare
  role record;
begin
  for role in
    select * from (values
      ('anon', 'nologin noinherit'),
      ('authenticated', 'nologin noinherit'),
      ('service_role', 'nologin noinherit bypassrls'),
      ('authenticator', 'nologin noinherit'),
      ('supabase_auth_admin', 'nologin noinherit createrole'),
      ('supabase_storage_admin', 'nologin noinherit'),
      ('supabase_realtime_admin', 'nologin noinherit'),
      ('dashboard_user', 'nologin'),
      ('cairn_migrator', 'nologin bypassrls')
    ) as wanted (name, attributes)
  loop
    if not exists (select from pg_roles where rolname = role.name) then
      execute format('create role %I %s', role.name, role.attributes);
    end if;
  end loop;
end $$;

grant anon, authenticated, service_role to authenticator;
grant anon, authenticated, service_role to cairn_migrator;
-- Policies and triggers on these schemas' tables may only be made by an owner of them.
grant supabase_storage_admin, supabase_realtime_admin to cairn_migrator;
