-- The quiz of a policy: a few questions that belong to a version like its words, answered after reading and before signing. Its
-- answers lie on every device that has the version, since people answer without signal; what counts is decided here, from what
-- was answered (docs/decisions/0590-a-quiz-is-part-of-the-version.md).

-- A quiz as it was written, to the byte: [{"id", "type", "text", "choices": [{"id", "text"}], "right": [ids], "explanation", "section"}],
-- 1 to 10 questions. Types are those of forms' questions, and true_false, whose choices are "true" and "false".
-- packages/core/src/policies/quiz.ts reads and writes it.
create function sync.is_quiz(p text) returns boolean
  language plpgsql immutable set search_path = '' as $$
declare
  quiz jsonb;
  q jsonb;
begin
  if char_length(p) > 60000 then return false; end if;
  quiz := p::jsonb;
  if jsonb_typeof(quiz) <> 'array' or jsonb_array_length(quiz) not between 1 and 10 then return false; end if;
  for q in select e from jsonb_array_elements(quiz) e loop
    if jsonb_typeof(q) <> 'object' or (select array_agg(k order by k) from jsonb_object_keys(q) k)
        <> array['choices', 'explanation', 'id', 'right', 'section', 'text', 'type']
      or exists (select from unnest(array['explanation', 'id', 'section', 'text', 'type']) k where jsonb_typeof(q -> k) <> 'string')
      or q ->> 'id' !~ '^[a-z0-9-]{1,40}$' or q ->> 'type' not in ('select_one', 'select_multiple', 'true_false')
      or char_length(q ->> 'text') > 500 or char_length(q ->> 'explanation') > 1000 or char_length(q ->> 'section') > 300
      or jsonb_typeof(q -> 'choices') <> 'array' or jsonb_typeof(q -> 'right') <> 'array' then return false; end if;
    if jsonb_array_length(q -> 'choices') > (case q ->> 'type' when 'true_false' then 0 else 8 end)
      or exists (select from jsonb_array_elements(q -> 'choices') c where jsonb_typeof(c) <> 'object' or (c - 'id' - 'text') <> '{}'
        or coalesce(jsonb_typeof(c -> 'id'), '') <> 'string' or coalesce(jsonb_typeof(c -> 'text'), '') <> 'string'
        or c ->> 'id' !~ '^[a-z0-9-]{1,40}$' or char_length(c ->> 'text') > 300)
      or (select count(*) <> count(distinct c ->> 'id') from jsonb_array_elements(q -> 'choices') c)
      or exists (select from jsonb_array_elements(q -> 'right') r where jsonb_typeof(r) <> 'string'
        or r #>> '{}' not in (select x from unnest(case q ->> 'type' when 'true_false' then array['true', 'false']
          else array(select c ->> 'id' from jsonb_array_elements(q -> 'choices') c) end) x)) then return false; end if;
  end loop;
  return (select count(*) = count(distinct e ->> 'id') from jsonb_array_elements(quiz) e);
exception when data_exception or program_limit_exceeded then return false;
end $$;

-- Whether each of its questions can be asked; while it is written, much of it may be missing. No quiz is whole.
create function sync.is_whole_quiz(p text) returns boolean
  language sql immutable set search_path = '' return p is null or not exists (
    select from jsonb_array_elements(p::jsonb) q
    where btrim(q ->> 'text') = ''
      or q ->> 'type' <> 'true_false' and jsonb_array_length(q -> 'choices') < 2
      or exists (select from jsonb_array_elements(q -> 'choices') c where btrim(c ->> 'text') = '')
      or case q ->> 'type' when 'select_multiple' then jsonb_array_length(q -> 'right') < 1 else jsonb_array_length(q -> 'right') <> 1 end);

create function sync.quiz_length(p text) returns integer
  language sql immutable set search_path = '' return jsonb_array_length(p::jsonb);

