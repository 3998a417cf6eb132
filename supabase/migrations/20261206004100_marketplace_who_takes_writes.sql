-- Who takes an item of a pack up writes a policy, a form or a task, and needs the right to: packs are also installed by people without any.
create or replace function public.take_pack_item(p_organization uuid, p_version uuid, p_kind text, p_key text, p_how text,
  p_body text default null, p_seen text default null, p_variables jsonb default '{}') returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v constant public.pack_versions := marketplace.version_to_take(p_organization, p_version);
  had public.pack_installs;
  item public.pack_items;
  theirs constant jsonb := marketplace.item_of(v.contents, p_kind, p_key);
  base jsonb;
  filled jsonb;
begin
  select * into had from public.pack_installs i where i.organization_id = p_organization and i.pack_id = v.pack_id order by i.created_at limit 1;
  if not found or v.rank < (select w.rank from public.pack_versions w where w.id = had.version_id) then
    raise exception 'this is no update' using errcode = '42501';
  end if;
  -- What a pack brings is written with the rights of whoever writes such things.
  if p_how in ('add', 'take') and not sync.may(case p_kind when 'policy' then 'policy.author' when 'form' then 'form.manage' else 'task.create' end,
      p_organization) then
    raise exception 'taking this needs the right to write it' using errcode = '42501', hint = 'right';
  end if;
  filled := marketplace.values_for(v.contents, p_variables, had.variables);
  update public.pack_installs set variables = filled, updated_at = now() where organization_id = p_organization and pack_id = v.pack_id;
  select * into item from public.pack_items x where x.organization_id = p_organization and x.pack_id = v.pack_id and x.kind = p_kind
    and x.item_key = p_key order by x.created_at desc limit 1 for update;
  if p_how = 'add' and item.id is null and theirs is not null then
    perform marketplace.add_document(p_organization, had.playbook_id, v, p_kind, theirs, filled);
  elsif p_how = 'take' and item.id is not null and theirs is not null and p_kind = 'policy' and btrim(coalesce(p_body, '')) <> '' then
    perform marketplace.write_policy(item.target_id, p_body, p_seen);
  elsif p_how = 'take' and item.id is not null and theirs is not null and p_kind = 'form' then
    perform from public.forms f where f.id = item.target_id and f.deleted_at is null and f.state <> 'archived' for update;
    if not found then raise exception 'this form is not there to be changed' using errcode = '23514', hint = 'gone'; end if;
    select marketplace.item_of(w.contents, 'form', p_key) into base from public.pack_versions w where w.id = item.version_id;
    if marketplace.form_now(item.target_id) is distinct from marketplace.filled_json(base, had.variables) -> 'definition' then
      raise exception 'this form was changed here' using errcode = '23514', hint = 'changed';
    end if;
    update public.form_drafts set definition = marketplace.filled_json(theirs, filled) -> 'definition' where form_id = item.target_id;
  elsif not (p_how = 'keep' and item.id is not null) then
    raise exception 'this cannot be decided so' using errcode = '22023';
  end if;
  update public.pack_items set version_id = v.id, pack_number = v.number where id = item.id;
  return marketplace.settle(p_organization, v);
end $$;
