-- Made by tools/gen-functions.ts from supabase/migrations: the functions of schema public as they are now. Do not edit: npm run gen.

CREATE OR REPLACE FUNCTION public.accept_organization_invitation(invitation_token text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := auth.uid();
  i public.organization_invitations;
  address text;
  confirmed boolean;
  member boolean;
begin
  if caller is null then perform identity.refuse_token(); end if;
  select x.* into i from identity.invitation_token t join public.organization_invitations x on x.id = t.invitation_id
    where t.hash = identity.token_hash(invitation_token) for update of x;
  member := i.id is not null and identity.is_current_member(i.organization_id);
  if i.accepted_by = caller and member then null;
  elsif (identity.open_invitation(invitation_token)).id is null then perform identity.refuse_token();
  else
    select lower(u.email), u.email_confirmed_at is not null into address, confirmed from auth.users u where u.id = caller;
    if i.email is not null and i.email is distinct from address then
      raise exception 'this invitation is for another address' using errcode = 'P0001', hint = 'invitation_for_another_account', detail = 'CN056';
    end if;
    if i.email is not null and not confirmed then
      raise exception 'confirm your address first' using errcode = 'P0001', hint = 'email_not_confirmed', detail = 'CN057';
    end if;
    if not member then
      perform identity.join_organization(i.organization_id, caller, i.role, i.site_ids, i.valid_until);
    end if;
    if not member or i.email is not null then
      update public.organization_invitations x set accepted_at = now(), accepted_by = caller where x.id = i.id;
    end if;
  end if;
  return (select jsonb_build_object('organization_id', o.id, 'organization_name', o.name, 'role', m.role, 'already_member', member)
    from public.organizations o join public.organization_members m on m.organization_id = o.id and m.user_id = caller
    where o.id = i.organization_id);
end $function$;

CREATE OR REPLACE FUNCTION public.account_has_ended(p_token text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN (SELECT true FROM identity.ended_tokens e WHERE (((length(account_has_ended.p_token) >= 8) AND (length(account_has_ended.p_token) <= 512)) AND (e.hash = ANY (ARRAY[sha256(convert_to(account_has_ended.p_token, 'UTF8'::name)), sha256(convert_to(encode(sha256(convert_to(account_has_ended.p_token, 'UTF8'::name)), 'hex'::text), 'UTF8'::name))]))) LIMIT 1);

CREATE OR REPLACE FUNCTION public.acknowledgement_certificate(p_policy uuid, p_user uuid, p_major integer DEFAULT NULL::integer)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET "TimeZone" TO 'UTC'
AS $function$
declare
  p public.policies;
  limited boolean;
begin
  select * into p from public.policies q where q.id = p_policy and q.deleted_at is null;
  if not found or auth.uid() is null or not access.may('policy.report', p.organization_id) then
    raise exception 'no such policy' using errcode = '42501', detail = 'CN142';
  end if;
  select coalesce(bool_or(m.site_limited), false) into limited from access.my_memberships() m where m.organization_id = p.organization_id;
  if limited and not exists (select from public.site_members x
      where x.user_id = p_user and x.deleted_at is null and x.site_id in (select public.my_sites())) then
    return null;
  end if;
  return (
    select jsonb_build_object('organization', o.name, 'title', v.title, 'version', v.major::text || '.' || v.minor::text,
      'content_hash', a.content_hash, 'file', case when v.file is not null then jsonb_build_object('name', v.file -> 'name', 'sha256', v.file -> 'sha256') end,
      'signed_name', a.signed_name, 'account_name', a.account_name, 'method', a.method, 'signature', a.signature,
      'code', a.certificate_code, 'status', policy.certificate_status(a), 'requested_at', a.requested_at, 'opened_at', a.opened_at,
      'sections_read', a.sections_read, 'sections', a.sections, 'decided_at', a.decided_at, 'received_at', a.received_at,
      'replaced_at', (select min(w.published_at) from public.policy_versions w where w.policy_id = p.id and w.major > v.major),
      'archived_at', p.archived_at, 'quiz', case when a.quiz_attempts > 0 then jsonb_build_object('attempts', a.quiz_attempts,
        'right', coalesce(a.quiz_right, 0), 'of', policy.quiz_length(v.quiz), 'needed', a.quiz_needed, 'at', a.quiz_at) end,
      'kiosk', case when a.proof is not null then jsonb_build_object('proof', a.proof, 'device', a.device,
        'witness', coalesce(a.witness_name, (select w.display_name from public.people w where w.id = a.witness_id))) end)
    from public.policy_acknowledgements a
    join public.policy_versions v on v.id = a.version_id
    join public.organizations o on o.id = a.organization_id
    where a.policy_id = p.id and a.user_id = p_user and v.major = coalesce(p_major, p.current_major)
      and a.certificate_code is not null and a.deleted_at is null
    order by array_position(array['acknowledged', 'void'], a.state), a.received_at limit 1);
end $function$;

CREATE OR REPLACE FUNCTION public.acknowledgement_rates(p_organization uuid, p_days integer DEFAULT 90, p_policy uuid DEFAULT NULL::uuid, p_place uuid DEFAULT NULL::uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  member public.organization_members;
  offered jsonb;
  place uuid;
begin
  if auth.uid() is null or not access.may('policy.report', p_organization) then
    raise exception 'no such organisation' using errcode = '42501', detail = 'CN159';
  end if;
  select m.* into member from access.my_memberships() m where m.organization_id = p_organization;
  select coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'name', o.name) order by o.kind, o.name), '[]') into offered from (
    select s.id, s.name, 1 as kind from public.sites s
    where s.organization_id = p_organization and s.deleted_at is null and s.id in (select public.my_sites())
    union all
    select t.id, t.name, 2 from public.teams t
    where t.organization_id = p_organization and t.deleted_at is null
      and (not coalesce(member.site_limited, false) or t.site_id in (select public.my_sites()))) o;
  place := coalesce(p_place, case when member.site_limited then (offered -> 0 ->> 'id')::uuid else p_organization end);
  if place is null or place <> p_organization and not offered @> jsonb_build_array(jsonb_build_object('id', place))
    or place = p_organization and member.site_limited then
    raise exception 'no such place' using errcode = '42501', detail = 'CN160';
  end if;
  return jsonb_build_object('zone', rates.zone(p_organization), 'place', nullif(place, p_organization), 'places', offered,
    'is_limited', coalesce(member.site_limited, false),
    'until', (select c.day - 1 from rates.counting_start c where c.organization_id = p_organization),
    'days', coalesce((
      select jsonb_agg(jsonb_build_object('day', d.day, 'asked', d.asked, 'done', d.done, 'overdue', d.overdue) order by d.day)
      from (select r.day, sum(r.asked) as asked, sum(r.done) as done, sum(r.overdue) as overdue from rates.acknowledgement_day r
        join public.policies p on p.id = r.policy_id and p.deleted_at is null   -- removed samples are gone here too
        where r.organization_id = p_organization and r.place_id = place and (p_policy is null or r.policy_id = p_policy)
          and r.day >= (now() at time zone rates.zone(p_organization))::date - least(greatest(p_days, 1), 366)
        group by r.day) d), '[]'::jsonb));
end $function$;

CREATE OR REPLACE FUNCTION public.act_for(p_relationship uuid, p_act text, p_item uuid, p_title text DEFAULT NULL::text)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  claims constant text := current_setting('request.jwt.claims', true);
  caller constant text := current_setting('request.jwt.claim.sub', true);
  r public.circle_relationships;
  home uuid;
  name text := nullif(btrim(p_title), '');
  item constant uuid := case when p_act = 'task_added' then gen_random_uuid() else p_item end;
begin
  select c.* into r from public.circle_relationships c
    join public.consent_grants g on g.relationship_id = c.id and g.scope = 'tasks' and g.level = 'act' and g.deleted_at is null
      and g.revoked_at is null and g.valid_from <= now() and g.valid_until > now()
    join public.circle_visibility v on v.role = c.role and v.scope = g.scope and v.level = g.level
    where c.id = p_relationship and c.helper_id = auth.uid() and c.state = 'active' and c.deleted_at is null limit 1 for share of c, g;
  if r.id is null then raise exception 'nothing is granted to act on' using errcode = '42501', detail = 'CN181'; end if;
  select o.id into home from public.organizations o where o.kind = 'private' and o.created_by = r.subject_id and o.deleted_at is null;
  if (select count(*) from public.circle_acts a where a.relationship_id = r.id and a.at > now() - interval '1 day') >= 200 then
    raise exception 'at most 200 acts a day' using errcode = 'P0001', detail = 'CN182';
  end if;
  -- In the person's name: their own rules judge it, and what it becomes is theirs. Without the helper's session, whose level is none
  -- of theirs (identity.require_full_session).
  perform set_config('request.jwt.claims', ((claims::jsonb - 'session_id') || jsonb_build_object('sub', r.subject_id, 'aal', 'aal2'))::text, true);
  if caller <> '' then perform set_config('request.jwt.claim.sub', r.subject_id::text, true); end if;
  perform access.clear_cached_rights();
  case p_act
    when 'task_added' then
      if name is null or char_length(name) > 200 then raise exception 'a task has a name' using errcode = '22023', detail = 'CN183'; end if;
      insert into public.action_items (id, organization_id, title, status, priority, source_type, created_by)
        values (item, home, name, 'open', 'medium', 'manual', r.subject_id);
    when 'task_done' then
      update public.action_items a set status = 'closed', closed_at = now(), closed_by = r.subject_id
        where a.id = p_item and a.organization_id = home and a.deleted_at is null and a.closed_at is null returning a.title into name;
    when 'task_reopened' then
      update public.action_items a set status = 'open', closed_at = null, closed_by = null
        where a.id = p_item and a.organization_id = home and a.deleted_at is null and a.closed_at is not null returning a.title into name;
    else raise exception 'no such act' using errcode = '22023', detail = 'CN184';
  end case;
  perform set_config('request.jwt.claims', claims, true);
  if caller <> '' then perform set_config('request.jwt.claim.sub', caller, true); end if;
  perform access.clear_cached_rights();
  -- Somebody else's, hidden, missing and already done are answered alike.
  if name is null then raise exception 'not allowed' using errcode = '42501', detail = 'CN185'; end if;
  insert into public.circle_acts (relationship_id, subject_id, helper_id, act, item_id, title)
    values (r.id, r.subject_id, auth.uid(), p_act, item, name);
  return item;
end $function$;

CREATE OR REPLACE FUNCTION public.action_guest_links(p_action uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  a public.action_items;
  may_give boolean;
begin
  select * into a from public.action_items x where x.id = p_action;
  if not found or auth.uid() is null or a.deleted_at is not null or not access.is_in_sight(a.scopes) then
    raise exception 'no such action item' using errcode = '42501', detail = 'CN099';
  end if;
  may_give := access.may('action.manage', a.organization_id) or coalesce(a.created_by = auth.uid(), false) and access.may('action.work', a.organization_id);
  return jsonb_build_object('may_give', may_give, 'links', (
    select coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'name', l.name, 'email', case when may_give then l.email end, 'until', l.until,
      'state', l.state, 'status', intake.guest_link_status(l, a), 'by', l.created_by, 'created_at', l.created_at, 'sent_at', l.sent_at,
      'opened_at', l.opened_at, 'seen_at', l.seen_at) order by l.created_at desc), '[]')
    from intake.guest_link l where l.action_id = a.id));
end $function$;

