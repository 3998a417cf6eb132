-- What decided evidence is linked to is part of what it proves: the audit log says who linked or unlinked it.
create function audit.note_evidence_link() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  was_there constant boolean := tg_op = 'UPDATE' and old.deleted_at is null;
  is_there constant boolean := new.deleted_at is null;
begin
  if was_there = is_there or not exists (select from public.evidence e
    where e.id = new.evidence_id and e.state not in ('collected', 'sent_back')) then return null; end if;
  perform audit.note(new.organization_id, case when is_there then 'evidence.linked' else 'evidence.unlinked' end, 'evidence', new.evidence_id,
    jsonb_build_object('table', new.target_table, 'id', new.target_id));
  return null;
end $$;
create trigger z_audit after insert or update on public.evidence_links for each row execute function audit.note_evidence_link();
revoke execute on function audit.note_evidence_link() from public;

-- As before; what an evidence pack held is noted once a day for each of its manifests.
create or replace function public.note_evidence_pack(p_organization uuid, p_sha256 text, p_files integer) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  if auth.uid() is null or not sync.may('evidence.read', p_organization) then
    raise exception 'this needs evidence.read in that organisation' using errcode = '42501';
  end if;
  if p_sha256 is null or p_sha256 !~ '^[0-9a-f]{64}$' or p_files is null or p_files < 0 then
    raise exception 'no manifest' using errcode = '22023';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('evidence pack/' || p_organization::text || auth.uid()::text, 0));
  if exists (select from sync.told_packs t where t.organization_id = p_organization and t.sha256 = p_sha256 and t.user_id = auth.uid()
    and t.told_at > now() - interval '1 day') then return; end if;
  if (select count(*) from sync.told_packs t where t.organization_id = p_organization and t.user_id = auth.uid()
    and t.told_at > now() - interval '1 day') >= 200 then
    raise exception 'at most 200 evidence packs a day' using errcode = 'PT429', hint = 'too_many';
  end if;
  delete from sync.told_packs t where t.organization_id = p_organization and t.user_id = auth.uid() and t.told_at <= now() - interval '1 day';
  insert into sync.told_packs (organization_id, user_id, sha256) values (p_organization, auth.uid(), p_sha256);
  perform audit.note(p_organization, 'evidence.exported', 'organizations', p_organization, jsonb_build_object('sha256', p_sha256, 'files', p_files));
end $$;

-- Whose evidence packs were noted today; the audit log keeps them.
create table sync.told_packs (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  user_id         uuid not null references auth.users (id) on delete cascade,
  sha256          text not null,
  told_at         timestamptz not null default now(),
  primary key (organization_id, user_id, sha256)
);
create index told_packs_user on sync.told_packs (user_id);
alter table sync.told_packs enable row level security;
