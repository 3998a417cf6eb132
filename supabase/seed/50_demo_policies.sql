-- Demo: a policy in its second major version, which Sam has not acknowledged yet; one that is in force and acknowledged; and one
-- that Mara is writing. Nobody is told of a demo: what is owed is owed for eight days, and due in six.

insert into policies (id, organization_id, title, code, summary, classification, owner_id, review_months, created_by) values
  ('00000000-0000-4000-8000-000000000301', '00000000-0000-4000-8000-0000000000a1', 'Lockout and tagout', 'SAF-04',
   'A machine is opened only when nothing in it can move.', 'internal', '00000000-0000-4000-8000-000000000002', 12, '00000000-0000-4000-8000-000000000002'),
  ('00000000-0000-4000-8000-000000000302', '00000000-0000-4000-8000-0000000000a1', 'Driving forklift trucks', 'SAF-02',
   'Who drives, where, how fast, and what is checked before.', 'internal', '00000000-0000-4000-8000-000000000002', 12, '00000000-0000-4000-8000-000000000002'),
  ('00000000-0000-4000-8000-000000000303', '00000000-0000-4000-8000-0000000000a1', 'Remote access', 'IT-01',
   'How people reach our systems from elsewhere.', 'confidential', '00000000-0000-4000-8000-000000000001', 12, '00000000-0000-4000-8000-000000000002');

insert into policy_versions (id, organization_id, policy_id, state, change, major, minor, title, body, changelog, source, based_on_id,
    approved_at, published_at, published_by, superseded_at, created_by) values
  ('00000000-0000-4000-8000-000000000311', '00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-000000000301', 'superseded', 'major', 1, 0,
   'Lockout and tagout', $md$## Purpose

Nobody is hurt by a machine that starts, moves or lets go of what it holds while somebody works on it.

## Who this covers

Everybody who opens, cleans, sets or repairs a machine at Northfield Works, people of other companies too.

## Before work starts

Anyone who opens, cleans or repairs a machine makes it safe first. A stopped machine is not a safe machine: stored pressure, springs and raised loads move without warning.

1. Tell everyone who works at the machine that it will be shut down.
2. Switch it off at the normal control, then isolate the main supply.
3. Fix your own lock and tag.
4. Release or block what is stored, then try to start the machine.

## Removing a lock

A lock is removed by the person who fixed it. If they cannot be reached, the shift lead decides, and writes down why.

## Records

The shift lead keeps the list of locks handed out.
$md$, null, 'seed', null, now() - interval '210 days', now() - interval '208 days', '00000000-0000-4000-8000-000000000002', now() - interval '8 days',
   '00000000-0000-4000-8000-000000000002'),
  ('00000000-0000-4000-8000-000000000312', '00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-000000000301', 'published', 'major', 2, 0,
   'Lockout and tagout', $md$## Purpose

Nobody is hurt by a machine that starts, moves or lets go of what it holds while somebody works on it.

## Who this covers

Everybody who opens, cleans, sets or repairs a machine at Northfield Works, people of other companies too.

## Before work starts

Anyone who opens, cleans or repairs a machine makes it safe first. A stopped machine is not a safe machine: stored pressure, springs and raised loads move without warning.

1. Tell everyone who works at the machine that it will be shut down.
2. Switch it off at the normal control, then isolate every energy source on the machine's isolation card.
3. Fix your own lock and tag. One person, one lock, one key; a shared key is not a lock.
4. Release or block what is stored, then try to start the machine. Photograph the zero-energy test in the inspection.

> **If the isolation card is missing or does not match,** stop and report it. No work begins on a guess.

## Group lockout

Where several people work on one machine, a lock box holds the keys. Each person adds a personal lock to the box and is the only one who may take it off.

## Removing a lock

A lock is removed by the person who fixed it. If they cannot be reached, the site manager decides, and writes down why.

## Responsibilities

| What | Who |
| --- | --- |
| Isolation cards are at every machine and right | Site manager |
| Locks and tags are at hand | Shift lead |
| Own lock, own tag, own key | Everybody |

## Records

Each zero-energy test is an inspection with a photo. The shift lead keeps the list of locks handed out.
$md$, 'Every energy source, one lock for each person, a photo of the zero-energy test.', 'seed', '00000000-0000-4000-8000-000000000311',
   now() - interval '9 days', now() - interval '8 days', '00000000-0000-4000-8000-000000000002', null, '00000000-0000-4000-8000-000000000002'),
  ('00000000-0000-4000-8000-000000000313', '00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-000000000302', 'published', 'major', 1, 0,
   'Driving forklift trucks', $md$## Who drives

Only who holds a licence for this kind of truck, and was shown around the site this year.

## Before the first lift

- Do the pre-use check in the app. A truck that fails it stays where it is.
- Look for people first, then for the load.

## On the way

- Walking pace where people walk; 10 km/h everywhere else.
- Sound the horn at every corner.
- Forks 15 cm above the ground, also when they are empty.
- Nobody rides along.

## Leaving the truck

Forks down, brake on, key out.
$md$, null, 'seed', null, now() - interval '95 days', now() - interval '94 days', '00000000-0000-4000-8000-000000000002', null,
   '00000000-0000-4000-8000-000000000002'),
  ('00000000-0000-4000-8000-000000000314', '00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-000000000303', 'draft', 'major', null, null,
   'Remote access', $md$## Purpose

What belongs to the company stays with the company, wherever people work.

## Rules

1. Reach our systems with the company's own devices only.
2. Use the second step at every sign-in.
3. Lock the screen when you leave it, at home too.
4. Report a lost device within the hour.
$md$, null, 'seed', null, null, null, null, null, '00000000-0000-4000-8000-000000000002');

