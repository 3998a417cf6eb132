-- The calls of the support circle: the invitation, and the one way in which granted data leaves the server.

create table circle_invitations (
  id          uuid primary key default gen_random_uuid(),
  subject_id  uuid not null references auth.users (id) on delete cascade,
  role        text not null check (role in ('managed_admin', 'mentor_coach', 'triad_intelligence_operator', 'accountability_partner')),
  purpose     text check (char_length(purpose) <= 500),
  wanted      jsonb not null check (jsonb_typeof(wanted) = 'array' and pg_column_size(wanted) <= 40000),   -- [{scope, level, item_ids?, until?}]: granted when it is accepted
  created_at  timestamptz not null default now(),
  expires_at  timestamptz not null default now() + interval '14 days',
  accepted_at timestamptz,
  accepted_by uuid references auth.users (id) on delete set null,
  declined_at timestamptz,
  revoked_at  timestamptz
);
create index circle_invitations_subject on circle_invitations (subject_id, created_at);
create index circle_invitations_accepted_by on circle_invitations (accepted_by);
alter table circle_invitations enable row level security;
revoke all on circle_invitations from anon, authenticated;
grant select on circle_invitations to authenticated;
create policy "the person reads" on circle_invitations for select to authenticated using (subject_id = (select auth.uid()));
-- No write: the calls below.

create table identity.circle_invitation_token (
  hash          bytea primary key,                               -- sha-256 of the token
  invitation_id uuid not null unique references public.circle_invitations (id) on delete cascade
);

-- Refuses what could not be granted, so that nobody is shown a preview of what they will not get.
create function identity.check_wanted(p_role text, p_wanted jsonb) returns void
  language plpgsql stable security definer set search_path = '' as $$
declare
  w jsonb;
begin
  if jsonb_typeof(p_wanted) is distinct from 'array' or jsonb_array_length(p_wanted) > 20 then
    raise exception 'a list of what to share is needed' using errcode = '22023';
  end if;
  for w in select * from jsonb_array_elements(p_wanted) loop
    if not exists (select from public.circle_visibility v where v.role = p_role and v.scope = w ->> 'scope' and v.level = w ->> 'level'
        and v.chosen = (jsonb_typeof(w -> 'item_ids') = 'array' and jsonb_array_length(w -> 'item_ids') > 0)) then
      raise exception 'this role cannot be given that' using errcode = '22023';
    end if;
    if (w ->> 'until')::timestamptz <= now() then
      raise exception 'it would have ended already' using errcode = '22023';
    end if;
  end loop;
end $$;

-- Makes an invitation of the caller's own circle and answers its token, this once: {id, token, expires_at}.
create function invite_to_circle(p_role text, p_purpose text, p_wanted jsonb) returns jsonb
  language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
declare
  token constant text := identity.new_token();
  i public.circle_invitations;
begin
  if auth.uid() is null then raise exception 'sign in first' using errcode = '42501'; end if;
  if p_role is null or not exists (select from public.role_permissions p where p.role_kind = 'circle' and p.role = p_role) then
    raise exception 'no such role' using errcode = '22023';
  end if;
  perform identity.check_wanted(p_role, p_wanted);
  if (select count(*) from public.circle_invitations x where x.subject_id = auth.uid() and x.created_at > now() - interval '1 day') >= 50 then
    raise exception 'at most 50 invitations a day' using errcode = 'P0001';
  end if;
  insert into public.circle_invitations (subject_id, role, purpose, wanted)
    values (auth.uid(), p_role, nullif(btrim(p_purpose), ''), p_wanted) returning * into i;
  insert into identity.circle_invitation_token (hash, invitation_id) values (identity.token_hash(token), i.id);
  return jsonb_build_object('id', i.id, 'token', token, 'expires_at', i.expires_at);
end $$;

create function identity.open_circle_invitation(p_token text) returns public.circle_invitations
  language plpgsql stable security definer set search_path = '' as $$