CREATE OR REPLACE FUNCTION public.activate_partner_link(partner_link_token text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := auth.uid();
  l public.partner_links;
  member boolean;
begin
  if caller is null then perform identity.refuse_token(); end if;
  perform from identity.partner_link_token t join public.partner_links x on x.id = t.partner_link_id
    where t.hash = identity.token_hash(partner_link_token) for update of x;
  l := identity.open_partner_link(partner_link_token);
  if l.id is null then perform identity.refuse_token(); end if;
  member := identity.is_current_member(l.organization_id);
  if not member then
    if l.uses >= l.max_uses then perform identity.refuse_token(); end if;
    if exists (select from public.organization_members m where m.organization_id = l.organization_id and m.user_id = caller) then
      raise exception 'a former member comes back by invitation' using errcode = 'P0001', hint = 'membership_ended', detail = 'CN059';
    end if;
    perform identity.join_organization(l.organization_id, caller, 'member', '{}', null);
    update public.partner_links x set uses = x.uses + 1 where x.id = l.id;
  end if;
  insert into public.organization_activations as a (organization_id, user_id, activation_source)
    values (l.organization_id, caller, 'partner_link_v2')
    on conflict (organization_id, user_id, activation_source) do update set activated_at = now(), deleted_at = null;
  return (select jsonb_build_object('organization_id', o.id, 'organization_name', o.name, 'role', m.role, 'already_member', member)
    from public.organizations o join public.organization_members m on m.organization_id = o.id and m.user_id = caller
    where o.id = l.organization_id);
end $function$;

CREATE OR REPLACE FUNCTION public.answer_circle_invitation(p_token text, p_accept boolean)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  i public.circle_invitations := identity.open_circle_invitation(p_token);
  r uuid;
begin
  -- Two answers at once: the second finds it answered.
  select * into i from public.circle_invitations x where x.id = i.id and x.accepted_at is null and x.declined_at is null
    and x.revoked_at is null and x.expires_at > now() for update;
  if i.id is null then raise exception 'this link cannot be used' using errcode = '42501', detail = 'CN078'; end if;
  if not coalesce(p_accept, false) then
    update public.circle_invitations x set declined_at = now() where x.id = i.id;
    return jsonb_build_object('relationship', null);
  end if;
  select c.id into r from public.circle_relationships c
    where c.subject_id = i.subject_id and c.helper_id = auth.uid() and c.role = i.role and c.state <> 'ended' and c.deleted_at is null;
  if r is null then
    insert into public.circle_relationships (subject_id, helper_id, role, purpose, subject_name, helper_name)
      values (i.subject_id, auth.uid(), i.role, i.purpose, circle.circle_name(i.subject_id), circle.circle_name(auth.uid())) returning id into r;
  end if;
  insert into public.consent_grants (relationship_id, subject_id, helper_id, role, scope, level, item_ids, valid_until)
    select r, i.subject_id, auth.uid(), i.role, w ->> 'scope', w ->> 'level', nullif(w -> 'item_ids', 'null'), (w ->> 'until')::timestamptz
    from identity.valid_wanted_grants(i.wanted) w;
  update public.circle_invitations x set accepted_at = now(), accepted_by = auth.uid() where x.id = i.id;
  return jsonb_build_object('relationship', r);
end $function$;

CREATE OR REPLACE FUNCTION public.archive_policy(p_policy uuid, p_archived boolean DEFAULT true)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  p public.policies;
begin
  select * into p from public.policies q where q.id = p_policy and q.deleted_at is null for update;
  if not found or auth.uid() is null or not access.may('policy.publish', p.organization_id) then
    raise exception 'no such policy' using errcode = '42501', detail = 'CN142';
  end if;
  if p.state <> (case when p_archived then 'published' else 'archived' end) then
    raise exception 'a policy that is % cannot do this', p.state using errcode = '23514', hint = 'state', detail = 'CN143';
  end if;
  perform policy.move_version(p.current_version_id, case when p_archived then 'archived' else 'published' end);
  update public.policies set state = case when p_archived then 'archived' else 'published' end,
    archived_at = case when p_archived then clock_timestamp() end where id = p.id;
end $function$;

CREATE OR REPLACE FUNCTION public.ask_to_accept_risk(p_action uuid, p_until date, p_reason text, p_people uuid[] DEFAULT NULL::uuid[])
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  a public.action_items;
  able uuid[];
  asked uuid[] := p_people;
  made uuid;
  is_open boolean;
begin
  select * into a from public.action_items x where x.id = p_action for update;
  if not found or auth.uid() is null or a.deleted_at is not null or not access.is_in_sight(a.scopes)
    or not (access.may('action.work', a.organization_id) or access.may('action.manage', a.organization_id)) then
    raise exception 'no such action item' using errcode = '42501', detail = 'CN099';
  end if;
  if inbox.action_ended(a.status) then raise exception 'it is ended' using errcode = '23514', hint = 'state', detail = 'CN100'; end if;
  if p_until is null or p_until <= (now() at time zone 'UTC')::date or p_until > (now() at time zone 'UTC')::date + 730 then
    raise exception 'a risk is accepted for at most two years' using errcode = '22023', hint = 'until', detail = 'CN101';
  end if;
  if btrim(coalesce(p_reason, '')) = '' or char_length(p_reason) > 2000 then
    raise exception 'why the risk can be borne' using errcode = '22023', hint = 'reason', detail = 'CN102';
  end if;
  able := array(select h from approval.holders('action.accept_risk', a.organization_id) h where access.user_sees_scopes(h, a.organization_id, a.scopes));
  is_open := not exists (select from approval.holders('action.accept_risk', a.organization_id) h where h <> all (able));
  if asked is null then
    asked := array(select h from unnest(able) h
      where h <> auth.uid() and h not in (select policy.authors_of('action_items', a.id)) order by h limit 20);
    if asked = '{}' then asked := array(select h from unnest(able) h where h <> auth.uid() order by h limit 20); end if;
    if asked = '{}' then asked := array[auth.uid()]; end if;
  elsif not asked <@ able then
    raise exception 'who is asked must read it, and hold action.accept_risk' using errcode = '22023', hint = 'approver_without_right', detail = 'CN103';
  end if;
  made := approval.open_approval(a.organization_id, 'action.accept_risk', 'action_items', a.id, '/action-items/' || a.id::text,
    case when is_open then a.title else '–' end,
    jsonb_build_array(jsonb_build_object('name', '', 'rule', 'any', 'people', to_jsonb(asked))), case when is_open then p_reason end);
  update public.action_items set risk_until = p_until, risk_reason = btrim(p_reason) where id = a.id;
  return made;
end $function$;

CREATE OR REPLACE FUNCTION public.brief_for_review(p_relationship uuid, p_ticket uuid DEFAULT NULL::uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET "TimeZone" TO 'UTC'
AS $function$
declare
  r constant public.circle_relationships := brief.brief_relationship(p_relationship);
  ticket jsonb;
  read public.consent_grants;
  noted uuid[] := '{}';
begin
  if r.id is null then raise exception 'no such relationship' using errcode = '42501', detail = 'CN180'; end if;
  perform from public.circle_relationships c where c.id = r.id for share;
  -- What is being taken back at this moment is waited for.
  perform from public.consent_grants x where x.relationship_id = r.id order by x.id for share;
  if p_ticket is null then
    for read in select o.* from brief.open_grants(r.id) o order by o.scope, o.id loop
      perform circle.note_read(read);
      noted := noted || read.id;
    end loop;
    return access.issue_read_ticket('brief_for_review', jsonb_build_object('relationship', r.id, 'grants', to_jsonb(noted)));
  end if;
  ticket := access.redeem_read_ticket(p_ticket, 'brief_for_review', jsonb_build_object('relationship', r.id));
  if exists (select from brief.open_grants(r.id) g where ticket -> 'grants' ? g.id::text) then
    perform brief.compose_brief(r, brief.last_week(), ticket -> 'grants');
  end if;
  return jsonb_build_object('at', now(), 'week', brief.last_week(), 'briefs', (
    select coalesce(jsonb_agg(jsonb_build_object('id', b.id, 'week', b.week, 'state', b.state, 'lines', shared.lines) order by b.week desc), '[]')
    from public.triad_briefs b cross join lateral (
      select jsonb_agg(jsonb_build_object('id', l.id, 'scope', l.scope, 'level', l.level, 'kind', l.kind, 'figures', l.figures,
          'wording', l.wording, 'is_left_out', l.is_left_out) order by l.position) as lines
      from public.triad_brief_lines l join brief.open_grants(r.id) g on g.id = l.grant_id
      where l.brief_id = b.id and ticket -> 'grants' ? g.id::text) shared
    where b.relationship_id = r.id and b.state in ('review', 'approval') and b.deleted_at is null and shared.lines is not null));
end $function$;

CREATE OR REPLACE FUNCTION public.calendar_feed(p_token text, p_known text[] DEFAULT '{}'::text[], p_tag_only boolean DEFAULT false)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  claims constant text := current_setting('request.jwt.claims', true);
  caller constant text := current_setting('request.jwt.claim.sub', true);
  f calendar.feed;
  rights text[];
  feed jsonb;
  tag text;
begin
  -- Whose account is locked is answered as if there were no such feed.
  select x.* into f from calendar.feed x join auth.users u on u.id = x.user_id and coalesce(u.banned_until <= now(), true)
    where x.hash = identity.token_hash(left(p_token, 200));
  if f.id is null then return null; end if;
  -- In the owner's name: what they may read is asked where it is always asked.
  perform set_config('request.jwt.claims', ((coalesce(nullif(claims, ''), '{}')::jsonb - 'session_id')
    || jsonb_build_object('sub', f.user_id, 'aal', 'aal2'))::text, true);
  perform set_config('request.jwt.claim.sub', f.user_id::text, true);
  perform access.clear_cached_rights();
  rights := array(select public.my_scopes());
  perform set_config('request.jwt.claims', coalesce(claims, ''), true);
  perform set_config('request.jwt.claim.sub', coalesce(caller, ''), true);
  perform access.clear_cached_rights();
  update calendar.feed x set read_at = now() where x.id = f.id and (x.read_at is null or x.read_at < now() - interval '1 minute');
  feed := jsonb_build_object('kind', f.kind, 'zone', f.zone,
    'language', inbox.language(f.user_id), 'entries', calendar.entries(f.user_id, f.kind, rights));
  tag := md5(feed::text);
  return case when p_tag_only or tag = any (p_known) then '{}' else feed end || jsonb_build_object('tag', tag);
end $function$;

CREATE OR REPLACE FUNCTION public.cancel_purchase(p_id uuid)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.purchase_requests x set state = 'cancelled', decided_at = now(), decided_by = auth.uid()
    where x.id = p_id and x.user_id = auth.uid() and x.state = 'requested';
  if not found then raise exception 'no open request of yours' using errcode = '42501', detail = 'CN066'; end if;
  return 'cancelled';
end $function$;

CREATE OR REPLACE FUNCTION public.change_guest_link(p_id uuid, p_until date)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  l intake.guest_link := intake.my_guest_link(p_id);
begin
  perform intake.require_end_date(p_until);
  if intake.link_status(l) not in ('open', 'expired') then raise exception 'the link is over' using errcode = '22023', hint = 'state', detail = 'CN128'; end if;
  perform intake.require_no_other_link(l.action_id, l.id);
  update intake.guest_link x set until = p_until where x.id = l.id;
  perform audit.note(l.organization_id, 'guest_link.until_changed', 'action_items', l.action_id,
    jsonb_build_object('link', l.id, 'name', l.name, 'until', p_until));
end $function$;

CREATE OR REPLACE FUNCTION public.check_kiosk_pin(p_policy uuid, p_user uuid, p_pin text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET "TimeZone" TO 'UTC'
AS $function$
declare
  most constant integer := 5;
  p public.policies;
  k kiosk.pin;
  pass uuid;
begin
  select * into p from public.policies q where q.id = p_policy and q.deleted_at is null;
  if not found or auth.uid() is null or not access.may('policy.witness', p.organization_id) or not access.is_member(p.organization_id, p_user)
    or not kiosk.shares_site(p.organization_id, p_user) then
    raise exception 'no such policy' using errcode = '42501', detail = 'CN142';
  end if;
  select * into k from kiosk.pin x where x.organization_id = p.organization_id and x.user_id = p_user for update;
  if not found then raise exception 'this person has no PIN' using errcode = '23514', hint = 'no_pin', detail = 'CN158'; end if;
  if k.locked_until > clock_timestamp() then return jsonb_build_object('locked_until', k.locked_until); end if;
  if k.hash = extensions.crypt(left(coalesce(p_pin, ''), 20), k.hash) then
    update kiosk.pin x set wrong = 0, locked_until = null where x.organization_id = k.organization_id and x.user_id = k.user_id;
    insert into kiosk.pass (policy_id, user_id, witness_id) values (p.id, p_user, auth.uid()) returning id into pass;
    return jsonb_build_object('pass', pass);
  end if;
  -- A wrong one is answered, not raised: raising would take the count back.
  update kiosk.pin x set wrong = x.wrong + 1, locked_until = case when (x.wrong + 1) % most = 0
      then clock_timestamp() + least(interval '15 minutes' * 2 ^ least((x.wrong + 1) / most - 1, 7), interval '1 day') end
    where x.organization_id = k.organization_id and x.user_id = k.user_id returning * into k;
  if k.locked_until is not null then
    perform audit.note(p.organization_id, 'kiosk.pin_locked', 'organization_members', p_user, jsonb_build_object('user_id', p_user));
    return jsonb_build_object('locked_until', k.locked_until);
  end if;
  return jsonb_build_object('left', most - k.wrong % most);
end $function$;

CREATE OR REPLACE FUNCTION public.circle_invitation(p_token text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET "TimeZone" TO 'UTC'
AS $function$
declare
  i constant public.circle_invitations := identity.open_circle_invitation(p_token);
begin
  return jsonb_build_object('name', circle.circle_name(i.subject_id), 'role', i.role, 'purpose', i.purpose, 'expires_at', i.expires_at,
    'wanted', (select coalesce(jsonb_agg(jsonb_build_object('scope', w ->> 'scope', 'level', w ->> 'level',
        'items', jsonb_array_length(coalesce(nullif(w -> 'item_ids', 'null'), '[]')), 'until', w ->> 'until')), '[]')
      from identity.valid_wanted_grants(i.wanted) w));
end $function$;

CREATE OR REPLACE FUNCTION public.consume_quota(p_quota text, p_request uuid, p_amount integer DEFAULT 1)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := auth.uid();
  this_month constant date := date_trunc('month', now() at time zone 'UTC')::date;
  earlier identity.quota_request;
  spent integer;
  bought integer := 0;
  take integer;
begin
  if caller is null then raise exception 'consume_quota needs a signed-in person' using errcode = '42501', detail = 'CN060'; end if;
  if p_quota is null or p_quota not in ('media_search', 'video_credits') or p_request is null or p_amount is null or p_amount not between 1 and 1000 then
    raise exception 'consume_quota takes a quota, a request id and an amount from 1 to 1000' using errcode = '22023', detail = 'CN061';
  end if;
  insert into identity.quota_use (user_id, quota, month) values (caller, p_quota, this_month) on conflict do nothing;
  select u.used into spent from identity.quota_use u
    where u.user_id = caller and u.quota = p_quota and u.month = this_month for update;
  select * into earlier from identity.quota_request r where r.user_id = caller and r.id = p_request;
  if found then
    if earlier.quota <> p_quota or earlier.from_month + earlier.from_bought <> p_amount then
      raise exception 'this request id stands for another request' using errcode = '22023', detail = 'CN062';
    end if;
    return identity.quota_state(caller, p_quota) || jsonb_build_object('granted', earlier.refunded_at is null);
  end if;
  take := least(p_amount, greatest(identity.quota_limit(caller, p_quota) - spent, 0));
  if take < p_amount and p_quota = 'video_credits' then
    -- Credits that were bought are kept for whoever may make videos at present.
    select b.credits into bought from identity.credit_balance b
      where b.user_id = caller and identity.quota_limit(caller, p_quota) > 0 for update;
  end if;
  if take + coalesce(bought, 0) < p_amount then
    return identity.quota_state(caller, p_quota) || '{"granted": false}';
  end if;
  update identity.quota_use u set used = u.used + take where u.user_id = caller and u.quota = p_quota and u.month = this_month;
  update identity.credit_balance b set credits = b.credits - (p_amount - take) where b.user_id = caller and p_amount > take;
  insert into identity.quota_request (user_id, id, quota, month, from_month, from_bought)
    values (caller, p_request, p_quota, this_month, take, p_amount - take);
  return identity.quota_state(caller, p_quota) || '{"granted": true}';
end $function$;

CREATE OR REPLACE FUNCTION public.create_partner_link(p_organization uuid, p_name text, p_max_uses integer DEFAULT NULL::integer, p_days integer DEFAULT 90)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET "TimeZone" TO 'UTC'
AS $function$
declare
  token constant text := identity.new_token();
  l public.partner_links;
begin
  perform identity.require_permission('partner.link', p_organization);
  if coalesce(trim(p_name), '') = '' or p_days is null or p_days not between 1 and 366 or p_max_uses < 1 then
    raise exception 'a partner link has a name, at least one use, and 1 to 366 days' using errcode = '22023', detail = 'CN058';
  end if;
  insert into public.partner_links (organization_id, name, max_uses, created_by, expires_at)
    values (p_organization, trim(p_name), p_max_uses, auth.uid(), now() + make_interval(days => p_days)) returning * into l;
  insert into identity.partner_link_token (hash, partner_link_id) values (identity.token_hash(token), l.id);
  return jsonb_build_object('id', l.id, 'token', token, 'expires_at', l.expires_at);
end $function$;

CREATE OR REPLACE FUNCTION public.create_report_code(p_organization uuid, p_site uuid DEFAULT NULL::uuid, p_asset uuid DEFAULT NULL::uuid, p_spot text DEFAULT NULL::text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  c public.report_codes;
begin
  c.organization_id := p_organization;
  c.site_id := p_site;
  c.asset_id := p_asset;
  perform intake.require_code(c);
  if p_site is not null and p_asset is not null
    or p_site is not null and not exists (
      select from public.sites s where s.id = p_site and s.organization_id = p_organization and s.deleted_at is null)
    or p_asset is not null and not exists (
      select from public.assets a where a.id = p_asset and a.organization_id = p_organization and a.deleted_at is null)
    or char_length(p_spot) > 80 then
    raise exception 'a code is for a site or an asset of the organisation, or for all of it' using errcode = '22023', detail = 'CN116';
  end if;
  if (select count(*) from public.report_codes x where x.organization_id = p_organization and x.revoked_at is null) >= 1000 then
    raise exception 'an organisation has at most 1000 codes' using errcode = '22023', detail = 'CN117';
  end if;
  insert into public.report_codes (organization_id, site_id, asset_id, spot, created_by)
    values (p_organization, p_site, p_asset, nullif(trim(p_spot), ''), auth.uid()) returning * into c;
  return jsonb_build_object('id', c.id, 'token', intake.new_token(c.id));
end $function$;

CREATE OR REPLACE FUNCTION public.decide_brief(p_brief uuid, p_lines uuid[], p_to jsonb DEFAULT '[]'::jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  b public.triad_briefs;
  r public.circle_relationships;
  wanted jsonb;
  told jsonb;
  sent jsonb := '[]';
begin
  if jsonb_typeof(p_to) is distinct from 'array' or jsonb_array_length(p_to) > 50
    or exists (select from jsonb_array_elements(p_to) e where jsonb_typeof(e) <> 'object' or jsonb_typeof(e -> 'lines') is distinct from 'array'
      or coalesce(e ->> 'relationship', '') !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$')
    or (select count(distinct e ->> 'relationship') from jsonb_array_elements(p_to) e) < jsonb_array_length(p_to) then
    raise exception 'who is sent which lines, each once' using errcode = '22023', detail = 'CN189';
  end if;
  -- A pause or an end of one of them waits until this is done, or has happened.
  perform from public.circle_relationships c where c.subject_id = auth.uid() order by c.id for share;
  select * into b from public.triad_briefs x where x.id = p_brief and x.subject_id = auth.uid() and x.deleted_at is null for update;
  if b.id is null or b.state <> 'approval' then raise exception 'nothing to decide on' using errcode = '42501', detail = 'CN190'; end if;
  update public.triad_brief_lines l set is_approved = true
    where l.brief_id = b.id and not l.is_left_out and l.id = any (p_lines)
      and exists (select from brief.open_grants(b.relationship_id) g where g.id = l.grant_id);
  for wanted in select e from jsonb_array_elements(p_to) e order by e ->> 'relationship' loop
    select * into r from public.circle_relationships c where c.id = (wanted ->> 'relationship')::uuid and c.subject_id = b.subject_id
      and c.helper_id <> b.operator_id and c.state = 'active' and c.deleted_at is null;
    continue when r.id is null;
    select jsonb_agg(jsonb_build_object('id', l.id, 'scope', l.scope, 'level', l.level, 'kind', l.kind, 'figures', l.figures, 'wording', case when brief.wording_may_reach(b, r.id) then l.wording end)
        order by l.position) into told
      from public.triad_brief_lines l
      where l.brief_id = b.id and l.is_approved and wanted -> 'lines' ? l.id::text
        and exists (select from brief.open_grants(r.id) g where brief.grant_covers(g, l.scope, l.level, l.item_ids));
    continue when told is null;
    insert into public.triad_brief_copies (brief_id, relationship_id, subject_id, helper_id, week, lines)
      values (b.id, r.id, b.subject_id, r.helper_id, b.week, told);
    insert into public.grant_reads (grant_id, relationship_id, subject_id, helper_id, offline, read_at, brief_id)
      select distinct g.id, r.id, b.subject_id, r.helper_id, false, now(), b.id
      from public.triad_brief_lines l join brief.open_grants(r.id) g on brief.grant_covers(g, l.scope, l.level, l.item_ids)
      where l.brief_id = b.id and told @> jsonb_build_array(jsonb_build_object('id', l.id));
    perform inbox.notify(r.helper_id, 'brief.received', 'brief.received/' || b.id::text, '/triad-intelligence',
      jsonb_build_object('by', r.subject_name), b.id, null, auth.uid());
    sent := sent || jsonb_build_object('relationship', r.id, 'lines', jsonb_array_length(told));
  end loop;
  if jsonb_array_length(p_to) > 0 and sent = '[]' then raise exception 'nothing of it may be shown to them' using errcode = '42501', detail = 'CN191'; end if;
  update public.triad_briefs x set state = case when sent = '[]' then 'kept' else 'sent' end, decided_at = now() where x.id = b.id;
  return sent;
end $function$;

CREATE OR REPLACE FUNCTION public.decide_orphaned_edits(p_organization uuid, p_user uuid, p_mids uuid[], p_accept boolean)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  claims constant text := current_setting('request.jwt.claims', true);
  caller constant text := current_setting('request.jwt.claim.sub', true);
  work jsonb;
  ended jsonb;
  done jsonb;
  results jsonb;
begin
  if p_accept is null or cardinality(p_mids) > 50 then
    raise exception 'decide_orphaned_edits takes at most 50 mutations and a decision' using errcode = '22023', detail = 'CN010';
  end if;
  if not p_accept then return review_queue.decline_orphaned_edits(p_organization, p_user, p_mids); end if;
  work := review_queue.accept_orphaned_edits(p_organization, p_user, p_mids);
  if work = '[]' then return jsonb_build_object('results', work, 'media', work); end if;
  -- Who accepts is known to every rule and note until the membership stands as it stood (guard_brought, audit.note).
  perform set_config('sync.accepted_by', auth.uid()::text, true);
  perform set_config('sync.submitting_device', coalesce(sync.submitting_device(p_organization, p_user, work)::text, ''), true);
  -- A membership that is alive for the length of an acceptance is no news (x_notify_again).
  perform set_config('sync.same_organization', p_organization::text, true);
  ended := review_queue.impersonate_former_member(p_organization, p_user);
  for turn in 1 .. 3 loop
    perform set_config('sync.same_organization', p_organization::text, true);
    -- Without the session, which is not the author's: its level is none of theirs (identity.require_full_session).
    perform set_config('request.jwt.claims', ((claims::jsonb - 'session_id')
      || jsonb_build_object('sub', p_user, 'aal', 'aal2'))::text, true);
    if caller <> '' then perform set_config('request.jwt.claim.sub', p_user::text, true); end if;
    perform access.clear_cached_rights();
    done := review_queue.push_as_author(p_organization, p_user, work);
    perform set_config('sync.same_organization', '', true);
    perform access.clear_cached_rights();
    perform set_config('request.jwt.claims', claims, true);
    if caller <> '' then perform set_config('request.jwt.claim.sub', caller, true); end if;
    exit when not done ? 'accepted';
    work := review_queue.remap_orphaned_ids(p_organization, p_user, work, array(select jsonb_array_elements_text(done -> 'accepted')));
  end loop;
  if done ? 'accepted' then raise exception 'no free ids for this work' using errcode = 'P0001', detail = 'CN011'; end if;
  -- What a row looks like is told to who may read it by themselves.
  select coalesce(jsonb_agg(r - 'row' - 'd'), '[]') into results from jsonb_array_elements(done -> 'results') r;
  perform review_queue.close_orphaned_edits(p_organization, p_user, ended, results);
  perform set_config('sync.accepted_by', '', true);
  return jsonb_build_object('results', results, 'media', (
    select coalesce(jsonb_agg(w -> 'id'), '[]') from jsonb_array_elements(work) w
    join jsonb_array_elements(results) r on r ->> 'mid' = w ->> 'mid' and r ->> 'st' in ('applied', 'merged')
    where w ->> 't' = 'media' and w ->> 'op' = 'insert'));
end $function$;

CREATE OR REPLACE FUNCTION public.decide_purchase(p_id uuid, p_fulfil boolean)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  r public.purchase_requests;
begin
  if auth.uid() is null or not public.my_platform_permission('platform.fulfil') then
    raise exception 'deciding purchases needs platform.fulfil' using errcode = '42501', detail = 'CN067';
  end if;
  update public.purchase_requests x set state = case when p_fulfil then 'fulfilled' else 'declined' end,
      decided_at = now(), decided_by = auth.uid()
    where x.id = p_id and x.state = 'requested' and p_fulfil is not null returning * into r;
  if found and p_fulfil then
    insert into identity.credit_balance as b (user_id, credits) values (r.user_id, r.amount)
      on conflict (user_id) do update set credits = b.credits + excluded.credits;
  end if;
  return (select x.state from public.purchase_requests x where x.id = p_id);
end $function$;

CREATE OR REPLACE FUNCTION public.delete_account(p_user uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  needed text[];
  space uuid;
  files jsonb;
  called constant text := space.account_name(p_user);
begin
  perform from auth.users u where u.id = p_user for update;
  if not found then raise exception 'no such person' using errcode = 'P0002', detail = 'CN045'; end if;
  select array_agg(n) into needed from account.sole_administrator_of(p_user) n;
  if needed is not null then
    raise exception 'last_admin' using errcode = 'P0001', hint = array_to_string(needed, ', '), detail = 'CN046';
  end if;
  select coalesce(jsonb_agg(m.organization_id::text || '/' || m.id::text), '[]') into files
    from public.media m where m.organization_id in (select account.sole_member_of(p_user));
  for space in select account.sole_member_of(p_user) loop
    perform account.remove_organization(space);
  end loop;
  update public.action_items set assignee_id = null where assignee_id = p_user and closed_at is null and deleted_at is null;
  update public.inspections set assigned_to = null where assigned_to = p_user and status = 'scheduled' and deleted_at is null;
  perform account.end_person_rows(p_user);
  update public.profiles set full_name = 'Former member ' || upper(left(p_user::text, 4)), display_name = null, job_title = null,
    phone = null, bio = null, avatar_url = null, locale = null, emergency_contact_name = null, emergency_contact_phone = null
    where id = p_user;
  perform account.forget_sign_in(p_user);
  -- What the account was called went with it; the name that was signed stands where it was signed.
  update public.policy_acknowledgements set account_name = null where user_id = p_user and account_name is not null;
  update public.policy_acknowledgements set witness_name = null where witness_id = p_user and witness_name is not null;
  perform inspection.forget_signer(p_user, called);
  return jsonb_build_object('files', files);
end $function$;

CREATE OR REPLACE FUNCTION public.drop_pack_draft(p_version uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  p constant public.policy_packs := marketplace.own_pack((select w.pack_id from public.pack_versions w where w.id = p_version));
begin
  delete from public.pack_versions w where w.id = p_version and w.state = 'draft';
  if not found then
    raise exception 'what was submitted stays as it is' using errcode = '23514', hint = 'state', detail = 'CN215';
  end if;
  if not exists (select from public.pack_versions w where w.pack_id = p.id) then
    delete from public.policy_packs q where q.id = p.id;
  end if;
  return p.id;
end $function$;

-- Signs one of the asker's own devices out; false when there is no such session, whoever else may have it
CREATE OR REPLACE FUNCTION public.end_my_session(p_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from auth.sessions s where s.id = p_id and s.user_id = (select auth.uid());
  return found;
end $function$;

CREATE OR REPLACE FUNCTION public.exempt_from_policy(p_policy uuid, p_user uuid, p_reason text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  p public.policies;
begin
  select * into p from public.policies q where q.id = p_policy and q.deleted_at is null for update;
  if not found or auth.uid() is null or not access.may('policy.publish', p.organization_id) then
    raise exception 'no such policy' using errcode = '42501', detail = 'CN142';
  end if;
  if p_user = auth.uid() and exists (select from approval.holders('policy.publish', p.organization_id) h where h <> auth.uid()) then
    raise exception 'somebody else exempts oneself' using errcode = '42501', hint = 'own', detail = 'CN144';
  end if;
  if p.state <> 'published' then raise exception 'nothing is in force' using errcode = '23514', hint = 'state', detail = 'CN145'; end if;
  if btrim(coalesce(p_reason, '')) = '' then raise exception 'an exemption has a reason' using errcode = '23514', hint = 'reason', detail = 'CN146'; end if;
  if not access.is_member(p.organization_id, p_user) then raise exception 'no such member' using errcode = '42501', detail = 'CN147'; end if;
  insert into public.policy_acknowledgements as a (id, organization_id, policy_id, version_id, user_id, state, opened_at, reason, decided_at, received_at, exempted_by)
    values (extensions.uuid_generate_v5(p.current_version_id, 'acknowledgement/' || p_user::text), p.organization_id, p.id, p.current_version_id,
      p_user, 'exempt', now(), p_reason, now(), clock_timestamp(), auth.uid())
    on conflict (version_id, user_id) do update set state = 'exempt', reason = excluded.reason, decided_at = excluded.decided_at,
      received_at = excluded.received_at, exempted_by = excluded.exempted_by
      where a.state in ('opened', 'declined');
end $function$;

CREATE OR REPLACE FUNCTION public.export_audit_log(p_organization uuid, p_after bigint DEFAULT 0, p_limit integer DEFAULT 5000, p_ticket uuid DEFAULT NULL::uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET "TimeZone" TO 'UTC'
AS $function$
declare
  found jsonb;
  most constant integer := least(greatest(coalesce(p_limit, 5000), 1), 5000);
begin
  perform audit.require_reader(p_organization);
  if p_ticket is null then
    perform audit.note(p_organization, 'audit.exported', 'organizations', p_organization);
    return access.issue_read_ticket('export_audit_log', jsonb_build_object('organization', p_organization));
  end if;
  perform access.redeem_read_ticket(p_ticket, 'export_audit_log', jsonb_build_object('organization', p_organization));
  select coalesce(jsonb_agg(jsonb_build_object('seq', e.seq, 'at', to_char(e.at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'actor_id', e.actor_id,
      'act', e.act, 'subject_table', e.subject_table, 'subject_id', e.subject_id, 'detail', e.detail::text, 'hash', e.hash) order by e.seq), '[]')
    into found from (
      select * from public.audit_entries a where a.organization_id = p_organization and a.seq > coalesce(p_after, 0)
      order by a.seq limit most) e;
  return jsonb_build_object('organization_id', p_organization, 'entries', found, 'head', audit.head(p_organization),
    'next', case when jsonb_array_length(found) = most then found -> -1 -> 'seq' end,
    'heads', (select coalesce(jsonb_agg(jsonb_build_object('day', h.day, 'seq', h.seq, 'hash', h.hash) order by h.day), '[]')
      from public.audit_heads h where h.organization_id = p_organization));
end $function$;

CREATE OR REPLACE FUNCTION public.export_person(p_after jsonb DEFAULT NULL::jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET "TimeZone" TO 'UTC'
AS $function$
declare
  room integer := 524288;                              -- bytes
  is_first boolean := true;                            -- row of this page: it comes whatever it weighs
  answer constant jsonb := account.export_account(p_after is null);
  private constant uuid[] := account.own_spaces();
  tables jsonb := '{}';
  from_table constant text := coalesce(p_after ->> 'table', '');
  is_shared constant boolean := coalesce((p_after ->> 'shared')::boolean, false);
  next jsonb;
  t record;
  part boolean;                                        -- of what is shared
  after text;
  page record;
begin
  -- Asked once for all tables.
  perform access.cache_rights();
  <<everything>>
  for t in select x.* from account.exported_tables() x where x.tbl collate "C" >= from_table order by x.tbl collate "C" loop
    foreach part in array array[false, true] loop
      continue when t.tbl = from_table and is_shared and not part;
      continue when case when part then t.shared is null or not has_table_privilege(format('public.%I', t.tbl), 'select') else t.own is null end;
      after := case when t.tbl = from_table and part = is_shared then coalesce(p_after ->> 'key', '') else '' end;
      if part then
        page := account.page_of_rows(t.tbl, t.shared, after, room, is_first, auth.uid(), private);
      else
        page := account.page_of_own_rows(t.tbl, after, room, is_first);
      end if;
      if page.o_rows <> '{}' then
        tables := tables || jsonb_build_object(t.tbl, coalesce(tables -> t.tbl, '[]') || to_jsonb(page.o_rows));
        is_first := false;
        room := room - page.o_bytes;
      end if;
      if page.o_more then
        next := jsonb_build_object('table', t.tbl, 'shared', part, 'key', page.o_last);
        exit everything;
      end if;
    end loop;
  end loop;
  return answer || jsonb_build_object('tables', tables, 'next', next);
end $function$;

CREATE OR REPLACE FUNCTION public.fork_pack(p_id uuid, p_version uuid, p_organization uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v public.pack_versions;
  p public.policy_packs;
begin
  select w.* into v from public.pack_versions w where w.id = p_version and w.state = 'listed';
  select * into p from public.policy_packs q where q.id = v.pack_id and q.status = 'active';
  if auth.uid() is null or p.id is null or p_id is null or p_organization is null
    or p_organization not in (select public.my_marketplace_companies('content.manage'))
    or not (p.organization_id is not distinct from p_organization or p.is_template and public.my_marketplace_is_open()) then
    raise exception 'no such pack to begin with' using errcode = '42501', detail = 'CN220';
  end if;
  if p.licence = 'all-rights-reserved' and p.organization_id is distinct from p_organization then
    raise exception 'its licence does not let it be passed on' using errcode = '23514', hint = 'licence', detail = 'CN221';
  end if;
  if exists (select from public.policy_packs q where q.id = p_id) then return (marketplace.own_pack(p_id)).id; end if;
  insert into public.policy_packs (id, organization_id, name, summary, publisher, kind, licence, attribution, locale, industry, frameworks, forked_from_id, created_by)
    select p_id, o.id, p.name, p.summary, o.name, p.kind, p.licence,
      right(concat_ws('; ', p.attribution, 'based on "' || p.name || '" ' || v.number || ' by ' || p.publisher), 600),
      p.locale, p.industry, p.frameworks, p.id, auth.uid()
    from public.organizations o where o.id = p_organization;
  insert into public.pack_versions (pack_id, number, contents, created_by) values (p_id, '1.0.0', v.contents, auth.uid());
  return p_id;
end $function$;

CREATE OR REPLACE FUNCTION public.get_subscription_info()
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is null then raise exception 'get_subscription_info needs a signed-in person' using errcode = '42501', detail = 'CN063'; end if;
  return (select to_jsonb(t) - array['id', 'scopes', 'version', 'created_at', 'updated_at', 'deleted_at'] || jsonb_build_object(
      'media_search', identity.quota_state(auth.uid(), 'media_search'), 'video_credits', identity.quota_state(auth.uid(), 'video_credits'))
    from public.subscription_tiers t
    where t.tier = coalesce((select s.tier from public.subscriptions s where s.id = auth.uid()), 'personal_consumer'));
end $function$;

CREATE OR REPLACE FUNCTION public.get_user_organization_contexts(user_id_param uuid)
 RETURNS TABLE(organization_id uuid, organization_name text, program_name text, program_description text, activation_source text, display_name text, user_role text, support_role text, joined_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with me as (
    select coalesce(array_agg(u.role), '{}') as roles from public.user_roles u where u.user_id = auth.uid() and u.deleted_at is null
  )
  select c.* from (
    select o.id, o.name, o.program_name, o.program_description, a.activation_source,
      identity.role_display_name(m.role, me.roles, null), m.role, null::text, m.joined_at
    from me, access.my_memberships() m
    join public.organizations o on o.id = m.organization_id
    left join lateral (
      select x.activation_source from public.organization_activations x
      where x.organization_id = m.organization_id and x.user_id = m.user_id and x.deleted_at is null
      -- No other kind of activation hides a partner link.
      order by x.activation_source in ('partner_link', 'partner_link_v2') desc, x.activated_at desc limit 1) a on true
    union all
    select o.id, coalesce(p.display_name, o.name), null, null, null, identity.role_display_name(null, me.roles, r.role), null, r.role, r.started_at
    from me, public.circle_relationships r
    join public.organizations o on o.kind = 'private' and o.created_by = r.subject_id and o.deleted_at is null
    left join public.people p on p.id = r.subject_id
    where r.helper_id = auth.uid() and r.state = 'active' and r.deleted_at is null
  ) c (organization_id, organization_name, program_name, program_description, activation_source, display_name, user_role, support_role, joined_at)
  where user_id_param = auth.uid()                               -- one's own, or nothing
  order by c.joined_at desc, c.organization_id, c.support_role
$function$;

CREATE OR REPLACE FUNCTION public.give_guest_link(p_action uuid, p_name text, p_email text, p_until date)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  a constant public.action_items := intake.require_giver(p_action);
  name constant text := btrim(regexp_replace(intake.plain(p_name), '\s+', ' ', 'g'));
  l intake.guest_link;
begin
  if inbox.action_ended(a.status) then raise exception 'it is ended' using errcode = '22023', hint = 'state', detail = 'CN125'; end if;
  perform intake.require_end_date(p_until);
  perform intake.require_no_other_link(a.id);
  if (select count(*) from intake.guest_link x where x.action_id = a.id) >= 50 then
    raise exception 'given often enough' using errcode = 'PT429', hint = 'too_many_invitations', detail = 'CN126';
  end if;
  begin
    insert into intake.guest_link (organization_id, action_id, name, email, until, created_by)
      values (a.organization_id, a.id, name, lower(btrim(p_email)), p_until, auth.uid()) returning * into l;
  exception when check_violation or not_null_violation then
    raise exception 'a guest has a name and an address' using errcode = '22023', hint = 'person', detail = 'CN127';
  end;
  perform audit.note(a.organization_id, 'guest_link.made', 'action_items', a.id, jsonb_build_object('link', l.id, 'name', l.name, 'until', l.until));
  return intake.guest_email(l);
end $function$;

CREATE OR REPLACE FUNCTION public.guest_picture(p_token text, p_media uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select a.organization_id::text || '/' || p.id::text
  from intake.guest_link_of(p_token) l
  join public.action_items a on a.id = l.action_id and intake.guest_link_status(l, a) = 'open'
  cross join lateral intake.guest_photos(l, a) p where p.id = p_media
$function$;

CREATE OR REPLACE FUNCTION public.guest_reply_photo(p_key text, p_n integer)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object('name', l.organization_id::text || '/' || p.media_id::text, 'bytes', p.bytes, 'sha256', p.sha256,
    'stored', p.stored_at is not null)
  from intake.guest_reply w
  join intake.guest_link l on l.id = w.link_id and l.revoked_at is null
  join public.action_items a on a.id = l.action_id and a.deleted_at is null
  join intake.guest_photo p on p.key_hash = w.key_hash and p.n = p_n
  where w.key_hash = sha256(convert_to(left(p_key, 200), 'UTF8')) and (p.stored_at is not null or w.created_at > now() - interval '7 days')
$function$;

CREATE OR REPLACE FUNCTION public.hold_policy_edit_lock(p_version uuid, p_take_over boolean DEFAULT false)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v public.policy_versions := policy.version_for(p_version, 'policy.author');
begin
  if v.state not in ('draft', 'change_requested') then
    return jsonb_build_object('mine', false, 'holder', null, 'since', null);
  end if;
  if v.editing_by is null or v.editing_by = auth.uid() or p_take_over or v.editing_since <= now() - policy.edit_lock_duration() then
    update public.policy_versions w set editing_by = auth.uid(), editing_since = now() where w.id = v.id returning * into v;
  end if;
  return jsonb_build_object('mine', v.editing_by = auth.uid(), 'holder', v.editing_by, 'since', v.editing_since);
end $function$;

CREATE OR REPLACE FUNCTION public.install_pack(p_organization uuid, p_version uuid, p_playbook uuid DEFAULT NULL::uuid, p_variables jsonb DEFAULT '{}'::jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v constant public.pack_versions := marketplace.version_to_take(p_organization, p_version);
  before public.pack_installs;
  filled jsonb;
  part record;
  n integer := 0;
begin
  perform marketplace.check_playbook(p_organization, p_playbook);
  select * into before from public.pack_installs i where i.organization_id = p_organization and i.pack_id = v.pack_id order by i.created_at limit 1;
  if found then
    insert into public.pack_installs (organization_id, playbook_id, pack_id, version_id, variables, installed_by)
      values (p_organization, p_playbook, v.pack_id, before.version_id, before.variables, auth.uid()) on conflict do nothing;
    return jsonb_build_object('installed', false, 'documents', 0);
  end if;
  filled := marketplace.values_for(v.contents, p_variables);
  insert into public.pack_installs (organization_id, playbook_id, pack_id, version_id, variables, installed_by)
    values (p_organization, p_playbook, v.pack_id, v.id, filled, auth.uid());
  for part in select 'policy' as kind, e from jsonb_array_elements(v.contents -> 'policies') e
    union all select 'form', e from jsonb_array_elements(v.contents -> 'forms') e
    union all select 'task', e from jsonb_array_elements(v.contents -> 'tasks') e loop
    perform marketplace.add_document(p_organization, p_playbook, v, part.kind, part.e, filled);
    n := n + 1;
  end loop;
  perform audit.note(p_organization, 'pack.installed', 'policy_packs', v.pack_id,
    jsonb_build_object('version', v.number, 'content_hash', v.content_hash, 'documents', n));
  return jsonb_build_object('installed', true, 'documents', n);
end $function$;

CREATE OR REPLACE FUNCTION public.invite_to_circle(p_role text, p_purpose text, p_wanted jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET "TimeZone" TO 'UTC'
AS $function$
declare
  token constant text := identity.new_token();
  i public.circle_invitations;
begin
  if auth.uid() is null then raise exception 'sign in first' using errcode = '42501', detail = 'CN077'; end if;
  if p_role is null or not exists (select from public.role_permissions p where p.role_kind = 'circle' and p.role = p_role) then
    raise exception 'no such role' using errcode = '22023', detail = 'CN050';
  end if;
  perform identity.check_wanted(p_role, p_wanted);
  if (select count(*) from public.circle_invitations x where x.subject_id = auth.uid() and x.created_at > now() - interval '1 day') >= 50 then
    raise exception 'at most 50 invitations a day' using errcode = 'P0001', detail = 'CN178';
  end if;
  insert into public.circle_invitations (subject_id, role, purpose, wanted)
    values (auth.uid(), p_role, nullif(btrim(p_purpose), ''), p_wanted) returning * into i;
  insert into identity.circle_invitation_token (hash, invitation_id) values (identity.token_hash(token), i.id);
  return jsonb_build_object('id', i.id, 'token', token, 'expires_at', i.expires_at);
end $function$;

CREATE OR REPLACE FUNCTION public.invite_to_organization(p_organization uuid, p_email text DEFAULT NULL::text, p_role text DEFAULT 'member'::text, p_sites uuid[] DEFAULT '{}'::uuid[], p_valid_until timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET "TimeZone" TO 'UTC'
AS $function$
declare
  address constant text := nullif(lower(trim(p_email)), '');
  token constant text := identity.new_token();
  i public.organization_invitations;
begin
  perform identity.require_permission('people.manage', p_organization);
  perform identity.check_invitation(p_organization, address, p_role, coalesce(p_sites, '{}'), p_valid_until);
  if (select count(*) from public.organization_invitations x
      where x.organization_id = p_organization and x.created_at > now() - interval '1 day') >= 500 then
    raise exception 'an organisation invites at most 500 people a day' using errcode = 'P0001', detail = 'CN053';
  end if;
  update public.organization_invitations x set revoked_at = now()
    where x.organization_id = p_organization and x.email = address and x.accepted_at is null and x.revoked_at is null;
  insert into public.organization_invitations (organization_id, email, role, site_ids, valid_until, created_by)
    values (p_organization, address, p_role, coalesce(p_sites, '{}'), p_valid_until, auth.uid()) returning * into i;
  insert into identity.invitation_token (hash, invitation_id) values (identity.token_hash(token), i.id);
  return jsonb_build_object('id', i.id, 'token', token, 'email', i.email, 'expires_at', i.expires_at);
end $function$;

CREATE OR REPLACE FUNCTION public.kiosk_state(p_policy uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  p public.policies;
begin
  select * into p from public.policies q where q.id = p_policy and q.deleted_at is null;
  if not found or auth.uid() is null or not access.may('policy.witness', p.organization_id) then
    raise exception 'no such policy' using errcode = '42501', detail = 'CN142';
  end if;
  return jsonb_build_object('major', p.current_major,
    'answered', coalesce((select jsonb_agg(distinct a.user_id) from public.policy_acknowledgements a
      join public.policy_versions v on v.id = a.version_id
      where a.policy_id = p.id and v.major = p.current_major and a.state in ('acknowledged', 'exempt', 'declined') and a.deleted_at is null
        and kiosk.shares_site(p.organization_id, a.user_id)), '[]'),
    'pins', coalesce((select jsonb_agg(k.user_id) from kiosk.pin k
      where k.organization_id = p.organization_id and access.is_member(k.organization_id, k.user_id)
        and kiosk.shares_site(k.organization_id, k.user_id)), '[]'));
end $function$;

CREATE OR REPLACE FUNCTION public.leave_organization(p_organization uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is null or not identity.is_current_member(p_organization) then
    raise exception 'not a member of that organisation' using errcode = '42501', detail = 'CN043';
  end if;
  if exists (select from public.organizations o where o.id = p_organization and o.kind = 'private') then
    raise exception 'a private space is left with the account only' using errcode = '42501', detail = 'CN044';
  end if;
  update public.organization_members m set deleted_at = now()
    where m.organization_id = p_organization and m.user_id = auth.uid();
end $function$;

CREATE OR REPLACE FUNCTION public.make_calendar_feed(p_kind text, p_zone text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  token constant text := identity.new_token();
  made uuid;
begin
  if auth.uid() is null then raise exception 'sign in first' using errcode = '42501', detail = 'CN077'; end if;
  perform identity.require_full_session();
  if coalesce(p_kind, '') not in ('tasks', 'day') or not exists (select from pg_catalog.pg_timezone_names z where z.name = p_zone) then
    raise exception 'a feed has a kind and a zone' using errcode = '22023', detail = 'CN229';
  end if;
  insert into calendar.feed (user_id, kind, hash, zone) values (auth.uid(), p_kind, identity.token_hash(token), p_zone)
    on conflict (user_id, kind) do update set hash = excluded.hash, zone = excluded.zone, renewed_at = now(), read_at = null
    returning id into made;
  return jsonb_build_object('id', made, 'token', token);
end $function$;

CREATE OR REPLACE FUNCTION public.media_checked(p_id uuid, p_object uuid, p_sha256 text, p_bytes bigint)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update sync.orphaned_edit u set checked = p_object
    where u.body ->> 'id' = p_id::text and u.body ->> 't' = 'media' and u.body ->> 'op' = 'insert' and u.state <> 'declined'
      and u.body -> 'patch' ->> 'sha256' = p_sha256 and u.body -> 'patch' ->> 'bytes' = p_bytes::text
      and exists (select from storage.objects o where o.id = p_object and o.bucket_id = 'media' and o.name = u.organization_id::text || '/' || p_id::text);
  perform review_queue.complete_checked(p_id);
  return coalesce((select 'complete' from public.media m where m.id = p_id and m.state = 'complete' and m.sha256 = p_sha256), 'in_review_queue');
end $function$;

CREATE OR REPLACE FUNCTION public.media_complete(p_id uuid, p_sha256 text, p_bytes bigint)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  f public.media;
begin
  select * into f from public.media where id = p_id for no key update;
  if not found then raise exception 'no such file' using errcode = 'P0002', detail = 'CN097'; end if;
  if f.sha256 <> lower(p_sha256) or f.bytes <> p_bytes then
    raise exception 'hash_mismatch' using errcode = 'P0001', detail = 'CN098';
  end if;
  if f.state <> 'complete' then
    update public.media set state = 'complete', completed_at = now() where id = p_id;
  end if;
  return jsonb_build_object('id', p_id, 'state', 'complete', 'sha256', f.sha256, 'bytes', f.bytes);
end $function$;

CREATE OR REPLACE FUNCTION public.media_may_remove(p_id uuid, p_object uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- As media_complete locks it: a file is completed before this, or not while this looks.
  perform from public.media m where m.id = p_id and m.state = 'pending' for no key update;
  if found then
    if public.media_object(p_id) is distinct from p_object then return false; end if;
  elsif exists (select from public.media m where m.id = p_id) or not exists (
    select from storage.objects o where o.id = p_object and o.bucket_id = 'media' and o.name in (
      select u.organization_id::text || '/' || p_id::text from sync.orphaned_edit u
      where u.body ->> 'id' = p_id::text and u.body ->> 't' = 'media' and u.body ->> 'op' = 'insert' and u.state in ('waiting', 'refused'))) then
    return false;
  end if;
  delete from sync.removal r where r.at < now() - interval '5 minutes';
  insert into sync.removal (object) values (p_object) on conflict do nothing;
  return found;
end $function$;

CREATE OR REPLACE FUNCTION public.media_object(p_id uuid)
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select o.id from public.media m
  join storage.objects o on o.bucket_id = 'media' and o.name = m.organization_id::text || '/' || m.id::text
  where m.id = p_id
$function$;

CREATE OR REPLACE FUNCTION public.move_pack_version(p_version uuid, p_to text, p_note text DEFAULT NULL::text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v public.pack_versions;
  p public.policy_packs;
  whose text;
  is_maker boolean;
  is_reviewer boolean;
begin
  perform from public.policy_packs q where q.id = (select w.pack_id from public.pack_versions w where w.id = p_version) for update;
  select * into v from public.pack_versions w where w.id = p_version for update;
  select * into p from public.policy_packs q where q.id = v.pack_id;
  is_maker := auth.uid() is not null and p.organization_id in (select public.my_marketplace_companies('content.manage'));
  -- Nobody lists what they or their own company made.
  is_reviewer := auth.uid() is not null and v.state <> 'draft' and p.is_template and public.my_platform_permission('platform.moderate')
    and not exists (select from access.my_memberships() m where m.organization_id = p.organization_id)
    and v.created_by is distinct from auth.uid() and v.submitted_by is distinct from auth.uid();
  if v.id is null or not coalesce(is_maker, false) and not coalesce(is_reviewer, false) then
    raise exception 'no such version' using errcode = '42501', detail = 'CN136';
  end if;
  whose := marketplace.may_become(v.state, p_to, p.is_template);
  if whose is null then
    raise exception 'a version that is % cannot become %', v.state, p_to using errcode = '23514', hint = 'state', detail = 'CN135';
  end if;
  if whose = 'maker' and not coalesce(is_maker, false) or whose = 'reviewer' and not coalesce(is_reviewer, false) then
    raise exception 'somebody else decides this' using errcode = '42501', hint = 'reviewer', detail = 'CN218';
  end if;
  if (whose = 'reviewer' and p_to = 'draft' or p_to = 'withdrawn') and btrim(coalesce(p_note, '')) = '' then
    raise exception 'it is said why' using errcode = '23514', hint = 'note', detail = 'CN219';
  end if;
  update public.pack_versions w set state = p_to, updated_at = now(),
    review_note = case when p_to in ('draft', 'withdrawn') then left(btrim(p_note), 2000) when p_to = 'submitted' then null else w.review_note end,
    submitted_by = case when p_to = 'submitted' then auth.uid() else w.submitted_by end,
    submitted_at = case when p_to = 'submitted' then clock_timestamp() else w.submitted_at end,
    reviewed_by = case when whose = 'reviewer' then auth.uid() else w.reviewed_by end,
    listed_at = case when p_to = 'listed' then clock_timestamp() else w.listed_at end,
    withdrawn_at = case when p_to = 'withdrawn' then clock_timestamp() else w.withdrawn_at end
    where w.id = v.id;
  if p.organization_id is not null then
    perform audit.note(p.organization_id, 'pack.' || p_to, 'policy_packs', p.id,
      jsonb_build_object('version', v.number, 'from', v.state, 'content_hash', v.content_hash));
  end if;
  return p_to;
end $function$;

CREATE OR REPLACE FUNCTION public.my_administered_playbooks()
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return query
    select m.playbook_id from public.playbook_members m
    where m.user_id = auth.uid() and m.role = 'admin' and m.deleted_at is null
      and m.organization_id in (select public.my_organizations_with('playbook.create'))
    union
    select p.id from public.playbooks p
    where p.type = 'company' and p.organization_id in (select public.my_organizations_with('playbook.manage'));
end $function$;

CREATE OR REPLACE FUNCTION public.my_calendar_feeds()
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'kind', f.kind, 'renewed_at', f.renewed_at, 'read_at', f.read_at) order by f.kind), '[]')
  from calendar.feed f where f.user_id = auth.uid()
$function$;

CREATE OR REPLACE FUNCTION public.my_circle_with(p_permission text)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return query
    select distinct c.subject_id from public.circle_relationships c
    join public.role_permissions p
      on p.role_kind = 'circle' and p.role = c.role and p.permission = p_permission and p.deleted_at is null
    where c.helper_id = auth.uid() and c.state = 'active' and c.deleted_at is null;
end $function$;

CREATE OR REPLACE FUNCTION public.my_files_on_behalf()
 RETURNS SETOF text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select u.organization_id::text || '/' || (u.body ->> 'id') from sync.orphaned_edit u
  where u.submitted_by = auth.uid() and u.state <> 'declined' and u.body ->> 't' = 'media' and u.body ->> 'op' = 'insert'
    and not review_queue.names_file_of_others(u)
$function$;

CREATE OR REPLACE FUNCTION public.my_marketplace_companies(p_permission text)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return query
    select o.id from public.organizations o
    where o.kind = 'company' and o.deleted_at is null and o.id in (select public.my_organizations_with(p_permission))
      and exists (select from public.subscription_tiers t
        where t.tier = coalesce((select s.tier from public.subscriptions s where s.id = auth.uid()), 'personal_consumer')
          and case p_permission when 'marketplace.access' then t.can_access_marketplace when 'content.manage' then t.can_create_content else false end);
end $function$;

CREATE OR REPLACE FUNCTION public.my_marketplace_is_open()
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (select from public.my_marketplace_companies('marketplace.access')) or public.my_platform_permission('platform.moderate');
end $function$;

CREATE OR REPLACE FUNCTION public.my_organizations_with(p_permission text)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  kept constant jsonb := access.cached_rights('organizations')::jsonb;
begin
  if kept is not null then
    return query select o::uuid from jsonb_array_elements_text(kept -> p_permission) o;
    return;
  end if;
  perform identity.require_full_session();
  if not exists (select from public.permissions p where p.key = p_permission and p.reach = 'organization') then return; end if;
  return query
    select m.organization_id from access.my_memberships() m
    where exists (select from public.role_permissions p
        where p.role_kind = 'organization' and p.role = m.role and p.permission = p_permission and p.deleted_at is null)
      or p_permission in (select access.my_system_permissions());
end $function$;

CREATE OR REPLACE FUNCTION public.my_packs_to_review()
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not public.my_platform_permission('platform.moderate') then return; end if;
  return query select p.id from public.policy_packs p
    where p.is_template and exists (select from public.pack_versions v where v.pack_id = p.id and v.state <> 'draft');
end $function$;

CREATE OR REPLACE FUNCTION public.my_platform_permission(p_permission text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return p_permission like 'platform.%' and p_permission in (select access.my_system_permissions());
end $function$;

CREATE OR REPLACE FUNCTION public.my_scopes()
 RETURNS SETOF text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  kept constant text[] := access.cached_rights('scopes')::text[];
begin
  if kept is not null then
    return query select unnest(kept);
    return;
  end if;
  perform identity.require_full_session();
  return query
    with mine as (select m.organization_id from access.my_memberships() m)
    select sync.user_scope(auth.uid()) where auth.uid() is not null and access.same_organization() is null
    union all select 'all' where auth.uid() is not null
    union all select sync.org_scope(organization_id) from mine
    union all select sync.member_scope(organization_id, auth.uid()) from mine
    union all select 'circle:' || c.id::text from sync.circle c join mine using (organization_id)
    union all select 'site:' || s::text from public.my_sites() s
    union all
    select 'team:' || t.team_id::text from public.team_members t
    join mine using (organization_id)
    where t.user_id = auth.uid() and t.deleted_at is null
    union all
    select sync.holder_scope(p.key, o) from public.permissions p cross join lateral public.my_organizations_with(p.key) o
    where p.is_audience;
end $function$;

CREATE OR REPLACE FUNCTION public.my_sent_file(p_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with mine as (
    select u.organization_id, u.body -> 'patch' as patch, u.state, o.id as object,
      o.id is null or o.owner_id in (u.user_id::text, u.submitted_by::text) as is_own
    from sync.orphaned_edit u
    left join storage.objects o on o.bucket_id = 'media' and o.name = u.organization_id::text || '/' || p_id::text
    where (u.user_id = auth.uid() or u.submitted_by = auth.uid()) and u.body ->> 'id' = p_id::text
      and u.body ->> 't' = 'media' and u.body ->> 'op' = 'insert' and u.state <> 'declined'
  ), row as (
    select m.* from public.media m where m.id = p_id
  )
  select case when exists (select from row) then (
      select jsonb_build_object('id', m.id, 'organization_id', m.organization_id, 'kind', m.kind, 'mime', m.mime, 'sha256', m.sha256,
        'bytes', m.bytes, 'state', m.state, 'audience', m.audience) from row m
      where m.deleted_at is null and m.captured_by = auth.uid())
    else (
      select jsonb_build_object('id', p_id, 'organization_id', w.organization_id, 'kind', coalesce(w.patch ->> 'kind', 'photo'),
        'mime', w.patch -> 'mime', 'sha256', w.patch -> 'sha256', 'bytes', w.patch -> 'bytes', 'state', 'in_review_queue',
        'audience', w.patch -> 'audience', 'object', w.object) from mine w
      where w.state in ('waiting', 'refused') and coalesce(w.is_own, false) and not exists (
        select from sync.orphaned_edit u where u.organization_id = w.organization_id and u.body ->> 'id' = p_id::text and u.body ->> 't' = 'media'
          and u.body ->> 'op' = 'insert' and u.state in ('waiting', 'refused') and u.body -> 'patch' -> 'sha256' is distinct from w.patch -> 'sha256')
      limit 1) end
$function$;

-- Sessions of whoever asks, the asking one first
CREATE OR REPLACE FUNCTION public.my_sessions()
 RETURNS TABLE(id uuid, created_at timestamp with time zone, seen_at timestamp with time zone, user_agent text, ip_address text, level text, is_current boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select s.id, s.created_at,
         greatest(s.created_at, s.refreshed_at at time zone 'utc'),
         s.user_agent, host(s.ip), coalesce(s.aal::text, 'aal1'),
         s.id = nullif((select auth.jwt()) ->> 'session_id', '')::uuid
  from auth.sessions s
  where s.user_id = (select auth.uid()) and (s.not_after is null or s.not_after > now())
  order by 7 desc nulls last, 3 desc
$function$;

CREATE OR REPLACE FUNCTION public.my_sites()
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  kept constant uuid[] := access.cached_rights('sites')::uuid[];
begin
  if kept is not null then
    return query select unnest(kept);
    return;
  end if;
  return query
    select m.site_id from public.site_members m
    join access.my_memberships() o on o.organization_id = m.organization_id and o.user_id = m.user_id
    where m.user_id = auth.uid() and m.deleted_at is null
    union
    select s.id from public.sites s
    join access.my_memberships() o on o.organization_id = s.organization_id and not o.site_limited
    where s.organization_id in (select public.my_organizations_with('place.all'));
end $function$;

CREATE OR REPLACE FUNCTION public.my_submitted_edits()
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object('mid', u.mid, 'organization_id', u.organization_id, 'state', u.state,
    'submitted_by', u.submitted_by) order by u.n), '[]')
  from sync.orphaned_edit u where u.user_id = auth.uid()
$function$;

CREATE OR REPLACE FUNCTION public.my_submitted_files()
 RETURNS SETOF text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select u.organization_id::text || '/' || (u.body ->> 'id') from sync.orphaned_edit u
    where u.user_id = auth.uid() and u.state <> 'declined' and u.body ->> 't' = 'media' and u.body ->> 'op' = 'insert'
      and not review_queue.names_file_of_others(u)
  union all
  select m.organization_id::text || '/' || m.id::text from public.media m
    where m.captured_by = auth.uid() and m.state = 'pending' and m.deleted_at is null
$function$;

CREATE OR REPLACE FUNCTION public.note_evidence_pack(p_organization uuid, p_sha256 text, p_files integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is null or not access.may('evidence.read', p_organization) then
    raise exception 'this needs evidence.read in that organisation' using errcode = '42501', detail = 'CN167';
  end if;
  if p_sha256 is null or p_sha256 !~ '^[0-9a-f]{64}$' or p_files is null or p_files < 0 then
    raise exception 'no manifest' using errcode = '22023', detail = 'CN168';
  end if;
  -- One after the other: two calls at once are noted once.
  perform pg_advisory_xact_lock(hashtextextended('evidence_pack/' || p_organization::text, 0));
  if exists (select from public.audit_entries e where e.organization_id = p_organization and e.act = 'evidence.exported'
      and e.at > now() - interval '1 day' and e.detail ->> 'sha256' = p_sha256) then return; end if;
  if (select count(*) from public.audit_entries e where e.organization_id = p_organization and e.act = 'evidence.exported'
      and e.actor_id = auth.uid() and e.at > now() - interval '1 day') >= 100 then
    raise exception 'at most 100 packages a day' using errcode = 'P0001', hint = 'many', detail = 'CN169';
  end if;
  perform audit.note(p_organization, 'evidence.exported', 'organizations', p_organization, jsonb_build_object('sha256', p_sha256, 'files', p_files));
end $function$;

CREATE OR REPLACE FUNCTION public.open_guest_link(p_token text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET "TimeZone" TO 'UTC'
AS $function$
declare
  l intake.guest_link;
begin
  select * into l from intake.guest_link_of(p_token);
  if l.id is null then return null; end if;
  update intake.guest_link x set opened_at = coalesce(x.opened_at, now()), seen_at = now()
    where x.id = l.id and (x.seen_at is null or x.seen_at < now() - interval '1 minute');
  return intake.guest_answer(l);
end $function$;

CREATE OR REPLACE FUNCTION public.orphaned_edits(p_organization uuid, p_state text DEFAULT 'waiting'::text, p_after bigint DEFAULT 0)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET "TimeZone" TO 'UTC'
AS $function$
begin
  perform identity.require_permission('orphaned_edits.review', p_organization);
  return (select coalesce(jsonb_agg(jsonb_build_object('n', u.n, 'user_id', u.user_id, 'name', p.display_name,
      'submitted_at', u.submitted_at, 'mutation', u.body, 'state', u.state, 'result', u.result,
      'submitted_by', case when u.submitted_by is not null then coalesce(b.display_name, '') end) order by u.n), '[]')
    from (select w.*, sum(w.bytes) over (order by w.n) - w.bytes as bytes_before from sync.orphaned_edit w
      where w.organization_id = p_organization and w.state = p_state and w.n > p_after) u
    left join public.people p on p.id = u.user_id left join public.people b on b.id = u.submitted_by
    where u.bytes_before < 4194304);
end $function$;

CREATE OR REPLACE FUNCTION public.orphaned_public_photos(p_removed text[] DEFAULT '{}'::text[])
 RETURNS SETOF text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from intake.photo p using public.issue_reports r
    where r.id = p.report_id and p.stored_at is null and r.organization_id::text || '/' || p.media_id::text = any (p_removed);
  delete from intake.guest_photo p using intake.guest_reply w, intake.guest_link l
    where w.key_hash = p.key_hash and l.id = w.link_id and p.stored_at is null and l.organization_id::text || '/' || p.media_id::text = any (p_removed);
  return query
    select s.name from (
      select r.organization_id::text || '/' || p.media_id::text as name, s.created_at
      from intake.photo p
      join public.issue_reports r on r.id = p.report_id
      join intake.submission s on s.report_id = p.report_id
      where p.stored_at is null and (s.created_at < now() - interval '7 days' or r.deleted_at is not null)
      union all
      select l.organization_id::text || '/' || p.media_id::text, w.created_at
      from intake.guest_photo p
      join intake.guest_reply w on w.key_hash = p.key_hash
      join intake.guest_link l on l.id = w.link_id
      where p.stored_at is null and w.created_at < now() - interval '7 days') s
    order by s.created_at limit 100;
end $function$;

CREATE OR REPLACE FUNCTION public.pack_contents_of(p_organization uuid, p_policies uuid[], p_forms uuid[], p_tasks uuid[])
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is null or p_organization is null or p_organization not in (select public.my_marketplace_companies('content.manage')) then
    raise exception 'making packs needs content.manage and a tier that creates' using errcode = '42501', detail = 'CN213';
  end if;
  return jsonb_build_object('schema', 1, 'variables', '[]'::jsonb,
    'policies', (select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('key', 'p-' || replace(p.id::text, '-', ''), 'title', left(v.title, 180), 'code', left(p.code, 30),
        'summary', left(p.summary, 800), 'body', v.body, 'classification', p.classification, 'review_months', p.review_months)) order by v.title, p.id), '[]')
      from public.policies p join public.policy_versions v on v.id = p.current_version_id
      where p.organization_id = p_organization and p.deleted_at is null and p.state = 'published' and p.id = any (p_policies)
        and v.file is null and p.scopes && array(select public.my_scopes())),
    'forms', (select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('key', 'f-' || replace(f.id::text, '-', ''), 'name', left(f.name, 180), 'description', left(f.description, 2000),
        'category', left(f.category, 60))) || jsonb_build_object('definition', v.definition) order by f.name, f.id), '[]')
      from public.forms f join public.form_versions v on v.id = f.current_version_id
      where f.organization_id = p_organization and f.deleted_at is null and f.state = 'published' and f.id = any (p_forms)
        and f.scopes && array(select public.my_scopes())),
    'tasks', (select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('key', 't-' || replace(k.id::text, '-', ''), 'title', left(k.title, 280), 'notes', left(k.notes, 10000),
        'priority', k.priority, 'steps', (select coalesce(jsonb_agg(left(s.title, 280) order by s.position, s.id), '[]') from public.task_items s
          where s.task_id = k.id and s.deleted_at is null))) order by k.title, k.id), '[]')
      from public.tasks k where k.organization_id = p_organization and k.deleted_at is null and k.id = any (p_tasks)
        and k.scopes && array(select public.my_scopes())));
end $function$;

CREATE OR REPLACE FUNCTION public.pause_report_code(p_id uuid, p_paused boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform intake.my_code(p_id);
  if p_paused then
    update public.report_codes c set paused_at = now(), paused_because = 'hand' where c.id = p_id and c.paused_at is null;
  else
    update public.report_codes c set paused_at = null, paused_because = null, counted_from = clock_timestamp() where c.id = p_id;
    perform inbox.mark_resolved_read(p_id, array['issue.code_flooded']);
  end if;
end $function$;

-- What the asker may see of a person: name, and by that person's settings job title, bio and the hour they were last here; null for whoever is no colleague and not of the circle
CREATE OR REPLACE FUNCTION public.person_profile(p_person uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me constant uuid := auth.uid();
  is_colleague boolean;
  is_circle boolean;
  visibility text;
  shows_activity boolean;
  is_shared boolean;
begin
  if me is null then raise exception 'sign in first' using errcode = '42501', detail = 'CN077'; end if;
  perform identity.require_full_session();
  is_colleague := exists (
    select from public.organization_members m join public.organizations o on o.id = m.organization_id
    where m.user_id = me and m.deleted_at is null and o.kind = 'company' and o.deleted_at is null
      and access.is_member(o.id, me) and access.is_member(o.id, p_person));
  is_circle := exists (
    select from public.circle_relationships c
    where c.state <> 'ended' and c.deleted_at is null and (c.subject_id, c.helper_id) in ((me, p_person), (p_person, me)));
  -- Somebody unknown and somebody who does not exist are answered alike.
  if p_person is distinct from me and not is_colleague and not is_circle then return null; end if;
  select u.profile_visibility, u.show_activity_status into visibility, shows_activity
    from public.user_preferences u where u.user_id = p_person and u.deleted_at is null;
  is_shared := p_person = me or case coalesce(visibility, 'public')
    when 'public' then true when 'members' then is_colleague else is_circle end;
  return (select jsonb_build_object('id', p_person, 'name', p.display_name, 'is_shared', is_shared,
      'job_title', case when is_shared then f.job_title end,
      'bio', case when is_shared then f.bio end,
      'seen_at', case when coalesce(shows_activity, true) and (p_person = me or is_colleague)
        then presence.seen_at(p_person) end)
    from public.people p left join public.profiles f on f.id = p.id and f.deleted_at is null
    where p.id = p_person and p.deleted_at is null);
end $function$;

CREATE OR REPLACE FUNCTION public.plan_failed(p_kind text, p_id uuid, p_version bigint)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select schedule.plan_failed(p_kind, p_id, p_version)
$function$;

CREATE OR REPLACE FUNCTION public.plan_schedule(p_schedule uuid, p_version bigint, p_occurrences jsonb)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select schedule.plan_schedule(p_schedule, p_version, p_occurrences)
$function$;

CREATE OR REPLACE FUNCTION public.plan_task_series(p_series uuid, p_version bigint, p_occurrences jsonb)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select task.plan_series(p_series, p_version, p_occurrences)
$function$;

CREATE OR REPLACE FUNCTION public.policy_acknowledgement_report(p_policy uuid, p_major integer DEFAULT NULL::integer)
 RETURNS json
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  p public.policies;
  wanted integer;
  limited boolean;
begin
  select * into p from public.policies q where q.id = p_policy and q.deleted_at is null;
  if not found or auth.uid() is null or not access.may('policy.report', p.organization_id) then
    raise exception 'no such policy' using errcode = '42501', detail = 'CN142';
  end if;
  wanted := coalesce(p_major, p.current_major);
  select coalesce(bool_or(m.site_limited), false) into limited from access.my_memberships() m where m.organization_id = p.organization_id;
  return json_build_object('major', wanted, 'title', p.title, 'at', clock_timestamp(), 'is_limited', limited, 'people', coalesce((
    with owed as (
      select o.user_id, o.owed_since, o.due_at from policy.owed_acknowledgements(p.organization_id, p.id) o where wanted = p.current_major
    ), acknowledgements as (
      select distinct on (a.user_id) a.*, v.major as on_major, v.minor as on_minor, policy.quiz_length(v.quiz) as asked
      from public.policy_acknowledgements a join public.policy_versions v on v.id = a.version_id
      where a.policy_id = p.id and a.deleted_at is null and v.major = wanted
      order by a.user_id, array_position(array['acknowledged', 'exempt', 'declined', 'void', 'opened'], a.state), a.received_at
    ), places as (
      select s.user_id, json_agg(s.site_id) as ids from public.site_members s
      where s.organization_id = p.organization_id and s.deleted_at is null group by s.user_id
    ), crews as (
      select t.user_id, json_agg(t.team_id) as ids from public.team_members t
      where t.organization_id = p.organization_id and t.deleted_at is null group by t.user_id
    )
    select json_agg(json_object(
        'user_id': coalesce(o.user_id, s.user_id), 'name': n.display_name, 'role': m.role, 'sites': l.ids, 'teams': c.ids,
        'state': case when s.state is not null and s.state <> 'opened' then s.state
          when o.due_at <= now() then 'overdue' else coalesce(s.state, 'requested') end,
        'owed': o.user_id is not null, 'due_at': o.due_at, 'opened_at': s.opened_at, 'decided_at': s.decided_at, 'received_at': s.received_at,
        'version': case when s.id is not null then s.on_major::text || '.' || s.on_minor::text end,
        'sections_read': s.sections_read, 'sections': s.sections, 'method': s.method, 'signed_name': s.signed_name, 'reason': s.reason,
        'content_hash': s.content_hash, 'quiz_attempts': nullif(s.quiz_attempts, 0), 'quiz_right': s.quiz_right, 'quiz_of': s.asked,
        'quiz_needed': s.quiz_needed, 'quiz_at': s.quiz_at, 'proof': s.proof,
        'witness': case when s.proof is not null then coalesce(w.display_name, '') end absent on null returning json) order by n.display_name, coalesce(o.user_id, s.user_id))
    from owed o full join acknowledgements s on s.user_id = o.user_id
    left join public.people n on n.id = coalesce(o.user_id, s.user_id)
    left join public.people w on w.id = s.witness_id
    left join public.organization_members m on m.organization_id = p.organization_id and m.user_id = coalesce(o.user_id, s.user_id) and m.deleted_at is null
    left join places l on l.user_id = coalesce(o.user_id, s.user_id)
    left join crews c on c.user_id = coalesce(o.user_id, s.user_id)
    where not limited or coalesce(o.user_id, s.user_id) in (
      select x.user_id from public.site_members x where x.deleted_at is null and x.site_id in (select public.my_sites()))), '[]'::json));
end $function$;

CREATE OR REPLACE FUNCTION public.preview_organization_invitation(invitation_token text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET "TimeZone" TO 'UTC'
AS $function$
declare
  i constant public.organization_invitations := identity.open_invitation(invitation_token);
begin
  if i.id is null then perform identity.refuse_token(); end if;
  return (select jsonb_build_object(
      'organization_name', o.name, 'program_name', o.program_name, 'program_description', o.program_description,
      'role', i.role, 'display_name', identity.role_display_name(i.role, '{}', null), 'may', identity.grantable_to(i.role),
      'sites', (select coalesce(jsonb_agg(s.name order by s.name), '[]') from public.sites s where s.id = any (i.site_ids)),
      'invited_by', (select p.display_name from public.people p where p.id = i.created_by),
      'valid_until', i.valid_until, 'expires_at', i.expires_at,
      'email_hint', left(i.email, 1) || '…@' || split_part(i.email, '@', 2),
      'for_me', case when i.email is not null and auth.uid() is not null
        then i.email = (select lower(u.email) from auth.users u where u.id = auth.uid()) end,
      'already_member', identity.is_current_member(o.id))
    from public.organizations o where o.id = i.organization_id);
end $function$;

CREATE OR REPLACE FUNCTION public.preview_partner_link(partner_link_token text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET "TimeZone" TO 'UTC'
AS $function$
declare
  l constant public.partner_links := identity.open_partner_link(partner_link_token);
begin
  if l.id is null or l.uses >= l.max_uses then perform identity.refuse_token(); end if;
  return (select jsonb_build_object('organization_name', o.name, 'program_name', o.program_name,
      'program_description', o.program_description, 'role', 'member', 'display_name', 'Member', 'may', identity.grantable_to('member'),
      'invited_by', (select p.display_name from public.people p where p.id = l.created_by),
      'expires_at', l.expires_at, 'already_member', identity.is_current_member(o.id))
    from public.organizations o where o.id = l.organization_id);
end $function$;

CREATE OR REPLACE FUNCTION public.public_report_photo(p_key text, p_n integer)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object('name', r.organization_id::text || '/' || p.media_id::text, 'bytes', p.bytes, 'sha256', p.sha256,
    'stored', p.stored_at is not null)
  from intake.submission s
  join public.issue_reports r on r.id = s.report_id and r.deleted_at is null
  join intake.photo p on p.report_id = s.report_id and p.n = p_n
  where s.key_hash = sha256(convert_to(left(p_key, 200), 'UTF8')) and (p.stored_at is not null or s.created_at > now() - interval '7 days')
$function$;

CREATE OR REPLACE FUNCTION public.public_report_place(p_token text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object('organization', o.name, 'site', s.name, 'asset', a.name, 'spot', c.spot)
  from intake.open_code(p_token) c
  join public.organizations o on o.id = c.organization_id
  left join public.assets a on a.id = c.asset_id
  left join public.sites s on s.id = coalesce(c.site_id, a.site_id)
$function$;

CREATE OR REPLACE FUNCTION public.publish_policy_version(p_version uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v public.policy_versions := policy.version_for(p_version, 'policy.publish');
  p public.policies;
  before public.policy_versions;
  is_private boolean;
begin
  select * into p from public.policies q where q.id = v.policy_id;
  select o.kind = 'private' into is_private from public.organizations o where o.id = v.organization_id;
  if p.state = 'archived' or not policy.version_may_become(v.state, 'published') or v.state <> 'approved' and not is_private then
    raise exception 'a version that is % cannot become published', v.state using errcode = '23514', hint = 'state', detail = 'CN140';
  end if;
  if btrim(v.body) = '' and v.file is null then raise exception 'there is nothing to publish' using errcode = '23514', hint = 'empty', detail = 'CN141'; end if;
  select * into before from public.policy_versions w where w.id = p.current_version_id;
  v.major := case when before.major is null then 1 when v.change = 'major' then before.major + 1 else before.major end;
  v.minor := case when before.major is null or v.change = 'major' then 0 else before.minor + 1 end;
  if before.id is not null then perform policy.move_version(before.id, 'superseded'); end if;
  update public.policy_versions set state = 'published', major = v.major, minor = v.minor, published_at = clock_timestamp(),
    published_by = auth.uid(), editing_by = null, editing_since = null where id = v.id returning title into v.title;
  update public.policies set state = 'published', title = v.title, current_version_id = v.id, current_major = v.major,
    major_since = case when v.minor = 0 then clock_timestamp() else major_since end,
    review_by = case when review_months is null then review_by else to_char(now() + make_interval(months => review_months), 'YYYY-MM-DD') end
    where id = p.id;
  return jsonb_build_object('major', v.major, 'minor', v.minor);
end $function$;

CREATE OR REPLACE FUNCTION public.rate_pack(p_organization uuid, p_pack uuid, p_stars integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is null or p_organization is null or p_organization not in (select public.my_marketplace_companies('marketplace.access'))
    or not exists (select from public.pack_installs i join public.policy_packs p on p.id = i.pack_id
      where i.organization_id = p_organization and i.pack_id = p_pack and p.organization_id is distinct from p_organization) then
    raise exception 'who installed a pack rates it' using errcode = '42501', detail = 'CN211';
  end if;
  if exists (select from public.policy_packs p where p.id = p_pack and (p.created_by = auth.uid()
      or exists (select from access.my_memberships() m where m.organization_id = p.organization_id)
      or exists (select from public.pack_versions v where v.pack_id = p.id and auth.uid() in (v.created_by, v.submitted_by)))) then
    raise exception 'a pack is rated by nobody who made it' using errcode = '42501', detail = 'CN411';
  end if;
  insert into public.pack_reviews as r (pack_id, organization_id, stars, created_by) values (p_pack, p_organization, p_stars, auth.uid())
    on conflict (pack_id, organization_id) do update set stars = excluded.stars, created_by = excluded.created_by, updated_at = now();
end $function$;

CREATE OR REPLACE FUNCTION public.read_audit_log(p_organization uuid, p_before bigint DEFAULT NULL::bigint, p_act text DEFAULT NULL::text, p_actor uuid DEFAULT NULL::uuid, p_from timestamp with time zone DEFAULT NULL::timestamp with time zone, p_until timestamp with time zone DEFAULT NULL::timestamp with time zone, p_limit integer DEFAULT 100, p_ticket uuid DEFAULT NULL::uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  found jsonb;
  most constant integer := least(greatest(coalesce(p_limit, 100), 1), 500);
begin
  perform audit.require_reader(p_organization);
  if p_ticket is null then
    if not exists (select from public.audit_entries e where e.organization_id = p_organization and e.actor_id = auth.uid()
        and e.act = 'audit.read' and e.at > now() - interval '1 hour') then
      perform audit.note(p_organization, 'audit.read', 'organizations', p_organization);
    end if;
    return access.issue_read_ticket('read_audit_log', jsonb_build_object('organization', p_organization));
  end if;
  perform access.redeem_read_ticket(p_ticket, 'read_audit_log', jsonb_build_object('organization', p_organization));
  select coalesce(jsonb_agg(to_jsonb(e) - 'id' - 'prev' - 'organization_id' order by e.seq desc), '[]') into found from (
    select * from public.audit_entries a
    where a.organization_id = p_organization and (p_before is null or a.seq < p_before)
      and (p_act is null or starts_with(a.act, p_act || '.') or a.act = p_act) and (p_actor is null or a.actor_id = p_actor)
      and (p_from is null or a.at >= p_from) and (p_until is null or a.at < p_until)
    order by a.seq desc limit most) e;
  return jsonb_build_object('entries', found,
    'next', case when jsonb_array_length(found) = most then found -> -1 -> 'seq' end,
    'people', (select coalesce(jsonb_object_agg(p.id, p.display_name), '{}') from public.people p where p.display_name is not null
      and p.id in (select (x ->> 'actor_id')::uuid from jsonb_array_elements(found) x union
        select (x ->> 'subject_id')::uuid from jsonb_array_elements(found) x where x ->> 'subject_table' = 'people')));
end $function$;

CREATE OR REPLACE FUNCTION public.read_circle(p_relationship uuid, p_ticket uuid DEFAULT NULL::uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET "TimeZone" TO 'UTC'
AS $function$
declare
  r public.circle_relationships;
  g public.consent_grants;
  ticket jsonb := '{}';
  noted uuid[] := '{}';
  parts jsonb := '[]';
begin
  select * into r from public.circle_relationships c where c.id = p_relationship and c.helper_id = auth.uid() and c.deleted_at is null;
  if r.id is null then raise exception 'no such relationship' using errcode = '42501', detail = 'CN180'; end if;
  if p_ticket is null then
    perform from public.circle_relationships c where c.id = r.id for share;
  else
    ticket := access.redeem_read_ticket(p_ticket, 'read_circle', jsonb_build_object('relationship', r.id));
  end if;
  if r.state = 'active' then
    for g in
      select x.* from public.consent_grants x
      join public.circle_visibility v on v.role = r.role and v.scope = x.scope and v.level = x.level and v.chosen = (x.item_ids is not null)
      where x.relationship_id = r.id and x.helper_id = auth.uid() and x.subject_id = r.subject_id and x.deleted_at is null
        and x.revoked_at is null and x.valid_from <= now() and (x.valid_until is null or x.valid_until > now())
        and (p_ticket is null or ticket -> 'grants' ? x.id::text)
      order by x.scope, x.id
    loop
      if p_ticket is null then
        perform circle.note_read(g);
        noted := noted || g.id;
      else
        parts := parts || jsonb_build_object('grant_id', g.id, 'scope', g.scope, 'level', g.level, 'until', g.valid_until, 'data', circle.shared_data(g));
      end if;
    end loop;
  end if;
  if p_ticket is null then
    return access.issue_read_ticket('read_circle', jsonb_build_object('relationship', r.id, 'grants', to_jsonb(noted)));
  end if;
  return jsonb_build_object('at', now(), 'parts', parts);
end $function$;

CREATE OR REPLACE FUNCTION public.read_workflow_run(p_run uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  x workflow.run;
  e workflow.event;
begin
  select * into x from workflow.run q where q.id = p_run;
  select * into e from workflow.event q where q.id = x.event_id;
  if auth.uid() is null or x.id is null or not (access.may('workflow.approve', x.organization_id) or access.may('workflow.manage', x.organization_id))
    or not access.user_sees_scopes(auth.uid(), e.organization_id, e.scopes) then
    raise exception 'no such run' using errcode = '42501', detail = 'CN228';
  end if;
  return workflow.notification_of_run(x, e) || jsonb_build_object('rule', (select r.title from public.workflow_rules r where r.id = x.rule_id));
end $function$;

CREATE OR REPLACE FUNCTION public.read_workflow_runs(p_rule uuid, p_before uuid DEFAULT NULL::uuid, p_limit integer DEFAULT 50)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  r public.workflow_rules;
begin
  select * into r from public.workflow_rules x where x.id = p_rule;
  -- One that a device made and has not sent yet has done nothing.
  if not found or auth.uid() is null or not access.may('workflow.manage', r.organization_id) then return '[]'; end if;
  return coalesce((
    with told as (
      select x, e, (x).id as id, workflow.ran_at(x, e) as at from workflow.run x join workflow.event e on e.id = x.event_id
      where x.rule_id = p_rule and workflow.may_act(auth.uid(), e)
    )
    select jsonb_agg(workflow.notification_of_run(l.x, l.e) order by l.at desc, l.id desc) from (
      select t.* from told t
      where p_before is null or (t.at, t.id) < (select b.at, b.id from told b where b.id = p_before)
      order by t.at desc, t.id desc limit least(greatest(coalesce(p_limit, 50), 1), 200)) l), '[]');
end $function$;

CREATE OR REPLACE FUNCTION public.record_activity(p_table text, p_id uuid, p_before bigint DEFAULT NULL::bigint)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  of record;
begin
  if p_table is null or p_table not in ('action_items', 'tasks', 'issue_reports', 'findings', 'evidence') then
    raise exception 'this kind of record keeps no activity' using errcode = '22023', detail = 'CN194';
  end if;
  if p_table = 'evidence' then
    select e.scopes, e.deleted_at is not null as is_gone into of from public.evidence e where e.id = p_id;
  else
    select * into of from comment.subject_of(p_table, p_id);
  end if;
  if not found or of.is_gone or auth.uid() is null or not access.is_in_sight(of.scopes) then return '[]'; end if;
  return (select coalesce(jsonb_agg(jsonb_build_object('id', a.id, 'at', a.at, 'by', a.by_id, 'field', a.field, 'before', a.before, 'after', a.after, 'outside', a.outside, 'submitted_by', a.submitted_by)
      order by a.id desc), '[]')
    from (select * from sync.activity x where x.record_id = p_id and x.tbl = p_table and (p_before is null or x.id < p_before)
      order by x.id desc limit 50) a);
end $function$;

CREATE OR REPLACE FUNCTION public.refund_quota(p_user uuid, p_request uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  r identity.quota_request;
begin
  update identity.quota_request q set refunded_at = now()
    where q.user_id = p_user and q.id = p_request and q.refunded_at is null returning * into r;
  if not found then return false; end if;
  update identity.quota_use u set used = greatest(u.used - r.from_month, 0)
    where u.user_id = p_user and u.quota = r.quota and u.month = r.month;
  update identity.credit_balance b set credits = b.credits + r.from_bought where b.user_id = p_user and r.from_bought > 0;
  return true;
end $function$;

CREATE OR REPLACE FUNCTION public.release_policy_edit_lock(p_version uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v constant public.policy_versions := policy.version_for(p_version, 'policy.author');
begin
  update public.policy_versions set editing_by = null, editing_since = null where id = v.id and editing_by = auth.uid();
end $function$;

CREATE OR REPLACE FUNCTION public.remove_push_subscription(p_endpoint text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is null then raise exception 'remove_push_subscription needs a signed-in person' using errcode = '42501', detail = 'CN082'; end if;
  delete from inbox.push_subscription where endpoint = p_endpoint and user_id = auth.uid();
  return found;
end $function$;

CREATE OR REPLACE FUNCTION public.remove_sample_data(organization_id uuid)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  tbl text;
  n integer;
  total integer := 0;
begin
  if auth.uid() is null or remove_sample_data.organization_id not in (select public.my_organizations_with('sample.remove')) then
    raise exception 'removing sample data needs sample.remove' using errcode = '42501', detail = 'CN041';
  end if;
  if not exists (select from public.organizations o where o.id = remove_sample_data.organization_id and o.sample) then
    raise exception 'this organisation is not sample data' using errcode = '42501', detail = 'CN042';
  end if;
  delete from storage.objects where bucket_id = 'media' and name like remove_sample_data.organization_id::text || '/%';
  -- Children before parents: foreign keys inside an organisation do not all cascade.
  foreach tbl in array array['media', 'issue_reports', 'report_codes', 'action_items', 'inspection_answers', 'inspections',
      'form_versions', 'forms', 'assets', 'playbook_members', 'playbooks', 'team_members', 'teams', 'site_members', 'sites',
      'organization_activations', 'organization_members'] loop
    execute format('delete from public.%I where organization_id = $1', tbl) using remove_sample_data.organization_id;
    get diagnostics n = row_count;
    total := total + n;
  end loop;
  delete from public.organizations o where o.id = remove_sample_data.organization_id;
  return total + 1;
end $function$;

CREATE OR REPLACE FUNCTION public.renew_invitation(p_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET "TimeZone" TO 'UTC'
AS $function$
declare
  token constant text := identity.new_token();
  i public.organization_invitations;
begin
  select * into i from public.organization_invitations x where x.id = p_id for update;
  perform identity.require_permission('people.manage', i.organization_id);
  if i.accepted_at is not null or i.revoked_at is not null then
    raise exception 'this invitation was used or taken back' using errcode = 'P0001', detail = 'CN054';
  end if;
  update public.organization_invitations x set expires_at = now() + interval '14 days', created_by = auth.uid()
    where x.id = p_id returning * into i;
  update identity.invitation_token t set hash = identity.token_hash(token) where t.invitation_id = p_id;
  return jsonb_build_object('id', i.id, 'token', token, 'email', i.email, 'expires_at', i.expires_at);
end $function$;

CREATE OR REPLACE FUNCTION public.reopen_policy_version(p_version uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v constant public.policy_versions := policy.version_for(p_version, 'policy.author');
begin
  if v.state <> 'approved' then raise exception 'only what is approved is opened again' using errcode = '23514', hint = 'state', detail = 'CN139'; end if;
  perform policy.move_version(v.id, 'draft');
end $function$;

CREATE OR REPLACE FUNCTION public.report_progress(p_code text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object('status', r.status, 'answer', r.answer, 'reported_at', r.reported_at, 'decided_at', r.decided_at)
  from public.issue_reports r
  where r.deleted_at is null and r.look_up_hash = encode(sha256(convert_to(
    translate(upper(regexp_replace(left(p_code, 40), '[\s-]', '', 'g')), 'OIL', '011'), 'UTF8')), 'hex')
$function$;

CREATE OR REPLACE FUNCTION public.request_purchase(p_id uuid, p_amount integer)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  r public.purchase_requests;
begin
  if auth.uid() is null or not exists (select from public.subscriptions s join public.subscription_tiers t on t.tier = s.tier
      where s.id = auth.uid() and t.can_buy_credits) then
    raise exception 'this tier cannot buy credits' using errcode = '42501', detail = 'CN064';
  end if;
  -- One person's requests wait for each other, so that the limit holds.
  perform pg_advisory_xact_lock(hashtext('purchase'), hashtext(auth.uid()::text));
  if (select count(*) from public.purchase_requests x where x.user_id = auth.uid() and x.state = 'requested' and x.id <> p_id) >= 10 then
    raise exception 'ten requests are waiting already' using errcode = 'P0001', detail = 'CN065';
  end if;
  insert into public.purchase_requests (id, user_id, amount) values (p_id, auth.uid(), p_amount) on conflict (id) do nothing;
  select * into r from public.purchase_requests x where x.id = p_id and x.user_id = auth.uid() and x.amount = p_amount;
  if not found then raise exception 'this request id stands for another request' using errcode = '22023', detail = 'CN062'; end if;
  return jsonb_build_object('id', r.id, 'state', r.state, 'amount', r.amount);
end $function$;

CREATE OR REPLACE FUNCTION public.review_brief(p_brief uuid, p_lines jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  b public.triad_briefs;
  r public.circle_relationships;
begin
  r := brief.brief_relationship((select x.relationship_id from public.triad_briefs x where x.id = p_brief and x.deleted_at is null));
  perform from public.circle_relationships c where c.id = r.id for share;
  select * into b from public.triad_briefs x where x.id = p_brief and x.relationship_id = r.id for update;
  if b.id is null or r.state <> 'active' or b.state <> 'review' then raise exception 'nothing to look through' using errcode = '42501', detail = 'CN186'; end if;
  if jsonb_typeof(p_lines) is distinct from 'array' or jsonb_array_length(p_lines) not between 1 and 20
    or exists (select from jsonb_array_elements(p_lines) e where jsonb_typeof(e) <> 'object' or jsonb_typeof(e -> 'id') is distinct from 'string'
      or coalesce(jsonb_typeof(e -> 'wording'), 'null') not in ('string', 'null') or char_length(btrim(e ->> 'wording')) > 400)
    or (select count(distinct e ->> 'id') from jsonb_array_elements(p_lines) e) < jsonb_array_length(p_lines) then
    raise exception 'which lines stay, each once, with at most 400 letters' using errcode = '22023', detail = 'CN187';
  end if;
  if exists (select from jsonb_array_elements(p_lines) e where not exists (
      select from public.triad_brief_lines l join brief.open_grants(r.id) g on g.id = l.grant_id
      where l.brief_id = b.id and l.id::text = e ->> 'id')) then
    raise exception 'a line is not there any more' using errcode = '42501', detail = 'CN188';
  end if;
  update public.triad_brief_lines l set is_left_out = e.value is null, wording = nullif(btrim(e.value ->> 'wording'), '')
    from public.triad_brief_lines own left join jsonb_array_elements(p_lines) e on e.value ->> 'id' = own.id::text
    where own.id = l.id and l.brief_id = b.id;
  update public.triad_briefs x set state = 'approval', reviewed_at = now() where x.id = b.id;
  perform inbox.notify(b.subject_id, 'brief.reviewed', 'brief.reviewed/' || b.id::text, '/triad-intelligence',
    jsonb_build_object('by', r.helper_name), b.id, null, auth.uid());
end $function$;

CREATE OR REPLACE FUNCTION public.revoke_calendar_feed(p_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is null then raise exception 'sign in first' using errcode = '42501', detail = 'CN077'; end if;
  -- That of somebody else and one that is gone are answered alike.
  delete from calendar.feed f where f.id = p_id and f.user_id = auth.uid();
  return found;
end $function$;

CREATE OR REPLACE FUNCTION public.revoke_circle_invitation(p_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.circle_invitations x set revoked_at = now()
    where x.id = p_id and x.subject_id = auth.uid() and x.accepted_at is null and x.declined_at is null and x.revoked_at is null;
  if not found then raise exception 'no such open invitation' using errcode = '42501', detail = 'CN179'; end if;
end $function$;

CREATE OR REPLACE FUNCTION public.revoke_guest_link(p_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  l intake.guest_link := intake.my_guest_link(p_id);
begin
  if l.revoked_at is not null then return; end if;
  update intake.guest_link x set revoked_at = now() where x.id = l.id;
  perform audit.note(l.organization_id, 'guest_link.revoked', 'action_items', l.action_id, jsonb_build_object('link', l.id, 'name', l.name));
end $function$;

CREATE OR REPLACE FUNCTION public.revoke_invitation(p_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform identity.require_permission('people.manage', (select x.organization_id from public.organization_invitations x where x.id = p_id));
  update public.organization_invitations x set revoked_at = coalesce(x.revoked_at, now()) where x.id = p_id and x.accepted_at is null;
end $function$;

CREATE OR REPLACE FUNCTION public.revoke_partner_link(p_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform identity.require_permission('partner.link', (select x.organization_id from public.partner_links x where x.id = p_id));
  update public.partner_links x set revoked_at = coalesce(x.revoked_at, now()) where x.id = p_id;
end $function$;

CREATE OR REPLACE FUNCTION public.revoke_report_code(p_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform intake.my_code(p_id);
  delete from intake.code_token t where t.code_id = p_id;
  update public.report_codes c set revoked_at = now() where c.id = p_id;
  perform inbox.mark_resolved_read(p_id, array['issue.code_flooded']);
end $function$;

CREATE OR REPLACE FUNCTION public.rotate_report_code(p_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform intake.my_code(p_id);
  update public.report_codes c set rotated_at = now(), paused_at = null, paused_because = null, counted_from = clock_timestamp()
    where c.id = p_id;
  perform inbox.mark_resolved_read(p_id, array['issue.code_flooded']);
  return jsonb_build_object('id', p_id, 'token', intake.new_token(p_id));
end $function$;

CREATE OR REPLACE FUNCTION public.save_guest_photo(p_key text, p_n integer, p_mime text, p_width integer, p_height integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  hash constant bytea := sha256(convert_to(left(p_key, 200), 'UTF8'));
  w intake.guest_reply;
  l intake.guest_link;
  a public.action_items;
  p intake.guest_photo;
begin
  select * into w from intake.guest_reply x where x.key_hash = hash;
  select * into l from intake.guest_link x where x.id = w.link_id;
  select * into a from public.action_items x where x.id = l.action_id for update;
  select * into p from intake.guest_photo x where x.key_hash = hash and x.n = p_n for update;
  if p.media_id is null then raise exception 'no such photo' using errcode = 'P0002', detail = 'CN121'; end if;
  if p.stored_at is not null then return; end if;
  perform set_config('sync.outside', l.name, true);
  insert into public.media (id, organization_id, site_id, kind, mime, bytes, sha256, width, height, state, captured_at, completed_at)
    values (p.media_id, a.organization_id, a.site_id, 'photo', p_mime, p.bytes, p.sha256, p_width, p_height, 'complete', w.replied_at, now());
  update public.comments x set media_ids = x.media_ids || to_jsonb(p.media_id::text) where x.id = w.comment_id;
  update public.action_items x set media_ids = x.media_ids || to_jsonb(p.media_id::text) where x.id = a.id and not inbox.action_ended(x.status);
  perform set_config('sync.outside', '', true);
  update intake.guest_photo x set stored_at = now() where x.key_hash = hash and x.n = p_n;
end $function$;

CREATE OR REPLACE FUNCTION public.save_pack(p_id uuid, p_organization uuid, p_facts jsonb)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  facts constant jsonb := coalesce(p_facts, '{}');
  companies constant uuid[] := case when auth.uid() is null then '{}' else array(select public.my_marketplace_companies('content.manage')) end;
  p public.policy_packs;
begin
  if not exists (select from public.policy_packs q where q.id = p_id and q.organization_id = any(companies)) then
    if p_id is null or p_organization is null or not p_organization = any(companies) then
      raise exception 'making packs needs content.manage and a tier that creates' using errcode = '42501', detail = 'CN213';
    end if;
    perform pg_advisory_xact_lock(hashtext('packs of'), hashtext(p_organization::text));
    if (select count(*) from public.policy_packs q where q.organization_id = p_organization) >= 200 then
      raise exception 'two hundred packs are enough' using errcode = 'P0001', detail = 'CN214';
    end if;
    insert into public.policy_packs (id, organization_id, name, publisher, licence, created_by)
      select p_id, o.id, facts ->> 'name', o.name, facts ->> 'licence', auth.uid() from public.organizations o where o.id = p_organization
      on conflict (id) do nothing;
  end if;
  p := marketplace.own_pack(p_id);
  perform marketplace.write_facts(p.id, facts);
  return p.id;
end $function$;

CREATE OR REPLACE FUNCTION public.save_pack_version(p_id uuid, p_pack uuid, p_number text, p_changelog text, p_contents jsonb, p_seen text DEFAULT NULL::text, p_facts jsonb DEFAULT NULL::jsonb)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  p constant public.policy_packs := marketplace.own_pack(p_pack);
  v public.pack_versions;
  hash text;
begin
  select * into v from public.pack_versions w where w.id = p_id for update;
  if found and (v.pack_id <> p.id or v.state <> 'draft') then
    raise exception 'what was submitted stays as it is' using errcode = '23514', hint = 'state', detail = 'CN215';
  end if;
  if not found and p_seen is not null then
    raise exception 'this draft was thrown away' using errcode = '23514', hint = 'gone', detail = 'CN216';
  end if;
  if exists (select from public.pack_versions w where w.pack_id = p.id and w.state in ('listed', 'withdrawn')
      and p_number ~ '^[0-9]{1,5}(\.[0-9]{1,5}){2}$' and w.rank >= string_to_array(p_number, '.')::integer[]) then
    raise exception 'a version follows the ones before it' using errcode = '23514', hint = 'number', detail = 'CN217';
  end if;
  if p_facts is not null then perform marketplace.write_facts(p.id, p_facts); end if;
  insert into public.pack_versions (id, pack_id, number, changelog, contents, created_by)
    values (p_id, p.id, p_number, coalesce(p_changelog, ''), p_contents, auth.uid())
    on conflict (id) do update set number = excluded.number, changelog = excluded.changelog, contents = excluded.contents, updated_at = now()
    returning draft_hash into hash;
  -- Where nothing else stands there now, the same was sent again after a lost answer.
  if v.id is not null and p_seen is not null and p_seen <> v.draft_hash and hash <> v.draft_hash then
    raise exception 'somebody changed this since' using errcode = '23514', hint = 'changed', detail = 'CN205';
  end if;
  return hash;
end $function$;

CREATE OR REPLACE FUNCTION public.save_public_photo(p_key text, p_n integer, p_mime text, p_width integer, p_height integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  r public.issue_reports;
  p intake.photo;
begin
  select r0.* into r from intake.submission s join public.issue_reports r0 on r0.id = s.report_id
    where s.key_hash = sha256(convert_to(left(p_key, 200), 'UTF8')) for update of r0;
  select * into p from intake.photo x where x.report_id = r.id and x.n = p_n for update;
  if p.media_id is null then raise exception 'no such photo' using errcode = 'P0002', detail = 'CN121'; end if;
  if p.stored_at is not null then return; end if;
  insert into public.media (id, organization_id, site_id, kind, mime, bytes, sha256, width, height, state, captured_at, completed_at)
    values (p.media_id, r.organization_id, r.site_id, 'photo', p_mime, p.bytes, p.sha256, p_width, p_height, 'complete', r.reported_at, now());
  update public.issue_reports x set media_ids = x.media_ids || to_jsonb(p.media_id::text) where x.id = r.id;
  update intake.photo x set stored_at = now() where x.report_id = r.id and x.n = p_n;
end $function$;

CREATE OR REPLACE FUNCTION public.save_push_subscription(p_endpoint text, p_p256dh text, p_auth text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is null then raise exception 'save_push_subscription needs a signed-in person' using errcode = '42501', detail = 'CN081'; end if;
  -- Who holds the address is at that browser: it changes hands with it.
  insert into inbox.push_subscription (endpoint, user_id, session_id, p256dh, auth)
    values (p_endpoint, auth.uid(), (auth.jwt() ->> 'session_id')::uuid, p_p256dh, p_auth)
    on conflict (endpoint) do update set user_id = excluded.user_id, session_id = excluded.session_id,
      p256dh = excluded.p256dh, auth = excluded.auth, created_at = now();
  -- Old browsers are forgotten first.
  delete from inbox.push_subscription b where b.user_id = auth.uid() and b.endpoint not in (
    select k.endpoint from inbox.push_subscription k where k.user_id = auth.uid() order by k.created_at desc limit 20);
  return true;
end $function$;

CREATE OR REPLACE FUNCTION public.schedules_to_plan()
 RETURNS SETOF jsonb
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select schedule.schedules_to_plan()
$function$;

CREATE OR REPLACE FUNCTION public.send_guest_link_again(p_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  l intake.guest_link := intake.my_guest_link(p_id);
begin
  if intake.link_status(l) <> 'open' then raise exception 'the link is over' using errcode = '22023', hint = 'state', detail = 'CN128'; end if;
  update intake.guest_link x set sent_at = clock_timestamp() where x.id = l.id;
  perform audit.note(l.organization_id, 'guest_link.sent_again', 'action_items', l.action_id, jsonb_build_object('link', l.id, 'name', l.name));
  return intake.guest_email(l);
end $function$;

CREATE OR REPLACE FUNCTION public.set_cohort_settings(p_organization uuid, p_on boolean, p_minimum integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is null or not coalesce(access.may('organization.manage', p_organization), false) then
    raise exception 'not allowed' using errcode = '42501', detail = 'CN185';
  end if;
  if p_on is null or p_minimum is null or p_minimum not between 60 and 1000 then
    raise exception 'from sixty people on' using errcode = '22023', detail = 'CN193';
  end if;
  insert into public.cohort_settings (organization_id, is_on, minimum) values (p_organization, p_on, p_minimum)
    on conflict (organization_id) do update set is_on = excluded.is_on, minimum = excluded.minimum;
  perform audit.note(p_organization, 'organization.wellness_figures', 'organizations', p_organization, jsonb_build_object('on', p_on, 'minimum', p_minimum));
end $function$;

CREATE OR REPLACE FUNCTION public.set_kiosk_pin(p_organization uuid, p_user uuid, p_pin text, p_replace boolean DEFAULT false)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  before kiosk.pin;
begin
  if auth.uid() is null or not access.is_member(p_organization, p_user)
    or not (p_user = auth.uid() or access.may('policy.witness', p_organization) and kiosk.shares_site(p_organization, p_user))
    or access.is_outsider(p_organization) then
    raise exception 'no such person' using errcode = '42501', detail = 'CN155';
  end if;
  if p_pin is null or p_pin !~ '^\d{4,8}$' then raise exception 'a PIN is 4 to 8 digits' using errcode = '23514', hint = 'pin', detail = 'CN156'; end if;
  perform pg_advisory_xact_lock(hashtextextended('kiosk pin/' || p_organization::text || p_user::text, 0));
  select * into before from kiosk.pin k where k.organization_id = p_organization and k.user_id = p_user for update;
  if before.user_id is not null and p_user <> auth.uid() and not coalesce(p_replace, false) then
    raise exception 'this person has a PIN' using errcode = '23514', hint = 'has_pin', detail = 'CN157';
  end if;
  insert into kiosk.pin as k (organization_id, user_id, hash, set_by)
    values (p_organization, p_user, extensions.crypt(p_pin, extensions.gen_salt('bf', 11)), auth.uid())
    on conflict (organization_id, user_id) do update
      set hash = excluded.hash, set_by = excluded.set_by, set_at = now(), wrong = 0, locked_until = null;
  perform audit.note(p_organization, case when before.user_id is null then 'kiosk.pin_set' else 'kiosk.pin_replaced' end, 'organization_members',
    p_user, jsonb_build_object('user_id', p_user));
end $function$;

CREATE OR REPLACE FUNCTION public.set_organization_program(p_organization uuid, p_name text, p_description text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform identity.require_permission('partner.link', p_organization);
  update public.organizations o set program_name = nullif(trim(p_name), ''), program_description = nullif(trim(p_description), '')
    where o.id = p_organization;
end $function$;

CREATE OR REPLACE FUNCTION public.simulate_workflow(p_organization uuid, p_rule jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  r public.workflow_rules;
begin
  perform workflow.require_manager(p_organization);
  if jsonb_typeof(p_rule) is distinct from 'object' or jsonb_typeof(p_rule -> 'conditions') is distinct from 'array'
    or jsonb_typeof(p_rule -> 'steps') is distinct from 'array' or coalesce(p_rule ->> 'matching', '') not in ('all', 'any')
    or pg_column_size(p_rule) > 60000 or workflow.rule_fault(p_rule ->> 'trigger', p_rule -> 'conditions', p_rule -> 'steps') is not null then
    raise exception 'this is no rule' using errcode = '22023', hint = 'rule', detail = 'CN227';
  end if;
  r.organization_id := p_organization;
  r.trigger := p_rule ->> 'trigger';
  r.matching := p_rule ->> 'matching';
  r.conditions := p_rule -> 'conditions';
  r.steps := p_rule -> 'steps';
  r.acts_for := auth.uid();
  return (
    with seen as (
      select x.*, workflow.told_at(x) as told_at, workflow.verdict(r, x) as verdict from workflow.event x
      where x.organization_id = p_organization and x.kind = r.trigger and x.at > now() - interval '31 days' and workflow.may_act(auth.uid(), x)
      order by x.id desc limit 5000
    )
    select jsonb_build_object('since', now() - interval '31 days', 'events', count(*), 'fires', count(*) filter (where s.verdict = 'fires'),
      'list', coalesce((select jsonb_agg(jsonb_build_object('id', l.id, 'at', l.told_at, 'title', l.title, 'path', l.path, 'verdict', l.verdict,
        'checks', workflow.checks(r.conditions, l.facts)) order by l.id desc) from (select * from seen order by id desc limit 100) l), '[]'))
    from seen s);
end $function$;

CREATE OR REPLACE FUNCTION public.submit_edits_on_behalf(p_organization uuid, p_author uuid, p_device uuid, p_mutations jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform identity.require_permission('orphaned_edits.review', p_organization);
  if p_author = auth.uid() or not exists (
      select from public.organization_members m join public.organizations o on o.id = m.organization_id
      where m.organization_id = p_organization and m.user_id = p_author and o.kind = 'company' and o.deleted_at is null) then
    raise exception 'work is brought for a member of this company' using errcode = '42501', detail = 'CN014';
  end if;
  return review_queue.queue_for_review(p_organization, p_author, p_device, p_mutations, auth.uid());
end $function$;

CREATE OR REPLACE FUNCTION public.submit_guest_reply(p_token text, p_key text, p_reply jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET "TimeZone" TO 'UTC'
AS $function$
declare
  reply jsonb;
  hash bytea;
  size bigint;
  before intake.guest_reply;
  l intake.guest_link;
  a public.action_items;
  made uuid;
begin
  if coalesce(p_key, '') !~ '^[0-9a-f]{64}$' then perform intake.refuse(); end if;
  reply := intake.parse_reply(p_reply);
  hash := sha256(convert_to(p_key, 'UTF8'));
  -- The same call twice at once: the second waits for the first.
  perform pg_advisory_xact_lock(hashtextextended(encode(hash, 'hex'), 7));
  select * into l from intake.guest_link_of(p_token);
  if l.id is null then return null; end if;
  select * into before from intake.guest_reply w where w.key_hash = hash;
  if found then
    if before.link_id <> l.id or before.body_hash <> sha256(convert_to(p_reply::text, 'UTF8')) then perform intake.refuse(); end if;
    return intake.guest_answer(l) || '{"accepted": true}';
  end if;
  -- One at a time for each item; what may have changed meanwhile is read again.
  select * into a from public.action_items x where x.id = l.action_id for update;
  select * into l from intake.guest_link x where x.id = l.id for update;
  if intake.guest_link_status(l, a) <> 'open' then return intake.guest_answer(l) || '{"accepted": false}'; end if;
  if reply ->> 'act' = 'decline' and a.status = 'ready_for_verification'
    or reply ->> 'act' = 'done' and reply -> 'photos' = '[]' and intake.needs_photo(a) then
    perform intake.refuse();
  end if;
  select coalesce(sum((f ->> 'bytes')::bigint), 0) into size from jsonb_array_elements(reply -> 'photos') f;
  perform intake.allows_guest(l, size);
  perform set_config('sync.outside', l.name, true);
  made := intake.save_reply(l, a, reply);
  perform set_config('sync.outside', '', true);
  insert into intake.guest_reply (key_hash, link_id, act, comment_id, body_hash, bytes, replied_at)
    values (hash, l.id, reply ->> 'act', made, sha256(convert_to(p_reply::text, 'UTF8')), size, (reply ->> 'replied_at')::timestamptz);
  insert into intake.guest_photo (key_hash, n, bytes, sha256)
    select hash, f.n, (f.photo ->> 'bytes')::bigint, f.photo ->> 'sha256' from jsonb_array_elements(reply -> 'photos') with ordinality f (photo, n);
  perform intake.notify_guest_reply(l, reply ->> 'act', encode(hash, 'hex'));
  perform audit.note(l.organization_id, 'guest_link.' || case reply ->> 'act' when 'accept' then 'accepted' when 'decline' then 'declined' else 'done' end,
    'action_items', a.id, jsonb_build_object('link', l.id, 'name', l.name));
  select * into l from intake.guest_link x where x.id = l.id;
  return intake.guest_answer(l) || '{"accepted": true}';
end $function$;

CREATE OR REPLACE FUNCTION public.submit_orphaned_edits(p_organization uuid, p_device uuid, p_mutations jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is null or not review_queue.is_former_member(p_organization, auth.uid()) then
    raise exception 'only who was a member and is none hands work over' using errcode = '42501', detail = 'CN009';
  end if;
  return review_queue.queue_for_review(p_organization, auth.uid(), p_device, p_mutations, null);
end $function$;

CREATE OR REPLACE FUNCTION public.submit_policy_version(p_version uuid, p_stages jsonb, p_note text DEFAULT NULL::text)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v constant public.policy_versions := policy.version_for(p_version, 'policy.author');
  request uuid;
begin
  if btrim(v.body) = '' and v.file is null then raise exception 'there is nothing to approve' using errcode = '23514', hint = 'empty', detail = 'CN137'; end if;
  if not policy.version_may_become(v.state, 'in_review') then
    raise exception 'a version that is % cannot become in_review', v.state using errcode = '23514', hint = 'state', detail = 'CN138';
  end if;
  request := approval.open_approval(v.organization_id, 'policy.approve', 'policy_versions', v.id, '/policies/' || v.policy_id::text, v.title, p_stages, p_note);
  update public.policy_versions set approval_id = request where id = v.id;
  perform policy.move_version(v.id, 'in_review');
  return request;
end $function$;

CREATE OR REPLACE FUNCTION public.submit_public_report(p_token text, p_key text, p_report jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET "TimeZone" TO 'UTC'
AS $function$
declare
  report jsonb;
  body bytea;
  hash bytea;
  size bigint;
  before intake.submission;
  c public.report_codes;
  made uuid;
begin
  if coalesce(p_key, '') !~ '^[0-9a-f]{64}$' then perform intake.refuse(); end if;
  report := intake.read_report(p_report);
  body := sha256(convert_to(p_report::text, 'UTF8'));
  hash := sha256(convert_to(p_key, 'UTF8'));
  -- The same call twice at once: the second waits for the first.
  perform pg_advisory_xact_lock(hashtextextended(encode(hash, 'hex'), 6));
  select * into before from intake.submission s where s.key_hash = hash;
  if found then
    if before.body_hash <> body then perform intake.refuse(); end if;
    return intake.answer_of(before.report_id);
  end if;
  select * into c from intake.open_code(p_token);
  if c.id is null then return null; end if;
  -- One at a time by each code, so that its limits hold; asked again, since it may have been paused or rotated meanwhile.
  perform from public.report_codes x where x.id = c.id for update;
  select * into c from intake.open_code(p_token);
  select coalesce(sum((f ->> 'bytes')::bigint), 0) into size from jsonb_array_elements(report -> 'photos') f;
  if c.id is null or not intake.allows_report(c, size) then return null; end if;
  made := intake.save_report(c, report);
  insert into intake.submission (key_hash, code_id, report_id, body_hash, bytes) values (hash, c.id, made, body, size);
  update public.report_codes x set reports = x.reports + 1, last_report_at = now() where x.id = c.id;
  return intake.answer_of(made);
exception when unique_violation then
  -- A code to look it up by that another report has: never of our app's making.
  perform intake.refuse();
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.support_find_organizations(p_search text, p_reason text, p_ticket uuid DEFAULT NULL::uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  ids uuid[];
begin
  perform identity.require_support(p_reason);
  if p_ticket is not null then
    select coalesce(array_agg(x::uuid), '{}') into ids
      from jsonb_array_elements_text(access.redeem_read_ticket(p_ticket, 'support_find_organizations', '{}') -> 'ids') x;
    return (select coalesce(jsonb_agg(to_jsonb(f) order by f.name), '[]') from (
      select o.id, o.name, o.slug, o.plan,
        (select count(*) from public.organization_members m where m.organization_id = o.id and m.deleted_at is null) as members
      from public.organizations o where o.id = any (ids) and o.kind = 'company' and o.deleted_at is null) f);
  end if;
  select coalesce(array_agg(f.id), '{}') into ids from (
    select o.id from public.organizations o
    where o.kind = 'company' and o.deleted_at is null and position(lower(trim(p_search)) in lower(o.name)) > 0 and trim(p_search) <> ''
    order by o.name, o.id limit 20) f;
  insert into public.support_reads (organization_id, reader_id, tbl, row_ids, reason)
    select i, auth.uid(), 'organizations', array[i], trim(p_reason) from unnest(ids) i;
  return access.issue_read_ticket('support_find_organizations', jsonb_build_object('ids', to_jsonb(ids)));
end $function$;

CREATE OR REPLACE FUNCTION public.support_read(p_organization uuid, p_table text, p_reason text, p_after uuid DEFAULT NULL::uuid, p_limit integer DEFAULT 100, p_ticket uuid DEFAULT NULL::uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET "TimeZone" TO 'UTC'
AS $function$
declare
  place constant text := case p_table
    when 'organizations' then 'x.id = $1'
    when 'people' then 'x.id in (select m.user_id from public.organization_members m where m.organization_id = $1 and m.deleted_at is null)'
    else 'x.organization_id = $1' end;
  ids uuid[];
  answer jsonb;
begin
  perform identity.require_support(p_reason);
  if not exists (select from public.organizations o where o.id = p_organization and o.kind = 'company' and o.deleted_at is null) then
    raise exception 'no such company' using errcode = '42501', detail = 'CN070';
  end if;
  -- What a person was told and what they follow name the company, and are theirs.
  if p_table is null or p_table in ('notifications', 'record_follows') or (p_table not in ('organizations', 'people') and not identity.is_of_organization(p_table)) then
    raise exception 'no such table' using errcode = '22023', detail = 'CN004';
  end if;
  if p_ticket is not null then
    select coalesce(array_agg(x::uuid order by x::uuid), '{}') into ids from jsonb_array_elements_text(access.redeem_read_ticket(p_ticket, 'support_read',
      jsonb_build_object('organization', p_organization, 'table', p_table)) -> 'ids') x;
  end if;
  execute format($query$
    select coalesce(jsonb_agg(to_jsonb(r) - 'scopes' order by r.id), '[]') from (
      select x.* from public.%I x
      where %s and x.deleted_at is null and ($2::uuid is null or x.id > $2) and ($4::uuid[] is null or x.id = any ($4))
        and exists (select from unnest(x.scopes) s where s not like 'user:%%')
      order by x.id limit $3) r
  $query$, p_table, place) into answer
    using p_organization, case when p_ticket is null then p_after end, case when p_ticket is null then least(greatest(coalesce(p_limit, 100), 1), 500) end, ids;
  if p_ticket is not null then return jsonb_build_object('rows', answer, 'next', ids[array_upper(ids, 1)]); end if;
  ids := array(select (r ->> 'id')::uuid from jsonb_array_elements(answer) r);
  insert into public.support_reads (organization_id, reader_id, tbl, row_ids, reason) values (p_organization, auth.uid(), p_table, ids, trim(p_reason));
  return access.issue_read_ticket('support_read', jsonb_build_object('organization', p_organization, 'table', p_table, 'ids', to_jsonb(ids)));
end $function$;

CREATE OR REPLACE FUNCTION public.sync_digest(p_tables text[])
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is null then raise exception 'sync_digest needs a signed-in person' using errcode = '42501', detail = 'CN036'; end if;
  return (
    select coalesce(jsonb_object_agg(m.scope, jsonb_build_object(
      'at', jsonb_build_array(coalesce(c.epoch, '00000000-0000-0000-0000-000000000000'), coalesce(c.version, 0)),
      'sums', coalesce((select jsonb_object_agg(d.tbl, jsonb_build_array(d.n, sync.hex(d.h)))
        from sync.digest d where d.scope = m.scope and d.tbl = any (p_tables) and d.n > 0), '{}'))), '{}')
    from (select distinct s from public.my_scopes() s) as m (scope) left join sync.scope c on c.id = m.scope);
end $function$;

CREATE OR REPLACE FUNCTION public.sync_missing(p_mids uuid[])
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is null then raise exception 'sync_missing needs a signed-in person' using errcode = '42501', detail = 'CN039'; end if;
  if cardinality(p_mids) > 5000 then raise exception 'sync_missing takes at most 5000 mutations' using errcode = '22023', detail = 'CN040'; end if;
  return (select coalesce(jsonb_agg(m.mid), '[]') from unnest(p_mids) as m (mid)
    where not exists (select from sync.mutation k where k.user_id = auth.uid() and k.mid = m.mid)
      and not exists (select from sync.orphaned_edit u where u.user_id = auth.uid() and u.mid = m.mid));
end $function$;

CREATE OR REPLACE FUNCTION public.sync_pull(p_cursors jsonb DEFAULT '{}'::jsonb, p_device uuid DEFAULT NULL::uuid, p_limit integer DEFAULT 1000, p_packed boolean DEFAULT false, p_snapshots boolean DEFAULT false, p_constant boolean DEFAULT false)
 RETURNS json
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET "TimeZone" TO 'UTC'
AS $function$
declare
  page record;
  part record;
  found record;
  names text[] := '{}';
  packed json[] := '{}';
  rows jsonb := '{}';
  stubs jsonb := '{}';
  gone jsonb := '[]';
begin
  if auth.uid() is null then
    raise exception 'sync_pull needs a signed-in person' using errcode = '42501', detail = 'CN018';
  end if;
  if jsonb_typeof(p_cursors) = 'string' then p_cursors := (p_cursors #>> '{}')::jsonb; end if;
  p_limit := coalesce(p_limit, 1000);
  if jsonb_typeof(coalesce(p_cursors, '{}')) <> 'object' or p_limit not between 1 and 5000 then
    raise exception 'sync_pull takes an object of cursors and a limit from 1 to 5000' using errcode = '22023', detail = 'CN019';
  end if;
  page := sync.next_changes(sync.sanitize_cursors(coalesce(p_cursors, '{}')), p_device, p_limit,
    coalesce(p_snapshots and p_constant, false));
  -- Where this person may look is known now, for the policy of every table that is read below.
  perform set_config('sync.cached_scopes', page.o_order::text, true);
  if true = any (page.o_gone) then
    select coalesce(jsonb_agg(jsonb_build_array(c.scope, c.tbl, c.id)), '[]') into gone
      from unnest(page.o_scope, page.o_table, page.o_id, page.o_gone) as c (scope, tbl, id, gone) where c.gone;
  end if;
  for part in
    select c.tbl, array_agg(c.id) as ids, coalesce(array_agg(c.id) filter (where c.known), '{}') as known
    from (
      select c.tbl, c.id, bool_or(c.known) as known
      from unnest(page.o_table, page.o_id, page.o_gone, page.o_known) as c (tbl, id, gone, known)
      where not c.gone group by c.tbl, c.id
    ) c group by c.tbl order by c.tbl
  loop
    if p_packed then
      found := sync.read_packed(part.tbl, part.ids, part.known, page.o_order);
      if found.o_rows is not null then names := names || part.tbl; packed := packed || found.o_rows; end if;
    else
      found := sync.read_rows(part.tbl, part.ids, part.known, page.o_order);
      if found.o_rows <> '[]' then rows := rows || jsonb_build_object(part.tbl, found.o_rows); end if;
    end if;
    if found.o_stubs <> '[]' then stubs := stubs || jsonb_build_object(part.tbl, found.o_stubs); end if;
    if cardinality(found.o_found) < cardinality(part.ids) then
      gone := gone || (select coalesce(jsonb_agg(jsonb_build_array(c.scope, c.tbl, c.id)), '[]')
        from unnest(page.o_scope, page.o_table, page.o_id, page.o_gone) as c (scope, tbl, id, is_gone)
        where not c.is_gone and c.tbl = part.tbl and c.id <> all (found.o_found));
    end if;
  end loop;
  perform access.clear_cached_rights();
  return json_build_object('scopes', page.o_cursors, 'more', page.o_more, 'order', to_jsonb(page.o_order), 'resets', to_jsonb(page.o_resets),
    'rows', case when p_packed then '{}' else rows end,
    'packed', case when p_packed then (
      select coalesce(json_object_agg(n, r), '{}') from unnest(names, packed) as p (n, r)) end,
    'pages', page.o_pages, 'stubs', stubs, 'gone', gone,
    'now', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
end $function$;

CREATE OR REPLACE FUNCTION public.sync_push(p_device uuid, p_mutations jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
 SET "TimeZone" TO 'UTC'
 SET lock_timeout TO '3s'
AS $function$
declare
  claimed jsonb;
  known jsonb;
  results jsonb := '[]';
  part jsonb;
  result jsonb;
  m jsonb;
  mid text;
  first integer := 0;
  last integer;
  code text; message text; rule text; col text; reason text;
  has_twins boolean;                                   -- a mutation comes twice in this call
  run integer;
  tried integer := 0;                                  -- up to here, what goes together has been tried together
  sent integer;
  total integer;                                       -- of these are looked at in this call
  budget constant interval := sync.push_budget();      -- null: all of it, however long it takes
  ends constant timestamptz := clock_timestamp() + budget;
  latest constant timestamptz := clock_timestamp() + 3 * budget;
  is_new boolean := false;                             -- something was judged that no earlier call had
  is_applied boolean := false;                            -- and was not refused: a repetition of this call finds it done
  nameless integer[] := '{}';                          -- the places of reports without a name
  is_nameless boolean;
  was_applied boolean;
begin
  if auth.uid() is null then
    raise exception 'sync_push needs a signed-in person' using errcode = '42501', detail = 'CN029';
  end if;
  if jsonb_typeof(p_mutations) = 'string' then p_mutations := (p_mutations #>> '{}')::jsonb; end if;
  if jsonb_typeof(p_mutations) is distinct from 'array' or jsonb_array_length(p_mutations) > 1000 then
    raise exception 'sync_push takes at most 1000 mutations' using errcode = '22023', detail = 'CN030';
  end if;
  sent := jsonb_array_length(p_mutations);
  total := sent;
  if budget is not null and sent > 200 then
    -- As many as a device of ours sends, and what is saved together with the last: what is claimed and left again costs time too.
    total := 200;
    while total < sent and p_mutations -> total ->> 'group' = p_mutations -> (total - 1) ->> 'group' loop total := total + 1; end loop;
    p_mutations := (select jsonb_agg(e order by n) from jsonb_array_elements(p_mutations) with ordinality as es (e, n) where n <= total);
  end if;
  perform set_config('sync.pushing', 'on', true);
  perform access.cache_rights();
  claimed := sync.claim(p_device, p_mutations);
  known := sync.known_results(array(select (e ->> 'mid')::uuid from jsonb_array_elements(p_mutations) e where not claimed ? (e ->> 'mid')));

  -- An acceptance out of the tray goes whole, and no report without a name is in it (review_queue.queue_for_review).
  if budget is not null then
    nameless := array(select (n - 1)::integer from jsonb_array_elements(p_mutations) with ordinality as es (e, n) where issue.is_nameless_report(e));
  end if;
  has_twins := (select count(distinct e ->> 'mid') < count(*) from jsonb_array_elements(p_mutations) e);
  while first < total loop
    -- What is known already costs nothing and is no progress. Without any, a device that repeats the whole would stand still.
    exit when is_new and clock_timestamp() >= case when is_applied then ends else latest end;
    -- Nor is an answer larger than a page: what each answers may bear its row.
    exit when is_new and budget is not null and pg_column_size(results) > sync.page_bytes();
    last := first;
    while p_mutations -> first ->> 'group' is not null and p_mutations -> (last + 1) ->> 'group' = p_mutations -> first ->> 'group' loop
      last := last + 1;
    end loop;
    -- A report without a name shares neither its transaction nor its version of the feed with anything else that is written: both stand
    -- in rows that name who sent them. What is known or refused writes nothing, so each call gets on.
    is_nameless := exists (select from unnest(nameless) n where n between first and last);
    exit when is_nameless and is_applied;
    if not is_nameless and not has_twins and current_setting('sync.cached_former', true) = '{}' then
      -- One statement cannot be stopped half-way. With no time at all each mutation is a step of its own.
      run := least(sync.run_length(p_mutations, first, known), case when budget = '0' then 1 else 50 end,
        (select min(n) - first from unnest(nameless) n where n > first));
      if run > 1 and first >= tried then
        part := sync.apply_run((select jsonb_agg(e order by n) from jsonb_array_elements(p_mutations) with ordinality as es (e, n)
          where n between first + 1 and first + run));
        tried := first + run;
        if part is not null then
          results := results || part;
          is_new := true;
          is_applied := true;
          first := first + run;
          continue;
        end if;
      end if;
    end if;
    begin
      part := '[]';
      for n in first .. last loop
        m := p_mutations -> n;
        mid := m ->> 'mid';
        if known ? mid then
          if known -> mid ->> 'hash' <> encode(sync.mutation_hash(m), 'hex') then
            raise exception using errcode = 'CM001', message = 'this mutation id stands for another edit', detail = 'CN031';
          end if;
          result := (known -> mid -> 'result') || '{"dup": true}';
        else
          result := sync.apply_mutation(m);
          if has_twins then
            known := known || jsonb_build_object(mid, jsonb_build_object('hash', encode(sync.mutation_hash(m), 'hex'), 'result', result));
          end if;
        end if;
        part := part || jsonb_build_array(result);
      end loop;
    exception
      -- 22, 23, 42, 54, P0001 and our own: this edit is at fault. Everything else (locks, cancel, restart) ends the call.
      when data_exception or integrity_constraint_violation or syntax_error_or_access_rule_violation or program_limit_exceeded
        or raise_exception or cardinality_violation or sqlstate 'CM001' then
        get stacked diagnostics code = returned_sqlstate, message = message_text, rule = constraint_name, col = column_name,
          reason = pg_exception_detail;
        select jsonb_agg(case
            when e ->> 'mid' <> mid then sync.refusal(e ->> 'mid', case code when 'CM001' then 'mutation_id_reused' else code end, message, 'refused with its group', null, reason)
            when code = 'CM001' then jsonb_build_object('mid', mid, 'st', 'rejected', 'code', 'mutation_id_reused', 'msg', message)
            else sync.refusal(mid, code, message, rule, col, reason) end order by n)
          into part from jsonb_array_elements(p_mutations) with ordinality as es (e, n) where n between first + 1 and last + 1;
        -- What this savepoint took back is not known any more.
        known := known - array(select e ->> 'mid' from jsonb_array_elements(part) e where claimed ? (e ->> 'mid'));
    end;
    results := results || part;
    is_new := is_new or exists (select from jsonb_array_elements(part) e where not e ? 'dup');
    was_applied := exists (select from jsonb_array_elements(part) e where not e ? 'dup' and e ->> 'st' <> 'rejected');
    is_applied := is_applied or was_applied;
    first := last + 1;
    exit when is_nameless and was_applied;
  end loop;

  perform sync.finish_push(p_device, p_mutations, results);
  perform set_config('sync.pushing', '', true);
  perform set_config('sync.cached_' || kind, '', true) from unnest(array['organizations', 'sites', 'scopes', 'former']) kind;
  return jsonb_strip_nulls(jsonb_build_object('rest', nullif(sent - first, 0))) || jsonb_build_object('results', results,
    'now', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
end $function$;

CREATE OR REPLACE FUNCTION public.sync_receipt(p_id uuid, p_device uuid, p_mids uuid[], p_device_at timestamp with time zone)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET "TimeZone" TO 'UTC'
AS $function$
declare
  caller constant uuid := auth.uid();
  r sync.receipt;
  missing jsonb;
  missing_media jsonb;
begin
  if caller is null then raise exception 'sync_receipt needs a signed-in person' using errcode = '42501', detail = 'CN033'; end if;
  if cardinality(p_mids) > 10000 then raise exception 'a receipt covers at most 10000 mutations' using errcode = '22023', detail = 'CN034'; end if;
  select * into r from sync.receipt where id = p_id;
  if found and r.user_id <> caller then raise exception 'this receipt is somebody else''s' using errcode = '42501', detail = 'CN035'; end if;
  if not found then
    select coalesce(jsonb_agg(mid order by mid), '[]') into missing
      from (select unnest(p_mids) except select k.mid from sync.mutation k where k.user_id = caller and k.mid = any (p_mids)) as x (mid);
    select coalesce(jsonb_agg(distinct k.row_id), '[]') into missing_media
      from sync.mutation k left join public.media f on f.id = k.row_id
      where k.user_id = caller and k.mid = any (p_mids) and k.tbl = 'media' and k.op = 'insert'
        and (f.id is null or f.state <> 'complete') and f.deleted_at is null;
    if missing <> '[]' or missing_media <> '[]' then
      return jsonb_build_object('complete', false, 'missing_mids', missing, 'missing_media', missing_media);
    end if;
    insert into sync.receipt (id, user_id, device, no, received_at, files_at, device_at, mids, contents)
      values (p_id, caller, p_device, sync.receipt_number(), coalesce(sync.receipt_arrival(caller, p_mids), now()),
        (select max(f.completed_at) from sync.mutation k join public.media f on f.id = k.row_id
          where k.user_id = caller and k.mid = any (p_mids) and k.tbl = 'media' and k.op = 'insert'),
        p_device_at, p_mids, sync.receipt_contents(caller, p_mids))
      on conflict (id) do nothing;
    select * into strict r from sync.receipt where id = p_id and user_id = caller;
  end if;
  return jsonb_build_object('complete', true, 'id', r.id, 'no', r.no, 'received_at', r.received_at, 'files_at', r.files_at, 'device_at', r.device_at,
    'contents', r.contents);
end $function$;

CREATE OR REPLACE FUNCTION public.sync_repair(p_scope text, p_table text, p_sums jsonb, p_device uuid DEFAULT NULL::uuid, p_limit integer DEFAULT 1000)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
 SET "TimeZone" TO 'UTC'
AS $function$
declare
  answer jsonb;
begin
  if auth.uid() is null then raise exception 'sync_repair needs a signed-in person' using errcode = '42501', detail = 'CN037'; end if;
  if jsonb_typeof(p_sums) = 'string' then p_sums := (p_sums #>> '{}')::jsonb; end if;
  if jsonb_typeof(p_sums) is distinct from 'object' or p_limit not between 1 and 5000
    or not exists (select from sync.tables t where t.name = p_table) then
    raise exception 'sync_repair takes a scope, a synced table, an object of sums and a limit from 1 to 5000' using errcode = '22023', detail = 'CN038';
  end if;
  answer := (select sync.differing_rows(p_scope, p_table, p_sums, p_limit));
  if (answer ->> 'wrong')::integer > 0 then
    perform sync.note_mismatch(p_scope, p_table, p_device, (answer ->> 'wrong')::integer);
  end if;
  return answer;
end $function$;

CREATE OR REPLACE FUNCTION public.take_back_brief(p_copy uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.triad_brief_copies c set taken_back_at = now(), is_open = false
    where c.id = p_copy and c.subject_id = auth.uid() and c.deleted_at is null and c.taken_back_at is null;
  if not found then raise exception 'nothing to take back' using errcode = '42501', detail = 'CN192'; end if;
end $function$;

CREATE OR REPLACE FUNCTION public.take_pack_item(p_organization uuid, p_version uuid, p_kind text, p_key text, p_how text, p_body text DEFAULT NULL::text, p_seen text DEFAULT NULL::text, p_variables jsonb DEFAULT '{}'::jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
    raise exception 'this is no update' using errcode = '42501', detail = 'CN206';
  end if;
  -- What a pack brings is written with the rights of whoever writes such things.
  if p_how in ('add', 'take') and not access.may(case p_kind when 'policy' then 'policy.author' when 'form' then 'form.manage' else 'task.create' end,
      p_organization) then
    raise exception 'taking this needs the right to write it' using errcode = '42501', hint = 'right', detail = 'CN207';
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
    if not found then raise exception 'this form is not there to be changed' using errcode = '23514', hint = 'gone', detail = 'CN208'; end if;
    select marketplace.item_of(w.contents, 'form', p_key) into base from public.pack_versions w where w.id = item.version_id;
    if marketplace.form_now(item.target_id) is distinct from marketplace.filled_json(base, had.variables) -> 'definition' then
      raise exception 'this form was changed here' using errcode = '23514', hint = 'changed', detail = 'CN209';
    end if;
    update public.form_drafts set definition = marketplace.filled_json(theirs, filled) -> 'definition' where form_id = item.target_id;
  elsif not (p_how = 'keep' and item.id is not null) then
    raise exception 'this cannot be decided so' using errcode = '22023', detail = 'CN210';
  end if;
  update public.pack_items set version_id = v.id, pack_number = v.number where id = item.id;
  return marketplace.set_current_version(p_organization, v);
end $function$;

CREATE OR REPLACE FUNCTION public.task_series_to_plan()
 RETURNS SETOF jsonb
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select task.series_to_plan()
$function$;

CREATE OR REPLACE FUNCTION public.verify_audit_log(p_organization uuid, p_known jsonb DEFAULT '[]'::jsonb, p_ticket uuid DEFAULT NULL::uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  answer jsonb;
begin
  perform audit.require_reader(p_organization);
  if p_ticket is not null then
    return access.redeem_read_ticket(p_ticket, 'verify_audit_log', jsonb_build_object('organization', p_organization)) -> 'verdict';
  end if;
  if jsonb_typeof(p_known) is distinct from 'array' or jsonb_array_length(p_known) > 1000 then
    raise exception 'known heads are a list of at most 1000' using errcode = '22023', detail = 'CN196';
  end if;
  answer := jsonb_build_object('at', clock_timestamp(), 'head', audit.head(p_organization),
    'entries', (select count(*) from public.audit_entries e where e.organization_id = p_organization),
    'faults', (select coalesce(jsonb_agg(jsonb_build_object('seq', f.seq, 'kind', f.kind)), '[]') from audit.faults(p_organization, p_known) f));
  perform audit.note(p_organization, 'audit.verified', 'organizations', p_organization,
    jsonb_build_object('entries', answer -> 'entries', 'faults', jsonb_array_length(answer -> 'faults')));
  return access.issue_read_ticket('verify_audit_log', jsonb_build_object('organization', p_organization, 'verdict', answer));
end $function$;

CREATE OR REPLACE FUNCTION public.verify_certificate(p_code text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET "TimeZone" TO 'UTC'
AS $function$
  select jsonb_build_object('organization', o.name, 'title', v.title, 'version', v.major::text || '.' || v.minor::text,
    'content_hash', a.content_hash, 'received_at', a.received_at, 'status', policy.certificate_status(a),
    'name', case when a.user_id is not null and not account.has_ended(a.user_id) then a.signed_name end, 'account_name', a.account_name)
  from public.policy_acknowledgements a
  join public.policy_versions v on v.id = a.version_id
  join public.organizations o on o.id = a.organization_id and o.deleted_at is null
  where a.certificate_code = left(p_code, 40) and a.deleted_at is null
$function$;

CREATE OR REPLACE FUNCTION public.withdraw_approval(p_request uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  r public.approval_requests;
begin
  select * into r from public.approval_requests q where q.id = p_request and q.deleted_at is null for update;
  if not found or not (r.requested_by is not distinct from auth.uid() and access.is_member(r.organization_id, auth.uid())
    or access.may(r.permission, r.organization_id) and r.subject_table <> 'workflow_runs' and approval.sees_subject(r, auth.uid())) then
    raise exception 'no such request' using errcode = '42501', detail = 'CN133';
  end if;
  if r.state <> 'pending' then raise exception 'this was decided already' using errcode = '23514', detail = 'CN134'; end if;
  r.state := 'withdrawn';
  update public.approval_requests q set state = r.state, decided_at = clock_timestamp() where q.id = r.id;
  perform approval.approval_ended(r);
end $function$;
