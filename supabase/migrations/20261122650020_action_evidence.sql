-- What follows from work that asks for evidence asks for it too (docs/decisions/0503-what-follows-inherits.md). Tasks have that since
-- they are there; action items get it here. The server says so, and no device takes it back.

alter table action_items add column evidence_required boolean not null default false;
update sync.tables set server_columns = server_columns || array['evidence_required'] where name = 'action_items';
select sync.refresh_table('action_items');

create function sync.action_has_evidence(a public.action_items) returns boolean
  language sql stable security definer set search_path = '' return
  exists (select from public.media m join jsonb_array_elements_text(a.media_ids) f on m.id::text = f
    where m.organization_id = a.organization_id and m.deleted_at is null)
  or exists (select from public.evidence_links l join public.evidence e on e.id = l.evidence_id and e.deleted_at is null
    where l.target_table = 'action_items' and l.target_id = a.id and l.deleted_at is null);

create function sync.guard_action_evidence() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is null or not sync.pushing() then return new; end if;
  if not sync.action_has_evidence(new) then
    raise exception 'it is not done without evidence' using errcode = '23514', constraint = 'evidence_missing', hint = 'evidence';
  end if;
  return new;
end $$;
create trigger d_evidence before update on action_items for each row
  when (new.evidence_required and new.status in ('ready_for_verification', 'closed') and old.status is distinct from new.status)
  execute function sync.guard_action_evidence();
revoke execute on function sync.action_has_evidence(public.action_items), sync.guard_action_evidence() from public;
