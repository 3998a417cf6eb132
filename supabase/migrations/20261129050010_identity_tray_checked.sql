-- A file whose bytes came before its work was accepted was completed by one call of the administrator's browser, and by nobody where that
-- failed: its author's phone had let go of it. Now the tray notes what was read and found right, and accepting completes it.
alter table sync.unsent add column checked uuid;       -- in storage.objects: its bytes are what the piece says

-- Completes a file that was accepted, where what lies there is what was found right in the tray, and the row is still what was looked at
-- (its kind and type say which bytes are right). Called in nobody's name: a person's edit says nothing of a file's state.
create function sync.complete_checked(p_id uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform public.media_complete(m.id, m.sha256, m.bytes) from public.media m
    where m.id = p_id and m.state = 'pending' and m.deleted_at is null and exists (
      select from sync.unsent u join storage.objects o on o.id = u.checked and o.bucket_id = 'media'
      where u.body ->> 'id' = p_id::text and u.body ->> 't' = 'media' and u.body ->> 'op' = 'insert' and u.state = 'accepted'
        and u.user_id = m.captured_by and u.organization_id = m.organization_id and o.name = m.organization_id::text || '/' || m.id::text
        and m.sha256 = u.body -> 'patch' ->> 'sha256' and m.bytes::text = u.body -> 'patch' ->> 'bytes' and m.mime = u.body -> 'patch' ->> 'mime'
        and m.kind = coalesce(u.body -> 'patch' ->> 'kind', 'photo') and m.audience is not distinct from u.body -> 'patch' ->> 'audience');
end $$;

-- What the server read of a file in the tray is what the piece says. Accepted meanwhile, it is completed at once.
create function media_checked(p_id uuid, p_object uuid, p_sha256 text, p_bytes bigint) returns text
  language plpgsql volatile security definer set search_path = '' as $$
begin
  update sync.unsent u set checked = p_object
    where u.body ->> 'id' = p_id::text and u.body ->> 't' = 'media' and u.body ->> 'op' = 'insert' and u.state <> 'declined'
      and u.body -> 'patch' ->> 'sha256' = p_sha256 and u.body -> 'patch' ->> 'bytes' = p_bytes::text
      and exists (select from storage.objects o where o.id = p_object and o.bucket_id = 'media' and o.name = u.organization_id::text || '/' || p_id::text);
  perform sync.complete_checked(p_id);
  return coalesce((select 'complete' from public.media m where m.id = p_id and m.state = 'complete' and m.sha256 = p_sha256), 'tray');
end $$;
revoke execute on function sync.complete_checked(uuid) from public;
revoke execute on function media_checked(uuid, uuid, text, bigint) from public, anon, authenticated;
grant execute on function media_checked(uuid, uuid, text, bigint) to service_role;

-- As before; and files whose bytes are there and were found right are complete with it.
create or replace function sync.settle_unsent(p_organization uuid, p_user uuid, p_ended jsonb, p_results jsonb) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  claims constant text := current_setting('request.jwt.claims', true);
  caller constant text := current_setting('request.jwt.claim.sub', true);
begin
  perform identity.need('unsent.review', p_organization);
  update public.organization_members m set deleted_at = (p_ended ->> 'deleted_at')::timestamptz,
      valid_until = (p_ended ->> 'valid_until')::timestamptz, role = p_ended ->> 'role'
    where m.id = (p_ended ->> 'id')::uuid and m.organization_id = p_organization and m.user_id = p_user;
  update sync.unsent u set state = case when r ->> 'st' in ('rejected', 'conflict') then 'refused' else 'accepted' end, result = r,
      decided_at = now(), decided_by = auth.uid()
    from jsonb_array_elements(p_results) r
    where u.user_id = p_user and u.organization_id = p_organization and u.mid = (r ->> 'mid')::uuid;
  if exists (select from jsonb_array_elements(p_results) r where r ->> 'st' not in ('rejected', 'conflict')) then
    perform inbox.work_decided(p_organization, p_user, 'work.accepted');
  end if;
  -- Last, and in nobody's name (guard_media).
  perform set_config('request.jwt.claims', '', true);
  if caller <> '' then perform set_config('request.jwt.claim.sub', '', true); end if;
  perform sync.forget_kept_rights();
  perform sync.complete_checked((u.body ->> 'id')::uuid) from sync.unsent u join jsonb_array_elements(p_results) r on u.mid = (r ->> 'mid')::uuid
    where u.user_id = p_user and u.organization_id = p_organization and u.state = 'accepted' and u.checked is not null;
  perform set_config('request.jwt.claims', claims, true);
  if caller <> '' then perform set_config('request.jwt.claim.sub', caller, true); end if;
  perform sync.forget_kept_rights();
end $$;

-- As before; where nothing waits of this person nothing is done in their name.
create or replace function decide_unsent_work(p_organization uuid, p_user uuid, p_mids uuid[], p_accept boolean) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  claims constant text := current_setting('request.jwt.claims', true);
  caller constant text := current_setting('request.jwt.claim.sub', true);
  work jsonb;
  ended jsonb;
  done jsonb;
  results jsonb;
begin
  if p_accept is null or cardinality(p_mids) > 50 then
    raise exception 'decide_unsent_work takes at most 50 mutations and a decision' using errcode = '22023';
  end if;
  if not p_accept then return sync.decline_unsent(p_organization, p_user, p_mids); end if;
  work := sync.take_unsent(p_organization, p_user, p_mids);
  if work = '[]' then return jsonb_build_object('results', work, 'media', work); end if;
  -- Who accepts is known to every rule and note until the membership stands as it stood (guard_brought, audit.note).
  perform set_config('sync.accepted_by', auth.uid()::text, true);
  -- A membership that is alive for the length of an acceptance is no news (x_notify_again).
  perform set_config('sync.only_home', p_organization::text, true);
  ended := sync.act_as_former(p_organization, p_user);
  for turn in 1 .. 3 loop
    perform set_config('sync.only_home', p_organization::text, true);
    -- Without the session, which is not the author's: its level is none of theirs (sync.need_whole_session).
    perform set_config('request.jwt.claims', ((claims::jsonb - 'session_id')
      || jsonb_build_object('sub', p_user, 'aal', 'aal2'))::text, true);
    if caller <> '' then perform set_config('request.jwt.claim.sub', p_user::text, true); end if;
    perform sync.forget_kept_rights();
    done := sync.push_unsent(p_organization, p_user, work);
    perform set_config('sync.only_home', '', true);
    perform sync.forget_kept_rights();
    perform set_config('request.jwt.claims', claims, true);
    if caller <> '' then perform set_config('request.jwt.claim.sub', caller, true); end if;
    exit when not done ? 'taken';
    work := sync.rename_unsent(p_organization, p_user, work, array(select jsonb_array_elements_text(done -> 'taken')));
  end loop;
  if done ? 'taken' then raise exception 'no free ids for this work' using errcode = 'P0001'; end if;
  -- What a row looks like is told to who may read it by themselves.
  select coalesce(jsonb_agg(r - 'row' - 'd'), '[]') into results from jsonb_array_elements(done -> 'results') r;
  perform sync.settle_unsent(p_organization, p_user, ended, results);
  perform set_config('sync.accepted_by', '', true);
  return jsonb_build_object('results', results, 'media', (
    select coalesce(jsonb_agg(w -> 'id'), '[]') from jsonb_array_elements(work) w
    join jsonb_array_elements(results) r on r ->> 'mid' = w ->> 'mid' and r ->> 'st' in ('applied', 'merged')
    where w ->> 't' = 'media' and w ->> 'op' = 'insert'));
end $$;
