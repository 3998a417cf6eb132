import { useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { deviceZone } from '@cairn/base/wall-clock.ts';
import { languageChange, PREFERENCE_CHOICES } from '@cairn/core/preferences/preferences.ts';
import { Segmented } from '@cairn/ui/controls/choice.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { useFormat } from '../../shared/format/format.ts';
import { LANGUAGE_NAMES, offeredLanguages } from '../../shared/i18n/language-names.ts';
import { prepareLanguage } from '../../shared/i18n/load-texts.ts';
import { useNow } from '../../shared/format/use-now.ts';
import { oneOf } from './one-of.ts';
import { Section, Setting } from './setting.tsx';
import { useSettings } from './settings-context.ts';

const { date_format: DATES, time_format: CLOCKS, week_start: WEEKS } = PREFERENCE_CHOICES;
/** The given default: nobody chose a zone, so times stand as this device has them. */
const DEVICE_ZONE = 'UTC';
/** How true UTC is chosen. */
const TRUE_UTC = 'Etc/UTC';

const zoneChoice = (zone: string) => ({ value: zone, label: zone === TRUE_UTC ? 'UTC' : zone.replaceAll('_', ' ') });

/** Every zone this browser knows, and the stored one where it does not. */
function zoneChoices(chosen: string) {
  const known = [TRUE_UTC, ...Intl.supportedValuesOf('timeZone').filter(zone => zone !== DEVICE_ZONE)];
  return (known.includes(chosen) || chosen === DEVICE_ZONE ? known : [chosen, ...known]).map(zoneChoice);
}

export function RegionSection() {
  const { t } = useTranslation('settings');
  const { preferences, save } = useSettings();
  useEffect(() => {
    // A language that cannot be fetched now is fetched when it is chosen.
    for (const each of offeredLanguages) prepareLanguage(each).catch(() => undefined);
  }, []);
  const language = { label: t('region.language'), names: offeredLanguages.map(each => LANGUAGE_NAMES[each]) };
  return (
    <Section title={t('region.title')}>
      <Setting words={[language.label, ...language.names]}>
        <Select
          label={language.label}
          value={preferences.language}
          onChange={event => save(languageChange(preferences, event.target.value))}
          choices={offeredLanguages.map(each => ({ value: each, label: LANGUAGE_NAMES[each] }))}
        />
      </Setting>
      <ZoneSetting />
      <DateSettings />
      <Setting words={[t('region.week'), ...WEEKS.map(day => t(`region.weeks.${day}`))]}>
        <Select
          label={t('region.week')}
          value={preferences.week_start}
          onChange={event => save({ week_start: oneOf(WEEKS, event.target.value) })}
          choices={WEEKS.map(day => ({ value: day, label: t(`region.weeks.${day}`) }))}
        />
      </Setting>
      <Example />
    </Section>
  );
}

function ZoneSetting() {
  const { t } = useTranslation('settings');
  const { preferences, save } = useSettings();
  const chosen = preferences.timezone;
  const here = useMemo(() => deviceZone().replaceAll('_', ' '), []);
  const choices = useMemo(() => zoneChoices(chosen), [chosen]);
  return (
    <Setting words={[t('region.timezone')]}>
      <Select
        label={t('region.timezone')}
        value={chosen}
        onChange={event => save({ timezone: event.target.value })}
        choices={[{ value: DEVICE_ZONE, label: t('region.deviceZone', { zone: here }) }, ...choices]}
      />
    </Setting>
  );
}

function DateSettings() {
  const { t } = useTranslation('settings');
  const { preferences, save } = useSettings();
  return (
    <>
      <Setting words={[t('region.date'), ...DATES]}>
        <Select
          label={t('region.date')}
          value={preferences.date_format}
          onChange={event => save({ date_format: event.target.value })}
          choices={DATES.map(format => ({ value: format, label: format }))}
        />
      </Setting>
      <Setting words={[t('region.time'), ...CLOCKS.map(clock => t(`region.times.${clock}`))]}>
        <Segmented
          label={t('region.time')}
          labelHidden={false}
          block
          value={preferences.time_format}
          onChange={value => save({ time_format: oneOf(CLOCKS, value) })}
          options={CLOCKS.map(clock => ({ value: clock, label: t(`region.times.${clock}`) }))}
        />
      </Setting>
    </>
  );
}

/** The present moment and week, written as chosen. */
function Example() {
  const { t } = useTranslation('settings');
  const { formatDate, formatTime, formatWeekday, weekOf } = useFormat();
  const now = useNow();
  const week = weekOf(now);
  const words = {
    now: `${formatDate(now)}, ${formatTime(now)}`,
    first: formatWeekday(week[0] ?? ''),
    last: formatWeekday(week[6] ?? ''),
  };
  return (
    <Setting words={[]}>
      <p className="sm muted region-example">{t('region.preview', words)}</p>
    </Setting>
  );
}
