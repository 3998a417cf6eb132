import { useTranslation } from 'react-i18next';
import type { Colleague } from '@cairn/core/spaces/colleagues.ts';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';

type TitleProps = { value: string; isMissing: boolean; onChange: (title: string) => void };

/** The title of an action item that is being made; says so where saving found none. */
export function TitleField({ value, isMissing, onChange }: TitleProps) {
  const { t } = useTranslation('actions');
  return (
    <Input
      label={t('field.title')}
      value={value}
      error={isMissing ? t('field.titleNeeded') : undefined}
      onChange={event => onChange(event.target.value)}
    />
  );
}

type Draft = { due: string; assignee: string };
type Props = { draft: Draft; people: readonly Colleague[]; onChange: (part: Partial<Draft>) => void };

/** Until when, and by whom. */
export function DueAndAssignee({ draft, people, onChange }: Props) {
  const { t } = useTranslation('actions');
  return (
    <>
      <Input
        type="date"
        label={t('field.due')}
        value={draft.due}
        onChange={event => onChange({ due: event.target.value })}
      />
      <Select
        label={t('field.assignee')}
        placeholder={t('field.nobody')}
        choices={people.map(person => ({ value: person.id, label: person.name }))}
        value={draft.assignee}
        onChange={event => onChange({ assignee: event.target.value })}
      />
    </>
  );
}
