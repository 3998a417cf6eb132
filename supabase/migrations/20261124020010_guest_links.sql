-- Guest links: somebody outside the organisation does one action item, by a link in a letter, without an account. Whoever may assign
-- the item gives the link, sees when it was opened and takes it back. Only hashes of tokens are kept, in a schema the API does not
-- serve. What comes by a link moves the item to its check and never further (docs/decisions/0585-a-guest-says-done-a-member-checks.md).

create table intake.guest_link (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations (id) on delete cascade,
  action_id       uuid not null references public.action_items (id) on delete cascade,
  name            text not null check (btrim(name) <> '' and char_length(name) <= 100),
  email           text not null check (char_length(email) <= 254 and email ~ '^[^@\s<>"(),:;\\]+@[^@\s<>"(),:;\\]+\.[^@\s<>"(),:;\\]+$'),
  until           date not null check (until >= date '1970-01-01' and until < date '2200-01-01'),   -- last day it opens, wherever one is
  state           text not null default 'given' check (state in ('given', 'accepted', 'declined', 'done')),   -- the guest's last word
  created_by      uuid references auth.users (id) on delete set null,
  created_at      timestamptz not null default now(),
  sent_at         timestamptz not null default now(),            -- when the last letter was asked for
  opened_at       timestamptz,                                   -- first
  seen_at         timestamptz,                                   -- last
  revoked_at      timestamptz
);
create index guest_link_action on intake.guest_link (action_id);
create index guest_link_organization on intake.guest_link (organization_id);
create index guest_link_created_by on intake.guest_link (created_by);

-- Each letter has a token of its own: a second letter must not end what somebody is writing behind the first one.
create table intake.guest_token (
  hash    bytea primary key,                                     -- sha-256 of the token
  link_id uuid not null references intake.guest_link (id) on delete cascade
);
create index guest_token_link on intake.guest_token (link_id);

-- One word of a guest that was taken. Its key was made on their phone: a repeated call is the same one, and its photos may follow.
create table intake.guest_word (
  key_hash   bytea primary key,                                  -- sha-256 of the key
  link_id    uuid not null references intake.guest_link (id) on delete cascade,
  act        text not null check (act in ('accept', 'decline', 'done')),
  comment_id uuid references public.comments (id) on delete set null,
  body_hash  bytea not null,
  bytes      bigint not null,                                    -- of its photos, as announced
  said_at    timestamptz not null,                               -- the phone's clock, within what it may have waited
  created_at timestamptz not null default clock_timestamp()
);
create index guest_word_link on intake.guest_word (link_id, created_at);
create index guest_word_comment on intake.guest_word (comment_id);
create table intake.guest_photo (
  key_hash bytea not null references intake.guest_word (key_hash) on delete cascade,
  n        integer not null check (n between 1 and 5),
  media_id uuid not null unique default gen_random_uuid(),
  bytes    bigint not null check (bytes between 1 and 8000000),
  sha256   text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  kept_at  timestamptz,
  primary key (key_hash, n)
);
alter table intake.guest_link enable row level security;
alter table intake.guest_token enable row level security;
alter table intake.guest_word enable row level security;
alter table intake.guest_photo enable row level security;

-- As many letters as invitations may cause, counted together with them.
create trigger f_count_letter after insert on intake.guest_link for each row execute function identity.count_letter();
create trigger f_count_letter_again after update of sent_at on intake.guest_link
  for each row when (new.sent_at > old.sent_at) execute function identity.count_letter();

-- Under which name it was said, where nobody who said it has an account here.
alter table comments add column outside_name text check (outside_name <> '' and char_length(outside_name) <= 100);
update sync.tables set server_columns = server_columns || array['outside_name'] where name = 'comments';
select sync.refresh_table('comments');
alter table sync.activity add column outside text default nullif(current_setting('sync.outside', true), '');

create function sync.guard_outside_name() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is not null then new.outside_name := case when tg_op = 'UPDATE' then old.outside_name end; end if;
  return new;
end $$;
create trigger b_outside before insert or update on comments for each row execute function sync.guard_outside_name();

create function pg_temp.extend(p_function text, p_before text, p_added text) returns void language plpgsql as $$
declare
  was constant text := pg_get_functiondef(p_function::regprocedure);
begin
  if position(p_before in was) = 0 then raise exception '% has no %', p_function, p_before; end if;
  execute replace(was, p_before, p_added);
