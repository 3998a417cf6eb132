-- Spaces: whoever still has an organisation on the screen that is gone hears that it is not found, not that a right is missing (R8.11).
-- Why only its people: to anybody else an id that was one must look like an id that never was. Why not through the outbox: there the parent's end
-- is judged by the registry, and 23503 means that the parent is on its way.

create or replace function sync.place_playbook() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  home uuid;
begin
  if tg_op = 'INSERT' then
    if new.type = 'personal' then
      select o.id into home from public.organizations o
        where o.kind = 'private' and o.created_by = new.owner_id and o.deleted_at is null;
      if home is null then
        raise exception 'the owner of a personal playbook needs a private space' using errcode = '23503';
      end if;
      new.organization_id := home;
    elsif auth.uid() is not null and not sync.pushing()
      and exists (select from public.organizations o where o.id = new.organization_id and o.deleted_at is not null)
      and exists (select from public.organization_members m
                  where m.organization_id = new.organization_id and m.user_id = auth.uid()) then
      raise exception 'organization not found' using errcode = '23503';
    end if;
  elsif (new.type, new.owner_id, new.organization_id) is distinct from (old.type, old.owner_id, old.organization_id) then
    raise exception 'type, owner and organisation of a playbook never change' using errcode = '42501';
  end if;
  return new;
end $$;
