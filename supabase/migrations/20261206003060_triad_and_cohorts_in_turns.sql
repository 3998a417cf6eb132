-- Briefs and group figures have their two seconds too: operators take turns, and an organisation whose figures take long is one of many.

create or replace function sync.sweep_briefs(p_now timestamptz default now()) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  r public.circle_relationships;
  x record;
  told integer := 0;
  ends timestamptz;
begin
  for x in
    select d.*, row_number() over (partition by d.operator_id order by d.relationship_id, d.grant_id) as turn from (
      select distinct b.operator_id, b.relationship_id, l.grant_id from public.triad_briefs b join public.triad_brief_lines l on l.brief_id = b.id
      join public.consent_grants g on g.id = l.grant_id
      where b.state in ('review', 'approval') and (g.valid_until <= p_now or g.revoked_at is not null or g.deleted_at is not null)) d
    order by turn, d.relationship_id limit 500
  loop
    ends := coalesce(ends, inbox.sweep_ends());
    exit when x.turn > 1 and clock_timestamp() > ends;
    perform sync.withdraw_lines(x.relationship_id, x.grant_id);
  end loop;
  ends := null;
  for x in
    with near as materialized (
      select c.id, c.helper_id from public.circle_relationships c
      where c.state = 'active' and c.deleted_at is null and c.started_at < (sync.last_week() + 7)::timestamp at time zone 'UTC'
        and exists (select from public.role_permissions p
          where p.role_kind = 'circle' and p.role = c.role and p.permission = 'circle.brief' and p.deleted_at is null)
        and not exists (select from public.triad_briefs b where b.relationship_id = c.id and b.week = sync.last_week())
        and not exists (select from public.notifications n
          where n.user_id = c.helper_id and n.key = 'brief.due/' || c.id::text || '/' || sync.last_week()::text)
    )
    select n.id, row_number() over (partition by n.helper_id order by n.id) as turn from near n
    where exists (select from sync.open_grants(n.id)) order by turn, n.id limit 500
  loop
    ends := coalesce(ends, inbox.sweep_ends());
    exit when x.turn > 1 and clock_timestamp() > ends;
    select * into r from public.circle_relationships c where c.id = x.id;
    perform inbox.notify(r.helper_id, 'brief.due', 'brief.due/' || r.id::text || '/' || sync.last_week()::text, '/triad-intelligence',
      jsonb_build_object('by', r.subject_name), r.id);
    told := told + 1;
  end loop;
  return told;
end $$;

-- As before, one organisation at least with each round; which one comes first is anew each time.
create or replace function sync.sweep_cohorts(p_now timestamptz default now()) returns integer
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
    where s.is_on and not exists (select from cohort.taken t where t.organization_id = s.organization_id and t.week = w.week)
    order by random()
  loop
    exit when clock_timestamp() > ends;
    ends := coalesce(ends, inbox.sweep_ends());
    if cohort.take(x.organization_id, x.week) then taken := taken + 1; end if;
  end loop;
  return taken;
end $$;
