-- What a task is called where it was brought from, so that bringing the same file again changes it and makes no second one. Unique
-- for whoever brought it: what others brought is not theirs to find out.

alter table tasks add column external_id text check (btrim(external_id) <> '' and char_length(external_id) <= 200);
create unique index tasks_external on tasks (organization_id, created_by, external_id) where external_id is not null and deleted_at is null;
select sync.refresh_table('tasks');
