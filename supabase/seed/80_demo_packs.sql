-- Demo: packs that came with the installation, so that the marketplace has something to take over. Words of the project itself.

insert into policy_packs (id, name, summary, publisher, kind, licence, attribution, locale, industry, frameworks, created_at) values
  ('00000000-0000-4000-8000-000000000801', 'Information security to begin with',
   'Four short policies, a check of the workplace and the first tasks for a company that has nothing written yet.',
   'Cairn', 'compliance', 'CC0-1.0', 'Written for Cairn', 'en', 'any', '["SOC 2", "ISO 27001", "NIST SP 800-53"]', now() - interval '40 days'),
  ('00000000-0000-4000-8000-000000000802', 'Working from elsewhere',
   'For people who work at home or on the move: devices, networks, papers, and a desk that does no harm.',
   'Cairn', 'compliance', 'CC0-1.0', 'Written for Cairn', 'en', 'office', '["SOC 2", "ISO 27001"]', now() - interval '30 days'),
  ('00000000-0000-4000-8000-000000000803', 'The first ninety days',
   'How a new colleague settles in and grows: a promise from both sides, a talk every two weeks, and a plan in three steps.',
   'Cairn', 'growth', 'CC0-1.0', 'Written for Cairn', 'en', 'any', '[]', now() - interval '20 days');

