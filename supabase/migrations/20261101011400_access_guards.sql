-- Who may do what: permissions, roles and what follows from them: guards and what else triggers do, and who sees and writes which rows.

-- As the owner: whoever changes a membership need not be allowed to call anything here.
create function access.clear_rights_on_change() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform access.clear_cached_rights();
  return null;
end $$;
create trigger y_rights after insert or delete or update on role_permissions for each statement execute function access.clear_rights_on_change();

create function access.limit_membership() returns trigger language plpgsql set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and old.role = 'auditor' and new.role <> 'auditor' then
    if new.valid_until is not distinct from old.valid_until then new.valid_until := null; end if;
    if new.site_limited is not distinct from old.site_limited then new.site_limited := false; end if;
  end if;
  if new.role = 'admin' and (new.valid_until is not null or new.site_limited) then
    raise exception 'an administrator has no limits' using errcode = '22023', detail = 'CN231';
  end if;
  if new.role = 'auditor' then
    new.valid_until := coalesce(new.valid_until, now() + interval '90 days');
    if new.valid_until > now() + interval '366 days' then
      raise exception 'an auditor is let in for a year at most' using errcode = '22023', detail = 'CN232';
    end if;
  end if;
  return new;
end $$;

-- Which places, people and teams an organisation has is asked of its own people only.
create function access.guard_outsider() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is not null and current_setting('role', true) = 'authenticated' and not access.is_own_organization(new.organization_id) then
    raise exception 'new row violates row-level security policy for table "%"', tg_table_name using errcode = '42501';
  end if;
  return new;
end $$;

-- Arguments: the column that names who has it; `server` where not the caller says who that is. A workflow speaks for whoever answers
-- for its rule. Fired by every change, also one that a trigger makes to the column.
create function access.note_assignment() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  person constant uuid := to_jsonb(new) ->> tg_argv[0];
begin
  if person is null then return null; end if;
  insert into sync.past_assignee (tbl, id, person, by_id)
    values (tg_table_name, new.id, person, case when tg_argv[1] is distinct from 'server'
      then coalesce(auth.uid(), nullif(current_setting('sync.assigned_by', true), '')::uuid) end)
    on conflict do nothing;
  return null;
end $$;

-- Who may call what.
revoke execute on function access.clear_rights_on_change(), access.limit_membership(), access.guard_outsider(), access.note_assignment() from public;

-- Who sees and writes which rows.

alter table permissions enable row level security;
revoke all on permissions from anon, authenticated;
grant select on permissions to authenticated;
create policy "signed-in people read" on permissions for select to authenticated using (true);

create policy "signed-in people read" on role_permissions for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));

alter table sync.past_assignee enable row level security;
