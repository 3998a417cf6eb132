-- With an account goes the address it was to change to, which letters could still be asked for at, and the sign-ins that were under way.
create or replace function pg_temp.extend(p_function text, p_before text, p_added text) returns void language plpgsql as $$
declare
  was constant text := pg_get_functiondef(p_function::regprocedure);
begin
  if position(p_before in was) = 0 then raise exception '% has no %', p_function, p_before; end if;
  execute replace(was, p_before, p_added);
end $$;
select pg_temp.extend('sync.forget_sign_in(uuid)', $x$phone_change = '',$x$, $x$phone_change = '', email_change = '',$x$);
select pg_temp.extend('sync.forget_sign_in(uuid)', $x$  update auth.users set$x$,
  $x$  -- Of an older GoTrue the column is not there.
  if to_regclass('auth.flow_state') is not null then
    delete from auth.flow_state f where p_user::text in (f.user_id::text, to_jsonb(f) ->> 'linking_target_id');
  end if;
  update auth.users set$x$);