end $$;
select pg_temp.extend('record_activity(text, uuid, bigint)', $x$'after', a.after)$x$, $x$'after', a.after, 'outside', a.outside)$x$);
-- What a guest says is told once, as what it is.
select pg_temp.extend('inbox.commented()', $x$if tg_op = 'UPDATE' then return null; end if;$x$,
  $x$if tg_op = 'UPDATE' or new.outside_name is not null then return null; end if;$x$);
select pg_temp.extend('inbox.followed_moved()', $x$  select * into of from sync.subject_of(tg_table_name, new.id);$x$,
  $x$  if coalesce(current_setting('sync.outside', true), '') <> '' then return null; end if;
  select * into of from sync.subject_of(tg_table_name, new.id);$x$);

insert into notification_types (key, module, class, setting, app, push, email) values
  ('action.guest_accepted', 'action-items', 'normal', null, 'immediate', 'off', 'daily'),
  ('action.guest_declined', 'action-items', 'normal', null, 'immediate', 'immediate', 'daily'),
  ('action.guest_done', 'action-items', 'normal', null, 'immediate', 'immediate', 'daily');

-- The action item, for whoever may give it to somebody: who made it, or manages action items there. Of companies alone.
create function intake.need_giver(p_action uuid) returns public.action_items
  language plpgsql volatile security definer set search_path = '' as $$
declare
  a public.action_items;
begin
  select * into a from public.action_items x where x.id = p_action for update;
  if not found or auth.uid() is null or a.deleted_at is not null or not sync.is_in_sight(a.scopes)
    or not exists (select from public.organizations o where o.id = a.organization_id and o.kind = 'company' and o.deleted_at is null)
    or not (sync.may('action.manage', a.organization_id)
      or coalesce(a.created_by = auth.uid(), false) and sync.may('action.work', a.organization_id)) then
    raise exception 'no such action item to give' using errcode = '42501';
  end if;
  perform sync.need_whole_session();
  return a;
end $$;

-- What has become of a link: open, or why it is not.
create function intake.guest_standing(l intake.guest_link, a public.action_items) returns text
  language sql stable set search_path = '' return
  case when l.revoked_at is not null then 'revoked' when l.state = 'declined' then 'declined'
    when a.deleted_at is not null or inbox.action_ended(a.status) then 'ended'
    -- Twelve hours behind UTC the day ends last.
    when now() >= (l.until + 1)::timestamp at time zone 'UTC' + interval '12 hours' then 'expired'
    else 'open' end;

create function intake.need_until(p_until date) returns void
  language plpgsql stable set search_path = '' as $$
begin
  if p_until is null or p_until < (now() at time zone 'UTC')::date - 1 or p_until > (now() at time zone 'UTC')::date + 366 then
    raise exception 'a link opens for at most a year' using errcode = '22023', hint = 'until';
  end if;
end $$;

create function intake.need_no_other(p_action uuid, p_link uuid default null) returns void
  language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (select from intake.guest_link l join public.action_items a on a.id = l.action_id
    where l.action_id = p_action and l.id is distinct from p_link and intake.guest_standing(l, a) = 'open') then
    raise exception 'somebody outside has it already' using errcode = '22023', hint = 'other';
  end if;
end $$;

create function intake.guest_letter(l intake.guest_link) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  token constant text := identity.new_token();
begin
  insert into intake.guest_token (hash, link_id) values (identity.token_hash(token), l.id);
  return jsonb_build_object('id', l.id, 'token', token, 'email', l.email, 'name', l.name, 'until', l.until,
    'organization', (select o.name from public.organizations o where o.id = l.organization_id));
end $$;

-- Gives an action item to somebody outside; answers the token, this once: {id, token, email, name, until, organization}.
create function give_guest_link(p_action uuid, p_name text, p_email text, p_until date) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  a constant public.action_items := intake.need_giver(p_action);
  name constant text := btrim(regexp_replace(intake.plain(p_name), '\s+', ' ', 'g'));
  l intake.guest_link;
begin
  if inbox.action_ended(a.status) then raise exception 'it is ended' using errcode = '22023', hint = 'state'; end if;
  perform intake.need_until(p_until);
  perform intake.need_no_other(a.id);
  if (select count(*) from intake.guest_link x where x.action_id = a.id) >= 50 then
    raise exception 'given often enough' using errcode = 'PT429', hint = 'too_many_invitations';
  end if;
  begin
    insert into intake.guest_link (organization_id, action_id, name, email, until, created_by)
      values (a.organization_id, a.id, name, lower(btrim(p_email)), p_until, auth.uid()) returning * into l;
  exception when check_violation or not_null_violation then
    raise exception 'a guest has a name and an address' using errcode = '22023', hint = 'person';
  end;
  perform audit.note(a.organization_id, 'guest_link.made', 'action_items', a.id, jsonb_build_object('link', l.id, 'name', l.name, 'until', l.until));
  return intake.guest_letter(l);