-- What somebody chose: {"<question>": ["<choice>", …]}.
create function sync.is_quiz_answers(p jsonb) returns boolean
  language sql immutable set search_path = '' return
  p is null or coalesce(jsonb_typeof(p) = 'object' and pg_column_size(p) <= 8000
    and not exists (select from jsonb_each(case when jsonb_typeof(p) = 'object' then p else '{}' end) a where jsonb_typeof(a.value) <> 'array'), false);

-- How many questions were answered right: with each right choice and no other. Null where nothing was asked or answered.
create function sync.quiz_right(p_quiz text, p_answers jsonb) returns integer
  language sql immutable set search_path = '' return (
    select count(*)::integer from jsonb_array_elements(p_quiz::jsonb) q
    where p_answers is not null
      and (select array_agg(distinct c order by c) from jsonb_array_elements_text(p_answers -> (q ->> 'id')) c)
        = (select array_agg(distinct c order by c) from jsonb_array_elements_text(q -> 'right') c)
    having p_quiz is not null and p_answers is not null);

-- sha-256 (hex) of the title, an empty line and the words; and, where there is a quiz, a zero byte, which no text holds, and the quiz.
create function sync.policy_hash(p_title text, p_body text, p_quiz text) returns text
  language sql immutable parallel safe set search_path = '' return
  encode(sha256(convert_to(p_title || E'\n\n' || p_body, 'UTF8')
    || case when p_quiz is null then ''::bytea else '\x00'::bytea || convert_to(p_quiz, 'UTF8') end), 'hex');

-- Whoever writes a row has it checked.
grant execute on function sync.is_quiz(text), sync.is_quiz_answers(jsonb) to authenticated, service_role;
revoke execute on function sync.is_whole_quiz(text), sync.quiz_length(text), sync.quiz_right(text, jsonb), sync.policy_hash(text, text, text) from public;

alter table policy_versions add column quiz text constraint policy_versions_quiz_is_one check (sync.is_quiz(quiz));
select sync.refresh_table('policy_versions');

alter table acknowledgement_campaigns
  add column quiz_required boolean not null default false,           -- nobody signs a version that has a quiz without passing it
  add column quiz_right integer check (quiz_right between 1 and 10);  -- questions that must be right; null: all
select sync.refresh_table('acknowledgement_campaigns');

alter table policy_acknowledgements
  add column quiz_attempts integer not null default 0 check (quiz_attempts between 0 and 1000000),   -- as the device counted
  add column quiz_answers  jsonb constraint policy_acknowledgements_quiz_answers_are_some check (sync.is_quiz_answers(quiz_answers)),   -- of the last attempt
  add column quiz_at       timestamptz constraint policy_acknowledgements_quiz_at_in_time
    check (quiz_at >= timestamptz '1970-01-01T00:00:00Z' and quiz_at < timestamptz '2200-01-01T00:00:00Z'),   -- device time of the last attempt
  add column quiz_right    integer,   -- how many of them are right, as the server found
  add column quiz_needed   integer;   -- how many had to be when the word arrived; null: none
update sync.tables set server_columns = server_columns || array['quiz_right', 'quiz_needed'],
  groups = groups || '[["quiz_attempts","quiz_answers","quiz_at"]]' where name = 'policy_acknowledgements';
select sync.refresh_table('policy_acknowledgements');

