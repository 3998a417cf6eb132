-- Whoever wrote of a piece of evidence (made it, answered for it, changed it, took a file of it, said what it is about) does not decide on it
-- while somebody else can, and a decision changes nothing of what it decides on
-- (docs/decisions/22-separation-of-duties-and-frozen-records.md).

create table sync.evidence_author (
  evidence_id uuid not null references public.evidence (id) on delete cascade,
  user_id     uuid not null references auth.users (id) on delete cascade,
  primary key (evidence_id, user_id)
);
create index evidence_author_user on sync.evidence_author (user_id);
alter table sync.evidence_author enable row level security;
comment on table sync.evidence_author is 'who changed a piece of evidence, its files or its links before it was decided on';

-- What only a decision and the server change.
create function sync.said_of_evidence(e public.evidence) returns jsonb
  language sql stable set search_path = ''
  return to_jsonb(e) - array['state', 'review_note', 'reviewed_by', 'reviewed_at', 'version', 'updated_at', 'scopes', 'brought_by', 'brought_at'];

create function sync.note_evidence_author(p_evidence uuid) returns void
  language sql volatile security definer set search_path = '' as $$
  insert into sync.evidence_author (evidence_id, user_id)
    select e.id, auth.uid() from public.evidence e where e.id = p_evidence and e.state in ('collected', 'sent_back') and auth.uid() is not null
    on conflict do nothing
$$;
create function sync.note_evidence_words() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is null or not sync.is_device_edit() then return null; end if;
  if tg_table_name = 'evidence' then
    if sync.said_of_evidence(new) is distinct from sync.said_of_evidence(old) then perform sync.note_evidence_author(new.id); end if;
  elsif tg_table_name = 'evidence_links' then
    perform sync.note_evidence_author(new.evidence_id);
  elsif to_jsonb(new) - array['state', 'completed_at', 'version', 'updated_at', 'scopes'] is distinct from
      to_jsonb(old) - array['state', 'completed_at', 'version', 'updated_at', 'scopes'] then
    perform sync.note_evidence_author(e.id) from public.evidence e
      where e.media_ids <> '[]' and e.media_ids ? new.id::text and e.organization_id = new.organization_id;
  end if;
  return null;
end $$;
create trigger x_author after update on public.evidence for each row execute function sync.note_evidence_words();
create trigger x_author after insert or update on public.evidence_links for each row execute function sync.note_evidence_words();
create trigger x_author after update on public.media for each row execute function sync.note_evidence_words();

create function sync.wrote_evidence(p public.evidence, p_person uuid) returns boolean
  language sql stable security definer set search_path = '' as $$
  select coalesce(p_person in (p.created_by, p.owner_id), false)
    or sync.had_hand('evidence', p.id, p_person) or sync.has_held('evidence', p.id, p_person)
    or exists (select from sync.evidence_author a where a.evidence_id = p.id and a.user_id = p_person)
    or exists (select from public.media m where m.organization_id = p.organization_id and m.captured_by = p_person and p.media_ids ? m.id::text)
$$;
create or replace function sync.is_own_evidence(p public.evidence, p_caller uuid) returns boolean
  language sql stable security definer set search_path = '' as $$
  select sync.wrote_evidence(p, p_caller)
    and exists (select from inbox.people_with('evidence.review', p.organization_id, null) q where q <> p_caller and not sync.wrote_evidence(p, q))
$$;

-- As before; also taking back what was accepted is a second person's word.
create or replace function sync.guard_evidence_review(new_row public.evidence, p_from text) returns void
  language plpgsql stable security definer set search_path = '' as $$
begin
  if not sync.evidence_may_become(p_from, new_row.state) or new_row.state = 'superseded' then
    raise exception 'evidence that is % cannot become %', p_from, new_row.state using errcode = '23514', hint = 'state';
  end if;
  if new_row.state = 'collected' or new_row.state = 'withdrawn' and p_from <> 'accepted' then return; end if;
  if not sync.may('evidence.review', new_row.organization_id) then
    raise exception 'this needs evidence.review' using errcode = '42501';
  end if;
  -- Accepted work of somebody who left brings no decision of theirs.
  if sync.only_home() is not null then raise exception 'a decision is given in one''s own name' using errcode = '42501'; end if;
  if sync.is_own_evidence(new_row, auth.uid()) then
    raise exception 'somebody else decides on one''s own evidence' using errcode = '42501', hint = 'own';
  end if;
  if new_row.state <> 'accepted' and btrim(coalesce(new_row.review_note, '')) = '' then
    raise exception 'who says no says why' using errcode = '23514', hint = 'reason';
  end if;
end $$;

-- What is said with a new state, by whom and when go together; a note of somebody else is not taken over by who says nothing.
create function sync.decide_evidence(e public.evidence, old_row public.evidence) returns public.evidence
  language plpgsql stable security definer set search_path = '' as $$
declare
  judged public.evidence := old_row;
