-- What decided evidence is linked to is part of what it proves: the audit log says who linked or unlinked it.
create function audit.note_evidence_link() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  was_there constant boolean := tg_op = 'UPDATE' and old.deleted_at is null;
  is_there constant boolean := new.deleted_at is null;
begin
  if was_there = is_there or not exists (select from public.evidence e
    where e.id = new.evidence_id and e.state not in ('collected', 'sent_back')) then return null; end if;
  perform audit.note(new.organization_id, case when is_there then 'evidence.linked' else 'evidence.unlinked' end, 'evidence', new.evidence_id,
    jsonb_build_object('table', new.target_table, 'id', new.target_id));
  return null;
end $$;
create trigger z_audit after insert or update on public.evidence_links for each row execute function audit.note_evidence_link();
revoke execute on function audit.note_evidence_link() from public;