-- As before; the quiz is part of the words: in the hash, frozen with them, and finished before it is sent for approval.
create or replace function sync.guard_policy_version() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  home uuid;
begin
  new.content_hash := sync.policy_hash(new.title, new.body, new.quiz);
  if tg_op = 'INSERT' then
    select p.organization_id into home from public.policies p where p.id = new.policy_id and p.organization_id = new.organization_id
      -- What somebody may not see is to them as if it were not there.
      and (not sync.pushing() or auth.uid() is null or p.scopes && array(select public.my_scopes()));
    if home is null then raise exception 'a version needs its policy' using errcode = '23503'; end if;
    -- A derived id is its own row's, and nobody takes it before them.
    if auth.uid() is not null and substr(new.id::text, 15, 1) = '5' and (
      new.id <> extensions.uuid_generate_v5(coalesce(new.based_on_id, new.policy_id), 'next version')
      or new.based_on_id is not null and not exists (select from public.policy_versions b where b.id = new.based_on_id and b.policy_id = new.policy_id)) then
      raise exception 'this id follows from another record' using errcode = '23514', constraint = 'id_is_derived';
    end if;
    return new;
  end if;
  if new.policy_id <> old.policy_id then raise exception 'a version keeps its policy' using errcode = '42501'; end if;
  if (new.title, new.body, new.quiz, new.changelog, new.change, new.deleted_at, new.source, new.based_on_id)
      is distinct from (old.title, old.body, old.quiz, old.changelog, old.change, old.deleted_at, old.source, old.based_on_id) then
    if old.major is not null then raise exception 'a published version never changes' using errcode = '42501'; end if;
    if sync.is_device_edit() then
      if old.state not in ('draft', 'change_requested') then
        raise exception 'what was sent for approval stays as it is' using errcode = '42501';
      end if;
      if old.editing_by is distinct from auth.uid() and old.editing_by is not null and old.editing_since > now() - sync.pen_lasts() then
        raise exception 'somebody else is writing this' using errcode = '42501';
      end if;
    end if;
  end if;
  -- From here on it is read as it is: what cannot be answered is not let through.
  if old.state in ('draft', 'change_requested') and new.state in ('in_review', 'published') and not sync.is_whole_quiz(new.quiz) then
    raise exception 'a question of the quiz is not finished' using errcode = '23514', hint = 'quiz';
  end if;
  return new;
end $$;

-- Who writes a question is an author too.
drop trigger x_author_update on policy_versions;
create trigger x_author_update after update on policy_versions for each row
  when (auth.uid() is not null and (old.title, old.body, old.quiz, old.changelog) is distinct from (new.title, new.body, new.quiz, new.changelog))
  execute function sync.note_policy_author();

-- How many questions of a version's quiz somebody must have right to sign it: of the campaigns that ask them, the strictest
-- counts. Null where none asks for it. packages/core/src/policies/quiz.ts says the same.
create function sync.quiz_needed(v public.policy_versions, p_user uuid) returns integer
  language sql stable security definer set search_path = '' as $$
  select max(least(coalesce(c.quiz_right, 10), sync.quiz_length(v.quiz)))
  from public.acknowledgement_campaigns c
  where v.quiz is not null and c.policy_id = v.policy_id and c.state = 'active' and c.deleted_at is null and c.quiz_required
    and exists (select from sync.audience_members(v.organization_id, c.audience) m where m.user_id = p_user)
$$;
revoke execute on function sync.quiz_needed(public.policy_versions, uuid) from public;

-- As before; and nobody signs past a quiz that is asked of them. What the device says it had right is not asked: its answers are.
create or replace function sync.guard_acknowledgement() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  v public.policy_versions;
  major_now integer;
  in_force public.policy_versions;
  said constant text[] := array['state', 'content_hash', 'method', 'signed_name', 'signature', 'reason', 'decided_at', 'opened_at',
    'sections_read', 'sections'];
  tried constant text[] := array['quiz_attempts', 'quiz_answers', 'quiz_at'];
  held text[];
