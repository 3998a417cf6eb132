-- Who has to do with a pack hears of it: whoever made it, that a version is listed, sent back or withdrawn; whoever looks after listings,
-- that one waits; whoever took it over, that there is a later one. And two people who write one draft do not undo each other.

insert into notification_types (key, module, class, setting, app, push, email) values
  ('pack.waits', 'policy-marketplace', 'normal', null, 'immediate', 'off', 'daily'),
  ('pack.listed', 'policy-marketplace', 'normal', null, 'immediate', 'immediate', 'daily'),
  ('pack.sent_back', 'policy-marketplace', 'normal', null, 'immediate', 'immediate', 'daily'),
  ('pack.withdrawn', 'policy-marketplace', 'normal', null, 'immediate', 'immediate', 'daily'),
  ('pack.later', 'policy-marketplace', 'normal', null, 'immediate', 'off', 'daily');

create function marketplace.version_told() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  p public.policy_packs;
  person record;
  said jsonb;
begin
  select * into p from public.policy_packs q where q.id = new.pack_id;
  said := jsonb_build_object('title', p.name, 'number', new.number);
  if new.state = 'submitted' then
    for person in select distinct u.user_id from public.user_roles u join public.role_permissions r
      on r.role_kind = 'system' and r.role = u.role and r.permission = 'platform.moderate' and r.deleted_at is null where u.deleted_at is null
    loop
      continue when exists (select from public.organization_members m where m.user_id = person.user_id and m.organization_id = p.organization_id
        and sync.is_member(m.organization_id, m.user_id));
      perform inbox.notify(person.user_id, 'pack.waits', 'pack/' || new.id::text || '/waits/' || new.submitted_at::text,
        '/policy-marketplace/' || p.id::text, said, new.id, null, auth.uid());
    end loop;
    return null;
  end if;
  perform inbox.settled(new.id, array['pack.waits'], null);
  if new.state in ('listed', 'withdrawn') or new.state = 'draft' and old.state = 'in_review' then
    perform inbox.notify(coalesce(new.submitted_by, new.created_by), 'pack.' || case new.state when 'draft' then 'sent_back' else new.state end,
      'pack/' || new.id::text || '/' || new.state || '/' || new.updated_at::text, '/policy-marketplace/' || p.id::text, said, p.id, p.organization_id, auth.uid());
  end if;
  if new.state = 'listed' then
    for person in select distinct i.organization_id, coalesce(q, i.installed_by) user_id from public.pack_installs i
      left join lateral inbox.people_with('marketplace.access', i.organization_id, null) q on i.installed_by is null
        or not sync.is_member(i.organization_id, i.installed_by)
      where i.pack_id = p.id and i.version_id <> new.id
    loop
      perform inbox.notify(person.user_id, 'pack.later', 'pack/' || p.id::text || '/later/' || new.number || '/' || person.organization_id::text,
        '/policy-marketplace/' || p.id::text || '/update', said, p.id, person.organization_id, auth.uid());
    end loop;
  end if;
  return null;
end $$;
create trigger d_tell after update of state on pack_versions
  for each row when (old.state is distinct from new.state) execute function marketplace.version_told();

-- As before; and a draft that somebody else wrote anew since is left as they wrote it. Answers the hash of what stands there now.
drop function save_pack_version(uuid, uuid, text, text, jsonb);
create function save_pack_version(p_id uuid, p_pack uuid, p_number text, p_changelog text, p_contents jsonb, p_seen text default null) returns text
  language plpgsql volatile security definer set search_path = '' as $$
declare
  p constant public.policy_packs := marketplace.own_pack(p_pack);
  v public.pack_versions;
  hash text;
