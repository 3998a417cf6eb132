-- Demo: one company with two sites. Removable in one act (remove_sample_data). The people were made by the server:
-- …1 Alex Admin, …2 Mara Manager, …3 Sam Worker; …4 Pia Person has only her private space.

insert into organizations (id, name, slug, description, program_name, program_description, sample, created_by) values
  ('00000000-0000-4000-8000-0000000000a1', 'Northfield Works', 'northfield-works', 'Warehousing and packing on two sites',
   'Safe start', 'Every truck is checked before its first lift of the shift', true, '00000000-0000-4000-8000-000000000001');

insert into organization_members (organization_id, user_id, role, joined_at) values
  ('00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-000000000001', 'admin', now() - interval '120 days'),
  ('00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-000000000002', 'manager', now() - interval '118 days'),
  ('00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-000000000003', 'member', now() - interval '100 days');

insert into sites (id, organization_id, name, address) values
  ('00000000-0000-4000-8000-0000000000b1', '00000000-0000-4000-8000-0000000000a1', 'Site North', '12 Quarry Road'),
  ('00000000-0000-4000-8000-0000000000b2', '00000000-0000-4000-8000-0000000000a1', 'Site South', '3 Canal Street');

insert into site_members (organization_id, site_id, user_id) values
  ('00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-0000000000b1', '00000000-0000-4000-8000-000000000002'),
  ('00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-0000000000b2', '00000000-0000-4000-8000-000000000002'),
  ('00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-0000000000b1', '00000000-0000-4000-8000-000000000003');

insert into teams (id, organization_id, site_id, name) values
  ('00000000-0000-4000-8000-0000000000f1', '00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-0000000000b1', 'Early shift');
insert into team_members (organization_id, team_id, user_id) values
  ('00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-0000000000f1', '00000000-0000-4000-8000-000000000003');

insert into playbooks (id, organization_id, name, description, type, locations, owner_id) values
  ('00000000-0000-4000-8000-0000000000c1', '00000000-0000-4000-8000-0000000000a1', 'Daily operations',
   'Checks and actions of the working day', 'company', '["Site North", "Site South"]', '00000000-0000-4000-8000-000000000001');
insert into playbook_members (organization_id, playbook_id, user_id, role) values
  ('00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-0000000000c1', '00000000-0000-4000-8000-000000000002', 'admin'),
  ('00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-0000000000c1', '00000000-0000-4000-8000-000000000003', 'member');
