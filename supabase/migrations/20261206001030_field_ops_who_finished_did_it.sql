-- A finished inspection says who did it: that is whoever finished it, and it stays. A manager could conduct one and put it under a colleague's
-- name afterwards, or before finishing it, and no log said so (docs/decisions/0804-who-finishes-did-it.md).

create function sync.guard_conductor() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is null or not sync.is_device_edit() then return new; end if;
  if new.status = 'finalised' and old.status <> 'finalised' then
    new.conducted_by := auth.uid();
  elsif sync.is_finished(old.status) then
    -- Whose account ended is followed by nobody: guard_inspection names the caller where nobody is named.
    if old.conducted_by is null then new.conducted_by := null; end if;
    if new.conducted_by is distinct from old.conducted_by then
      raise exception 'a finished inspection stays with who did it' using errcode = '42501';
    end if;
  end if;
  return new;
end $$;
revoke execute on function sync.guard_conductor() from public;
create trigger d_conductor before update on public.inspections for each row execute function sync.guard_conductor();
