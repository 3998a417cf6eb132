-- The kiosk: people acknowledge one after the other on the device of somebody who witnesses it. What they say comes in the name of the
-- witness, says whose word it is, and becomes that person's acknowledgement here, where it is decided whether it counts
-- (docs/decisions/0630-a-word-on-another-device-has-a-witness.md).

create schema kiosk;                                             -- never exposed by the API, and nobody is granted its use

insert into permissions (key, description, is_audience) values
  ('policy.witness', 'Let others acknowledge on one''s own device', false);
insert into role_permissions (role_kind, role, permission)
  select 'organization', role, 'policy.witness' from unnest(array['admin', 'manager']) role;

-- With what somebody shows at a kiosk who they are: one for each organisation, 4 to 8 digits.
create table kiosk.pin (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  user_id         uuid not null references auth.users (id) on delete cascade,
  hash            text not null,                                 -- bcrypt
  set_by          uuid references auth.users (id) on delete set null,
  set_at          timestamptz not null default now(),
  wrong           integer not null default 0,                    -- attempts since the last right one
  locked_until    timestamptz,
  primary key (organization_id, user_id)
);
create index pin_user on kiosk.pin (user_id);
create index pin_set_by on kiosk.pin (set_by);
alter table kiosk.pin enable row level security;

-- That the right PIN was given on the device of a witness, for one policy; good for one word.
create table kiosk.pass (
  id         uuid primary key default gen_random_uuid(),
  policy_id  uuid not null references public.policies (id) on delete cascade,
  user_id    uuid not null references auth.users (id) on delete cascade,
  witness_id uuid not null references auth.users (id) on delete cascade,
  given_at   timestamptz not null default clock_timestamp(),
  used_at    timestamptz
);
create index pass_policy on kiosk.pass (policy_id);
create index pass_user on kiosk.pass (user_id);
create index pass_witness on kiosk.pass (witness_id);
alter table kiosk.pass enable row level security;

-- One word said at a kiosk, as its device keeps and sends it. What was signed stands in the acknowledgement alone: here it goes
-- when it was received.
create table kiosk_words (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null,                                 -- copied from the version
  policy_id       uuid not null,                                 -- copied from the version
  version_id      uuid not null,
  user_id         uuid references auth.users (id) on delete set null,   -- whose word it is
  witness_id      uuid references auth.users (id) on delete set null,   -- on whose device; whoever sent it
  device          text not null default '' check (char_length(device) <= 100),   -- what the device calls itself: its browser and system
  pass_id         uuid,                                          -- that the PIN was right; null: the witness stands for who it was
  decision        text not null check (decision in ('acknowledged', 'declined')),
  content_hash    text not null check (content_hash ~ '^[0-9a-f]{64}$'),
  opened_at       timestamptz not null,                          -- device time
  decided_at      timestamptz not null,                          -- device time
  sections_read   integer not null default 0 check (sections_read between 0 and 10000),
  sections        integer not null default 0 check (sections between 0 and 10000),
  method          text check (method in ('typed', 'drawn')),
  signed_name     text check (char_length(signed_name) <= 200),
  signature       jsonb check (pg_column_size(signature) < 200000),   -- strokes (decision 0004)
  reason          text check (char_length(reason) <= 2000),      -- of who declined
  quiz_attempts   integer not null default 0 check (quiz_attempts between 0 and 10000),
  quiz_answers    jsonb check (pg_column_size(quiz_answers) < 20000),
  quiz_at         timestamptz,                                   -- device time of the last attempt
  proof           text check (proof in ('pin', 'witness')),      -- how it was shown whose word it is, as the server found
  outcome         text check (outcome in ('counted', 'void', 'already', 'not_owed')),   -- what became of it
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  foreign key (organization_id, policy_id) references policies (organization_id, id) on delete cascade,
  foreign key (organization_id, version_id) references policy_versions (organization_id, id) on delete cascade
);
create index kiosk_words_policy on kiosk_words (policy_id, user_id);
create index kiosk_words_version on kiosk_words (organization_id, version_id);
create index kiosk_words_user on kiosk_words (user_id);
create index kiosk_words_witness on kiosk_words (witness_id);

