import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { PREFERENCE_CHOICES } from '@cairn/core/preferences/preferences.ts';
import { CoachPortrait } from '../../shared/media/coach-portrait.tsx';
import { Section, Setting } from './setting.tsx';
import { useSettings } from './settings-context.ts';

const COACHES = PREFERENCE_CHOICES.wellness_coach_avatar;

export function CoachSection() {
  const { t } = useTranslation('settings');
  const { preferences, save } = useSettings();
  const name = useId();
  return (
    <Section title={t('coach.title')}>
      <Setting words={[t('coach.choose'), ...COACHES.map(coach => t(`coach.names.${coach}`))]}>
        <fieldset className="coaches">
          <legend className="label">{t('coach.choose')}</legend>
          {COACHES.map(coach => (
            <label key={coach} className="coach">
              <input
                type="radio"
                className="sr"
                name={name}
                checked={preferences.wellness_coach_avatar === coach}
                onChange={() => save({ wellness_coach_avatar: coach })}
              />
              <span className="coach-face">
                <CoachPortrait coach={coach} />
                <span className="strong">{t(`coach.names.${coach}`)}</span>
                <span className="sm muted">{t(`coach.tones.${coach}`)}</span>
              </span>
            </label>
          ))}
        </fieldset>
      </Setting>
    </Section>
  );
}
