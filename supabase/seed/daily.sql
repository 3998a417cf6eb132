-- Runs at every start: Sam always has today's check of Forklift 3 to do, and never a pile of old ones.

create temp table demo_today on commit drop as
  -- Late enough to lie ahead, early enough to be today.
  select least(greatest(day + interval '12 hours', date_trunc('hour', now()) + interval '3 hours'), day + interval '23 hours 59 minutes') as due,
    extensions.uuid_generate_v5('00000000-0000-4000-8000-0000000000a1', 'daily/' || to_char(day, 'YYYY-MM-DD')) as id
  from (select date_trunc('day', now()) as day) d
  where exists (select from forms where id = '00000000-0000-4000-8000-0000000000d1' and deleted_at is null)   -- the sample may be gone
    and exists (select from auth.users where id = '00000000-0000-4000-8000-000000000003');

-- One that was left undone moves to today.
update inspections i set due_at = t.due
  from demo_today t
  where i.organization_id = '00000000-0000-4000-8000-0000000000a1' and i.status = 'scheduled' and i.deleted_at is null
    and i.assigned_to = '00000000-0000-4000-8000-000000000003' and i.title = 'Forklift 3 pre-use check' and i.due_at < date_trunc('day', now());

insert into inspections (id, organization_id, site_id, playbook_id, form_id, form_version_id, asset_id, title, status, due_at, assigned_to)
  select t.id, f.organization_id, '00000000-0000-4000-8000-0000000000b1', f.playbook_id, f.id, f.current_version_id,
    '00000000-0000-4000-8000-0000000000e3', 'Forklift 3 pre-use check', 'scheduled', t.due, '00000000-0000-4000-8000-000000000003'
  from demo_today t join forms f on f.id = '00000000-0000-4000-8000-0000000000d1'
  where not exists (
    select from inspections i where i.status = 'scheduled' and i.deleted_at is null
      and i.assigned_to = '00000000-0000-4000-8000-000000000003' and i.title = 'Forklift 3 pre-use check')
  on conflict (id) do nothing;
