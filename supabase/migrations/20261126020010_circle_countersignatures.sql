-- A partner countersigns a principle: who committed to one asks one of their circle to put their name under it. Asking is a grant
-- of exactly this version (scope `principles`, level `countersign`), read like every grant by `read_circle`; the answer is a row of
-- its own, which stays when the grant has ended (docs/decisions/0650-a-countersignature-outlives-its-grant.md).

insert into circle_visibility (role, scope, level, chosen) values ('accountability_partner', 'principles', 'countersign', true);

create table countersignatures (
  id              uuid primary key,                              -- derivedId(grant_id, 'countersignature')
  grant_id        uuid not null unique references consent_grants (id) on delete cascade,
  relationship_id uuid not null references circle_relationships (id) on delete cascade,   -- copied from the grant, as both people
  subject_id      uuid not null references auth.users (id) on delete cascade,
  helper_id       uuid not null references auth.users (id) on delete cascade,
  policy_id       uuid not null references policies (id) on delete cascade,   -- copied from the version
  version_id      uuid not null references policy_versions (id) on delete cascade,
  decision        text not null check (decision in ('signed', 'declined')),
  content_hash    text not null check (content_hash ~ '^[0-9a-f]{64}$'),   -- of what was on the partner's screen
  method          text check (method in ('typed', 'drawn')),
  signed_name     text check (char_length(signed_name) <= 200),
  signature       jsonb check (pg_column_size(signature) < 200000),   -- strokes (decision 0004)
  reason          text not null default '' check (char_length(reason) <= 2000),   -- of who declined; may be empty
  decided_at      timestamptz not null,                          -- device time
  received_at     timestamptz not null default now(),            -- server time
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1
);
create index countersignatures_relationship on countersignatures (relationship_id);
create index countersignatures_subject on countersignatures (subject_id);
create index countersignatures_helper on countersignatures (helper_id);
create index countersignatures_policy on countersignatures (policy_id);
create index countersignatures_version on countersignatures (version_id);

-- Nobody's but these two people's: no organisation, and nobody else of the circle. It holds no word of the principle.
select sync.add_table('countersignatures', 46, $$ sync.scopes(sync.user_scope(subject_id), sync.user_scope(helper_id)) $$,
  p_server_columns => array['relationship_id', 'subject_id', 'policy_id', 'received_at']);

create trigger a0_need_push before insert on countersignatures for each statement execute function sync.need_push();
create policy "both sides read" on countersignatures for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "the partner answers what they were asked" on countersignatures for insert to authenticated
  with check ((select sync.pushing()) and helper_id = (select auth.uid())
    and grant_id in (select g.id from consent_grants g where g.helper_id = (select auth.uid()) and g.scope = 'principles'));
grant insert, update on countersignatures to authenticated;   -- update: a push locks what it inserts
-- No policy for update: what was signed stays as it was signed.

-- What a person may ask somebody to countersign: a version of a principle in force in their own space, in words alone, that they
-- committed to. The version counts as long as their own word does: until the next major.
create function sync.committed_principle(p_subject uuid, p_version uuid) returns uuid
  language sql stable security definer set search_path = '' as $$
  select v.id from public.policy_versions v
  join public.organizations o on o.id = v.organization_id and o.kind = 'private' and o.created_by = p_subject
  join public.policies p on p.id = v.policy_id and p.state = 'published' and p.current_major = v.major and p.deleted_at is null
  join public.policy_acknowledgements a on a.version_id = v.id and a.user_id = p_subject and a.state = 'acknowledged' and a.deleted_at is null
  where v.id = p_version and v.deleted_at is null and v.file is null and v.quiz is null
$$;

-- Asks for one thing at a time, of somebody who is there to answer.
create function sync.guard_principle_grant() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if jsonb_array_length(new.item_ids) <> 1 or new.item_ids ->> 0 !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
    or sync.committed_principle(new.subject_id, (new.item_ids ->> 0)::uuid) is null then
    raise exception 'a countersignature is asked for what one committed to' using errcode = '42501';
  end if;
  if not exists (select from public.circle_relationships r where r.id = new.relationship_id and r.state = 'active') then
    raise exception 'nobody is there to sign' using errcode = '42501';
  end if;
  return new;
