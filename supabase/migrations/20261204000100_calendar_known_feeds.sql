-- Whoever made a feed before, or has it, says by its tag which one: where it is still that one, the tag alone is answered, and nothing
-- has to be sent and written anew. What is unknown, renewed or revoked is null whatever is known.

drop function calendar_feed(text);

-- For the server alone, whom a calendar asked: what the feed of that token holds now, with the rights its owner has now. `tag`: a hash
-- of all that the calendar's text depends on.
create function calendar_feed(p_token text, p_known text[] default '{}') returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  claims constant text := current_setting('request.jwt.claims', true);
  caller constant text := current_setting('request.jwt.claim.sub', true);
  f calendar.feed;
  rights text[];
  feed jsonb;
  tag text;
begin
  -- Whose account is locked is answered as if there were no such feed.
  select x.* into f from calendar.feed x join auth.users u on u.id = x.user_id and coalesce(u.banned_until <= now(), true)
    where x.hash = identity.token_hash(left(p_token, 200));
  if f.id is null then return null; end if;
  -- In the owner's name: what they may read is asked where it is always asked.
  perform set_config('request.jwt.claims', ((coalesce(nullif(claims, ''), '{}')::jsonb - 'session_id')
    || jsonb_build_object('sub', f.user_id, 'aal', 'aal2'))::text, true);
  perform set_config('request.jwt.claim.sub', f.user_id::text, true);
  perform sync.forget_kept_rights();
  rights := array(select public.my_scopes());
  perform set_config('request.jwt.claims', coalesce(claims, ''), true);
  perform set_config('request.jwt.claim.sub', coalesce(caller, ''), true);
  perform sync.forget_kept_rights();
  update calendar.feed x set read_at = now() where x.id = f.id and (x.read_at is null or x.read_at < now() - interval '1 minute');
  feed := jsonb_build_object('kind', f.kind, 'zone', f.zone,
    'language', (select p.language from public.user_preferences p where p.user_id = f.user_id), 'entries', calendar.entries(f.user_id, f.kind, rights));
  tag := md5(feed::text);
  return case when tag = any (p_known) then '{}' else feed end || jsonb_build_object('tag', tag);
end $$;

revoke execute on function calendar_feed(text, text[]) from public, anon, authenticated;
grant execute on function calendar_feed(text, text[]) to service_role;
