-- What met somebody else's work was not taken over, or not all of it: it stays in the tray with its words, as refused does, until
-- somebody has read it and lets it go. Its author, who may be no member any more, sees no conflict of theirs.
create or replace function sync.settle_unsent(p_organization uuid, p_user uuid, p_ended jsonb, p_results jsonb) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform identity.need('unsent.review', p_organization);
  update public.organization_members m set deleted_at = (p_ended ->> 'deleted_at')::timestamptz,
      valid_until = (p_ended ->> 'valid_until')::timestamptz, role = p_ended ->> 'role'
    where m.id = (p_ended ->> 'id')::uuid and m.organization_id = p_organization and m.user_id = p_user;
  update sync.unsent u set state = case when r ->> 'st' in ('rejected', 'conflict') then 'refused' else 'accepted' end, result = r,
      decided_at = now(), decided_by = auth.uid()
    from jsonb_array_elements(p_results) r
    where u.user_id = p_user and u.organization_id = p_organization and u.mid = (r ->> 'mid')::uuid;
  if exists (select from jsonb_array_elements(p_results) r where r ->> 'st' not in ('rejected', 'conflict')) then
    perform inbox.work_decided(p_organization, p_user, 'work.accepted');
  end if;
end $$;