declare
  i public.circle_invitations;
begin
  if auth.uid() is null then raise exception 'sign in first' using errcode = '42501'; end if;
  select x.* into i from public.circle_invitations x join identity.circle_invitation_token t on t.invitation_id = x.id
    where t.hash = identity.token_hash(p_token) and x.accepted_at is null and x.declined_at is null and x.revoked_at is null
      and x.expires_at > now();
  -- One answer for guessed, spent, taken back and expired, and for one's own.
  if i.id is null or i.subject_id = auth.uid() then raise exception 'this link cannot be used' using errcode = '42501'; end if;
  return i;
end $$;

-- What whoever has the link would be, and see: {name, role, purpose, expires_at, wanted: [{scope, level, items, until}]}.
-- How many items, not which: their names are shown to nobody who has not accepted.
create function circle_invitation(p_token text) returns jsonb
  language plpgsql stable security definer set search_path = '' set timezone = 'UTC' as $$
declare
  i constant public.circle_invitations := identity.open_circle_invitation(p_token);
begin
  return jsonb_build_object('name', sync.circle_name(i.subject_id), 'role', i.role, 'purpose', i.purpose, 'expires_at', i.expires_at,
    'wanted', (select coalesce(jsonb_agg(jsonb_build_object('scope', w ->> 'scope', 'level', w ->> 'level',
        'items', jsonb_array_length(coalesce(nullif(w -> 'item_ids', 'null'), '[]')), 'until', w ->> 'until')), '[]')
      from jsonb_array_elements(i.wanted) w));
end $$;

-- Accepts or declines. Accepting begins the relationship, with the grants the person chose; answers its id.
create function answer_circle_invitation(p_token text, p_accept boolean) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  i public.circle_invitations := identity.open_circle_invitation(p_token);
  r uuid;
begin
  -- Two answers at once: the second finds it answered.
  select * into i from public.circle_invitations x where x.id = i.id and x.accepted_at is null and x.declined_at is null
    and x.revoked_at is null and x.expires_at > now() for update;
  if i.id is null then raise exception 'this link cannot be used' using errcode = '42501'; end if;
  if not coalesce(p_accept, false) then
    update public.circle_invitations x set declined_at = now() where x.id = i.id;
    return jsonb_build_object('relationship', null);
  end if;
  select c.id into r from public.circle_relationships c
    where c.subject_id = i.subject_id and c.helper_id = auth.uid() and c.role = i.role and c.state <> 'ended' and c.deleted_at is null;
  if r is null then
    insert into public.circle_relationships (subject_id, helper_id, role, purpose, subject_name, helper_name)
      values (i.subject_id, auth.uid(), i.role, i.purpose, sync.circle_name(i.subject_id), sync.circle_name(auth.uid())) returning id into r;
  end if;
  insert into public.consent_grants (relationship_id, subject_id, helper_id, role, scope, level, item_ids, valid_until)
    select r, i.subject_id, auth.uid(), i.role, w ->> 'scope', w ->> 'level', nullif(w -> 'item_ids', 'null'), (w ->> 'until')::timestamptz
    from jsonb_array_elements(i.wanted) w;
  update public.circle_invitations x set accepted_at = now(), accepted_by = auth.uid() where x.id = i.id;
  return jsonb_build_object('relationship', r);
end $$;

