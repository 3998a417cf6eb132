import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { testDevice } from './device.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

setUpWorld();

const preferencesOf = async (person: string) =>
  (await db.as(person, 'select * from user_preferences where user_id = $1', [person]))[0];

/** One field of each requirement row, with a value that is not its default. */
const chosen = {
  // R3.15
  theme_mode: 'dark',
  primary_color: 'teal',
  font_size: 'extra-large',
  high_contrast: true,
  reduce_motion: true,
  sidebar_collapsed: true,
  // R3.16
  email_notifications: false,
  text_notifications: true,
  notification_time: '07:30',
  quiet_hours_enabled: true,
  quiet_hours_start: '21:00',
  quiet_hours_end: '06:15',
  // R3.17
  language: 'de',
  timezone: 'Europe/Berlin',
  date_format: 'dd.MM.yyyy',
  time_format: '24h',
  // R3.18
  show_activity_status: false,
  profile_visibility: 'members',
  // R3.19
  dashboard_layout: '["today","tiles"]',
  dashboard_config: { show_wellness_widgets: false, show_compliance_overview: false, default_view: 'week' },
  // R3.20
  wellness_coach_avatar: 'wise-guide',
  custom_avatar_url: `media:${randomUUID()}`,
  preferred_playbook_type: 'personal',
  // R3.21
  notification_settings: {
    email_enabled: false,
    push_enabled: false,
    wellness_reminders: false,
    task_deadlines: false,
  },
  // product
  files_on_mobile_data: false,
  storage_limit_mb: 250,
  week_start: 'monday',
  strip_photo_location: false,
  photo_size: 'small',
  auto_advance: false,
};

test('R3.15 R3.16 R3.17 R3.18 R3.19 R3.20 R3.21 every preference set on a device is stored and read back as it is', async () => {
  const device = testDevice(db, world.colleague);
  const [result] = await device.push({
    t: 'user_preferences',
    id: world.colleague,
    op: 'insert',
    patch: { user_id: world.colleague, ...chosen },
  });
  expect(result).toMatchObject({ st: 'applied' });
  expect(await preferencesOf(world.colleague)).toMatchObject(chosen);
});

test('emails speak the language the app was set to, from the first save and after each change', async () => {
  const person = await db.person('letters@a.test');
  const localeOf = async () =>
    (await db.asAdmin(`select raw_user_meta_data ->> 'locale' as locale from auth.users where id = $1`, [person]))[0];
  expect(await localeOf()).toEqual({ locale: null });
  const id = person;
  const device = testDevice(db, person);
  const first = { user_id: person, language: 'de' };
  expect(await device.push({ t: 'user_preferences', op: 'insert', id, patch: first })).toMatchObject([
    { st: 'applied' },
  ]);
  expect(await localeOf()).toEqual({ locale: 'de' });
  const change = { patch: { language: 'en' }, base: { language: 'de' }, bv: 1 };
  expect(await device.push({ t: 'user_preferences', op: 'update', id, ...change })).toMatchObject([{ st: 'applied' }]);
  expect(await localeOf()).toEqual({ locale: 'en' });
});

test('R3.22 R3.23 R3.24 R3.25 R3.26 R3.27 a theme saved on a fresh account writes the defaults beside it', async () => {
  const device = testDevice(db, world.manager);
  await device.push({
    t: 'user_preferences',
    id: world.manager,
    op: 'insert',
    patch: { user_id: world.manager, theme_mode: 'dark' },
  });
  expect(await preferencesOf(world.manager)).toMatchObject({
    theme_mode: 'dark',
    email_notifications: true,
    text_notifications: false,
    notification_time: '09:00',
    primary_color: 'blue',
    language: 'en',
    timezone: 'UTC',
    date_format: 'MM/dd/yyyy',
    time_format: '12h',
    font_size: 'medium',
    high_contrast: false,
    reduce_motion: false,
    sidebar_collapsed: false,
    show_activity_status: true,
    profile_visibility: 'public',
    quiet_hours_enabled: false,
    quiet_hours_start: '22:00',
    quiet_hours_end: '08:00',
    wellness_coach_avatar: 'friendly-professional',
    preferred_playbook_type: 'company',
    dashboard_layout: 'default',
    dashboard_config: { show_wellness_widgets: true, show_compliance_overview: true, default_view: 'today' },
    notification_settings: { email_enabled: true, push_enabled: true, wellness_reminders: true, task_deadlines: true },
    custom_avatar_url: null,
    week_start: 'auto',
    storage_limit_mb: null,
    locale_chosen: false,
  });
});

