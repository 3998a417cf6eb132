-- The first save stores the specification's defaults, English and UTC among them; what is shown follows the browser until the person
-- chooses (docs/decisions/0780). The row says which of the two it is. Rows that are here already hold what their person sees.

alter table user_preferences add column locale_chosen boolean not null default true;
alter table user_preferences alter column locale_chosen set default false;
-- What is one person's alone keeps no statistics (request.exact_counts).
alter table user_preferences alter column locale_chosen set statistics 0;

-- Whoever stores another language, zone or format has chosen, also a client that knows nothing of the column; nobody unchooses.
create function sync.locale_chosen() returns trigger language plpgsql set search_path = '' as $$
begin
  new.locale_chosen := new.locale_chosen or case tg_op
    when 'INSERT' then (new.language, new.timezone, new.date_format, new.time_format) is distinct from ('en', 'UTC', 'MM/dd/yyyy', '12h')
    else old.locale_chosen or (new.language, new.timezone, new.date_format, new.time_format)
      is distinct from (old.language, old.timezone, old.date_format, old.time_format)
    end;
  return new;
end $$;
revoke execute on function sync.locale_chosen() from public;
create trigger c_locale_chosen before insert or update on user_preferences for each row execute function sync.locale_chosen();

-- Letters follow a chosen language; before, they go on speaking that of the sign-up.
drop trigger x_language_insert on user_preferences;
drop trigger x_language_update on user_preferences;
create trigger x_language_insert after insert on user_preferences for each row
  when (new.locale_chosen) execute function sync.tell_language();
create trigger x_language_update after update on user_preferences for each row
  when (new.locale_chosen and (old.language is distinct from new.language or not old.locale_chosen)) execute function sync.tell_language();

-- The language a person is written to in: the one they chose, else that of their sign-up.
create function inbox.language(p_user uuid) returns text language sql stable security definer set search_path = '' as $$
  select coalesce(
    (select p.language from public.user_preferences p where p.user_id = p_user and p.deleted_at is null and p.locale_chosen),
    (select substring(u.raw_user_meta_data ->> 'locale' from '^[a-z]{2}(?:-[A-Z]{2})?$') from auth.users u where u.id = p_user),
    'en')
$$;
revoke execute on function inbox.language(uuid) from public;

-- `inbox.settings` speaks it too: see 20261205002000_notifications_text.sql, which makes that function anew.

create or replace function calendar_feed(p_token text, p_known text[] default '{}') returns jsonb
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
    'language', inbox.language(f.user_id), 'entries', calendar.entries(f.user_id, f.kind, rights));
  tag := md5(feed::text);
  return case when tag = any (p_known) then '{}' else feed end || jsonb_build_object('tag', tag);
end $$;

-- 0007: a changed table has its push functions written anew.
select sync.refresh_table('user_preferences');
