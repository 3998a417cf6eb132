import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { appStateFrom, FRESH_APP_STATE, NOTIFICATIONS_KEPT } from './app-state.ts';
import {
  withCompletion,
  withEngagement,
  withError,
  withFeatureUse,
  withLoading,
  withNotifications,
  withPageView,
  withProgress,
  withSettings,
} from './changes.ts';

const notice = (id: string, timestamp = '2026-11-21T08:00:00.000Z') => ({
  id,
  timestamp,
  read: false,
  module: 'field',
});

describe('app state', () => {
  test('R9.10 a fresh state saves by itself', () => {
    expect(appStateFrom(null).systemSettings.autoSave).toBe(true);
  });

  test('R3.28 progress is kept by person, loading flags and errors by key', () => {
    let state = withProgress('sam', 'welcome', ['type', 'areas'])(FRESH_APP_STATE);
    state = withProgress('mara', 'welcome', ['type'])(state);
    state = withProgress('sam', 'tips', true)(state);
    state = withLoading('playbooks', true)(state);
    state = withError('playbooks', 'NETWORK_ERROR')(state);
    expect(state.userProgress).toEqual({
      sam: { welcome: ['type', 'areas'], tips: true },
      mara: { welcome: ['type'] },
    });
    expect(state.loading).toEqual({ playbooks: true });
    expect(state.errors).toEqual({ playbooks: 'NETWORK_ERROR' });
    expect(withError('playbooks', null)(state).errors).toEqual({});
  });

  test('the newest notifications are kept, as their module lists them now; the oldest go', () => {
    const all = Array.from({ length: NOTIFICATIONS_KEPT + 1 }, (_, n) =>
      notice(`n${n}`, new Date(n * 60_000).toISOString()),
    );
    const { notifications } = withNotifications(all)(FRESH_APP_STATE);
    expect([notifications.length, notifications[0]?.id]).toEqual([NOTIFICATIONS_KEPT, `n${NOTIFICATIONS_KEPT}`]);
    expect(notifications.some(({ id }) => id === 'n0')).toBe(false);
    expect(withNotifications([])({ ...FRESH_APP_STATE, notifications }).notifications).toEqual([]);
  });

  test('R3.30 page views, engagement, feature usage and completion rates are totalled', () => {
    const changes = [
      withPageView('/tasks'),
      withPageView('/tasks'),
      withEngagement('seconds', 30),
      withEngagement('seconds', 12),
      withFeatureUse('palette'),
      withCompletion('inspection', 'begun'),
      withCompletion('inspection', 'begun'),
      withCompletion('inspection', 'done'),
    ];
    expect(changes.reduce((state, change) => change(state), FRESH_APP_STATE).analytics).toEqual({
      pageViews: { '/tasks': 2 },
      userEngagement: { seconds: 42 },
      featureUsage: { palette: 1 },
      completionRates: { inspection: { begun: 2, done: 1 } },
    });
  });

  test('R3.31 theme, channels, autoSave and language are read and changed one by one', () => {
    const settings = withSettings({ theme: 'dark' })(FRESH_APP_STATE).systemSettings;
    expect(settings).toEqual({ ...FRESH_APP_STATE.systemSettings, theme: 'dark' });
    const channels = { email: false, push: true, inApp: false };
    expect(withSettings({ notifications: channels })(FRESH_APP_STATE).systemSettings.notifications).toEqual(channels);
    expect(withSettings({ autoSave: false, language: 'de' })(FRESH_APP_STATE).systemSettings).toMatchObject({
      autoSave: false,
      language: 'de',
    });
  });

  test('whatever was kept, what comes out is a state, and a state comes out as itself', () => {
    fc.assert(
      fc.property(fc.jsonValue(), kept => {
        const state = appStateFrom(kept);
        expect(appStateFrom(JSON.parse(JSON.stringify(state)))).toEqual(state);
        expect(Object.keys(state)).toEqual(Object.keys(FRESH_APP_STATE));
      }),
    );
  });

  test('a spoilt part starts clean and leaves the others', () => {
    const kept = {
      userProgress: { sam: { welcome: ['a'] }, mara: 7 },
      notifications: [notice('n1'), { id: 3 }],
      analytics: { pageViews: { '/tasks': 2, '/x': -1 }, completionRates: { a: { begun: 1 } } },
      systemSettings: { theme: 'pink', autoSave: 'yes', language: 'de' },
    };
    expect(appStateFrom(kept)).toEqual({
      ...FRESH_APP_STATE,
      userProgress: { sam: { welcome: ['a'] } },
      notifications: [notice('n1')],
      analytics: { ...FRESH_APP_STATE.analytics, pageViews: { '/tasks': 2 } },
      systemSettings: { ...FRESH_APP_STATE.systemSettings, language: 'de' },
    });
  });
});
