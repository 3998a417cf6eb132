-- Group figures with noise: functions.

set local check_function_bodies = off;   -- what they call may be made later

-- The organisation's own action items of a place that were open and overdue at a moment.
create function cohort.overdue(p_organization uuid, p_kind text, p_place uuid, p_at timestamptz) returns integer
  language sql stable set search_path = '' as $$
  select count(*)::integer from public.action_items a
  where a.organization_id = p_organization and a.deleted_at is null and a.due_at < p_at and (a.closed_at is null or a.closed_at > p_at)
    and (p_kind = 'organization' or p_kind = 'site' and a.site_id = p_place
      or p_kind = 'team' and a.assignee_id in (select t.user_id from public.team_members t where t.team_id = p_place and t.deleted_at is null))
$$;

-- Releases the figures of a place where enough people are counted, by a count with noise. The noise hangs on who is counted and on
-- what they said: the same four weeks reckoned again after a restore come out the same, others get noise of their own. Answers
-- whether it did. Deviations: 5 of the count (1 by a person), 14 of a sum (2 by a person who is below instead of above).
create function cohort.release(p_organization uuid, p_week date, p_kind text, p_place uuid, p_counted cohort.counted_member[], p_minimum integer)
  returns boolean language plpgsql volatile set search_path = '' as $$
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
end $$;

-- Reckons four weeks of an organisation, once. Answers whether it did.
create function cohort.compute_window(p_organization uuid, p_week date) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
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
end $$;

-- By the clock: the four weeks that ended, from the Wednesday after them on, so that what was said with no signal has arrived. The
-- same four weeks for everybody, counted from a Monday; what was missed until the next are due is not reckoned later.
-- One organisation at least with each round; which one comes first is anew each time.
create function cohort.sweep_cohorts(p_now timestamptz default now()) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
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
end $$;

-- Turns the figures of an organisation on or off, and says from how many people on; never fewer than ten.
create function set_cohort_settings(p_organization uuid, p_on boolean, p_minimum integer) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  if auth.uid() is null or not coalesce(access.may('organization.manage', p_organization), false) then
    raise exception 'not allowed' using errcode = '42501', detail = 'CN185';
  end if;
  if p_on is null or p_minimum is null or p_minimum not between 60 and 1000 then
    raise exception 'from sixty people on' using errcode = '22023', detail = 'CN193';
  end if;
  insert into public.cohort_settings (organization_id, is_on, minimum) values (p_organization, p_on, p_minimum)
    on conflict (organization_id) do update set is_on = excluded.is_on, minimum = excluded.minimum;
  perform audit.note(p_organization, 'organization.wellness_figures', 'organizations', p_organization, jsonb_build_object('on', p_on, 'minimum', p_minimum));
end $$;

-- 32 bytes that nobody can foresee and that are always the same for a text.
create function cohort.secret(p_text text) returns bytea
  language sql stable set search_path = '' as $$
  select sha256(uuid_send(s.key) || sha256(uuid_send(s.key) || convert_to(p_text, 'UTF8'))) from cohort.salt s
$$;

-- A whole number from the normal distribution around 0, always the same for a text (Box and Muller 1958).
create function cohort.noise(p_text text, p_deviation double precision) returns integer
  language sql stable set search_path = '' as $$
  select round(p_deviation * sqrt(-2 * ln((u.a + 0.5) / 2 ^ 52::double precision)) * cos(2 * pi() * u.b / 2 ^ 52::double precision))::integer
  from encode(cohort.secret(p_text), 'hex') as h
  cross join lateral (select ('x' || substr(h, 1, 13))::bit(52)::bigint::double precision as a,
    ('x' || substr(h, 14, 13))::bit(52)::bigint::double precision as b) u
$$;

-- Who has belonged there and has agreed for twelve weeks when the four weeks begin.
create function cohort.eligible(p_organization uuid, p_week date) returns table (user_id uuid)
  language sql stable set search_path = '' as $$
  select b.user_id from cohort.membership b
  where b.organization_id = p_organization and access.is_member(b.organization_id, b.user_id)
    and b.since <= (p_week - 84)::timestamp at time zone 'UTC'
    and exists (select from public.cohort_consents c
      where c.user_id = b.user_id and c.employer_id = p_organization and c.revoked_at is null and c.deleted_at is null
        and c.created_at >= b.since and c.created_at <= (p_week - 84)::timestamp at time zone 'UTC')
$$;

-- Left out by a secret draw: one in four, anew for each four weeks, the same in every organisation.
create function cohort.is_left_out(p_user uuid, p_week date) returns boolean
  language sql stable set search_path = '' return
  get_byte(cohort.secret('left out/' || p_user::text || '/' || p_week::text), 0) < 64;

-- Whom the four weeks count, in a fixed order, each in one site and one team at most: in more of them they would weigh more.
create function cohort.select_voices(p_organization uuid, p_week date) returns cohort.counted_member[]
  language sql stable set search_path = '' as $$
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
$$;

-- Places with as many members as a figure needs: known to everybody there, so nothing is said by leaving the others out.
create function cohort.places(p_organization uuid, p_minimum integer) returns table (kind text, id uuid)
  language sql stable set search_path = '' as $$
  select 'site', s.id from public.sites s where s.organization_id = p_organization and s.deleted_at is null
    and (select count(distinct m.user_id) from public.site_members m where m.site_id = s.id and m.deleted_at is null) >= p_minimum
  union all
  select 'team', t.id from public.teams t where t.organization_id = p_organization and t.deleted_at is null
    and (select count(distinct m.user_id) from public.team_members m where m.team_id = t.id and m.deleted_at is null) >= p_minimum
$$;

-- Who may call what.
revoke execute on function cohort.overdue(uuid, text, uuid, timestamp with time zone), cohort.release(uuid, date, text, uuid, cohort.counted_member[], integer),
  cohort.compute_window(uuid, date), cohort.sweep_cohorts(timestamp with time zone), cohort.secret(text), cohort.noise(text, double precision),
  cohort.eligible(uuid, date), cohort.is_left_out(uuid, date), cohort.select_voices(uuid, date), cohort.places(uuid, integer) from public;
revoke execute on function set_cohort_settings(uuid, boolean, integer) from public, anon;
