-- Policies, their versions and acknowledgements: guards and what else triggers do, and who sees and writes which rows.

create function policy.guard_policy() returns trigger
  language plpgsql security definer set search_path = '' as $$
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
end $$;
create trigger c_guard before insert or update on policies for each row execute function policy.guard_policy();

-- What was published leaves no draft behind that nobody can open.
create function policy.remove_policy_drafts() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update public.approval_requests r set state = 'withdrawn', decided_at = clock_timestamp()
    where r.state = 'pending' and r.subject_table = 'policy_versions'
      and r.subject_id in (select v.id from public.policy_versions v where v.policy_id = new.id);
  update public.policy_versions set deleted_at = new.deleted_at where policy_id = new.id and deleted_at is null;
  return null;
end $$;
create trigger d_drafts after update on policies for each row
  when (old.deleted_at is null and new.deleted_at is not null) execute function policy.remove_policy_drafts();

-- The quiz is part of the words: in the hash, frozen with them, and finished before it is sent for approval.
-- What is sent for approval or put in force has its variables.
-- A file is frozen with the words, and nothing goes its way before its bytes are here.
create function policy.guard_policy_version() returns trigger
  language plpgsql security definer set search_path = '' as $$
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
end $$;
create trigger c_guard before insert or update on policy_versions for each row execute function policy.guard_policy_version();

create function policy.guard_campaign() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    if auth.uid() is not null then new.starts_at := now(); end if;
  elsif (new.policy_id, new.audience) is distinct from (old.policy_id, old.audience) then
    raise exception 'who was asked stays who was asked' using errcode = '42501', detail = 'CN325';
  end if;
  return new;
end $$;
create trigger c_guard before insert or update on acknowledgement_campaigns for each row execute function policy.guard_campaign();

-- Decides what a word counts for. The policy is locked against publishing meanwhile, so that each word meets either the
-- version it was given on in force, or a newer one: then it is kept as given, counts for nothing, and is asked for anew.
-- All of a word stays once it was given, and the device's times are brought within what can be.
-- Nobody signs past a quiz that is asked of them. What the device says it had right is not asked: its answers are.
create function policy.guard_acknowledgement() returns trigger
  language plpgsql security definer set search_path = '' as $$
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
end $$;
create trigger c_guard before insert or update on policy_acknowledgements for each row execute function policy.guard_acknowledgement();

create function policy.note_policy_author() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  insert into sync.policy_author (version_id, user_id) values (new.id, auth.uid()) on conflict do nothing;
  return null;
end $$;
create trigger x_author_insert after insert on policy_versions for each row
  when (auth.uid() is not null) execute function policy.note_policy_author();
create trigger x_author_update after update on policy_versions for each row
  when (auth.uid() is not null and new.major is null
    and (old.title, old.body, old.quiz, old.file, old.changelog) is distinct from (new.title, new.body, new.quiz, new.file, new.changelog))
  execute function policy.note_policy_author();

-- Gives a signed word its code when it was received, once, whoever writes; a word that came too late has one too.
create function policy.certify_acknowledgement() returns trigger
  language plpgsql security definer set search_path = '' as $$
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
end $$;
-- After `c_guard`, which says when it was received and what it counts for.
create trigger d_certificate before insert or update on policy_acknowledgements for each row execute function policy.certify_acknowledgement();

create function policy.guard_policy_variable() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' then
    if new.key <> old.key then raise exception 'a variable keeps its name' using errcode = '42501', detail = 'CN331'; end if;
  end if;
  if new.value ~ '[[:cntrl:]{}<>]' or marketplace.markup_in(new.value, true) then
    raise exception 'this cannot stand in a text' using errcode = '23514', constraint = 'policy_variables_value_is_plain', detail = 'CN332';
  end if;
  return new;
end $$;
create trigger c_guard before insert or update on policy_variables for each row execute function policy.guard_policy_variable();

-- What is in force is everybody's who has the policy.
create function policy.open_policy_file() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update public.media set audience = null where id = (new.file ->> 'id')::uuid and organization_id = new.organization_id and audience = 'policy.approve';
  return null;
end $$;
create trigger x_open_file after update on policy_versions for each row
  when (old.major is null and new.major is not null and new.file is not null) execute function policy.open_policy_file();

-- Cleans what was typed before any rule compares it; a name of which nothing is left is none.
create function policy.clean_signed_name() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if new.signed_name is null then return new; end if;
  -- What is longer than a name may be is refused by the table, not cut.
  new.signed_name := content.one_line(new.signed_name, 1000);
  if new.signed_name = '' then raise exception 'this is no name' using errcode = '23514', constraint = 'signed_name_is_one', detail = 'CN333'; end if;
  return new;
end $$;
create trigger a1_name before insert or update of signed_name on policy_acknowledgements for each row execute function policy.clean_signed_name();

-- Said once, when what was signed is received; it goes with the account.
create function policy.pin_signer() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  new.account_name := case when new.user_id is null or account.has_ended(new.user_id) then null when tg_op = 'UPDATE' and old.account_name is not null then old.account_name
    when new.method is not null and new.received_at is not null and (tg_op = 'INSERT' or old.received_at is distinct from new.received_at)
      then space.account_name(new.user_id) end;
  new.witness_name := case when new.witness_id is null or account.has_ended(new.witness_id) then null when tg_op = 'UPDATE' and old.witness_name is not null then old.witness_name
    when new.method is not null and (tg_op = 'INSERT' or old.witness_id is distinct from new.witness_id)
      then space.account_name(new.witness_id) end;
  return new;