create function revoke_circle_invitation(p_id uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.circle_invitations x set revoked_at = now()
    where x.id = p_id and x.subject_id = auth.uid() and x.accepted_at is null and x.declined_at is null and x.revoked_at is null;
  if not found then raise exception 'no such open invitation' using errcode = '42501'; end if;
end $$;

-- Habits with the days of the last 400, for `full`; why somebody paused is nobody's business.
create function sync.shared_habits(p_subject uuid, p_items jsonb) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', h.id, 'name', h.name, 'kind', h.kind, 'unit', h.unit, 'target', h.target,
      'target_kind', h.target_kind, 'times', h.times, 'per_days', h.per_days, 'started_on', h.started_on,
      'entries', (select coalesce(jsonb_agg(jsonb_build_object('day', e.day, 'value', e.value, 'amount', e.amount) order by e.day), '[]')
        from public.habit_entries e where e.habit_id = h.id and e.user_id = p_subject and e.deleted_at is null and e.day > current_date - 400),
      'pauses', (select coalesce(jsonb_agg(jsonb_build_object('from_day', p.from_day, 'until_day', p.until_day)), '[]')
        from public.habit_pauses p where p.user_id = p_subject and p.deleted_at is null and (p.habit_id is null or p.habit_id = h.id))
    ) order by h.position, h.name), '[]')
  from public.habits h
  where h.user_id = p_subject and h.deleted_at is null and h.archived_at is null
    and (p_items is null or p_items ? h.id::text)
$$;

-- Habits as figures, for `summary`: how many there are, and on how many days of the last 7 and 30 something was done.
create function sync.habit_figures(p_subject uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'habits', (select count(*) from public.habits h where h.user_id = p_subject and h.deleted_at is null and h.archived_at is null),
    'days_7', count(distinct e.day) filter (where e.day > current_date - 7), 'days_30', count(distinct e.day))
  from public.habit_entries e
  where e.user_id = p_subject and e.deleted_at is null and e.value = 'done' and e.day > current_date - 30 and e.day <= current_date
$$;

-- Eight weeks of means, never a day, a tag or a note; a week of fewer than two answers says nothing.
create function sync.wellness_weeks(p_subject uuid) returns table (week date, n bigint, mood numeric, energy numeric, stress numeric)
  language sql stable security definer set search_path = '' as $$
  select date_trunc('week', c.day)::date, count(*), round(avg(c.mood), 1), round(avg(c.energy), 1), round(avg(c.stress), 1)
  from public.wellness_check_ins c
  where c.user_id = p_subject and c.deleted_at is null and c.skipped is null and c.mood is not null
    and c.day > date_trunc('week', current_date)::date - 56 and c.day <= current_date + 1
  group by 1 having count(*) >= 2 order by 1
$$;

-- Open tasks of the person's private space, never of an employer.
create function sync.shared_tasks(p_subject uuid, p_items jsonb) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', a.id, 'title', a.title, 'status', a.status, 'priority', a.priority, 'due_at', a.due_at)
      order by a.due_at nulls last, a.id), '[]')
  from public.action_items a join public.organizations o on o.id = a.organization_id and o.kind = 'private' and o.created_by = p_subject
  where a.deleted_at is null and (p_items is null or p_items ? a.id::text)
$$;

