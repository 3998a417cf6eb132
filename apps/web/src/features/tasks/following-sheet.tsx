import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import { parseRecurrence, printRecurrence, type Recurrence } from '@cairn/core/occurrences/recurrence.ts';
import { changeFollowing } from '@cairn/core/tasks/save-series.ts';
import type { Row } from '@cairn/schema';
import { useStore } from '@cairn/sync/store-context.ts';
import { Switch } from '@cairn/ui/controls/choice.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { FormSheet } from '@cairn/ui/overlays/form-sheet.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { ruleText } from './rule-text.ts';
import { useTaskSpace } from './task-space.ts';
import type { Task } from './use-task-changes.ts';

const EVERY = ['day', 'week', 'month', 'year'] as const;

type Props = { task: Task; series: Row<'task_series'>; onClose: () => void; onChanged: () => void };

/** Changes a task of a series and all that follow it. */
export function FollowingSheet({ task, series, onClose, onChanged }: Props) {
  const { t, i18n } = useTranslation('tasks');
  const [draft, setDraft] = useState({
    title: series.title,
    time: series.due_time ?? '',
    every: '',
    interval: '1',
    basis: series.based_on,
    isLike: false,
  });
  const set = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part });
  const saving = useSaving({ task, series, draft, onDone: onChanged });
  return (
    <FormSheet
      title={t('rule.title')}
      closeLabel={t('close')}
      onClose={onClose}
      saveLabel={t('rule.save')}
      busy={saving.busy}
      onSave={() => saving.run()}
    >
      <Input
        label={t('detail.title')}
        value={draft.title}
        maxLength={300}
        error={draft.title.trim() === '' ? t('detail.titleNeeded') : undefined}
        onChange={event => set({ title: event.target.value })}
      />
      <Select
        label={t('rule.everyHow')}
        value={draft.every}
        choices={[
          { value: '', label: `${t('rule.custom')}: ${ruleText(series.recurrence, i18n.language, t)}` },
          ...EVERY.map(value => ({ value, label: t(`rule.single.${value}`) })),
        ]}
        onChange={event => set({ every: event.target.value })}
      />
      {draft.every !== '' && (
        <Input
          type="number"
          min={1}
          max={99}
          label={t('rule.interval')}
          value={draft.interval}
          onChange={event => set({ interval: event.target.value })}
        />
      )}
      <Input
        type="time"
        label={t('rule.time')}
        value={draft.time}
        onChange={event => set({ time: event.target.value })}
      />
      <Select
        label={t('rule.basis')}
        value={draft.basis}
        choices={[
          { value: 'scheduled', label: t('detail.scheduled') },
          { value: 'completed', label: t('detail.completed') },
        ]}
        onChange={event => set({ basis: event.target.value === 'completed' ? 'completed' : 'scheduled' })}
      />
      <Switch label={t('rule.like')} checked={draft.isLike} onChange={isLike => set({ isLike })} />
      <p className="sm muted">{t('rule.likeText')}</p>
      <FailureLine failure={saving.failure} invalid={t('rule.none')} />
    </FormSheet>
  );
}

type Draft = {
  title: string;
  time: string;
  every: string;
  interval: string;
  basis: Row<'task_series'>['based_on'];
  isLike: boolean;
};
type SaveContext = { task: Task; series: Row<'task_series'>; draft: Draft; onDone: () => void };

function useSaving({ task, series, draft, onDone }: SaveContext) {
  const { t } = useTranslation('tasks');
  const store = useStore();
  const { userId } = useTaskSpace();
  return useAction(async () => {
    if (task.occurs_on === null) return;
    const from = task.occurs_on;
    const changes = {
      title: draft.title,
      time: draft.time.slice(0, 5) || null,
      recurrence: ruleOf(series.recurrence, draft),
      basedOn: draft.basis,
    };
    await store.write('tasks.changeFollowing', tx =>
      changeFollowing(tx, {
        seriesId: series.id,
        from,
        newId: newId(),
        changes,
        likeTaskId: draft.isLike ? task.id : null,
        by: userId,
        at: new Date().toISOString(),
      }),
    );
    toast({ title: t('detail.seriesSaved') });
    onDone();
  });
}

/** The rule as it is, or a plain one of the draft; an end that was set stays. */
function ruleOf(present: string, { every, interval }: Draft): string {
  const chosen = EVERY.find(each => each === every);
  const read = parseRecurrence(present);
  if (chosen === undefined || !read.ok) return present;
  const { until, count } = read.recurrence;
  const plain: Recurrence = { every: chosen, interval: Math.min(99, Math.max(1, Math.round(Number(interval)) || 1)) };
  const end = { ...(until !== undefined && { until }), ...(count !== undefined && { count }) };
  return printRecurrence({ ...plain, ...end });
}
