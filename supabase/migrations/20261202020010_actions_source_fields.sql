-- What the answer gave when its inspection was last finished, so that finishing again can tell its own words from those of others:
-- a field that still says what stands here follows the answer, one that somebody changed stays theirs.
alter table action_items add column source_fields jsonb
  check (jsonb_typeof(source_fields) = 'object' and pg_column_size(source_fields) < 40000);   -- {title, description, priority, media_ids}; null: not made by an answer, or by an older build
select sync.refresh_table('action_items');
