-- What an organisation may see of how its people are: never a person, a week or a word of one, only in which quarter of a
-- group the people with a good week lie (docs/decisions/0340). Three locks, one behind the other:
--  1. of a person nothing but one bit a week goes in (above or below the middle of the scale, by a coin where exactly
--     there), so that whoever knows everything else learns no more than that bit;
--  2. a group is shown only where it, every piece that figures of the same week cut out of it, and its difference from
--     every figure of twelve weeks have as many people as the organisation's minimum, or none;
--  3. a week is reckoned once, two days after it ended, and never again.

-- A person's yes for one employer; theirs alone, the employer does not learn who gave it.
create table cohort_consents (
  id          uuid primary key default gen_random_uuid(),
  user_id     uuid not null references auth.users (id) on delete cascade,
  employer_id uuid not null references organizations (id) on delete cascade,   -- not organization_id: the row is no work of it
  revoked_at  timestamptz,                                       -- device time
  created_at  timestamptz not null default now(),                -- server time; counts from the week after
  updated_at  timestamptz not null default now(),
  deleted_at  timestamptz,
  version     bigint not null default 1
);
create index cohort_consents_user on cohort_consents (user_id);
create index cohort_consents_employer on cohort_consents (employer_id) where revoked_at is null;
select sync.add_table('cohort_consents', 42, $$ sync.scopes(sync.user_scope(user_id)) $$);

create trigger a0_need_push before insert on cohort_consents for each statement execute function sync.need_push();
create policy "the person reads" on cohort_consents for select to authenticated
  using (user_id = (select auth.uid()) and (deleted_at is null or (select sync.pushing())));
create policy "the person agrees" on cohort_consents for insert to authenticated
  with check ((select sync.pushing()) and user_id = (select auth.uid()));
create policy "the person takes back" on cohort_consents for update to authenticated
  using ((select sync.pushing()) and user_id = (select auth.uid()));
grant insert, update on cohort_consents to authenticated;

create function sync.guard_cohort_consent() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' then
    if (new.user_id, new.employer_id) is distinct from (old.user_id, old.employer_id)
      or old.revoked_at is not null and new.revoked_at is null then
      raise exception 'a consent is taken back, and another one given' using errcode = '42501';
    end if;
  elsif not exists (select from public.organization_members m join public.organizations o on o.id = m.organization_id and o.kind = 'company'
      where m.organization_id = new.employer_id and m.user_id = new.user_id and m.deleted_at is null and o.deleted_at is null) then
    raise exception 'no such employer' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger b_guard before insert or update on cohort_consents for each row execute function sync.guard_cohort_consent();

-- Whether an organisation asks for figures at all, and from how many people on.
create table cohort_settings (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null unique references organizations (id) on delete cascade,
  is_on           boolean not null default false,
  minimum         integer not null default 10 check (minimum between 5 and 1000),  -- people; 5 is the floor, 10 what a screen offers
  scope           text not null generated always as (sync.org_scope(organization_id)) stored   -- who reads it
);
-- A figure that was released; what is not here is withheld, whatever the reason.
create table cohort_figures (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations (id) on delete cascade,
  week            date not null,                                 -- its Monday
  measure         text not null check (measure in ('mood', 'energy', 'stress')),
  kind            text not null check (kind in ('organization', 'site', 'team')),
  place_id        uuid not null,                                 -- of the organisation, site or team
  people          integer not null,                              -- rounded down to fives
  share           text not null check (share in ('few', 'some', 'many', 'most')),   -- above the middle of the scale: under ¼, ½, ¾, up to 1
  overdue         integer,                                       -- with stress: the organisation's own open overdue action items there
  overdue_before  integer,                                       -- the same four weeks earlier
  scope           text not null generated always as (sync.org_scope(organization_id)) stored,   -- who reads it
  unique (organization_id, week, measure, kind, place_id)
);
alter table cohort_settings enable row level security;
alter table cohort_figures enable row level security;
revoke all on cohort_settings, cohort_figures from anon, authenticated;
grant select on cohort_settings, cohort_figures to authenticated;
-- Everybody there, not administrators alone: a person reads exactly what the organisation reads.
create policy "who belongs there reads" on cohort_settings for select to authenticated
  using (scope in (select my_scopes()));
