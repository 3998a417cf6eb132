-- Made by tools/gen-functions.ts from supabase/migrations: the functions of schema policy as they are now. Do not edit: npm run gen.

CREATE OR REPLACE FUNCTION policy.audience_members(p_organization uuid, p_audience jsonb)
 RETURNS SETOF organization_members
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with named as materialized (select e as id from jsonb_array_elements_text(
    case jsonb_typeof(p_audience -> 'ids') when 'array' then p_audience -> 'ids' else '[]' end) e)
  select m.* from public.organization_members m
  where m.organization_id = p_organization and m.deleted_at is null and (m.valid_until is null or m.valid_until > now())
    and case p_audience ->> 'kind'
      when 'all' then true
      when 'roles' then m.role in (select n.id from named n)
      when 'people' then m.user_id::text in (select n.id from named n)
      when 'sites' then m.user_id in (select s.user_id from public.site_members s
        where s.organization_id = p_organization and s.deleted_at is null and s.site_id::text in (select n.id from named n))
      when 'teams' then m.user_id in (select t.user_id from public.team_members t
        where t.organization_id = p_organization and t.deleted_at is null and t.team_id::text in (select n.id from named n))
      else false end
$function$;

CREATE OR REPLACE FUNCTION policy.authors_apart_from(p_table text, p_subject uuid, p_caller uuid)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select p from policy.authors_of(p_table, p_subject) p where p_table <> 'action_items' or p = p_caller
    or access.was_assigned_apart_from(p_table, p_subject, p, p_caller)
    or p = (select a.done_by from public.action_items a where a.id = p_subject)
$function$;

CREATE OR REPLACE FUNCTION policy.authors_of(p_table text, p_subject uuid)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select a.user_id from sync.policy_author a where p_table = 'policy_versions' and a.version_id = p_subject
  union all
  select e.actor_id from workflow.run x join workflow.event e on e.id = x.event_id
    where p_table = 'workflow_runs' and x.id = p_subject and e.actor_id is not null
  union all
  select p from public.action_items a cross join lateral unnest(array[a.assignee_id, a.done_by]) p
    where p_table = 'action_items' and a.id = p_subject and p is not null
  union all
  select h.person from sync.past_assignee h where p_table = 'action_items' and h.tbl = p_table and h.id = p_subject
$function$;

CREATE OR REPLACE FUNCTION policy.bound_campaigns()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'UPDATE' and old.state = 'active' and old.deleted_at is null then return new; end if;   -- what asks already is no more of it
  if auth.uid() is null or access.is_outsider(new.organization_id) then return new; end if;   -- the policy refuses, and says nothing of others
  if (select count(*) from public.acknowledgement_campaigns c where c.organization_id = new.organization_id and c.policy_id = new.policy_id
      and c.id <> new.id and c.state = 'active' and c.deleted_at is null) >= 50 then
    raise exception 'a policy asks by at most 50 campaigns' using errcode = '23514', hint = 'many', detail = 'CN334';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION policy.certificate_status(a policy_acknowledgements)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select case when a.state = 'void' then 'void' when v.major < p.current_major then 'superseded'
    when p.state = 'archived' then 'archived' else 'in_force' end
  from public.policy_versions v join public.policies p on p.id = v.policy_id where v.id = a.version_id
$function$;

CREATE OR REPLACE FUNCTION policy.certify_acknowledgement()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'UPDATE' and old.certificate_code is not null then
    new.certificate_code := old.certificate_code;
    new.requested_at := old.requested_at;
    return new;
  end if;
  new.certificate_code := null;
  new.requested_at := null;
  if new.state in ('acknowledged', 'void') and new.method is not null and new.received_at is not null
    and exists (select from public.organizations o where o.id = new.organization_id and o.kind = 'company') then
    new.certificate_code := policy.new_certificate_code();
    new.requested_at := policy.requested_since(new.organization_id, new.policy_id,
      (select v.major from public.policy_versions v where v.id = new.version_id), new.user_id);
    -- Who signed first was not asked then.
    if new.requested_at > new.received_at then new.requested_at := null; end if;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION policy.clean_signed_name()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if new.signed_name is null then return new; end if;
  -- What is longer than a name may be is refused by the table, not cut.
  new.signed_name := content.one_line(new.signed_name, 1000);
  if new.signed_name = '' then raise exception 'this is no name' using errcode = '23514', constraint = 'signed_name_is_one', detail = 'CN333'; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION policy.edit_lock_duration()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
