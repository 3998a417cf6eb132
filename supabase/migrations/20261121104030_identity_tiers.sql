-- Tiers: what each may do stands in one table; which one a person has follows from their roles; quotas are counted here.

-- Read by every signed-in person, so that a device without signal knows its owner's abilities.
create table subscription_tiers (
  id                     uuid primary key default gen_random_uuid(),
  tier                   text not null unique check (tier in ('personal_consumer', 'personal_creator', 'company_enterprise')),
  can_create_content     boolean not null,
  can_access_marketplace boolean not null,
  can_earn_revenue       boolean not null,
  has_subscription       boolean not null,
  media_search_quota     integer not null check (media_search_quota >= 0),     -- searches a calendar month (UTC)
  media_sources          jsonb not null check (jsonb_typeof(media_sources) = 'array'),
  auto_recommendations   boolean not null,
  video_generation       boolean not null,
  monthly_video_credits  integer not null check (monthly_video_credits >= 0),  -- credits a calendar month (UTC)
  can_buy_credits        boolean not null,
  can_enhance_videos     boolean not null,
  auto_transcribe        boolean not null,
  created_at             timestamptz not null default now(),
  updated_at             timestamptz not null default now(),
  deleted_at             timestamptz,
  version                bigint not null default 1
);
select sync.add_table('subscription_tiers', 9, $$ array['all'] $$);
create policy "signed-in people read" on subscription_tiers for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
-- No other policy: tiers change by migration only.

insert into subscription_tiers (tier, can_create_content, can_access_marketplace, can_earn_revenue, has_subscription,
    media_search_quota, media_sources, auto_recommendations, video_generation, monthly_video_credits, can_buy_credits,
    can_enhance_videos, auto_transcribe) values
  ('personal_consumer', false, true, false, false, 0, '["internal"]', false, false, 0, false, false, false),
  ('personal_creator', true, true, true, true, 10, '["youtube","vimeo","internal"]', false, true, 5, true, true, true),
  ('company_enterprise', true, true, true, true, 100, '["youtube","vimeo","internal"]', true, true, 50, true, true, true);