select sync.add_table('kiosk_words', 27, $$ sync.scopes(sync.member_scope(organization_id, witness_id)) $$,
  p_server_columns => array['proof', 'outcome']);

create policy "scope reads" on kiosk_words for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "witnesses bring" on kiosk_words for insert to authenticated
  with check ((select sync.pushing()) and witness_id = (select auth.uid()) and organization_id in (select my_organizations_with('policy.witness')));
grant insert, update on kiosk_words to authenticated;
-- No policy for update or delete: what was said stays. The grant is what the lock of a push asks for.

create trigger a0_need_push before insert on kiosk_words for each statement execute function sync.need_push();

alter table policy_acknowledgements
  add column witness_id uuid references auth.users (id) on delete set null,   -- on whose device it was said; null: their own
  add column proof      text check (proof in ('pin', 'witness')),   -- of a word at a kiosk: how it was shown whose it is
  add column device     text check (char_length(device) <= 100);    -- of a word at a kiosk: what the device calls itself
create index policy_acknowledgements_witness on policy_acknowledgements (witness_id);
update sync.tables set server_columns = server_columns || array['witness_id', 'proof', 'device'] where name = 'policy_acknowledgements';
select sync.refresh_table('policy_acknowledgements');

-- Takes a pass, once: the word of its person and policy that came on the device of its witness, within a week.
create function kiosk.take_pass(w public.kiosk_words) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
begin
  update kiosk.pass p set used_at = clock_timestamp()
    where p.id = w.pass_id and p.policy_id = w.policy_id and p.user_id = w.user_id and p.witness_id = w.witness_id
      and p.used_at is null and p.given_at > clock_timestamp() - interval '7 days';
  return found;
end $$;

-- Refuses what is no word: the same that a person's own device is refused.
create function kiosk.check_word(w public.kiosk_words, v public.policy_versions) returns void
  language plpgsql stable security definer set search_path = '' as $$
begin
  if w.content_hash is distinct from v.content_hash then
    raise exception 'what was on the screen is not this version' using errcode = '23514';
  end if;
  if w.decision = 'acknowledged' and (w.method is null or btrim(coalesce(w.signed_name, '')) = '' or w.method = 'drawn' and w.signature is null) then
    raise exception 'an acknowledgement is signed' using errcode = '23514';
  end if;
  if w.decision = 'declined' and btrim(coalesce(w.reason, '')) = '' then
    raise exception 'who declines says why' using errcode = '23514';
  end if;
  -- A typed name alone would show nothing of who it was.
  if w.proof = 'witness' and w.decision = 'acknowledged' and w.method <> 'drawn' then
    raise exception 'without a PIN a word is signed by hand' using errcode = '23514';
  end if;
end $$;

-- How many questions had to be right, as for a word on one's own device; refuses a word that lacks them.
create function kiosk.check_quiz(w public.kiosk_words, v public.policy_versions) returns integer
  language plpgsql stable security definer set search_path = '' as $$
declare
  needed constant integer := sync.quiz_needed(v, w.user_id);
  given constant integer := coalesce(sync.quiz_right(v.quiz, w.quiz_answers), 0);
  in_force public.policy_versions;
begin
  select x.* into in_force from public.policies p join public.policy_versions x on x.id = p.current_version_id where p.id = v.policy_id;
  if needed > given or in_force.quiz is distinct from v.quiz and sync.quiz_needed(in_force, w.user_id) is not null then
    raise exception 'the quiz is not passed: % right, % needed', given, coalesce(sync.quiz_needed(in_force, w.user_id), needed)
      using errcode = '23Q01', constraint = 'quiz_passed';
  end if;
  return needed;
end $$;

