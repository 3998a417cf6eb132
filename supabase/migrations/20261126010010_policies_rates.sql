-- Compliance over time: at the end of each day, who was asked for an acknowledgement, who had given it, and for whom the day had passed
-- without. A day is counted once, when it is over, by policy and place (docs/decisions/0640-a-day-is-counted-when-it-is-over.md).

create schema rates;                                             -- never exposed by the API, and nobody is granted its use

-- Since when somebody belonged, and until when: a device sees only how it is now. A row a stretch of time.
create table rates.belonging (
  id              bigint generated always as identity primary key,
  organization_id uuid not null references public.organizations (id) on delete cascade,
  user_id         uuid not null references auth.users (id) on delete cascade,
  kind            text not null check (kind in ('member', 'site', 'team')),
  what            text not null,                                 -- role of a member; id of the site or the team
  joined_at       timestamptz,                                   -- of a member
  valid_until     timestamptz,                                   -- of a member whose time ends by itself
  since           timestamptz not null,
  until           timestamptz check (until >= since)             -- null: still
);
create index belonging_organization on rates.belonging (organization_id, kind, user_id);
create index belonging_user on rates.belonging (user_id);
alter table rates.belonging enable row level security;

-- Since when a campaign asked with this time to answer, and until when.
create table rates.asking (
  id          bigint generated always as identity primary key,
  campaign_id uuid not null references public.acknowledgement_campaigns (id) on delete cascade,
  due_days    integer,                                           -- days; null: no day
  since       timestamptz not null,
  until       timestamptz check (until >= since)                 -- null: still
);
create index asking_campaign on rates.asking (campaign_id);
alter table rates.asking enable row level security;

-- Since when a major was in force, and until when.
create table rates.in_force (
  id              bigint generated always as identity primary key,
  organization_id uuid not null references public.organizations (id) on delete cascade,
  policy_id       uuid not null references public.policies (id) on delete cascade,
  major           integer not null,
  major_since     timestamptz not null,
  since           timestamptz not null,
  until           timestamptz check (until >= since)             -- null: still
);
create index in_force_policy on rates.in_force (organization_id, policy_id);
create index in_force_of on rates.in_force (policy_id);
alter table rates.in_force enable row level security;

-- How a policy stood at the end of a day; no row where nobody was asked.
create table rates.acknowledgement_day (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  place_id        uuid not null,                                 -- a site or a team; the organisation itself: everybody
  day             date not null,                                 -- in the organisation's time zone
  policy_id       uuid not null references public.policies (id) on delete cascade,
  asked           integer not null check (asked > 0),            -- people
  done            integer not null check (done between 0 and asked),   -- of them: acknowledged, or exempt
  overdue         integer not null check (overdue between 0 and asked - done),   -- of them: their day had passed without
  primary key (organization_id, place_id, day, policy_id)
);
create index acknowledgement_day_policy on rates.acknowledgement_day (policy_id);
alter table rates.acknowledgement_day enable row level security;

-- The day of an organisation that is counted next; locked by whoever counts it.
create table rates.counting (
  organization_id uuid primary key references public.organizations (id) on delete cascade,
  day             date not null,                                 -- in the organisation's time zone
  ends_at         timestamptz not null                           -- its end
);
create index counting_ends on rates.counting (ends_at);
alter table rates.counting enable row level security;

-- An organisation has no time zone of its own: the one that most of its administrators keep, of as many the first by name.
create function rates.zone(p_organization uuid) returns text
  language sql stable security definer set search_path = '' as $$
  select coalesce((
    select s.timezone from public.organization_members m join public.user_preferences s on s.user_id = m.user_id
    where m.organization_id = p_organization and m.role = 'admin' and m.deleted_at is null and s.deleted_at is null and sync.is_zone(s.timezone)
    group by s.timezone order by count(*) desc, s.timezone limit 1), 'UTC')
$$;

-- The instant at which a day is over there.
create function rates.end_of(p_organization uuid, p_day date) returns timestamptz
  language sql stable security definer set search_path = '' return (p_day + 1)::timestamp at time zone rates.zone(p_organization);

