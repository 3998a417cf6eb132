-- What is decided about something that goes wrong again and again: a measure that changes a policy or a training, or nothing, and why
-- (docs/decisions/0560-what-recurs-is-reckoned-here.md). What recurs every device works out itself, from the rows its person may see.

create table recurrence_decisions (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations (id) on delete cascade,
  site_id         uuid,                                          -- where it happened last
  about           text not null check (about ~ '^(question|cause)/' and char_length(about) <= 1000),   -- packages/core/src/action-items/recurrence.ts
  decision        text not null check (decision in ('measure', 'dismissed')),
  action_id       uuid,                                          -- the measure, an action item
  changes         text check (changes in ('policy', 'training')),   -- what the measure changes
  reason          text check (char_length(reason) <= 2000),      -- why nothing is done
  source_ids      jsonb not null check (jsonb_typeof(source_ids) = 'array' and jsonb_array_length(source_ids) between 1 and 200),   -- ids of action items it answers
  decided_at      timestamptz not null,                          -- device time
  created_by      uuid references auth.users (id) on delete set null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  constraint recurrence_decision_says check (case decision
    when 'measure' then action_id is not null and changes is not null and reason is null
    else action_id is null and changes is null and btrim(coalesce(reason, '')) <> '' end),
  foreign key (organization_id, site_id) references sites (organization_id, id) on delete set null (site_id)
);
create index recurrence_decisions_organization on recurrence_decisions (organization_id, site_id);
create index recurrence_decisions_creator on recurrence_decisions (created_by);
create index recurrence_decisions_action on recurrence_decisions (action_id) where action_id is not null;

-- After action items: the measure is there when the decision names it.
select sync.add_table('recurrence_decisions', 33, $$ sync.scopes(sync.place_scope(organization_id, site_id)) $$);

create policy "scope reads" on recurrence_decisions for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "managers of action items decide at their sites" on recurrence_decisions for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('action.manage'))
    and (site_id is null or site_id in (select my_sites())));
grant insert, update on recurrence_decisions to authenticated;
-- No policy for updates and no delete: what was decided stays; something new is decided when it happens once more. The grant is what
-- the functions of a push ask for.

-- Every action item that a decision names belongs to its organisation and is in the sight of whoever decides.
create function sync.guard_recurrence_decision() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  named constant text[] := array(select distinct lower(s) from jsonb_array_elements_text(new.source_ids || to_jsonb(array_remove(array[new.action_id::text], null))) s);
begin
  if auth.uid() is null then return new; end if;
  if sync.only_home() is not null then raise exception 'a decision is given in one''s own name' using errcode = '42501'; end if;
  if cardinality(named) <> (select count(*) from public.action_items a where a.id::text = any (named)
    and a.organization_id = new.organization_id and sync.is_in_sight(a.scopes)) then
    raise exception 'a decision names action items of its organisation' using errcode = '23503';
  end if;
  new.decided_at := sync.clamped(new.decided_at, null);
  return new;
end $$;
revoke execute on function sync.guard_recurrence_decision() from public;

create trigger a0_need_push before insert on recurrence_decisions for each statement execute function sync.need_push();
create trigger b_outsider before insert on recurrence_decisions for each row execute function sync.guard_outsider();
create trigger b_creator before insert or update on recurrence_decisions for each row execute function sync.set_creator();
create trigger c_named before insert on recurrence_decisions for each row execute function sync.guard_recurrence_decision();