begin

  select * into v from public.policy_versions w where w.id = new.version_id;
  -- What somebody may not see is to them as if it were not there.
  if v.major is null or sync.pushing() and auth.uid() is not null and not v.scopes && array(select public.my_scopes()) then
    raise exception 'only what was published is acknowledged' using errcode = '23503';
  end if;
  new.organization_id := v.organization_id;
  new.policy_id := v.policy_id;
  if not sync.is_device_edit() then return new; end if;
  -- A derived id is its own row's, and nobody takes it before them.
  if new.id <> extensions.uuid_generate_v5(new.version_id, 'acknowledgement/' || new.user_id::text) then
    raise exception 'this id follows from another record' using errcode = '23514', constraint = 'id_is_derived';
  end if;
  if tg_op = 'UPDATE' then
    if (new.version_id, new.user_id) is distinct from (old.version_id, old.user_id) or new.deleted_at is not null then
      raise exception 'an acknowledgement keeps its version and its person' using errcode = '42501';
    end if;
    -- Who declined may acknowledge after all; what they said then stays.
    held := case when old.state in ('acknowledged', 'exempt', 'void') then said || tried
      when (old.state, new.state) = ('declined', 'declined') then said else '{}' end;
    if exists (select from unnest(held) f where to_jsonb(new) -> f is distinct from to_jsonb(old) -> f) then
      raise exception 'what was signed stays as it was signed' using errcode = '42501';
    end if;
    if old.state <> 'opened' then new.opened_at := old.opened_at; end if;
  end if;
  new.opened_at := sync.believable(new.opened_at, v.published_at);
  new.decided_at := sync.believable(new.decided_at, v.published_at);
  new.quiz_at := sync.believable(new.quiz_at, v.published_at);
  new.quiz_right := sync.quiz_right(v.quiz, new.quiz_answers);
  if new.quiz_answers is not null then new.quiz_attempts := greatest(new.quiz_attempts, 1); end if;
  -- Two devices count apart; none of them takes an attempt back.
  if tg_op = 'UPDATE' then new.quiz_attempts := greatest(new.quiz_attempts, old.quiz_attempts); end if;
  if tg_op = 'UPDATE' then
    if new.state is not distinct from old.state then return new; end if;
  end if;
  if new.state not in ('opened', 'acknowledged', 'declined') then
    raise exception 'nobody exempts themselves' using errcode = '42501';
  end if;
  if new.state = 'opened' then
    if tg_op = 'UPDATE' then raise exception 'a word is not taken back' using errcode = '42501'; end if;
    return new;
  end if;
  if new.content_hash is distinct from v.content_hash then
    raise exception 'what was on the screen is not this version' using errcode = '23514';
  end if;
  if new.decided_at is null or new.state = 'acknowledged' and (new.method is null or btrim(coalesce(new.signed_name, '')) = ''
      or new.method = 'drawn' and new.signature is null) then
    raise exception 'an acknowledgement is signed' using errcode = '23514';
  end if;
  if new.state = 'declined' and btrim(coalesce(new.reason, '')) = '' then
    raise exception 'who declines says why' using errcode = '23514';
  end if;
  select p.current_major into major_now from public.policies p where p.id = v.policy_id for share;
  select w.* into in_force from public.policies p join public.policy_versions w on w.id = p.current_version_id where p.id = v.policy_id;
  new.received_at := clock_timestamp();
  if v.major < major_now then
    new.state := 'void';
  elsif new.state = 'acknowledged' then
    new.quiz_needed := sync.quiz_needed(v, new.user_id);
    -- Nor is there a way past it over an earlier version that counts as well and asked less.
    if new.quiz_needed > coalesce(new.quiz_right, 0)
      or in_force.quiz is distinct from v.quiz and sync.quiz_needed(in_force, new.user_id) is not null then
      raise exception 'the quiz is not passed: % right, % needed', coalesce(new.quiz_right, 0),
        coalesce(sync.quiz_needed(in_force, new.user_id), new.quiz_needed) using errcode = '23Q01', constraint = 'quiz_passed';
    end if;
  end if;
  return new;
end $$;

-- As before; with the quiz of each.
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
        'quiz_needed', s.quiz_needed, 'quiz_at', s.quiz_at)) order by n.display_name, coalesce(o.user_id, s.user_id))
    from owed o full join said s on s.user_id = o.user_id
    left join public.people n on n.id = coalesce(o.user_id, s.user_id)
    left join public.organization_members m on m.organization_id = p.organization_id and m.user_id = coalesce(o.user_id, s.user_id) and m.deleted_at is null
    left join places l on l.user_id = coalesce(o.user_id, s.user_id)
    left join crews c on c.user_id = coalesce(o.user_id, s.user_id)), '[]'::jsonb));
