-- Group figures with noise: guards and what else triggers do, and who sees and writes which rows.

-- A consent that was taken back or removed never counts again: another one begins its own twelve weeks.
create function cohort.guard_cohort_consent() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' then
    if (new.user_id, new.employer_id, new.created_at) is distinct from (old.user_id, old.employer_id, old.created_at) and auth.uid() is not null
      or (new.user_id, new.employer_id) is distinct from (old.user_id, old.employer_id)
      or old.revoked_at is not null and new.revoked_at is null or old.deleted_at is not null and new.deleted_at is null then
      raise exception 'a consent is taken back, and another one given' using errcode = '42501', detail = 'CN393';
    end if;
    return new;
  end if;
  -- The policy refuses, and says nothing of where somebody else works.
  if auth.uid() is not null and new.user_id is distinct from auth.uid() then return new; end if;
  if auth.uid() is not null then new.created_at := now(); end if;
  if not exists (select from public.organization_members m join public.organizations o on o.id = m.organization_id and o.kind = 'company'
      where m.organization_id = new.employer_id and m.user_id = new.user_id and o.deleted_at is null
        and access.is_member(m.organization_id, m.user_id)) then
    raise exception 'no such employer' using errcode = '42501', detail = 'CN394';
  end if;
  return new;
end $$;
create trigger b_guard before insert or update on cohort_consents for each row execute function cohort.guard_cohort_consent();

-- With a membership its consent ends: who comes back agrees anew, and reads so on their page.
create function cohort.note_membership() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  is_back constant boolean := tg_op = 'UPDATE' and new.deleted_at is null and (old.deleted_at is not null or old.valid_until <= now());
begin
  if tg_op = 'DELETE' then
    delete from cohort.membership c where c.organization_id = old.organization_id and c.user_id = old.user_id;
  elsif tg_op = 'INSERT' or is_back then
    insert into cohort.membership as c (organization_id, user_id, since) values (new.organization_id, new.user_id, now())
      on conflict (organization_id, user_id) do update set since = excluded.since;
  end if;
  if is_back or tg_op = 'UPDATE' and new.deleted_at is not null and old.deleted_at is null then
    update public.cohort_consents c set revoked_at = now()
      where c.employer_id = new.organization_id and c.user_id = new.user_id and c.revoked_at is null and c.deleted_at is null;
  end if;
  return null;
end $$;
create trigger x_cohort after insert or update or delete on public.organization_members
  for each row execute function cohort.note_membership();

-- Triggers whose functions stand with another area.

create trigger a0_require_push before insert on cohort_consents for each statement execute function sync.require_push();

-- Who may call what.
revoke execute on function cohort.guard_cohort_consent(), cohort.note_membership() from public;

-- Who sees and writes which rows.

grant insert, update on cohort_consents to authenticated;
create policy "the person reads" on cohort_consents for select to authenticated
  using (user_id = (select auth.uid()) and (deleted_at is null or (select sync.pushing())));
create policy "the person agrees" on cohort_consents for insert to authenticated
  with check ((select sync.pushing()) and user_id = (select auth.uid()));
create policy "the person takes back" on cohort_consents for update to authenticated
  using ((select sync.pushing()) and user_id = (select auth.uid()));

alter table cohort_settings enable row level security;
revoke all on cohort_settings from anon, authenticated;
grant select on cohort_settings to authenticated;
-- Everybody there, not administrators alone: a person reads exactly what the organisation reads.
create policy "who belongs there reads" on cohort_settings for select to authenticated
  using (scope in (select my_scopes()));

alter table cohort_figures enable row level security;
revoke all on cohort_figures from anon, authenticated;
grant select on cohort_figures to authenticated;
create policy "who belongs there reads" on cohort_figures for select to authenticated
  using (scope in (select my_scopes()));

alter table cohort.salt enable row level security;

alter table cohort.computed_window enable row level security;

alter table cohort.membership enable row level security;

alter table cohort.spent_budget enable row level security;
