-- The weekly brief: what a week says in figures, put together by fixed rules from what the operator of a circle is granted,
-- looked through by them, approved by the person line by line, and only then sent to those of the circle whom the person chose.

-- One week of one person with one operator. Who is named, which week and how far it is; nothing of what it says.
create table triad_briefs (
  id              uuid primary key default gen_random_uuid(),
  relationship_id uuid not null references circle_relationships (id) on delete cascade,   -- the operator's
  subject_id      uuid not null references auth.users (id) on delete cascade,   -- whose week it is
  operator_id     uuid not null references auth.users (id) on delete cascade,   -- who looks it through
  week            date not null check (extract(isodow from week) = 1 and week >= date '2020-01-06' and week < date '2200-01-01'),   -- its Monday
  state           text not null default 'review' check (state in ('review', 'approval', 'sent', 'kept', 'withdrawn')),
  reviewed_at     timestamptz,                                   -- server time
  decided_at      timestamptz,                                   -- server time
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  unique (relationship_id, week)
);
create index triad_briefs_subject on triad_briefs (subject_id);
create index triad_briefs_operator on triad_briefs (operator_id);

-- What it says: one line per thing that is granted. The person alone has these rows; the operator reads them by
-- `brief_for_review`, which writes it down.
create table triad_brief_lines (
  id          uuid primary key default gen_random_uuid(),
  brief_id    uuid not null references triad_briefs (id) on delete cascade,
  subject_id  uuid not null references auth.users (id) on delete cascade,
  grant_id    uuid not null references consent_grants (id) on delete cascade,   -- the operator's, from which it was made
  scope       text not null,
  level       text not null,                                     -- how much it tells: what somebody must be granted to be sent it
  kind        text not null check (kind in ('goals', 'habits', 'wellness', 'week', 'tasks')),
  position    integer not null,                                  -- order in the brief, lower first
  figures     jsonb not null check (jsonb_typeof(figures) = 'object'),
  item_ids    jsonb not null default '[]' check (jsonb_typeof(item_ids) = 'array'),   -- which goals, habits or tasks were counted
  wording     text check (btrim(wording) <> '' and char_length(wording) <= 400),      -- the operator's words beside the figures
  is_left_out boolean not null default false,                    -- by the operator
  is_approved boolean not null default false,                    -- by the person
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now(),
  deleted_at  timestamptz,
  version     bigint not null default 1,
  unique (brief_id, kind)
);
create index triad_brief_lines_subject on triad_brief_lines (subject_id);
create index triad_brief_lines_grant on triad_brief_lines (grant_id);

-- What was sent to one of the circle. It goes to their devices as long as the two have to do with each other and it was not taken back.
create table triad_brief_copies (
  id              uuid primary key default gen_random_uuid(),
  brief_id        uuid not null references triad_briefs (id) on delete cascade,
  relationship_id uuid not null references circle_relationships (id) on delete cascade,   -- the receiver's
  subject_id      uuid not null references auth.users (id) on delete cascade,
  helper_id       uuid not null references auth.users (id) on delete cascade,
  week            date not null,                                 -- its Monday
  lines           jsonb not null check (jsonb_typeof(lines) = 'array'),   -- [{id, scope, level, kind, figures, wording}]
  sent_at         timestamptz not null default now(),            -- server time
  taken_back_at   timestamptz,                                   -- server time
  is_open         boolean not null default true,                 -- the receiver has it
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  unique (brief_id, relationship_id)
);
create index triad_brief_copies_relationship on triad_brief_copies (relationship_id);
create index triad_brief_copies_subject on triad_brief_copies (subject_id);
create index triad_brief_copies_helper on triad_brief_copies (helper_id);

select sync.add_table('triad_briefs', 45, $$ sync.scopes(sync.user_scope(subject_id), sync.user_scope(operator_id)) $$);
select sync.add_table('triad_brief_lines', 46, $$ sync.scopes(sync.user_scope(subject_id)) $$);
select sync.add_table('triad_brief_copies', 46,
  $$ sync.scopes(sync.user_scope(subject_id), case when is_open then sync.user_scope(helper_id) end) $$);

create policy "the person and their operator read" on triad_briefs for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "the person reads" on triad_brief_lines for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "the person and whom they sent it to read" on triad_brief_copies for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
-- No write on any of them: brief_for_review, review_brief, decide_brief, take_back_brief.

