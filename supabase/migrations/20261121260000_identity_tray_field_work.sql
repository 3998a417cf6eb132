-- The tray takes a person's field work and nothing by which somebody else decides or writes in their name; while it is
-- accepted, the database knows who accepts (docs/decisions/0260-brought-work-decides-nothing.md).

-- What a person's field work is. A table that is made later is none before it is named here.
create or replace function sync.is_work(p_table text) returns boolean
  language sql stable security definer set search_path = '' as $$
  select coalesce(p_table in ('assets', 'inspections', 'inspection_answers', 'inspection_comments', 'action_items', 'media', 'issue_reports',
    'tasks', 'task_items', 'task_series', 'evidence', 'evidence_links') and sync.is_of_organization(p_table), false)
$$;

-- As before; who is no member any more is told so about every record of the organisation, be it work for the tray or not.
create or replace function sync.organization_of(p_mutation jsonb) returns uuid
  language plpgsql stable security definer set search_path = '' as $$
declare
  answer uuid;
begin
  if not sync.is_of_organization(p_mutation ->> 't') then return null; end if;
  execute format('select x.organization_id from public.%I x where x.id = $1', p_mutation ->> 't') into answer using (p_mutation ->> 'id')::uuid;
  return answer;
end $$;

-- Whether a row's status is somebody's word on work, theirs or another's, rather than how far the work is.
create function sync.is_decision(p_table text, p_row jsonb) returns boolean
  language sql immutable parallel safe set search_path = '' return
  coalesce(case p_table
    when 'inspections' then p_row ->> 'status' in ('has_issues', 'approved', 'rejected', 'closed')
    when 'action_items' then p_row ->> 'status' in ('needs_revision', 'closed', 'risk_accepted', 'duplicate', 'not_valid')
    when 'issue_reports' then p_row ->> 'status' <> 'reported'
    when 'evidence' then p_row ->> 'state' in ('sent_back', 'accepted', 'superseded')
    when 'tasks' then p_row ->> 'status' = 'reopened' or p_row ->> 'status' = 'done' and p_row ->> 'reviewer_id' is not null
    else false end, false);

-- As before; what somebody else brings as a person's decision is nobody's work, and refused with the rest that does not fit.
create or replace function sync.home_of_piece(m jsonb, p_organization uuid, p_author uuid) returns uuid
  language plpgsql stable security definer set search_path = '' as $$
begin
  if p_author is distinct from auth.uid() and sync.is_decision(m ->> 't', m -> 'patch') then return null; end if;
  if m ->> 'op' = 'insert' then return (m -> 'patch' ->> 'organization_id')::uuid; end if;
  return coalesce((select u.organization_id from sync.unsent u
    where u.user_id = p_author and u.organization_id = p_organization and u.body ->> 'id' = m ->> 'id' and u.body ->> 't' = m ->> 't' limit 1),
    sync.organization_of(m));
end $$;

-- Who accepts the work that is pushed at present in the name of its author; null when a person sends their own.
create function sync.accepted_by() returns uuid
  language sql stable
  return nullif(current_setting('sync.accepted_by', true), '')::uuid;

-- Who brought the piece about a record that is being accepted; null where its author's own device sent it.
create function sync.bringer_of(p_organization uuid, p_id uuid) returns uuid
  language sql stable security definer set search_path = '' as $$
  select u.brought_by from sync.unsent u
  where sync.accepted_by() is not null and u.user_id = auth.uid() and u.organization_id = p_organization and u.body ->> 'id' = p_id::text
    and u.brought_by is not null and u.state in ('waiting', 'refused') limit 1
$$;

-- Pieces add up: which status a record ends in shows only where they are put together.
create function sync.guard_brought() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if sync.accepted_by() is null or not sync.is_decision(tg_table_name, to_jsonb(new)) then return new; end if;
  if tg_op = 'UPDATE' and sync.is_decision(tg_table_name, to_jsonb(old)) and to_jsonb(old) -> 'status' = to_jsonb(new) -> 'status' then
    return new;
  end if;
  if sync.bringer_of(new.organization_id, new.id) is not null then
    raise exception 'a decision is given in one''s own name' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger d_brought before insert or update on inspections for each row execute function sync.guard_brought();