-- Writes the acknowledgement; false where its person said something final of this version before.
create function kiosk.acknowledge(w public.kiosk_words, v public.policy_versions, p_state text, p_needed integer) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into public.policy_acknowledgements as a (id, organization_id, policy_id, version_id, user_id, state, content_hash, opened_at,
      sections_read, sections, method, signed_name, signature, reason, decided_at, received_at, quiz_attempts, quiz_answers, quiz_right,
      quiz_needed, quiz_at, witness_id, proof, device)
    values (extensions.uuid_generate_v5(v.id, 'acknowledgement/' || w.user_id::text), v.organization_id, v.policy_id, v.id, w.user_id, p_state,
      w.content_hash, w.opened_at, w.sections_read, w.sections, w.method, w.signed_name, w.signature, w.reason, w.decided_at, clock_timestamp(),
      w.quiz_attempts, w.quiz_answers, sync.quiz_right(v.quiz, w.quiz_answers), p_needed, w.quiz_at, w.witness_id, w.proof, w.device)
    on conflict (id) do update set (state, content_hash, sections_read, sections, method, signed_name, signature, reason, decided_at, received_at,
        quiz_attempts, quiz_answers, quiz_right, quiz_needed, quiz_at, witness_id, proof, device)
      = row (excluded.state, excluded.content_hash, excluded.sections_read, excluded.sections, excluded.method, excluded.signed_name,
        excluded.signature, excluded.reason, excluded.decided_at, excluded.received_at, greatest(a.quiz_attempts, excluded.quiz_attempts),
        excluded.quiz_answers, excluded.quiz_right, excluded.quiz_needed, excluded.quiz_at, excluded.witness_id, excluded.proof, excluded.device)
      where a.state = 'opened' or a.state = 'declined' and excluded.state <> 'declined';
  return found;
end $$;

-- Decides what a word at a kiosk counts for: only for who is a member and owes it, and never twice. The policy is locked against
-- publishing meanwhile, and against a second word of the same person.
create function kiosk.take_word() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  v public.policy_versions;
  p public.policies;
  needed integer;
begin
  select * into v from public.policy_versions x where x.id = new.version_id;
  -- What somebody may not see is to them as if it were not there.
  if v.major is null or sync.pushing() and auth.uid() is not null and not v.scopes && array(select public.my_scopes()) then
    raise exception 'only what was published is acknowledged' using errcode = '23503';
  end if;
  new.organization_id := v.organization_id;
  new.policy_id := v.policy_id;
  if not sync.is_device_edit() then return new; end if;
  if new.witness_id is distinct from auth.uid() or not sync.may('policy.witness', v.organization_id) then
    raise exception 'a word of another has a witness' using errcode = '42501';
  end if;
  if new.user_id is null or not sync.is_member(v.organization_id, new.user_id) then
    raise exception 'only members of the organisation acknowledge' using errcode = '42501';
  end if;
  if new.user_id = new.witness_id then
    raise exception 'nobody witnesses their own word' using errcode = '42501';
  end if;
  new.opened_at := sync.believable(new.opened_at, v.published_at);
  new.decided_at := sync.believable(new.decided_at, v.published_at);
  new.quiz_at := sync.believable(new.quiz_at, v.published_at);
  select * into p from public.policies q where q.id = v.policy_id for share;
  perform pg_advisory_xact_lock(hashtextextended('kiosk/' || v.policy_id::text || new.user_id::text, 0));
  new.proof := case when kiosk.take_pass(new) then 'pin' else 'witness' end;
  perform kiosk.check_word(new, v);
  if v.major < p.current_major then
    new.outcome := case when kiosk.acknowledge(new, v, 'void', null) then 'void' else 'already' end;
  elsif exists (select from public.policy_acknowledgements a join public.policy_versions x on x.id = a.version_id
      where a.policy_id = v.policy_id and a.user_id = new.user_id and x.major = v.major and a.state in ('acknowledged', 'exempt') and a.deleted_at is null) then
    new.outcome := 'already';
  elsif p.state <> 'published' or sync.asked_since(v.organization_id, v.policy_id, v.major, new.user_id) is null then
    new.outcome := 'not_owed';
  else
    needed := case when new.decision = 'acknowledged' then kiosk.check_quiz(new, v) end;
    new.outcome := case when kiosk.acknowledge(new, v, new.decision, needed) then 'counted' else 'already' end;
  end if;
  new.signed_name := null;
  new.signature := null;
  new.reason := null;
  new.quiz_answers := null;
  return new;
