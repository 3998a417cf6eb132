// @vitest-environment jsdom
import { beforeEach, describe, expect, test } from 'vitest';
import { changeSystemSettings, readAppState } from './app-state.ts';

const look = {};

describe('app state', () => {
  beforeEach(() => localStorage.clear());

  test('starts with the theme of the device and the company world', () => {
    expect(readAppState().systemSettings).toEqual({ theme: 'system', world: 'company', language: 'en', look });
  });

  test('keeps one choice when another changes', () => {
    changeSystemSettings({ theme: 'dark' });
    changeSystemSettings({ world: 'personal' });
    expect(readAppState().systemSettings).toEqual({ theme: 'dark', world: 'personal', language: 'en', look });
  });

  test.each(['{', 'null', '[]', '"x"'])('an unreadable state (%s) falls back to the defaults', text => {
    localStorage.setItem('cairn.appState', text);
    expect(readAppState().systemSettings.theme).toBe('system');
  });
});
