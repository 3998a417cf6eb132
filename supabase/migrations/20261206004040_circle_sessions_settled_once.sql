-- What became of a planned session is the word of whoever said it: a coach rewrote what the person had said of it.

alter table public.circle_sessions add column settled_by uuid references auth.users (id) on delete set null;   -- who said what became of it; null while planned, and of older ones
create index circle_sessions_settled_by on public.circle_sessions (settled_by);
update sync.tables set server_columns = server_columns || 'settled_by'::text where name = 'circle_sessions';
select sync.refresh_table('circle_sessions');

create function sync.guard_settled_session() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
begin
  if caller is null then return new; end if;
  if tg_op = 'INSERT' then
    new.settled_by := case when new.state <> 'planned' then caller end;
    return new;
  end if;
  if old.settled_by is not null and old.settled_by <> caller
    and (new.state, new.reason, new.at) is distinct from (old.state, old.reason, old.at) then
    raise exception 'what became of it stays as it was said' using errcode = '42501';
  end if;
  new.settled_by := case when new.state = 'planned' then null
    when (new.state, new.reason) is distinct from (old.state, old.reason) then caller else old.settled_by end;
  return new;
end $$;
create trigger b_settled before insert or update on public.circle_sessions for each row execute function sync.guard_settled_session();
revoke execute on function sync.guard_settled_session() from public;