end $$;

-- The link, for whoever may give its item, and the item with it.
create function intake.my_guest_link(p_id uuid) returns intake.guest_link
  language plpgsql volatile security definer set search_path = '' as $$
declare
  l intake.guest_link;
begin
  -- One that is not there and one of somebody else are answered alike.
  perform intake.need_giver((select x.action_id from intake.guest_link x where x.id = p_id));
  select * into l from intake.guest_link x where x.id = p_id for update;
  return l;
end $$;

create function intake.standing_of(l intake.guest_link) returns text
  language sql stable security definer set search_path = '' return
  (select intake.guest_standing(l, a) from public.action_items a where a.id = l.action_id);

-- One more letter with a token of its own; those before open the same. As give_guest_link answers.
create function send_guest_link_again(p_id uuid) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  l intake.guest_link := intake.my_guest_link(p_id);
begin
  if intake.standing_of(l) <> 'open' then raise exception 'the link is over' using errcode = '22023', hint = 'state'; end if;
  update intake.guest_link x set sent_at = clock_timestamp() where x.id = l.id;
  perform audit.note(l.organization_id, 'guest_link.sent_again', 'action_items', l.action_id, jsonb_build_object('link', l.id, 'name', l.name));
  return intake.guest_letter(l);
end $$;

-- Another last day; a link that ran out opens again.
create function change_guest_link(p_id uuid, p_until date) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  l intake.guest_link := intake.my_guest_link(p_id);
begin
  perform intake.need_until(p_until);
  if intake.standing_of(l) not in ('open', 'expired') then raise exception 'the link is over' using errcode = '22023', hint = 'state'; end if;
  perform intake.need_no_other(l.action_id, l.id);
  update intake.guest_link x set until = p_until where x.id = l.id;
  perform audit.note(l.organization_id, 'guest_link.until_changed', 'action_items', l.action_id,
    jsonb_build_object('link', l.id, 'name', l.name, 'until', p_until));
end $$;

create function revoke_guest_link(p_id uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  l intake.guest_link := intake.my_guest_link(p_id);
begin
  if l.revoked_at is not null then return; end if;
  update intake.guest_link x set revoked_at = now() where x.id = l.id;
  perform audit.note(l.organization_id, 'guest_link.revoked', 'action_items', l.action_id, jsonb_build_object('link', l.id, 'name', l.name));
end $$;

-- Who outside was given an action item, the newest first, for whoever sees it: {may_give, links}. Addresses are for who may give.
create function action_guest_links(p_action uuid) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  a public.action_items;
  may_give boolean;
begin
  select * into a from public.action_items x where x.id = p_action;
  if not found or auth.uid() is null or a.deleted_at is not null or not sync.is_in_sight(a.scopes) then
    raise exception 'no such action item' using errcode = '42501';
  end if;
  may_give := sync.may('action.manage', a.organization_id) or coalesce(a.created_by = auth.uid(), false) and sync.may('action.work', a.organization_id);
  return jsonb_build_object('may_give', may_give, 'links', (
    select coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'name', l.name, 'email', case when may_give then l.email end, 'until', l.until,
      'state', l.state, 'standing', intake.guest_standing(l, a), 'by', l.created_by, 'created_at', l.created_at, 'sent_at', l.sent_at,
      'opened_at', l.opened_at, 'seen_at', l.seen_at) order by l.created_at desc), '[]')
    from intake.guest_link l where l.action_id = a.id));
end $$;

revoke execute on all functions in schema intake from public;
revoke execute on function sync.guard_outside_name() from public;
revoke execute on function give_guest_link(uuid, text, text, date), send_guest_link_again(uuid), change_guest_link(uuid, date),
  revoke_guest_link(uuid), action_guest_links(uuid) from public, anon, authenticated;
grant execute on function give_guest_link(uuid, text, text, date), send_guest_link_again(uuid), change_guest_link(uuid, date),
  revoke_guest_link(uuid), action_guest_links(uuid) to authenticated;
