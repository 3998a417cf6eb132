-- Demo: the people of the company have been here before. Pia (person@) and every new account meet the first run.

insert into user_preferences (user_id) values
  ('00000000-0000-4000-8000-000000000001'),
  ('00000000-0000-4000-8000-000000000002'),
  ('00000000-0000-4000-8000-000000000003');
