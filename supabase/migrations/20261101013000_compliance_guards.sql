-- Evidence, controls, findings and plans of action: guards and what else triggers do, and who sees and writes which rows.

create function compliance.guard_evidence() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if access.is_outsider(new.organization_id) then return new; end if;   -- the policy refuses, and says nothing of who is who
  if tg_op = 'INSERT' then
    new.revision := compliance.number_evidence(new);
    if auth.uid() is null then return new; end if;
    new.state := 'collected';
    new.review_note := null;
    new.reviewed_by := null;
    new.reviewed_at := null;
    new.received_at := clock_timestamp();
  elsif (new.series_id, new.collected_at) is distinct from (old.series_id, old.collected_at) then
    raise exception 'evidence keeps its series and the moment it was collected' using errcode = '42501', detail = 'CN338';
  end if;
  if new.owner_id is not null and auth.uid() is not null and (tg_op = 'INSERT' or new.owner_id is distinct from old.owner_id)
    and not access.is_member(new.organization_id, new.owner_id) then
    raise exception 'only a member of the organisation can be named on its records' using errcode = '42501', detail = 'CN083';
  end if;
  if tg_op = 'INSERT' or not sync.is_device_edit() then return new; end if;
  if old.state not in ('collected', 'sent_back') and
    (new.title, new.description, new.period_from, new.period_to, new.effective_on, new.expires_on, new.media_ids, new.deleted_at) is distinct from
    (old.title, old.description, old.period_from, old.period_to, old.effective_on, old.expires_on, old.media_ids, old.deleted_at) then
    raise exception 'what was decided on stays as it is; a revision follows it' using errcode = '42501', detail = 'CN339';
  end if;
  new.reviewed_by := old.reviewed_by;
  new.reviewed_at := old.reviewed_at;
  if new.state <> old.state then return compliance.decide_evidence(new, old); end if;
  if new.review_note is distinct from old.review_note then
    raise exception 'what was said with a decision stays' using errcode = '42501', detail = 'CN176';
  end if;
  return new;
end $$;
create trigger c_guard before insert or update on evidence for each row execute function compliance.guard_evidence();

-- Of a series one revision counts.
create function compliance.supersede_evidence() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update public.evidence e set state = 'superseded'
    where e.organization_id = new.organization_id and e.series_id = new.series_id and e.id <> new.id and e.state = 'accepted';
  return null;
end $$;
create trigger e_supersede after update on evidence for each row
  when (new.state = 'accepted' and old.state <> 'accepted') execute function compliance.supersede_evidence();

create function compliance.guard_evidence_link() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  e public.evidence;
  seen boolean;
begin
  if tg_op = 'UPDATE' then
    if (new.evidence_id, new.target_table, new.target_id) is distinct from (old.evidence_id, old.target_table, old.target_id) then
      raise exception 'a link keeps its ends' using errcode = '42501', detail = 'CN340';
    end if;
    return new;
  end if;
  select * into e from public.evidence x where x.id = new.evidence_id;
  if not found or sync.pushing() and auth.uid() is not null and not access.is_in_sight(e.scopes) then
    raise exception 'a link needs its evidence' using errcode = '23503', detail = 'CN341';
  end if;
  new.organization_id := e.organization_id;
  new.owner_id := e.owner_id;
  execute format('select exists (select from public.%I t where t.id = $1 and t.organization_id = $2 and t.deleted_at is null and ($3 or access.is_in_sight(t.scopes)))',
    new.target_table) into seen using new.target_id, e.organization_id, auth.uid() is null;
  if not seen then raise exception 'a link needs what it leads to' using errcode = '23503', detail = 'CN342'; end if;
  return new;
end $$;
create trigger c_guard before insert or update on evidence_links for each row execute function compliance.guard_evidence_link();

create function compliance.guard_control() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  f public.frameworks;
begin
  if tg_op = 'UPDATE' then
    if (new.framework_id, new.code) is distinct from (old.framework_id, old.code) then
      raise exception 'a control keeps its framework and its code' using errcode = '42501', detail = 'CN343';
    end if;
    return new;
  end if;
  select * into f from public.frameworks x where x.id = new.framework_id;
  if not found or sync.pushing() and auth.uid() is not null and not access.is_in_sight(f.scopes) then
    raise exception 'a control needs its framework' using errcode = '23503', detail = 'CN344';
  end if;
  new.organization_id := f.organization_id;
  -- A derived id is its own row's, and nobody takes it before them.
  if auth.uid() is not null and new.id <> extensions.uuid_generate_v5(new.framework_id, 'control/' || new.code) then
    raise exception 'this id follows from another record' using errcode = '23514', constraint = 'id_is_derived', detail = 'CN230';
  end if;
  return new;
