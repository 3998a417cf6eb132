import { useTranslation } from 'react-i18next';
import { deviceZone } from '@cairn/base/wall-clock.ts';
import { MAX_INTERVAL, weekdays } from '@cairn/core/occurrences/recurrence.ts';
import { Checkbox } from '@cairn/ui/controls/choice.tsx';
import { DateInput, TimeInput } from '@cairn/ui/controls/date-input.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { NumberInput } from '@cairn/ui/controls/number-input.tsx';
import { endsEarly, isInterval, type FieldsProps } from './schedule-fields.ts';
import { weekdayName } from './schedule-text.ts';

const UNITS = ['day', 'week', 'month', 'year'] as const;
const WINDOWS = [60, 240, 1440, 2880, 10080] as const;
const HOUR = 60;
const DAY = 1440;

/** How often, from when, at what time on whose clocks, and how long there is time for it. */
export function RuleFields({ fields, set, tried }: FieldsProps) {
  const { t, i18n } = useTranslation('schedules');
  const locale = i18n.language;
  const whole = t('form.wholeNumber', { most: MAX_INTERVAL });
  return (
    <>
      <div className="schedule-pair">
        <NumberInput
          label={t('form.interval')}
          value={fields.interval}
          locale={locale}
          min={1}
          max={MAX_INTERVAL}
          notANumber={whole}
          error={!isInterval(fields.interval) && (tried || fields.interval !== null) ? whole : undefined}
          onChange={interval => set({ interval })}
          onUnread={() => set({ interval: null })}
        />
        <Select
          label={t('form.every')}
          value={fields.every}
          choices={UNITS.map(value => ({ value, label: t(`form.units.${value}`) }))}
          onChange={({ target }) => set({ every: UNITS.find(unit => unit === target.value) ?? 'day', rest: {} })}
        />
      </div>
      {fields.every === 'week' && (
        <fieldset>
          <legend className="label">{t('form.weekdays')}</legend>
          <div className="row wrap">
            {weekdays.map(day => (
              <Checkbox
                key={day}
                label={weekdayName(day, locale)}
                checked={fields.weekdays.includes(day)}
                onChange={isOn =>
                  set({ weekdays: weekdays.filter(each => (each === day ? isOn : fields.weekdays.includes(each))) })
                }
              />
            ))}
          </div>
        </fieldset>
      )}
      <TimeFields fields={fields} set={set} tried={tried} />
    </>
  );
}

/** Its own, this device's, then every zone there is. */
const zonesFor = (own: string): string[] => [...new Set([own, deviceZone(), ...Intl.supportedValuesOf('timeZone')])];

function TimeFields({ fields, set, tried }: FieldsProps) {
  const { t, i18n } = useTranslation('schedules');
  const locale = i18n.language;
  return (
    <div className="schedule-pair">
      <DateInput
        label={t('form.start')}
        value={fields.startDay}
        locale={locale}
        error={tried && !fields.startDay ? t('form.startNeeded') : undefined}
        onChange={startDay => set({ startDay })}
      />
      <TimeInput
        label={t('form.time')}
        value={fields.dueTime}
        error={tried && !fields.dueTime ? t('form.timeNeeded') : undefined}
        onChange={dueTime => set({ dueTime })}
      />
      <Select
        label={t('form.zone')}
        value={fields.zone}
        choices={zonesFor(fields.zone).map(zone => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
        onChange={({ target }) => set({ zone: target.value })}
      />
      <DateInput
        label={t('form.until')}
        hint={t('form.untilHint')}
        value={fields.until}
        locale={locale}
        error={endsEarly(fields) ? t('form.untilEarly') : undefined}
        onChange={until => set({ until })}
      />
      <Select
        label={t('form.based')}
        value={fields.basedOn}
        choices={(['scheduled', 'completed'] as const).map(value => ({ value, label: t(`form.basedOn.${value}`) }))}
        onChange={({ target }) => set({ basedOn: target.value === 'completed' ? 'completed' : 'scheduled' })}
      />
      <WindowFields fields={fields} set={set} tried={tried} />
    </div>
  );
}

/** How long before and after it is due there is time for it. */
function WindowFields({ fields, set }: FieldsProps) {
  const { t } = useTranslation('schedules');
  const lasting = (minutes: number) =>
    minutes < DAY ? t('form.hours', { count: minutes / HOUR }) : t('form.days', { count: minutes / DAY });
  return (
    <>
      <Select
        label={t('form.opens')}
        placeholder={t('form.window.any')}
        value={fields.opens}
        choices={WINDOWS.map(minutes => ({
          value: String(minutes),
          label: t('form.window.minutes', { time: lasting(minutes) }),
        }))}
        onChange={({ target }) => set({ opens: target.value })}
      />
      <Select
        label={t('form.closes')}
        placeholder={t('form.window.next')}
        value={fields.closes}
        choices={WINDOWS.map(minutes => ({
          value: String(minutes),
          label: t('form.window.after', { time: lasting(minutes) }),
        }))}
        onChange={({ target }) => set({ closes: target.value })}
      />
    </>
  );
}