-- A person's tier, kept by triggers on what it follows from, in their own feed.
create table subscriptions (
  id         uuid primary key references auth.users (id) on delete cascade,   -- the person
  tier       text not null default 'personal_consumer' references subscription_tiers (tier)
    check (tier in ('personal_consumer', 'personal_creator', 'company_enterprise')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  version    bigint not null default 1
);
select sync.add_table('subscriptions', 12, $$ sync.scopes(sync.user_scope(id)) $$, p_server_columns => array['tier']);
create policy "owner reads" on subscriptions for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
-- No write: derived.

-- An organisation has the enterprise plan while one of its administrators has the enterprise tier.
alter table organizations add column plan text not null default 'standard' check (plan in ('standard', 'enterprise'));
update sync.tables set server_columns = server_columns || 'plan'::text where name = 'organizations';
select sync.refresh_table('organizations');

create function identity.tier_of(p_user uuid) returns text
  language sql stable security definer set search_path = '' as $$
  select case
    when not exists (select from public.user_roles r where r.user_id = p_user and r.role = 'admin' and r.deleted_at is null)
      then 'personal_consumer'
    -- Everybody administers their private space: that is no organisation to have a plan for.
    when exists (select from public.organization_members m
        join public.organizations o on o.id = m.organization_id and o.kind = 'company' and o.deleted_at is null
        where m.user_id = p_user and m.role = 'admin' and m.deleted_at is null)
      then 'company_enterprise'
    else 'personal_creator' end
$$;

create function identity.refresh_plan(p_organization uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  due constant text := case when exists (
    select from public.organization_members m join public.subscriptions s on s.id = m.user_id
    where m.organization_id = p_organization and m.role = 'admin' and m.deleted_at is null and s.tier = 'company_enterprise')
    then 'enterprise' else 'standard' end;
begin
  update public.organizations o set plan = due where o.id = p_organization and o.kind = 'company' and o.plan <> due;
end $$;

create function identity.refresh_tier(p_user uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  due constant text := identity.tier_of(p_user);
begin
  if not exists (select from auth.users u where u.id = p_user) then return; end if;
  insert into public.subscriptions as s (id, tier) values (p_user, due)
    on conflict (id) do update set tier = excluded.tier where s.tier <> excluded.tier;
  perform identity.refresh_plan(m.organization_id) from public.organization_members m
    where m.user_id = p_user and m.role = 'admin' and m.deleted_at is null;
end $$;

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

-- Monthly quotas. Months are of UTC. The row of the month is locked while it is judged, so that two calls at once cannot
-- both take the last one; a request id counts once, however often it is sent.
create table identity.quota_use (
  user_id uuid not null references auth.users (id) on delete cascade,
  quota   text not null check (quota in ('media_search', 'video_credits')),
  month   date not null,
  used    integer not null default 0 check (used >= 0),
  primary key (user_id, quota, month)
);
create table identity.credit_balance (
  user_id uuid primary key references auth.users (id) on delete cascade,
  credits integer not null default 0 check (credits >= 0)       -- bought video credits that are left; they do not expire
);
create table identity.quota_request (
  user_id     uuid not null references auth.users (id) on delete cascade,
  id          uuid not null,                                    -- made by the caller
  quota       text not null,
  month       date not null,
  from_month  integer not null,                                 -- how much the month's quota gave
  from_bought integer not null,                                 -- how much bought credits gave
  at          timestamptz not null default now(),
  refunded_at timestamptz,
  primary key (user_id, id)
);

create function identity.quota_limit(p_user uuid, p_quota text) returns integer
  language sql stable security definer set search_path = '' as $$
  select case p_quota when 'media_search' then t.media_search_quota when 'video_credits' then t.monthly_video_credits end
  from public.subscription_tiers t where t.tier = coalesce((select s.tier from public.subscriptions s where s.id = p_user), 'personal_consumer')
$$;

create function identity.quota_state(p_user uuid, p_quota text) returns jsonb
  language sql volatile security definer set search_path = '' as $$
  select jsonb_build_object('limit', l.n, 'used', l.used, 'bought', l.bought, 'remaining', greatest(l.n - l.used, 0) + l.bought)
  from (select identity.quota_limit(p_user, p_quota) as n,
    coalesce((select u.used from identity.quota_use u
      where u.user_id = p_user and u.quota = p_quota and u.month = date_trunc('month', now() at time zone 'UTC')::date), 0) as used,
    case p_quota when 'video_credits' then coalesce((select b.credits from identity.credit_balance b where b.user_id = p_user), 0) else 0 end as bought) l
$$;

-- Takes from the caller's quota: {granted, limit, used, bought, remaining}. All of p_amount or nothing.
create function consume_quota(p_quota text, p_request uuid, p_amount integer default 1) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
  this_month constant date := date_trunc('month', now() at time zone 'UTC')::date;
  earlier identity.quota_request;
  spent integer;
  bought integer := 0;
  take integer;
begin
  if caller is null then raise exception 'consume_quota needs a signed-in person' using errcode = '42501'; end if;
  if p_quota is null or p_quota not in ('media_search', 'video_credits') or p_request is null or p_amount is null or p_amount not between 1 and 1000 then
    raise exception 'consume_quota takes a quota, a request id and an amount from 1 to 1000' using errcode = '22023';
  end if;
  insert into identity.quota_use (user_id, quota, month) values (caller, p_quota, this_month) on conflict do nothing;
  select u.used into spent from identity.quota_use u
    where u.user_id = caller and u.quota = p_quota and u.month = this_month for update;
  select * into earlier from identity.quota_request r where r.user_id = caller and r.id = p_request;
  if found then
    if earlier.quota <> p_quota or earlier.from_month + earlier.from_bought <> p_amount then
      raise exception 'this request id stands for another request' using errcode = '22023';
    end if;
    return identity.quota_state(caller, p_quota) || jsonb_build_object('granted', earlier.refunded_at is null);
  end if;
  take := least(p_amount, greatest(identity.quota_limit(caller, p_quota) - spent, 0));
  if take < p_amount and p_quota = 'video_credits' then
    -- Credits that were bought are kept for whoever may make videos at present.
    select b.credits into bought from identity.credit_balance b
      where b.user_id = caller and identity.quota_limit(caller, p_quota) > 0 for update;
  end if;
  if take + coalesce(bought, 0) < p_amount then
    return identity.quota_state(caller, p_quota) || '{"granted": false}';
  end if;
  update identity.quota_use u set used = u.used + take where u.user_id = caller and u.quota = p_quota and u.month = this_month;
  update identity.credit_balance b set credits = b.credits - (p_amount - take) where b.user_id = caller and p_amount > take;
  insert into identity.quota_request (user_id, id, quota, month, from_month, from_bought)
    values (caller, p_request, p_quota, this_month, take, p_amount - take);
  return identity.quota_state(caller, p_quota) || '{"granted": true}';
end $$;

-- For the server, when what was paid for could not be made. Once per request.
create function refund_quota(p_user uuid, p_request uuid) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
declare
  r identity.quota_request;
begin
  update identity.quota_request q set refunded_at = now()
    where q.user_id = p_user and q.id = p_request and q.refunded_at is null returning * into r;
  if not found then return false; end if;
  update identity.quota_use u set used = greatest(u.used - r.from_month, 0)
    where u.user_id = p_user and u.quota = r.quota and u.month = r.month;
  update identity.credit_balance b set credits = b.credits + r.from_bought where b.user_id = p_user and r.from_bought > 0;
  return true;
end $$;

-- What the tier allows and what is left of it this month.
create function get_subscription_info() returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
begin
  if auth.uid() is null then raise exception 'get_subscription_info needs a signed-in person' using errcode = '42501'; end if;
  return (select to_jsonb(t) - array['id', 'scopes', 'version', 'created_at', 'updated_at', 'deleted_at'] || jsonb_build_object(
      'media_search', identity.quota_state(auth.uid(), 'media_search'), 'video_credits', identity.quota_state(auth.uid(), 'video_credits'))
    from public.subscription_tiers t
    where t.tier = coalesce((select s.tier from public.subscriptions s where s.id = auth.uid()), 'personal_consumer'));
end $$;

-- More credits: asked for by a person whose tier may buy, decided by whoever fulfils purchases.
create table purchase_requests (
  id           uuid primary key,                                 -- made by the caller
  user_id      uuid not null references auth.users (id) on delete cascade,
  item         text not null default 'video_credits' check (item in ('video_credits')),
  amount       integer not null check (amount between 1 and 1000),             -- credits
  state        text not null default 'requested' check (state in ('requested', 'fulfilled', 'declined', 'cancelled')),
  requested_at timestamptz not null default now(),
  decided_at   timestamptz,
  decided_by   uuid references auth.users (id) on delete set null
);
create index purchase_requests_user on purchase_requests (user_id, requested_at);
create index purchase_requests_open on purchase_requests (requested_at) where state = 'requested';
alter table purchase_requests enable row level security;
revoke all on purchase_requests from anon, authenticated;
grant select on purchase_requests to authenticated;
create policy "buyer and fulfillers read" on purchase_requests for select to authenticated
  using (user_id = (select auth.uid()) or (select my_platform_permission('platform.fulfil')));
-- No write: the calls below.

create function request_purchase(p_id uuid, p_amount integer) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  r public.purchase_requests;
begin
  if auth.uid() is null or not exists (select from public.subscriptions s join public.subscription_tiers t on t.tier = s.tier
      where s.id = auth.uid() and t.can_buy_credits) then
    raise exception 'this tier cannot buy credits' using errcode = '42501';
  end if;
  -- One person's requests wait for each other, so that the limit holds.
  perform pg_advisory_xact_lock(hashtext('purchase'), hashtext(auth.uid()::text));
  if (select count(*) from public.purchase_requests x where x.user_id = auth.uid() and x.state = 'requested' and x.id <> p_id) >= 10 then
    raise exception 'ten requests are waiting already' using errcode = 'P0001';
  end if;
  insert into public.purchase_requests (id, user_id, amount) values (p_id, auth.uid(), p_amount) on conflict (id) do nothing;
  select * into r from public.purchase_requests x where x.id = p_id and x.user_id = auth.uid() and x.amount = p_amount;
  if not found then raise exception 'this request id stands for another request' using errcode = '22023'; end if;
  return jsonb_build_object('id', r.id, 'state', r.state, 'amount', r.amount);
end $$;

create function cancel_purchase(p_id uuid) returns text
  language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.purchase_requests x set state = 'cancelled', decided_at = now(), decided_by = auth.uid()
    where x.id = p_id and x.user_id = auth.uid() and x.state = 'requested';
  if not found then raise exception 'no open request of yours' using errcode = '42501'; end if;
  return 'cancelled';
end $$;

-- Fulfils or declines once; whoever comes second gets what was decided.
create function decide_purchase(p_id uuid, p_fulfil boolean) returns text
  language plpgsql volatile security definer set search_path = '' as $$
declare
  r public.purchase_requests;
begin
  if auth.uid() is null or not public.my_platform_permission('platform.fulfil') then
    raise exception 'deciding purchases needs platform.fulfil' using errcode = '42501';
  end if;
  update public.purchase_requests x set state = case when p_fulfil then 'fulfilled' else 'declined' end,
      decided_at = now(), decided_by = auth.uid()
    where x.id = p_id and x.state = 'requested' and p_fulfil is not null returning * into r;
  if found and p_fulfil then
    insert into identity.credit_balance as b (user_id, credits) values (r.user_id, r.amount)
      on conflict (user_id) do update set credits = b.credits + excluded.credits;
  end if;
  return (select x.state from public.purchase_requests x where x.id = p_id);
end $$;
