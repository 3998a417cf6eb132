-- Who else has a record open just now (docs/decisions/0672-who-else-is-here.md): a private channel of the record, for whoever sees it. Nothing
-- is stored; whoever may not hear of a record hears of nobody there either, and cannot say that they are.

create function sync.may_be_near() returns boolean
  language plpgsql stable security definer set search_path = '' as $$
declare
  place constant text[] := regexp_match(realtime.topic(), '^near:([a-z_]{1,40}):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$');
begin
  return place is not null and exists (
    select from sync.subject_of(place[1], place[2]::uuid) s where not s.is_gone and sync.is_in_sight(s.scopes));
end $$;
revoke execute on function sync.may_be_near() from public;
grant execute on function sync.may_be_near() to authenticated;

create policy "cairn: who is near" on realtime.messages for select to authenticated
  using (extension = 'presence' and (select sync.may_be_near()));
create policy "cairn: being near" on realtime.messages for insert to authenticated
  with check (extension = 'presence' and (select sync.may_be_near()));
