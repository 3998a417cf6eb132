-- Who sees the report of their own sites only sees the certificates of the people there only, as in the report.

create or replace function acknowledgement_certificate(p_policy uuid, p_user uuid, p_major integer default null) returns jsonb
  language plpgsql stable security definer set search_path = '' set timezone = 'UTC' as $$
declare
  p public.policies;
  limited boolean;
begin
  select * into p from public.policies q where q.id = p_policy and q.deleted_at is null;
  if not found or auth.uid() is null or not sync.may('policy.report', p.organization_id) then
    raise exception 'no such policy' using errcode = '42501';
  end if;
  select coalesce(bool_or(m.site_limited), false) into limited from sync.my_memberships() m where m.organization_id = p.organization_id;
  if limited and not exists (select from public.site_members x
      where x.user_id = p_user and x.deleted_at is null and x.site_id in (select public.my_sites())) then
    return null;
  end if;
  return (
    select jsonb_build_object('organization', o.name, 'title', v.title, 'version', v.major::text || '.' || v.minor::text,
      'content_hash', a.content_hash, 'file', case when v.file is not null then jsonb_build_object('name', v.file -> 'name', 'sha256', v.file -> 'sha256') end,
      'signed_name', a.signed_name, 'account_name', a.account_name, 'method', a.method, 'signature', a.signature,
      'code', a.certificate_code, 'standing', sync.certificate_standing(a), 'requested_at', a.requested_at, 'opened_at', a.opened_at,
      'sections_read', a.sections_read, 'sections', a.sections, 'decided_at', a.decided_at, 'received_at', a.received_at,
      'replaced_at', (select min(w.published_at) from public.policy_versions w where w.policy_id = p.id and w.major > v.major),
      'archived_at', p.archived_at, 'quiz', case when a.quiz_attempts > 0 then jsonb_build_object('attempts', a.quiz_attempts,
        'right', coalesce(a.quiz_right, 0), 'of', sync.quiz_length(v.quiz), 'needed', a.quiz_needed, 'at', a.quiz_at) end,
      'kiosk', case when a.proof is not null then jsonb_build_object('proof', a.proof, 'device', a.device,
        'witness', coalesce(a.witness_name, (select w.display_name from public.people w where w.id = a.witness_id))) end)
    from public.policy_acknowledgements a
    join public.policy_versions v on v.id = a.version_id
    join public.organizations o on o.id = a.organization_id
    where a.policy_id = p.id and a.user_id = p_user and v.major = coalesce(p_major, p.current_major)
      and a.certificate_code is not null and a.deleted_at is null
    order by array_position(array['acknowledged', 'void'], a.state), a.received_at limit 1);
end $$;
