-- What was signed before a correction stays readable: signing an inspection again keeps the former signature in its log.
alter table inspection_events drop constraint inspection_events_kind_check;
alter table inspection_events add constraint inspection_events_kind_check check (kind in ('state', 'answer', 'signature'));

create function sync.log_signed_again() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  -- `before` and `after`: {signature, signed_by, signed_at, content_hash}, as they stand on the inspection.
  insert into public.inspection_events (organization_id, site_id, conductor_id, inspection_id, kind, before, after, by_id, at)
    values (new.organization_id, new.site_id, coalesce(new.conducted_by, new.assigned_to), new.id, 'signature',
      jsonb_build_object('signature', old.signature, 'signed_by', old.signed_by, 'signed_at', old.signed_at, 'content_hash', old.content_hash),
      jsonb_build_object('signature', new.signature, 'signed_by', new.signed_by, 'signed_at', new.signed_at, 'content_hash', new.content_hash),
      coalesce(auth.uid(), new.conducted_by), coalesce(new.signed_at, now()));
  return null;
end $$;
create trigger x_log_signature after update of signature, signed_by, signed_at, content_hash on inspections for each row
  when (old.signature is not null
    and (old.signature, old.signed_by, old.signed_at, old.content_hash) is distinct from (new.signature, new.signed_by, new.signed_at, new.content_hash))
  execute function sync.log_signed_again();
revoke execute on function sync.log_signed_again() from public;
