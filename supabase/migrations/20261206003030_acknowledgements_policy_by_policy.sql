-- Who owes an acknowledgement is looked for policy by policy, in turns of the organisations, within the two seconds: looking through the
-- campaigns of one organisation took them before anybody was told. A policy asks by 50 campaigns at once.

create function sync.bound_campaigns() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and old.state = 'active' and old.deleted_at is null then return new; end if;   -- what asks already is no more of it
  if auth.uid() is null or sync.is_outsider(new.organization_id) then return new; end if;   -- the policy refuses, and says nothing of others
  if (select count(*) from public.acknowledgement_campaigns c where c.organization_id = new.organization_id and c.policy_id = new.policy_id
      and c.id <> new.id and c.state = 'active' and c.deleted_at is null) >= 50 then
    raise exception 'a policy asks by at most 50 campaigns' using errcode = '23514', hint = 'many';
  end if;
  return new;
end $$;
create trigger d_bound before insert or update on public.acknowledgement_campaigns for each row
  when (new.state = 'active' and new.deleted_at is null) execute function sync.bound_campaigns();

-- As before; who is named is looked up once, not in the whole list for each member.
create or replace function sync.audience_members(p_organization uuid, p_audience jsonb) returns setof public.organization_members
  language sql stable security definer set search_path = '' as $$
  with named as materialized (select e as id from jsonb_array_elements_text(
    case jsonb_typeof(p_audience -> 'ids') when 'array' then p_audience -> 'ids' else '[]' end) e)
  select m.* from public.organization_members m
  where m.organization_id = p_organization and m.deleted_at is null and (m.valid_until is null or m.valid_until > now())
    and case p_audience ->> 'kind'
      when 'all' then true
      when 'roles' then m.role in (select n.id from named n)
      when 'people' then m.user_id::text in (select n.id from named n)
      when 'sites' then m.user_id in (select s.user_id from public.site_members s
        where s.organization_id = p_organization and s.deleted_at is null and s.site_id::text in (select n.id from named n))
      when 'teams' then m.user_id in (select t.user_id from public.team_members t
        where t.organization_id = p_organization and t.deleted_at is null and t.team_id::text in (select n.id from named n))
      else false end
$$;

-- What a round had no time for comes first in the next one.
create function inbox.note_turns(p_keys text[]) returns void language sql volatile security definer set search_path = '' as $$
  insert into inbox.swept (key, swept_at) select k, clock_timestamp() from unnest(p_keys) k
    on conflict (key) do update set swept_at = excluded.swept_at
$$;

create or replace function sync.sweep_acknowledgements(p_now timestamptz default now(), p_limit integer default 500) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  p record;
  o record;
  here integer;
  told integer := 0;
  seen text[] := '{}';
  is_short boolean := false;
  ends timestamptz;
begin
  for p in
    select q.id, q.organization_id, q.title, k.key, row_number() over (partition by q.organization_id order by x.swept_at nulls first, q.id) as turn
    from public.policies q
    cross join lateral (select 'turn/policy/' || q.id::text as key) k
    left join inbox.swept x on x.key = k.key
    where q.state = 'published' and q.deleted_at is null
      and exists (select from public.acknowledgement_campaigns c where c.policy_id = q.id and c.state = 'active' and c.deleted_at is null)
    order by turn, x.swept_at nulls first, q.id
  loop
    ends := coalesce(ends, inbox.sweep_ends());
    is_short := told >= p_limit or p.turn > 1 and clock_timestamp() > ends;
    exit when is_short;
    seen := seen || p.key;
    here := 0;
    for o in
      select w.policy_id, w.user_id, w.due_at, t.type, k.key
      from sync.owed_acknowledgements(p.organization_id, p.id) w
      cross join lateral (select case when w.due_at <= p_now then 'policy.overdue'
        when w.due_at <= p_now + interval '3 days' and w.owed_since < w.due_at - interval '3 days' then 'policy.due_soon' else 'policy.requested' end as type) t
      cross join lateral (select 'policy/' || w.policy_id::text || '/' || w.major::text || '/' || t.type || coalesce('/' || extract(epoch from w.due_at)::text, '') as key) k
      where case t.type when 'policy.overdue' then w.due_at > p_now - interval '7 days'
          when 'policy.due_soon' then true else w.owed_since > p_now - interval '7 days' end
        and not exists (select from inbox.swept x where x.key = k.key || ' ' || w.user_id::text)
        and not exists (select from public.policy_acknowledgements a join public.policy_versions v on v.id = a.version_id
          where a.policy_id = p.id and a.user_id = w.user_id and v.major = w.major and a.deleted_at is null and a.state in ('acknowledged', 'declined', 'exempt'))
      order by w.due_at nulls last, w.user_id limit p_limit - told
    loop
      exit when here > 0 and clock_timestamp() > ends;
      perform inbox.note_swept(o.key, o.user_id);
      if o.type <> 'policy.requested' then perform inbox.settled(o.policy_id, array['policy.requested', 'policy.due_soon'], o.user_id); end if;
      perform inbox.notify(o.user_id, o.type, o.key, '/policies/' || o.policy_id::text, jsonb_build_object('title', p.title, 'due', o.due_at),
        o.policy_id, p.organization_id);
      here := here + 1;
      told := told + 1;
    end loop;
  end loop;
  if is_short or clock_timestamp() > ends then perform inbox.note_turns(seen); end if;
  return told;
end $$;

revoke execute on function sync.bound_campaigns(), inbox.note_turns(text[]) from public;