end $$;
-- After `b_guard`, which says whose grant it is.
create trigger c_principle before insert on consent_grants for each row when (new.scope = 'principles')
  execute function sync.guard_principle_grant();

-- An answer counts while it is asked for; the grant and the pair are locked, so that it meets either the ask or its end.
create function sync.guard_countersignature() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  g public.consent_grants;
  r public.circle_relationships;
  v public.policy_versions;
begin
  if tg_op = 'UPDATE' then return new; end if;
  select * into r from public.circle_relationships c where c.deleted_at is null
    and c.id = (select x.relationship_id from public.consent_grants x where x.id = new.grant_id) for share;
  select * into g from public.consent_grants x where x.id = new.grant_id and x.scope = 'principles' for share;
  if g.id is null or g.helper_id is distinct from new.helper_id or new.version_id::text is distinct from g.item_ids ->> 0 then
    raise exception 'nobody asked for this' using errcode = '42501';
  end if;
  select * into v from public.policy_versions w where w.id = new.version_id;
  new.relationship_id := g.relationship_id;
  new.subject_id := g.subject_id;
  new.policy_id := v.policy_id;
  if not sync.is_device_edit() then return new; end if;
  if new.id <> extensions.uuid_generate_v5(g.id, 'countersignature') then
    raise exception 'this id follows from another record' using errcode = '23514', constraint = 'id_is_derived';
  end if;
  if r.state <> 'active' or g.revoked_at is not null or g.deleted_at is not null or g.valid_until <= now() or g.valid_from > now() then
    raise exception 'nobody asks for this any more' using errcode = '42501';
  end if;
  if new.content_hash is distinct from v.content_hash then
    raise exception 'what was on the screen is not this version' using errcode = '23514';
  end if;
  if new.decision = 'signed' and (new.method is null or btrim(coalesce(new.signed_name, '')) = '' or new.method = 'drawn' and new.signature is null) then
    raise exception 'a countersignature is signed' using errcode = '23514';
  end if;
  if new.decision = 'declined' and (new.method, new.signed_name, new.signature) is distinct from (null::text, null::text, null::jsonb) then
    raise exception 'who declines does not sign' using errcode = '23514';
  end if;
  new.decided_at := sync.believable(new.decided_at, v.published_at);
  new.received_at := clock_timestamp();
  return new;
end $$;
create trigger b_guard before insert or update on countersignatures for each row execute function sync.guard_countersignature();

-- The one version that was granted, and that the person committed to it; nothing else of the principle.
create function sync.shared_principle(p_subject uuid, p_version uuid) returns jsonb
  language sql stable security definer set search_path = '' set timezone = 'UTC' as $$
  select jsonb_build_object('version_id', v.id, 'title', v.title, 'body', v.body, 'major', v.major, 'minor', v.minor,
      'content_hash', v.content_hash, 'is_current', p.state = 'published' and p.current_major = v.major,
      'name', a.signed_name, 'decided_at', a.decided_at, 'received_at', a.received_at)
  from public.policy_versions v
  join public.organizations o on o.id = v.organization_id and o.kind = 'private' and o.created_by = p_subject
  join public.policies p on p.id = v.policy_id
  join public.policy_acknowledgements a on a.version_id = v.id and a.user_id = p_subject and a.state = 'acknowledged' and a.deleted_at is null
  where v.id = p_version and v.deleted_at is null and v.major is not null
$$;

