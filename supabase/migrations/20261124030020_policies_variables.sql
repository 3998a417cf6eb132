-- Words of an organisation that its policies name: {{hotline}}. They are kept in one place, filled in when a version is published, and
-- frozen with it (docs/decisions/0591-what-was-approved-is-filled-in.md). The marks, what a value may be, and how it is filled in are
-- those of packs (20261122400010_pack_installs.sql).

create table policy_variables (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations (id) on delete cascade,
  key             text not null check (key ~ '^[a-z][a-z0-9_]{0,59}$'),
  value           text not null default '' check (char_length(value) <= 200),   -- empty: not known yet
  created_by      uuid references auth.users (id) on delete set null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1
);
create unique index policy_variables_key on policy_variables (organization_id, key) where deleted_at is null;
create index policy_variables_creator on policy_variables (created_by);

select sync.add_table('policy_variables', 24, $$ sync.scopes(sync.org_scope(organization_id)) $$);

create policy "scope reads" on policy_variables for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "authors add" on policy_variables for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('policy.author')));
create policy "authors edit" on policy_variables for update to authenticated
  using ((select sync.pushing()) and organization_id in (select my_organizations_with('policy.author')));
grant insert, update on policy_variables to authenticated;

create function sync.guard_policy_variable() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' then
    if new.key <> old.key then raise exception 'a variable keeps its name' using errcode = '42501'; end if;
  end if;
  if new.value ~ '[[:cntrl:]{}<>]' or marketplace.markup_in(new.value, true) then
    raise exception 'this cannot stand in a text' using errcode = '23514', constraint = 'policy_variables_value_is_plain';
  end if;
  return new;
end $$;
create trigger a0_need_push before insert on policy_variables for each statement execute function sync.need_push();
create trigger b_outsider before insert on policy_variables for each row execute function sync.guard_outsider();
create trigger b_creator before insert or update on policy_variables for each row execute function sync.set_creator();
create trigger b_keep_organization before update on policy_variables for each row execute function sync.keep_organization();
create trigger c_guard before insert or update on policy_variables for each row execute function sync.guard_policy_variable();

alter table policy_versions
  add column variables jsonb,   -- {"<key>": "<value>"} as they were when it was sent for approval: what is approved is what is published
  add column template  jsonb;   -- {"title", "body", "quiz"} before they were filled in; null where nothing was
update sync.tables set server_columns = server_columns || array['variables', 'template'] where name = 'policy_versions';
select sync.refresh_table('policy_versions');

-- What an organisation's policies may name, and what it stands for; its own name stands for {{organisation}} unless it says otherwise.
create function sync.policy_values(p_organization uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select coalesce((select jsonb_build_object('organisation', o.name) from public.organizations o
      where o.id = p_organization and btrim(o.name) <> '' and char_length(o.name) <= 200 and o.name !~ '[[:cntrl:]{}<>]' and not marketplace.markup_in(o.name, true)), '{}')
    || coalesce((select jsonb_object_agg(v.key, btrim(v.value)) from public.policy_variables v
      where v.organization_id = p_organization and v.deleted_at is null and btrim(v.value) <> ''), '{}')
$$;

-- Names in a text, as they stand between braces.
create function sync.variables_in(p_text text) returns text[]
  language sql immutable set search_path = '' return array(select distinct m[1] from regexp_matches(p_text, '\{\{([^{}\n]*)\}\}', 'g') m);

-- A version on its way: sent for approval it takes the values of now along, put in force it is filled in with them, and given back
-- to its authors it lets them go. Refused where a name stands for nothing, or the words would be too long.
create function sync.with_values(v public.policy_versions, p_from text) returns public.policy_versions
  language plpgsql stable security definer set search_path = '' as $$
declare
  names constant text[] := sync.variables_in(concat_ws(E'\n', v.title, v.body, v.quiz));
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
  words := jsonb_build_object('title', marketplace.filled(v.title, given), 'body', marketplace.filled(v.body, given),
    'quiz', marketplace.filled(v.quiz, given, true));
  if char_length(words ->> 'title') > 200 or char_length(words ->> 'body') > 400000 or not sync.is_quiz(words ->> 'quiz') then
    raise exception 'too long with its words filled in' using errcode = '23514', hint = 'too_long';
  end if;
  v.variables := given;
  if v.state = 'in_review' then return v; end if;
  v.template := jsonb_build_object('title', v.title, 'body', v.body, 'quiz', v.quiz);
  v.title := words ->> 'title';
  v.body := words ->> 'body';
  v.quiz := words ->> 'quiz';
  v.content_hash := sync.policy_hash(v.title, v.body, v.quiz);
  return v;
end $$;

-- As before; what is sent for approval or put in force has its variables.
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
  if (new.title, new.body, new.quiz, new.template, new.changelog, new.change, new.deleted_at, new.source, new.based_on_id)
      is distinct from (old.title, old.body, old.quiz, old.template, old.changelog, old.change, old.deleted_at, old.source, old.based_on_id) then
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
  if new.state is distinct from old.state then new := sync.with_values(new, old.state); end if;
  return new;
end $$;

-- Being filled in is no writing.
drop trigger x_author_update on policy_versions;
create trigger x_author_update after update on policy_versions for each row
  when (auth.uid() is not null and new.major is null
    and (old.title, old.body, old.quiz, old.changelog) is distinct from (new.title, new.body, new.quiz, new.changelog))
  execute function sync.note_policy_author();

-- As before; the policy is called what its version is called with its words filled in.
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
  if btrim(v.body) = '' then raise exception 'there is nothing to publish' using errcode = '23514', hint = 'empty'; end if;
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

-- What is set here stands in whatever is published next.
create function audit.note_policy_variable() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform audit.note(new.organization_id, case when new.deleted_at is null then 'policy.variable_set' else 'policy.variable_removed' end,
    'policy_variables', new.id, jsonb_build_object('key', new.key));
  return null;
end $$;
create trigger z_audit after insert on policy_variables for each row execute function audit.note_policy_variable();
create trigger z_audit_update after update on policy_variables for each row
  when ((old.value, old.deleted_at) is distinct from (new.value, new.deleted_at)) execute function audit.note_policy_variable();

revoke execute on function sync.guard_policy_variable(), sync.policy_values(uuid), sync.variables_in(text),
  sync.with_values(public.policy_versions, text), audit.note_policy_variable() from public;
