-- Policies, their versions and acknowledgements: functions.

set local check_function_bodies = off;   -- what they call may be made later

-- For how long the pen is somebody's without a word from them.
create function policy.edit_lock_duration() returns interval language sql immutable return interval '10 minutes';

-- From a state to those a version may move to; packages/core/src/policies/version-states.ts says the same.
create function policy.version_may_become(p_from text, p_to text) returns boolean
  language sql immutable parallel safe return p_to = any (case p_from
    when 'draft' then array['in_review', 'published']           -- published at once: in a private space only
    when 'in_review' then array['approved', 'change_requested', 'draft']
    when 'change_requested' then array['in_review', 'published']
    when 'approved' then array['published', 'draft']
    when 'published' then array['superseded', 'archived']
    when 'archived' then array['published']
    else array[]::text[] end);

create function policy.move_version(p_version uuid, p_to text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
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
end $$;

create function policy.policy_approval_ended(r public.approval_requests) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform policy.move_version(r.subject_id, case r.state when 'approved' then 'approved' when 'change_requested' then 'change_requested' else 'draft' end);
end $$;

-- A version the caller may do this with, locked; its policy is locked before it, as everywhere.
create function policy.version_for(p_version uuid, p_permission text) returns public.policy_versions
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v public.policy_versions;
begin
  perform from public.policies p where p.id = (select w.policy_id from public.policy_versions w where w.id = p_version) for update;
  select * into v from public.policy_versions w where w.id = p_version and w.deleted_at is null for update;
  if not found or auth.uid() is null or not access.may(p_permission, v.organization_id) then
    raise exception 'no such version' using errcode = '42501', detail = 'CN136';
  end if;
  return v;
end $$;

-- Takes the pen, keeps it, or takes it over: {"mine", "holder", "since"}. Asked again every few minutes by who writes.
-- Whoever asks for the pen of a version that was sent for approval in that very moment is told that nobody writes it any more.
-- A refusal is what a browser reports as a fault, and there is none.
create function hold_policy_edit_lock(p_version uuid, p_take_over boolean default false) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v public.policy_versions := policy.version_for(p_version, 'policy.author');
begin
  if v.state not in ('draft', 'change_requested') then
    return jsonb_build_object('mine', false, 'holder', null, 'since', null);
  end if;
  if v.editing_by is null or v.editing_by = auth.uid() or p_take_over or v.editing_since <= now() - policy.edit_lock_duration() then
    update public.policy_versions w set editing_by = auth.uid(), editing_since = now() where w.id = v.id returning * into v;
  end if;
  return jsonb_build_object('mine', v.editing_by = auth.uid(), 'holder', v.editing_by, 'since', v.editing_since);
end $$;

create function release_policy_edit_lock(p_version uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v constant public.policy_versions := policy.version_for(p_version, 'policy.author');
begin
  update public.policy_versions set editing_by = null, editing_since = null where id = v.id and editing_by = auth.uid();
end $$;

-- A file is words too.
create function submit_policy_version(p_version uuid, p_stages jsonb, p_note text default null) returns uuid
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v constant public.policy_versions := policy.version_for(p_version, 'policy.author');
  request uuid;
begin
  if btrim(v.body) = '' and v.file is null then raise exception 'there is nothing to approve' using errcode = '23514', hint = 'empty', detail = 'CN137'; end if;
  if not policy.version_may_become(v.state, 'in_review') then
    raise exception 'a version that is % cannot become in_review', v.state using errcode = '23514', hint = 'state', detail = 'CN138';
  end if;
  request := approval.open_approval(v.organization_id, 'policy.approve', 'policy_versions', v.id, '/policies/' || v.policy_id::text, v.title, p_stages, p_note);
  update public.policy_versions set approval_id = request where id = v.id;
  perform policy.move_version(v.id, 'in_review');
  return request;
end $$;

-- Approved and still to be changed: it is a draft again, and is approved anew.
create function reopen_policy_version(p_version uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v constant public.policy_versions := policy.version_for(p_version, 'policy.author');
begin
  if v.state <> 'approved' then raise exception 'only what is approved is opened again' using errcode = '23514', hint = 'state', detail = 'CN139'; end if;
  perform policy.move_version(v.id, 'draft');
end $$;

-- Puts a version in force: {"major", "minor"}. Everything people owe from now on follows from this one transaction.
-- The policy is called what its version is called with its words filled in.
create function publish_policy_version(p_version uuid) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v public.policy_versions := policy.version_for(p_version, 'policy.publish');
  p public.policies;
  before public.policy_versions;
  is_private boolean;
begin
  select * into p from public.policies q where q.id = v.policy_id;
  select o.kind = 'private' into is_private from public.organizations o where o.id = v.organization_id;
  if p.state = 'archived' or not policy.version_may_become(v.state, 'published') or v.state <> 'approved' and not is_private then
    raise exception 'a version that is % cannot become published', v.state using errcode = '23514', hint = 'state', detail = 'CN140';
  end if;
  if btrim(v.body) = '' and v.file is null then raise exception 'there is nothing to publish' using errcode = '23514', hint = 'empty', detail = 'CN141'; end if;
  select * into before from public.policy_versions w where w.id = p.current_version_id;
  v.major := case when before.major is null then 1 when v.change = 'major' then before.major + 1 else before.major end;
  v.minor := case when before.major is null or v.change = 'major' then 0 else before.minor + 1 end;
  if before.id is not null then perform policy.move_version(before.id, 'superseded'); end if;
  update public.policy_versions set state = 'published', major = v.major, minor = v.minor, published_at = clock_timestamp(),
    published_by = auth.uid(), editing_by = null, editing_since = null where id = v.id returning title into v.title;
  update public.policies set state = 'published', title = v.title, current_version_id = v.id, current_major = v.major,
    major_since = case when v.minor = 0 then clock_timestamp() else major_since end,
    review_by = case when review_months is null then review_by else to_char(now() + make_interval(months => review_months), 'YYYY-MM-DD') end
    where id = p.id;
  return jsonb_build_object('major', v.major, 'minor', v.minor);
end $$;

-- Out of force, and back: nobody owes anything for it meanwhile; what was signed stays.
create function archive_policy(p_policy uuid, p_archived boolean default true) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  p public.policies;
begin
  select * into p from public.policies q where q.id = p_policy and q.deleted_at is null for update;
  if not found or auth.uid() is null or not access.may('policy.publish', p.organization_id) then
    raise exception 'no such policy' using errcode = '42501', detail = 'CN142';
  end if;
  if p.state <> (case when p_archived then 'published' else 'archived' end) then
    raise exception 'a policy that is % cannot do this', p.state using errcode = '23514', hint = 'state', detail = 'CN143';
  end if;
  perform policy.move_version(p.current_version_id, case when p_archived then 'archived' else 'published' end);
  update public.policies set state = case when p_archived then 'archived' else 'published' end,
    archived_at = case when p_archived then clock_timestamp() end where id = p.id;
end $$;

-- Members an audience means, at present.
-- Who is named is looked up once, not in the whole list for each member.
create function policy.audience_members(p_organization uuid, p_audience jsonb) returns setof public.organization_members
  language sql stable security definer set search_path = '' as $$
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
$$;

-- Who owes an acknowledgement of what is in force, since when and until when; settled ones too. One row a person and policy:
-- of several campaigns the one that is due first.
create function policy.owed_acknowledgements(p_organization uuid, p_policy uuid default null)
  returns table (policy_id uuid, major integer, user_id uuid, owed_since timestamptz, due_at timestamptz)
  language sql stable security definer set search_path = '' as $$
  select distinct on (p.id, m.user_id) p.id, p.current_major, m.user_id,
    greatest(c.starts_at, p.major_since, m.joined_at),
    greatest(c.starts_at, p.major_since, m.joined_at) + make_interval(days => c.due_days)
  from public.policies p
  join public.acknowledgement_campaigns c on c.policy_id = p.id and c.state = 'active' and c.deleted_at is null
  cross join lateral policy.audience_members(p.organization_id, c.audience) m
  where p.organization_id = p_organization and (p_policy is null or p.id = p_policy) and p.state = 'published' and p.deleted_at is null
  order by p.id, m.user_id, greatest(c.starts_at, p.major_since, m.joined_at) + make_interval(days => c.due_days) nulls last
$$;

-- How things stand for one policy, person by person: those who owe or ever spoke on that major (the one in force where null).
-- With the quiz of each.
-- Of a word at a kiosk on whose device it was said.
-- Written as text: of 5,000 people three quarters of the time went into making a jsonb of each, whose keys are sorted, and then
-- another one without what is not known, only to be written out. Who is limited to sites is shown the people of their sites, as
-- the rates have it.
create function policy_acknowledgement_report(p_policy uuid, p_major integer default null) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  p public.policies;
  wanted integer;
  limited boolean;
begin
  select * into p from public.policies q where q.id = p_policy and q.deleted_at is null;
  if not found or auth.uid() is null or not access.may('policy.report', p.organization_id) then
    raise exception 'no such policy' using errcode = '42501', detail = 'CN142';
  end if;
  wanted := coalesce(p_major, p.current_major);
  select coalesce(bool_or(m.site_limited), false) into limited from access.my_memberships() m where m.organization_id = p.organization_id;
  return json_build_object('major', wanted, 'title', p.title, 'at', clock_timestamp(), 'is_limited', limited, 'people', coalesce((
    with owed as (
      select o.user_id, o.owed_since, o.due_at from policy.owed_acknowledgements(p.organization_id, p.id) o where wanted = p.current_major
    ), acknowledgements as (
      select distinct on (a.user_id) a.*, v.major as on_major, v.minor as on_minor, policy.quiz_length(v.quiz) as asked
      from public.policy_acknowledgements a join public.policy_versions v on v.id = a.version_id
      where a.policy_id = p.id and a.deleted_at is null and v.major = wanted
      order by a.user_id, array_position(array['acknowledged', 'exempt', 'declined', 'void', 'opened'], a.state), a.received_at
    ), places as (
      select s.user_id, json_agg(s.site_id) as ids from public.site_members s
      where s.organization_id = p.organization_id and s.deleted_at is null group by s.user_id
    ), crews as (
      select t.user_id, json_agg(t.team_id) as ids from public.team_members t
      where t.organization_id = p.organization_id and t.deleted_at is null group by t.user_id
    )
    select json_agg(json_object(
        'user_id': coalesce(o.user_id, s.user_id), 'name': n.display_name, 'role': m.role, 'sites': l.ids, 'teams': c.ids,
        'state': case when s.state is not null and s.state <> 'opened' then s.state
          when o.due_at <= now() then 'overdue' else coalesce(s.state, 'requested') end,
        'owed': o.user_id is not null, 'due_at': o.due_at, 'opened_at': s.opened_at, 'decided_at': s.decided_at, 'received_at': s.received_at,
        'version': case when s.id is not null then s.on_major::text || '.' || s.on_minor::text end,
        'sections_read': s.sections_read, 'sections': s.sections, 'method': s.method, 'signed_name': s.signed_name, 'reason': s.reason,
        'content_hash': s.content_hash, 'quiz_attempts': nullif(s.quiz_attempts, 0), 'quiz_right': s.quiz_right, 'quiz_of': s.asked,
        'quiz_needed': s.quiz_needed, 'quiz_at': s.quiz_at, 'proof': s.proof,
        'witness': case when s.proof is not null then coalesce(w.display_name, '') end absent on null returning json) order by n.display_name, coalesce(o.user_id, s.user_id))
    from owed o full join acknowledgements s on s.user_id = o.user_id
    left join public.people n on n.id = coalesce(o.user_id, s.user_id)
    left join public.people w on w.id = s.witness_id
    left join public.organization_members m on m.organization_id = p.organization_id and m.user_id = coalesce(o.user_id, s.user_id) and m.deleted_at is null
    left join places l on l.user_id = coalesce(o.user_id, s.user_id)
    left join crews c on c.user_id = coalesce(o.user_id, s.user_id)
    where not limited or coalesce(o.user_id, s.user_id) in (
      select x.user_id from public.site_members x where x.deleted_at is null and x.site_id in (select public.my_sites()))), '[]'::json));
end $$;

-- Nobody has to acknowledge what a publisher exempted them from, with a reason; until the next major.
-- Nobody exempts themselves while somebody else can.
create function exempt_from_policy(p_policy uuid, p_user uuid, p_reason text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  p public.policies;
begin
  select * into p from public.policies q where q.id = p_policy and q.deleted_at is null for update;
  if not found or auth.uid() is null or not access.may('policy.publish', p.organization_id) then
    raise exception 'no such policy' using errcode = '42501', detail = 'CN142';
  end if;
  if p_user = auth.uid() and exists (select from approval.holders('policy.publish', p.organization_id) h where h <> auth.uid()) then
    raise exception 'somebody else exempts oneself' using errcode = '42501', hint = 'own', detail = 'CN144';
  end if;
  if p.state <> 'published' then raise exception 'nothing is in force' using errcode = '23514', hint = 'state', detail = 'CN145'; end if;
  if btrim(coalesce(p_reason, '')) = '' then raise exception 'an exemption has a reason' using errcode = '23514', hint = 'reason', detail = 'CN146'; end if;
  if not access.is_member(p.organization_id, p_user) then raise exception 'no such member' using errcode = '42501', detail = 'CN147'; end if;
  insert into public.policy_acknowledgements as a (id, organization_id, policy_id, version_id, user_id, state, opened_at, reason, decided_at, received_at, exempted_by)
    values (extensions.uuid_generate_v5(p.current_version_id, 'acknowledgement/' || p_user::text), p.organization_id, p.id, p.current_version_id,
      p_user, 'exempt', now(), p_reason, now(), clock_timestamp(), auth.uid())
    on conflict (version_id, user_id) do update set state = 'exempt', reason = excluded.reason, decided_at = excluded.decided_at,
      received_at = excluded.received_at, exempted_by = excluded.exempted_by
      where a.state in ('opened', 'declined');
end $$;

-- By the clock, in portions: who owes something is told, three days before it is due, and when it is late; once each. Nobody is
-- told of what has long been late, nor of a policy that asks again within the minute.
create function policy.sweep_acknowledgements(p_now timestamptz default now(), p_limit integer default 500) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
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
end $$;

-- Who made what is to be approved; each area adds its branch.
-- About what a workflow asks, whoever did what it is about is as who wrote a text.
-- Of an action item those are its authors who have it, had it or did it.
create function policy.authors_of(p_table text, p_subject uuid) returns setof uuid
  language sql stable security definer set search_path = '' as $$
  select a.user_id from sync.policy_author a where p_table = 'policy_versions' and a.version_id = p_subject
  union all
  select e.actor_id from workflow.run x join workflow.event e on e.id = x.event_id
    where p_table = 'workflow_runs' and x.id = p_subject and e.actor_id is not null
  union all
  select p from public.action_items a cross join lateral unnest(array[a.assignee_id, a.done_by]) p
    where p_table = 'action_items' and a.id = p_subject and p is not null
  union all
  select h.person from sync.past_assignee h where p_table = 'action_items' and h.tbl = p_table and h.id = p_subject
$$;

-- As they count against the colleagues of whoever decides: whom that person named themselves could still decide.
create function policy.authors_apart_from(p_table text, p_subject uuid, p_caller uuid) returns setof uuid
  language sql stable security definer set search_path = '' as $$
  select p from policy.authors_of(p_table, p_subject) p where p_table <> 'action_items' or p = p_caller
    or access.was_assigned_apart_from(p_table, p_subject, p, p_caller)
    or p = (select a.done_by from public.action_items a where a.id = p_subject)
$$;

-- Of two random ids the bytes in which the low five bits are all random: not the sixth and not the eighth.
create function policy.new_certificate_code() returns text
  language sql volatile set search_path = '' as $$
  select string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + get_byte(r.b, p.at) % 32, 1), '')
  from (select uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) as b) r,
    unnest(array[0, 1, 2, 3, 4, 5, 7, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 23, 25, 26, 27, 28, 29, 30, 31]) as p (at)
$$;

-- Since when a person is asked for a word on a major, as campaigns and memberships are now; null where nobody asks.
create function policy.requested_since(p_organization uuid, p_policy uuid, p_major integer, p_user uuid) returns timestamptz
  language sql stable security definer set search_path = '' as $$
  select min(greatest(c.starts_at, m.joined_at,
    (select min(w.published_at) from public.policy_versions w where w.policy_id = p_policy and w.major = p_major)))
  from public.acknowledgement_campaigns c
  cross join lateral policy.audience_members(p_organization, c.audience) m
  where c.policy_id = p_policy and c.state = 'active' and c.deleted_at is null and m.user_id = p_user
$$;

-- Whether a word counts now: in_force (a minor version later too), superseded by a newer major, archived, or void: it came
-- too late and never counted. packages/core/src/policies/certificate.ts says the same.
create function policy.certificate_status(a public.policy_acknowledgements) returns text
  language sql stable security definer set search_path = '' as $$
  select case when a.state = 'void' then 'void' when v.major < p.current_major then 'superseded'
    when p.state = 'archived' then 'archived' else 'in_force' end
  from public.policy_versions v join public.policies p on p.id = v.policy_id where v.id = a.version_id
$$;

-- What stands on the certificate of one person's word, for whoever may see the report; the word that counts most of that major
-- (the one in force where null). Null where they signed nothing.
-- With the quiz, where it was answered.
-- With the file that was signed for.
-- Of a word at a kiosk on whose device it was said.
-- With the file that was signed for again, which the kiosk's certificate had left out.
create function acknowledgement_certificate(p_policy uuid, p_user uuid, p_major integer default null) returns jsonb
  language plpgsql stable security definer set search_path = '' set timezone = 'UTC' as $$
declare
  p public.policies;
  limited boolean;
begin
  select * into p from public.policies q where q.id = p_policy and q.deleted_at is null;
  if not found or auth.uid() is null or not access.may('policy.report', p.organization_id) then
    raise exception 'no such policy' using errcode = '42501', detail = 'CN142';
  end if;
  select coalesce(bool_or(m.site_limited), false) into limited from access.my_memberships() m where m.organization_id = p.organization_id;
  if limited and not exists (select from public.site_members x
      where x.user_id = p_user and x.deleted_at is null and x.site_id in (select public.my_sites())) then
    return null;
  end if;
  return (
    select jsonb_build_object('organization', o.name, 'title', v.title, 'version', v.major::text || '.' || v.minor::text,
      'content_hash', a.content_hash, 'file', case when v.file is not null then jsonb_build_object('name', v.file -> 'name', 'sha256', v.file -> 'sha256') end,
      'signed_name', a.signed_name, 'account_name', a.account_name, 'method', a.method, 'signature', a.signature,
      'code', a.certificate_code, 'status', policy.certificate_status(a), 'requested_at', a.requested_at, 'opened_at', a.opened_at,
      'sections_read', a.sections_read, 'sections', a.sections, 'decided_at', a.decided_at, 'received_at', a.received_at,
      'replaced_at', (select min(w.published_at) from public.policy_versions w where w.policy_id = p.id and w.major > v.major),
      'archived_at', p.archived_at, 'quiz', case when a.quiz_attempts > 0 then jsonb_build_object('attempts', a.quiz_attempts,
        'right', coalesce(a.quiz_right, 0), 'of', policy.quiz_length(v.quiz), 'needed', a.quiz_needed, 'at', a.quiz_at) end,
      'kiosk', case when a.proof is not null then jsonb_build_object('proof', a.proof, 'device', a.device,
        'witness', coalesce(a.witness_name, (select w.display_name from public.people w where w.id = a.witness_id))) end)
    from public.policy_acknowledgements a
    join public.policy_versions v on v.id = a.version_id
    join public.organizations o on o.id = a.organization_id
    where a.policy_id = p.id and a.user_id = p_user and v.major = coalesce(p_major, p.current_major)
      and a.certificate_code is not null and a.deleted_at is null
    order by array_position(array['acknowledged', 'void'], a.state), a.received_at limit 1);
end $$;

-- For anybody who holds a certificate: what they compare with it, and nothing else. Null for every other code. The name goes
-- with the account of whoever signed.
create function verify_certificate(p_code text) returns jsonb
  language sql stable security definer set search_path = '' set timezone = 'UTC' as $$
  select jsonb_build_object('organization', o.name, 'title', v.title, 'version', v.major::text || '.' || v.minor::text,
    'content_hash', a.content_hash, 'received_at', a.received_at, 'status', policy.certificate_status(a),
    'name', case when a.user_id is not null and not account.has_ended(a.user_id) then a.signed_name end, 'account_name', a.account_name)
  from public.policy_acknowledgements a
  join public.policy_versions v on v.id = a.version_id
  join public.organizations o on o.id = a.organization_id and o.deleted_at is null
  where a.certificate_code = left(p_code, 40) and a.deleted_at is null
$$;

-- Whether each of its questions can be asked; while it is written, much of it may be missing. No quiz is whole.
create function policy.is_complete_quiz(p text) returns boolean
  language sql immutable set search_path = '' return p is null or not exists (
    select from jsonb_array_elements(p::jsonb) q
    where btrim(q ->> 'text') = ''
      or q ->> 'type' <> 'true_false' and jsonb_array_length(q -> 'choices') < 2
      or exists (select from jsonb_array_elements(q -> 'choices') c where btrim(c ->> 'text') = '')
      or case q ->> 'type' when 'select_multiple' then jsonb_array_length(q -> 'right') < 1 else jsonb_array_length(q -> 'right') <> 1 end);

create function policy.quiz_length(p text) returns integer
  language sql immutable set search_path = '' return jsonb_array_length(p::jsonb);

-- How many questions were answered right: with each right choice and no other. Null where nothing was asked or answered.
create function policy.quiz_right(p_quiz text, p_answers jsonb) returns integer
  language sql immutable set search_path = '' return (
    select count(*)::integer from jsonb_array_elements(p_quiz::jsonb) q
    where p_answers is not null
      and (select array_agg(distinct c order by c) from jsonb_array_elements_text(p_answers -> (q ->> 'id')) c)
        = (select array_agg(distinct c order by c) from jsonb_array_elements_text(q -> 'right') c)
    having p_quiz is not null and p_answers is not null);

-- sha-256 (hex) of the title, an empty line and the words; and, where there is a quiz, a zero byte, which no text holds, and the quiz.
-- And, where there is a file, two zero bytes, which neither the words nor a quiz hold, and its hash.
create function policy.policy_hash(p_title text, p_body text, p_quiz text, p_file jsonb) returns text
  language sql immutable parallel safe set search_path = '' return
  encode(sha256(convert_to(p_title || E'\n\n' || p_body, 'UTF8')
    || case when p_quiz is null then ''::bytea else '\x00'::bytea || convert_to(p_quiz, 'UTF8') end
    || case when p_file is null then ''::bytea else '\x0000'::bytea || convert_to(p_file ->> 'sha256', 'UTF8') end), 'hex');

-- How many questions of a version's quiz somebody must have right to sign it: of the campaigns that ask them, the strictest
-- counts. Null where none asks for it. packages/core/src/policies/quiz.ts says the same.
create function policy.quiz_needed(v public.policy_versions, p_user uuid) returns integer
  language sql stable security definer set search_path = '' as $$
  select max(least(coalesce(c.quiz_right, 10), policy.quiz_length(v.quiz)))
  from public.acknowledgement_campaigns c
  where v.quiz is not null and c.policy_id = v.policy_id and c.state = 'active' and c.deleted_at is null and c.quiz_required
    and exists (select from policy.audience_members(v.organization_id, c.audience) m where m.user_id = p_user)
$$;

-- What an organisation's policies may name, and what it stands for; its own name stands for {{organisation}} unless it says otherwise.
create function policy.policy_values(p_organization uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select coalesce((select jsonb_build_object('organisation', o.name) from public.organizations o
      where o.id = p_organization and btrim(o.name) <> '' and char_length(o.name) <= 200 and o.name !~ '[[:cntrl:]{}<>]' and not marketplace.markup_in(o.name, true)), '{}')
    || coalesce((select jsonb_object_agg(v.key, btrim(v.value)) from public.policy_variables v
      where v.organization_id = p_organization and v.deleted_at is null and btrim(v.value) <> ''), '{}')
$$;

-- Names in a text, as they stand between braces.
create function policy.variables_in(p_text text) returns text[]
  language sql immutable set search_path = '' return array(select distinct m[1] from regexp_matches(p_text, '\{\{([^{}\n]*)\}\}', 'g') m);

-- A version on its way: sent for approval it takes the values of now along, put in force it is filled in with them, and given back
-- to its authors it lets them go. Refused where a name stands for nothing, or the words would be too long.
-- The words of a file are not filled in: its bytes stay what they are.
-- The text with its words filled in is one the devices can show.
create function policy.with_values(v public.policy_versions, p_from text) returns public.policy_versions
  language plpgsql stable security definer set search_path = '' as $$
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
end $$;

-- Whether the bytes of a version's file are here, are what they were announced as (media_complete), and were brought for a policy.
create function policy.is_policy_file_here(v public.policy_versions) returns boolean
  language sql stable security definer set search_path = '' return
  v.file is null or exists (select from public.media m
    where m.id = (v.file ->> 'id')::uuid and m.organization_id = v.organization_id and m.deleted_at is null and m.state = 'complete'
      and m.sha256 = v.file ->> 'sha256' and m.bytes = (v.file ->> 'bytes')::bigint and m.mime = v.file ->> 'mime'
      and (m.audience = 'policy.approve' or exists (select from public.policy_versions w
        where w.policy_id = v.policy_id and w.major is not null and w.file ->> 'id' = v.file ->> 'id')));

-- Who may call what.
revoke execute on function policy.edit_lock_duration(), policy.version_may_become(text, text), policy.move_version(uuid, text),
  policy.policy_approval_ended(public.approval_requests), policy.version_for(uuid, text), policy.audience_members(uuid, jsonb),
  policy.owed_acknowledgements(uuid, uuid), policy.sweep_acknowledgements(timestamp with time zone, integer), policy.authors_of(text, uuid),
  policy.authors_apart_from(text, uuid, uuid),
  policy.new_certificate_code(), policy.requested_since(uuid, uuid, integer, uuid), policy.certificate_status(public.policy_acknowledgements),
  verify_certificate(text), policy.is_complete_quiz(text), policy.quiz_length(text), policy.quiz_right(text, jsonb), policy.policy_hash(text, text, text, jsonb),
  policy.quiz_needed(public.policy_versions, uuid), policy.policy_values(uuid), policy.variables_in(text), policy.with_values(public.policy_versions, text),
  policy.is_policy_file_here(public.policy_versions) from public;
revoke execute on function hold_policy_edit_lock(uuid, boolean), release_policy_edit_lock(uuid), submit_policy_version(uuid, jsonb, text),
  reopen_policy_version(uuid), publish_policy_version(uuid), archive_policy(uuid, boolean), policy_acknowledgement_report(uuid, integer),
  exempt_from_policy(uuid, uuid, text), acknowledgement_certificate(uuid, uuid, integer) from public, anon;
