import { useTranslation } from 'react-i18next';
import { PREFERENCE_CHOICES } from '@cairn/core/preferences/preferences.ts';
import { Select } from '@cairn/ui/controls/select.tsx';
import { appState, useAppState } from '../../shared/app-state/app-state-store.ts';
import { useFormat } from '../../shared/format/format.ts';
import { Section, Setting, SwitchSetting } from './setting.tsx';
import { useSettings } from './settings-context.ts';

const ALL = 'all';

export function StorageSection() {
  const { t } = useTranslation('settings');
  const { formatBytes } = useFormat();
  const { preferences, save } = useSettings();
  const limit = preferences.storage_limit_mb;
  const offered: readonly (number | null)[] = PREFERENCE_CHOICES.storage_limit_mb;
  const choices = offered.includes(limit) ? offered : [...offered, limit];
  const nameOf = (megabytes: number | null) =>
    megabytes === null ? t('storage.limits.all') : formatBytes(megabytes * 1_000_000);
  return (
    <Section title={t('storage.title')}>
      <SwitchSetting
        label={t('storage.autoSave')}
        hint={t('storage.autoSaveHint')}
        checked={useAppState(state => state.systemSettings.autoSave)}
        onChange={autoSave => appState.changeSettings({ autoSave })}
      />
      <SwitchSetting
        label={t('storage.mobile')}
        hint={t('storage.mobileHint')}
        checked={preferences.files_on_mobile_data}
        onChange={value => save({ files_on_mobile_data: value })}
      />
      <Setting words={[t('storage.limit')]} hint={t('storage.limitHint')}>
        <Select
          label={t('storage.limit')}
          value={limit === null ? ALL : String(limit)}
          onChange={event => save({ storage_limit_mb: event.target.value === ALL ? null : Number(event.target.value) })}
          choices={choices.map(each => ({ value: each === null ? ALL : String(each), label: nameOf(each) }))}
        />
      </Setting>
      <SwitchSetting
        label={t('storage.position')}
        hint={t('storage.positionHint')}
        checked={preferences.strip_photo_location}
        onChange={value => save({ strip_photo_location: value })}
      />
      <Setting words={[t('storage.size')]} hint={t('storage.sizeHint')}>
        <Select
          label={t('storage.size')}
          value={preferences.photo_size}
          onChange={event => {
            const chosen = PREFERENCE_CHOICES.photo_size.find(each => each === event.target.value);
            if (chosen) save({ photo_size: chosen });
          }}
          choices={PREFERENCE_CHOICES.photo_size.map(value => ({ value, label: t(`storage.sizes.${value}`) }))}
        />
      </Setting>
    </Section>
  );
}
