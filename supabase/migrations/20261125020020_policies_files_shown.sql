-- Policies that are files, in what is made of policies: a certificate names the file, and a pack, which holds texts only, leaves them out
-- (docs/decisions/0620-an-uploaded-file-is-the-words-of-a-version.md).

-- As before; with the file that was signed for.
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
      'content_hash', a.content_hash, 'file', case when v.file is not null then jsonb_build_object('name', v.file -> 'name', 'sha256', v.file -> 'sha256') end,
      'signed_name', a.signed_name, 'method', a.method, 'signature', a.signature,
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

-- As before; what is a file stays at home: a pack carries words that its buyers can change.
create or replace function pack_contents_of(p_organization uuid, p_policies uuid[], p_forms uuid[], p_tasks uuid[]) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
begin
  if auth.uid() is null or p_organization is null or p_organization not in (select public.my_marketplace_companies('content.manage')) then
    raise exception 'making packs needs content.manage and a tier that creates' using errcode = '42501';
  end if;
  return jsonb_build_object('schema', 1, 'variables', '[]'::jsonb,
    'policies', (select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('key', 'p-' || left(p.id::text, 8), 'title', left(v.title, 180), 'code', left(p.code, 30),
        'summary', left(p.summary, 800), 'body', v.body, 'classification', p.classification, 'review_months', p.review_months)) order by v.title, p.id), '[]')
      from public.policies p join public.policy_versions v on v.id = p.current_version_id
      where p.organization_id = p_organization and p.deleted_at is null and p.state = 'published' and p.id = any (p_policies)
        and v.file is null and p.scopes && array(select public.my_scopes())),
    'forms', (select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('key', 'f-' || left(f.id::text, 8), 'name', left(f.name, 180), 'description', left(f.description, 2000),
        'category', left(f.category, 60))) || jsonb_build_object('definition', v.definition) order by f.name, f.id), '[]')
      from public.forms f join public.form_versions v on v.id = f.current_version_id
      where f.organization_id = p_organization and f.deleted_at is null and f.state = 'published' and f.id = any (p_forms)
        and f.scopes && array(select public.my_scopes())),
    'tasks', (select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('key', 't-' || left(k.id::text, 8), 'title', left(k.title, 280), 'notes', left(k.notes, 10000),
        'priority', k.priority, 'steps', (select coalesce(jsonb_agg(left(s.title, 280) order by s.position, s.id), '[]') from public.task_items s
          where s.task_id = k.id and s.deleted_at is null))) order by k.title, k.id), '[]')
      from public.tasks k where k.organization_id = p_organization and k.deleted_at is null and k.id = any (p_tasks)
        and k.scopes && array(select public.my_scopes())));
end $$;