create trigger d_brought before insert or update on action_items for each row execute function sync.guard_brought();
create trigger d_brought before insert or update on issue_reports for each row execute function sync.guard_brought();
create trigger d_brought before insert or update on tasks for each row execute function sync.guard_brought();

-- As before; who accepts somebody's decision on their own inspection decides on it as well.
create or replace function sync.guard_own_review() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
  deciding constant uuid[] := array_remove(array[caller, sync.accepted_by()], null);
  conductor constant uuid := case when tg_op = 'UPDATE' then old.conducted_by else new.conducted_by end;
begin
  if caller is null or (tg_op = 'UPDATE' and new.status is not distinct from old.status) then return new; end if;
  if exists (select from unnest(deciding) d where sync.did_inspection(new.id, conductor, d))
    and exists (select from inbox.people_with('inspection.review', new.organization_id, new.site_id) p where p <> all (deciding)) then
    raise exception 'somebody else decides on one''s own inspection' using errcode = '42501';
  end if;
  return new;
end $$;

-- As before; whose work it is stays the actor, and who accepted it, and who brought it, stand beside.
create or replace function audit.note(p_organization uuid, p_act text, p_table text, p_subject uuid, p_detail jsonb default '{}') returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  acceptor constant uuid := nullif(sync.accepted_by(), auth.uid());
begin
  if not exists (select from public.organizations o where o.id = p_organization and o.kind = 'company') then return; end if;
  insert into audit.noted (xid, organization_id, actor_id, act, subject_table, subject_id, detail)
    values (pg_current_xact_id(), p_organization, auth.uid(), p_act, p_table, p_subject, jsonb_strip_nulls(p_detail)
      || jsonb_strip_nulls(jsonb_build_object('accepted_by', acceptor,
        'brought_by', case when acceptor is not null then sync.bringer_of(p_organization, p_subject) end)));
  insert into sync.pending (xid) values (pg_current_xact_id()) on conflict do nothing;
end $$;

-- As before; a membership that is alive for the length of an acceptance is neither added nor removed.
create or replace function audit.note_member() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  is_there constant boolean := tg_op <> 'DELETE' and new.deleted_at is null;
  was_there constant boolean := tg_op <> 'INSERT' and old.deleted_at is null;
begin
  if sync.accepted_by() is not null then return null; end if;
  if is_there and not was_there then
    perform audit.note(new.organization_id, 'member.added', 'people', new.user_id, jsonb_build_object('role', new.role, 'until', new.valid_until));
  elsif was_there and not is_there then
    perform audit.note(old.organization_id, 'member.removed', 'people', old.user_id, jsonb_build_object('role', old.role));
  elsif is_there then
    if new.role <> old.role then
      perform audit.note(new.organization_id, 'member.role_changed', 'people', new.user_id, jsonb_build_object('from', old.role, 'to', new.role));
    end if;
    if new.valid_until is distinct from old.valid_until then
      perform audit.note(new.organization_id, 'member.time_changed', 'people', new.user_id,
        jsonb_build_object('from', old.valid_until, 'to', new.valid_until));
    end if;
  end if;
  return null;
end $$;

-- As before; the entry says who had brought it.
create or replace function audit.note_unsent() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform audit.note(d.organization_id, 'unsent.' || d.state, 'people', d.user_id,
    jsonb_build_object('entries', d.entries, 'brought_by', d.brought_by)) from (
    select n.organization_id, n.user_id, n.state, n.brought_by, count(*) as entries
    from new_rows n join old_rows o on o.user_id = n.user_id and o.mid = n.mid
    where n.state <> o.state group by 1, 2, 3, 4) d;
  return null;
end $$;

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
  -- Who accepts is known to every rule and note until the membership stands as it stood (guard_brought, audit.note).
  perform set_config('sync.accepted_by', auth.uid()::text, true);
  -- A membership that is alive for the length of an acceptance is no news (x_notify_again).
  perform set_config('sync.only_home', p_organization::text, true);
  ended := sync.act_as_former(p_organization, p_user);
  for turn in 1 .. 3 loop
    perform set_config('sync.only_home', p_organization::text, true);
    perform set_config('request.jwt.claims', (claims::jsonb || jsonb_build_object('sub', p_user, 'aal', 'aal2'))::text, true);
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

revoke execute on function sync.is_decision(text, jsonb), sync.bringer_of(uuid, uuid), sync.guard_brought() from public;
grant execute on function sync.accepted_by() to authenticated, service_role;
