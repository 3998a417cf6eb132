-- What somebody without an account may do by a guest link: see one action item, and say yes, no or done. Whatever opens nothing is
-- answered with null; whoever holds a true token that is over is told why, and nothing else.

create function intake.guest_link_of(p_token text) returns intake.guest_link
  language sql stable security definer set search_path = '' as $$
  select l from intake.guest_token t
  join intake.guest_link l on l.id = t.link_id
  join public.organizations o on o.id = l.organization_id and o.deleted_at is null
  where t.hash = identity.token_hash(left(p_token, 200))
$$;

-- Photos of the item that are here, oldest first.
create function intake.guest_photos(a public.action_items) returns table (id uuid, mime text)
  language sql stable security definer set search_path = '' as $$
  select m.id, m.mime from jsonb_array_elements_text(a.media_ids) with ordinality f (id, n) join public.media m on m.id::text = f.id
  where m.organization_id = a.organization_id and m.kind = 'photo' and m.state = 'complete' and m.deleted_at is null
  order by f.n
$$;

-- What the page offers next. `again`: what they did was sent back.
create function intake.guest_step(l intake.guest_link, a public.action_items) returns text
  language sql stable set search_path = '' return
  case when a.status = 'ready_for_verification' then 'checking' when l.state = 'given' then 'asked' when l.state = 'done' then 'again'
    else 'accepted' end;

create function intake.needs_photo(a public.action_items) returns boolean
  language sql stable security definer set search_path = '' return a.evidence_required and not sync.action_has_evidence(a);

create function intake.guest_answer(l intake.guest_link) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select case when intake.guest_standing(l, a) <> 'open' then jsonb_build_object('standing', intake.guest_standing(l, a))
    else jsonb_build_object('standing', 'open', 'step', intake.guest_step(l, a), 'organization', o.name, 'by', inbox.name_of(l.created_by),
      'name', l.name, 'title', a.title, 'description', a.description, 'due_at', a.due_at, 'site', s.name, 'until', l.until,
      'needs_photo', intake.needs_photo(a),
      'photos', (select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'mime', p.mime)), '[]') from intake.guest_photos(a) p),
      'said', (select coalesce(jsonb_agg(jsonb_build_object('act', w.act, 'at', w.said_at, 'text', c.body) order by w.created_at), '[]')
        from intake.guest_word w left join public.comments c on c.id = w.comment_id and c.deleted_at is null where w.link_id = l.id)) end
  from public.action_items a
  join public.organizations o on o.id = a.organization_id
  left join public.sites s on s.id = a.site_id and s.deleted_at is null
  where a.id = l.action_id
$$;

-- For anybody who holds a link: {standing} and, while it is open, the one action item.
create function open_guest_link(p_token text) returns jsonb
  language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
declare
  l intake.guest_link;
begin
  select * into l from intake.guest_link_of(p_token);
  if l.id is null then return null; end if;
  update intake.guest_link x set opened_at = coalesce(x.opened_at, now()), seen_at = now()
    where x.id = l.id and (x.seen_at is null or x.seen_at < now() - interval '1 minute');
  return intake.guest_answer(l);
end $$;

-- What was sent, cleaned; refuses whatever is not exactly a guest's word. The same limits stand in
-- packages/core/src/action-items/guest-word.ts.
create function intake.read_word(p jsonb) returns jsonb
  language plpgsql stable security definer set search_path = '' set timezone = 'UTC' as $$
declare
  said text;
begin
  if p is null or jsonb_typeof(p) <> 'object' or octet_length(p::text) > 20000 or p - array['act', 'text', 'photos', 'said_at'] <> '{}'
    or exists (select from jsonb_each(p) f where jsonb_typeof(f.value) <> case f.key when 'photos' then 'array' else 'string' end) then
    perform intake.refuse();
  end if;
  said := intake.plain(p ->> 'text');
  if coalesce(p ->> 'act', '') not in ('accept', 'decline', 'done') or char_length(said) > 4000
    or (said is null) <> (p ->> 'act' = 'accept')
    or coalesce(p ->> 'said_at', '') !~ '^20\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d(\.\d{1,3})?Z$'
    or not pg_input_is_valid(p ->> 'said_at', 'timestamptz') then
    perform intake.refuse();
  end if;
  if jsonb_array_length(coalesce(p -> 'photos', '[]')) > (case when p ->> 'act' = 'done' then 5 else 0 end)
    or exists (select from jsonb_array_elements(coalesce(p -> 'photos', '[]')) f where not intake.is_photo(f)) then
    perform intake.refuse();
  end if;
  return jsonb_build_object('act', p ->> 'act', 'text', said, 'photos', coalesce(p -> 'photos', '[]'),
    'said_at', least(greatest((p ->> 'said_at')::timestamptz, now() - interval '30 days'), now()));