end $$;
-- After `c_guard`, which says when it was received.
create trigger d_signer before insert or update on policy_acknowledgements for each row execute function policy.pin_signer();

create function policy.bound_campaigns() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and old.state = 'active' and old.deleted_at is null then return new; end if;   -- what asks already is no more of it
  if auth.uid() is null or access.is_outsider(new.organization_id) then return new; end if;   -- the policy refuses, and says nothing of others
  if (select count(*) from public.acknowledgement_campaigns c where c.organization_id = new.organization_id and c.policy_id = new.policy_id
      and c.id <> new.id and c.state = 'active' and c.deleted_at is null) >= 50 then
    raise exception 'a policy asks by at most 50 campaigns' using errcode = '23514', hint = 'many', detail = 'CN334';
  end if;
  return new;
end $$;
create trigger d_bound before insert or update on public.acknowledgement_campaigns for each row
  when (new.state = 'active' and new.deleted_at is null) execute function policy.bound_campaigns();

create function policy.save_refusal() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if new.state = 'declined' then
    new.declined_reason := new.reason;
    new.declined_at := new.decided_at;
  else
    new.declined_reason := case when tg_op = 'UPDATE' then old.declined_reason end;
    new.declined_at := case when tg_op = 'UPDATE' then old.declined_at end;
  end if;
  return new;
end $$;
-- After the guards, which say when it was decided.
create trigger y_refusal before insert or update on public.policy_acknowledgements for each row execute function policy.save_refusal();

-- Triggers whose functions stand with another area.

create trigger b_creator before insert or update on policies for each row execute function space.set_creator();
create trigger b_fixed_organization before update on policies for each row execute function space.refuse_organization_change();
create trigger a0_require_push before insert on policies for each statement execute function sync.require_push();

create trigger b_creator before insert or update on policy_versions for each row execute function space.set_creator();
create trigger b_fixed_organization before update on policy_versions for each row execute function space.refuse_organization_change();
create trigger a0_require_push before insert on policy_versions for each statement execute function sync.require_push();
-- After the words were filled in (b_guard).
create trigger y_bounds before insert or update on policy_versions for each row execute function content.guard_text();

create trigger b_creator before insert or update on acknowledgement_campaigns for each row execute function space.set_creator();
create trigger b_fixed_organization before update on acknowledgement_campaigns for each row execute function space.refuse_organization_change();
create trigger a0_require_push before insert on acknowledgement_campaigns for each statement execute function sync.require_push();

create trigger a0_require_push before insert on policy_acknowledgements for each statement execute function sync.require_push();

create trigger a0_require_push before insert on policy_variables for each statement execute function sync.require_push();
create trigger b_outsider before insert on policy_variables for each row execute function access.guard_outsider();
create trigger b_creator before insert or update on policy_variables for each row execute function space.set_creator();
create trigger b_fixed_organization before update on policy_variables for each row execute function space.refuse_organization_change();

-- Who may call what.
revoke execute on function policy.guard_policy(), policy.remove_policy_drafts(), policy.guard_policy_version(), policy.guard_campaign(),
  policy.guard_acknowledgement(), policy.note_policy_author(), policy.certify_acknowledgement(), policy.guard_policy_variable(), policy.open_policy_file(),
  policy.clean_signed_name(), policy.pin_signer(), policy.bound_campaigns(), policy.save_refusal() from public;

-- Who sees and writes which rows.

grant insert, update on policies to authenticated;
create policy "scope reads" on policies for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "authors add" on policies for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('policy.author')));
create policy "authors edit" on policies for update to authenticated
  using ((select sync.pushing()) and organization_id in (select my_organizations_with('policy.author')));

grant insert, update on policy_versions to authenticated;
create policy "scope reads" on policy_versions for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "authors add" on policy_versions for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('policy.author')));
create policy "authors edit" on policy_versions for update to authenticated
  using ((select sync.pushing()) and organization_id in (select my_organizations_with('policy.author')));

grant insert, update on acknowledgement_campaigns to authenticated;
create policy "scope reads" on acknowledgement_campaigns for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "publishers ask" on acknowledgement_campaigns for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('policy.publish')));
create policy "publishers change" on acknowledgement_campaigns for update to authenticated
  using ((select sync.pushing()) and organization_id in (select my_organizations_with('policy.publish')));

grant insert, update on policy_acknowledgements to authenticated;
create policy "scope reads" on policy_acknowledgements for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "people speak for themselves" on policy_acknowledgements for insert to authenticated
  with check ((select sync.pushing()) and user_id = (select auth.uid()) and scopes && (select array(select my_scopes())));
create policy "people decide for themselves" on policy_acknowledgements for update to authenticated
  using ((select sync.pushing()) and user_id = (select auth.uid()) and scopes && (select array(select my_scopes())));

grant insert, update on policy_variables to authenticated;
create policy "scope reads" on policy_variables for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "authors add" on policy_variables for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('policy.author')));
create policy "authors edit" on policy_variables for update to authenticated
  using ((select sync.pushing()) and organization_id in (select my_organizations_with('policy.author')));