test('R3.22 a locale counts as chosen once somebody stores another one, whatever their client knows, or says so; not for a theme', async () => {
  const person = await db.person('locale@a.test');
  await db.asAdmin(`update auth.users set raw_user_meta_data = '{"locale": "de"}' where id = $1`, [person]);
  const facts = async () => {
    const [row] = await db.asAdmin(
      `select p.locale_chosen, u.raw_user_meta_data ->> 'locale' as emails, inbox.language(u.id) as written, (inbox.settings(u.id)).language as told
       from auth.users u left join user_preferences p on p.user_id = u.id where u.id = $1`,
      [person],
    );
    return row;
  };
  const german = { emails: 'de', written: 'de', told: 'de' };
  expect(await facts()).toEqual({ locale_chosen: null, ...german });
  await db.as(person, `insert into user_preferences (user_id, theme_mode) values ($1, 'dark')`, [person]);
  expect(await facts()).toEqual({ locale_chosen: false, ...german });
  await db.as(person, `update user_preferences set locale_chosen = true where user_id = $1`, [person]);
  expect(await facts()).toEqual({ locale_chosen: true, emails: 'en', written: 'en', told: 'en' });
  await db.as(person, `update user_preferences set locale_chosen = false where user_id = $1`, [person]);
  expect(await facts()).toMatchObject({ locale_chosen: true });
  for (const [column, value] of Object.entries({
    language: 'de',
    timezone: 'Asia/Tokyo',
    date_format: 'yyyy-MM-dd',
    time_format: '24h',
  })) {
    await db.asAdmin(`delete from user_preferences where user_id = $1`, [person]);
    await db.as(person, `insert into user_preferences (user_id, ${column}) values ($1, $2)`, [person, value]);
    expect([column, await facts()]).toMatchObject([column, { locale_chosen: true }]);
  }
});

test('two devices that never met choose different things, and both are kept', async () => {
  const phone = testDevice(db, world.admin);
  const desktop = testDevice(db, world.admin);
  const first = { t: 'user_preferences', id: world.admin, op: 'insert' } as const;
  const results = [
    ...(await phone.push({
      ...first,
      patch: { user_id: world.admin, theme_mode: 'dark' },
      base: { theme_mode: 'system' },
    })),
    ...(await desktop.push({ ...first, patch: { user_id: world.admin, language: 'de' }, base: { language: 'en' } })),
  ];
  expect(results.map(result => result.st)).not.toContain('conflict');
  expect(await preferencesOf(world.admin)).toMatchObject({ theme_mode: 'dark', language: 'de' });
});

describe('what no screen can show is not stored', () => {
  test.each([
    { notification_time: '24:00' },
    { quiet_hours_start: '9:00' },
    { font_size: 'huge' },
    { primary_color: 'url(evil)' },
    { date_format: 'dd-MM' },
    { language: 'english' },
    { timezone: "UTC'; drop" },
    { storage_limit_mb: 1 },
    { week_start: 'friday' },
    { theme_mode: 'sepia' },
    { profile_visibility: 'everyone' },
    { dashboard_config: [] },
  ])('%j', async fields => {
    const [column = '', value] = Object.entries(fields)[0] ?? [];
    const given = typeof value === 'object' ? JSON.stringify(value) : value;
    const attempt = db.as(
      world.worker,
      `update user_preferences set ${column} = (jsonb_populate_record(null::user_preferences, $2)).${column} where user_id = $1`,
      [world.worker, { [column]: typeof value === 'object' ? value : given }],
    );
    await expect(attempt).rejects.toMatchObject({ code: '23514' });
  });
});

test('R7.23 preferences are selected, inserted, updated and upserted by their person, and one row stays', async () => {
  const me = world.auditor;
  await db.as(me, 'insert into user_preferences (user_id) values ($1)', [me]);
  await db.as(me, `update user_preferences set language = 'de' where user_id = $1`, [me]);
  await db.as(
    me,
    `insert into user_preferences (user_id, theme_mode) values ($1, 'light')
     on conflict (user_id) do update set theme_mode = excluded.theme_mode`,
    [me],
  );
  expect(await db.as(me, 'select language, theme_mode from user_preferences')).toEqual([
    { language: 'de', theme_mode: 'light' },
  ]);
  expect(await db.as(world.stranger, 'select 1 from user_preferences')).toEqual([]);
});
