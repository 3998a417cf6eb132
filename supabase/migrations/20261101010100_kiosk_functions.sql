-- The kiosk, and acknowledgement rates over time: functions.

set local check_function_bodies = off;   -- what they call may be made later

-- Takes a pass, once: the word of its person and policy that came on the device of its witness, within a week.
create function kiosk.consume_pass(w public.kiosk_acknowledgements) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
begin
  update kiosk.pass p set used_at = clock_timestamp()
    where p.id = w.pass_id and p.policy_id = w.policy_id and p.user_id = w.user_id and p.witness_id = w.witness_id
      and p.used_at is null and p.given_at > clock_timestamp() - interval '7 days';
  return found;
end $$;

-- Refuses what is no word: the same that a person's own device is refused.
-- A refusal too.
create function kiosk.check_acknowledgement(w public.kiosk_acknowledgements, v public.policy_versions) returns void
  language plpgsql stable security definer set search_path = '' as $$
begin
  if w.content_hash is distinct from v.content_hash then
    raise exception 'what was on the screen is not this version' using errcode = '23514', detail = 'CN150';
  end if;
  if w.decision = 'acknowledged' and (w.method is null or btrim(coalesce(w.signed_name, '')) = '' or w.method = 'drawn' and w.signature is null) then
    raise exception 'an acknowledgement is signed' using errcode = '23514', detail = 'CN151';
  end if;
  if w.decision = 'declined' and btrim(coalesce(w.reason, '')) = '' then
    raise exception 'who declines says why' using errcode = '23514', detail = 'CN152';
  end if;
  -- A typed name alone, or none, would show nothing of who it was.
  if w.proof = 'witness' and (w.method is distinct from 'drawn' or w.signature is null) then
    raise exception 'without a PIN a word is signed by hand' using errcode = '23514', hint = 'signature', detail = 'CN153';
  end if;
end $$;

-- How many questions had to be right, as for a word on one's own device; refuses a word that lacks them.
create function kiosk.check_quiz(w public.kiosk_acknowledgements, v public.policy_versions) returns integer
  language plpgsql stable security definer set search_path = '' as $$
declare
  needed constant integer := policy.quiz_needed(v, w.user_id);
  given constant integer := coalesce(policy.quiz_right(v.quiz, w.quiz_answers), 0);
  in_force public.policy_versions;
begin
  select x.* into in_force from public.policies p join public.policy_versions x on x.id = p.current_version_id where p.id = v.policy_id;
  if needed > given or in_force.quiz is distinct from v.quiz and policy.quiz_needed(in_force, w.user_id) is not null then
    raise exception 'the quiz is not passed: % right, % needed', given, coalesce(policy.quiz_needed(in_force, w.user_id), needed)
      using errcode = '23Q01', constraint = 'quiz_passed', detail = 'CN154';
  end if;
  return needed;
end $$;

-- Writes the acknowledgement; false where its person said something final of this version before.
-- Without a PIN it replaces a refusal at a kiosk alone, never one its person sent themselves.
create function kiosk.acknowledge(w public.kiosk_acknowledgements, v public.policy_versions, p_state text, p_needed integer) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into public.policy_acknowledgements as a (id, organization_id, policy_id, version_id, user_id, state, content_hash, opened_at,
      sections_read, sections, method, signed_name, signature, reason, decided_at, received_at, quiz_attempts, quiz_answers, quiz_right,
      quiz_needed, quiz_at, witness_id, proof, device)
    values (extensions.uuid_generate_v5(v.id, 'acknowledgement/' || w.user_id::text), v.organization_id, v.policy_id, v.id, w.user_id, p_state,
      w.content_hash, w.opened_at, w.sections_read, w.sections, w.method, w.signed_name, w.signature, w.reason, w.decided_at, clock_timestamp(),
      w.quiz_attempts, w.quiz_answers, policy.quiz_right(v.quiz, w.quiz_answers), p_needed, w.quiz_at, w.witness_id, w.proof, w.device)
    on conflict (id) do update set (state, content_hash, sections_read, sections, method, signed_name, signature, reason, decided_at, received_at,
        quiz_attempts, quiz_answers, quiz_right, quiz_needed, quiz_at, witness_id, proof, device)
      = row (excluded.state, excluded.content_hash, excluded.sections_read, excluded.sections, excluded.method, excluded.signed_name,
        excluded.signature, excluded.reason, excluded.decided_at, excluded.received_at, greatest(a.quiz_attempts, excluded.quiz_attempts),
        excluded.quiz_answers, excluded.quiz_right, excluded.quiz_needed, excluded.quiz_at, excluded.witness_id, excluded.proof, excluded.device)
      where a.state = 'opened'
        or a.state = 'declined' and excluded.state <> 'declined' and (excluded.proof = 'pin' or a.proof is not distinct from 'witness');
  return found;
end $$;