begin
  if e.state = 'collected' then
    if e.review_note is distinct from old_row.review_note then
      raise exception 'what was said with a decision stays' using errcode = '42501';
    end if;
    perform sync.guard_evidence_review(e, old_row.state);
    return e;
  end if;
  if sync.said_of_evidence(e) is distinct from sync.said_of_evidence(old_row) then
    raise exception 'a decision changes nothing of what it decides on' using errcode = '42501';
  end if;
  if e.review_note is not distinct from old_row.review_note and old_row.reviewed_by is distinct from auth.uid() then e.review_note := null; end if;
  judged.state := e.state;
  judged.review_note := e.review_note;
  perform sync.guard_evidence_review(judged, old_row.state);
  e.reviewed_by := auth.uid();
  e.reviewed_at := clock_timestamp();
  return e;
end $$;

create or replace function sync.guard_evidence() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if sync.is_outsider(new.organization_id) then return new; end if;   -- the policy refuses, and says nothing of who is who
  if tg_op = 'INSERT' then
    new.revision := sync.number_evidence(new);
    if auth.uid() is null then return new; end if;
    new.state := 'collected';
    new.review_note := null;
    new.reviewed_by := null;
    new.reviewed_at := null;
    new.received_at := clock_timestamp();
  elsif (new.series_id, new.collected_at) is distinct from (old.series_id, old.collected_at) then
    raise exception 'evidence keeps its series and the moment it was collected' using errcode = '42501';
  end if;
  if new.owner_id is not null and auth.uid() is not null and (tg_op = 'INSERT' or new.owner_id is distinct from old.owner_id)
    and not sync.is_member(new.organization_id, new.owner_id) then
    raise exception 'only a member of the organisation can be named on its records' using errcode = '42501';
  end if;
  if tg_op = 'INSERT' or not sync.is_device_edit() then return new; end if;
  if old.state not in ('collected', 'sent_back') and
    (new.title, new.description, new.period_from, new.period_to, new.effective_on, new.expires_on, new.media_ids, new.deleted_at) is distinct from
    (old.title, old.description, old.period_from, old.period_to, old.effective_on, old.expires_on, old.media_ids, old.deleted_at) then
    raise exception 'what was decided on stays as it is; a revision follows it' using errcode = '42501';
  end if;
  new.reviewed_by := old.reviewed_by;
  new.reviewed_at := old.reviewed_at;
  if new.state <> old.state then return sync.decide_evidence(new, old); end if;
  if new.review_note is distinct from old.review_note then
    raise exception 'what was said with a decision stays' using errcode = '42501';
  end if;
  return new;
end $$;

-- What accepted evidence shows is part of the decision: afterwards whoever could decide on it says so.
create function sync.guard_decided_link() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  e public.evidence;
begin
  if auth.uid() is null or not sync.is_device_edit() then return new; end if;
  select * into e from public.evidence x where x.id = new.evidence_id;
  if not found or e.state in ('collected', 'sent_back') or sync.is_outsider(e.organization_id) then return new; end if;
  if not sync.may('evidence.review', e.organization_id) or sync.is_own_evidence(e, auth.uid()) then
    raise exception 'what was decided on stays as it is; a revision follows it' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger d_decided before insert or update on public.evidence_links for each row execute function sync.guard_decided_link();

-- Who changed what of it, as of other work.
create trigger y_activity after update on public.evidence for each row
  execute function sync.note_activity('state,owner_id,period_from,period_to,effective_on,expires_on', 'title,description,media_ids,review_note');

create or replace function public.record_activity(p_table text, p_id uuid, p_before bigint default null) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  of record;
begin
  if p_table is null or p_table not in ('action_items', 'tasks', 'issue_reports', 'findings', 'evidence') then
    raise exception 'this kind of record keeps no activity' using errcode = '22023';
  end if;
  if p_table = 'evidence' then
    select e.scopes, e.deleted_at is not null as is_gone into of from public.evidence e where e.id = p_id;
  else
    select * into of from sync.subject_of(p_table, p_id);
  end if;
  if not found or of.is_gone or auth.uid() is null or not sync.is_in_sight(of.scopes) then return '[]'; end if;
  return (select coalesce(jsonb_agg(jsonb_build_object('id', a.id, 'at', a.at, 'by', a.by_id, 'field', a.field, 'before', a.before, 'after', a.after, 'outside', a.outside, 'brought_by', a.brought_by)
      order by a.id desc), '[]')
    from (select * from sync.activity x where x.record_id = p_id and x.tbl = p_table and (p_before is null or x.id < p_before)
      order by x.id desc limit 50) a);
end $$;

revoke execute on function sync.said_of_evidence(public.evidence), sync.note_evidence_author(uuid), sync.note_evidence_words(),
  sync.wrote_evidence(public.evidence, uuid), sync.decide_evidence(public.evidence, public.evidence), sync.guard_decided_link() from public;
