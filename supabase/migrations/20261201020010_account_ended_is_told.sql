-- A device whose person deleted their account elsewhere is told so (docs/decisions/0730): until now it heard what it hears of any
-- session that is over, asked for a password that no longer exists, and kept the person's records for ever. Who may learn it holds a
-- refresh token that was truly given to that account. Of the account nothing is kept for it: a hash of a random token leads to nobody.

create table identity.ended_tokens (
  hash     bytea primary key,                          -- SHA-256 of the token as the sign-in service stored it
  ended_at timestamptz not null default now()
);
alter table identity.ended_tokens enable row level security;
comment on table identity.ended_tokens is 'refresh tokens of accounts that were deleted; read by account_has_ended and the sign-in service';

-- Before the tokens go with the account. Hosted Supabase stores them as they are, the local server their SHA-256 (decision 0062).
create function identity.note_ended_tokens(p_user uuid) returns void
  language plpgsql security definer set search_path = '' as $$
begin
  if to_regclass('auth.refresh_tokens') is null then return; end if;
  execute 'insert into identity.ended_tokens (hash) select sha256(convert_to(t.token, ''UTF8'')) from auth.refresh_tokens t
    where t.user_id::text = $1 and t.token is not null on conflict do nothing' using p_user::text;
end $$;

-- As before; says first whose devices will be told.
create or replace function sync.forget_sign_in(p_user uuid) returns void
  language plpgsql set search_path = '' as $$
declare
  tbl text;
begin
  perform identity.note_ended_tokens(p_user);
  foreach tbl in array array['mfa_factors', 'one_time_tokens', 'sessions', 'identities'] loop
    if to_regclass('auth.' || tbl) is not null then
      execute format('delete from auth.%I where user_id::text = $1', tbl) using p_user::text;
    end if;
  end loop;
  if to_regclass('auth.refresh_tokens') is not null then
    execute 'delete from auth.refresh_tokens where user_id::text = $1' using p_user::text;
  end if;
  update auth.users set email = 'deleted-' || p_user || '@deleted.invalid', encrypted_password = '', raw_user_meta_data = '{}'
    where id = p_user;
end $$;

-- Whether this refresh token was given to an account that has been deleted. False for every other text: that an account exists, or
-- whose a token was, nobody learns.
create function account_has_ended(p_token text) returns boolean
  language sql stable security definer set search_path = ''
  return (select true from identity.ended_tokens e where length(p_token) between 8 and 512 and e.hash in (
    sha256(convert_to(p_token, 'UTF8')), sha256(convert_to(encode(sha256(convert_to(p_token, 'UTF8')), 'hex'), 'UTF8'))) limit 1);

revoke execute on function identity.note_ended_tokens(uuid) from public;
grant execute on function identity.note_ended_tokens(uuid) to service_role;
revoke execute on function account_has_ended(text) from public;
grant execute on function account_has_ended(text) to anon, authenticated, service_role;