-- Who said something final of the major in force, and who has a PIN: what a device of the kiosk cannot know by itself.
-- PINs of members only.
-- Whoever witnesses for some sites does so for people of these, in everything a kiosk does.
create function public.kiosk_state(p_policy uuid) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  p public.policies;
begin
  select * into p from public.policies q where q.id = p_policy and q.deleted_at is null;
  if not found or auth.uid() is null or not access.may('policy.witness', p.organization_id) then
    raise exception 'no such policy' using errcode = '42501', detail = 'CN142';
  end if;
  return jsonb_build_object('major', p.current_major,
    'answered', coalesce((select jsonb_agg(distinct a.user_id) from public.policy_acknowledgements a
      join public.policy_versions v on v.id = a.version_id
      where a.policy_id = p.id and v.major = p.current_major and a.state in ('acknowledged', 'exempt', 'declined') and a.deleted_at is null
        and kiosk.shares_site(p.organization_id, a.user_id)), '[]'),
    'pins', coalesce((select jsonb_agg(k.user_id) from kiosk.pin k
      where k.organization_id = p.organization_id and access.is_member(k.organization_id, k.user_id)
        and kiosk.shares_site(k.organization_id, k.user_id)), '[]'));
end $$;

-- Sets a PIN. Everybody sets their own; at a kiosk a witness lets somebody set their first, or, with p_replace, another.
-- Of two who set the first PIN of somebody at once, one is told that there is one.
create function public.set_kiosk_pin(p_organization uuid, p_user uuid, p_pin text, p_replace boolean default false) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  before kiosk.pin;
begin
  if auth.uid() is null or not access.is_member(p_organization, p_user)
    or not (p_user = auth.uid() or access.may('policy.witness', p_organization) and kiosk.shares_site(p_organization, p_user))
    or access.is_outsider(p_organization) then
    raise exception 'no such person' using errcode = '42501', detail = 'CN155';
  end if;
  if p_pin is null or p_pin !~ '^\d{4,8}$' then raise exception 'a PIN is 4 to 8 digits' using errcode = '23514', hint = 'pin', detail = 'CN156'; end if;
  perform pg_advisory_xact_lock(hashtextextended('kiosk pin/' || p_organization::text || p_user::text, 0));
  select * into before from kiosk.pin k where k.organization_id = p_organization and k.user_id = p_user for update;
  if before.user_id is not null and p_user <> auth.uid() and not coalesce(p_replace, false) then
    raise exception 'this person has a PIN' using errcode = '23514', hint = 'has_pin', detail = 'CN157';
  end if;
  insert into kiosk.pin as k (organization_id, user_id, hash, set_by)
    values (p_organization, p_user, extensions.crypt(p_pin, extensions.gen_salt('bf', 11)), auth.uid())
    on conflict (organization_id, user_id) do update
      set hash = excluded.hash, set_by = excluded.set_by, set_at = now(), wrong = 0, locked_until = null;
  perform audit.note(p_organization, case when before.user_id is null then 'kiosk.pin_set' else 'kiosk.pin_replaced' end, 'organization_members',
    p_user, jsonb_build_object('user_id', p_user));
end $$;

-- Looks at a PIN. {"pass": uuid} where it is right; else {"left": attempts} or {"locked_until": time}: five wrong ones close it for a
-- quarter of an hour, each five more for twice as long, a day at most.
-- The time it stays closed is reckoned without overflow: an error took the count of a wrong PIN back, and guessing was free.
create function public.check_kiosk_pin(p_policy uuid, p_user uuid, p_pin text) returns jsonb
  language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
declare
  most constant integer := 5;
  p public.policies;
  k kiosk.pin;
  pass uuid;
begin
  select * into p from public.policies q where q.id = p_policy and q.deleted_at is null;
  if not found or auth.uid() is null or not access.may('policy.witness', p.organization_id) or not access.is_member(p.organization_id, p_user)
    or not kiosk.shares_site(p.organization_id, p_user) then
    raise exception 'no such policy' using errcode = '42501', detail = 'CN142';
  end if;
  select * into k from kiosk.pin x where x.organization_id = p.organization_id and x.user_id = p_user for update;
  if not found then raise exception 'this person has no PIN' using errcode = '23514', hint = 'no_pin', detail = 'CN158'; end if;
  if k.locked_until > clock_timestamp() then return jsonb_build_object('locked_until', k.locked_until); end if;
  if k.hash = extensions.crypt(left(coalesce(p_pin, ''), 20), k.hash) then
    update kiosk.pin x set wrong = 0, locked_until = null where x.organization_id = k.organization_id and x.user_id = k.user_id;
    insert into kiosk.pass (policy_id, user_id, witness_id) values (p.id, p_user, auth.uid()) returning id into pass;
    return jsonb_build_object('pass', pass);
  end if;
  -- A wrong one is answered, not raised: raising would take the count back.
  update kiosk.pin x set wrong = x.wrong + 1, locked_until = case when (x.wrong + 1) % most = 0
      then clock_timestamp() + least(interval '15 minutes' * 2 ^ least((x.wrong + 1) / most - 1, 7), interval '1 day') end
    where x.organization_id = k.organization_id and x.user_id = k.user_id returning * into k;
  if k.locked_until is not null then
    perform audit.note(p.organization_id, 'kiosk.pin_locked', 'organization_members', p_user, jsonb_build_object('user_id', p_user));
    return jsonb_build_object('locked_until', k.locked_until);
  end if;
  return jsonb_build_object('left', most - k.wrong % most);