end $$;
create trigger c_guard before insert or update on controls for each row execute function compliance.guard_control();

create function compliance.guard_control_link() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  c public.controls;
  seen boolean;
begin
  if tg_op = 'UPDATE' then
    if (new.control_id, new.target_table, new.target_id) is distinct from (old.control_id, old.target_table, old.target_id) then
      raise exception 'a link keeps its ends' using errcode = '42501', detail = 'CN340';
    end if;
    return new;
  end if;
  select * into c from public.controls x where x.id = new.control_id;
  if not found or sync.pushing() and auth.uid() is not null and not access.is_in_sight(c.scopes) then
    raise exception 'a link needs its control' using errcode = '23503', detail = 'CN345';
  end if;
  new.organization_id := c.organization_id;
  execute format('select exists (select from public.%I t where t.id = $1 and t.organization_id = $2 and t.deleted_at is null and ($3 or access.is_in_sight(t.scopes)))',
    new.target_table) into seen using new.target_id, c.organization_id, auth.uid() is null;
  if not seen then raise exception 'a link needs what it leads to' using errcode = '23503', detail = 'CN342'; end if;
  return new;
end $$;
create trigger c_guard before insert or update on control_links for each row execute function compliance.guard_control_link();

-- A framework goes with its controls; one word in the log for all of them.
create function compliance.remove_controls() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update public.controls set deleted_at = new.deleted_at where framework_id = new.id and deleted_at is null;
  return null;
end $$;
create trigger d_controls after update on frameworks for each row
  when (old.deleted_at is null and new.deleted_at is not null) execute function compliance.remove_controls();

-- No delete policy, and no removal: a plan that is put away comes back under its id when its next edition is brought.
create function compliance.guard_poam() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  -- A derived id is its own row's, and nobody takes it before them.
  if tg_op = 'INSERT' and auth.uid() is not null
    and new.id <> extensions.uuid_generate_v5(new.organization_id, 'poam/' || new.source_id) then
    raise exception 'this id follows from another record' using errcode = '23514', constraint = 'id_is_derived', detail = 'CN230';
  end if;
  if new.deleted_at is not null and auth.uid() is not null then
    raise exception 'a plan is put away, not removed' using errcode = '42501', detail = 'CN346';
  end if;
  return new;
end $$;
create trigger c_guard before insert or update on poams for each row execute function compliance.guard_poam();

create function compliance.guard_poam_source() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is null then return new; end if;
  -- What somebody may not see is to them as if it were not there.
  if not exists (select from public.poams p where p.id = new.source_id and p.organization_id = new.organization_id and access.is_in_sight(p.scopes)) then
    raise exception 'an action item needs its plan' using errcode = '23503', detail = 'CN347';
  end if;
  if not access.may('control.manage', new.organization_id) then
    raise exception 'this needs control.manage' using errcode = '42501', detail = 'CN348';
  end if;
  if new.id is distinct from extensions.uuid_generate_v5(new.source_id, 'action/' || new.source_question) then
    raise exception 'this id follows from another record' using errcode = '23514', constraint = 'id_is_derived', detail = 'CN230';
  end if;
  return new;
end $$;
create trigger c_source_poam before insert on action_items for each row when (new.source_type = 'poam') execute function compliance.guard_poam_source();

create function compliance.guard_finding() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
  blank public.findings;
begin
  if tg_op = 'INSERT' then
    new := compliance.guard_new_finding(new);
    if caller is null or new.state = 'open' then
      if caller is not null then new.answer := null; new.answered_by := null; new.answered_at := null; end if;
      return new;
    end if;
    -- A device that raised and answered before it had signal sends both at once.
    if new.state <> 'answered' then raise exception 'a finding begins open' using errcode = '23514', hint = 'state', detail = 'CN349'; end if;
    blank := new;
    blank.state := 'open';
    return compliance.guard_finding_state(new, blank);
  end if;
  if caller is null or pg_trigger_depth() > 1 then return new; end if;
  if (new.subject_table, new.subject_id, new.raised_by, new.raised_at) is distinct from (old.subject_table, old.subject_id, old.raised_by, old.raised_at) then
    raise exception 'a finding keeps what it is about and who raised it' using errcode = '42501', detail = 'CN350';
  end if;
  if (new.title, new.body, new.requirement, new.severity, new.deleted_at) is distinct from (old.title, old.body, old.requirement, old.severity, old.deleted_at)
    and (old.raised_by is distinct from caller or old.state <> 'open' or not access.may('finding.raise', old.organization_id)) then
    raise exception 'its author changes a finding, until it is answered' using errcode = '42501', detail = 'CN351';
  end if;
  if new.owner_id is distinct from old.owner_id then
    if not access.may('finding.answer', old.organization_id) then raise exception 'this needs finding.answer' using errcode = '42501', detail = 'CN172'; end if;
    if new.owner_id is not null and not access.is_member(new.organization_id, new.owner_id) then
      raise exception 'only a member of the organisation can be named on its records' using errcode = '42501', detail = 'CN083';
    end if;
  end if;
  if new.state <> old.state then return compliance.guard_finding_state(new, old); end if;
  if (new.answer, new.answered_by, new.answered_at, new.verdict, new.decided_by, new.decided_at)
    is distinct from (old.answer, old.answered_by, old.answered_at, old.verdict, old.decided_by, old.decided_at) then
    raise exception 'what was said stays' using errcode = '42501', detail = 'CN352';
  end if;
  return new;
