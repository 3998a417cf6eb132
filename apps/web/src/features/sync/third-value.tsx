import { useTranslation } from 'react-i18next';
import { localDay } from '@cairn/base/local-day.ts';
import { Input, Select } from '@cairn/ui/field.tsx';
import { LEVELS } from './field-words.ts';

type Props = { editor: 'text' | 'day' | 'priority'; value: string; onChange: (value: string) => void };

/** The last second of a local day, as a due date is stored; empty for none. */
function endOf(day: string): string {
  const [year, month, date] = day.split('-').map(Number);
  return year && month && date ? new Date(year, month - 1, date, 23, 59, 59).toISOString() : '';
}

/** What it should be, where neither of the two is right. */
export function ThirdValue({ editor, value, onChange }: Props) {
  const { t } = useTranslation('sync');
  if (editor === 'priority') {
    const choices = LEVELS.map(level => ({ value: level, label: t(`value.priority.${level}`) }));
    const level = LEVELS.find(each => each === value) ?? 'medium';
    return (
      <Select
        label={t('conflict.third')}
        value={level}
        choices={choices}
        onChange={event => onChange(event.target.value)}
      />
    );
  }
  if (editor === 'day') {
    const instant = new Date(value);
    return (
      <Input
        type="date"
        label={t('conflict.third')}
        value={Number.isNaN(instant.getTime()) ? '' : localDay(instant)}
        onChange={event => onChange(endOf(event.target.value))}
      />
    );
  }
  return <Input label={t('conflict.third')} value={value} onChange={event => onChange(event.target.value)} />;
}
