-- A server has one mail in hand (docs/decisions/0673-a-server-has-one-mail-in-hand.md): what it claimed and did not settle is never sent again.

drop function inbox.claim(text, timestamptz, integer);

-- As before; with `p_one` of each person only what makes one mail: the oldest of what is told at once, and where there is none, the digest.
create function inbox.claim(p_channel text, p_now timestamptz default now(), p_people integer default 50, p_one boolean default false)
  returns table (delivery uuid, person uuid, cadence text, email text, language text, zone text,
    notification uuid, type text, module text, class text, private boolean, params jsonb, path text, told_at timestamptz)
  language plpgsql volatile security definer set search_path = '' as $$
declare
  people uuid[];
  taken constant uuid := gen_random_uuid();
begin
  select array_agg(locked.user_id) into people from (
    select r.user_id from inbox.recipient r
    where r.user_id in (select d.user_id from inbox.delivery d where d.state = 'waiting' and d.channel = p_channel and d.due_at <= p_now)
    limit p_people for update skip locked) locked;
  if people is null then return; end if;
  -- Who left the organisation since is not told of it any more.
  update inbox.delivery d set state = 'cancelled', settled_at = now()
    from public.notifications n
    where d.notification_id = n.id and d.user_id = any (people) and d.state = 'waiting' and n.organization_id is not null
      and not sync.is_member(n.organization_id, n.user_id);
  update inbox.delivery d set state = 'sending', claim = taken, claimed_at = now(), attempts = d.attempts + 1
    where d.user_id = any (people) and d.state = 'waiting' and d.channel = p_channel and d.due_at <= p_now
      and (not p_one or exists (
        select from (
          select distinct on (w.user_id) w.id, w.user_id, w.cadence from inbox.delivery w
          where w.user_id = any (people) and w.state = 'waiting' and w.channel = p_channel and w.due_at <= p_now
          order by w.user_id, w.cadence = 'daily', w.created_at, w.id) first
        where first.id = d.id or first.cadence = 'daily' and d.cadence = 'daily' and d.user_id = first.user_id));
  return query
    select d.id, d.user_id, d.cadence, u.email::text, s.language, s.zone, n.id, n.type, n.module, t.class, t.private, n.params, n.path, n.created_at
    from inbox.delivery d
    join public.notifications n on n.id = d.notification_id
    join public.notification_types t on t.key = n.type
    join auth.users u on u.id = d.user_id
    cross join lateral inbox.settings(d.user_id) s
    where d.claim = taken order by d.user_id, n.created_at, n.id;
end $$;
revoke execute on function inbox.claim(text, timestamptz, integer, boolean) from public;