end $$;

-- Ten words in ten minutes, forty and 200 MB of photos in a day: more than anybody says of one piece of work.
create function intake.lets_guest(l intake.guest_link, p_bytes bigint) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  lately bigint;
  day bigint;
  day_bytes numeric;
begin
  select count(*) filter (where w.created_at > clock_timestamp() - interval '10 minutes'), count(*), coalesce(sum(w.bytes), 0)
    into lately, day, day_bytes from intake.guest_word w where w.link_id = l.id and w.created_at > clock_timestamp() - interval '1 day';
  if lately >= 10 or day >= 40 or day_bytes + p_bytes > 200000000 then
    raise exception 'too much at once by this link' using errcode = 'PT429', hint = 'Try again later';
  end if;
end $$;

-- Where a word moves the item: at most to its check.
create function intake.moved_by_guest(p_act text, l intake.guest_link, a public.action_items) returns text
  language sql immutable set search_path = '' return
  case p_act when 'accept' then case when l.state = 'given' and a.status in ('open', 'assigned', 'needs_revision') then 'in_progress' else a.status end
    when 'decline' then case when l.state <> 'given' and a.status = 'in_progress' then case when a.assignee_id is null then 'open' else 'assigned' end else a.status end
    else case when a.status in ('open', 'assigned', 'in_progress', 'needs_revision') then 'ready_for_verification' else a.status end end;

