-- As before; whoever asks for the pen of a version that was sent for approval in that very moment is told that nobody writes it any more.
-- A refusal is what a browser reports as a fault, and there is none.
create or replace function hold_policy_pen(p_version uuid, p_take_over boolean default false) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v public.policy_versions := sync.version_for(p_version, 'policy.author');
begin
  if v.state not in ('draft', 'change_requested') then
    return jsonb_build_object('mine', false, 'holder', null, 'since', null);
  end if;
  if v.editing_by is null or v.editing_by = auth.uid() or p_take_over or v.editing_since <= now() - sync.pen_lasts() then
    update public.policy_versions w set editing_by = auth.uid(), editing_since = now() where w.id = v.id returning * into v;
  end if;
  return jsonb_build_object('mine', v.editing_by = auth.uid(), 'holder', v.editing_by, 'since', v.editing_since);
end $$;