end $$;
create trigger c_take before insert on kiosk_words for each row execute function kiosk.take_word();

-- As before; a word at a kiosk names its witness and how it was shown whose it is.
create or replace function audit.note_acknowledgement() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' then
    if new.state = old.state then return null; end if;
  end if;
  perform audit.note(new.organization_id, 'acknowledgement.' || new.state, 'policy_acknowledgements', new.id,
    jsonb_build_object('user_id', new.user_id, 'version_id', new.version_id, 'content_hash', new.content_hash, 'method', new.method,
      'witness_id', new.witness_id, 'proof', new.proof));
  return null;
end $$;

-- As before; of a word at a kiosk on whose device it was said.
create or replace function policy_acknowledgement_report(p_policy uuid, p_major integer default null) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  p public.policies;
  wanted integer;
begin
  select * into p from public.policies q where q.id = p_policy and q.deleted_at is null;
  if not found or auth.uid() is null or not sync.may('policy.report', p.organization_id) then
    raise exception 'no such policy' using errcode = '42501';
  end if;
  wanted := coalesce(p_major, p.current_major);
  return jsonb_build_object('major', wanted, 'title', p.title, 'at', clock_timestamp(), 'people', coalesce((
    with owed as (
      select o.user_id, o.owed_since, o.due_at from sync.owed_acknowledgements(p.organization_id, p.id) o where wanted = p.current_major
    ), said as (
      select distinct on (a.user_id) a.*, v.major as on_major, v.minor as on_minor, sync.quiz_length(v.quiz) as asked
      from public.policy_acknowledgements a join public.policy_versions v on v.id = a.version_id
      where a.policy_id = p.id and a.deleted_at is null and v.major = wanted
      order by a.user_id, array_position(array['acknowledged', 'exempt', 'declined', 'void', 'opened'], a.state), a.received_at
    ), places as (
      select s.user_id, jsonb_agg(s.site_id) as ids from public.site_members s
      where s.organization_id = p.organization_id and s.deleted_at is null group by s.user_id
    ), crews as (
      select t.user_id, jsonb_agg(t.team_id) as ids from public.team_members t
      where t.organization_id = p.organization_id and t.deleted_at is null group by t.user_id
    )
    select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
        'user_id', coalesce(o.user_id, s.user_id), 'name', n.display_name, 'role', m.role, 'sites', l.ids, 'teams', c.ids,
        'state', case when s.state is not null and s.state <> 'opened' then s.state
          when o.due_at <= now() then 'overdue' else coalesce(s.state, 'requested') end,
        'owed', o.user_id is not null, 'due_at', o.due_at, 'opened_at', s.opened_at, 'decided_at', s.decided_at, 'received_at', s.received_at,
        'version', case when s.id is not null then s.on_major::text || '.' || s.on_minor::text end,
        'sections_read', s.sections_read, 'sections', s.sections, 'method', s.method, 'signed_name', s.signed_name, 'reason', s.reason,
        'content_hash', s.content_hash, 'quiz_attempts', nullif(s.quiz_attempts, 0), 'quiz_right', s.quiz_right, 'quiz_of', s.asked,
        'quiz_needed', s.quiz_needed, 'quiz_at', s.quiz_at, 'proof', s.proof,
        'witness', case when s.proof is not null then coalesce(w.display_name, '') end)) order by n.display_name, coalesce(o.user_id, s.user_id))
    from owed o full join said s on s.user_id = o.user_id
    left join public.people n on n.id = coalesce(o.user_id, s.user_id)
    left join public.people w on w.id = s.witness_id
    left join public.organization_members m on m.organization_id = p.organization_id and m.user_id = coalesce(o.user_id, s.user_id) and m.deleted_at is null
    left join places l on l.user_id = coalesce(o.user_id, s.user_id)
    left join crews c on c.user_id = coalesce(o.user_id, s.user_id)), '[]'::jsonb));