-- Those who follow it hear, and whoever gave the link; who was just asked to check it has heard.
create function intake.tell_guest_word(l intake.guest_link, p_act text, p_key text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  a public.action_items;
  type constant text := 'action.guest_' || case p_act when 'accept' then 'accepted' when 'decline' then 'declined' else 'done' end;
  told uuid;
begin
  select * into a from public.action_items x where x.id = l.action_id;
  for told in
    select f from sync.followers('action_items', a.id) f union select l.created_by where l.created_by is not null
    except select n.user_id from public.notifications n where n.subject_id = a.id and n.type = 'action.to_verify' and not n.is_read
  loop
    perform inbox.notify(told, type, 'guest/' || p_key, '/action-items/' || a.id::text, jsonb_build_object('title', a.title, 'by', l.name), a.id, a.organization_id);
  end loop;
end $$;

-- Keeps a word that is let in; answers its comment, where it has words.
create function intake.keep_word(l intake.guest_link, a public.action_items, p_said jsonb) returns uuid
  language plpgsql volatile security definer set search_path = '' as $$
declare
  act constant text := p_said ->> 'act';
  made uuid;
begin
  if p_said ->> 'text' is not null then
    insert into public.comments (organization_id, subject_table, subject_id, body, outside_name, written_at)
      values (a.organization_id, 'action_items', a.id, p_said ->> 'text', l.name, (p_said ->> 'said_at')::timestamptz) returning id into made;
  end if;
  update public.action_items x set status = intake.moved_by_guest(act, l, a), done_by = case when act = 'done' then null else x.done_by end
    where x.id = a.id and x.status <> intake.moved_by_guest(act, l, a);
  update intake.guest_link x set state = case act when 'accept' then case when x.state = 'given' then 'accepted' else x.state end
    when 'decline' then 'declined' else 'done' end where x.id = l.id;
  return made;
end $$;

-- A word by anybody with a link that is open; answers as open_guest_link and whether it was `taken`, which counts once however often
-- the same call comes; null where the token opens nothing.
--
-- p_key: 64 hex digits made on the phone, never reused; who holds it may bring the announced photos.
create function submit_guest_word(p_token text, p_key text, p_word jsonb) returns jsonb
  language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
declare
  said jsonb;
  hash bytea;
  size bigint;
  before intake.guest_word;
  l intake.guest_link;
  a public.action_items;
  made uuid;
begin
  if coalesce(p_key, '') !~ '^[0-9a-f]{64}$' then perform intake.refuse(); end if;
  said := intake.read_word(p_word);
  hash := sha256(convert_to(p_key, 'UTF8'));
  -- The same call twice at once: the second waits for the first.
  perform pg_advisory_xact_lock(hashtextextended(encode(hash, 'hex'), 7));
  select * into l from intake.guest_link_of(p_token);
  if l.id is null then return null; end if;
  select * into before from intake.guest_word w where w.key_hash = hash;
  if found then
    if before.link_id <> l.id or before.body_hash <> sha256(convert_to(p_word::text, 'UTF8')) then perform intake.refuse(); end if;
    return intake.guest_answer(l) || '{"taken": true}';
  end if;
  -- One at a time for each item; what may have changed meanwhile is read again.
  select * into a from public.action_items x where x.id = l.action_id for update;
  select * into l from intake.guest_link x where x.id = l.id for update;
  if intake.guest_standing(l, a) <> 'open' then return intake.guest_answer(l) || '{"taken": false}'; end if;
  if said ->> 'act' = 'decline' and a.status = 'ready_for_verification'
    or said ->> 'act' = 'done' and said -> 'photos' = '[]' and intake.needs_photo(a) then
    perform intake.refuse();
  end if;
  select coalesce(sum((f ->> 'bytes')::bigint), 0) into size from jsonb_array_elements(said -> 'photos') f;
  perform intake.lets_guest(l, size);
  perform set_config('sync.outside', l.name, true);
  made := intake.keep_word(l, a, said);
  perform set_config('sync.outside', '', true);
  insert into intake.guest_word (key_hash, link_id, act, comment_id, body_hash, bytes, said_at)
    values (hash, l.id, said ->> 'act', made, sha256(convert_to(p_word::text, 'UTF8')), size, (said ->> 'said_at')::timestamptz);
  insert into intake.guest_photo (key_hash, n, bytes, sha256)
    select hash, f.n, (f.photo ->> 'bytes')::bigint, f.photo ->> 'sha256' from jsonb_array_elements(said -> 'photos') with ordinality f (photo, n);
  perform intake.tell_guest_word(l, said ->> 'act', encode(hash, 'hex'));
  perform audit.note(l.organization_id, 'guest_link.' || case said ->> 'act' when 'accept' then 'accepted' when 'decline' then 'declined' else 'done' end,
    'action_items', a.id, jsonb_build_object('link', l.id, 'name', l.name));
  select * into l from intake.guest_link x where x.id = l.id;
  return intake.guest_answer(l) || '{"taken": true}';
end $$;

-- What a guest's word said is settled once the item has moved on.
create function inbox.guest_settled() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if new.status <> 'ready_for_verification' then perform inbox.settled(new.id, array['action.guest_done']); end if;
  if inbox.action_ended(new.status) then perform inbox.settled(new.id, array['action.guest_accepted', 'action.guest_declined']); end if;
  return null;
end $$;
create trigger x_notify_guest after update of status on action_items for each row
  when (old.status is distinct from new.status) execute function inbox.guest_settled();

-- For the server that was brought the bytes of photo `p_n`: where they belong and what they must be, for seven days. Null for a key
-- or number that announced nothing, and for a link that was taken back.
create function guest_word_photo(p_key text, p_n integer) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('name', l.organization_id::text || '/' || p.media_id::text, 'bytes', p.bytes, 'sha256', p.sha256,
    'kept', p.kept_at is not null)
  from intake.guest_word w
  join intake.guest_link l on l.id = w.link_id and l.revoked_at is null
  join public.action_items a on a.id = l.action_id and a.deleted_at is null
  join intake.guest_photo p on p.key_hash = w.key_hash and p.n = p_n
  where w.key_hash = sha256(convert_to(left(p_key, 200), 'UTF8')) and (p.kept_at is not null or w.created_at > now() - interval '7 days')
$$;

-- For the server that looked at the bytes and stored them: from here on the photo belongs to the word and, unless that was ended
-- meanwhile, to the item.
create function keep_guest_photo(p_key text, p_n integer, p_mime text, p_width integer, p_height integer) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  hash constant bytea := sha256(convert_to(left(p_key, 200), 'UTF8'));
  w intake.guest_word;
  l intake.guest_link;
  a public.action_items;
  p intake.guest_photo;
begin
  select * into w from intake.guest_word x where x.key_hash = hash;
  select * into l from intake.guest_link x where x.id = w.link_id;
  select * into a from public.action_items x where x.id = l.action_id for update;
  select * into p from intake.guest_photo x where x.key_hash = hash and x.n = p_n for update;
  if p.media_id is null then raise exception 'no such photo' using errcode = 'P0002'; end if;
  if p.kept_at is not null then return; end if;
  perform set_config('sync.outside', l.name, true);
  insert into public.media (id, organization_id, site_id, kind, mime, bytes, sha256, width, height, state, captured_at, completed_at)
    values (p.media_id, a.organization_id, a.site_id, 'photo', p_mime, p.bytes, p.sha256, p_width, p_height, 'complete', w.said_at, now());
  update public.comments x set media_ids = x.media_ids || to_jsonb(p.media_id::text) where x.id = w.comment_id;
  update public.action_items x set media_ids = x.media_ids || to_jsonb(p.media_id::text) where x.id = a.id and not inbox.action_ended(x.status);
  perform set_config('sync.outside', '', true);
  update intake.guest_photo x set kept_at = now() where x.key_hash = hash and x.n = p_n;
end $$;

-- For the server: where a photo of the item lies that the holder of an open link may see. Null for every other.
create function guest_picture(p_token text, p_media uuid) returns text
  language sql stable security definer set search_path = '' as $$
  select a.organization_id::text || '/' || p.id::text
  from intake.guest_link_of(p_token) l
  join public.action_items a on a.id = l.action_id and intake.guest_standing(l, a) = 'open'
  cross join lateral intake.guest_photos(a) p where p.id = p_media
$$;

-- As before; photos that never became part of a guest's word too.
create or replace function stray_public_photos(p_removed text[] default '{}') returns setof text
  language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from intake.photo p using public.issue_reports r
    where r.id = p.report_id and p.kept_at is null and r.organization_id::text || '/' || p.media_id::text = any (p_removed);
  delete from intake.guest_photo p using intake.guest_word w, intake.guest_link l
    where w.key_hash = p.key_hash and l.id = w.link_id and p.kept_at is null and l.organization_id::text || '/' || p.media_id::text = any (p_removed);
  return query
    select s.name from (
      select r.organization_id::text || '/' || p.media_id::text as name, s.created_at
      from intake.photo p
      join public.issue_reports r on r.id = p.report_id
      join intake.submission s on s.report_id = p.report_id
      where p.kept_at is null and (s.created_at < now() - interval '7 days' or r.deleted_at is not null)
      union all
      select l.organization_id::text || '/' || p.media_id::text, w.created_at
      from intake.guest_photo p
      join intake.guest_word w on w.key_hash = p.key_hash
      join intake.guest_link l on l.id = w.link_id
      where p.kept_at is null and w.created_at < now() - interval '7 days') s
    order by s.created_at limit 100;
end $$;

revoke execute on all functions in schema intake from public;
revoke execute on function inbox.guest_settled() from public;
revoke execute on function open_guest_link(text), submit_guest_word(text, text, jsonb), guest_word_photo(text, integer),
  keep_guest_photo(text, integer, text, integer, integer), guest_picture(text, uuid) from public, anon, authenticated;
-- To nobody who is signed in: what comes by a link is said by its holder, not by an account.
grant execute on function open_guest_link(text), submit_guest_word(text, text, jsonb) to anon;
grant execute on function guest_word_photo(text, integer), keep_guest_photo(text, integer, text, integer, integer), guest_picture(text, uuid)
  to service_role;