end $$;

-- As before; with the quiz, where it was answered.
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
        'right', coalesce(a.quiz_right, 0), 'of', sync.quiz_length(v.quiz), 'needed', a.quiz_needed, 'at', a.quiz_at) end)
    from public.policy_acknowledgements a
    join public.policy_versions v on v.id = a.version_id
    join public.organizations o on o.id = a.organization_id
    where a.policy_id = p.id and a.user_id = p_user and v.major = coalesce(p_major, p.current_major)
      and a.certificate_code is not null and a.deleted_at is null
    order by array_position(array['acknowledged', 'void'], a.state), a.received_at limit 1);
end $$;

-- As before; and what is asked of the quiz.
create or replace function audit.note_campaign() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform audit.note(new.organization_id, 'campaign.started', 'policies', new.policy_id,
      jsonb_build_object('campaign_id', new.id, 'audience', new.audience ->> 'kind', 'due_days', new.due_days,
        'quiz_required', new.quiz_required, 'quiz_right', new.quiz_right));
    return null;
  end if;
  if old.deleted_at is null and new.deleted_at is not null then
    perform audit.note(new.organization_id, 'campaign.removed', 'policies', new.policy_id, jsonb_build_object('campaign_id', new.id));
  end if;
  if new.due_days is distinct from old.due_days then
    perform audit.note(new.organization_id, 'campaign.changed', 'policies', new.policy_id,
      jsonb_build_object('campaign_id', new.id, 'from', old.due_days, 'to', new.due_days));
  end if;
  if (new.quiz_required, new.quiz_right) is distinct from (old.quiz_required, old.quiz_right) then
    perform audit.note(new.organization_id, 'campaign.quiz_changed', 'policies', new.policy_id, jsonb_build_object('campaign_id', new.id,
      'quiz_required', new.quiz_required, 'quiz_right', new.quiz_right,
      'from', jsonb_build_object('quiz_required', old.quiz_required, 'quiz_right', old.quiz_right)));
  end if;
  if new.state <> old.state then
    perform audit.note(new.organization_id, case new.state when 'ended' then 'campaign.ended' else 'campaign.started' end, 'policies', new.policy_id,
      jsonb_build_object('campaign_id', new.id));
  end if;
  return null;
end $$;

-- As before; the quiz goes on with the next version.
create or replace function marketplace.write_policy(p_policy uuid, p_body text, p_seen text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  p public.policies;
  v public.policy_versions;
begin
  select * into p from public.policies q where q.id = p_policy and q.deleted_at is null for update;
  if not found or p.state = 'archived' then raise exception 'this policy is not there to be changed' using errcode = '23514', hint = 'gone'; end if;
  select * into v from public.policy_versions w where w.policy_id = p.id and w.major is null and w.deleted_at is null for update;
  if found and v.state not in ('draft', 'change_requested') then raise exception 'what was sent for approval stays as it is' using errcode = '23514', hint = 'state'; end if;
  if found and v.editing_by <> auth.uid() and v.editing_since > now() - sync.pen_lasts() then
    raise exception 'somebody else is writing this' using errcode = '23514', hint = 'pen';
  end if;
  if v.id is null then select * into v from public.policy_versions w where w.id = p.current_version_id; end if;
  if v.content_hash is distinct from p_seen then raise exception 'somebody changed this since' using errcode = '23514', hint = 'changed'; end if;
  if v.major is null then
    update public.policy_versions set body = p_body where id = v.id;
  else
    insert into public.policy_versions (id, organization_id, policy_id, change, title, body, quiz, based_on_id, source)
      values (extensions.uuid_generate_v5(v.id, 'next version'), p.organization_id, p.id, 'minor', v.title, p_body, v.quiz, v.id, 'pack');
  end if;
end $$;
