-- Other rows that are there from the start.

-- What each role of a support circle may be granted at most (domain 1.5), read by `read_circle` alone.

insert into circle_visibility (role, scope, level, chosen) values
  ('mentor_coach', 'habits', 'full', false),
  ('mentor_coach', 'habits', 'summary', false),
  ('mentor_coach', 'wellness', 'summary', false),
  ('mentor_coach', 'wellness', 'ok', false),
  ('mentor_coach', 'tasks', 'full', false),
  ('accountability_partner', 'habits', 'full', true),
  ('accountability_partner', 'wellness', 'ok', false),
  ('accountability_partner', 'tasks', 'full', true),
  ('managed_admin', 'tasks', 'full', false),
  ('triad_intelligence_operator', 'habits', 'summary', false),
  ('triad_intelligence_operator', 'wellness', 'summary', false),
  ('triad_intelligence_operator', 'tasks', 'counts', false);

insert into circle_visibility (role, scope, level, chosen) values
  ('mentor_coach', 'goals', 'full', false),
  ('accountability_partner', 'goals', 'full', true),
  ('managed_admin', 'goals', 'titles', false),
  ('triad_intelligence_operator', 'goals', 'summary', false);

insert into circle_visibility (role, scope, level, chosen) values
  ('mentor_coach', 'sessions', 'full', false),
  ('accountability_partner', 'sessions', 'full', false),
  ('managed_admin', 'sessions', 'full', false),
  ('managed_admin', 'tasks', 'act', false);

insert into circle_visibility (role, scope, level, chosen) values ('accountability_partner', 'principles', 'countersign', true);

-- Tiers change by migration only.

insert into subscription_tiers (tier, can_create_content, can_access_marketplace, can_earn_revenue, has_subscription,
    media_search_quota, media_sources, auto_recommendations, video_generation, monthly_video_credits, can_buy_credits,
    can_enhance_videos, auto_transcribe) values
  ('personal_consumer', false, true, false, false, 0, '["internal"]', false, false, 0, false, false, false),
  ('personal_creator', true, true, true, true, 10, '["youtube","vimeo","internal"]', false, true, 5, true, true, true),
  ('company_enterprise', true, true, true, true, 100, '["youtube","vimeo","internal"]', true, true, 50, true, true, true);

-- Bytes: as in the table `media`.
insert into storage.buckets (id, name, public, file_size_limit) values ('media', 'media', false, 262144000) on conflict (id) do update
  set file_size_limit = excluded.file_size_limit;

insert into sync.sweep_cursor (what, at) values ('ended_rights', now());

insert into cohort.salt default values;

select task.learn_zones();

-- Pushed each for itself: their AFTER triggers look at other rows of their own table.
update sync.tables set goes_alone = true
  where name in ('organizations', 'organization_members', 'approval_decisions', 'evidence', 'comments');

-- After all triggers are there: it looks which tables have one of their own for that.
select sync.guard_foreign_ids();

-- Of a header that is sent twice PostgREST shows one to request.refuse_estimates and obeys both. So nothing is kept about the values in what
-- is one person's alone: an estimate cannot tell whose rows there are, or how their values spread.
do $$
declare
  private record;
begin
  for private in
    select c.oid::regclass as of_table, a.attname
    from pg_catalog.pg_class c
    join pg_catalog.pg_attribute s on s.attrelid = c.oid and s.attname = 'scopes' and s.attgenerated = 's'
    join pg_catalog.pg_attrdef d on d.adrelid = c.oid and d.adnum = s.attnum
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and pg_catalog.pg_get_expr(d.adbin, d.adrelid) ~ 'user_scope'
      and pg_catalog.pg_get_expr(d.adbin, d.adrelid) !~ '(org|place|site|team|member|holder)_scope'
  loop
    execute format('alter table %s alter column %I set statistics 0', private.of_table, private.attname);
  end loop;
end $$;