end $$;
create trigger c_guard before insert or update on findings for each row execute function compliance.guard_finding();

create function compliance.guard_finding_source() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  f public.findings;
begin
  if auth.uid() is null then return new; end if;
  select * into f from public.findings x where x.id = new.source_id and x.organization_id = new.organization_id and x.deleted_at is null;
  if not found or not access.is_in_sight(f.scopes) then
    raise exception 'an action item needs its finding' using errcode = '23503', detail = 'CN353';
  end if;
  if not (access.may('finding.answer', f.organization_id) or coalesce(f.owner_id = auth.uid(), false)) then
    raise exception 'this needs finding.answer' using errcode = '42501', detail = 'CN172';
  end if;
  return new;
end $$;
create trigger c_source_finding before insert on action_items for each row when (new.source_type = 'finding') execute function compliance.guard_finding_source();

create function compliance.note_evidence_text() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is null or not sync.is_device_edit() then return null; end if;
  if tg_table_name = 'evidence' then
    if compliance.evidence_statement(new) is distinct from compliance.evidence_statement(old) then perform compliance.note_evidence_author(new.id); end if;
  elsif tg_table_name = 'evidence_links' then
    perform compliance.note_evidence_author(new.evidence_id);
  elsif to_jsonb(new) - array['state', 'completed_at', 'version', 'updated_at', 'scopes'] is distinct from
      to_jsonb(old) - array['state', 'completed_at', 'version', 'updated_at', 'scopes'] then
    perform compliance.note_evidence_author(e.id) from public.evidence e
      where e.media_ids <> '[]' and e.media_ids ? new.id::text and e.organization_id = new.organization_id;
  end if;
  return null;
end $$;
create trigger x_author after update on public.evidence for each row execute function compliance.note_evidence_text();
create trigger x_author after insert or update on public.evidence_links for each row execute function compliance.note_evidence_text();
create trigger x_author after update on public.media for each row execute function compliance.note_evidence_text();

-- What accepted evidence shows is part of the decision: afterwards whoever could decide on it says so.
create function compliance.guard_decided_link() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  e public.evidence;
begin
  if auth.uid() is null or not sync.is_device_edit() then return new; end if;
  select * into e from public.evidence x where x.id = new.evidence_id;
  if not found or e.state in ('collected', 'sent_back') or access.is_outsider(e.organization_id) then return new; end if;
  if not access.may('evidence.review', e.organization_id) or compliance.is_own_evidence(e, auth.uid()) then
    raise exception 'what was decided on stays as it is; a revision follows it' using errcode = '42501', detail = 'CN339';
  end if;
  return new;
end $$;
create trigger d_decided before insert or update on public.evidence_links for each row execute function compliance.guard_decided_link();

-- Triggers whose functions stand with another area.

create trigger a0_require_push before insert on evidence for each statement execute function sync.require_push();
create trigger a2_times before insert or update on evidence for each row
  when (new.collected_at > now() + interval '1 day') execute function sync.clamp_times_ahead('collected_at');
create trigger b_creator before insert or update on evidence for each row execute function space.set_creator();
create trigger b_fixed_organization before update on evidence for each row execute function space.refuse_organization_change();
create trigger x_history after insert or update of owner_id on evidence for each row execute function access.note_assignment('owner_id');

create trigger a0_require_push before insert on evidence_links for each statement execute function sync.require_push();
create trigger b_creator before insert or update on evidence_links for each row execute function space.set_creator();
create trigger b_fixed_organization before update on evidence_links for each row execute function space.refuse_organization_change();

create trigger a0_require_push before insert on frameworks for each statement execute function sync.require_push();
create trigger b_creator before insert or update on frameworks
  for each row execute function space.set_creator();
create trigger b_fixed_organization before update on frameworks
  for each row execute function space.refuse_organization_change();

