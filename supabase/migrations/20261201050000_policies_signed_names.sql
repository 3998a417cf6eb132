-- Whose name is under it: beside the name somebody typed stands the name of the account that signed, as it was then. The server says
-- it, once (docs/decisions/0745-whose-words-these-are.md). Whatever is signed later calls the same two functions.

-- One line that says what it seems to say: no controls, no format characters, nothing that turns direction or cannot be seen, no more
-- than four marks on a letter. packages/base/src/one-line.ts says the same; a test compares them.
create function sync.one_line(p_text text, p_length integer default 200) returns text
  language sql immutable parallel safe set search_path = '' as $$
  select btrim(left(btrim(regexp_replace(regexp_replace(regexp_replace(p_text,
    '[\u0001-\u0008\u000E-\u001B\u007F-\u0084\u0086-\u009F\u00AD\u034F\u0600-\u0605\u061C\u06DD\u070F\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u2800\u3164\uE000-\uF8FF\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0000-\U000E0FFF\U000F0000-\U0010FFFF]', '', 'g'),
    '[\u0009-\u000D\u001C-\u0020\u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+', ' ', 'g'),
    '([\u0300-\u034E\u0350-\u036F\u0483-\u0489\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F]{4})[\u0300-\u034E\u0350-\u036F\u0483-\u0489\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F]+', '\1', 'g'),
    ' '), p_length), ' ')
$$;

-- What an account is called at this moment, as one line; null for nobody.
create function sync.account_name(p_user uuid) returns text
  language sql stable security definer set search_path = '' as $$
  select nullif(sync.one_line(coalesce((select p.display_name from public.people p where p.id = p_user), sync.circle_name(p_user))), '')
$$;

alter table policy_acknowledgements
  add column account_name text check (char_length(account_name) <= 200),   -- of whoever signed, when it was received; null before this was kept
  add column witness_name text check (char_length(witness_name) <= 200);   -- of the witness at a kiosk, likewise
alter table countersignatures add column account_name text check (char_length(account_name) <= 200);   -- likewise
-- What is one person's alone keeps no statistics (request.exact_counts).
alter table countersignatures alter column account_name set statistics 0;
alter table inspections add column signed_account text check (char_length(signed_account) <= 200);     -- of whose account signed, likewise
update sync.tables set server_columns = server_columns || array['account_name', 'witness_name'] where name = 'policy_acknowledgements';
update sync.tables set server_columns = server_columns || array['account_name'] where name = 'countersignatures';
update sync.tables set server_columns = server_columns || array['signed_account'] where name = 'inspections';
select sync.refresh_table(t) from unnest(array['policy_acknowledgements', 'countersignatures', 'inspections']) t;

-- Cleans what was typed before any rule compares it; a name of which nothing is left is none.
create function sync.clean_signed_name() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if new.signed_name is null then return new; end if;
  -- What is longer than a name may be is refused by the table, not cut.
  new.signed_name := sync.one_line(new.signed_name, 1000);
  if new.signed_name = '' then raise exception 'this is no name' using errcode = '23514', constraint = 'signed_name_is_one'; end if;
  return new;
end $$;
create trigger a1_name before insert or update of signed_name on policy_acknowledgements for each row execute function sync.clean_signed_name();
create trigger a1_name before insert or update of signed_name on countersignatures for each row execute function sync.clean_signed_name();

-- Said once, when what was signed is received; it goes with the account.
create function sync.pin_signer() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  new.account_name := case when new.user_id is null then null when tg_op = 'UPDATE' and old.account_name is not null then old.account_name
    when new.method is not null and new.received_at is not null and (tg_op = 'INSERT' or old.received_at is distinct from new.received_at)
      then sync.account_name(new.user_id) end;
  new.witness_name := case when new.witness_id is null then null when tg_op = 'UPDATE' and old.witness_name is not null then old.witness_name
    when new.method is not null and (tg_op = 'INSERT' or old.witness_id is distinct from new.witness_id)
      then sync.account_name(new.witness_id) end;
  return new;
end $$;
-- After `c_guard`, which says when it was received.
create trigger d_signer before insert or update on policy_acknowledgements for each row execute function sync.pin_signer();

create function sync.pin_countersigner() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  -- A former helper's names go together (end_circle).
  new.account_name := case when tg_op = 'INSERT' then case when new.decision = 'signed' then sync.account_name(new.helper_id) end
    when new.signed_name is not distinct from old.signed_name then old.account_name end;
  return new;
end $$;
create trigger c_signer before insert or update on countersignatures for each row execute function sync.pin_countersigner();

-- Whose account sent the signature of an inspection. A typed name of an inspection is part of what its hash covers: it stays as it was
-- typed, and is made one line wherever it is shown.
create function sync.pin_inspection_signer() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  new.signed_account := case when new.signature is null then null
    when tg_op = 'UPDATE' and (new.signature, new.signed_by, new.signed_at) is not distinct from (old.signature, old.signed_by, old.signed_at)
      then old.signed_account
    else sync.account_name(coalesce(auth.uid(), new.conducted_by)) end;
  return new;
end $$;
create trigger d_signer before insert or update on inspections for each row execute function sync.pin_inspection_signer();

-- The name under which a guest speaks is typed too.
create function sync.clean_outside_name() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  new.outside_name := nullif(sync.one_line(new.outside_name, 100), '');
  return new;
end $$;
create trigger c_outside before insert or update of outside_name on comments for each row when (new.outside_name is not null)
  execute function sync.clean_outside_name();

-- What is there already is one line; what the account was called then is not known, and stays so.
update policy_acknowledgements set signed_name = sync.one_line(signed_name)
  where signed_name is not null and signed_name <> sync.one_line(signed_name) and sync.one_line(signed_name) <> '';
update countersignatures set signed_name = sync.one_line(signed_name)
  where signed_name is not null and signed_name <> sync.one_line(signed_name) and sync.one_line(signed_name) <> '';

create or replace function pg_temp.extend(p_function text, p_before text, p_added text) returns void language plpgsql as $$
declare
  was constant text := pg_get_functiondef(p_function::regprocedure);
begin
  if position(p_before in was) = 0 then raise exception '% has no %', p_function, p_before; end if;
  execute replace(was, p_before, p_added);
end $$;
select pg_temp.extend('acknowledgement_certificate(uuid, uuid, integer)', $x$'signed_name', a.signed_name,$x$,
  $x$'signed_name', a.signed_name, 'account_name', a.account_name,$x$);
select pg_temp.extend('acknowledgement_certificate(uuid, uuid, integer)',
  $x$(select w.display_name from public.people w where w.id = a.witness_id)$x$,
  $x$coalesce(a.witness_name, (select w.display_name from public.people w where w.id = a.witness_id))$x$);
select pg_temp.extend('verify_certificate(text)', $x$'name', case when a.user_id is not null then a.signed_name end$x$,
  $x$'name', case when a.user_id is not null then a.signed_name end, 'account_name', a.account_name$x$);
select pg_temp.extend('sync.shared_principle(uuid, uuid)', $x$'name', a.signed_name,$x$,
  $x$'name', a.signed_name, 'account_name', a.account_name,$x$);

revoke execute on function sync.one_line(text, integer), sync.account_name(uuid), sync.clean_signed_name(), sync.pin_signer(),
  sync.pin_countersigner(), sync.pin_inspection_signer(), sync.clean_outside_name() from public;
