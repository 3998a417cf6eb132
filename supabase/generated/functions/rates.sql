-- Made by tools/gen-functions.ts from supabase/migrations: the functions of schema rates as they are now. Do not edit: npm run gen.

CREATE OR REPLACE FUNCTION rates.backfill_history(p_organization uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  first constant timestamptz := (select min(c.starts_at) from public.acknowledgement_campaigns c where c.organization_id = p_organization);
begin
  delete from rates.belonging b where b.organization_id = p_organization;
  insert into rates.belonging (organization_id, user_id, kind, what, joined_at, valid_until, since, until)
    select m.organization_id, m.user_id, 'member', m.role, m.joined_at, m.valid_until, m.joined_at, case when m.deleted_at is not null then greatest(m.joined_at, m.deleted_at) end
    from public.organization_members m where m.organization_id = p_organization
    union all
    select s.organization_id, s.user_id, 'site', s.site_id::text, null, null, m.joined_at, case when s.deleted_at is not null then greatest(m.joined_at, s.deleted_at) end
    from public.site_members s join public.organization_members m using (organization_id, user_id) where s.organization_id = p_organization
    union all
    select t.organization_id, t.user_id, 'team', t.team_id::text, null, null, m.joined_at, case when t.deleted_at is not null then greatest(m.joined_at, t.deleted_at) end
    from public.team_members t join public.organization_members m using (organization_id, user_id) where t.organization_id = p_organization;
  delete from rates.request_period a using public.acknowledgement_campaigns c where c.id = a.campaign_id and c.organization_id = p_organization;
  insert into rates.request_period (campaign_id, due_days, since, until)
    select c.id, c.due_days, c.starts_at,
      case when c.state = 'ended' or c.deleted_at is not null then greatest(c.starts_at, coalesce(c.deleted_at, c.updated_at)) end
    from public.acknowledgement_campaigns c where c.organization_id = p_organization;
  delete from rates.in_force f where f.organization_id = p_organization;
  insert into rates.in_force (organization_id, policy_id, major, major_since, since, until)
    select f.organization_id, f.policy_id, f.major, f.since, f.since, case when f.until is not null then greatest(f.since, f.until) end
    from (
      select v.organization_id, v.policy_id, v.major, min(v.published_at) as since,
        least(lead(min(v.published_at)) over (partition by v.policy_id order by v.major),
          case when p.state <> 'published' then coalesce(p.archived_at, p.updated_at) end, p.deleted_at) as until
      from public.policy_versions v join public.policies p on p.id = v.policy_id
      where v.organization_id = p_organization and v.major is not null and v.published_at is not null
      group by v.organization_id, v.policy_id, v.major, p.id) f;
  delete from rates.counting_start n where n.organization_id = p_organization;
  if first is not null then perform rates.begin_counting(p_organization, first); end if;
end $function$;

CREATE OR REPLACE FUNCTION rates.begin_counting(p_organization uuid, p_since timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  first constant date := (greatest(p_since, now() - interval '365 days') at time zone rates.zone(p_organization))::date;
begin
  insert into rates.counting_start (organization_id, day, ends_at) values (p_organization, first, rates.end_of(p_organization, first))
    on conflict do nothing;
end $function$;

CREATE OR REPLACE FUNCTION rates.count_day(p_organization uuid, p_day date, p_end timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$ begin
  insert into rates.acknowledgement_day (organization_id, place_id, day, policy_id, asked, done, overdue)
    with here as materialized (
      select b.* from rates.belonging b
      where b.organization_id = p_organization and b.since < p_end and (b.until is null or b.until >= p_end)
    ), members as materialized (
      select h.user_id, h.what as role, h.joined_at from here h where h.kind = 'member' and (h.valid_until is null or h.valid_until > p_end)
    ), in_force as materialized (
      select f.policy_id, f.major, f.major_since from rates.in_force f
      where f.organization_id = p_organization and f.since < p_end and (f.until is null or f.until >= p_end)
    ), asked as (
      select f.policy_id, m.user_id, min(greatest(c.starts_at, f.major_since, m.joined_at) + make_interval(days => a.due_days)) as due_at
      from in_force f
      join public.acknowledgement_campaigns c on c.organization_id = p_organization and c.policy_id = f.policy_id
      join rates.request_period a on a.campaign_id = c.id and a.since < p_end and (a.until is null or a.until >= p_end)
      join members m on case c.audience ->> 'kind'
        when 'all' then true
        when 'roles' then c.audience -> 'ids' ? m.role
        when 'people' then c.audience -> 'ids' ? m.user_id::text
        else exists (select from here h where h.user_id = m.user_id and h.kind = case c.audience ->> 'kind' when 'sites' then 'site' else 'team' end
          and c.audience -> 'ids' ? h.what) end
      group by f.policy_id, m.user_id
    ), acknowledgements as (
      select distinct f.policy_id, w.user_id
      from in_force f
      join public.policy_acknowledgements w on w.policy_id = f.policy_id and w.state in ('acknowledged', 'exempt') and w.received_at < p_end and w.deleted_at is null
      join public.policy_versions v on v.id = w.version_id and v.major = f.major
    ), stood as (
      select a.policy_id, a.user_id, s.user_id is not null as is_done, s.user_id is null and coalesce(a.due_at <= p_end, false) as is_overdue
      from asked a left join acknowledgements s on s.policy_id = a.policy_id and s.user_id = a.user_id
    ), placed as (
      select m.user_id, p_organization as place_id from members m
      union all
      select h.user_id, h.what::uuid from here h where h.kind <> 'member'
    )
    select p_organization, p.place_id, p_day, s.policy_id, count(*), count(*) filter (where s.is_done), count(*) filter (where s.is_overdue)
    from stood s join placed p on p.user_id = s.user_id
    group by p.place_id, s.policy_id;
  delete from rates.acknowledgement_day d where d.organization_id = p_organization and d.day < p_day - 400;
  delete from rates.belonging b where b.organization_id = p_organization and b.until < p_end - interval '400 days';
end $function$;

CREATE OR REPLACE FUNCTION rates.end_of(p_organization uuid, p_day date)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN (((p_day + 1))::timestamp without time zone AT TIME ZONE rates.zone(p_organization));

CREATE OR REPLACE FUNCTION rates.note_asking()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'UPDATE' then
    if (new.state, new.due_days, new.deleted_at) is not distinct from (old.state, old.due_days, old.deleted_at) then return null; end if;
    update rates.request_period a set until = greatest(a.since, now()) where a.campaign_id = new.id and a.until is null;
  end if;
  if new.state = 'active' and new.deleted_at is null then
    insert into rates.request_period (campaign_id, due_days, since) values (new.id, new.due_days, now());
    perform rates.begin_counting(new.organization_id, now());
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION rates.note_belonging()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  was constant jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  become constant jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  told constant text[] := array['organization_id', 'user_id', 'joined_at', 'valid_until', 'deleted_at', tg_argv[1]];
begin
  if tg_op = 'UPDATE' and not exists (select from unnest(told) c where was -> c is distinct from become -> c) then return null; end if;
  if was is not null then
    update rates.belonging b set until = greatest(b.since, now())
      where b.organization_id = old.organization_id and b.user_id = old.user_id and b.kind = tg_argv[0] and b.until is null
        and b.what = was ->> tg_argv[1];
  end if;
  if become ->> 'deleted_at' is null and become is not null then
    insert into rates.belonging (organization_id, user_id, kind, what, joined_at, valid_until, since)
      values (new.organization_id, new.user_id, tg_argv[0], become ->> tg_argv[1], (become ->> 'joined_at')::timestamptz,
        (become ->> 'valid_until')::timestamptz, now());
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION rates.note_in_force()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'UPDATE' then
    if (new.state, new.current_major, new.major_since, new.deleted_at)
      is not distinct from (old.state, old.current_major, old.major_since, old.deleted_at) then return null; end if;
    update rates.in_force f set until = greatest(f.since, now())
      where f.organization_id = new.organization_id and f.policy_id = new.id and f.until is null;
  end if;
  if new.state = 'published' and new.deleted_at is null and new.current_major is not null then
    insert into rates.in_force (organization_id, policy_id, major, major_since, since)
      values (new.organization_id, new.id, new.current_major, coalesce(new.major_since, now()), now());
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION rates.sweep(p_now timestamp with time zone DEFAULT now(), p_budget interval DEFAULT '00:00:02'::interval)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  began constant timestamptz := clock_timestamp();
  c rates.counting_start;
  counted integer := 0;
begin
  loop
    select n.* into c from rates.counting_start n join public.organizations o on o.id = n.organization_id and o.deleted_at is null
      where n.ends_at <= p_now - interval '5 minutes' and n.retry_at <= p_now
      order by n.served_at, n.ends_at limit 1 for update of n skip locked;
    exit when not found;
    begin
      perform rates.count_day(c.organization_id, c.day, c.ends_at);
      update rates.counting_start n set day = c.day + 1, ends_at = rates.end_of(c.organization_id, c.day + 1), served_at = clock_timestamp()
        where n.organization_id = c.organization_id;
      counted := counted + 1;
    exception
      when serialization_failure or deadlock_detected or lock_not_available or query_canceled then raise;
      when others then
        raise warning 'rates: a day was not counted (%)', sqlstate;
        update rates.counting_start n set served_at = clock_timestamp(), retry_at = p_now + interval '1 hour' where n.organization_id = c.organization_id;
    end;
    exit when clock_timestamp() - began > p_budget;
  end loop;
  return counted;
end $function$;

CREATE OR REPLACE FUNCTION rates.zone(p_organization uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce((
    select s.timezone from public.organization_members m join public.user_preferences s on s.user_id = m.user_id
    where m.organization_id = p_organization and m.role = 'admin' and m.deleted_at is null and s.deleted_at is null and task.is_zone(s.timezone)
    group by s.timezone order by count(*) desc, s.timezone limit 1), 'UTC')
$function$;
