-- Nobody approves what they wrote while somebody else can, whoever sent it in. Who wrote is noted as it is written.

create table sync.policy_author (
  version_id uuid not null references public.policy_versions (id) on delete cascade,
  user_id    uuid not null references auth.users (id) on delete cascade,
  primary key (version_id, user_id)
);
create index policy_author_user on sync.policy_author (user_id);

create function sync.note_policy_author() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  insert into sync.policy_author (version_id, user_id) values (new.id, auth.uid()) on conflict do nothing;
  return null;
end $$;
create trigger x_author_insert after insert on policy_versions for each row
  when (auth.uid() is not null) execute function sync.note_policy_author();
create trigger x_author_update after update on policy_versions for each row
  when (auth.uid() is not null and (old.title, old.body, old.changelog) is distinct from (new.title, new.body, new.changelog))
  execute function sync.note_policy_author();

-- Who made what is to be approved; each area adds its branch.
create function sync.authors_of(p_table text, p_subject uuid) returns setof uuid
  language sql stable security definer set search_path = '' as $$
  select a.user_id from sync.policy_author a where p_table = 'policy_versions' and a.version_id = p_subject
$$;

-- Whether somebody of the organisation could decide who neither wrote nor asks.
create function sync.somebody_else_decides(p_organization uuid, p_permission text, p_authors uuid[]) returns boolean
  language sql stable security definer set search_path = '' as $$
  select exists (select from sync.holders(p_permission, p_organization) h where h <> all (p_authors))
$$;

-- Fires after c_count, which has said whose decision it is.
create function sync.guard_own_text() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  r public.approval_requests;
  authors uuid[];
begin
  if auth.uid() is null then return new; end if;
  select * into r from public.approval_requests q where q.id = new.request_id;
  authors := array(select sync.authors_of(r.subject_table, r.subject_id));
  if (new.decided_by = any (authors) or new.approver_id = any (authors))
    and sync.somebody_else_decides(r.organization_id, r.permission, authors || r.requested_by) then
    raise exception 'somebody else decides on one''s own text' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger d_own_text before insert on approval_decisions for each row execute function sync.guard_own_text();

create or replace function sync.open_approval(p_organization uuid, p_permission text, p_table text, p_subject uuid, p_path text, p_title text,
  p_stages jsonb, p_note text) returns uuid
  language plpgsql volatile security definer set search_path = '' as $$
declare
  made uuid;
  authors constant uuid[] := array(select sync.authors_of(p_table, p_subject));
begin
  if sync.are_stages(p_stages) is not true then raise exception 'these are no stages of an approval' using errcode = '22023'; end if;
  if exists (select from jsonb_array_elements(p_stages) s, jsonb_array_elements_text(s -> 'people') e
    where e::uuid not in (select sync.holders(p_permission, p_organization))) then
    raise exception 'who is asked must hold %', p_permission using errcode = '22023', hint = 'approver_without_right';
  end if;
  if exists (select from jsonb_array_elements(p_stages) s, jsonb_array_elements_text(s -> 'people') e
      where e::uuid = auth.uid() and sync.somebody_else_decides(p_organization, p_permission, array[auth.uid()])
        or e::uuid = any (authors) and sync.somebody_else_decides(p_organization, p_permission, authors || auth.uid())) then
    raise exception 'somebody else decides on one''s own request' using errcode = '22023', hint = 'own_request';
  end if;
  insert into public.approval_requests (organization_id, permission, subject_table, subject_id, path, title, note, stages, requested_by)
    values (p_organization, p_permission, p_table, p_subject, p_path, p_title, nullif(btrim(p_note), ''), p_stages, auth.uid())
    returning id into made;
  return made;
end $$;

revoke execute on function sync.note_policy_author(), sync.authors_of(text, uuid), sync.somebody_else_decides(uuid, text, uuid[]),
  sync.guard_own_text() from public;