-- What was sent in a brief is in the access log too, under the grants of those who received it.
alter table grant_reads add column brief_id uuid references triad_briefs (id) on delete set null;
create index grant_reads_brief on grant_reads (brief_id);
update sync.tables set server_columns = server_columns || array['brief_id'] where name = 'grant_reads';
select sync.refresh_table('grant_reads');

-- Whether whoever has this grant may be told a line: no line tells more than its receiver may look up. `p_items`: what was counted; of a
-- grant of chosen items it must be among them.
create function sync.grant_covers(g public.consent_grants, p_scope text, p_level text, p_items jsonb) returns boolean
  language sql immutable set search_path = '' as $$
  select g.scope = p_scope and (g.item_ids is null or p_items <@ g.item_ids) and case p_scope || '/' || p_level
    when 'goals/summary' then g.level in ('full', 'summary')
    when 'habits/summary' then g.level in ('full', 'summary')
    when 'wellness/summary' then g.level = 'summary'
    when 'wellness/ok' then g.level in ('summary', 'ok')
    when 'tasks/counts' then g.level in ('full', 'act', 'counts')
    else false end
$$;

-- The grants of a relationship that open something now.
create function sync.open_grants(p_relationship uuid) returns setof public.consent_grants
  language sql stable security definer set search_path = '' as $$
  select x.* from public.circle_relationships r
  join public.consent_grants x on x.relationship_id = r.id and x.subject_id = r.subject_id and x.helper_id = r.helper_id
  join public.circle_visibility v on v.role = r.role and v.scope = x.scope and v.level = x.level and v.chosen = (x.item_ids is not null)
  where r.id = p_relationship and r.state = 'active' and r.deleted_at is null and x.deleted_at is null and x.revoked_at is null
    and x.valid_from <= now() and (x.valid_until is null or x.valid_until > now())
$$;

-- A withdrawn grant takes its lines out of every brief that was not decided on; one with no line left is over.
create function sync.withdraw_lines(p_relationship uuid, p_grant uuid) returns void
  language plpgsql security definer set search_path = '' as $$
begin
  perform from public.triad_briefs b where b.relationship_id = p_relationship and b.state in ('review', 'approval') order by b.id for update;
  delete from public.triad_brief_lines l using public.triad_briefs b
    where b.id = l.brief_id and b.relationship_id = p_relationship and b.state in ('review', 'approval') and (p_grant is null or l.grant_id = p_grant);
  update public.triad_briefs b set state = 'withdrawn', decided_at = now()
    where b.relationship_id = p_relationship and b.state in ('review', 'approval')
      and not exists (select from public.triad_brief_lines l where l.brief_id = b.id and not l.is_left_out);
end $$;

create function sync.grant_withdrawn() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform sync.withdraw_lines(new.relationship_id, new.id);
  return null;
end $$;
create trigger x_briefs after update on consent_grants for each row
  when (new.revoked_at is not null and old.revoked_at is null or new.deleted_at is not null and old.deleted_at is null)
  execute function sync.grant_withdrawn();

-- A pause hides what was sent until the two go on; an end does for good, and with it goes what was not sent yet.
create function sync.brief_relationship_moved() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update public.triad_brief_copies c set is_open = (new.state = 'active' and new.deleted_at is null and c.taken_back_at is null)
    where c.relationship_id = new.id and c.is_open <> (new.state = 'active' and new.deleted_at is null and c.taken_back_at is null);
  if new.state = 'ended' or new.deleted_at is not null then perform sync.withdraw_lines(new.id, null); end if;
  return null;
end $$;
create trigger x_briefs after update on circle_relationships for each row
  when (new.state is distinct from old.state or new.deleted_at is distinct from old.deleted_at)
  execute function sync.brief_relationship_moved();

insert into notification_types (key, module, class, private, setting, app, push, email) values
  ('brief.due', 'triad-intelligence', 'normal', true, null, 'immediate', 'immediate', 'daily'),
  ('brief.reviewed', 'triad-intelligence', 'normal', true, null, 'immediate', 'immediate', 'daily'),
  ('brief.received', 'triad-intelligence', 'normal', true, null, 'immediate', 'immediate', 'daily');

revoke execute on function sync.grant_covers(public.consent_grants, text, text, jsonb), sync.open_grants(uuid), sync.withdraw_lines(uuid, uuid),
  sync.grant_withdrawn(), sync.brief_relationship_moved() from public;
