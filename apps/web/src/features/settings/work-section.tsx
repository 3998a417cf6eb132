import { useTranslation } from 'react-i18next';
import { dashboardConfig, PREFERENCE_CHOICES } from '@cairn/core/preferences/preferences.ts';
import { RadioCards } from '@cairn/ui/controls/choice.tsx';
import { oneOf } from './one-of.ts';
import { Section, Setting, SwitchSetting } from './setting.tsx';
import { useSettings } from './settings-context.ts';

const TYPES = PREFERENCE_CHOICES.preferred_playbook_type;

export function WorkSection() {
  const { t } = useTranslation('settings');
  const { preferences, save } = useSettings();
  const dashboard = dashboardConfig(preferences);
  return (
    <Section title={t('work.title')}>
      <Setting words={[t('work.type'), ...TYPES.map(type => t(`work.types.${type}`))]} hint={t('work.typeHint')}>
        <RadioCards
          label={t('work.type')}
          value={preferences.preferred_playbook_type}
          onChange={value => save({ preferred_playbook_type: oneOf(TYPES, value) })}
          options={TYPES.map(type => ({ value: type, label: t(`work.types.${type}`) }))}
        />
      </Setting>
      <SwitchSetting
        label={t('work.advance')}
        hint={t('work.advanceHint')}
        checked={preferences.auto_advance}
        onChange={auto_advance => save({ auto_advance })}
      />
      <SwitchSetting
        label={t('work.compliance')}
        checked={dashboard.show_compliance_overview}
        onChange={value => save({ dashboard_config: { ...dashboard, show_compliance_overview: value } })}
      />
      <SwitchSetting
        label={t('work.wellness')}
        checked={dashboard.show_wellness_widgets}
        onChange={value => save({ dashboard_config: { ...dashboard, show_wellness_widgets: value } })}
      />
    </Section>
  );
}
