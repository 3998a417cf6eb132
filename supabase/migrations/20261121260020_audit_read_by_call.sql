-- The audit log is read by the calls that note who read it, and by nothing else.

revoke select on audit_entries, audit_heads from authenticated;

-- As before; an export is noted wherever it begins: what goes on from a portion is one that this person began within the hour.
create or replace function export_audit_log(p_organization uuid, p_after bigint default 0, p_limit integer default 5000) returns jsonb
  language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
declare
  found jsonb;
  most constant integer := least(greatest(coalesce(p_limit, 5000), 1), 5000);
begin
  perform audit.need_reader(p_organization);
  select coalesce(jsonb_agg(jsonb_build_object('seq', e.seq, 'at', to_char(e.at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'actor_id', e.actor_id,
      'act', e.act, 'subject_table', e.subject_table, 'subject_id', e.subject_id, 'detail', e.detail::text, 'hash', e.hash) order by e.seq), '[]')
    into found from (
      select * from public.audit_entries a where a.organization_id = p_organization and a.seq > coalesce(p_after, 0)
      order by a.seq limit most) e;
  if coalesce(p_after, 0) < 1 or not exists (select from public.audit_entries e where e.organization_id = p_organization
      and e.actor_id = auth.uid() and e.act = 'audit.exported' and e.at > now() - interval '1 hour') then
    perform audit.note(p_organization, 'audit.exported', 'organizations', p_organization);
  end if;
  return jsonb_build_object('organization_id', p_organization, 'entries', found, 'head', audit.head(p_organization),
    'next', case when jsonb_array_length(found) = most then found -> -1 -> 'seq' end,
    'heads', (select coalesce(jsonb_agg(jsonb_build_object('day', h.day, 'seq', h.seq, 'hash', h.hash) order by h.day), '[]')
      from public.audit_heads h where h.organization_id = p_organization));
end $$;

