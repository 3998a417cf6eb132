-- Files: guards and what else triggers do, and who sees and writes which rows.

-- Only media_complete says that a file has arrived; what was announced (hash, size) never changes.
create function file.guard_media() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
  i record;
begin
  if new.kind = 'photo' and not inspection.is_picture_type(new.mime)
    and (tg_op = 'INSERT' or (new.kind, new.mime) is distinct from (old.kind, old.mime)) then
    raise exception 'a photo has a type of pictures' using errcode = '23514', detail = 'CN294';
  end if;
  if new.inspection_id is not null then
    select x.organization_id, x.site_id, x.scopes into i from public.inspections x where x.id = new.inspection_id;
    if not found or i.organization_id is distinct from new.organization_id
      or (caller is not null and pg_trigger_depth() = 1 and (tg_op = 'INSERT' or new.inspection_id is distinct from old.inspection_id)
        and not access.is_in_sight(i.scopes)) then
      raise exception 'a file needs its inspection' using errcode = '23503', detail = 'CN295';
    end if;
    new.site_id := i.site_id;
  end if;
  if caller is null then return new; end if;
  if tg_op = 'INSERT' then
    new.captured_by := coalesce(new.captured_by, caller);
    new.state := 'pending';
    new.completed_at := null;
  else
    new.state := old.state;
    new.completed_at := old.completed_at;
    if (new.sha256, new.bytes, new.mime, new.captured_by, new.captured_at)
      is distinct from (old.sha256, old.bytes, old.mime, old.captured_by, old.captured_at) then
      raise exception 'a file keeps its content and its author' using errcode = '42501', detail = 'CN296';
    end if;
  end if;
  return new;
end $$;
create trigger c_guard before insert or update on media for each row execute function file.guard_media();

-- Only publishing opens a file to others, and only authors bring one for a policy.
create function file.guard_audience() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    if new.audience = 'policy.approve' and sync.is_device_edit() and auth.uid() is not null and not access.is_outsider(new.organization_id)
      and not access.may('policy.author', new.organization_id) then
      raise exception 'files of policies are brought by their authors' using errcode = '42501', detail = 'CN297';
    end if;
    return new;
  end if;
  if new.audience is distinct from old.audience and (sync.is_device_edit() or old.audience is distinct from 'policy.approve' or new.audience is not null) then
    raise exception 'a file keeps its audience' using errcode = '42501', detail = 'CN298';
  end if;
  return new;
end $$;
create trigger d_audience before insert or update on media for each row execute function file.guard_audience();

-- Evidence is replaced by nobody, also not by a link that was made before it was confirmed, or by a service that writes for whoever
-- holds one (decision 15). What failed its hash is removed and brought anew; a restore removes and brings too.
create function file.refuse_file_overwrite() returns trigger language plpgsql set search_path = '' as $$
begin
  if 'media' in (old.bucket_id, new.bucket_id)
    and (new.bucket_id, new.name, new.version) is distinct from (old.bucket_id, old.name, old.version) then
    raise exception 'a stored file is replaced by nobody' using errcode = '42501', detail = 'CN299';
  end if;
  return new;
end $$;
create trigger cairn_fixed_stored_file before update on storage.objects for each row execute function file.refuse_file_overwrite();

create function file.guard_decided_file() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  -- What the server says of a file itself.
  own constant text[] := array['state', 'completed_at', 'version', 'updated_at', 'scopes'];
begin
  if auth.uid() is null or not sync.is_device_edit() then return new; end if;
  if tg_op = 'INSERT' then
    if new.inspection_id is not null and inspection.is_inspection_decided(new.inspection_id) then
      if not file.is_file_awaited(new.inspection_id, new.id) then
        raise exception 'the inspection is decided' using errcode = '42501', detail = 'CN265';
      end if;
      perform audit.note(new.organization_id, 'inspection.file_late', 'inspections', new.inspection_id, jsonb_build_object('sha256', new.sha256));
    end if;
    if exists (select from public.evidence e where e.media_ids <> '[]' and e.media_ids ? new.id::text
        and e.organization_id = new.organization_id and e.state not in ('collected', 'sent_back')) then
      raise exception 'what was decided on stays as it is' using errcode = '42501', detail = 'CN300';
    end if;
    return new;
  end if;
  if to_jsonb(new) - own is not distinct from to_jsonb(old) - own then return new; end if;
  if inspection.is_inspection_decided(old.inspection_id) or inspection.is_inspection_decided(new.inspection_id) then
    raise exception 'the inspection is decided' using errcode = '42501', detail = 'CN265';
  end if;
  if file.is_file_bound(old.organization_id, old.id) then
    raise exception 'what was decided on stays as it is' using errcode = '42501', detail = 'CN300';
  end if;
  return new;
end $$;
create trigger d_decided before insert or update on media for each row execute function file.guard_decided_file();

-- Triggers whose functions stand with another area.

create trigger b_fixed_organization before update on media for each row execute function space.refuse_organization_change();
create trigger e_named before insert or update on media for each row execute function space.guard_named();
create trigger a0_require_push before insert on media for each statement execute function sync.require_push();
create trigger a2_times before insert or update on media for each row
  when (new.captured_at > now() + interval '1 day') execute function sync.clamp_times_ahead('captured_at');
create trigger d_finished before insert or update on public.media for each row execute function inspection.guard_finished_file();
create trigger x_bound after insert on media referencing new table as new_rows
  for each statement execute function inspection.limit_files('5000');
create trigger x_bound_update after update on media referencing old table as old_rows new table as new_rows
  for each statement execute function inspection.limit_files('5000');

-- Who may call what.
revoke execute on function file.guard_media(), file.guard_audience(), file.refuse_file_overwrite(), file.guard_decided_file() from public;

-- Who sees and writes which rows.

grant insert, update on media to authenticated;
-- Reassigning, moving and deleting: trigger guard_action_item.
create policy "scope reads" on media for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "who captured it adds" on media for insert to authenticated
  with check ((select sync.pushing()) and captured_by = (select auth.uid())
    and (organization_id in (select my_organizations_with('inspection.conduct'))
      or organization_id in (select my_organizations_with('action.create')))
    and (site_id is null or site_id in (select my_sites())
      or inspection_id in (select i.id from inspections i where i.conducted_by = (select auth.uid()))));
create policy "who captured it and reviewers edit" on media for update to authenticated
  using ((select sync.pushing())
    and (captured_by = (select auth.uid())
      or (organization_id in (select my_organizations_with('inspection.review'))
        and (site_id is null or site_id in (select my_sites())))));

-- An object is named <organisation>/<media id>; its row is pushed first and says who may bring and see the bytes.
create policy "cairn media: whoever captured it or conducts there uploads" on storage.objects for insert to authenticated
  with check (bucket_id = 'media' and exists (
    select from public.media m where m.organization_id::text || '/' || m.id::text = objects.name and m.state = 'pending'
      and (m.captured_by = (select auth.uid()) or m.organization_id in (select public.my_organizations_with('inspection.conduct')))));

create policy "cairn media: whoever sees the row reads" on storage.objects for select to authenticated
  using (bucket_id = 'media' and exists (
    select from public.media m where m.organization_id::text || '/' || m.id::text = objects.name));

create policy "cairn media: authors of handed-over work upload" on storage.objects for insert to authenticated
  with check (bucket_id = 'media' and name in (select public.my_submitted_files()));

create policy "cairn media: who brought a rescue file uploads" on storage.objects for insert to authenticated
  with check (bucket_id = 'media' and name in (select public.my_files_on_behalf()));