create trigger a0_require_push before insert on controls for each statement execute function sync.require_push();
create trigger b_creator before insert or update on controls
  for each row execute function space.set_creator();
create trigger b_fixed_organization before update on controls
  for each row execute function space.refuse_organization_change();

create trigger a0_require_push before insert on control_links for each statement execute function sync.require_push();
create trigger b_creator before insert or update on control_links
  for each row execute function space.set_creator();
create trigger b_fixed_organization before update on control_links
  for each row execute function space.refuse_organization_change();

create trigger a0_require_push before insert on poams for each statement execute function sync.require_push();
create trigger b_creator before insert or update on poams for each row execute function space.set_creator();
create trigger b_fixed_organization before update on poams for each row execute function space.refuse_organization_change();

create trigger a0_require_push before insert on findings for each statement execute function sync.require_push();
create trigger b_fixed_organization before update on findings for each row execute function space.refuse_organization_change();
-- Whom a new finding names follows from what it is about.
create trigger x_history_insert after insert on public.findings for each row execute function access.note_assignment('owner_id', 'server');
create trigger x_history_update after update on public.findings for each row when (new.owner_id is distinct from old.owner_id)
  execute function access.note_assignment('owner_id');
create trigger x_history_answer_insert after insert on public.findings for each row execute function access.note_assignment('answered_by');
create trigger x_history_answer_update after update on public.findings for each row when (new.answered_by is distinct from old.answered_by)
  execute function access.note_assignment('answered_by');

-- Who may call what.
revoke execute on function compliance.guard_evidence(), compliance.supersede_evidence(), compliance.guard_evidence_link(), compliance.guard_control(),
  compliance.guard_control_link(), compliance.remove_controls(), compliance.guard_poam(), compliance.guard_poam_source(), compliance.guard_finding(), compliance.guard_finding_source(),
  compliance.note_evidence_text(), compliance.guard_decided_link() from public;

-- Who sees and writes which rows.

grant insert, update on evidence to authenticated;
create policy "scope reads" on evidence for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "members add" on evidence for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('evidence.add')) and scopes && (select array(select my_scopes())));
create policy "whose it is and reviewers change" on evidence for update to authenticated
  using ((select sync.pushing()) and scopes && (select array(select my_scopes()))
    and (organization_id in (select my_organizations_with('evidence.review'))
      or organization_id in (select my_organizations_with('evidence.add')) and (created_by = (select auth.uid()) or owner_id = (select auth.uid()))));

grant insert, update on evidence_links to authenticated;
create policy "scope reads" on evidence_links for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "members link" on evidence_links for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('evidence.add')) and scopes && (select array(select my_scopes())));
create policy "whose it is and reviewers unlink" on evidence_links for update to authenticated
  using ((select sync.pushing()) and scopes && (select array(select my_scopes()))
    and (organization_id in (select my_organizations_with('evidence.review'))
      or organization_id in (select my_organizations_with('evidence.add')) and (created_by = (select auth.uid()) or owner_id = (select auth.uid()))));

grant insert, update on frameworks to authenticated;
create policy "scope reads" on frameworks for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "managers add" on frameworks for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('control.manage')));
create policy "managers change" on frameworks for update to authenticated
  using ((select sync.pushing()) and organization_id in (select my_organizations_with('control.manage')));

grant insert, update on controls to authenticated;
create policy "scope reads" on controls for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "managers add" on controls for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('control.manage')));
create policy "managers change" on controls for update to authenticated
  using ((select sync.pushing()) and organization_id in (select my_organizations_with('control.manage')));

grant insert, update on control_links to authenticated;
create policy "scope reads" on control_links for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "managers link" on control_links for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('control.manage')));
create policy "managers unlink" on control_links for update to authenticated
  using ((select sync.pushing()) and organization_id in (select my_organizations_with('control.manage')));

grant insert, update on poams to authenticated;
create policy "scope reads" on poams for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "managers add" on poams for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('control.manage')));
create policy "managers change" on poams for update to authenticated
  using ((select sync.pushing()) and organization_id in (select my_organizations_with('control.manage')));

grant insert, update on findings to authenticated;
create policy "scope reads" on findings for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "auditors add" on findings for insert to authenticated
  with check ((select sync.pushing()) and raised_by = (select auth.uid()) and organization_id in (select my_organizations_with('finding.raise')));
create policy "auditors, the responsible and who answers change" on findings for update to authenticated
  using ((select sync.pushing()) and scopes && (select array(select my_scopes()))
    and (organization_id in (select my_organizations_with('finding.raise')) or organization_id in (select my_organizations_with('finding.answer'))
      or owner_id = (select auth.uid())));

alter table sync.evidence_author enable row level security;
