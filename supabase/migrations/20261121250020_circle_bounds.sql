-- The circle, where a hostile tester found its edges: what an invitation promises can be given, a relationship leaves its
-- trace, and nobody is flooded with words.

create or replace function identity.check_wanted(p_role text, p_wanted jsonb) returns void
  language plpgsql stable security definer set search_path = '' as $$
declare
  w jsonb;
  items jsonb;
begin
  if jsonb_typeof(p_wanted) is distinct from 'array' or jsonb_array_length(p_wanted) > 20 or pg_column_size(p_wanted) > 40000 then
    raise exception 'a list of what to share is needed' using errcode = '22023';
  end if;
  for w in select * from jsonb_array_elements(p_wanted) loop
    items := nullif(w -> 'item_ids', 'null');
    if not exists (select from public.circle_visibility v where v.role = p_role and v.scope = w ->> 'scope' and v.level = w ->> 'level'
        and v.chosen = coalesce(jsonb_typeof(items) = 'array' and jsonb_array_length(items) > 0, false)) then
      raise exception 'this role cannot be given that' using errcode = '22023';
    end if;
    -- As consent_grants holds them.
    if items is not null and (jsonb_typeof(items) <> 'array' or pg_column_size(items) > 20000
        or (select count(distinct e) from jsonb_array_elements_text(items) e) < jsonb_array_length(items)
        or exists (select from jsonb_array_elements(items) e where jsonb_typeof(e) <> 'string'
          or e #>> '{}' !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$')) then
      raise exception 'these are no items, or too many' using errcode = '22023';
    end if;
    if (w ->> 'until')::timestamptz <= now() then
      raise exception 'it would have ended already' using errcode = '22023';
    end if;
    if (w ->> 'until')::timestamptz = 'infinity' then
      raise exception 'no end is none' using errcode = '22023';
    end if;
  end loop;
end $$;

-- What of an invitation still stands: days may pass before it is answered, and what has ended by then is given to nobody.
create function identity.still_wanted(p_wanted jsonb) returns setof jsonb
  language sql stable set search_path = '' as $$
  select w from jsonb_array_elements(p_wanted) with ordinality as all_wanted (w, at)
  where w ->> 'until' is null or (w ->> 'until')::timestamptz > now() order by at
$$;

create or replace function circle_invitation(p_token text) returns jsonb
  language plpgsql stable security definer set search_path = '' set timezone = 'UTC' as $$
declare
  i constant public.circle_invitations := identity.open_circle_invitation(p_token);
begin
  return jsonb_build_object('name', sync.circle_name(i.subject_id), 'role', i.role, 'purpose', i.purpose, 'expires_at', i.expires_at,
    'wanted', (select coalesce(jsonb_agg(jsonb_build_object('scope', w ->> 'scope', 'level', w ->> 'level',
        'items', jsonb_array_length(coalesce(nullif(w -> 'item_ids', 'null'), '[]')), 'until', w ->> 'until')), '[]')
      from identity.still_wanted(i.wanted) w));
end $$;

create or replace function answer_circle_invitation(p_token text, p_accept boolean) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  i public.circle_invitations := identity.open_circle_invitation(p_token);
  r uuid;
begin
  -- Two answers at once: the second finds it answered.
  select * into i from public.circle_invitations x where x.id = i.id and x.accepted_at is null and x.declined_at is null
    and x.revoked_at is null and x.expires_at > now() for update;
  if i.id is null then raise exception 'this link cannot be used' using errcode = '42501'; end if;
  if not coalesce(p_accept, false) then
    update public.circle_invitations x set declined_at = now() where x.id = i.id;
    return jsonb_build_object('relationship', null);
  end if;
  select c.id into r from public.circle_relationships c
    where c.subject_id = i.subject_id and c.helper_id = auth.uid() and c.role = i.role and c.state <> 'ended' and c.deleted_at is null;
  if r is null then
    insert into public.circle_relationships (subject_id, helper_id, role, purpose, subject_name, helper_name)
      values (i.subject_id, auth.uid(), i.role, i.purpose, sync.circle_name(i.subject_id), sync.circle_name(auth.uid())) returning id into r;
  end if;
  insert into public.consent_grants (relationship_id, subject_id, helper_id, role, scope, level, item_ids, valid_until)
    select r, i.subject_id, auth.uid(), i.role, w ->> 'scope', w ->> 'level', nullif(w -> 'item_ids', 'null'), (w ->> 'until')::timestamptz
    from identity.still_wanted(i.wanted) w;
  update public.circle_invitations x set accepted_at = now(), accepted_by = auth.uid() where x.id = i.id;
  return jsonb_build_object('relationship', r);
end $$;

create or replace function sync.guard_relationship() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if (new.subject_id, new.helper_id, new.role) is distinct from (old.subject_id, old.helper_id, old.role) then
    raise exception 'a relationship keeps its people and its role' using errcode = '42501';
  end if;
  if auth.uid() is not null and new.deleted_at is distinct from old.deleted_at then
    raise exception 'a relationship is ended, not removed' using errcode = '42501';
  end if;
  if old.state = 'ended' and new.state <> 'ended' then
    raise exception 'what has ended begins with a new invitation' using errcode = '42501';
  end if;
  if auth.uid() = old.helper_id and new.state = 'active' and old.state <> 'active' then
    raise exception 'only the person themselves resumes' using errcode = '42501';
  end if;
  return new;
end $$;

create index circle_messages_day on circle_messages (relationship_id, from_id, created_at);

-- As before; and a hundred words a day to one person, by the server's clock, are enough.
create or replace function sync.guard_circle_message() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  r public.circle_relationships;
begin
  select * into r from public.circle_relationships c where c.id = new.relationship_id and c.deleted_at is null;
  if r.id is null or r.state <> 'active' or new.from_id not in (r.subject_id, r.helper_id) then
    raise exception 'nobody is there to hear it' using errcode = '42501';
  end if;
  new.subject_id := r.subject_id;
  new.helper_id := r.helper_id;
  if auth.uid() is not null and new.from_id = auth.uid() and (select count(*) from public.circle_messages m
      where m.relationship_id = r.id and m.from_id = new.from_id and m.created_at > now() - interval '1 day') >= 100 then
    raise exception 'at most 100 messages a day to one person' using errcode = 'P0001';
  end if;
  return new;
end $$;

revoke execute on function identity.still_wanted(jsonb) from public;
