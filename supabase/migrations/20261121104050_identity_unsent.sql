-- Work of somebody who was removed while their device was offline. The push refuses it with `not_a_member`; the device
-- hands the queue over once, to one tray per organisation, and an administrator accepts or declines it. Accepting pushes
-- it as if the author were still a member: with the rights they had, in their name, under their own mutation ids.

create table sync.unsent (
  n               bigint generated always as identity unique,    -- order of arrival
  user_id         uuid not null references auth.users (id) on delete cascade,
  mid             uuid not null,
  organization_id uuid not null references public.organizations (id) on delete cascade,
  device          uuid,
  body            jsonb not null,                                -- the mutation as the device sent it
  state           text not null default 'waiting' check (state in ('waiting', 'accepted', 'refused', 'declined')),
  result          jsonb,                                         -- the push's word for it, when accepted or refused
  submitted_at    timestamptz not null default now(),
  decided_at      timestamptz,
  decided_by      uuid references auth.users (id) on delete set null,
  primary key (user_id, mid)
);
create index unsent_organization on sync.unsent (organization_id, state, n);
create index unsent_row on sync.unsent (user_id, organization_id, ((body ->> 'id')));

-- Belonged to the organisation once, and does not any more.
create function sync.is_former_member(p_organization uuid, p_user uuid) returns boolean
  language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from public.organization_members m join public.organizations o on o.id = m.organization_id and o.deleted_at is null
    where m.organization_id = p_organization and m.user_id = p_user and (m.deleted_at is not null or m.valid_until <= now()));
end $$;

-- Work, not the people and places it happens at: those are an administrator's to change.
create function sync.is_work(p_table text) returns boolean
  language sql stable security definer set search_path = '' as $$
  select sync.is_of_organization(p_table) and p_table not in ('organization_members', 'organization_activations', 'sites',
    'site_members', 'teams', 'team_members', 'playbooks', 'playbook_members')
$$;

-- The organisation of the row a mutation is about, as the server knows it; null where it knows none.
create function sync.organization_of(p_mutation jsonb) returns uuid
  language plpgsql stable security definer set search_path = '' as $$
declare
  answer uuid;
begin
  if not sync.is_work(p_mutation ->> 't') then return null; end if;
  execute format('select x.organization_id from public.%I x where x.id = $1', p_mutation ->> 't') into answer using (p_mutation ->> 'id')::uuid;
  return answer;
end $$;

create function sync.refuse_former_member(p_organization uuid) returns void
  language plpgsql stable security definer set search_path = '' as $$
begin
  -- One look-up for whoever is a member, on every new record of a push.
  if exists (select from public.organization_members m where m.organization_id = p_organization and m.user_id = auth.uid()
      and (m.deleted_at is not null or m.valid_until <= now()))
    and sync.is_former_member(p_organization, auth.uid()) then
    raise exception 'not_a_member' using errcode = '42501';
  end if;
end $$;