create or replace function sync.shared_data(g public.consent_grants) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
begin
  return case g.scope || '/' || g.level
    when 'goals/full' then sync.shared_goals(g.subject_id, g.item_ids)
    when 'goals/titles' then sync.goal_titles(g.subject_id)
    when 'goals/summary' then sync.goal_figures(g.subject_id)
    when 'habits/full' then sync.shared_habits(g.subject_id, g.item_ids)
    when 'habits/summary' then sync.habit_figures(g.subject_id)
    when 'wellness/summary' then (select coalesce(jsonb_agg(to_jsonb(w) order by w.week), '[]') from sync.wellness_weeks(g.subject_id) w)
    when 'wellness/ok' then (select coalesce(jsonb_agg(jsonb_build_object('week', w.week,
        'ok', w.mood >= 3 and coalesce(w.stress, 1) < 4) order by w.week), '[]') from sync.wellness_weeks(g.subject_id) w)
    when 'tasks/full' then sync.shared_tasks(g.subject_id, g.item_ids)
    when 'tasks/act' then sync.shared_tasks(g.subject_id, g.item_ids)
    when 'tasks/counts' then sync.task_counts(g.subject_id)
    when 'sessions/full' then sync.shared_sessions(g.relationship_id)
    when 'principles/countersign' then sync.shared_principle(g.subject_id, (g.item_ids ->> 0)::uuid)
  end;
end $$;

-- An invitation promises no signature under anything: that is asked of somebody who is there, at the principle.
create function identity.refuse_wanted_principles() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from jsonb_array_elements(new.wanted) w where w ->> 'scope' = 'principles') then
    raise exception 'a countersignature is asked for at the principle' using errcode = '22023';
  end if;
  return new;
end $$;
create trigger c_principles before insert on circle_invitations for each row execute function identity.refuse_wanted_principles();

insert into notification_types (key, module, class, private, setting, app, push, email) values
  ('circle.countersign_asked', 'support-circle', 'normal', true, null, 'immediate', 'immediate', 'daily'),
  ('circle.countersigned', 'support-circle', 'normal', true, null, 'immediate', 'immediate', 'daily'),
  ('circle.countersign_declined', 'support-circle', 'normal', true, null, 'immediate', 'immediate', 'daily');

-- What it is about stays in the circle: names alone are told.
create function sync.tell_countersign_asked() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  name text;
begin
  if tg_op = 'UPDATE' then
    if new.revoked_at is not null then perform inbox.settled(new.id, array['circle.countersign_asked'], new.helper_id); end if;
    return null;
  end if;
  select r.subject_name into name from public.circle_relationships r where r.id = new.relationship_id;
  perform inbox.notify(new.helper_id, 'circle.countersign_asked', 'circle.countersign_asked/' || new.id::text,
    '/support-circle/' || new.relationship_id::text, jsonb_build_object('by', name), new.id, null, new.subject_id);
  return null;
end $$;
create trigger x_tell_principle after insert or update on consent_grants for each row when (new.scope = 'principles')
  execute function sync.tell_countersign_asked();

create function sync.tell_countersigned() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  name text;
  type constant text := case new.decision when 'signed' then 'circle.countersigned' else 'circle.countersign_declined' end;
begin
  select r.helper_name into name from public.circle_relationships r where r.id = new.relationship_id;
  perform inbox.settled(new.grant_id, array['circle.countersign_asked'], new.helper_id);
  perform inbox.notify(new.subject_id, type, type || '/' || new.id::text, '/policies/' || new.policy_id::text,
    jsonb_build_object('by', name), new.id, (select v.organization_id from public.policy_versions v where v.id = new.version_id), new.helper_id);
  return null;
end $$;
create trigger x_tell after insert on countersignatures for each row execute function sync.tell_countersigned();

-- As before; and the name goes with the account that signed. That somebody did, to which words and when, stays the person's.
create or replace function sync.end_circle(p_user uuid) returns void
  language plpgsql set search_path = '' as $$
begin
  delete from public.circle_invitations i where i.subject_id = p_user;
  delete from public.circle_relationships r where r.subject_id = p_user;
  update public.countersignatures c set signature = null, reason = '',
    signed_name = case when c.signed_name is not null then 'Former helper' end where c.helper_id = p_user;
  update public.circle_relationships r set state = 'ended', helper_name = 'Former helper' where r.helper_id = p_user;
end $$;

revoke execute on function sync.committed_principle(uuid, uuid), sync.guard_principle_grant(), sync.guard_countersignature(),
  sync.shared_principle(uuid, uuid), sync.tell_countersign_asked(), sync.tell_countersigned(), identity.refuse_wanted_principles() from public;
