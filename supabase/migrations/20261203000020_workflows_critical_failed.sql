-- As before; failing a critical question makes a critical action item, whatever priority its author wrote.
create or replace function workflow.note_answer(a public.inspection_answers, i public.inspections) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  q jsonb;
  is_critical boolean;
begin
  select workflow.question_at(v.definition, a.question) into q from public.form_versions v where v.id = i.form_version_id;
  is_critical := coalesce((q -> 'scoring' ->> 'critical')::boolean, false);
  perform workflow.note('inspection.item_failed', 'answer/' || a.id::text, 'inspections', to_jsonb(i),
    i.title || ': ' || coalesce(workflow.words(q -> 'on_fail' -> 'title'), workflow.words(q -> 'label'), a.question), '/field/' || i.id::text,
    jsonb_build_object('critical', case when is_critical then 'yes' else 'no' end,
      'priority', case when is_critical then 'critical' else coalesce(q -> 'on_fail' ->> 'priority', 'medium') end, 'site', i.site_id, 'asset', i.asset_id, 'form', i.form_id,
      'title', coalesce(workflow.words(q -> 'on_fail' -> 'title'), workflow.words(q -> 'label'), a.question), 'question', a.question,
      'evidence', q -> 'on_fail' ->> 'photo' = 'required', 'signature', i.signature is not null), i.conducted_by, i.conducted_by);
end $$;