create function sync.task_counts(p_subject uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('open', count(*) filter (where a.closed_at is null),
    'late', count(*) filter (where a.closed_at is null and a.due_at < now()),
    'done_30', count(*) filter (where a.closed_at > now() - interval '30 days'))
  from public.action_items a join public.organizations o on o.id = a.organization_id and o.kind = 'private' and o.created_by = p_subject
  where a.deleted_at is null
$$;

create function sync.shared_data(g public.consent_grants) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
begin
  return case g.scope || '/' || g.level
    when 'habits/full' then sync.shared_habits(g.subject_id, g.item_ids)
    when 'habits/summary' then sync.habit_figures(g.subject_id)
    when 'wellness/summary' then (select coalesce(jsonb_agg(to_jsonb(w) order by w.week), '[]') from sync.wellness_weeks(g.subject_id) w)
    when 'wellness/ok' then (select coalesce(jsonb_agg(jsonb_build_object('week', w.week,
        'ok', w.mood >= 3 and coalesce(w.stress, 1) < 4) order by w.week), '[]') from sync.wellness_weeks(g.subject_id) w)
    when 'tasks/full' then sync.shared_tasks(g.subject_id, g.item_ids)
    when 'tasks/counts' then sync.task_counts(g.subject_id)
  end;
end $$;

-- What the caller may see of one person now: {at, parts: [{grant_id, scope, level, until, data}]}. Each part is written
-- down as read in the same transaction; a paused or ended relationship, and a grant that is over or not yet begun, give none.
create function read_circle(p_relationship uuid) returns jsonb
  language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
declare
  r public.circle_relationships;
  g public.consent_grants;
  parts jsonb := '[]';
begin
  select * into r from public.circle_relationships c where c.id = p_relationship and c.helper_id = auth.uid() and c.deleted_at is null for share;
  if r.id is null then raise exception 'no such relationship' using errcode = '42501'; end if;
  if r.state = 'active' then
    for g in
      select x.* from public.consent_grants x
      join public.circle_visibility v on v.role = r.role and v.scope = x.scope and v.level = x.level and v.chosen = (x.item_ids is not null)
      where x.relationship_id = r.id and x.helper_id = auth.uid() and x.subject_id = r.subject_id and x.deleted_at is null
        and x.revoked_at is null and x.valid_from <= now() and (x.valid_until is null or x.valid_until > now())
      order by x.scope, x.id for share of x
    loop
      insert into public.grant_reads (grant_id, relationship_id, subject_id, helper_id, offline, read_at)
        values (g.id, r.id, r.subject_id, auth.uid(), false, now());
      parts := parts || jsonb_build_object('grant_id', g.id, 'scope', g.scope, 'level', g.level, 'until', g.valid_until, 'data', sync.shared_data(g));
    end loop;
  end if;
  return jsonb_build_object('at', now(), 'parts', parts);
end $$;

-- The end of an account: whoever was helped takes everything of it along; whoever helped leaves an ended relationship, and
-- the record of what they read, to the person.
create function sync.end_circle(p_user uuid) returns void
  language plpgsql set search_path = '' as $$
begin
  delete from public.circle_invitations i where i.subject_id = p_user;
  delete from public.circle_relationships r where r.subject_id = p_user;
  update public.circle_relationships r set state = 'ended', helper_name = 'Former helper' where r.helper_id = p_user;
end $$;

create or replace function sync.end_person_rows(p_user uuid) returns void
  language plpgsql set search_path = '' as $$
declare
  t record;
begin
  for t in select * from sync.person_columns() loop
    if not t.in_organization and t.tbl not in ('profiles', 'people', 'organizations') then
      -- Whoever merely wrote a row that is everybody's (created_by and the like) does not take it along.
      if 'user_id' = any (t.cols) then execute format('delete from public.%I where user_id = $1', t.tbl) using p_user; end if;
    elsif 'user_id' = any (t.cols) then
      if exists (select from pg_attribute a where a.attrelid = format('public.%I', t.tbl)::regclass and a.attname = 'deleted_at' and not a.attisdropped)
      then execute format('update public.%I set deleted_at = now() where user_id = $1 and deleted_at is null', t.tbl) using p_user;
      else execute format('delete from public.%I where user_id = $1', t.tbl) using p_user; end if;
    end if;
  end loop;
  perform sync.end_circle(p_user);
  delete from sync.mutation where user_id = p_user;
  delete from sync.conflict where user_id = p_user;
  delete from sync.receipt where user_id = p_user;
end $$;

revoke execute on all functions in schema sync from public;
revoke execute on all functions in schema identity from public;
revoke execute on function invite_to_circle(text, text, jsonb), circle_invitation(text), answer_circle_invitation(text, boolean),
  revoke_circle_invitation(uuid), read_circle(uuid) from public, anon, authenticated;
grant execute on function invite_to_circle(text, text, jsonb), circle_invitation(text), answer_circle_invitation(text, boolean),
  revoke_circle_invitation(uuid), read_circle(uuid) to authenticated;
