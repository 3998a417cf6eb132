-- The policy marketplace: guards and what else triggers do, and who sees and writes which rows.

create function marketplace.guard_version() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  fault text;
begin
  if tg_op = 'UPDATE' then
    if (new.pack_id, new.number, new.contents) is not distinct from (old.pack_id, old.number, old.contents) then return new; end if;
    if old.state <> 'draft' then raise exception 'what was submitted stays as it is' using errcode = '42501', detail = 'CN404'; end if;
  end if;
  fault := coalesce(marketplace.contents_fault(new.contents), marketplace.bounds_fault(new.contents));
  if fault is not null then raise exception 'these contents are refused: %', fault using errcode = '23514', hint = fault, detail = 'CN405'; end if;
  new.content_hash := encode(sha256(convert_to(new.contents::text, 'UTF8')), 'hex');
  select p.organization_id into new.organization_id from public.policy_packs p where p.id = new.pack_id;
  return new;
end $$;
create trigger b_guard before insert or update on pack_versions for each row execute function marketplace.guard_version();

-- What a pack is follows from its versions: the newest listed one is the one that is offered.
create function marketplace.version_moved() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  v public.pack_versions;
begin
  select * into v from public.pack_versions w where w.pack_id = new.pack_id and w.state = 'listed' order by w.rank desc limit 1;
  update public.policy_packs p set current_version_id = v.id, current_number = v.number, updated_at = now(),
    status = case when v.id is not null then 'active'
      when exists (select from public.pack_versions w where w.pack_id = new.pack_id and w.state = 'withdrawn') then 'withdrawn' else 'draft' end
    where p.id = new.pack_id;
  return null;
end $$;
create trigger f_pack after insert or update of state on pack_versions for each row execute function marketplace.version_moved();

create function marketplace.count_playbooks() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  one constant uuid := case tg_op when 'DELETE' then old.pack_id else new.pack_id end;
begin
  update public.policy_packs p set linked_playbooks =
    (select count(*) from public.pack_installs i where i.pack_id = one and i.playbook_id is not null) where p.id = one;
  return null;
end $$;
create trigger f_count after insert or delete on pack_installs for each row execute function marketplace.count_playbooks();

-- Of a person who speaks for several companies the newest word counts.
create function marketplace.count_stars() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  one constant uuid := case tg_op when 'DELETE' then old.pack_id else new.pack_id end;
begin
  update public.policy_packs p set rating_count = r.n, rating_sum = r.stars
    from (select count(*) as n, coalesce(sum(w.stars), 0) as stars from (
      select distinct on (coalesce(q.created_by, q.id)) q.stars from public.pack_reviews q where q.pack_id = one
      order by coalesce(q.created_by, q.id), q.updated_at desc, q.id) w) r where p.id = one;
  return null;
end $$;
create trigger f_count after insert or update or delete on pack_reviews for each row execute function marketplace.count_stars();

create function marketplace.notify_version_moved() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  p public.policy_packs;
  person record;
  params jsonb;
begin
  select * into p from public.policy_packs q where q.id = new.pack_id;
  params := jsonb_build_object('title', p.name, 'number', new.number);
  if new.state = 'submitted' then
    for person in select distinct u.user_id from public.user_roles u join public.role_permissions r
      on r.role_kind = 'system' and r.role = u.role and r.permission = 'platform.moderate' and r.deleted_at is null where u.deleted_at is null
    loop
      continue when exists (select from public.organization_members m where m.user_id = person.user_id and m.organization_id = p.organization_id
        and access.is_member(m.organization_id, m.user_id));
      perform inbox.notify(person.user_id, 'pack.waits', 'pack/' || new.id::text || '/waits/' || new.submitted_at::text,
        '/policy-marketplace/' || p.id::text, params, new.id, null, auth.uid());
    end loop;
    return null;
  end if;
  perform inbox.mark_resolved_read(new.id, array['pack.waits'], null);
  if new.state in ('listed', 'withdrawn') or new.state = 'draft' and old.state = 'in_review' then
    perform inbox.notify(coalesce(new.submitted_by, new.created_by), 'pack.' || case new.state when 'draft' then 'sent_back' else new.state end,
      'pack/' || new.id::text || '/' || new.state || '/' || new.updated_at::text, '/policy-marketplace/' || p.id::text, params, p.id, p.organization_id, auth.uid());
  end if;
  if new.state = 'listed' then
    for person in select distinct i.organization_id, coalesce(q, i.installed_by) user_id from public.pack_installs i
      left join lateral inbox.people_with('marketplace.access', i.organization_id, null) q on i.installed_by is null
        or not access.is_member(i.organization_id, i.installed_by)
      where i.pack_id = p.id and i.version_id <> new.id
    loop
      perform inbox.notify(person.user_id, 'pack.later', 'pack/' || p.id::text || '/later/' || new.number || '/' || person.organization_id::text,
        '/policy-marketplace/' || p.id::text || '/update', params, p.id, person.organization_id, auth.uid());
    end loop;
  end if;
  return null;