end $$;

-- Whoever is limited to sites hears of the people there, as in the report; of everybody else a word is taken once all the same.
create function kiosk.shares_site(p_organization uuid, p_user uuid) returns boolean
  language sql stable security definer set search_path = '' as $$
  select not exists (select from access.my_memberships() m where m.organization_id = p_organization and m.site_limited)
    or exists (select from public.site_members s
      where s.organization_id = p_organization and s.user_id = p_user and s.deleted_at is null and s.site_id in (select public.my_sites()))
$$;

-- Who may call what.
revoke execute on function kiosk.consume_pass(public.kiosk_acknowledgements), kiosk.check_acknowledgement(public.kiosk_acknowledgements, public.policy_versions),
  kiosk.check_quiz(public.kiosk_acknowledgements, public.policy_versions), kiosk.acknowledge(public.kiosk_acknowledgements, public.policy_versions, text, integer),
  kiosk.shares_site(uuid, uuid) from public;
revoke execute on function kiosk_state(uuid), set_kiosk_pin(uuid, uuid, text, boolean), check_kiosk_pin(uuid, uuid, text) from public, anon;

-- An organisation has no time zone of its own: the one that most of its administrators keep, of as many the first by name.
create function rates.zone(p_organization uuid) returns text
  language sql stable security definer set search_path = '' as $$
  select coalesce((
    select s.timezone from public.organization_members m join public.user_preferences s on s.user_id = m.user_id
    where m.organization_id = p_organization and m.role = 'admin' and m.deleted_at is null and s.deleted_at is null and task.is_zone(s.timezone)
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
  insert into rates.counting_start (organization_id, day, ends_at) values (p_organization, first, rates.end_of(p_organization, first))
    on conflict do nothing;
end $$;

-- What the rows themselves say of the time in which nobody wrote it down: since when somebody is at a site or in a team they do not, so they
-- count there from when they joined; nor when a campaign ended, so its row's last change stands for it. Only where no stretch is kept yet.
create function rates.backfill_history(p_organization uuid) returns void
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
end $$;

-- Counts one day of one organisation, as people, places, campaigns, policies and words stood at its end: what policy.owed_acknowledgements and
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
end $$;

-- By the clock: days that are over and were not counted, the oldest first, a day at a time until the time is used up; the rest at the next
-- call. Five minutes after its end, when what was under way has been written. Two servers at once count different organisations.
create function rates.sweep(p_now timestamptz default now(), p_budget interval default '00:00:02') returns integer
  language plpgsql volatile security definer set search_path = '' as $$
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
  if auth.uid() is null or not access.may('policy.report', p_organization) then
    raise exception 'no such organisation' using errcode = '42501', detail = 'CN159';
  end if;
  select m.* into member from access.my_memberships() m where m.organization_id = p_organization;
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
    raise exception 'no such place' using errcode = '42501', detail = 'CN160';
  end if;
  return jsonb_build_object('zone', rates.zone(p_organization), 'place', nullif(place, p_organization), 'places', offered,
    'is_limited', coalesce(member.site_limited, false),
    'until', (select c.day - 1 from rates.counting_start c where c.organization_id = p_organization),
    'days', coalesce((
      select jsonb_agg(jsonb_build_object('day', d.day, 'asked', d.asked, 'done', d.done, 'overdue', d.overdue) order by d.day)
      from (select r.day, sum(r.asked) as asked, sum(r.done) as done, sum(r.overdue) as overdue from rates.acknowledgement_day r
        join public.policies p on p.id = r.policy_id and p.deleted_at is null   -- removed samples are gone here too
        where r.organization_id = p_organization and r.place_id = place and (p_policy is null or r.policy_id = p_policy)
          and r.day >= (now() at time zone rates.zone(p_organization))::date - least(greatest(p_days, 1), 366)
        group by r.day) d), '[]'::jsonb));
end $$;

-- Who may call what.
revoke execute on function kiosk.consume_pass(public.kiosk_acknowledgements), kiosk.check_acknowledgement(public.kiosk_acknowledgements, public.policy_versions),
  kiosk.check_quiz(public.kiosk_acknowledgements, public.policy_versions), kiosk.acknowledge(public.kiosk_acknowledgements, public.policy_versions, text, integer),
  kiosk.shares_site(uuid, uuid), rates.zone(uuid), rates.end_of(uuid, date), rates.begin_counting(uuid, timestamp with time zone),
  rates.backfill_history(uuid), rates.count_day(uuid, date, timestamp with time zone), rates.sweep(timestamp with time zone, interval) from public;
revoke execute on function kiosk_state(uuid), set_kiosk_pin(uuid, uuid, text, boolean), check_kiosk_pin(uuid, uuid, text),
  acknowledgement_rates(uuid, integer, uuid, uuid) from public, anon;