RETURN '00:10:00'::interval;

CREATE OR REPLACE FUNCTION policy.guard_acknowledgement()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v public.policy_versions;
  major_now integer;
  in_force public.policy_versions;
  decision_fields constant text[] := array['state', 'content_hash', 'method', 'signed_name', 'signature', 'reason', 'decided_at', 'opened_at',
    'sections_read', 'sections'];
  tried constant text[] := array['quiz_attempts', 'quiz_answers', 'quiz_at'];
  held text[];
begin

  select * into v from public.policy_versions w where w.id = new.version_id;
  -- What somebody may not see is to them as if it were not there.
  if v.major is null or sync.pushing() and auth.uid() is not null and not v.scopes && array(select public.my_scopes()) then
    raise exception 'only what was published is acknowledged' using errcode = '23503', detail = 'CN326';
  end if;
  new.organization_id := v.organization_id;
  new.policy_id := v.policy_id;
  if not sync.is_device_edit() then return new; end if;
  -- A derived id is its own row's, and nobody takes it before them.
  if new.id <> extensions.uuid_generate_v5(new.version_id, 'acknowledgement/' || new.user_id::text) then
    raise exception 'this id follows from another record' using errcode = '23514', constraint = 'id_is_derived', detail = 'CN230';
  end if;
  if tg_op = 'UPDATE' then
    if (new.version_id, new.user_id) is distinct from (old.version_id, old.user_id) or new.deleted_at is not null then
      raise exception 'an acknowledgement keeps its version and its person' using errcode = '42501', detail = 'CN327';
    end if;
    -- Who declined may acknowledge after all; what they said then stays.
    held := case when old.state in ('acknowledged', 'exempt', 'void') then decision_fields || tried
      when (old.state, new.state) = ('declined', 'declined') then decision_fields else '{}' end;
    if exists (select from unnest(held) f where to_jsonb(new) -> f is distinct from to_jsonb(old) -> f) then
      raise exception 'what was signed stays as it was signed' using errcode = '42501', detail = 'CN328';
    end if;
    if old.state <> 'opened' then new.opened_at := old.opened_at; end if;
  end if;
  new.opened_at := sync.clamp_device_time(new.opened_at, v.published_at);
  new.decided_at := sync.clamp_device_time(new.decided_at, v.published_at);
  new.quiz_at := sync.clamp_device_time(new.quiz_at, v.published_at);
  new.quiz_right := policy.quiz_right(v.quiz, new.quiz_answers);
  if new.quiz_answers is not null then new.quiz_attempts := greatest(new.quiz_attempts, 1); end if;
  -- Two devices count apart; none of them takes an attempt back.
  if tg_op = 'UPDATE' then new.quiz_attempts := greatest(new.quiz_attempts, old.quiz_attempts); end if;
  if tg_op = 'UPDATE' then
    if new.state is not distinct from old.state then return new; end if;
  end if;
  if new.state not in ('opened', 'acknowledged', 'declined') then
    raise exception 'nobody exempts themselves' using errcode = '42501', detail = 'CN329';
  end if;
  if new.state = 'opened' then
    if tg_op = 'UPDATE' then raise exception 'a word is not taken back' using errcode = '42501', detail = 'CN330'; end if;
    return new;
  end if;
  if new.content_hash is distinct from v.content_hash then
    raise exception 'what was on the screen is not this version' using errcode = '23514', detail = 'CN150';
  end if;
  if new.decided_at is null or new.state = 'acknowledged' and (new.method is null or btrim(coalesce(new.signed_name, '')) = ''
      or new.method = 'drawn' and new.signature is null) then
    raise exception 'an acknowledgement is signed' using errcode = '23514', detail = 'CN151';
  end if;
  if new.state = 'declined' and btrim(coalesce(new.reason, '')) = '' then
    raise exception 'who declines says why' using errcode = '23514', detail = 'CN152';
  end if;
  select p.current_major into major_now from public.policies p where p.id = v.policy_id for share;
  select w.* into in_force from public.policies p join public.policy_versions w on w.id = p.current_version_id where p.id = v.policy_id;
  new.received_at := clock_timestamp();
  if v.major < major_now then
    new.state := 'void';
  elsif new.state = 'acknowledged' then
    new.quiz_needed := policy.quiz_needed(v, new.user_id);
    -- Nor is there a way past it over an earlier version that counts as well and asked less.
    if new.quiz_needed > coalesce(new.quiz_right, 0)
      or in_force.quiz is distinct from v.quiz and policy.quiz_needed(in_force, new.user_id) is not null then
      raise exception 'the quiz is not passed: % right, % needed', coalesce(new.quiz_right, 0),
        coalesce(policy.quiz_needed(in_force, new.user_id), new.quiz_needed) using errcode = '23Q01', constraint = 'quiz_passed', detail = 'CN154';
    end if;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION policy.guard_campaign()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'INSERT' then
    if auth.uid() is not null then new.starts_at := now(); end if;
  elsif (new.policy_id, new.audience) is distinct from (old.policy_id, old.audience) then
    raise exception 'who was asked stays who was asked' using errcode = '42501', detail = 'CN325';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION policy.guard_policy()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if access.is_outsider(new.organization_id) then return new; end if;   -- the policy refuses, and says nothing of who is who
  if new.owner_id is not null and (tg_op = 'INSERT' or new.owner_id is distinct from old.owner_id) and auth.uid() is not null
    and not access.is_member(new.organization_id, new.owner_id) then
    raise exception 'only a member of the organisation can be named on its records' using errcode = '42501', detail = 'CN083';
  end if;
  if tg_op = 'INSERT' or not sync.is_device_edit() then return new; end if;
  -- Its title is that of the version in force; while there is none, what is being written.
  if old.state <> 'draft' then new.title := old.title; end if;
  if new.deleted_at is distinct from old.deleted_at and old.current_version_id is not null then
    raise exception 'a published policy is archived, not removed' using errcode = '42501', detail = 'CN317';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION policy.guard_policy_variable()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'UPDATE' then
    if new.key <> old.key then raise exception 'a variable keeps its name' using errcode = '42501', detail = 'CN331'; end if;
  end if;
  if new.value ~ '[[:cntrl:]{}<>]' or marketplace.markup_in(new.value, true) then
    raise exception 'this cannot stand in a text' using errcode = '23514', constraint = 'policy_variables_value_is_plain', detail = 'CN332';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION policy.guard_policy_version()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  owning_organization uuid;
