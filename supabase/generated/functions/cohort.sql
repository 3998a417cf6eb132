-- Made by tools/gen-functions.ts from supabase/migrations: the functions of schema cohort as they are now. Do not edit: npm run gen.

CREATE OR REPLACE FUNCTION cohort.compute_window(p_organization uuid, p_week date)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  least_people integer;
  counted cohort.counted_member[];
  is_released boolean;
begin
  select s.minimum into least_people from public.cohort_settings s where s.organization_id = p_organization and s.is_on;
  if least_people is null then return false; end if;
  -- One organisation after the other: whom one has counted no other counts.
  perform pg_advisory_xact_lock(20261201, 735);
  insert into cohort.computed_window (organization_id, week) values (p_organization, p_week) on conflict do nothing;
  if not found then return false; end if;
  if (select count(*) from public.organization_members m where m.organization_id = p_organization and m.deleted_at is null) < least_people then
    return true;
  end if;
  counted := cohort.select_voices(p_organization, p_week);
  is_released := cohort.release(p_organization, p_week, 'organization', p_organization, counted, least_people);
  if is_released then
    perform cohort.release(p_organization, p_week, p.kind, p.id, counted, least_people) from cohort.places(p_organization, least_people) p;
  end if;
  insert into cohort.spent_budget as s (user_id, units, week)
    select v.user_id, case when is_released then 4 else 1 end, p_week from unnest(counted) v
    on conflict (user_id) do update set units = s.units + excluded.units, week = excluded.week;
  return true;
end $function$;

CREATE OR REPLACE FUNCTION cohort.eligible(p_organization uuid, p_week date)
 RETURNS TABLE(user_id uuid)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select b.user_id from cohort.membership b
  where b.organization_id = p_organization and access.is_member(b.organization_id, b.user_id)
    and b.since <= (p_week - 84)::timestamp at time zone 'UTC'
    and exists (select from public.cohort_consents c
      where c.user_id = b.user_id and c.employer_id = p_organization and c.revoked_at is null and c.deleted_at is null
        and c.created_at >= b.since and c.created_at <= (p_week - 84)::timestamp at time zone 'UTC')
$function$;

CREATE OR REPLACE FUNCTION cohort.guard_cohort_consent()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'UPDATE' then
    if (new.user_id, new.employer_id, new.created_at) is distinct from (old.user_id, old.employer_id, old.created_at) and auth.uid() is not null
      or (new.user_id, new.employer_id) is distinct from (old.user_id, old.employer_id)
      or old.revoked_at is not null and new.revoked_at is null or old.deleted_at is not null and new.deleted_at is null then
      raise exception 'a consent is taken back, and another one given' using errcode = '42501', detail = 'CN393';
    end if;
    return new;
  end if;
  -- The policy refuses, and says nothing of where somebody else works.
  if auth.uid() is not null and new.user_id is distinct from auth.uid() then return new; end if;
  if auth.uid() is not null then new.created_at := now(); end if;
  if not exists (select from public.organization_members m join public.organizations o on o.id = m.organization_id and o.kind = 'company'
      where m.organization_id = new.employer_id and m.user_id = new.user_id and o.deleted_at is null
        and access.is_member(m.organization_id, m.user_id)) then
    raise exception 'no such employer' using errcode = '42501', detail = 'CN394';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION cohort.is_left_out(p_user uuid, p_week date)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN (get_byte(cohort.secret(((('left out/'::text || (p_user)::text) || '/'::text) || (p_week)::text)), 0) < 64);

CREATE OR REPLACE FUNCTION cohort.noise(p_text text, p_deviation double precision)
 RETURNS integer
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select round(p_deviation * sqrt(-2 * ln((u.a + 0.5) / 2 ^ 52::double precision)) * cos(2 * pi() * u.b / 2 ^ 52::double precision))::integer
  from encode(cohort.secret(p_text), 'hex') as h
  cross join lateral (select ('x' || substr(h, 1, 13))::bit(52)::bigint::double precision as a,
    ('x' || substr(h, 14, 13))::bit(52)::bigint::double precision as b) u
$function$;

CREATE OR REPLACE FUNCTION cohort.note_membership()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  is_back constant boolean := tg_op = 'UPDATE' and new.deleted_at is null and (old.deleted_at is not null or old.valid_until <= now());
begin
  if tg_op = 'DELETE' then
    delete from cohort.membership c where c.organization_id = old.organization_id and c.user_id = old.user_id;
  elsif tg_op = 'INSERT' or is_back then
    insert into cohort.membership as c (organization_id, user_id, since) values (new.organization_id, new.user_id, now())
      on conflict (organization_id, user_id) do update set since = excluded.since;
  end if;
  if is_back or tg_op = 'UPDATE' and new.deleted_at is not null and old.deleted_at is null then
    update public.cohort_consents c set revoked_at = now()
      where c.employer_id = new.organization_id and c.user_id = new.user_id and c.revoked_at is null and c.deleted_at is null;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION cohort.overdue(p_organization uuid, p_kind text, p_place uuid, p_at timestamp with time zone)
 RETURNS integer
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select count(*)::integer from public.action_items a
  where a.organization_id = p_organization and a.deleted_at is null and a.due_at < p_at and (a.closed_at is null or a.closed_at > p_at)
    and (p_kind = 'organization' or p_kind = 'site' and a.site_id = p_place
      or p_kind = 'team' and a.assignee_id in (select t.user_id from public.team_members t where t.team_id = p_place and t.deleted_at is null))