end $$;

-- As before; of a word at a kiosk on whose device it was said.
create or replace function acknowledgement_certificate(p_policy uuid, p_user uuid, p_major integer default null) returns jsonb
  language plpgsql stable security definer set search_path = '' set timezone = 'UTC' as $$
declare
  p public.policies;
begin
  select * into p from public.policies q where q.id = p_policy and q.deleted_at is null;
  if not found or auth.uid() is null or not sync.may('policy.report', p.organization_id) then
    raise exception 'no such policy' using errcode = '42501';
  end if;
  return (
    select jsonb_build_object('organization', o.name, 'title', v.title, 'version', v.major::text || '.' || v.minor::text,
      'content_hash', a.content_hash, 'signed_name', a.signed_name, 'method', a.method, 'signature', a.signature,
      'code', a.certificate_code, 'standing', sync.certificate_standing(a), 'requested_at', a.requested_at, 'opened_at', a.opened_at,
      'sections_read', a.sections_read, 'sections', a.sections, 'decided_at', a.decided_at, 'received_at', a.received_at,
      'replaced_at', (select min(w.published_at) from public.policy_versions w where w.policy_id = p.id and w.major > v.major),
      'archived_at', p.archived_at, 'quiz', case when a.quiz_attempts > 0 then jsonb_build_object('attempts', a.quiz_attempts,
        'right', coalesce(a.quiz_right, 0), 'of', sync.quiz_length(v.quiz), 'needed', a.quiz_needed, 'at', a.quiz_at) end,
      'kiosk', case when a.proof is not null then jsonb_build_object('proof', a.proof, 'device', a.device,
        'witness', (select w.display_name from public.people w where w.id = a.witness_id)) end)
    from public.policy_acknowledgements a
    join public.policy_versions v on v.id = a.version_id
    join public.organizations o on o.id = a.organization_id
    where a.policy_id = p.id and a.user_id = p_user and v.major = coalesce(p_major, p.current_major)
      and a.certificate_code is not null and a.deleted_at is null
    order by array_position(array['acknowledged', 'void'], a.state), a.received_at limit 1);
end $$;

-- Who said something final of the major in force, and who has a PIN: what a device of the kiosk cannot know by itself.
create function kiosk_standing(p_policy uuid) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  p public.policies;
begin
  select * into p from public.policies q where q.id = p_policy and q.deleted_at is null;
  if not found or auth.uid() is null or not sync.may('policy.witness', p.organization_id) then
    raise exception 'no such policy' using errcode = '42501';
  end if;
  return jsonb_build_object('major', p.current_major,
    'settled', coalesce((select jsonb_agg(distinct a.user_id) from public.policy_acknowledgements a
      join public.policy_versions v on v.id = a.version_id
      where a.policy_id = p.id and v.major = p.current_major and a.state in ('acknowledged', 'exempt', 'declined') and a.deleted_at is null), '[]'),
    'pins', coalesce((select jsonb_agg(k.user_id) from kiosk.pin k where k.organization_id = p.organization_id), '[]'));
end $$;

