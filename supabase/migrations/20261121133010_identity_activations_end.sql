-- Whoever leaves an organisation, or is removed from it, holds nothing of it any more: neither the note of how they came in.

create function identity.end_activations() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update public.organization_activations a set deleted_at = now()
    where a.organization_id = new.organization_id and a.user_id = new.user_id and a.deleted_at is null;
  return null;
end $$;
create trigger g_end_activations after update of deleted_at on organization_members for each row
  when (old.deleted_at is null and new.deleted_at is not null) execute function identity.end_activations();
revoke execute on function identity.end_activations() from public;
