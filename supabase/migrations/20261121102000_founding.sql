-- Founding a company: a signed-in person sends a new row of organizations through sync_push, so that a first run with
-- no signal waits in the outbox like any other work. The founder becomes its administrator in the same transaction.
-- Private spaces still come with the sign-up only.

create policy "signed-in people found companies" on organizations for insert to authenticated
  with check ((select sync.pushing()) and kind = 'company' and created_by = (select auth.uid()));
-- The push reads back what it inserted before the membership exists: true only inside the founding transaction.
create policy "the founder reads while founding" on organizations for select to authenticated
  using ((select sync.pushing()) and created_by = (select auth.uid()) and created_at = (select now()));
grant insert on organizations to authenticated;

-- The server decides kind, slug and founder. `settings.sample` asks for an organisation of sample data, which
-- remove_sample_data may remove for good; afterwards nobody turns real work into sample data.
create function sync.found_organization() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is null then return new; end if;
  new.kind := 'company';
  new.slug := 'company-' || new.id::text;
  new.created_by := auth.uid();
  new.created_at := now();
  new.deleted_at := null;
  new.sample := coalesce(new.settings -> 'sample' = 'true'::jsonb, false);
  perform pg_advisory_xact_lock(hashtext('found'), hashtext(auth.uid()::text));
  if (select count(*) from public.organizations o
      where o.created_by = auth.uid() and o.kind = 'company' and o.deleted_at is null) >= 20 then
    raise exception 'a person founds at most 20 companies' using errcode = 'P0001';
  end if;
  return new;
end $$;
create trigger b_found before insert on organizations for each row execute function sync.found_organization();

create function sync.add_founder() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is not null and new.kind = 'company' then
    insert into public.organization_members (organization_id, user_id, role) values (new.id, auth.uid(), 'admin');
  end if;
  return null;
end $$;
create trigger d_add_founder after insert on organizations for each row execute function sync.add_founder();

revoke execute on function sync.found_organization(), sync.add_founder() from public;
