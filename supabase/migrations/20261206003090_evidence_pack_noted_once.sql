-- That a package of evidence was made is noted once a day and manifest, and a person has 100 of them a day noted: what an organisation keeps for
-- good must not grow by a loop.

create or replace function note_evidence_pack(p_organization uuid, p_sha256 text, p_files integer) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  if auth.uid() is null or not sync.may('evidence.read', p_organization) then
    raise exception 'this needs evidence.read in that organisation' using errcode = '42501';
  end if;
  if p_sha256 is null or p_sha256 !~ '^[0-9a-f]{64}$' or p_files is null or p_files < 0 then
    raise exception 'no manifest' using errcode = '22023';
  end if;
  -- One after the other: two calls at once are noted once.
  perform pg_advisory_xact_lock(hashtextextended('evidence_pack/' || p_organization::text, 0));
  if exists (select from public.audit_entries e where e.organization_id = p_organization and e.act = 'evidence.exported'
      and e.at > now() - interval '1 day' and e.detail ->> 'sha256' = p_sha256) then return; end if;
  if (select count(*) from public.audit_entries e where e.organization_id = p_organization and e.act = 'evidence.exported'
      and e.actor_id = auth.uid() and e.at > now() - interval '1 day') >= 100 then
    raise exception 'at most 100 packages a day' using errcode = 'P0001', hint = 'many';
  end if;
  perform audit.note(p_organization, 'evidence.exported', 'organizations', p_organization, jsonb_build_object('sha256', p_sha256, 'files', p_files));
end $$;
