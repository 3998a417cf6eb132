import { useEffect } from 'react';
import { withNotifications } from '@cairn/core/app-state/changes.ts';
import { asAppNotification, inbox } from '@cairn/core/notifications/queries.ts';
import { notificationSettings } from '@cairn/core/preferences/preferences.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { appState } from '../../shared/app-state/app-state-store.ts';
import { usePreferences } from '../../shared/session/preferences.ts';
import { useSignedIn } from '../../shared/session/session.ts';
import { mirrorDownload } from './mirror-download.ts';

const everything = inbox();

/**
 * Keeps the app state true to what the device knows: the person's notifications and channels, whether the first download
 * runs and what keeps work from arriving. Shows nothing.
 */
export function AppStateMirror() {
  useNotifications();
  useChannels();
  useDownload();
  return null;
}

function useNotifications(): void {
  const told = useLive(everything);
  const rows = told.status === 'ready' ? told.answer.rows : null;
  useEffect(() => {
    if (rows) appState.change(withNotifications(rows.map(asAppNotification)));
  }, [rows]);
}

function useChannels(): void {
  const { preferences, status } = usePreferences();
  const { email_enabled: email, push_enabled: push } = notificationSettings(preferences);
  const isKnown = status !== 'loading';
  useEffect(() => {
    if (!isKnown) return;
    appState.changeSettings({ notifications: { ...appState.snapshot().systemSettings.notifications, email, push } });
  }, [email, push, isKnown]);
}

function useDownload(): void {
  const { engine } = useSignedIn();
  useEffect(() => mirrorDownload(engine), [engine]);
}
