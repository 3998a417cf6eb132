-- How many letters invitations may cause. Whoever founds a company may invite, so without a bound anybody could flood a
-- mailbox with renewed invitations, or many mailboxes from many companies.

create table identity.invitation_letter (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  sender_id       uuid not null references auth.users (id) on delete cascade,
  address_hash    bytea not null,                        -- SHA-256: who was invited is nobody's business for longer than needed
  at              timestamptz not null default now()
);
create index invitation_letter_address on identity.invitation_letter (address_hash, at);
create index invitation_letter_sender on identity.invitation_letter (sender_id, at);
alter table identity.invitation_letter enable row level security;

-- A day: 5 letters to one address from one organisation, 20 from all of them, 500 of one person's. A new invitation and a
-- renewed one each count. Older entries of the same address or sender go.
create function identity.count_letter() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
declare
  address constant bytea := sha256(convert_to(new.email, 'UTF8'));
begin
  -- One address at a time, so that the bounds hold for calls at once.
  perform pg_advisory_xact_lock(hashtext('invitation_letter'), hashtext(new.email));
  delete from identity.invitation_letter l
    where l.at < now() - interval '1 day' and (l.address_hash = address or l.sender_id = new.created_by);
  if (select count(*) from identity.invitation_letter l where l.address_hash = address and l.organization_id = new.organization_id) >= 5
    or (select count(*) from identity.invitation_letter l where l.address_hash = address) >= 20
    or (select count(*) from identity.invitation_letter l where l.sender_id = new.created_by) >= 500 then
    raise exception 'this address was invited often enough today' using errcode = 'PT429', hint = 'too_many_invitations';
  end if;
  insert into identity.invitation_letter (organization_id, sender_id, address_hash) values (new.organization_id, new.created_by, address);
  return null;
end $$;
revoke execute on function identity.count_letter() from public;
create trigger f_count_letter after insert on public.organization_invitations
  for each row when (new.email is not null) execute function identity.count_letter();
create trigger f_count_letter_again after update of expires_at on public.organization_invitations
  for each row when (new.email is not null and new.expires_at > old.expires_at) execute function identity.count_letter();