begin
  new.content_hash := policy.policy_hash(new.title, new.body, new.quiz, new.file);
  if tg_op = 'INSERT' then
    select p.organization_id into owning_organization from public.policies p where p.id = new.policy_id and p.organization_id = new.organization_id
      -- What somebody may not see is to them as if it were not there.
      and (not sync.pushing() or auth.uid() is null or p.scopes && array(select public.my_scopes()));
    if owning_organization is null then raise exception 'a version needs its policy' using errcode = '23503', detail = 'CN318'; end if;
    -- A derived id is its own row's, and nobody takes it before them.
    if auth.uid() is not null and substr(new.id::text, 15, 1) = '5' and (
      new.id <> extensions.uuid_generate_v5(coalesce(new.based_on_id, new.policy_id), 'next version')
      or new.based_on_id is not null and not exists (select from public.policy_versions b where b.id = new.based_on_id and b.policy_id = new.policy_id)) then
      raise exception 'this id follows from another record' using errcode = '23514', constraint = 'id_is_derived', detail = 'CN230';
    end if;
    return new;
  end if;
  if new.policy_id <> old.policy_id then raise exception 'a version keeps its policy' using errcode = '42501', detail = 'CN319'; end if;
  if (new.title, new.body, new.quiz, new.file, new.template, new.changelog, new.change, new.deleted_at, new.source, new.based_on_id)
      is distinct from (old.title, old.body, old.quiz, old.file, old.template, old.changelog, old.change, old.deleted_at, old.source, old.based_on_id) then
    if old.major is not null then raise exception 'a published version never changes' using errcode = '42501', detail = 'CN320'; end if;
    if sync.is_device_edit() then
      if old.state not in ('draft', 'change_requested') then
        raise exception 'what was sent for approval stays as it is' using errcode = '42501', detail = 'CN321';
      end if;
      if old.editing_by is distinct from auth.uid() and old.editing_by is not null and old.editing_since > now() - policy.edit_lock_duration() then
        raise exception 'somebody else is writing this' using errcode = '42501', detail = 'CN322';
      end if;
    end if;
  end if;
  -- From here on it is read as it is: what cannot be answered or opened is not let through.
  if new.state is distinct from old.state and new.state in ('in_review', 'published') and old.major is null then
    if old.state in ('draft', 'change_requested') and not policy.is_complete_quiz(new.quiz) then
      raise exception 'a question of the quiz is not finished' using errcode = '23514', hint = 'quiz', detail = 'CN323';
    end if;
    if not policy.is_policy_file_here(new) then
      raise exception 'the file is not here, or is not what it says' using errcode = '23514', hint = 'file', detail = 'CN324';
    end if;
  end if;
  if new.state is distinct from old.state then new := policy.with_values(new, old.state); end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION policy.is_audience(p jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN COALESCE(((jsonb_typeof(p) = 'object'::text) AND (((p ->> 'kind'::text) = 'all'::text) OR (((p ->> 'kind'::text) = ANY (ARRAY['roles'::text, 'sites'::text, 'teams'::text, 'people'::text])) AND (jsonb_typeof((p -> 'ids'::text)) = 'array'::text) AND ((jsonb_array_length((p -> 'ids'::text)) >= 1) AND (jsonb_array_length((p -> 'ids'::text)) <= 500)) AND (NOT (EXISTS (SELECT FROM jsonb_array_elements((is_audience.p -> 'ids'::text)) e(value) WHERE ((jsonb_typeof(e.value) <> 'string'::text) OR (((is_audience.p ->> 'kind'::text) = 'roles'::text) AND ((e.value #>> '{}'::text[]) <> ALL (ARRAY['admin'::text, 'manager'::text, 'member'::text, 'auditor'::text]))) OR (((is_audience.p ->> 'kind'::text) <> 'roles'::text) AND ((e.value #>> '{}'::text[]) !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'::text))))))))), false);

CREATE OR REPLACE FUNCTION policy.is_complete_quiz(p text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN ((p IS NULL) OR (NOT (EXISTS (SELECT FROM jsonb_array_elements((is_complete_quiz.p)::jsonb) q(value) WHERE ((btrim((q.value ->> 'text'::text)) = ''::text) OR (((q.value ->> 'type'::text) <> 'true_false'::text) AND (jsonb_array_length((q.value -> 'choices'::text)) < 2)) OR (EXISTS (SELECT FROM jsonb_array_elements((q.value -> 'choices'::text)) c(value) WHERE (btrim((c.value ->> 'text'::text)) = ''::text))) OR CASE (q.value ->> 'type'::text) WHEN 'select_multiple'::text THEN (jsonb_array_length((q.value -> 'right'::text)) < 1) ELSE (jsonb_array_length((q.value -> 'right'::text)) <> 1) END)))));

CREATE OR REPLACE FUNCTION policy.is_policy_file(p jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN ((p IS NULL) OR COALESCE(((jsonb_typeof(p) = 'object'::text) AND ((SELECT array_agg(k.k ORDER BY k.k) AS array_agg FROM jsonb_object_keys(CASE WHEN (jsonb_typeof(is_policy_file.p) = 'object'::text) THEN is_policy_file.p ELSE '{}'::jsonb END) k(k)) = ARRAY['bytes'::text, 'id'::text, 'mime'::text, 'name'::text, 'pages'::text, 'sha256'::text]) AND (jsonb_typeof((p -> 'id'::text)) = 'string'::text) AND ((p ->> 'id'::text) ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'::text) AND (jsonb_typeof((p -> 'sha256'::text)) = 'string'::text) AND ((p ->> 'sha256'::text) ~ '^[0-9a-f]{64}$'::text) AND (jsonb_typeof((p -> 'mime'::text)) = 'string'::text) AND ((p ->> 'mime'::text) = ANY (ARRAY['application/pdf'::text, 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'::text])) AND (jsonb_typeof((p -> 'name'::text)) = 'string'::text) AND ((p ->> 'name'::text) <> ''::text) AND (char_length((p ->> 'name'::text)) <= 200) AND ((p ->> 'name'::text) !~ '[/\\[:cntrl:]]'::text) AND (jsonb_typeof((p -> 'bytes'::text)) = 'number'::text) AND ((p ->> 'bytes'::text) ~ '^[1-9][0-9]{0,7}$'::text) AND (((p ->> 'bytes'::text))::bigint <= 26214400) AND ((jsonb_typeof((p -> 'pages'::text)) = 'null'::text) OR ((jsonb_typeof((p -> 'pages'::text)) = 'number'::text) AND ((p ->> 'pages'::text) ~ '^[1-9][0-9]{0,3}$'::text)))), false));

CREATE OR REPLACE FUNCTION policy.is_policy_file_here(v policy_versions)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN (((v).file IS NULL) OR (EXISTS (SELECT FROM media m WHERE ((m.id = (((is_policy_file_here.v).file ->> 'id'::text))::uuid) AND (m.organization_id = (is_policy_file_here.v).organization_id) AND (m.deleted_at IS NULL) AND (m.state = 'complete'::text) AND (m.sha256 = ((is_policy_file_here.v).file ->> 'sha256'::text)) AND (m.bytes = (((is_policy_file_here.v).file ->> 'bytes'::text))::bigint) AND (m.mime = ((is_policy_file_here.v).file ->> 'mime'::text)) AND ((m.audience = 'policy.approve'::text) OR (EXISTS (SELECT FROM policy_versions w WHERE ((w.policy_id = (is_policy_file_here.v).policy_id) AND (w.major IS NOT NULL) AND ((w.file ->> 'id'::text) = ((is_policy_file_here.v).file ->> 'id'::text))))))))));

CREATE OR REPLACE FUNCTION policy.is_quiz(p text)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION policy.is_quiz_answers(p jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN ((p IS NULL) OR COALESCE(((jsonb_typeof(p) = 'object'::text) AND (pg_column_size(p) <= 8000) AND (NOT (EXISTS (SELECT FROM jsonb_each(CASE WHEN (jsonb_typeof(is_quiz_answers.p) = 'object'::text) THEN is_quiz_answers.p ELSE '{}'::jsonb END) a(key, value) WHERE (jsonb_typeof(a.value) <> 'array'::text))))), false));

CREATE OR REPLACE FUNCTION policy.move_version(p_version uuid, p_to text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  present text;
begin
  select v.state into present from public.policy_versions v where v.id = p_version for update;
  if not policy.version_may_become(present, p_to) then
    raise exception 'a version that is % cannot become %', present, p_to using errcode = '23514', hint = 'state', detail = 'CN135';
  end if;
  update public.policy_versions set state = p_to,
    approved_at = case when p_to = 'approved' then clock_timestamp() when p_to = 'draft' then null else approved_at end,
    superseded_at = case when p_to = 'superseded' then clock_timestamp() else superseded_at end,
    editing_by = null, editing_since = null
    where id = p_version;
end $function$;

CREATE OR REPLACE FUNCTION policy.new_certificate_code()
 RETURNS text
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + get_byte(r.b, p.at) % 32, 1), '')
  from (select uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) as b) r,
    unnest(array[0, 1, 2, 3, 4, 5, 7, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 23, 25, 26, 27, 28, 29, 30, 31]) as p (at)
$function$;

CREATE OR REPLACE FUNCTION policy.note_policy_author()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into sync.policy_author (version_id, user_id) values (new.id, auth.uid()) on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION policy.open_policy_file()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.media set audience = null where id = (new.file ->> 'id')::uuid and organization_id = new.organization_id and audience = 'policy.approve';
  return null;
end $function$;

CREATE OR REPLACE FUNCTION policy.owed_acknowledgements(p_organization uuid, p_policy uuid DEFAULT NULL::uuid)
 RETURNS TABLE(policy_id uuid, major integer, user_id uuid, owed_since timestamp with time zone, due_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select distinct on (p.id, m.user_id) p.id, p.current_major, m.user_id,
    greatest(c.starts_at, p.major_since, m.joined_at),
    greatest(c.starts_at, p.major_since, m.joined_at) + make_interval(days => c.due_days)
  from public.policies p
  join public.acknowledgement_campaigns c on c.policy_id = p.id and c.state = 'active' and c.deleted_at is null
  cross join lateral policy.audience_members(p.organization_id, c.audience) m
  where p.organization_id = p_organization and (p_policy is null or p.id = p_policy) and p.state = 'published' and p.deleted_at is null
  order by p.id, m.user_id, greatest(c.starts_at, p.major_since, m.joined_at) + make_interval(days => c.due_days) nulls last
$function$;

CREATE OR REPLACE FUNCTION policy.pin_signer()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  new.account_name := case when new.user_id is null or account.has_ended(new.user_id) then null when tg_op = 'UPDATE' and old.account_name is not null then old.account_name
    when new.method is not null and new.received_at is not null and (tg_op = 'INSERT' or old.received_at is distinct from new.received_at)
      then space.account_name(new.user_id) end;
  new.witness_name := case when new.witness_id is null or account.has_ended(new.witness_id) then null when tg_op = 'UPDATE' and old.witness_name is not null then old.witness_name
    when new.method is not null and (tg_op = 'INSERT' or old.witness_id is distinct from new.witness_id)
      then space.account_name(new.witness_id) end;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION policy.policy_approval_ended(r approval_requests)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform policy.move_version(r.subject_id, case r.state when 'approved' then 'approved' when 'change_requested' then 'change_requested' else 'draft' end);
end $function$;

CREATE OR REPLACE FUNCTION policy.policy_hash(p_title text, p_body text, p_quiz text, p_file jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
RETURN encode(sha256(((convert_to(((p_title || '

'::text) || p_body), 'UTF8'::name) || CASE WHEN (p_quiz IS NULL) THEN '\x'::bytea ELSE ('\x00'::bytea || convert_to(p_quiz, 'UTF8'::name)) END) || CASE WHEN (p_file IS NULL) THEN '\x'::bytea ELSE ('\x0000'::bytea || convert_to((p_file ->> 'sha256'::text), 'UTF8'::name)) END)), 'hex'::text);

CREATE OR REPLACE FUNCTION policy.policy_values(p_organization uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce((select jsonb_build_object('organisation', o.name) from public.organizations o
      where o.id = p_organization and btrim(o.name) <> '' and char_length(o.name) <= 200 and o.name !~ '[[:cntrl:]{}<>]' and not marketplace.markup_in(o.name, true)), '{}')
    || coalesce((select jsonb_object_agg(v.key, btrim(v.value)) from public.policy_variables v
      where v.organization_id = p_organization and v.deleted_at is null and btrim(v.value) <> ''), '{}')
$function$;

CREATE OR REPLACE FUNCTION policy.quiz_length(p text)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN jsonb_array_length((p)::jsonb);

CREATE OR REPLACE FUNCTION policy.quiz_needed(v policy_versions, p_user uuid)
 RETURNS integer
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select max(least(coalesce(c.quiz_right, 10), policy.quiz_length(v.quiz)))
  from public.acknowledgement_campaigns c
  where v.quiz is not null and c.policy_id = v.policy_id and c.state = 'active' and c.deleted_at is null and c.quiz_required
    and exists (select from policy.audience_members(v.organization_id, c.audience) m where m.user_id = p_user)
$function$;

CREATE OR REPLACE FUNCTION policy.quiz_right(p_quiz text, p_answers jsonb)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN (SELECT (count(*))::integer AS count FROM jsonb_array_elements((quiz_right.p_quiz)::jsonb) q(value) WHERE ((quiz_right.p_answers IS NOT NULL) AND ((SELECT array_agg(DISTINCT c.value ORDER BY c.value) AS array_agg FROM jsonb_array_elements_text((quiz_right.p_answers -> (q.value ->> 'id'::text))) c(value)) = (SELECT array_agg(DISTINCT c.value ORDER BY c.value) AS array_agg FROM jsonb_array_elements_text((q.value -> 'right'::text)) c(value)))) HAVING ((quiz_right.p_quiz IS NOT NULL) AND (quiz_right.p_answers IS NOT NULL)));

CREATE OR REPLACE FUNCTION policy.remove_policy_drafts()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.approval_requests r set state = 'withdrawn', decided_at = clock_timestamp()
    where r.state = 'pending' and r.subject_table = 'policy_versions'
      and r.subject_id in (select v.id from public.policy_versions v where v.policy_id = new.id);
  update public.policy_versions set deleted_at = new.deleted_at where policy_id = new.id and deleted_at is null;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION policy.requested_since(p_organization uuid, p_policy uuid, p_major integer, p_user uuid)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select min(greatest(c.starts_at, m.joined_at,
    (select min(w.published_at) from public.policy_versions w where w.policy_id = p_policy and w.major = p_major)))
  from public.acknowledgement_campaigns c
  cross join lateral policy.audience_members(p_organization, c.audience) m
  where c.policy_id = p_policy and c.state = 'active' and c.deleted_at is null and m.user_id = p_user
$function$;

CREATE OR REPLACE FUNCTION policy.save_refusal()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if new.state = 'declined' then
    new.declined_reason := new.reason;
    new.declined_at := new.decided_at;
  else
    new.declined_reason := case when tg_op = 'UPDATE' then old.declined_reason end;
    new.declined_at := case when tg_op = 'UPDATE' then old.declined_at end;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION policy.sweep_acknowledgements(p_now timestamp with time zone DEFAULT now(), p_limit integer DEFAULT 500)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  p record;
  o record;
  here integer;
  told integer := 0;
  seen text[] := '{}';
  is_short boolean := false;
  ends timestamptz;
begin
  for p in
    select q.id, q.organization_id, q.title, k.key, row_number() over (partition by q.organization_id order by x.swept_at nulls first, q.id) as turn
    from public.policies q
    cross join lateral (select 'turn/policy/' || q.id::text as key) k
    left join inbox.sweep_mark x on x.key = k.key
    where q.state = 'published' and q.deleted_at is null
      and exists (select from public.acknowledgement_campaigns c where c.policy_id = q.id and c.state = 'active' and c.deleted_at is null)
    order by turn, x.swept_at nulls first, q.id
  loop
    ends := coalesce(ends, inbox.sweep_deadline());
    is_short := told >= p_limit or p.turn > 1 and clock_timestamp() > ends;
    exit when is_short;
    seen := seen || p.key;
    here := 0;
    for o in
      select w.policy_id, w.user_id, w.due_at, t.type, k.key
      from policy.owed_acknowledgements(p.organization_id, p.id) w
      cross join lateral (select case when w.due_at <= p_now then 'policy.overdue'
        when w.due_at <= p_now + interval '3 days' and w.owed_since < w.due_at - interval '3 days' then 'policy.due_soon' else 'policy.requested' end as type) t
      cross join lateral (select 'policy/' || w.policy_id::text || '/' || w.major::text || '/' || t.type || coalesce('/' || extract(epoch from w.due_at)::text, '') as key) k
      where case t.type when 'policy.overdue' then w.due_at > p_now - interval '7 days'
          when 'policy.due_soon' then true else w.owed_since > p_now - interval '7 days' end
        and not exists (select from inbox.sweep_mark x where x.key = k.key || ' ' || w.user_id::text)
        and not exists (select from public.policy_acknowledgements a join public.policy_versions v on v.id = a.version_id
          where a.policy_id = p.id and a.user_id = w.user_id and v.major = w.major and a.deleted_at is null and a.state in ('acknowledged', 'declined', 'exempt'))
      order by w.due_at nulls last, w.user_id limit p_limit - told
    loop
      exit when here > 0 and clock_timestamp() > ends;
      perform inbox.note_swept(o.key, o.user_id);
      if o.type <> 'policy.requested' then perform inbox.mark_resolved_read(o.policy_id, array['policy.requested', 'policy.due_soon'], o.user_id); end if;
      perform inbox.notify(o.user_id, o.type, o.key, '/policies/' || o.policy_id::text, jsonb_build_object('title', p.title, 'due', o.due_at),
        o.policy_id, p.organization_id);
      here := here + 1;
      told := told + 1;
    end loop;
  end loop;
  if is_short or clock_timestamp() > ends then perform inbox.note_turns(seen); end if;
  return told;
end $function$;

CREATE OR REPLACE FUNCTION policy.variables_in(p_text text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN ARRAY(SELECT DISTINCT m.m[1] AS m FROM regexp_matches(variables_in.p_text, '\{\{([^{}\n]*)\}\}'::text, 'g'::text) m(m));

CREATE OR REPLACE FUNCTION policy.version_for(p_version uuid, p_permission text)
 RETURNS policy_versions
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v public.policy_versions;
begin
  perform from public.policies p where p.id = (select w.policy_id from public.policy_versions w where w.id = p_version) for update;
  select * into v from public.policy_versions w where w.id = p_version and w.deleted_at is null for update;
  if not found or auth.uid() is null or not access.may(p_permission, v.organization_id) then
    raise exception 'no such version' using errcode = '42501', detail = 'CN136';
  end if;
  return v;
end $function$;

CREATE OR REPLACE FUNCTION policy.version_may_become(p_from text, p_to text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (p_to = ANY (CASE p_from WHEN 'draft'::text THEN ARRAY['in_review'::text, 'published'::text] WHEN 'in_review'::text THEN ARRAY['approved'::text, 'change_requested'::text, 'draft'::text] WHEN 'change_requested'::text THEN ARRAY['in_review'::text, 'published'::text] WHEN 'approved'::text THEN ARRAY['published'::text, 'draft'::text] WHEN 'published'::text THEN ARRAY['superseded'::text, 'archived'::text] WHEN 'archived'::text THEN ARRAY['published'::text] ELSE ARRAY[]::text[] END));

CREATE OR REPLACE FUNCTION policy.with_values(v policy_versions, p_from text)
 RETURNS policy_versions
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  names constant text[] := policy.variables_in(concat_ws(E'\n', v.title, case when v.file is null then v.body end, v.quiz));
  given jsonb;
  filled jsonb;
begin
  if v.state in ('draft', 'change_requested') then v.variables := null; end if;
  if v.state not in ('in_review', 'published') or p_from in ('published', 'superseded', 'archived') or names = '{}' then return v; end if;
  -- What nobody approved takes the values of now; a version in review has them already.
  given := case when p_from in ('draft', 'change_requested') then policy.policy_values(v.organization_id) else coalesce(v.variables, '{}') end;
  if exists (select from unnest(names) n where not given ? n) then
    raise exception 'a variable stands for nothing: %', (select min(n) from unnest(names) n where not given ? n) using errcode = '23514', hint = 'variables', detail = 'CN148';
  end if;
  select jsonb_object_agg(e.key, e.value) into given from jsonb_each(given) e where e.key = any (names);
  filled := jsonb_build_object('title', marketplace.with_values_filled(v.title, given),
    'body', case when v.file is null then marketplace.with_values_filled(v.body, given) else v.body end, 'quiz', marketplace.with_values_filled(v.quiz, given, true));
  if char_length(filled ->> 'title') > 200 or char_length(filled ->> 'body') > 400000 or not policy.is_quiz(filled ->> 'quiz')
    or v.file is null and content.markdown_fault(filled ->> 'body') is not null then
    raise exception 'too long with its words filled in' using errcode = '23514', hint = 'too_long', detail = 'CN149';
  end if;
  v.variables := given;
  if v.state = 'in_review' then return v; end if;
  v.template := jsonb_build_object('title', v.title, 'body', v.body, 'quiz', v.quiz);
  v.title := filled ->> 'title';
  v.body := filled ->> 'body';
  v.quiz := filled ->> 'quiz';
  v.content_hash := policy.policy_hash(v.title, v.body, v.quiz, v.file);
  return v;
end $function$;
