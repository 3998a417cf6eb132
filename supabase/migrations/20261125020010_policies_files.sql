-- Policies: a version whose words are an uploaded PDF or Word file. The file goes by the lane of all files; the version names it with
-- its SHA-256, which is part of what an acknowledgement stands for. Its extracted text is kept as `body`, to be searched and compared
-- (docs/decisions/0620-an-uploaded-file-is-the-words-of-a-version.md).

-- {"id": its row in media, "sha256", "bytes", "mime", "name", "pages": null for what has none}; packages/core/src/policies/policy-file.ts
-- says the same. 25 MiB: a phone reads all of it at once.
create function sync.is_policy_file(p jsonb) returns boolean
  language sql immutable set search_path = '' return
  p is null or coalesce(jsonb_typeof(p) = 'object'
    and (select array_agg(k order by k) from jsonb_object_keys(case when jsonb_typeof(p) = 'object' then p else '{}' end) k)
      = array['bytes', 'id', 'mime', 'name', 'pages', 'sha256']
    and jsonb_typeof(p -> 'id') = 'string' and p ->> 'id' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
    and jsonb_typeof(p -> 'sha256') = 'string' and p ->> 'sha256' ~ '^[0-9a-f]{64}$'
    and jsonb_typeof(p -> 'mime') = 'string' and p ->> 'mime' in ('application/pdf', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document')
    and jsonb_typeof(p -> 'name') = 'string' and p ->> 'name' <> '' and char_length(p ->> 'name') <= 200 and p ->> 'name' !~ '[/\\[:cntrl:]]'
    and jsonb_typeof(p -> 'bytes') = 'number' and (p ->> 'bytes') ~ '^[1-9][0-9]{0,7}$' and (p ->> 'bytes')::bigint <= 26214400
    and (jsonb_typeof(p -> 'pages') = 'null' or jsonb_typeof(p -> 'pages') = 'number' and (p ->> 'pages') ~ '^[1-9][0-9]{0,3}$'), false);
grant execute on function sync.is_policy_file(jsonb) to authenticated, service_role;

alter table policy_versions
  add column file jsonb constraint policy_versions_file_is_one check (sync.is_policy_file(file));   -- null: the words are in `body`
alter table policy_versions drop constraint policy_versions_source_check;
alter table policy_versions add constraint policy_versions_source_check check (source in ('written', 'markdown', 'seed', 'pack', 'file'));
select sync.refresh_table('policy_versions');

-- What is written for approval is seen by whoever reads drafts, and by nobody else; at publishing it becomes everybody's of the
-- organisation. Other files stay with who captured them besides.
alter table media drop constraint media_audience_check;
alter table media add constraint media_audience_check check (audience in ('evidence.read', 'policy.approve'));
alter table media add constraint media_of_policy check (audience is distinct from 'policy.approve' or site_id is null and bytes <= 26214400);
alter table media alter column scopes set expression as (
  sync.scopes(case when audience is null then sync.place_scope(organization_id, site_id) else sync.holder_scope(audience, organization_id) end,
    case when audience is distinct from 'policy.approve' then sync.member_scope(organization_id, captured_by) end));
select sync.refresh_table('media');

-- As before; only publishing opens a file to others, and only authors bring one for a policy.
create or replace function sync.guard_audience() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    if new.audience = 'policy.approve' and sync.is_device_edit() and auth.uid() is not null and not sync.is_outsider(new.organization_id)
      and not sync.may('policy.author', new.organization_id) then
      raise exception 'files of policies are brought by their authors' using errcode = '42501';
    end if;
    return new;
  end if;
  if new.audience is distinct from old.audience and (sync.is_device_edit() or old.audience is distinct from 'policy.approve' or new.audience is not null) then
    raise exception 'a file keeps its audience' using errcode = '42501';
  end if;
  return new;
end $$;
drop trigger d_audience on media;
create trigger d_audience before insert or update on media for each row execute function sync.guard_audience();
revoke execute on function sync.guard_audience() from public;

-- As before; and, where there is a file, two zero bytes, which neither the words nor a quiz hold, and its hash.
create function sync.policy_hash(p_title text, p_body text, p_quiz text, p_file jsonb) returns text
  language sql immutable parallel safe set search_path = '' return
  encode(sha256(convert_to(p_title || E'\n\n' || p_body, 'UTF8')
    || case when p_quiz is null then ''::bytea else '\x00'::bytea || convert_to(p_quiz, 'UTF8') end
    || case when p_file is null then ''::bytea else '\x0000'::bytea || convert_to(p_file ->> 'sha256', 'UTF8') end), 'hex');

-- Whether the bytes of a version's file are here, are what they were announced as (media_complete), and were brought for a policy.
create function sync.is_policy_file_here(v public.policy_versions) returns boolean
  language sql stable security definer set search_path = '' return
  v.file is null or exists (select from public.media m
    where m.id = (v.file ->> 'id')::uuid and m.organization_id = v.organization_id and m.deleted_at is null and m.state = 'complete'
      and m.sha256 = v.file ->> 'sha256' and m.bytes = (v.file ->> 'bytes')::bigint and m.mime = v.file ->> 'mime'
      and (m.audience = 'policy.approve' or exists (select from public.policy_versions w
        where w.policy_id = v.policy_id and w.major is not null and w.file ->> 'id' = v.file ->> 'id')));

-- As before; the words of a file are not filled in: its bytes stay what they are.
create or replace function sync.with_values(v public.policy_versions, p_from text) returns public.policy_versions
  language plpgsql stable security definer set search_path = '' as $$
declare
  names constant text[] := sync.variables_in(concat_ws(E'\n', v.title, case when v.file is null then v.body end, v.quiz));
  given jsonb;
  words jsonb;
begin
  if v.state in ('draft', 'change_requested') then v.variables := null; end if;
  if v.state not in ('in_review', 'published') or p_from in ('published', 'superseded', 'archived') or names = '{}' then return v; end if;
  -- What nobody approved takes the values of now; a version in review has them already.
  given := case when p_from in ('draft', 'change_requested') then sync.policy_values(v.organization_id) else coalesce(v.variables, '{}') end;
  if exists (select from unnest(names) n where not given ? n) then
    raise exception 'a variable stands for nothing: %', (select min(n) from unnest(names) n where not given ? n) using errcode = '23514', hint = 'variables';
  end if;
  select jsonb_object_agg(e.key, e.value) into given from jsonb_each(given) e where e.key = any (names);
  words := jsonb_build_object('title', marketplace.filled(v.title, given),
    'body', case when v.file is null then marketplace.filled(v.body, given) else v.body end, 'quiz', marketplace.filled(v.quiz, given, true));
  if char_length(words ->> 'title') > 200 or char_length(words ->> 'body') > 400000 or not sync.is_quiz(words ->> 'quiz') then
    raise exception 'too long with its words filled in' using errcode = '23514', hint = 'too_long';
  end if;
  v.variables := given;
  if v.state = 'in_review' then return v; end if;
  v.template := jsonb_build_object('title', v.title, 'body', v.body, 'quiz', v.quiz);
  v.title := words ->> 'title';
  v.body := words ->> 'body';
  v.quiz := words ->> 'quiz';
  v.content_hash := sync.policy_hash(v.title, v.body, v.quiz, v.file);
  return v;
end $$;

-- As before; a file is frozen with the words, and nothing goes its way before its bytes are here.
create or replace function sync.guard_policy_version() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  home uuid;
begin
  new.content_hash := sync.policy_hash(new.title, new.body, new.quiz, new.file);
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
  if (new.title, new.body, new.quiz, new.file, new.template, new.changelog, new.change, new.deleted_at, new.source, new.based_on_id)
      is distinct from (old.title, old.body, old.quiz, old.file, old.template, old.changelog, old.change, old.deleted_at, old.source, old.based_on_id) then
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
  -- From here on it is read as it is: what cannot be answered or opened is not let through.
  if new.state is distinct from old.state and new.state in ('in_review', 'published') and old.major is null then
    if old.state in ('draft', 'change_requested') and not sync.is_whole_quiz(new.quiz) then
      raise exception 'a question of the quiz is not finished' using errcode = '23514', hint = 'quiz';
    end if;
    if not sync.is_policy_file_here(new) then
      raise exception 'the file is not here, or is not what it says' using errcode = '23514', hint = 'file';
    end if;
  end if;
  if new.state is distinct from old.state then new := sync.with_values(new, old.state); end if;
  return new;
end $$;
drop function sync.policy_hash(text, text, text);

-- Who brings a file is an author too.
drop trigger x_author_update on policy_versions;
create trigger x_author_update after update on policy_versions for each row
  when (auth.uid() is not null and new.major is null
    and (old.title, old.body, old.quiz, old.file, old.changelog) is distinct from (new.title, new.body, new.quiz, new.file, new.changelog))
  execute function sync.note_policy_author();

-- What is in force is everybody's who has the policy.
create function sync.open_policy_file() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update public.media set audience = null where id = (new.file ->> 'id')::uuid and organization_id = new.organization_id and audience = 'policy.approve';
  return null;
end $$;
create trigger x_open_file after update on policy_versions for each row
  when (old.major is null and new.major is not null and new.file is not null) execute function sync.open_policy_file();

-- As before; and what a version rests on that was sent for approval or published, whoever brought it.
alter function sync.is_file_bound(uuid, uuid) rename to is_file_bound_by_word;
create function sync.is_file_bound(p_organization uuid, p_file uuid) returns boolean
  language sql stable security definer set search_path = '' return
  sync.is_file_bound_by_word(p_organization, p_file)
  or exists (select from public.policy_versions v where v.organization_id = p_organization and v.file ->> 'id' = p_file::text
    and v.state not in ('draft', 'change_requested') and v.deleted_at is null);
create index policy_versions_file on policy_versions ((file ->> 'id')) where file is not null;

-- As before; a file is words too.
create or replace function submit_policy_version(p_version uuid, p_stages jsonb, p_note text default null) returns uuid
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v constant public.policy_versions := sync.version_for(p_version, 'policy.author');
  request uuid;
begin
  if btrim(v.body) = '' and v.file is null then raise exception 'there is nothing to approve' using errcode = '23514', hint = 'empty'; end if;
  if not sync.version_may_become(v.state, 'in_review') then
    raise exception 'a version that is % cannot become in_review', v.state using errcode = '23514', hint = 'state';
  end if;
  request := sync.open_approval(v.organization_id, 'policy.approve', 'policy_versions', v.id, '/policies/' || v.policy_id::text, v.title, p_stages, p_note);
  update public.policy_versions set approval_id = request where id = v.id;
  perform sync.move_version(v.id, 'in_review');
  return request;
end $$;

create or replace function publish_policy_version(p_version uuid) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v public.policy_versions := sync.version_for(p_version, 'policy.publish');
  p public.policies;
  before public.policy_versions;
  is_private boolean;
begin
  select * into p from public.policies q where q.id = v.policy_id;
  select o.kind = 'private' into is_private from public.organizations o where o.id = v.organization_id;
  if p.state = 'archived' or not sync.version_may_become(v.state, 'published') or v.state <> 'approved' and not is_private then
    raise exception 'a version that is % cannot become published', v.state using errcode = '23514', hint = 'state';
  end if;
  if btrim(v.body) = '' and v.file is null then raise exception 'there is nothing to publish' using errcode = '23514', hint = 'empty'; end if;
  select * into before from public.policy_versions w where w.id = p.current_version_id;
  v.major := case when before.major is null then 1 when v.change = 'major' then before.major + 1 else before.major end;
  v.minor := case when before.major is null or v.change = 'major' then 0 else before.minor + 1 end;
  if before.id is not null then perform sync.move_version(before.id, 'superseded'); end if;
  update public.policy_versions set state = 'published', major = v.major, minor = v.minor, published_at = clock_timestamp(),
    published_by = auth.uid(), editing_by = null, editing_since = null where id = v.id returning title into v.title;
  update public.policies set state = 'published', title = v.title, current_version_id = v.id, current_major = v.major,
    major_since = case when v.minor = 0 then clock_timestamp() else major_since end,
    review_by = case when review_months is null then review_by else to_char(now() + make_interval(months => review_months), 'YYYY-MM-DD') end
    where id = p.id;
  return jsonb_build_object('major', v.major, 'minor', v.minor);
end $$;

-- As before; words that a pack brings take the place of a file that was being prepared.
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
    update public.policy_versions set body = p_body, file = null where id = v.id;
  else
    insert into public.policy_versions (id, organization_id, policy_id, change, title, body, quiz, based_on_id, source)
      values (extensions.uuid_generate_v5(v.id, 'next version'), p.organization_id, p.id, 'minor', v.title, p_body, v.quiz, v.id, 'pack');
  end if;
end $$;

revoke execute on function sync.policy_hash(text, text, text, jsonb), sync.is_policy_file_here(public.policy_versions),
  sync.open_policy_file(), sync.is_file_bound(uuid, uuid) from public;
