import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endOfDay } from '@cairn/base/end-of-day.ts';
import type { ActionItemChanges } from '@cairn/core/action-items/change-action-item.ts';
import { mustLeaveEnd } from '@cairn/core/action-items/another-verifies.ts';
import { holdsAsset } from '@cairn/core/assets/service-status.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import type { Colleague } from '@cairn/core/spaces/colleagues.ts';
import { useSpace } from '../../shared/session/space.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import type { Action } from './action-screen-queries.ts';
import { dayOf } from './due-day.ts';
import { PRIORITIES, priorityFrom } from './priorities.ts';
import { useChangeAction } from './use-change-action.ts';

type Props = { item: Action; people: readonly Colleague[]; readOnly: boolean };

/** Title, text, date, person, priority: each is kept as soon as it is changed, with an undo. */
export function ActionDetails({ item, people, readOnly }: Props) {
  const { t } = useTranslation('actions');
  const change = useChangeAction(item.id);
  const save = (changes: ActionItemChanges) => change.run(changes, t('saved'), true);
  const isHeld = useIsHeld(item);
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
        onSave={title => save({ title })}
      />
      <TextField
        key={`description ${item.description}`}
        label={t('field.description')}
        text={item.description ?? ''}
        long
        readOnly={readOnly}
        onSave={description => save({ description })}
      />
      <Input
        type="date"
        label={t('field.due')}
        value={dayOf(item.due_at)}
        disabled={readOnly}
        onChange={event => save({ dueAt: endOfDay(event.target.value) })}
      />
      <Select
        label={t('field.assignee')}
        placeholder={t('field.nobody')}
        choices={[...somebody, ...people.map(person => ({ value: person.id, label: person.name }))]}
        value={item.assignee_id ?? ''}
        disabled={readOnly}
        onChange={event => save({ assigneeId: event.target.value || null })}
      />
      <Select
        label={t('field.priority')}
        choices={PRIORITIES.map(value => ({ value, label: t(`priority.${value}`) }))}
        value={item.priority}
        hint={isHeld ? t('outOfService.held') : undefined}
        disabled={readOnly || isHeld}
        onChange={event => save({ priority: priorityFrom(event.target.value) })}
      />
      <Cause item={item} readOnly={readOnly} save={save} />
      <FailureLine failure={change.failure} />
    </Card>
  );
}

/** Whether it stays critical until somebody else has verified it: an asset is out of service through it. */
function useIsHeld(item: Action): boolean {
  const { userId, may } = useSpace();
  const holds = holdsAsset(item);
  const leave = useLive(holds ? mustLeaveEnd(item, userId, may('action.manage')) : null);
  return holds && (leave.status !== 'ready' || leave.answer);
}

type CauseProps = {
  item: Action;
  readOnly: boolean;
  save: (changes: ActionItemChanges) => void;
};

/** Why it happened, what kind of measure this is, and when to look whether it worked. */
function Cause({ item, readOnly, save }: CauseProps) {
  const { t } = useTranslation('actions');
  return (
    <>
      <Select
        label={t('field.kind')}
        hint={t('field.kindHint')}
        placeholder={t('field.kindNone')}
        choices={KINDS.map(value => ({ value, label: t(`kind.${value}`) }))}
        value={item.kind ?? ''}
        disabled={readOnly}
        onChange={event => save({ kind: KINDS.find(kind => kind === event.target.value) ?? null })}
      />
      <TextField
        key={`cause ${item.root_cause}`}
        label={t('field.rootCause')}
        text={item.root_cause ?? ''}
        long
        readOnly={readOnly}
        onSave={rootCause => save({ rootCause })}
      />
      <Input
        type="date"
        label={t('field.checkOn')}
        hint={t('field.checkOnHint')}
        value={item.check_on ?? ''}
        disabled={readOnly}
        onChange={event => save({ checkOn: event.target.value || null })}
      />
    </>
  );
}

const KINDS = ['corrective', 'preventive'] as const;

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
