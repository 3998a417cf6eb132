-- Identity: invitations, partner links, tiers, support, sessions, what is looked at before every request: guards and what else triggers do, and who sees and writes which rows.

-- Who leaves, or may no longer manage people, leaves no open door behind.
create function identity.end_access() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if new.deleted_at is null and new.role = old.role and coalesce(new.valid_until > now(), true) then return null; end if;
  -- With another role nothing of the old one is left, as before.
  if new.role <> old.role then
    update public.organization_invitations x set revoked_at = now()
      where x.organization_id = new.organization_id and x.created_by = new.user_id and x.accepted_at is null and x.revoked_at is null;
    update public.partner_links x set revoked_at = now()
      where x.organization_id = new.organization_id and x.created_by = new.user_id and x.revoked_at is null;
  end if;
  perform identity.end_access_of(new.user_id, new.organization_id);
  return null;
end $$;
create trigger e_end_access after update on organization_members for each row execute function identity.end_access();

create function identity.roles_changed() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_op <> 'INSERT' then perform identity.refresh_tier(old.user_id); end if;
  if tg_op <> 'DELETE' and (tg_op = 'INSERT' or new.user_id <> old.user_id) then perform identity.refresh_tier(new.user_id); end if;
  if tg_table_name = 'organization_members' then
    perform identity.refresh_plan(case tg_op when 'DELETE' then old.organization_id else new.organization_id end);
  end if;
  return null;
end $$;
create trigger f_tier after insert or update or delete on user_roles for each row execute function identity.roles_changed();
create trigger f_tier after insert or update or delete on organization_members for each row execute function identity.roles_changed();

create function identity.organization_changed() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform identity.refresh_tier(m.user_id) from public.organization_members m
    where m.organization_id = new.id and m.role = 'admin' and m.deleted_at is null;
  return null;
end $$;
create trigger f_tier after update of deleted_at on organizations
  for each row when (old.deleted_at is distinct from new.deleted_at) execute function identity.organization_changed();

-- A day: 5 letters to one address from one organisation, and from one person whatever their companies are; 20 from all of them, 500 of
-- one person's. A new invitation and a renewed one each count. Older entries of the same address or sender go.
-- The 20 are anybody's to use up: the first letter of a day of an organisation that is a week old goes all the same.
create function identity.limit_invitation_emails() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
declare
  address constant bytea := sha256(convert_to(new.email, 'UTF8'));
begin
  -- One address at a time, so that the bounds hold for calls at once.
  perform pg_advisory_xact_lock(hashtext('invitation_email'), hashtext(new.email));
  delete from identity.invitation_email l
    where l.at < now() - interval '1 day' and (l.address_hash = address or l.sender_id = new.created_by);
  if (select count(*) from identity.invitation_email l where l.address_hash = address and l.organization_id = new.organization_id) >= 5
    or (select count(*) from identity.invitation_email l where l.address_hash = address and l.sender_id = new.created_by) >= 5
    or (select count(*) from identity.invitation_email l where l.address_hash = address) >= 20
      and (exists (select from identity.invitation_email l where l.address_hash = address and l.organization_id = new.organization_id)
        or not exists (select from public.organizations o where o.id = new.organization_id and o.created_at < now() - interval '7 days'))
    or (select count(*) from identity.invitation_email l where l.sender_id = new.created_by) >= 500 then
    raise exception 'this address was invited often enough today' using errcode = 'PT429', hint = 'too_many_invitations', detail = 'CN243';
  end if;
  insert into identity.invitation_email (organization_id, sender_id, address_hash) values (new.organization_id, new.created_by, address);
  return null;
end $$;
create trigger f_limit_emails after insert on public.organization_invitations
  for each row when (new.email is not null) execute function identity.limit_invitation_emails();
create trigger f_limit_emails_again after update of expires_at on public.organization_invitations
  for each row when (new.email is not null and new.expires_at > old.expires_at) execute function identity.limit_invitation_emails();