-- A push says `not_a_member` where that is the reason, instead of a missing row or a refused policy.
alter function sync.apply_mutation(jsonb) rename to apply_own_mutation;
create function sync.apply_mutation(m jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  result jsonb;
begin
  if current_setting('sync.kept_former', true) = '{}' then return sync.apply_own_mutation(m); end if;
  if m ->> 'op' = 'insert' and m -> 'patch' ->> 'organization_id' is not null then
    perform sync.refuse_former_member((m -> 'patch' ->> 'organization_id')::uuid);
  end if;
  result := sync.apply_own_mutation(m);
  if result ->> 'kind' = 'missing_or_hidden' then perform sync.refuse_former_member(sync.organization_of(m)); end if;
  return result;
end $$;

create or replace function sync.refusal(p_mid text, p_code text, p_message text, p_constraint text, p_column text) returns jsonb
  language sql immutable set search_path = '' return jsonb_build_object('mid', p_mid, 'st', 'rejected',
    'code', case when p_code = '42501' and p_message = 'not_a_member' then p_message else p_code end, 'msg',
    case when p_code in ('P0001', '42501', '22023') then p_message
      when p_code like '23%' then coalesce(nullif(p_constraint, ''), nullif(p_column, ''), p_message)
      else 'a value does not fit its column' end);

-- Hands a queue over: {taken, known, refused: [mid]}. At most 50 mutations a call, in the order of the queue; what came
-- before is not taken twice. `known`: the server had it already, from before the removal.
create function submit_unsent_work(p_organization uuid, p_device uuid, p_mutations jsonb) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
  m jsonb;
  taken integer := 0;
  known jsonb := '[]';
  refused jsonb := '[]';
  home uuid;
begin
  if jsonb_typeof(p_mutations) = 'string' then p_mutations := (p_mutations #>> '{}')::jsonb; end if;
  if caller is null or not sync.is_former_member(p_organization, caller) then
    raise exception 'only who was a member and is none hands work over' using errcode = '42501';
  end if;
  if jsonb_typeof(p_mutations) is distinct from 'array' or jsonb_array_length(p_mutations) > 50 or octet_length(p_mutations::text) > 1048576 then
    raise exception 'at most 50 mutations and 1 MB a call' using errcode = '22023';
  end if;
  -- One person's calls wait for each other, so that the limit holds.
  perform pg_advisory_xact_lock(hashtext('unsent'), hashtext(caller::text));
  if (select count(*) from sync.unsent u where u.user_id = caller and u.organization_id = p_organization) > 10000 then
    raise exception 'the tray is full' using errcode = 'P0001';
  end if;
  for m in select e from jsonb_array_elements(p_mutations) with ordinality as es (e, n) order by n loop
    if exists (select from sync.mutation k where k.user_id = caller and k.mid = (m ->> 'mid')::uuid) then
      known := known || jsonb_build_array(m -> 'mid');
      continue;
    end if;
    home := coalesce(sync.organization_of(m), case when m ->> 'op' = 'insert' and sync.is_work(m ->> 't')
        then (m -> 'patch' ->> 'organization_id')::uuid
      else (select u.organization_id from sync.unsent u
        where u.user_id = caller and u.organization_id = p_organization and u.body ->> 'id' = m ->> 'id' and u.body ->> 't' = m ->> 't' limit 1) end);
    if home is distinct from p_organization or m ->> 'op' is null or m ->> 'op' not in ('insert', 'update', 'delete') or m ->> 'mid' is null then
      refused := refused || jsonb_build_array(m -> 'mid');
      continue;
    end if;
    insert into sync.unsent (user_id, mid, organization_id, device, body) values (caller, (m ->> 'mid')::uuid, p_organization, p_device, m)
      on conflict (user_id, mid) do nothing;
    taken := taken + 1;
  end loop;
  return jsonb_build_object('taken', taken, 'known', known, 'refused', refused);
end $$;

-- What became of one's own handed-over work: [{mid, organization_id, state}].
create function my_unsent_work() returns jsonb
  language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('mid', u.mid, 'organization_id', u.organization_id, 'state', u.state) order by u.n), '[]')
  from sync.unsent u where u.user_id = auth.uid()
$$;

-- The tray of an organisation: [{user_id, name, device, submitted_at, mutation, state, result}], by arrival.
create function unsent_work(p_organization uuid, p_state text default 'waiting') returns jsonb
  language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
begin
  perform identity.need('unsent.review', p_organization);
  return (select coalesce(jsonb_agg(jsonb_build_object('user_id', u.user_id, 'name', p.display_name, 'device', u.device,
      'submitted_at', u.submitted_at, 'mutation', u.body, 'state', u.state, 'result', u.result) order by u.n), '[]')
    from sync.unsent u left join public.people p on p.id = u.user_id
    where u.organization_id = p_organization and u.state = p_state);
end $$;

