-- Demo: the forklift check with its 12 questions, and what stands on the two sites.

insert into assets (id, organization_id, site_id, name, category, code, location, status)
  select ('00000000-0000-4000-8000-0000000000e' || n)::uuid, '00000000-0000-4000-8000-0000000000a1', site::uuid, name, category, code, location, status
  from (values
    ('1', '00000000-0000-4000-8000-0000000000b1', 'Forklift 1', 'forklift', 'NW-FL-001', 'Loading dock', 'operational'),
    ('2', '00000000-0000-4000-8000-0000000000b1', 'Forklift 2', 'forklift', 'NW-FL-002', 'Bay 4', 'operational'),
    ('3', '00000000-0000-4000-8000-0000000000b1', 'Forklift 3', 'forklift', 'NW-FL-003', 'Bay 2', 'operational'),
    ('4', '00000000-0000-4000-8000-0000000000b2', 'Forklift 4', 'forklift', 'NW-FL-004', 'Cold store', 'standby'),
    ('5', '00000000-0000-4000-8000-0000000000b1', 'Pallet jack', 'pallet jack', 'NW-PJ-001', 'Bay 2', 'operational'),
    ('6', '00000000-0000-4000-8000-0000000000b1', 'Conveyor 2', 'conveyor', 'NW-CV-002', 'Packing line', 'operational'),
    ('7', '00000000-0000-4000-8000-0000000000b2', 'Shrink wrapper', 'packing machine', 'NW-SW-001', 'Packing hall', 'operational'),
    ('8', '00000000-0000-4000-8000-0000000000b2', 'Dock leveller 1', 'dock leveller', 'NW-DL-001', 'Gate 1', 'down'),
    ('9', '00000000-0000-4000-8000-0000000000b1', 'Eyewash station', 'safety', 'NW-EW-001', 'Battery room', 'operational')
  ) as a (n, site, name, category, code, location, status);

-- Where those at Site North stand: some tens of metres apart. The cold store's are not measured yet.
update assets set latitude = 53.5511 + n * 0.0003, longitude = 9.9937 + n * 0.0004
  from unnest(array['NW-FL-001', 'NW-FL-002', 'NW-FL-003', 'NW-PJ-001', 'NW-CV-002']) with ordinality as p (code_of, n)
  where code = code_of;

insert into forms (id, organization_id, playbook_id, name, description, category, asset_category, minutes, state, current_version_id, created_by) values
  ('00000000-0000-4000-8000-0000000000d1', '00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-0000000000c1',
   'Forklift pre-use check', 'Before the first lift of every shift', 'Vehicles', 'forklift', 4, 'published',
   '00000000-0000-4000-8000-0000000000d2', '00000000-0000-4000-8000-000000000002');

insert into form_versions (id, organization_id, form_id, number, source, created_by, definition) values
  ('00000000-0000-4000-8000-0000000000d2', '00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-0000000000d1', 1, 'seed',
   '00000000-0000-4000-8000-000000000002', $form$
{
  "format": 1,
  "title": "Forklift pre-use check",
  "items": [
    {
      "type": "group",
      "name": "start",
      "label": "Before you start",
      "items": [
        {
          "type": "integer",
          "name": "hour_meter",
          "label": "Hour meter",
          "hint": "Whole hours, as shown on the dashboard",
          "required": true,
          "constraint": ". >= 0",
          "constraint_message": "The hour meter cannot be below 0"
        },
        {
          "type": "pass_fail",
          "name": "leaks",
          "label": "No oil, fuel or battery acid under the truck",
          "required": true,
          "on_fail": {
            "action": true,
            "title": "Leak under the truck",
            "photo": "optional",
            "note": "optional",
            "priority": "high",
            "due_in_days": 2
          }
        },
        {
          "type": "pass_fail",
          "name": "tyres",
          "label": "Tyres and wheel nuts in good order",
          "hint": "No cuts, no missing nuts, air pressure right",
          "required": true,
          "on_fail": {
            "action": true,
            "title": "Tyres or wheel nuts damaged",
            "photo": "optional",
            "note": "optional",
            "priority": "medium",
            "due_in_days": 5
          }
        }
      ]
    },
    {
      "type": "group",
      "name": "brakes",
      "label": "Brakes and steering",
      "items": [
        {
          "type": "pass_fail",
          "name": "service",
          "label": "Service brake stops the truck",
          "required": true,
          "scoring": {
            "critical": true
          },
          "on_fail": {
            "action": true,
            "title": "Service brake does not hold",
            "photo": "optional",
            "note": "optional",
            "priority": "critical",
            "due_in_days": 0
          }
        },
        {
          "type": "pass_fail",
          "name": "parking",
          "label": "Parking brake holds on the slope",
          "required": true,
          "scoring": {
            "critical": true
          },
          "on_fail": {
            "action": true,
            "title": "Parking brake does not hold",
            "photo": "required",
            "note": "optional",
            "priority": "high",
            "due_in_days": 1
          }
        },
        {
          "type": "pass_fail",
          "name": "steering",
          "label": "Steering without play",
          "required": true,
          "on_fail": {
            "action": true,
            "title": "Play in the steering",
            "photo": "optional",
            "note": "optional",
            "priority": "high",
            "due_in_days": 2
          }
        }
      ]
    },
    {
      "type": "group",
      "name": "mast",
      "label": "Forks and mast",
      "items": [
        {
          "type": "pass_fail",
          "name": "forks",
          "label": "Forks straight, locks in place",
          "hint": "No cracks at the heel",
          "required": true,
          "scoring": {
            "critical": true
          },
          "on_fail": {
            "action": true,
            "title": "Forks bent or cracked",
            "photo": "optional",
            "note": "optional",
            "priority": "high",
            "due_in_days": 1
          }
        },
        {
          "type": "pass_fail",
          "name": "chains",
          "label": "Mast and chains move evenly",
          "required": true,
          "on_fail": {
            "action": true,
            "title": "Mast or chains uneven",
            "photo": "optional",
            "note": "optional",
            "priority": "medium",
            "due_in_days": 5
          }
        }
      ]
    },
    {
      "type": "group",
      "name": "safety",
      "label": "Safety gear",
      "items": [
        {
          "type": "pass_fail",
          "name": "horn_lights",
          "label": "Horn, lights and reversing alarm work",
          "required": true,
          "on_fail": {
            "action": true,
            "title": "Horn, light or alarm out of order",
            "photo": "optional",
            "note": "optional",
            "priority": "medium",
            "due_in_days": 3
          }
        },
        {
          "type": "pass_fail",
          "name": "seat_belt",
          "label": "Seat belt locks and releases",
          "required": true,
          "allow_na": true,
          "on_fail": {
            "action": true,
            "title": "Seat belt damaged",
            "photo": "optional",
            "note": "optional",
            "priority": "high",
            "due_in_days": 2
          }
        }
      ]
    },
    {
      "type": "group",
      "name": "finish",
      "label": "Finish",
      "items": [
        {
          "type": "text",
          "name": "remarks",
          "label": "Anything else to report?",
          "appearance": "multiline"
        },
        {
          "type": "signature",
          "name": "signature",
          "label": "Your signature",
          "required": true
        }
      ]
    }
  ]
}
$form$);
