-- The support circle: who helps whom was there; here is what they see of it. Nothing, until the person grants it: one
-- grant per scope and level, from–until, made by them alone. What is granted leaves the server only through
-- `read_circle`, which reads and writes it down in one transaction; plain select gives a helper no row of it.

-- What each role may be granted at most (domain 1.5); what is missing here cannot be granted at all, so that notes and
-- journals are not. The same table stands in packages/core/src/support-circle/visibility.ts; a test holds the two together.
create table circle_visibility (
  role    text not null,                                         -- circle role
  scope   text not null,                                         -- habits, wellness, tasks
  level   text not null,                                         -- how much of it
  chosen  boolean not null,                                      -- only items the person picked one by one
  primary key (role, scope, level)
);
insert into circle_visibility (role, scope, level, chosen) values
  ('mentor_coach', 'habits', 'full', false),
  ('mentor_coach', 'habits', 'summary', false),
  ('mentor_coach', 'wellness', 'summary', false),
  ('mentor_coach', 'wellness', 'ok', false),
  ('mentor_coach', 'tasks', 'full', false),
  ('accountability_partner', 'habits', 'full', true),
  ('accountability_partner', 'wellness', 'ok', false),
  ('accountability_partner', 'tasks', 'full', true),
  ('managed_admin', 'tasks', 'full', false),
  ('triad_intelligence_operator', 'habits', 'summary', false),
  ('triad_intelligence_operator', 'wellness', 'summary', false),
  ('triad_intelligence_operator', 'tasks', 'counts', false);
alter table circle_visibility enable row level security;
revoke all on circle_visibility from anon, authenticated;
grant select on circle_visibility to authenticated;
create policy "everybody reads" on circle_visibility for select to authenticated using (true);
-- No write: migrations.

-- Somebody of another organisation is known by no name here: each side's goes with the relationship.
alter table circle_relationships
  add column subject_name text check (char_length(subject_name) <= 200),
  add column helper_name  text check (char_length(helper_name) <= 200),
  add column purpose      text check (char_length(purpose) <= 500);
-- What has ended may begin anew, with a new invitation.
alter table circle_relationships drop constraint circle_relationships_subject_id_helper_id_role_key;
create unique index circle_relationships_once on circle_relationships (subject_id, helper_id, role)
  where state <> 'ended' and deleted_at is null;
update sync.tables set server_columns = server_columns || array['subject_name', 'helper_name', 'purpose'] where name = 'circle_relationships';
select sync.refresh_table('circle_relationships');

create table consent_grants (
  id              uuid primary key default gen_random_uuid(),
  relationship_id uuid not null references circle_relationships (id) on delete cascade,
  subject_id      uuid not null references auth.users (id) on delete cascade,   -- who grants, and whose data it is
  helper_id       uuid not null references auth.users (id) on delete cascade,   -- copied from the relationship
  role            text not null,                                 -- copied from the relationship
  scope           text not null,
  level           text not null,
  item_ids        jsonb check (jsonb_typeof(item_ids) = 'array' and pg_column_size(item_ids) <= 20000),   -- null: everything of the scope
  valid_from      timestamptz not null default now(),
  valid_until     timestamptz check (valid_until > valid_from),  -- null: until it is taken back
  revoked_at      timestamptz,                                   -- device time
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1
);
create index consent_grants_relationship on consent_grants (relationship_id);
create index consent_grants_subject on consent_grants (subject_id);
create index consent_grants_helper on consent_grants (helper_id);

-- Every read under a grant. Nobody changes or removes an entry.
create table grant_reads (
  id              uuid primary key default gen_random_uuid(),
  grant_id        uuid not null references consent_grants (id) on delete cascade,
  relationship_id uuid not null references circle_relationships (id) on delete cascade,
  subject_id      uuid not null references auth.users (id) on delete cascade,
  helper_id       uuid not null references auth.users (id) on delete cascade,
  scope           text not null default '',                      -- copied from the grant, as the level
  level           text not null default '',
  offline         boolean not null default true,                 -- read from the copy on the helper's device, with no network
  read_at         timestamptz not null,                          -- device time of an offline read, else the server's
  received_at     timestamptz not null default now(),            -- server time
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1
);
create index grant_reads_subject on grant_reads (subject_id, received_at);
create index grant_reads_helper on grant_reads (helper_id);
create index grant_reads_grant on grant_reads (grant_id);
create index grant_reads_relationship on grant_reads (relationship_id);

-- A nudge and its reply; they travel like any record, so both may be written with no network.
create table circle_messages (
  id              uuid primary key default gen_random_uuid(),
  relationship_id uuid not null references circle_relationships (id) on delete cascade,
  subject_id      uuid not null references auth.users (id) on delete cascade,   -- copied from the relationship
  helper_id       uuid not null references auth.users (id) on delete cascade,   -- copied from the relationship
  from_id         uuid not null references auth.users (id) on delete cascade,
  body            text not null check (btrim(body) <> '' and char_length(body) <= 500),
  written_at      timestamptz not null,                          -- device time
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1
);
create index circle_messages_relationship on circle_messages (relationship_id, written_at);
create index circle_messages_subject on circle_messages (subject_id);
create index circle_messages_helper on circle_messages (helper_id);
create index circle_messages_from on circle_messages (from_id);

select sync.add_table('consent_grants', 44, $$ sync.scopes(sync.user_scope(subject_id), sync.user_scope(helper_id)) $$,
  p_groups => '[["valid_until","revoked_at"]]', p_server_columns => array['helper_id', 'role']);
