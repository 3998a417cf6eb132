-- What a field hand captures: drawn copies of photos, sounds whose length is known, and voice notes beside any answer.

alter table media
  add column drawn_on    uuid,                                   -- the photo this is a marked copy of; no foreign key: either may arrive first
  add column duration_ms integer check (duration_ms >= 0);       -- ms, of a sound recorded in the app

-- Apart from media_ids: a voice note is said beside an answer and stands for no photo the form asks for.
alter table inspection_answers
  add column voice_ids jsonb not null default '[]' check (jsonb_typeof(voice_ids) = 'array');   -- ids of media

select sync.refresh_table('media');
select sync.refresh_table('inspection_answers');

-- As before, and voice notes are files of the answer too.
create or replace function sync.log_answer_change() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  said constant jsonb := jsonb_build_object('value', new.value, 'note', new.note, 'media_ids', new.media_ids || new.voice_ids);
  last public.inspection_events;
begin
  select * into last from public.inspection_events e
    where e.organization_id = new.organization_id and e.inspection_id = new.inspection_id
      and (e.kind = 'state' or e.question = new.question)
    order by e.created_at desc, e.id desc limit 1;
  if last.kind = 'answer' and last.by_id is not distinct from auth.uid() and last.created_at > now() - interval '1 minute' then
    update public.inspection_events set after = said, at = coalesce(new.answered_at, now()) where id = last.id;
    return null;
  end if;
  insert into public.inspection_events (organization_id, site_id, conductor_id, inspection_id, kind, question, before, after, by_id, at)
    select new.organization_id, new.site_id, coalesce(i.conducted_by, i.assigned_to), new.inspection_id, 'answer', new.question,
      jsonb_build_object('value', old.value, 'note', old.note, 'media_ids', old.media_ids || old.voice_ids), said,
      coalesce(auth.uid(), new.answered_by), coalesce(new.answered_at, now())
    from public.inspections i where i.id = new.inspection_id;
  return null;
end $$;
drop trigger x_log on inspection_answers;
create trigger x_log after update on inspection_answers for each row
  when ((old.value, old.note, old.media_ids, old.voice_ids) is distinct from (new.value, new.note, new.media_ids, new.voice_ids))
  execute function sync.log_answer_change();
