import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { notificationSettings, type NotificationSettings } from '@cairn/core/preferences/preferences.ts';
import { Input } from '@cairn/ui/controls/field.tsx';
import { appState, useAppState } from '../../shared/app-state/app-state-store.ts';
import { Section, Setting, SwitchSetting } from './setting.tsx';
import { useSettings } from './settings-context.ts';

const WANTED = [
  { key: 'push_enabled', label: 'messages.push' },
  { key: 'email_enabled', label: 'messages.mailOn' },
  { key: 'task_deadlines', label: 'messages.deadlines' },
  { key: 'wellness_reminders', label: 'messages.wellness' },
] as const satisfies readonly { key: keyof NotificationSettings; label: string }[];

type Props = {
  /** Beside the messages: which kind comes by which way. */
  channels?: ReactNode;
  /** What only the server can offer: text messages. */
  texts?: ReactNode;
};

export function MessagesSection({ channels, texts }: Props) {
  const { t } = useTranslation('settings');
  const { preferences, save } = useSettings();
  const wanted = notificationSettings(preferences);
  return (
    <Section title={t('messages.title')}>
      <SwitchSetting
        label={t('messages.email')}
        checked={preferences.email_notifications}
        onChange={value => save({ email_notifications: value })}
      />
      {texts}
      {WANTED.map(({ key, label }) => (
        <SwitchSetting
          key={key}
          label={t(label)}
          checked={wanted[key]}
          onChange={value =>
            save(present => ({ notification_settings: { ...notificationSettings(present), [key]: value } }))
          }
        />
      ))}
      <InAppSetting />
      <TimeSetting
        label={t('messages.at')}
        value={preferences.notification_time}
        onChange={value => save({ notification_time: value })}
      />
      <SwitchSetting
        label={t('messages.quiet')}
        hint={t('messages.quietHint')}
        checked={preferences.quiet_hours_enabled}
        onChange={value => save({ quiet_hours_enabled: value })}
      />
      {preferences.quiet_hours_enabled && (
        <div className="quiet-hours">
          <TimeSetting
            label={t('messages.from')}
            also={t('messages.quiet')}
            value={preferences.quiet_hours_start}
            onChange={value => save({ quiet_hours_start: value })}
          />
          <TimeSetting
            label={t('messages.to')}
            also={t('messages.quiet')}
            value={preferences.quiet_hours_end}
            onChange={value => save({ quiet_hours_end: value })}
          />
        </div>
      )}
      {channels && <Setting words={[t('messages.channels'), t('messages.channelsText')]}>{channels}</Setting>}
    </Section>
  );
}

/** Kept in this browser alone, as what it concerns is this screen. */
function InAppSetting() {
  const { t } = useTranslation('settings');
  const channels = useAppState(state => state.systemSettings.notifications);
  return (
    <SwitchSetting
      label={t('messages.inApp')}
      hint={t('messages.inAppHint')}
      checked={channels.inApp}
      onChange={inApp => appState.changeSettings({ notifications: { ...channels, inApp } })}
    />
  );
}

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

type TimeProps = { label: string; also?: string; value: string; onChange: (value: string) => void };

/** A time of day, saved when it is whole; while it is not, it stays as typed and says what is missing. */
function TimeSetting({ label, also, value, onChange }: TimeProps) {
  const { t } = useTranslation('settings');
  const [typed, setTyped] = useState<string | null>(null);
  const shown = typed ?? value;
  const leave = () => {
    if (typed !== null && TIME.test(typed)) {
      if (typed !== value) onChange(typed);
      setTyped(null);
    }
  };
  return (
    <Setting words={[label, also]}>
      <Input
        label={label}
        type="time"
        value={shown}
        error={typed !== null && !TIME.test(typed) ? t('messages.time') : undefined}
        onChange={event => setTyped(event.target.value)}
        onBlur={leave}
      />
    </Setting>
  );
}
