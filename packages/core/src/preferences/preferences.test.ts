import * as fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '@cairn/sync/store.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { changePreferences } from './change-preferences.ts';
import {
  dashboardConfig,
  defaultPreferences,
  languageChange,
  notificationSettings,
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

  test('the first save keeps the language that is spoken, with its dates; later ones do not', async () => {
    const saved = (change: PreferenceChange, language: string) =>
      store.write('save', tx => changePreferences(tx, { userId, change, language }));
    await saved({ theme_mode: 'dark' }, 'de');
    expect(await stored()).toMatchObject({ language: 'de', date_format: 'dd.MM.yyyy', time_format: '24h' });
    await saved({ theme_mode: 'light' }, 'en');
    expect(await stored()).toMatchObject({ language: 'de', theme_mode: 'light' });
  });

  test('R3.22 the first save of the theme writes the defaults beside it', async () => {
    await save({ theme_mode: 'dark' });
    expect(await stored()).toMatchObject({
      theme_mode: 'dark',
      primary_color: 'blue',
      language: 'en',
      notification_time: '09:00',
      wellness_coach_avatar: 'friendly-professional',
    });
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
    expect(languageChange({ ...fresh, time_format: '24h' }, 'de')).toEqual({ language: 'de' });
  });
});