-- Steps of decide_unsent_work that reach beyond the administrator's own rights. Each checks them again.
create function sync.take_unsent(p_organization uuid, p_user uuid, p_mids uuid[]) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  work jsonb;
begin
  perform identity.need('unsent.review', p_organization);
  -- Two administrators deciding at once wait for each other here.
  perform from public.organization_members m where m.organization_id = p_organization and m.user_id = p_user for update;
  if not sync.is_former_member(p_organization, p_user) then
    raise exception 'the author is a member again and sends it themselves' using errcode = 'P0001';
  end if;
  select coalesce(jsonb_agg(w.body order by w.n), '[]') into work from (
    select u.body, u.n from sync.unsent u
    where u.organization_id = p_organization and u.user_id = p_user and u.mid = any (p_mids) and u.state in ('waiting', 'refused')
    order by u.n limit 50) w;
  return work;
end $$;

create function sync.act_as_former(p_organization uuid, p_user uuid) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  ended public.organization_members;
begin
  perform identity.need('unsent.review', p_organization);
  select * into strict ended from public.organization_members m where m.organization_id = p_organization and m.user_id = p_user;
  update public.organization_members m set deleted_at = null, valid_until = null, role = case m.role when 'auditor' then 'member' else m.role end
    where m.id = ended.id;
  return jsonb_build_object('id', ended.id, 'deleted_at', ended.deleted_at, 'valid_until', ended.valid_until, 'role', ended.role);
end $$;

create function sync.settle_unsent(p_organization uuid, p_user uuid, p_ended jsonb, p_results jsonb) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.organization_members m set deleted_at = (p_ended ->> 'deleted_at')::timestamptz,
      valid_until = (p_ended ->> 'valid_until')::timestamptz, role = p_ended ->> 'role'
    where m.id = (p_ended ->> 'id')::uuid and m.organization_id = p_organization and m.user_id = p_user;
  update sync.unsent u set state = case r ->> 'st' when 'rejected' then 'refused' else 'accepted' end, result = r,
      decided_at = now(), decided_by = auth.uid()
    from jsonb_array_elements(p_results) r
    where u.user_id = p_user and u.organization_id = p_organization and u.mid = (r ->> 'mid')::uuid;
end $$;

create function sync.decline_unsent(p_organization uuid, p_user uuid, p_mids uuid[]) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  declined jsonb;
begin
  perform identity.need('unsent.review', p_organization);
  with d as (
    update sync.unsent u set state = 'declined', decided_at = now(), decided_by = auth.uid()
      where u.organization_id = p_organization and u.user_id = p_user and u.mid = any (p_mids) and u.state in ('waiting', 'refused')
      returning u.mid)
  select jsonb_build_object('declined', count(*)) into declined from d;
  return declined;
end $$;

-- Decides over one author's handed-over work, at most 50 pieces a call, in the order of arrival. Accepting answers the
-- push's results and which files an administrator has to confirm: {results, media}; declining {declined}. What the push
-- refuses stays in the tray with its reason. The membership is alive only inside this transaction: nobody ever sees it.
create function decide_unsent_work(p_organization uuid, p_user uuid, p_mids uuid[], p_accept boolean) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  claims constant text := current_setting('request.jwt.claims', true);
  caller constant text := current_setting('request.jwt.claim.sub', true);
  work jsonb;
  ended jsonb;
  results jsonb;