create policy "who belongs there reads" on cohort_figures for select to authenticated
  using (scope in (select my_scopes()));
-- No write: the functions below.

create schema cohort;                                            -- never exposed by the API
create table cohort.salt (key uuid primary key default gen_random_uuid());
insert into cohort.salt default values;
-- A person's bit of a week, under a name that leads back to nobody without the salt; fixed when it is first used, so that an
-- answer written later does not tell by how much it differs. Kept for four weeks.
create table cohort.bit (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  measure         text not null,
  week            date not null,
  person          uuid not null,
  high            boolean not null,
  primary key (organization_id, measure, week, person)
);
-- Whom a released figure counted; kept for the twelve weeks it is compared with.
create table cohort.panel (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  measure         text not null,
  week            date not null,
  kind            text not null,
  place_id        uuid not null,
  people          uuid[] not null,
  primary key (organization_id, measure, week, kind, place_id)
);
create table cohort.taken (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  week            date not null,
  primary key (organization_id, week)
);

create function cohort.alias(p_organization uuid, p_user uuid) returns uuid
  language sql stable set search_path = '' as $$
  select extensions.uuid_generate_v5(s.key, p_organization::text || '/' || p_user::text) from cohort.salt s
$$;

-- Whoever takes their yes back is out at once, also where an organisation has stopped asking.
create function cohort.drop_bits() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  delete from cohort.bit b where b.organization_id = new.employer_id and b.person = cohort.alias(new.employer_id, new.user_id);
  return null;
end $$;
create trigger x_drop_bits after update on public.cohort_consents for each row
  when (new.revoked_at is not null or new.deleted_at is not null) execute function cohort.drop_bits();

-- Who agreed before a week began and has belonged there since.
create function cohort.consenting(p_organization uuid, p_week date) returns table (user_id uuid, person uuid)
  language sql stable set search_path = '' as $$
  select m.user_id, cohort.alias(p_organization, m.user_id)
  from public.organization_members m
  where m.organization_id = p_organization and m.deleted_at is null
    and exists (select from public.cohort_consents c
      where c.user_id = m.user_id and c.employer_id = p_organization and c.revoked_at is null and c.deleted_at is null
        and c.created_at >= m.joined_at and c.created_at < p_week::timestamp at time zone 'UTC')
$$;

-- The bits of a week: the mean of what a person said in it, above or below 3; at exactly 3 a coin that
-- always falls the same, in every organisation of the person.
create function cohort.keep_bits(p_organization uuid, p_week date) returns void
  language sql volatile set search_path = '' as $$
  insert into cohort.bit (organization_id, measure, week, person, high)
  select p_organization, m.measure, p_week, e.person,
    case when a.mean = 3 then get_byte(sha256(convert_to(s.key::text || e.user_id::text || m.measure || p_week::text, 'UTF8')), 0) >= 128 else a.mean > 3 end
  from cohort.salt s
  cross join cohort.consenting(p_organization, p_week) e
  cross join unnest(array['mood', 'energy', 'stress']) as m (measure)
  cross join lateral (
    select avg(case m.measure when 'mood' then c.mood when 'energy' then c.energy else c.stress end) as mean
    from public.wellness_check_ins c
    where c.user_id = e.user_id and c.deleted_at is null and c.skipped is null and c.day >= p_week and c.day < p_week + 7) a
  where a.mean is not null
  on conflict do nothing
$$;

-- Who of a place can be counted: agreed, and said something in the last four weeks.
create function cohort.there(p_organization uuid, p_week date, p_measure text, p_kind text, p_place uuid) returns uuid[]
  language sql stable set search_path = '' as $$
  select coalesce(array_agg(e.person), '{}') from cohort.consenting(p_organization, p_week) e
  where exists (select from cohort.bit b where b.organization_id = p_organization and b.measure = p_measure and b.person = e.person
      and b.week between p_week - 21 and p_week)
    and (p_kind = 'organization'
      or p_kind = 'site' and exists (select from public.site_members s where s.site_id = p_place and s.user_id = e.user_id and s.deleted_at is null)
      or p_kind = 'team' and exists (select from public.team_members t where t.team_id = p_place and t.user_id = e.user_id and t.deleted_at is null))
