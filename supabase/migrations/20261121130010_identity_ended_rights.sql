-- A membership that ends by the clock changes no row, so nothing would tell its devices: they would keep what they hold
-- until they pull for another reason. The scheduler looks each minute for those whose time has come and nudges them.

create table sync.looked (
  what text primary key,
  at   timestamptz not null                    -- up to when it was looked
);
insert into sync.looked (what, at) values ('ended_rights', now());

-- Nudges whoever's membership ended since the last look; answers how many. Several servers and pg_cron may call it: each end
-- is told once, and an end while no server ran with the first look after.
create function sync.tell_ended_rights(p_now timestamptz default now()) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  before timestamptz;
  ended text[];
begin
  select l.at into before from sync.looked l where l.what = 'ended_rights' for update skip locked;
  if before is null or before >= p_now then return 0; end if;
  select array_agg(distinct sync.user_scope(m.user_id)) into ended from public.organization_members m
    where m.valid_until > before and m.valid_until <= p_now and m.deleted_at is null;
  update sync.looked set at = p_now where what = 'ended_rights';
  if ended is null then return 0; end if;
  perform sync.nudge(ended, array(
    select coalesce(s.version, 0) from unnest(ended) with ordinality as e (scope, n) left join sync.scope s on s.id = e.scope order by e.n));
  return cardinality(ended);
end $$;
create index organization_members_ends on organization_members (valid_until) where valid_until is not null;
revoke execute on function sync.need_whole_session(), sync.tell_ended_rights(timestamptz) from public;

do $$
begin
  if exists (select from pg_extension where extname = 'pg_cron') then
    execute $cron$ select cron.schedule('cairn-ended-rights', '* * * * *', 'select sync.tell_ended_rights()') $cron$;
  end if;
end $$;
