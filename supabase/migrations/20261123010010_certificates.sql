-- The certificate of an acknowledgement: a code the server gives to each word that was signed, with which anybody who holds the
-- certificate looks up that it is genuine and whether it still counts (docs/decisions/0540-who-holds-the-certificate-may-compare-it.md).

alter table policy_acknowledgements
  -- 28 letters of Crockford's base 32, 140 random bits: what stands on the certificate. Companies only.
  add column certificate_code text unique check (certificate_code ~ '^[0-9A-HJKMNP-TV-Z]{28}$'),
  -- server time since which it was asked for, as it was known when the word arrived; null: nobody asked
  add column requested_at timestamptz constraint policy_acknowledgements_requested_at_in_time
    check (requested_at >= timestamptz '1970-01-01T00:00:00Z' and requested_at < timestamptz '2200-01-01T00:00:00Z');
update sync.tables set server_columns = server_columns || array['certificate_code', 'requested_at'] where name = 'policy_acknowledgements';
select sync.refresh_table('policy_acknowledgements');

-- Of two random ids the bytes in which the low five bits are all random: not the sixth and not the eighth.
create function sync.new_certificate_code() returns text
  language sql volatile set search_path = '' as $$
  select string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + get_byte(r.b, p.at) % 32, 1), '')
  from (select uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) as b) r,
    unnest(array[0, 1, 2, 3, 4, 5, 7, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 23, 25, 26, 27, 28, 29, 30, 31]) as p (at)
$$;

-- Since when a person is asked for a word on a major, as campaigns and memberships are now; null where nobody asks.
create function sync.asked_since(p_organization uuid, p_policy uuid, p_major integer, p_user uuid) returns timestamptz
  language sql stable security definer set search_path = '' as $$
  select min(greatest(c.starts_at, m.joined_at,
    (select min(w.published_at) from public.policy_versions w where w.policy_id = p_policy and w.major = p_major)))
  from public.acknowledgement_campaigns c
  cross join lateral sync.audience_members(p_organization, c.audience) m
  where c.policy_id = p_policy and c.state = 'active' and c.deleted_at is null and m.user_id = p_user
$$;

-- Gives a signed word its code when it was received, once, whoever writes; a word that came too late has one too.
create function sync.certify_acknowledgement() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and old.certificate_code is not null then
    new.certificate_code := old.certificate_code;
    new.requested_at := old.requested_at;
    return new;
  end if;
  new.certificate_code := null;
  new.requested_at := null;
  if new.state in ('acknowledged', 'void') and new.method is not null and new.received_at is not null
    and exists (select from public.organizations o where o.id = new.organization_id and o.kind = 'company') then
    new.certificate_code := sync.new_certificate_code();
    new.requested_at := sync.asked_since(new.organization_id, new.policy_id,
      (select v.major from public.policy_versions v where v.id = new.version_id), new.user_id);
    -- Who signed first was not asked then.
    if new.requested_at > new.received_at then new.requested_at := null; end if;
  end if;
  return new;
end $$;
-- After `c_guard`, which says when it was received and what it counts for.
create trigger d_certificate before insert or update on policy_acknowledgements for each row execute function sync.certify_acknowledgement();

-- Those that are there already.
update policy_acknowledgements set certificate_code = null where certificate_code is null and method is not null and received_at is not null;

-- Whether a word counts now: in_force (a minor version later too), superseded by a newer major, archived, or void: it came
-- too late and never counted. packages/core/src/policies/certificate.ts says the same.
create function sync.certificate_standing(a public.policy_acknowledgements) returns text
  language sql stable security definer set search_path = '' as $$
  select case when a.state = 'void' then 'void' when v.major < p.current_major then 'superseded'
    when p.state = 'archived' then 'archived' else 'in_force' end
  from public.policy_versions v join public.policies p on p.id = v.policy_id where v.id = a.version_id
$$;

-- What stands on the certificate of one person's word, for whoever may see the report; the word that counts most of that major
-- (the one in force where null). Null where they signed nothing.
create function acknowledgement_certificate(p_policy uuid, p_user uuid, p_major integer default null) returns jsonb
  language plpgsql stable security definer set search_path = '' set timezone = 'UTC' as $$
declare
  p public.policies;
begin
  select * into p from public.policies q where q.id = p_policy and q.deleted_at is null;
  if not found or auth.uid() is null or not sync.may('policy.report', p.organization_id) then
    raise exception 'no such policy' using errcode = '42501';
  end if;
  return (
    select jsonb_build_object('organization', o.name, 'title', v.title, 'version', v.major::text || '.' || v.minor::text,
      'content_hash', a.content_hash, 'signed_name', a.signed_name, 'method', a.method, 'signature', a.signature,
      'code', a.certificate_code, 'standing', sync.certificate_standing(a), 'requested_at', a.requested_at, 'opened_at', a.opened_at,
      'sections_read', a.sections_read, 'sections', a.sections, 'decided_at', a.decided_at, 'received_at', a.received_at,
      'replaced_at', (select min(w.published_at) from public.policy_versions w where w.policy_id = p.id and w.major > v.major),
      'archived_at', p.archived_at)
    from public.policy_acknowledgements a
    join public.policy_versions v on v.id = a.version_id
    join public.organizations o on o.id = a.organization_id
    where a.policy_id = p.id and a.user_id = p_user and v.major = coalesce(p_major, p.current_major)
      and a.certificate_code is not null and a.deleted_at is null
    order by array_position(array['acknowledged', 'void'], a.state), a.received_at limit 1);
end $$;

-- For anybody who holds a certificate: what they compare with it, and nothing else. Null for every other code. The name goes
-- with the account of whoever signed.
create function verify_certificate(p_code text) returns jsonb
  language sql stable security definer set search_path = '' set timezone = 'UTC' as $$
  select jsonb_build_object('organization', o.name, 'title', v.title, 'version', v.major::text || '.' || v.minor::text,
    'content_hash', a.content_hash, 'received_at', a.received_at, 'standing', sync.certificate_standing(a),
    'name', case when a.user_id is not null then a.signed_name end)
  from public.policy_acknowledgements a
  join public.policy_versions v on v.id = a.version_id
  join public.organizations o on o.id = a.organization_id and o.deleted_at is null
  where a.certificate_code = left(p_code, 40) and a.deleted_at is null
$$;

revoke execute on function sync.new_certificate_code(), sync.asked_since(uuid, uuid, integer, uuid), sync.certify_acknowledgement(),
  sync.certificate_standing(public.policy_acknowledgements) from public;
revoke execute on function acknowledgement_certificate(uuid, uuid, integer), verify_certificate(text) from public, anon, authenticated;
grant execute on function acknowledgement_certificate(uuid, uuid, integer) to authenticated;
grant execute on function verify_certificate(text) to anon, authenticated;