begin
  if p_accept is null or cardinality(p_mids) > 50 then
    raise exception 'decide_unsent_work takes at most 50 mutations and a decision' using errcode = '22023';
  end if;
  if not p_accept then return sync.decline_unsent(p_organization, p_user, p_mids); end if;
  work := sync.take_unsent(p_organization, p_user, p_mids);
  ended := sync.act_as_former(p_organization, p_user);
  perform set_config('request.jwt.claims', (claims::jsonb || jsonb_build_object('sub', p_user))::text, true);
  if caller <> '' then perform set_config('request.jwt.claim.sub', p_user::text, true); end if;
  results := public.sync_push(null, work) -> 'results';
  perform set_config('request.jwt.claims', claims, true);
  if caller <> '' then perform set_config('request.jwt.claim.sub', caller, true); end if;
  perform sync.settle_unsent(p_organization, p_user, ended, results);
  return jsonb_build_object('results', results, 'media', (
    select coalesce(jsonb_agg(w -> 'id'), '[]') from jsonb_array_elements(work) w
    join jsonb_array_elements(results) r on r ->> 'mid' = w ->> 'mid' and r ->> 'st' in ('applied', 'merged')
    where w ->> 't' = 'media' and w ->> 'op' = 'insert'));
end $$;

-- The files that belong to handed-over work, by object name: their author still brings the bytes.
create function my_unsent_files() returns setof text
  language sql stable security definer set search_path = '' as $$
  select u.organization_id::text || '/' || (u.body ->> 'id') from sync.unsent u
  where u.user_id = auth.uid() and u.state in ('waiting', 'accepted') and u.body ->> 't' = 'media' and u.body ->> 'op' = 'insert'
$$;
create policy "cairn media: authors of handed-over work upload" on storage.objects for insert to authenticated
  with check (bucket_id = 'media' and name in (select public.my_unsent_files()));

-- Who may call what.
revoke execute on all functions in schema identity from public;
revoke execute on all functions in schema sync from public;
revoke execute on function invite_to_organization(uuid, text, text, uuid[], timestamptz), renew_invitation(uuid), revoke_invitation(uuid),
  preview_organization_invitation(text), accept_organization_invitation(text), create_partner_link(uuid, text, integer, integer),
  revoke_partner_link(uuid), preview_partner_link(text), activate_partner_link(text), set_organization_program(uuid, text, text),
  leave_organization(uuid), consume_quota(text, uuid, integer), refund_quota(uuid, uuid), get_subscription_info(),
  request_purchase(uuid, integer), cancel_purchase(uuid), decide_purchase(uuid, boolean), support_find_organizations(text, text),
  support_read(uuid, text, text, uuid, integer), submit_unsent_work(uuid, uuid, jsonb), my_unsent_work(), unsent_work(uuid, text),
  decide_unsent_work(uuid, uuid, uuid[], boolean), my_unsent_files() from public, anon, authenticated;
grant execute on function invite_to_organization(uuid, text, text, uuid[], timestamptz), renew_invitation(uuid), revoke_invitation(uuid),
  preview_organization_invitation(text), accept_organization_invitation(text), create_partner_link(uuid, text, integer, integer),
  revoke_partner_link(uuid), preview_partner_link(text), activate_partner_link(text), set_organization_program(uuid, text, text),
  leave_organization(uuid), consume_quota(text, uuid, integer), get_subscription_info(),
  request_purchase(uuid, integer), cancel_purchase(uuid), decide_purchase(uuid, boolean), support_find_organizations(text, text),
  support_read(uuid, text, text, uuid, integer), submit_unsent_work(uuid, uuid, jsonb), my_unsent_work(), unsent_work(uuid, text),
  decide_unsent_work(uuid, uuid, uuid[], boolean), my_unsent_files() to authenticated;
-- Whoever holds an invitation may read what it says before they have an account.
grant execute on function preview_organization_invitation(text), preview_partner_link(text) to anon;
grant execute on function refund_quota(uuid, uuid) to service_role;
grant execute on function sync.apply_mutation(jsonb), sync.apply_own_mutation(jsonb), sync.is_work(text), sync.refuse_former_member(uuid),
  sync.organization_of(jsonb), sync.refusal(text, text, text, text, text), sync.take_unsent(uuid, uuid, uuid[]),
  sync.act_as_former(uuid, uuid), sync.settle_unsent(uuid, uuid, jsonb, jsonb), sync.decline_unsent(uuid, uuid, uuid[]) to authenticated;