$$;

create function cohort.apart(a uuid[], b uuid[]) returns bigint
  language sql immutable set search_path = '' as $$
  select (select count(*) from (select unnest(a) except select unnest(b)) x) + (select count(*) from (select unnest(b) except select unnest(a)) y)
$$;

-- Whom a figure would count: as before, as long as all of them are there and fewer than the minimum are new, so that one who comes
-- is seen in nothing; else everybody there.
create function cohort.panel_for(p_organization uuid, p_week date, p_measure text, p_kind text, p_place uuid, p_minimum integer) returns uuid[]
  language plpgsql stable set search_path = '' as $$
declare
  present constant uuid[] := cohort.there(p_organization, p_week, p_measure, p_kind, p_place);
  before uuid[];
begin
  select p.people into before from cohort.panel p
    where p.organization_id = p_organization and p.measure = p_measure and p.kind = p_kind and p.place_id = p_place and p.week < p_week
    order by p.week desc limit 1;
  if before is not null and before <@ present and cardinality(present) - cardinality(before) < p_minimum then return before; end if;
  return present;
end $$;

-- Whether a figure over these people may be released beside those already released: judged by who is counted alone, never by
-- what anybody said.
create function cohort.may_release(p_organization uuid, p_week date, p_measure text, p_people uuid[], p_minimum integer) returns boolean
  language sql stable set search_path = '' as $$
  select cardinality(p_people) >= p_minimum
    and not exists (select from cohort.panel p
      where p.organization_id = p_organization and p.measure = p_measure and p.week < p_week
        and cohort.apart(p.people, p_people) between 1 and p_minimum - 1)
    -- What all figures of the week together cut out, by any combination of and, or and not.
    and not exists (
      select from (
        select array_agg(c.cell order by c.cell) as cells from (
          select p.kind || p.place_id::text as cell, unnest(p.people) as person from cohort.panel p
            where p.organization_id = p_organization and p.measure = p_measure and p.week = p_week
          union all select 'this', unnest(p_people)) c
        group by c.person) pieces
      group by pieces.cells having count(*) < p_minimum)
$$;

-- In which quarter the people above the middle lie, by the newest bit of each.
create function cohort.share(p_organization uuid, p_week date, p_measure text, p_people uuid[]) returns text
  language sql stable set search_path = '' as $$
  select case when r.part < 0.25 then 'few' when r.part < 0.5 then 'some' when r.part < 0.75 then 'many' else 'most' end
  from (select count(*) filter (where b.high)::numeric / cardinality(p_people) as part
    from unnest(p_people) as x (person)
    cross join lateral (select k.high from cohort.bit k where k.organization_id = p_organization and k.measure = p_measure and k.person = x.person
      and k.week between p_week - 21 and p_week order by k.week desc limit 1) b) r
$$;

-- The organisation's own action items of a place that were open and overdue at a moment.
create function cohort.overdue(p_organization uuid, p_kind text, p_place uuid, p_at timestamptz) returns integer
  language sql stable set search_path = '' as $$
  select count(*)::integer from public.action_items a
  where a.organization_id = p_organization and a.deleted_at is null and a.due_at < p_at and (a.closed_at is null or a.closed_at > p_at)
    and (p_kind = 'organization' or p_kind = 'site' and a.site_id = p_place
      or p_kind = 'team' and a.assignee_id in (select t.user_id from public.team_members t where t.team_id = p_place and t.deleted_at is null))
$$;

create function cohort.release(p_organization uuid, p_week date, p_measure text, p_kind text, p_place uuid, p_minimum integer) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  counted constant uuid[] := cohort.panel_for(p_organization, p_week, p_measure, p_kind, p_place, p_minimum);
  ends constant timestamptz := (p_week + 7)::timestamp at time zone 'UTC';
