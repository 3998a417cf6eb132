import { useTranslation } from 'react-i18next';
import { PREFERENCE_CHOICES } from '@cairn/core/preferences/preferences.ts';
import { RadioCards } from '@cairn/ui/controls/choice.tsx';
import { oneOf } from './one-of.ts';
import { Section, Setting, SwitchSetting } from './setting.tsx';
import { useSettings } from './settings-context.ts';

const VISIBILITIES = PREFERENCE_CHOICES.profile_visibility;

export function PrivacySection() {
  const { t } = useTranslation('settings');
  const { preferences, save } = useSettings();
  return (
    <Section title={t('privacy.title')}>
      <SwitchSetting
        label={t('privacy.activity')}
        hint={t('privacy.activityHint')}
        checked={preferences.show_activity_status}
        onChange={value => save({ show_activity_status: value })}
      />
      <SwitchSetting
        label={t('privacy.usage')}
        hint={t('privacy.usageHint')}
        checked={preferences.usage_analytics}
        onChange={value => save({ usage_analytics: value })}
      />
      <Setting
        words={[t('privacy.visibility'), ...VISIBILITIES.map(each => t(`privacy.visibilities.${each}`))]}
        hint={t('privacy.visibilityHint')}
      >
        <RadioCards
          label={t('privacy.visibility')}
          value={preferences.profile_visibility}
          onChange={value => save({ profile_visibility: oneOf(VISIBILITIES, value) })}
          options={VISIBILITIES.map(each => ({ value: each, label: t(`privacy.visibilities.${each}`) }))}
        />
      </Setting>
    </Section>
  );
}
