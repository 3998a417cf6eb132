-- A guest sees the photos of an item that belong where it belongs and that whoever gave the link may see: to name a photo in an item of
-- one's own opens nothing, neither to its maker nor to a guest.

create function intake.guest_photos(l intake.guest_link, a public.action_items) returns table (id uuid, mime text)
  language sql stable security definer set search_path = '' as $$
  select m.id, m.mime from jsonb_array_elements_text(a.media_ids) with ordinality f (id, n) join public.media m on m.id::text = f.id
  where m.organization_id = a.organization_id and m.kind = 'photo' and m.state = 'complete' and m.deleted_at is null
    and m.scopes && a.scopes and sync.sees(l.created_by, m.organization_id, m.scopes)
  order by f.n
$$;
revoke execute on function intake.guest_photos(intake.guest_link, public.action_items) from public;

create or replace function intake.guest_answer(l intake.guest_link) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select case when intake.guest_standing(l, a) <> 'open' then jsonb_build_object('standing', intake.guest_standing(l, a))
    else jsonb_build_object('standing', 'open', 'step', intake.guest_step(l, a), 'organization', o.name, 'by', inbox.name_of(l.created_by),
      'name', l.name, 'title', a.title, 'description', a.description, 'due_at', a.due_at, 'site', s.name, 'until', l.until,
      'needs_photo', intake.needs_photo(a),
      'photos', (select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'mime', p.mime)), '[]') from intake.guest_photos(l, a) p),
      'said', (select coalesce(jsonb_agg(jsonb_build_object('act', w.act, 'at', w.said_at, 'text', c.body) order by w.created_at), '[]')
        from intake.guest_word w left join public.comments c on c.id = w.comment_id and c.deleted_at is null where w.link_id = l.id)) end
  from public.action_items a
  join public.organizations o on o.id = a.organization_id
  left join public.sites s on s.id = a.site_id and s.deleted_at is null
  where a.id = l.action_id
$$;

create or replace function guest_picture(p_token text, p_media uuid) returns text
  language sql stable security definer set search_path = '' as $$
  select a.organization_id::text || '/' || p.id::text
  from intake.guest_link_of(p_token) l
  join public.action_items a on a.id = l.action_id and intake.guest_standing(l, a) = 'open'
  cross join lateral intake.guest_photos(l, a) p where p.id = p_media
$$;

drop function intake.guest_photos(public.action_items);