-- From here on an organisation is counted.
create function rates.begin_counting(p_organization uuid, p_since timestamptz) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  first constant date := (greatest(p_since, now() - interval '365 days') at time zone rates.zone(p_organization))::date;
begin
  insert into rates.counting (organization_id, day, ends_at) values (p_organization, first, rates.end_of(p_organization, first))
    on conflict do nothing;
end $$;

-- Of site_members, team_members and organization_members. Arguments: the kind, and the column that says where or as what.
create function rates.note_belonging() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
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
end $$;
create trigger x_rates after insert or update or delete on organization_members for each row execute function rates.note_belonging('member', 'role');
create trigger x_rates after insert or update or delete on site_members for each row execute function rates.note_belonging('site', 'site_id');
create trigger x_rates after insert or update or delete on team_members for each row execute function rates.note_belonging('team', 'team_id');

create function rates.note_asking() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' then
    if (new.state, new.due_days, new.deleted_at) is not distinct from (old.state, old.due_days, old.deleted_at) then return null; end if;
    update rates.asking a set until = greatest(a.since, now()) where a.campaign_id = new.id and a.until is null;
  end if;
  if new.state = 'active' and new.deleted_at is null then
    insert into rates.asking (campaign_id, due_days, since) values (new.id, new.due_days, now());
    perform rates.begin_counting(new.organization_id, now());
  end if;
  return null;
end $$;
create trigger x_rates after insert or update on acknowledgement_campaigns for each row execute function rates.note_asking();

create function rates.note_in_force() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
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
end $$;
create trigger x_rates after insert or update on policies for each row execute function rates.note_in_force();