$function$;

CREATE OR REPLACE FUNCTION cohort.places(p_organization uuid, p_minimum integer)
 RETURNS TABLE(kind text, id uuid)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select 'site', s.id from public.sites s where s.organization_id = p_organization and s.deleted_at is null
    and (select count(distinct m.user_id) from public.site_members m where m.site_id = s.id and m.deleted_at is null) >= p_minimum
  union all
  select 'team', t.id from public.teams t where t.organization_id = p_organization and t.deleted_at is null
    and (select count(distinct m.user_id) from public.team_members m where m.team_id = t.id and m.deleted_at is null) >= p_minimum
$function$;

CREATE OR REPLACE FUNCTION cohort.release(p_organization uuid, p_week date, p_kind text, p_place uuid, p_counted cohort.counted_member[], p_minimum integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  here constant cohort.counted_member[] := array(select v from unnest(p_counted) v
    where p_kind = 'organization' or p_kind = 'site' and v.site_id = p_place or p_kind = 'team' and v.team_id = p_place order by v.user_id);
  label constant text := concat_ws('/', p_organization, p_week, p_kind, p_place, encode(sha256(convert_to(here::text, 'UTF8')), 'hex'));
  people constant integer := cardinality(here) + cohort.noise(label || '/people', 5);
  ends constant timestamptz := (p_week + 28)::timestamp at time zone 'UTC';
begin
  if people < p_minimum then return false; end if;
  insert into public.cohort_figures (organization_id, week, measure, kind, place_id, people, percent, margin, overdue, overdue_before)
    select p_organization, p_week, m.measure, p_kind, p_place, people / 5 * 5,
      least(100, greatest(0, round(50 + 50.0 * (m.total + cohort.noise(label || '/' || m.measure, 14)) / people))),
      -- 1.96 deviations: of the sum and of the count, and of having left out one in four.
      least(100, ceil(196 * sqrt((14 ^ 2 + 5 ^ 2) / 4.0 / people ^ 2 + 1 / (16.0 * people)))),
      case when m.measure = 'stress' then cohort.overdue(p_organization, p_kind, p_place, ends) end,
      case when m.measure = 'stress' then cohort.overdue(p_organization, p_kind, p_place, ends - interval '28 days') end
    from (select coalesce(sum(v.mood), 0) as mood, coalesce(sum(v.energy), 0) as energy, coalesce(sum(v.stress), 0) as stress from unnest(here) v) h
    cross join lateral (values ('mood', h.mood), ('energy', h.energy), ('stress', h.stress)) as m (measure, total);
  return true;
end $function$;

CREATE OR REPLACE FUNCTION cohort.secret(p_text text)
 RETURNS bytea
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select sha256(uuid_send(s.key) || sha256(uuid_send(s.key) || convert_to(p_text, 'UTF8'))) from cohort.salt s
$function$;

CREATE OR REPLACE FUNCTION cohort.select_voices(p_organization uuid, p_week date)
 RETURNS cohort.counted_member[]
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(array_agg((e.user_id, s.id, t.id, coalesce(a.mood, 0), coalesce(a.energy, 0), coalesce(a.stress, 0))::cohort.counted_member order by e.user_id), '{}')
  from cohort.eligible(p_organization, p_week) e
  cross join lateral (
    select sign(avg(c.mood) - 3)::integer as mood, sign(avg(c.energy) - 3)::integer as energy, sign(avg(c.stress) - 3)::integer as stress
    from public.wellness_check_ins c
    where c.user_id = e.user_id and c.deleted_at is null and c.skipped is null and c.day >= p_week and c.day < p_week + 28) a
  left join lateral (
    select p.id from public.site_members m join public.sites p on p.id = m.site_id and p.deleted_at is null
    where m.organization_id = p_organization and m.user_id = e.user_id and m.deleted_at is null order by p.id limit 1) s on true
  left join lateral (
    select p.id from public.team_members m join public.teams p on p.id = m.team_id and p.deleted_at is null
    where m.organization_id = p_organization and m.user_id = e.user_id and m.deleted_at is null order by p.id limit 1) t on true
  where (a.mood is not null or a.energy is not null or a.stress is not null)
    and not cohort.is_left_out(e.user_id, p_week)
    and not exists (select from cohort.spent_budget b where b.user_id = e.user_id and (b.units > 76 or b.week >= p_week))
$function$;

CREATE OR REPLACE FUNCTION cohort.sweep_cohorts(p_now timestamp with time zone DEFAULT now())
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  x record;
  taken integer := 0;
  ends timestamptz;
begin
  for x in
    select s.organization_id, w.week
    from public.cohort_settings s
    join public.organizations o on o.id = s.organization_id and o.kind = 'company' and o.deleted_at is null
    cross join (select date '2026-01-05' + 28 * (floor(((p_now at time zone 'UTC')::date - 2 - date '2026-01-05') / 28.0)::integer - 1) as week) w
    where s.is_on and not exists (select from cohort.computed_window t where t.organization_id = s.organization_id and t.week = w.week)
    order by random()
  loop
    exit when clock_timestamp() > ends;
    ends := coalesce(ends, inbox.sweep_deadline());
    if cohort.compute_window(x.organization_id, x.week) then taken := taken + 1; end if;
  end loop;
  return taken;
end $function$;