end $$;
create trigger d_notify after update of state on pack_versions
  for each row when (old.state is distinct from new.state) execute function marketplace.notify_version_moved();

create function marketplace.seal_draft() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  new.draft_hash := (select encode(sha256(convert_to(jsonb_build_array(new.number, new.changelog, new.content_hash, p.name, p.summary, p.kind, p.licence,
      p.attribution, p.locale, p.industry, p.frameworks, p.is_template)::text, 'UTF8')), 'hex') from public.policy_packs p where p.id = new.pack_id);
  return new;
end $$;
-- After b_guard, which makes the contents' own hash.
create trigger c_seal before insert or update on pack_versions for each row execute function marketplace.seal_draft();

create function marketplace.notify_facts_changed() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update public.pack_versions v set updated_at = now() where v.pack_id = new.id and v.state = 'draft';
  return null;
end $$;
create trigger c_seal after update of name, summary, kind, licence, attribution, locale, industry, frameworks, is_template on policy_packs
  for each row execute function marketplace.notify_facts_changed();

-- A pack that was listed before is measured when it is taken over, with the values that were given.
create function marketplace.guard_install() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  fault text;
begin
  if tg_op = 'UPDATE' and (new.version_id, new.variables) is not distinct from (old.version_id, old.variables) then return new; end if;
  select marketplace.bounds_fault(v.contents, new.variables) into fault from public.pack_versions v where v.id = new.version_id;
  if fault is not null then raise exception 'this pack is past a bound: %', fault using errcode = '23514', hint = fault, detail = 'CN406'; end if;
  return new;
end $$;
create trigger b_bounds before insert or update on pack_installs for each row execute function marketplace.guard_install();

-- Who may call what.
revoke execute on function marketplace.guard_version(), marketplace.version_moved(), marketplace.count_playbooks(), marketplace.count_stars(),
  marketplace.notify_version_moved(), marketplace.seal_draft(), marketplace.notify_facts_changed(), marketplace.guard_install() from public;

-- Who sees and writes which rows.

alter table policy_packs enable row level security;
revoke all on policy_packs from anon, authenticated;
grant select on policy_packs to authenticated;
create policy "who may install reads" on policy_packs for select to authenticated
  using (is_template and status = 'active' and (select my_marketplace_is_open())
    or organization_id in (select my_marketplace_companies('marketplace.access'))
    or organization_id in (select my_marketplace_companies('content.manage'))
    -- What one has is still looked up when it is offered no more.
    or id in (select i.pack_id from pack_installs i)
    or id in (select my_packs_to_review()));

alter table pack_versions enable row level security;
revoke all on pack_versions from anon, authenticated;
grant select on pack_versions to authenticated;
create policy "who may install reads" on pack_versions for select to authenticated
  using (state = 'listed' and pack_id in (select p.id from policy_packs p where p.status = 'active')
    or organization_id in (select my_marketplace_companies('content.manage'))
    or state in ('listed', 'withdrawn') and pack_id in (select i.pack_id from pack_installs i)
    or state <> 'draft' and pack_id in (select my_packs_to_review()));

alter table pack_installs enable row level security;
revoke all on pack_installs from anon, authenticated;
grant select on pack_installs to authenticated;
create policy "who may install reads" on pack_installs for select to authenticated
  using (organization_id in (select my_marketplace_companies('marketplace.access')));

create policy "scope reads" on pack_items for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));

alter table pack_reviews enable row level security;
revoke all on pack_reviews from anon, authenticated;
grant select on pack_reviews to authenticated;
create policy "who may install reads" on pack_reviews for select to authenticated
  using (organization_id in (select my_marketplace_companies('marketplace.access')));
