import * as fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '@cairn/sync/store.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { changePreferences } from './change-preferences.ts';
import {
  dashboardConfig,
  defaultPreferences,
  languageChange,
  localeOf,
  notificationSettings,
  shownPreferences,
  type PreferenceChange,
} from './preferences.ts';
import { storedPreferences } from './queries.ts';

const userId = '00000000-0000-4000-8000-000000000001';
const fresh = defaultPreferences(userId);

describe('the default preferences', () => {
  test('R3.23 e-mail on, text off, at 09:00', () => {
    expect(fresh).toMatchObject({ email_notifications: true, text_notifications: false, notification_time: '09:00' });
  });

  test('R3.24 blue, medium font, no high contrast, motion as it is, sidebar open, theme of the device', () => {
    expect(fresh).toMatchObject({
      primary_color: 'blue',
      font_size: 'medium',
      high_contrast: false,
      reduce_motion: false,
      sidebar_collapsed: false,
      theme_mode: 'system',
    });
  });

  test('R3.25 English, UTC, MM/dd/yyyy, a clock of twelve hours', () => {
    expect(fresh).toMatchObject({ language: 'en', timezone: 'UTC', date_format: 'MM/dd/yyyy', time_format: '12h' });
  });

  test('R3.26 activity shown, profile public, quiet hours off, from 22:00 to 08:00', () => {
    expect(fresh).toMatchObject({
      show_activity_status: true,
      profile_visibility: 'public',
      quiet_hours_enabled: false,
      quiet_hours_start: '22:00',
      quiet_hours_end: '08:00',
    });
  });

  test('R3.27 the coach is friendly-professional, the playbook a company one', () => {
    expect(fresh).toMatchObject({
      wellness_coach_avatar: 'friendly-professional',
      preferred_playbook_type: 'company',
      custom_avatar_url: null,
    });
  });

  test('the dashboard opens with today and every message is wanted', () => {
    expect(fresh.dashboard_layout).toBe('default');
    expect(dashboardConfig(fresh)).toEqual({
      show_wellness_widgets: true,
      show_compliance_overview: true,
      default_view: 'today',
    });
    expect(notificationSettings(fresh)).toEqual({
      email_enabled: true,
      push_enabled: true,
      wellness_reminders: true,
      task_deadlines: true,
    });
  });
});

test('whatever stands in the two lists of settings, what is read of them has the given fields and types', () => {
  fc.assert(
    fc.property(fc.jsonValue(), stored => {
      const dashboard = dashboardConfig({ dashboard_config: stored as never });
      expect(Object.values(dashboard).map(value => typeof value)).toEqual(['boolean', 'boolean', 'string']);
      const wanted = notificationSettings({ notification_settings: stored as never });
      expect(Object.values(wanted).every(value => typeof value === 'boolean')).toBe(true);
    }),
  );
});

describe('saving', () => {
  let store: Store;
  beforeEach(() => {
    store = memoryStore({}, userId);
  });
  const save = (change: PreferenceChange) => store.write('save', tx => changePreferences(tx, { userId, change }));
  const stored = () => store.read(storedPreferences(userId));

  test('nobody who never saved has a row', async () => {
    expect(await stored()).toBeNull();
  });

  const german = localeOf('de', 'de-DE');
  const inGerman = (change: PreferenceChange) =>
    store.write('save', tx => changePreferences(tx, { userId, change, locale: german }));
  const shown = async () => shownPreferences((await stored()) ?? fresh, german);

  test('R3.22 R3.25 the first save of the theme stores the defaults, English ones, and a German browser goes on in German', async () => {
    await inGerman({ theme_mode: 'dark' });
    expect(await stored()).toMatchObject({
      theme_mode: 'dark',
      primary_color: 'blue',
      language: 'en',
      timezone: 'UTC',
      date_format: 'MM/dd/yyyy',
      time_format: '12h',
      notification_time: '09:00',
      wellness_coach_avatar: 'friendly-professional',
    });
    expect(await shown()).toMatchObject({ theme_mode: 'dark', ...german });
  });

  test('the first choice of a zone or format keeps the rest of what is shown; English chosen in a German browser is English', async () => {
    await inGerman({ theme_mode: 'dark' });
    expect(await inGerman({ timezone: 'Europe/Vienna' })).toEqual({ timezone: 'UTC' });
    expect(await stored()).toMatchObject({ ...german, timezone: 'Europe/Vienna', locale_chosen: true });
    const undo = await inGerman({ language: 'en' });
    expect(await shown()).toMatchObject({ language: 'en', date_format: 'dd.MM.yyyy' });
    await inGerman(undo);
    expect(await shown()).toMatchObject(german);
  });

  test('a choice undone goes back to what was shown, not to the stored default', async () => {
    await inGerman({ theme_mode: 'dark' });
    expect(await inGerman({ language: 'en' })).toEqual({ language: 'de' });
  });

  test('a second save changes only its own field, and what it answers undoes it', async () => {
    await save({ theme_mode: 'dark', language: 'de' });
    const undo = await save({ theme_mode: 'light' });
    expect(await stored()).toMatchObject({ theme_mode: 'light', language: 'de' });
    expect(undo).toEqual({ theme_mode: 'dark' });
    await save(undo);
    expect(await stored()).toMatchObject({ theme_mode: 'dark', language: 'de' });
  });

  test('the undo of a first save is the default', async () => {
    expect(await save({ font_size: 'large' })).toEqual({ font_size: 'medium' });
  });
});

describe('another language', () => {
  test('brings its usual dates and times while they stand as usual', () => {
    expect(languageChange(fresh, 'de')).toEqual({ language: 'de', date_format: 'dd.MM.yyyy', time_format: '24h' });
  });

  test('leaves dates and times that were chosen', () => {
    expect(languageChange({ ...fresh, time_format: '24h', locale_chosen: true }, 'de')).toEqual({ language: 'de' });
  });
});

test.each([
  ['en-US', 'MM/dd/yyyy', '12h'],
  ['en-GB', 'dd/MM/yyyy', '24h'],
  ['de-AT', 'dd.MM.yyyy', '24h'],
  ['sv-SE', 'yyyy-MM-dd', '24h'],
  ['en-CA', 'yyyy-MM-dd', '12h'],
])('where nobody chose, a browser of %s has %s and %s', (tag, date_format, time_format) => {
  expect(localeOf('en', tag)).toEqual({ language: 'en', date_format, time_format });
});
