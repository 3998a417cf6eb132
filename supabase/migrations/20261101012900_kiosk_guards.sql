-- The kiosk, and acknowledgement rates over time: guards and what else triggers do, and who sees and writes which rows.

-- Decides what a word at a kiosk counts for: only for who is a member and owes it, and never twice. The policy is locked against
-- publishing meanwhile, and against a second word of the same person.
-- For people of one's sites.
create function kiosk.apply_acknowledgement() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  v public.policy_versions;
  p public.policies;
  needed integer;
begin
  select * into v from public.policy_versions x where x.id = new.version_id;
  -- What somebody may not see is to them as if it were not there.
  if v.major is null or sync.pushing() and auth.uid() is not null and not v.scopes && array(select public.my_scopes()) then
    raise exception 'only what was published is acknowledged' using errcode = '23503', detail = 'CN326';
  end if;
  new.organization_id := v.organization_id;
  new.policy_id := v.policy_id;
  if not sync.is_device_edit() then return new; end if;
  if new.witness_id is distinct from auth.uid() or not access.may('policy.witness', v.organization_id) then
    raise exception 'a word of another has a witness' using errcode = '42501', detail = 'CN335';
  end if;
  if new.user_id is null or not access.is_member(v.organization_id, new.user_id) or not kiosk.shares_site(v.organization_id, new.user_id) then
    raise exception 'only members of the organisation acknowledge' using errcode = '42501', detail = 'CN336';
  end if;
  if new.user_id = new.witness_id then
    raise exception 'nobody witnesses their own word' using errcode = '42501', detail = 'CN337';
  end if;
  new.opened_at := sync.clamp_device_time(new.opened_at, v.published_at);
  new.decided_at := sync.clamp_device_time(new.decided_at, v.published_at);
  new.quiz_at := sync.clamp_device_time(new.quiz_at, v.published_at);
  select * into p from public.policies q where q.id = v.policy_id for share;
  perform pg_advisory_xact_lock(hashtextextended('kiosk/' || v.policy_id::text || new.user_id::text, 0));
  new.proof := case when kiosk.consume_pass(new) then 'pin' else 'witness' end;
  perform kiosk.check_acknowledgement(new, v);
  if v.major < p.current_major then
    new.outcome := case when kiosk.acknowledge(new, v, 'void', null) then 'void' else 'already' end;
  elsif exists (select from public.policy_acknowledgements a join public.policy_versions x on x.id = a.version_id
      where a.policy_id = v.policy_id and a.user_id = new.user_id and x.major = v.major and a.state in ('acknowledged', 'exempt') and a.deleted_at is null) then
    new.outcome := 'already';
  elsif p.state <> 'published' or policy.requested_since(v.organization_id, v.policy_id, v.major, new.user_id) is null then
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
create trigger c_apply_acknowledgement before insert on kiosk_acknowledgements for each row execute function kiosk.apply_acknowledgement();

-- Triggers whose functions stand with another area.

-- No policy for update or delete: what was said stays. The grant is what the lock of a push asks for.
create trigger a0_require_push before insert on kiosk_acknowledgements for each statement execute function sync.require_push();

-- Who may call what.
revoke execute on function kiosk.apply_acknowledgement() from public;

-- Of site_members, team_members and organization_members. Arguments: the kind, and the column that says where or as what.
create function rates.note_belonging() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
declare
  was constant jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  become constant jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  told constant text[] := array['organization_id', 'user_id', 'joined_at', 'valid_until', 'deleted_at', tg_argv[1]];
begin
  if tg_op = 'UPDATE' and not exists (select from unnest(told) c where was -> c is distinct from become -> c) then return null; end if;
  if was is not null then
    update rates.belonging b set until = greatest(b.since, now())
      where b.organization_id = old.organization_id and b.user_id = old.user_id and b.kind = tg_argv[0] and b.until is null
        and b.what = was ->> tg_argv[1];
  end if;
  if become ->> 'deleted_at' is null and become is not null then
    insert into rates.belonging (organization_id, user_id, kind, what, joined_at, valid_until, since)
      values (new.organization_id, new.user_id, tg_argv[0], become ->> tg_argv[1], (become ->> 'joined_at')::timestamptz,
        (become ->> 'valid_until')::timestamptz, now());
  end if;
  return null;
end $$;
create trigger x_rates after insert or update or delete on organization_members for each row execute function rates.note_belonging('member', 'role');
create trigger x_rates after insert or update or delete on site_members for each row execute function rates.note_belonging('site', 'site_id');
create trigger x_rates after insert or update or delete on team_members for each row execute function rates.note_belonging('team', 'team_id');

create function rates.note_asking() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' then
    if (new.state, new.due_days, new.deleted_at) is not distinct from (old.state, old.due_days, old.deleted_at) then return null; end if;
    update rates.request_period a set until = greatest(a.since, now()) where a.campaign_id = new.id and a.until is null;
  end if;
  if new.state = 'active' and new.deleted_at is null then
    insert into rates.request_period (campaign_id, due_days, since) values (new.id, new.due_days, now());
    perform rates.begin_counting(new.organization_id, now());
  end if;
  return null;
end $$;
create trigger x_rates after insert or update on acknowledgement_campaigns for each row execute function rates.note_asking();

create function rates.note_in_force() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' then
    if (new.state, new.current_major, new.major_since, new.deleted_at)
      is not distinct from (old.state, old.current_major, old.major_since, old.deleted_at) then return null; end if;
    update rates.in_force f set until = greatest(f.since, now())
      where f.organization_id = new.organization_id and f.policy_id = new.id and f.until is null;
  end if;
  if new.state = 'published' and new.deleted_at is null and new.current_major is not null then
    insert into rates.in_force (organization_id, policy_id, major, major_since, since)
      values (new.organization_id, new.id, new.current_major, coalesce(new.major_since, now()), now());
  end if;
  return null;
end $$;
create trigger x_rates after insert or update on policies for each row execute function rates.note_in_force();

-- Who may call what.
revoke execute on function kiosk.apply_acknowledgement(), rates.note_belonging(), rates.note_asking(), rates.note_in_force() from public;

-- Who sees and writes which rows.

alter table kiosk.pin enable row level security;

alter table kiosk.pass enable row level security;

grant insert, update on kiosk_acknowledgements to authenticated;
create policy "scope reads" on kiosk_acknowledgements for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "witnesses bring" on kiosk_acknowledgements for insert to authenticated
  with check ((select sync.pushing()) and witness_id = (select auth.uid()) and organization_id in (select my_organizations_with('policy.witness')));

alter table rates.belonging enable row level security;

alter table rates.request_period enable row level security;

alter table rates.in_force enable row level security;

alter table rates.acknowledgement_day enable row level security;

alter table rates.counting_start enable row level security;
