// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { withLoading, withNotifications, withPageView, withProgress } from '@cairn/core/app-state/changes.ts';
import { AppStateStore } from './app-state-store.ts';
import { changeSystemSettings, readAppState } from './app-state.ts';

const KEY = 'cairn.appState';
const kept = () => JSON.parse(localStorage.getItem(KEY) ?? 'null') as Record<string, unknown>;
const look = {};

beforeEach(() => localStorage.clear());
afterEach(() => {
  document.documentElement.lang = '';
});

describe('what the first paint reads', () => {
  test('starts with the theme of the device and the company world', () => {
    expect(readAppState().systemSettings).toEqual({ theme: 'system', world: 'company', language: 'en', look });
  });

  test('speaks what the page speaks until a language is chosen', () => {
    document.documentElement.lang = 'de';
    expect(readAppState().systemSettings.language).toBe('de');
    changeSystemSettings({ language: 'en' });
    expect(readAppState().systemSettings.language).toBe('en');
  });

  test('keeps one choice when another changes', () => {
    changeSystemSettings({ theme: 'dark' });
    changeSystemSettings({ world: 'personal' });
    expect(readAppState().systemSettings).toEqual({ theme: 'dark', world: 'personal', language: 'en', look });
  });

  test.each(['{', 'null', '[]', '"x"'])('an unreadable state (%s) falls back to the defaults', text => {
    localStorage.setItem(KEY, text);
    expect(readAppState().systemSettings.theme).toBe('system');
  });
});

describe('the app state', () => {
  test('R9.09 lies in local storage under its key, and is there after a restart', () => {
    const store = new AppStateStore();
    store.change(withPageView('/tasks'));
    store.change(withProgress('sam', 'welcome', ['type']));
    expect(kept()).toMatchObject({ analytics: { pageViews: { '/tasks': 1 } } });
    const later = new AppStateStore().snapshot();
    expect(later.analytics.pageViews).toEqual({ '/tasks': 1 });
    expect(later.userProgress).toEqual({ sam: { welcome: ['type'] } });
  });

  test('R9.10 saves by itself until that is switched off; then only on request', () => {
    const store = new AppStateStore();
    store.changeSettings({ autoSave: false });
    store.change(withPageView('/tasks'));
    expect(new AppStateStore().snapshot().analytics.pageViews).toEqual({});
    expect(new AppStateStore().snapshot().systemSettings.autoSave).toBe(false);
    store.save();
    expect(new AppStateStore().snapshot().analytics.pageViews).toEqual({ '/tasks': 1 });
  });

  test('loading flags and errors do not outlive a restart', () => {
    new AppStateStore().change(withLoading('playbooks', true));
    expect(kept()).not.toHaveProperty('loading');
    expect(new AppStateStore().snapshot().loading).toEqual({});
  });

  test('the look and the rest never overwrite each other', () => {
    const store = new AppStateStore();
    const notice = { id: 'n', timestamp: '2026-11-21T08:00:00Z', read: false, module: 'field' };
    store.change(withNotifications([notice]));
    changeSystemSettings({ theme: 'dark', world: 'personal' });
    expect(store.snapshot().systemSettings.theme).toBe('dark');
    store.change(withPageView('/tasks'));
    store.changeSettings({ language: 'de', notifications: { email: false, push: true, inApp: true } });
    expect(readAppState().systemSettings).toEqual({ theme: 'dark', world: 'personal', language: 'de', look: {} });
    expect(store.snapshot()).toMatchObject({
      notifications: [notice],
      systemSettings: { theme: 'dark', language: 'de', notifications: { email: false } },
    });
  });

  test('a change of another tab is taken over and heard', () => {
    const store = new AppStateStore();
    let heard = 0;
    store.subscribe(() => (heard += 1));
    const other = { ...kept(), analytics: { pageViews: { '/sync': 4 } } };
    localStorage.setItem(KEY, JSON.stringify(other));
    dispatchEvent(new StorageEvent('storage', { key: KEY }));
    expect(store.snapshot().analytics.pageViews).toEqual({ '/sync': 4 });
    expect(heard).toBe(1);
  });

  test.each(['{"analytics":', 'null', '[1]', '{"notifications":{}}'])('a spoilt value (%s) is a clean start', text => {
    localStorage.setItem(KEY, text);
    const store = new AppStateStore();
    expect(store.snapshot().notifications).toEqual([]);
    store.change(withPageView('/tasks'));
    expect(kept()).toMatchObject({ analytics: { pageViews: { '/tasks': 1 } } });
  });
});