begin
  select * into v from public.pack_versions w where w.id = p_id for update;
  if found and (v.pack_id <> p.id or v.state <> 'draft') then
    raise exception 'what was submitted stays as it is' using errcode = '23514', hint = 'state';
  end if;
  if not found and p_seen is not null then
    raise exception 'this draft was thrown away' using errcode = '23514', hint = 'gone';
  end if;
  if found and p_seen is not null and v.content_hash <> p_seen and v.contents is distinct from p_contents then
    raise exception 'somebody changed this since' using errcode = '23514', hint = 'changed';
  end if;
  if exists (select from public.pack_versions w where w.pack_id = p.id and w.state in ('listed', 'withdrawn')
      and p_number ~ '^[0-9]{1,5}(\.[0-9]{1,5}){2}$' and w.rank >= string_to_array(p_number, '.')::integer[]) then
    raise exception 'a version follows the ones before it' using errcode = '23514', hint = 'number';
  end if;
  insert into public.pack_versions (id, pack_id, number, changelog, contents, created_by)
    values (p_id, p.id, p_number, coalesce(p_changelog, ''), p_contents, auth.uid())
    on conflict (id) do update set number = excluded.number, changelog = excluded.changelog, contents = excluded.contents, updated_at = now()
    returning content_hash into hash;
  return hash;
end $$;

-- A draft that shall not go on: the pack with it, where it never had another version.
create function drop_pack_draft(p_version uuid) returns uuid
  language plpgsql volatile security definer set search_path = '' as $$
declare
  p constant public.policy_packs := marketplace.own_pack((select w.pack_id from public.pack_versions w where w.id = p_version));
begin
  delete from public.pack_versions w where w.id = p_version and w.state = 'draft';
  if not found then
    raise exception 'what was submitted stays as it is' using errcode = '23514', hint = 'state';
  end if;
  if not exists (select from public.pack_versions w where w.pack_id = p.id) then
    delete from public.policy_packs q where q.id = p.id;
  end if;
  return p.id;
end $$;

-- As before; and a document's key is its record's whole id: those made within the same minute begin alike.
create or replace function pack_contents_of(p_organization uuid, p_policies uuid[], p_forms uuid[], p_tasks uuid[]) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
begin
  if auth.uid() is null or p_organization is null or p_organization not in (select public.my_marketplace_companies('content.manage')) then
    raise exception 'making packs needs content.manage and a tier that creates' using errcode = '42501';
  end if;
  return jsonb_build_object('schema', 1, 'variables', '[]'::jsonb,
    'policies', (select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('key', 'p-' || replace(p.id::text, '-', ''), 'title', left(v.title, 180), 'code', left(p.code, 30),
        'summary', left(p.summary, 800), 'body', v.body, 'classification', p.classification, 'review_months', p.review_months)) order by v.title, p.id), '[]')
      from public.policies p join public.policy_versions v on v.id = p.current_version_id
      where p.organization_id = p_organization and p.deleted_at is null and p.state = 'published' and p.id = any (p_policies)
        and v.file is null and p.scopes && array(select public.my_scopes())),
    'forms', (select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('key', 'f-' || replace(f.id::text, '-', ''), 'name', left(f.name, 180), 'description', left(f.description, 2000),
        'category', left(f.category, 60))) || jsonb_build_object('definition', v.definition) order by f.name, f.id), '[]')
      from public.forms f join public.form_versions v on v.id = f.current_version_id
      where f.organization_id = p_organization and f.deleted_at is null and f.state = 'published' and f.id = any (p_forms)
        and f.scopes && array(select public.my_scopes())),
    'tasks', (select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('key', 't-' || replace(k.id::text, '-', ''), 'title', left(k.title, 280), 'notes', left(k.notes, 10000),
        'priority', k.priority, 'steps', (select coalesce(jsonb_agg(left(s.title, 280) order by s.position, s.id), '[]') from public.task_items s
          where s.task_id = k.id and s.deleted_at is null))) order by k.title, k.id), '[]')
      from public.tasks k where k.organization_id = p_organization and k.deleted_at is null and k.id = any (p_tasks)
        and k.scopes && array(select public.my_scopes())));
end $$;

revoke execute on all functions in schema marketplace from public;
revoke execute on function save_pack_version(uuid, uuid, text, text, jsonb, text), drop_pack_draft(uuid) from public, anon, authenticated;
grant execute on function save_pack_version(uuid, uuid, text, text, jsonb, text), drop_pack_draft(uuid) to authenticated;