begin
  if not cohort.may_release(p_organization, p_week, p_measure, counted, p_minimum) then return; end if;
  insert into cohort.panel (organization_id, measure, week, kind, place_id, people)
    values (p_organization, p_measure, p_week, p_kind, p_place, counted);
  insert into public.cohort_figures (organization_id, week, measure, kind, place_id, people, share, overdue, overdue_before)
    values (p_organization, p_week, p_measure, p_kind, p_place, cardinality(counted) / 5 * 5,
      cohort.share(p_organization, p_week, p_measure, counted),
      case when p_measure = 'stress' then cohort.overdue(p_organization, p_kind, p_place, ends) end,
      case when p_measure = 'stress' then cohort.overdue(p_organization, p_kind, p_place, ends - interval '28 days') end);
end $$;

-- Reckons a week of an organisation, once: the whole first, then sites, then teams. Answers whether it did.
create function cohort.take(p_organization uuid, p_week date) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
declare
  least_people integer;
  m text;
  c record;
begin
  select s.minimum into least_people from public.cohort_settings s where s.organization_id = p_organization and s.is_on;
  if least_people is null then return false; end if;
  insert into cohort.taken (organization_id, week) values (p_organization, p_week) on conflict do nothing;
  if not found then return false; end if;
  delete from cohort.panel p where p.organization_id = p_organization and p.week <= p_week - 84;
  delete from cohort.bit b where b.organization_id = p_organization
    and (b.week < p_week - 21 or b.person not in (select e.person from cohort.consenting(p_organization, p_week) e));
  perform cohort.keep_bits(p_organization, p_week);
  foreach m in array array['mood', 'energy', 'stress'] loop
    for c in
      select 1 as place, 'organization' as kind, p_organization as id
      union all select 2, 'site', s.id from public.sites s where s.organization_id = p_organization and s.deleted_at is null
      union all select 3, 'team', t.id from public.teams t where t.organization_id = p_organization and t.deleted_at is null
      order by 1, 3
    loop
      perform cohort.release(p_organization, p_week, m, c.kind, c.id, least_people);
    end loop;
  end loop;
  return true;
end $$;

-- By the clock: the week that ended, from the Wednesday after it on, so that what was said with no signal has arrived. A week that
-- was missed is not reckoned later.
create function sync.sweep_cohorts(p_now timestamptz default now()) returns integer
  language sql volatile security definer set search_path = '' as $$
  select count(*) filter (where cohort.take(s.organization_id, w.week))::integer
  from public.cohort_settings s
  join public.organizations o on o.id = s.organization_id and o.kind = 'company' and o.deleted_at is null
  cross join (select date_trunc('week', (p_now at time zone 'UTC') - interval '2 days')::date - 7 as week) w
  where s.is_on and not exists (select from cohort.taken t where t.organization_id = s.organization_id and t.week = w.week)
$$;

-- Turns the figures of an organisation on or off, and says from how many people on; never fewer than ten.
create function set_cohort_settings(p_organization uuid, p_on boolean, p_minimum integer) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  if auth.uid() is null or not coalesce(sync.may('organization.manage', p_organization), false) then
    raise exception 'not allowed' using errcode = '42501';
  end if;
  if p_on is null or p_minimum is null or p_minimum not between 10 and 1000 then
    raise exception 'from ten people on' using errcode = '22023';
  end if;
  insert into public.cohort_settings (organization_id, is_on, minimum) values (p_organization, p_on, p_minimum)
    on conflict (organization_id) do update set is_on = excluded.is_on, minimum = excluded.minimum;
  if not p_on then delete from cohort.bit b where b.organization_id = p_organization; end if;
  perform audit.note(p_organization, 'organization.wellness_figures', 'organizations', p_organization, jsonb_build_object('on', p_on, 'minimum', p_minimum));
end $$;

revoke execute on all functions in schema cohort from public;
revoke execute on function sync.guard_cohort_consent(), sync.sweep_cohorts(timestamptz) from public;
revoke execute on function set_cohort_settings(uuid, boolean, integer) from public, anon, authenticated;
grant execute on function set_cohort_settings(uuid, boolean, integer) to authenticated;

do $$
begin
  if exists (select from pg_extension where extname = 'pg_cron') then
    execute $cron$ select cron.schedule('cairn-cohorts', '17 * * * *', 'select sync.sweep_cohorts()') $cron$;
  end if;
end $$;
