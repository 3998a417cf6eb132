import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionItemChanges } from '@cairn/core/action-items/change-action-item.ts';
import { Banner } from '@cairn/ui/banner.tsx';
import { Input, Select, Textarea } from '@cairn/ui/field.tsx';
import { Card } from '@cairn/ui/surface.tsx';
import { failureText } from '../../shared/failure-text.ts';
import type { Action, Colleague } from './action-screen-queries.ts';
import { dayOf, endOfDay } from './due-day.ts';
import { PRIORITIES, priorityFrom } from './priorities.ts';
import { useChangeAction } from './use-change-action.ts';

type Props = { item: Action; people: readonly Colleague[]; readOnly: boolean };

/** Title, text, date, person, priority: each is kept as soon as it is changed, with an undo. */
export function ActionDetails({ item, people, readOnly }: Props) {
  const { t } = useTranslation('actions');
  const { t: tFailure } = useTranslation('failure');
  const change = useChangeAction(item.id);
  const save = (changes: ActionItemChanges, back: ActionItemChanges) => change.run(changes, t('saved'), back);
  const known = people.some(person => person.id === item.assignee_id);
  const somebody = item.assignee_id && !known ? [{ value: item.assignee_id, label: t('somebody') }] : [];
  return (
    <Card className="action-form" label={t('details')}>
      <TextField
        key={`title ${item.title}`}
        label={t('field.title')}
        text={item.title}
        needed={t('field.titleNeeded')}
        readOnly={readOnly}
        onSave={title => save({ title }, { title: item.title })}
      />
      <TextField
        key={`description ${item.description}`}
        label={t('field.description')}
        text={item.description ?? ''}
        long
        readOnly={readOnly}
        onSave={description => save({ description }, { description: item.description })}
      />
      <Input
        type="date"
        label={t('field.due')}
        value={dayOf(item.due_at)}
        disabled={readOnly}
        onChange={event => save({ dueAt: endOfDay(event.target.value) }, { dueAt: item.due_at })}
      />
      <Select
        label={t('field.assignee')}
        placeholder={t('field.nobody')}
        choices={[...somebody, ...people.map(person => ({ value: person.id, label: person.name }))]}
        value={item.assignee_id ?? ''}
        disabled={readOnly}
        onChange={event => save({ assigneeId: event.target.value || null }, { assigneeId: item.assignee_id })}
      />
      <Select
        label={t('field.priority')}
        choices={PRIORITIES.map(value => ({ value, label: t(`priority.${value}`) }))}
        value={item.priority}
        disabled={readOnly}
        onChange={event => save({ priority: priorityFrom(event.target.value) }, { priority: item.priority })}
      />
      {change.failure && <Banner tone="bad" title={tFailure(failureText[change.failure.code])} />}
    </Card>
  );
}

type TextProps = {
  label: string;
  text: string;
  long?: boolean;
  /** What to say when it is left empty; may stay empty without. */
  needed?: string;
  readOnly: boolean;
  onSave: (text: string) => void;
};

/** Text that is kept on leaving the field. */
function TextField({ label, text, long = false, needed, readOnly, onSave }: TextProps) {
  const [typed, setTyped] = useState(text);
  const empty = needed !== undefined && typed.trim() === '';
  const leave = () => {
    if (!empty && typed.trim() !== text) onSave(typed.trim());
  };
  const shared = { label, value: typed, readOnly, onBlur: leave, error: empty ? needed : undefined };
  return long ? (
    <Textarea {...shared} onChange={event => setTyped(event.target.value)} />
  ) : (
    <Input {...shared} onChange={event => setTyped(event.target.value)} />
  );
}
