-- Demo: 30 checks of the last 90 days, a few of them failed, and what became of the defects.

-- Every third day one check: on North by Sam, every fifth one on South by Mara. The list names the failed question.
create temp table demo_checks on commit drop as
  select extensions.uuid_generate_v5('00000000-0000-4000-8000-0000000000a1', 'inspection/' || n) as id, n,
    n % 5 = 0 as south,
    case when n % 5 = 0 then 4 else 1 + n % 3 end as truck,
    date_trunc('day', now()) - make_interval(days => 3 * (31 - n) - 2) + make_interval(hours => 6, mins => (n * 7) % 40) as begun,
    failed.question, failed.note
  from generate_series(1, 30) n
  left join (values
    (4, 'start.tyres', 'Left rear tyre cut on the side wall'),
    (9, 'safety.horn_lights', 'Reversing alarm silent'),
    (13, 'start.leaks', 'Drops of hydraulic oil below the mast'),
    (19, 'mast.chains', 'Left chain slack when lowering'),
    (24, 'safety.horn_lights', 'Right work light out'),
    (28, 'brakes.steering', 'About two fingers of play'),
    (30, 'start.tyres', 'Drive wheel worn below the mark')
  ) as failed (n, question, note) using (n);

create temp table demo_questions on commit drop as
  select s ->> 'name' || '.' || (q ->> 'name') as question, q ->> 'type' as type, q ->> 'label' as label,
    q -> 'on_fail' ->> 'title' as action, q -> 'on_fail' ->> 'priority' as priority, (q -> 'on_fail' ->> 'due_in_days')::integer as days,
    row_number() over (order by section, place) as place
  from form_versions v, jsonb_array_elements(v.definition -> 'items') with ordinality as sections (s, section),
    jsonb_array_elements(s -> 'items') with ordinality as questions (q, place)
  where v.id = '00000000-0000-4000-8000-0000000000d2';

insert into inspections (id, organization_id, site_id, playbook_id, form_id, form_version_id, asset_id, title, status, due_at, assigned_to,
    conducted_by, started_at, finished_at, received_at, score, score_max, result, signature, signed_by, signed_at)
  select c.id, '00000000-0000-4000-8000-0000000000a1',
    case when south then '00000000-0000-4000-8000-0000000000b2' else '00000000-0000-4000-8000-0000000000b1' end::uuid,
    '00000000-0000-4000-8000-0000000000c1', '00000000-0000-4000-8000-0000000000d1', '00000000-0000-4000-8000-0000000000d2',
    ('00000000-0000-4000-8000-0000000000e' || truck)::uuid, 'Forklift ' || truck || ' pre-use check',
    case when n >= 27 then 'finalised' when n <= 6 then 'closed' else 'approved' end,
    date_trunc('day', begun) + interval '8 hours', person.id, person.id, begun, ended, ended + interval '20 seconds',
    case when question is null then 9 else 8 end - case when south then 1 else 0 end, 9 - case when south then 1 else 0 end,
    case when question is null then 'pass' else 'fail' end, drawn.signature, person.name, ended
  from demo_checks c
  cross join lateral (select begun + make_interval(mins => 3 + n % 4) as ended) e
  cross join lateral (
    select case when south then '00000000-0000-4000-8000-000000000002' else '00000000-0000-4000-8000-000000000003' end::uuid as id,
      case when south then 'Mara Manager' else 'Sam Worker' end as name) person
  cross join (select '{"width":300,"height":120,"strokes":[[[24,80],[40,38],[58,82],[70,52],[88,78],[120,60]],[[140,78],[172,46],[180,80],[226,58],[262,70]]]}'::jsonb as signature) drawn;

insert into inspection_answers (id, organization_id, site_id, inspection_id, question, value, outcome, score, score_max, note, answered_by, answered_at)
  select extensions.uuid_generate_v5(c.id, 'answer/' || q.question), i.organization_id, i.site_id, c.id, q.question,
    case q.type
      when 'integer' then to_jsonb(2380 + 40 * c.truck + 6 * c.n)
      when 'signature' then i.signature
      else to_jsonb(r.outcome)
    end,
    r.outcome, case when r.outcome is not null then (r.outcome = 'pass')::integer end, case when r.outcome is not null then (r.outcome <> 'na')::integer end,
    case when r.outcome = 'fail' then c.note end, i.conducted_by, c.begun + make_interval(secs => 14 * q.place)
  from demo_checks c
  join inspections i on i.id = c.id
  cross join demo_questions q
  cross join lateral (
    select case when q.type <> 'pass_fail' then null when q.question = c.question then 'fail'
      when q.question = 'safety.seat_belt' and c.south then 'na' else 'pass' end as outcome) r
  where q.type <> 'text';

-- One action item per defect: two done, one to be verified, one in work and late, one open and late, two fresh.
insert into action_items (id, organization_id, site_id, playbook_id, title, description, status, priority, due_at, assignee_id, source_type, source_id,
    source_question, asset_id, created_by, closed_at, closed_by, created_at)
  select extensions.uuid_generate_v5(c.id, 'action/' || c.question), i.organization_id, i.site_id, i.playbook_id,
    q.action || ': Forklift ' || c.truck, c.note, state.status, q.priority,
    case when state.days is null then i.finished_at + make_interval(days => q.days) else date_trunc('day', now()) + make_interval(days => state.days, hours => 16) end,
    state.assignee::uuid, 'inspection', i.id, c.question, i.asset_id, i.conducted_by,
    case when state.status = 'closed' then i.finished_at + interval '30 hours' end,
    case when state.status = 'closed' then '00000000-0000-4000-8000-000000000002'::uuid end, i.received_at
  from demo_checks c
  join inspections i on i.id = c.id
  join demo_questions q on q.question = c.question
  join (values
    (4, 'closed', null, '00000000-0000-4000-8000-000000000003'),
    (9, 'closed', null, '00000000-0000-4000-8000-000000000003'),
    (13, 'ready_for_verification', 1, '00000000-0000-4000-8000-000000000003'),
    (19, 'in_progress', -3, '00000000-0000-4000-8000-000000000002'),
    (24, 'open', -1, null),
    (28, 'assigned', 1, '00000000-0000-4000-8000-000000000003'),
    (30, 'open', 4, null)
  ) as state (n, status, days, assignee) using (n);

-- And two that came from people, not from a check.
insert into action_items (id, organization_id, site_id, playbook_id, title, description, status, priority, due_at, assignee_id, source_type, asset_id, created_by, created_at) values
  ('00000000-0000-4000-8000-000000000101', '00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-0000000000b1', '00000000-0000-4000-8000-0000000000c1',
   'Eyewash bottle past its date', 'Battery room, second bottle from the left', 'assigned', 'high', date_trunc('day', now()) + interval '2 days 16 hours',
   '00000000-0000-4000-8000-000000000003', 'manual', '00000000-0000-4000-8000-0000000000e9', '00000000-0000-4000-8000-000000000002', now() - interval '2 days 3 hours'),
  ('00000000-0000-4000-8000-000000000102', '00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-0000000000b2', '00000000-0000-4000-8000-0000000000c1',
   'Dock leveller 1 stuck half way', 'Waiting for the manufacturer''s service', 'in_progress', 'medium', date_trunc('day', now()) + interval '6 days 16 hours',
   '00000000-0000-4000-8000-000000000002', 'manual', '00000000-0000-4000-8000-0000000000e8', '00000000-0000-4000-8000-000000000002', now() - interval '6 days 5 hours');