create function identity.end_activations() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update public.organization_activations a set deleted_at = now()
    where a.organization_id = new.organization_id and a.user_id = new.user_id and a.deleted_at is null;
  return null;
end $$;
create trigger g_end_activations after update of deleted_at on organization_members for each row
  when (old.deleted_at is null and new.deleted_at is not null) execute function identity.end_activations();

create function identity.nudge_ended_sessions() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  told text[];
begin
  select array_agg(distinct sync.user_scope(o.user_id)) into told from ended o;
  if told is null then return null; end if;
  perform sync.nudge(told, array(
    select coalesce(s.version, 0) from unnest(told) with ordinality as t (scope, n) left join sync.scope s on s.id = t.scope order by t.n));
  return null;
end $$;

-- An invitation promises no signature under anything: that is asked of somebody who is there, at the principle.
create function identity.refuse_wanted_principles() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from jsonb_array_elements(new.wanted) w where w ->> 'scope' = 'principles') then
    raise exception 'a countersignature is asked for at the principle' using errcode = '22023', detail = 'CN244';
  end if;
  return new;
end $$;

create function identity.end_access_of_role() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform identity.end_access_of(old.user_id);
  return null;
end $$;
create trigger e_end_access after delete on public.user_roles for each row execute function identity.end_access_of_role();
create trigger e_end_access_removed after update on public.user_roles for each row
  when (old.deleted_at is null and (new.deleted_at is not null or new.role <> old.role)) execute function identity.end_access_of_role();

do $$
begin
  create trigger cairn_wake_devices after delete on auth.sessions referencing old table as ended
    for each statement execute function identity.nudge_ended_sessions();
exception when insufficient_privilege or feature_not_supported then
  -- Where the table is not ours to watch, the device finds out when it asks the server next.
  raise notice 'ended sessions are not told at once';
end $$;

-- Who may call what.
revoke execute on function identity.end_access(), identity.roles_changed(), identity.organization_changed(), identity.limit_invitation_emails(),
  identity.end_activations(), identity.nudge_ended_sessions(), identity.refuse_wanted_principles(), identity.end_access_of_role() from public;

do $$
begin
  alter role authenticator set pgrst.db_pre_request = 'request.check_session';
  notify pgrst, 'reload config';
exception when insufficient_privilege or undefined_object then
  -- Where the role is not ours to set, the server in front asks for itself (apps/local-server/src/hardening/bearer.ts).
  raise notice 'pgrst.db_pre_request was not set';
end $$;

-- Who sees and writes which rows.

alter table organization_invitations enable row level security;
revoke all on organization_invitations from anon, authenticated;
grant select on organization_invitations to authenticated;
create policy "people managers read" on organization_invitations for select to authenticated
  using (organization_id in (select my_organizations_with('people.manage')));

alter table partner_links enable row level security;
revoke all on partner_links from anon, authenticated;
grant select on partner_links to authenticated;
create policy "link makers read" on partner_links for select to authenticated
  using (organization_id in (select my_organizations_with('partner.link')));

create policy "signed-in people read" on subscription_tiers for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));

create policy "owner reads" on subscriptions for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));

alter table purchase_requests enable row level security;
revoke all on purchase_requests from anon, authenticated;
grant select on purchase_requests to authenticated;
create policy "buyer and fulfillers read" on purchase_requests for select to authenticated
  using (user_id = (select auth.uid()) or (select my_platform_permission('platform.fulfil')));

alter table support_reads enable row level security;
revoke all on support_reads from anon, authenticated;
grant select on support_reads to authenticated;
create policy "reader and organisation read" on support_reads for select to authenticated
  using (reader_id = (select auth.uid()) or organization_id in (select my_organizations_with('people.manage')));

alter table identity.invitation_email enable row level security;

alter table identity.ended_tokens enable row level security;