-- Sets a PIN. Everybody sets their own; at a kiosk a witness lets somebody set their first, or, with p_replace, another.
create function set_kiosk_pin(p_organization uuid, p_user uuid, p_pin text, p_replace boolean default false) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  before kiosk.pin;
begin
  if auth.uid() is null or not sync.is_member(p_organization, p_user)
    or not (p_user = auth.uid() or sync.may('policy.witness', p_organization)) or sync.is_outsider(p_organization) then
    raise exception 'no such person' using errcode = '42501';
  end if;
  if p_pin is null or p_pin !~ '^\d{4,8}$' then raise exception 'a PIN is 4 to 8 digits' using errcode = '23514', hint = 'pin'; end if;
  select * into before from kiosk.pin k where k.organization_id = p_organization and k.user_id = p_user for update;
  if before.user_id is not null and p_user <> auth.uid() and not coalesce(p_replace, false) then
    raise exception 'this person has a PIN' using errcode = '23514', hint = 'has_pin';
  end if;
  insert into kiosk.pin as k (organization_id, user_id, hash, set_by)
    values (p_organization, p_user, extensions.crypt(p_pin, extensions.gen_salt('bf', 11)), auth.uid())
    on conflict (organization_id, user_id) do update
      set hash = excluded.hash, set_by = excluded.set_by, set_at = now(), wrong = 0, locked_until = null;
  perform audit.note(p_organization, case when before.user_id is null then 'kiosk.pin_set' else 'kiosk.pin_replaced' end, 'organization_members',
    p_user, jsonb_build_object('user_id', p_user));
end $$;

-- Looks at a PIN. {"pass": uuid} where it is right; else {"left": attempts} or {"locked_until": time}: five wrong ones close it for a
-- quarter of an hour, each five more for twice as long, a day at most.
create function check_kiosk_pin(p_policy uuid, p_user uuid, p_pin text) returns jsonb
  language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
declare
  most constant integer := 5;
  p public.policies;
  k kiosk.pin;
  pass uuid;
begin
  select * into p from public.policies q where q.id = p_policy and q.deleted_at is null;
  if not found or auth.uid() is null or not sync.may('policy.witness', p.organization_id) or not sync.is_member(p.organization_id, p_user) then
    raise exception 'no such policy' using errcode = '42501';
  end if;
  select * into k from kiosk.pin x where x.organization_id = p.organization_id and x.user_id = p_user for update;
  if not found then raise exception 'this person has no PIN' using errcode = '23514', hint = 'no_pin'; end if;
  if k.locked_until > clock_timestamp() then return jsonb_build_object('locked_until', k.locked_until); end if;
  if k.hash = extensions.crypt(left(coalesce(p_pin, ''), 20), k.hash) then
    update kiosk.pin x set wrong = 0, locked_until = null where x.organization_id = k.organization_id and x.user_id = k.user_id;
    insert into kiosk.pass (policy_id, user_id, witness_id) values (p.id, p_user, auth.uid()) returning id into pass;
    return jsonb_build_object('pass', pass);
  end if;
  -- A wrong one is answered, not raised: raising would take the count back.
  update kiosk.pin x set wrong = x.wrong + 1, locked_until = case when (x.wrong + 1) % most = 0
      then clock_timestamp() + least(interval '15 minutes' * 2 ^ ((x.wrong + 1) / most - 1), interval '1 day') end
    where x.organization_id = k.organization_id and x.user_id = k.user_id returning * into k;
  if k.locked_until is not null then
    perform audit.note(p.organization_id, 'kiosk.pin_locked', 'organization_members', p_user, jsonb_build_object('user_id', p_user));
    return jsonb_build_object('locked_until', k.locked_until);
  end if;
  return jsonb_build_object('left', most - k.wrong % most);
end $$;

revoke execute on function kiosk.take_pass(public.kiosk_words), kiosk.check_word(public.kiosk_words, public.policy_versions),
  kiosk.check_quiz(public.kiosk_words, public.policy_versions),
  kiosk.acknowledge(public.kiosk_words, public.policy_versions, text, integer), kiosk.take_word() from public;
revoke execute on function kiosk_standing(uuid), set_kiosk_pin(uuid, uuid, text, boolean), check_kiosk_pin(uuid, uuid, text)
  from public, anon, authenticated;
grant execute on function kiosk_standing(uuid), set_kiosk_pin(uuid, uuid, text, boolean), check_kiosk_pin(uuid, uuid, text) to authenticated;
