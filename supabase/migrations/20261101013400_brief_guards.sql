-- Weekly briefs of Triad Intelligence: guards and what else triggers do, and who sees and writes which rows.

create function brief.grant_withdrawn() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform brief.withdraw_lines(new.relationship_id, new.id);
  return null;
end $$;
create trigger x_briefs after update on consent_grants for each row
  when (new.revoked_at is not null and old.revoked_at is null or new.deleted_at is not null and old.deleted_at is null)
  execute function brief.grant_withdrawn();

-- A pause hides what was sent until the two go on; an end does for good, and with it goes what was not sent yet.
create function brief.brief_relationship_moved() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update public.triad_brief_copies c set is_open = (new.state = 'active' and new.deleted_at is null and c.taken_back_at is null)
    where c.relationship_id = new.id and c.is_open <> (new.state = 'active' and new.deleted_at is null and c.taken_back_at is null);
  if new.state = 'ended' or new.deleted_at is not null then perform brief.withdraw_lines(new.id, null); end if;
  return null;
end $$;
create trigger x_briefs after update on circle_relationships for each row
  when (new.state is distinct from old.state or new.deleted_at is distinct from old.deleted_at)
  execute function brief.brief_relationship_moved();

-- Who may call what.
revoke execute on function brief.grant_withdrawn(), brief.brief_relationship_moved() from public;

-- Who sees and writes which rows.

create policy "the person and their operator read" on triad_briefs for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));

create policy "the person reads" on triad_brief_lines for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));

create policy "the person and whom they sent it to read" on triad_brief_copies for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
