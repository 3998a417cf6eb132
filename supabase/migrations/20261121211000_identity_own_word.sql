-- What somebody says in their own name is never brought, nor accepted, by somebody else: decisions, deputies and
-- acknowledgements do not go through the tray. Whoever comes back gives their word again.

create or replace function sync.is_work(p_table text) returns boolean
  language sql stable security definer set search_path = '' as $$
  select sync.is_of_organization(p_table) and p_table not in ('organization_members', 'organization_activations', 'sites',
    'site_members', 'teams', 'team_members', 'playbooks', 'playbook_members', 'notifications', 'inspection_events',
    'approval_requests', 'approval_decisions', 'approval_delegations', 'acknowledgement_campaigns', 'policy_acknowledgements')
$$;

-- A write that is no push is refused before any trigger has looked, as for the tables before these.
do $$
declare
  t text;
begin
  foreach t in array array['policies', 'policy_versions', 'approval_delegations', 'approval_decisions', 'acknowledgement_campaigns',
      'policy_acknowledgements'] loop
    execute format('create trigger a0_need_push before insert on public.%I for each statement execute function sync.need_push()', t);
  end loop;
end $$;