-- What the rows themselves say of the time in which nobody wrote it down: since when somebody is at a site or in a team they do not, so they
-- count there from when they joined; nor when a campaign ended, so its row's last change stands for it. Only where no stretch is kept yet.
create function rates.learn_past(p_organization uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
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
  delete from rates.asking a using public.acknowledgement_campaigns c where c.id = a.campaign_id and c.organization_id = p_organization;
  insert into rates.asking (campaign_id, due_days, since, until)
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
  delete from rates.counting n where n.organization_id = p_organization;
  if first is not null then perform rates.begin_counting(p_organization, first); end if;
end $$;
select rates.learn_past(o.id) from public.organizations o;
-- Counting begins within the minute: not by plans made for empty tables.
analyze rates.belonging;
analyze rates.asking;
analyze rates.in_force;

-- Counts one day of one organisation, as people, places, campaigns, policies and words stood at its end: what sync.owed_acknowledgements and
-- the report said then.
create function rates.count_day(p_organization uuid, p_day date, p_end timestamptz) returns void
  language plpgsql volatile security definer set search_path = '' as $$ begin
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
      join rates.asking a on a.campaign_id = c.id and a.since < p_end and (a.until is null or a.until >= p_end)
      join members m on case c.audience ->> 'kind'
        when 'all' then true
        when 'roles' then c.audience -> 'ids' ? m.role
        when 'people' then c.audience -> 'ids' ? m.user_id::text
        else exists (select from here h where h.user_id = m.user_id and h.kind = case c.audience ->> 'kind' when 'sites' then 'site' else 'team' end
          and c.audience -> 'ids' ? h.what) end
      group by f.policy_id, m.user_id
    ), said as (
      select distinct f.policy_id, w.user_id
      from in_force f
      join public.policy_acknowledgements w on w.policy_id = f.policy_id and w.state in ('acknowledged', 'exempt') and w.received_at < p_end and w.deleted_at is null
      join public.policy_versions v on v.id = w.version_id and v.major = f.major
    ), stood as (
      select a.policy_id, a.user_id, s.user_id is not null as is_done, s.user_id is null and coalesce(a.due_at <= p_end, false) as is_overdue
      from asked a left join said s on s.policy_id = a.policy_id and s.user_id = a.user_id
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
end $$;

-- By the clock: days that are over and were not counted, the oldest first, a day at a time until the time is used up; the rest at the next
-- call. Five minutes after its end, when what was under way has been written. Two servers at once count different organisations.
create function rates.sweep(p_now timestamptz default now(), p_budget interval default interval '2 seconds') returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  began constant timestamptz := clock_timestamp();
  c rates.counting;
  counted integer := 0;
begin
  loop
    select n.* into c from rates.counting n join public.organizations o on o.id = n.organization_id and o.deleted_at is null
      where n.ends_at <= p_now - interval '5 minutes' order by n.ends_at limit 1 for update of n skip locked;
    exit when not found;
    perform rates.count_day(c.organization_id, c.day, c.ends_at);
    update rates.counting n set day = c.day + 1, ends_at = rates.end_of(c.organization_id, c.day + 1) where n.organization_id = c.organization_id;
    counted := counted + 1;
    exit when clock_timestamp() - began > p_budget;
  end loop;
  return counted;
end $$;

-- How an organisation stood on each day that was counted, for whoever may see the report; of one policy and one place, or of all. Whoever is
-- limited to sites asks for those, and for teams there, and is answered for the first of them where they name none.
create function acknowledgement_rates(p_organization uuid, p_days integer default 90, p_policy uuid default null, p_place uuid default null) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  member public.organization_members;
  offered jsonb;
  place uuid;
begin
  if auth.uid() is null or not sync.may('policy.report', p_organization) then
    raise exception 'no such organisation' using errcode = '42501';
  end if;
  select m.* into member from sync.my_memberships() m where m.organization_id = p_organization;
  select coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'name', o.name) order by o.kind, o.name), '[]') into offered from (
    select s.id, s.name, 1 as kind from public.sites s
    where s.organization_id = p_organization and s.deleted_at is null and s.id in (select public.my_sites())
    union all
    select t.id, t.name, 2 from public.teams t
    where t.organization_id = p_organization and t.deleted_at is null
      and (not coalesce(member.site_limited, false) or t.site_id in (select public.my_sites()))) o;
  place := coalesce(p_place, case when member.site_limited then (offered -> 0 ->> 'id')::uuid else p_organization end);
  if place is null or place <> p_organization and not offered @> jsonb_build_array(jsonb_build_object('id', place))
    or place = p_organization and member.site_limited then
    raise exception 'no such place' using errcode = '42501';
  end if;
  return jsonb_build_object('zone', rates.zone(p_organization), 'place', nullif(place, p_organization), 'places', offered,
    'is_limited', coalesce(member.site_limited, false),
    'until', (select c.day - 1 from rates.counting c where c.organization_id = p_organization),
    'days', coalesce((
      select jsonb_agg(jsonb_build_object('day', d.day, 'asked', d.asked, 'done', d.done, 'overdue', d.overdue) order by d.day)
      from (select r.day, sum(r.asked) as asked, sum(r.done) as done, sum(r.overdue) as overdue from rates.acknowledgement_day r
        join public.policies p on p.id = r.policy_id and p.deleted_at is null   -- removed samples are gone here too
        where r.organization_id = p_organization and r.place_id = place and (p_policy is null or r.policy_id = p_policy)
          and r.day >= (now() at time zone rates.zone(p_organization))::date - least(greatest(p_days, 1), 366)
        group by r.day) d), '[]'::jsonb));
end $$;

revoke execute on function rates.zone(uuid), rates.end_of(uuid, date), rates.begin_counting(uuid, timestamptz), rates.learn_past(uuid), rates.note_belonging(), rates.note_asking(),
  rates.note_in_force(), rates.count_day(uuid, date, timestamptz), rates.sweep(timestamptz, interval) from public;
revoke execute on function acknowledgement_rates(uuid, integer, uuid, uuid) from public, anon, authenticated;
grant execute on function acknowledgement_rates(uuid, integer, uuid, uuid) to authenticated;

do $$
begin
  if exists (select from pg_extension where extname = 'pg_cron') then
    execute $cron$ select cron.schedule('cairn-rates', '* * * * *', 'select rates.sweep()') $cron$;
  end if;
end $$;
