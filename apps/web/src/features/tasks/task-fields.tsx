import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { textsIn } from '@cairn/base/texts-in.ts';
import { deviceZone } from '@cairn/base/wall-clock.ts';
import type { TaskChanges } from '@cairn/core/tasks/save-task.ts';
import { maySetDue, taskPriorities } from '@cairn/core/tasks/task-status.ts';
import { RemovableChip } from '@cairn/ui/controls/chip.tsx';
import { Switch } from '@cairn/ui/controls/choice.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { useTaskSpace } from './task-space.ts';
import { useTaskChanges, type Task } from './use-task-changes.ts';

type Props = { task: Task; readOnly: boolean };
type PartProps = Props & { save: (changes: TaskChanges) => void };

/** Title, notes, dates, people, labels: each is kept as soon as it is changed, with an undo. */
export function TaskFields({ task, readOnly }: Props) {
  const { t } = useTranslation('tasks');
  const change = useTaskChanges();
  const save = (changes: TaskChanges) => change.run(task, changes, t('saved'), true);
  const part = { task, readOnly, save };
  const estimate = task.estimate_minutes;
  return (
    <Card className="task-form" label={t('detail.details')}>
      <TextField
        key={`title ${task.title}`}
        label={t('detail.title')}
        text={task.title}
        needed={t('detail.titleNeeded')}
        readOnly={readOnly}
        onSave={title => save({ title })}
      />
      <TextField
        key={`notes ${task.notes}`}
        label={t('detail.notes')}
        text={task.notes ?? ''}
        long
        readOnly={readOnly}
        onSave={notes => save({ notes })}
      />
      <Dates {...part} />
      <People {...part} />
      <div className="task-pair">
        <Select
          label={t('detail.priority')}
          choices={taskPriorities.map(value => ({ value, label: t(`priority.${value}`) }))}
          value={task.priority}
          disabled={readOnly}
          onChange={event => save({ priority: taskPriorities.find(each => each === event.target.value) ?? 'none' })}
        />
        <TextField
          key={`estimate ${estimate}`}
          label={t('detail.estimate')}
          text={estimate === null ? '' : String(estimate)}
          readOnly={readOnly}
          numeric
          wrong={typed => (typed !== '' && minutesOf(typed) === null ? t('detail.estimateWrong') : undefined)}
          onSave={text => save({ estimateMinutes: minutesOf(text) })}
        />
      </div>
      <TextField
        key={`labels ${textsIn(task.labels).join()}`}
        label={t('detail.labels')}
        hint={t('detail.labelsHint')}
        text={textsIn(task.labels).join(', ')}
        readOnly={readOnly}
        onSave={text => save({ labels: text.split(',') })}
      />
      <Switch
        label={t('detail.evidence')}
        checked={task.evidence_required}
        disabled={readOnly}
        onChange={on => save({ evidenceRequired: on })}
      />
      <FailureLine failure={change.failure} />
    </Card>
  );
}

function minutesOf(text: string): number | null {
  const minutes = Math.round(Number(text));
  return Number.isFinite(minutes) && minutes >= 1 && minutes <= 100_000 ? minutes : null;
}

function Dates({ task, readOnly, save }: PartProps) {
  const { t } = useTranslation('tasks');
  const { userId, may } = useTaskSpace();
  const isSet = readOnly || !maySetDue(task, userId, may('task.manage'));
  const zone = task.due_zone ?? deviceZone();
  const present = task.due_day === null ? null : { day: task.due_day, time: task.due_time, zone };
  return (
    <div className="task-pair">
      <Input
        type="date"
        label={t('detail.due')}
        value={task.due_day ?? ''}
        disabled={isSet}
        onChange={event => {
          const day = event.target.value;
          save({ due: day === '' ? null : { day, time: task.due_time, zone } });
        }}
      />
      <Input
        type="time"
        label={t('detail.time')}
        value={task.due_time ?? ''}
        disabled={isSet || task.due_day === null}
        onChange={event => present && save({ due: { ...present, time: event.target.value.slice(0, 5) || null } })}
      />
      <Input
        type="date"
        label={t('detail.start')}
        value={task.start_day ?? ''}
        disabled={readOnly}
        onChange={event => save({ startDay: event.target.value || null })}
      />
    </div>
  );
}