update policies p set state = 'published', current_version_id = v.id, current_major = v.major, major_since = v.published_at,
    review_by = to_char(v.published_at + interval '1 year', 'YYYY-MM-DD')
  from policy_versions v where v.policy_id = p.id and v.state = 'published' and v.source = 'seed';

insert into acknowledgement_campaigns (id, organization_id, policy_id, audience, due_days, starts_at, created_by) values
  ('00000000-0000-4000-8000-000000000321', '00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-000000000301', '{"kind": "all"}', 14,
   now() - interval '208 days', '00000000-0000-4000-8000-000000000002'),
  ('00000000-0000-4000-8000-000000000322', '00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-000000000302',
   '{"kind": "roles", "ids": ["manager", "member"]}', 30, now() - interval '94 days', '00000000-0000-4000-8000-000000000002');

insert into policy_acknowledgements (id, organization_id, policy_id, version_id, user_id, state, content_hash, opened_at, sections_read, sections,
    method, signed_name, decided_at, received_at)
  select extensions.uuid_generate_v5(v.id, 'acknowledgement/' || w.user_id::text), v.organization_id, v.policy_id, v.id, w.user_id, 'acknowledged', v.content_hash,
    now() - w.ago - interval '4 minutes', w.sections, w.sections, 'typed', w.name, now() - w.ago, now() - w.ago + interval '2 seconds'
  from (values
    ('00000000-0000-4000-8000-000000000311'::uuid, '00000000-0000-4000-8000-000000000003'::uuid, 'Sam Worker', 5, interval '95 days'),
    ('00000000-0000-4000-8000-000000000312', '00000000-0000-4000-8000-000000000001', 'Alex Admin', 7, interval '7 days'),
    ('00000000-0000-4000-8000-000000000312', '00000000-0000-4000-8000-000000000002', 'Mara Manager', 7, interval '7 days 3 hours'),
    ('00000000-0000-4000-8000-000000000313', '00000000-0000-4000-8000-000000000002', 'Mara Manager', 4, interval '93 days'),
    ('00000000-0000-4000-8000-000000000313', '00000000-0000-4000-8000-000000000003', 'Sam Worker', 4, interval '90 days')
  ) w (version_id, user_id, name, sections, ago)
  join policy_versions v on v.id = w.version_id;

-- They have worked here for months: what is counted begins when they were first asked.
select rates.backfill_history('00000000-0000-4000-8000-0000000000a1');
