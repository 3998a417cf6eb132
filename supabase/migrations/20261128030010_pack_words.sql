-- Two people who write one draft undo nothing of each other: number, news and what the pack is are guarded as the documents are.

alter table pack_versions add column draft_hash text not null default '' check (draft_hash ~ '^([0-9a-f]{64})?$');   -- sha-256 (hex) of all that is written on a draft's page: number, news, contents, what the pack is

create function marketplace.seal_draft() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  new.draft_hash := (select encode(sha256(convert_to(jsonb_build_array(new.number, new.changelog, new.content_hash, p.name, p.summary, p.kind, p.licence,
      p.attribution, p.locale, p.industry, p.frameworks, p.is_template)::text, 'UTF8')), 'hex') from public.policy_packs p where p.id = new.pack_id);
  return new;
end $$;
-- After b_guard, which makes the contents' own hash.
create trigger c_seal before insert or update on pack_versions for each row execute function marketplace.seal_draft();

create function marketplace.facts_told() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update public.pack_versions v set updated_at = now() where v.pack_id = new.id and v.state = 'draft';
  return null;
end $$;
create trigger c_seal after update of name, summary, kind, licence, attribution, locale, industry, frameworks, is_template on policy_packs
  for each row execute function marketplace.facts_told();
update pack_versions set updated_at = updated_at;

-- Writes what people choose a pack by; what is not in `p_facts` stays. It all stays once a version left the draft.
create function marketplace.write_facts(p_pack uuid, p_facts jsonb) returns void language plpgsql volatile security definer set search_path = '' as $$
begin
  if jsonb_typeof(p_facts) <> 'object' or marketplace.markup_in(p_facts::text, true) then
    raise exception 'what is said of a pack is plain text' using errcode = '23514', hint = 'markup';
  end if;
  if exists (select from public.pack_versions v where v.pack_id = p_pack and v.state <> 'draft') then
    raise exception 'what was submitted stays as it is' using errcode = '23514', hint = 'state';
  end if;
  update public.policy_packs q set name = coalesce(p_facts ->> 'name', q.name), summary = coalesce(p_facts ->> 'summary', q.summary),
    kind = coalesce(p_facts ->> 'kind', q.kind), locale = coalesce(p_facts ->> 'locale', q.locale), industry = coalesce(p_facts ->> 'industry', q.industry),
    frameworks = case when p_facts ? 'frameworks' then
      (select coalesce(jsonb_agg(left(f, 80)), '[]') from jsonb_array_elements_text(p_facts -> 'frameworks') f where btrim(f) <> '') else q.frameworks end,
    -- Words that were somebody else's keep their licence and their names.
    licence = case when q.forked_from_id is null then coalesce(p_facts ->> 'licence', q.licence) else q.licence end,
    attribution = case when q.forked_from_id is null then coalesce(p_facts ->> 'attribution', q.attribution) else q.attribution end,
    is_template = coalesce((p_facts ->> 'is_template')::boolean, q.is_template), updated_at = now() where q.id = p_pack;
end $$;

-- As before, with the facts written by the one who also writes them with a version.
create or replace function save_pack(p_id uuid, p_organization uuid, p_facts jsonb) returns uuid
  language plpgsql volatile security definer set search_path = '' as $$
declare
  facts constant jsonb := coalesce(p_facts, '{}');
  p public.policy_packs;
begin
  if not exists (select from public.policy_packs q where q.id = p_id) then
    if auth.uid() is null or p_id is null or p_organization is null or p_organization not in (select public.my_marketplace_companies('content.manage')) then
      raise exception 'making packs needs content.manage and a tier that creates' using errcode = '42501';
    end if;
    perform pg_advisory_xact_lock(hashtext('packs of'), hashtext(p_organization::text));
    if (select count(*) from public.policy_packs q where q.organization_id = p_organization) >= 200 then
      raise exception 'two hundred packs are enough' using errcode = 'P0001';
    end if;
    insert into public.policy_packs (id, organization_id, name, publisher, licence, created_by)
      select p_id, o.id, facts ->> 'name', o.name, facts ->> 'licence', auth.uid() from public.organizations o where o.id = p_organization;
  end if;
  p := marketplace.own_pack(p_id);
  perform marketplace.write_facts(p.id, facts);
  return p.id;
end $$;

-- As before, and what the pack is goes with the version where it is said. `p_seen` is the hash of all that is written, and so is the answer.
drop function save_pack_version(uuid, uuid, text, text, jsonb, text);
create function save_pack_version(p_id uuid, p_pack uuid, p_number text, p_changelog text, p_contents jsonb, p_seen text default null, p_facts jsonb default null)
  returns text language plpgsql volatile security definer set search_path = '' as $$
declare
  p constant public.policy_packs := marketplace.own_pack(p_pack);
  v public.pack_versions;
  hash text;
begin
  select * into v from public.pack_versions w where w.id = p_id for update;
  if found and (v.pack_id <> p.id or v.state <> 'draft') then
    raise exception 'what was submitted stays as it is' using errcode = '23514', hint = 'state';
  end if;
  if not found and p_seen is not null then
    raise exception 'this draft was thrown away' using errcode = '23514', hint = 'gone';
  end if;
  if exists (select from public.pack_versions w where w.pack_id = p.id and w.state in ('listed', 'withdrawn')
      and p_number ~ '^[0-9]{1,5}(\.[0-9]{1,5}){2}$' and w.rank >= string_to_array(p_number, '.')::integer[]) then
    raise exception 'a version follows the ones before it' using errcode = '23514', hint = 'number';
  end if;
  if p_facts is not null then perform marketplace.write_facts(p.id, p_facts); end if;
  insert into public.pack_versions (id, pack_id, number, changelog, contents, created_by)
    values (p_id, p.id, p_number, coalesce(p_changelog, ''), p_contents, auth.uid())
    on conflict (id) do update set number = excluded.number, changelog = excluded.changelog, contents = excluded.contents, updated_at = now()
    returning draft_hash into hash;
  -- Where nothing else stands there now, the same was sent again after a lost answer.
  if v.id is not null and p_seen is not null and p_seen <> v.draft_hash and hash <> v.draft_hash then
    raise exception 'somebody changed this since' using errcode = '23514', hint = 'changed';
  end if;
  return hash;
end $$;

revoke execute on all functions in schema marketplace from public;
revoke execute on function save_pack_version(uuid, uuid, text, text, jsonb, text, jsonb) from public, anon, authenticated;
grant execute on function save_pack_version(uuid, uuid, text, text, jsonb, text, jsonb) to authenticated;