function People({ task, readOnly, save }: PartProps) {
  const { t } = useTranslation('tasks');
  const { people, names, userId, may } = useTaskSpace();
  const decides = may('task.manage') || task.created_by === userId;
  const choices = people.map(({ id, name }) => ({ value: id, label: name }));
  const known = (id: string | null) => (id && !names.has(id) ? [{ value: id, label: t('somebody') }] : []);
  // Without the right to give it to others one may take what nobody has, and give back one's own.
  const takers = decides ? choices : choices.filter(({ value }) => value === userId || value === task.assignee_id);
  const mayTake = decides || task.assignee_id === null || task.assignee_id === userId;
  const watchers = textsIn(task.watcher_ids);
  const watch = (ids: readonly string[]) => save({ watcherIds: ids });
  return (
    <>
      <div className="task-pair">
        <Select
          label={t('detail.assignee')}
          placeholder={t('nobody')}
          choices={[...known(task.assignee_id), ...takers]}
          value={task.assignee_id ?? ''}
          disabled={readOnly || !mayTake}
          onChange={event => save({ assigneeId: event.target.value || null })}
        />
        <Select
          label={t('detail.reviewer')}
          placeholder={t('nobody')}
          choices={[...known(task.reviewer_id), ...choices]}
          value={task.reviewer_id ?? ''}
          disabled={readOnly || !decides}
          onChange={event => save({ reviewerId: event.target.value || null })}
        />
      </div>
      {(people.length > 1 || watchers.length > 0) && (
        <Select
          label={t('detail.watchers')}
          placeholder={t('detail.watch')}
          choices={choices.filter(({ value }) => !watchers.includes(value))}
          value=""
          disabled={readOnly}
          onChange={event => event.target.value !== '' && watch([...watchers, event.target.value])}
        />
      )}
      {watchers.length > 0 && (
        <div className="row wrap">
          {watchers.map(id => {
            const name = names.get(id) ?? t('somebody');
            return (
              <RemovableChip
                key={id}
                disabled={readOnly}
                removeLabel={t('detail.unwatch', { name })}
                onRemove={() => watch(watchers.filter(each => each !== id))}
              >
                {name}
              </RemovableChip>
            );
          })}
        </div>
      )}
    </>
  );
}

type TextProps = {
  label: string;
  hint?: string;
  text: string;
  long?: boolean;
  numeric?: boolean;
  /** What to say when it is left empty; may stay empty without. */
  needed?: string;
  /** What is wrong with what was typed; it is not kept then. */
  wrong?: (typed: string) => string | undefined;
  readOnly: boolean;
  onSave: (text: string) => void;
};

/** Text that is kept on leaving the field. */
function TextField({ label, hint, text, long = false, numeric = false, needed, wrong, readOnly, onSave }: TextProps) {
  const [typed, setTyped] = useState(text);
  const empty = needed !== undefined && typed.trim() === '';
  const problem = empty ? needed : wrong?.(typed.trim());
  const leave = () => {
    if (problem === undefined && typed.trim() !== text) onSave(typed.trim());
  };
  const shared = { label, hint, value: typed, readOnly, onBlur: leave, error: problem };
  return long ? (
    <Textarea {...shared} maxLength={20_000} onChange={event => setTyped(event.target.value)} />
  ) : (
    <Input
      {...shared}
      maxLength={300}
      {...(numeric && { inputMode: 'numeric' as const })}
      onChange={event => setTyped(event.target.value)}
    />
  );
}
