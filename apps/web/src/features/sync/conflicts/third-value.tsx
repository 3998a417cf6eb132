import type { ChangeEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { localDay } from '@cairn/base/local-day.ts';
import type { TableName } from '@cairn/schema';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import type { Editor } from './field-text.ts';
import { codeText } from './record-text.ts';

type Props = { table: TableName; editor: Editor; value: string; onChange: (value: string) => void };

/** The last second of a local day, as a due date is stored; empty for none. */
function endOf(day: string): string {
  const [year, month, date] = day.split('-').map(Number);
  return year && month && date ? new Date(year, month - 1, date, 23, 59, 59).toISOString() : '';
}

/** What it should be, where neither of the two is right. */
export function ThirdValue({ table, editor, value, onChange }: Props) {
  const { t } = useTranslation('sync');
  const label = t('conflict.third');
  if (editor.by === 'level') {
    const choices = editor.levels.map(level => ({ value: level, label: codeText(table, 'priority', level) ?? level }));
    return (
      <Select
        label={label}
        value={value}
        choices={choices}
        {...(value === '' && { placeholder: t('told.choose') })}
        onChange={event => onChange(event.target.value)}
      />
    );
  }
  if (editor.by === 'day') {
    return (
      <Input
        type="date"
        label={label}
        value={value === '' ? '' : localDay(new Date(value))}
        onChange={event => onChange(endOf(event.target.value))}
      />
    );
  }
  const Control = editor.by === 'text' ? Textarea : Input;
  return (
    <Control
      label={label}
      value={value}
      onChange={(event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => onChange(event.target.value)}
    />
  );
}