select sync.add_table('grant_reads', 45, $$ sync.scopes(sync.user_scope(subject_id), sync.user_scope(helper_id)) $$,
  p_server_columns => array['relationship_id', 'subject_id', 'scope', 'level', 'offline', 'received_at']);
select sync.add_table('circle_messages', 45, $$ sync.scopes(sync.user_scope(subject_id), sync.user_scope(helper_id)) $$,
  p_server_columns => array['subject_id', 'helper_id']);

create policy "both sides read" on consent_grants for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "the person grants what the role may have" on consent_grants for insert to authenticated
  with check ((select sync.pushing()) and subject_id = (select auth.uid())
    and (role, scope, level) in (select v.role, v.scope, v.level from circle_visibility v where v.chosen = (item_ids is not null)));
create policy "the person takes back" on consent_grants for update to authenticated
  using ((select sync.pushing()) and subject_id = (select auth.uid()));
grant insert, update on consent_grants to authenticated;

create policy "both sides read" on grant_reads for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "the helper says what was read offline" on grant_reads for insert to authenticated
  with check ((select sync.pushing()) and helper_id = (select auth.uid()) and offline
    and grant_id in (select g.id from consent_grants g where g.helper_id = (select auth.uid())));
grant insert, update on grant_reads to authenticated;         -- update: a push locks what it inserts
-- No policy for update: what was read was read.

create policy "both sides read" on circle_messages for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "both sides write" on circle_messages for insert to authenticated
  with check ((select sync.pushing()) and from_id = (select auth.uid())
    and (subject_id = (select auth.uid()) or subject_id in (select my_circle_with('circle.nudge'))));
grant insert, update on circle_messages to authenticated;     -- update: a push locks what it inserts
-- No policy for update: what was said was said.

-- Whose helper it is and what may be granted is the relationship's; a device says no more than which.
create function sync.guard_grant() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  r public.circle_relationships;
begin
  if tg_op = 'UPDATE' then
    if (new.relationship_id, new.subject_id, new.helper_id, new.role, new.scope, new.level, new.valid_from)
      is distinct from (old.relationship_id, old.subject_id, old.helper_id, old.role, old.scope, old.level, old.valid_from)
      or new.item_ids is distinct from old.item_ids then
      raise exception 'a grant is taken back, and another one given' using errcode = '42501';
    end if;
    if old.revoked_at is not null and new.revoked_at is null then
      raise exception 'what was taken back stays so' using errcode = '42501';
    end if;
    return new;
  end if;
  select * into r from public.circle_relationships c where c.id = new.relationship_id and c.deleted_at is null;
  if r.id is null or r.subject_id <> new.subject_id or r.state = 'ended' then
    raise exception 'nobody to grant this to' using errcode = '42501';
  end if;
  new.helper_id := r.helper_id;
  new.role := r.role;
  if not exists (select from public.circle_visibility v where v.role = r.role and v.scope = new.scope and v.level = new.level
      and v.chosen = (new.item_ids is not null)) then
    raise exception 'this role cannot be given that' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger b_guard before insert or update on consent_grants for each row execute function sync.guard_grant();

create function sync.guard_grant_read() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  g public.consent_grants;
begin
  select * into g from public.consent_grants c where c.id = new.grant_id;
  if g.id is null or g.helper_id <> new.helper_id then
    raise exception 'no such grant' using errcode = '42501';
  end if;
  new.relationship_id := g.relationship_id;
  new.subject_id := g.subject_id;
  new.scope := g.scope;
  new.level := g.level;
  if sync.pushing() then
    new.offline := true;
    new.received_at := now();
    -- A clock that is ahead must not hide a read in the future.
    new.read_at := least(new.read_at, now());
  end if;
  return new;
end $$;
create trigger b_guard before insert on grant_reads for each row execute function sync.guard_grant_read();

create function sync.guard_circle_message() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  r public.circle_relationships;
begin
  select * into r from public.circle_relationships c where c.id = new.relationship_id and c.deleted_at is null;
  if r.id is null or r.state <> 'active' or new.from_id not in (r.subject_id, r.helper_id) then
    raise exception 'nobody is there to hear it' using errcode = '42501';
  end if;
  new.subject_id := r.subject_id;
  new.helper_id := r.helper_id;
  return new;
end $$;
create trigger b_guard before insert on circle_messages for each row execute function sync.guard_circle_message();

insert into notification_types (key, module, class, private, setting, app, push, email) values
  ('circle.message', 'support-circle', 'normal', true, null, 'immediate', 'immediate', 'daily');

-- Tells the other side that there is a word for them; what it says stays in the circle.
create function sync.tell_circle_message() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  other constant uuid := case when new.from_id = new.subject_id then new.helper_id else new.subject_id end;
  name text;
begin
  select case when new.from_id = r.subject_id then r.subject_name else r.helper_name end into name
    from public.circle_relationships r where r.id = new.relationship_id;
  perform inbox.notify(other, 'circle.message', 'circle.message/' || new.id::text, '/support-circle',
    jsonb_build_object('by', name), new.relationship_id, null, new.from_id);
  return null;
end $$;
create trigger x_tell after insert on circle_messages for each row execute function sync.tell_circle_message();

-- One's shown name, for the other side.
create function sync.circle_name(p_user uuid) returns text
  language sql stable security definer set search_path = '' as $$
  select coalesce(nullif(p.display_name, ''), nullif(p.full_name, ''), split_part(u.email, '@', 1))
  from auth.users u left join public.profiles p on p.id = u.id where u.id = p_user
$$;