insert into pack_versions (id, pack_id, number, state, listed_at, changelog, contents) values
  ('00000000-0000-4000-8000-000000000811', '00000000-0000-4000-8000-000000000801', '1.0.0', 'listed', now() - interval '40 days', '', $pack$
{
  "schema": 1,
  "variables": [
    {"key": "company", "label": "Name of the company", "value": "Northfield Works"},
    {"key": "officer", "label": "Who answers for security", "hint": "A role or a name", "value": "Head of operations"}
  ],
  "policies": [
    {"key": "access", "title": "Access to systems", "code": "SEC-01", "summary": "Who gets in where, and how that ends.", "review_months": 12,
     "body": "## Purpose\n\nPeople at {{company}} reach what their work needs, and nothing else.\n\n## Rules\n\n1. Every person has an account of their own. Nobody shares one.\n2. Access is asked for by the team lead and given by the owner of the system.\n3. Rights of administrators are a second account, used for nothing else.\n4. A second step is on wherever the system has one.\n5. Access ends on the last working day, before the day ends.\n\n## Looking again\n\nTwice a year each owner reads the list of who has access, and strikes what is no longer needed. {{officer}} keeps the lists.\n\n| What | Who | How soon |\n| --- | --- | --- |\n| New person | Team lead asks | Before the first day |\n| Other tasks | Team lead asks | Within a week |\n| Person leaves | Owner removes | Same day |\n"},
    {"key": "passwords", "title": "Passwords and second steps", "code": "SEC-02", "summary": "How people prove who they are.", "review_months": 12,
     "body": "## Rules\n\n- A password is long: fourteen letters or more. It need not be strange.\n- One password, one service. The password manager of {{company}} remembers them.\n- Nobody is ever asked for a password by phone, mail or chat, also not by {{officer}}.\n- Where a second step can be set up, it is.\n\n## When something is wrong\n\nA password that others may know is changed at once, and {{officer}} is told. Nobody is blamed for telling.\n"},
    {"key": "incidents", "title": "When something went wrong", "code": "SEC-03", "summary": "What an incident is, who is told, what happens then.", "review_months": 12,
     "body": "## What counts\n\nA lost device, a mail to the wrong people, a system that does what nobody asked for, a visitor where none should be. When in doubt: tell.\n\n## What to do\n\n1. Stop, and leave things as they are. Switch nothing off.\n2. Tell {{officer}}, at any hour.\n3. Write down what you saw and when.\n\n## What happens then\n\n{{officer}} decides what is done first, keeps the record, and says within a day who outside {{company}} must be told.\n\n## Afterwards\n\nWithin two weeks those who were there talk about what to do better. What comes out of it gets an owner and a date.\n"},
    {"key": "suppliers", "title": "Choosing suppliers", "code": "SEC-04", "summary": "What is asked before others get our information.", "review_months": 24,
     "body": "## Before the contract\n\n- What information do they get, and do they need it?\n- Who else do they hand it to?\n- What happens to it when the contract ends?\n- How do they tell us when something went wrong, and how soon?\n\nThe answers are kept with the contract. {{officer}} agrees where personal or secret information is among it.\n\n## While it lasts\n\nOnce a year the owner of the contract asks again.\n"}
  ],
  "forms": [
    {"key": "workplace", "name": "Round of the workplace", "description": "Ten minutes, once a quarter", "category": "Security",
     "definition": {"format": 1, "title": "Round of the workplace", "items": [
       {"type": "pass_fail", "name": "screens", "label": "Screens are locked where nobody sits", "required": true},
       {"type": "pass_fail", "name": "papers", "label": "No confidential papers lie open", "required": true},
       {"type": "pass_fail", "name": "doors", "label": "Doors to server and archive are locked", "required": true},
       {"type": "pass_fail", "name": "visitors", "label": "Visitors are accompanied", "required": true},
       {"type": "text", "name": "remarks", "label": "What else you saw"}
     ]}}
  ],
  "tasks": [
    {"key": "owners", "title": "Name an owner for every system of {{company}}", "priority": "high", "steps": ["List the systems", "Ask who answers for each", "Write it where everybody finds it"]},
    {"key": "second-step", "title": "Turn the second step on for everybody", "priority": "high", "steps": ["Mail", "Files", "Payroll", "Everything else"]}
  ]
}
$pack$),
  ('00000000-0000-4000-8000-000000000812', '00000000-0000-4000-8000-000000000802', '1.0.0', 'listed', now() - interval '30 days', '', $pack$
{
  "schema": 1,
  "variables": [
    {"key": "company", "label": "Name of the company", "value": "Northfield Works"}
  ],
  "policies": [
    {"key": "elsewhere", "title": "Working from elsewhere", "code": "REM-01", "summary": "At home, on the way, at a customer's.", "review_months": 12,
     "body": "## Purpose\n\nWhat belongs to {{company}} stays with {{company}}, wherever people work.\n\n## Devices\n\n1. Work is done on devices of {{company}}.\n2. A device is locked whenever nobody looks at it, at home too.\n3. A device that is lost is reported within the hour.\n\n## Networks\n\nOne's own network, or the phone's. Open networks only through the tunnel of {{company}}.\n\n## Papers\n\nPapers come back to the office. Nothing confidential goes into the bin at home.\n\n## Hours\n\nWorking elsewhere is no reason to be reachable always. Breaks and rest are the same as on site.\n"},
    {"key": "desk", "title": "A desk that does no harm", "code": "REM-02", "summary": "What a workplace at home needs.", "review_months": 24,
     "body": "## What it needs\n\n- A table and a chair that can be set to one's height.\n- Light from the side; no lamp in the screen.\n- A screen at eye level, a keyboard apart from it.\n\n## What {{company}} does\n\n{{company}} lends what is missing. Who has pain says so early; nobody has to prove it.\n"}
  ],
  "forms": [
    {"key": "desk-check", "name": "Desk at home", "description": "Filled in by oneself, once a year", "category": "Health",
     "definition": {"format": 1, "title": "Desk at home", "items": [
       {"type": "pass_fail", "name": "chair", "label": "My chair can be set to my height", "required": true},
       {"type": "pass_fail", "name": "screen", "label": "The top of my screen is at eye level", "required": true},
       {"type": "pass_fail", "name": "light", "label": "No lamp or window is mirrored in my screen", "required": true},
       {"type": "text", "name": "missing", "label": "What I am missing"}
     ]}}
  ],
  "tasks": []
}
$pack$),
  ('00000000-0000-4000-8000-000000000813', '00000000-0000-4000-8000-000000000803', '1.0.0', 'listed', now() - interval '20 days', '', $pack$
{
  "schema": 1,
  "variables": [
    {"key": "company", "label": "Name of the company", "value": "Northfield Works"},
    {"key": "partner", "label": "Who goes along with new people", "hint": "A role, such as buddy or mentor", "value": "buddy"}
  ],
  "policies": [
    {"key": "promise", "title": "What we promise new colleagues", "code": "GRO-01", "summary": "What {{company}} gives in the first ninety days, and what it asks.", "classification": "public", "review_months": 12,
     "body": "## What we give\n\n- A {{partner}} from the first day on, with time set aside for it.\n- One goal for thirty days, one for sixty, one for ninety; small enough to reach.\n- A talk every second week. It belongs to the new person: they say what it is about.\n\n## What we ask\n\n- Ask early, and more than once.\n- Say what would have helped you. The next one begins with it.\n\n## What stays private\n\nNotes of the talks are kept by the two who talked. {{company}} hears what both agree to pass on.\n"}
  ],
  "forms": [
    {"key": "talk", "name": "Talk of the second week", "description": "Fifteen minutes, together", "category": "Growth",
     "definition": {"format": 1, "title": "Talk of the second week", "items": [
       {"type": "text", "name": "well", "label": "What went well", "required": true},
       {"type": "text", "name": "stuck", "label": "Where you are stuck"},
       {"type": "text", "name": "next", "label": "One thing until the next talk", "required": true}
     ]}}
  ],
  "tasks": [
    {"key": "thirty", "title": "Thirty days: know people and places", "steps": ["Meet everybody you work with", "Walk through the site with your {{partner}}", "Write down ten questions"]},
    {"key": "sixty", "title": "Sixty days: do one thing alone", "steps": ["Choose it with your {{partner}}", "Do it", "Show it"]},
    {"key": "ninety", "title": "Ninety days: leave something better", "steps": ["Choose what bothers you", "Change it", "Tell the next one"]}
  ]
}
$pack$);
