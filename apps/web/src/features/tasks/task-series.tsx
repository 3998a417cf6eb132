import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endSeries } from '@cairn/core/tasks/save-series.ts';
import { nextDates } from '@cairn/core/occurrences/next-dates.ts';
import type { Row } from '@cairn/schema';
import type { Query } from '@cairn/sync/store.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { useFormat } from '../../shared/format/format.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { useAction } from '../../shared/errors/use-action.ts';
import { useNow } from '../../shared/format/use-now.ts';
import { FollowingSheet } from './following-sheet.tsx';
import { ruleText } from './rule-text.ts';
import { useTaskSpace } from './task-space.ts';
import { useTaskChanges, type Task } from './use-task-changes.ts';

const seriesRow = (id: string): Query<Row<'task_series'> | null> => ({
  key: `tasks/seriesRow/${id}`,
  tables: ['task_series'],
  read: async tx => (await tx.get('task_series', id)) ?? null,
});

const NEXT = 4;

type Props = { task: Task; readOnly: boolean; onGone: () => void };

/** How it comes again: the rule, its next days, skipping this one, and changing or ending what follows. */
export function TaskSeries({ task, readOnly, onGone }: Props) {
  const { t, i18n } = useTranslation('tasks');
  const { formatWeekday } = useFormat();
  const { may, userId } = useTaskSpace();
  const now = useNow();
  const store = useStore();
  const found = useLive(task.series_id === null ? null : seriesRow(task.series_id));
  const { run, failure } = useTaskChanges();
  const [changing, setChanging] = useState(false);
  const series = found.status === 'ready' ? found.answer : null;
  const ending = useAction(async () => {
    if (task.series_id === null || task.occurs_on === null) return;
    const [id, from] = [task.series_id, task.occurs_on];
    await store.write('tasks.endSeries', tx => endSeries(tx, id, from));
    toast({ title: t('detail.ended') });
    if (task.status === 'todo') onGone();
  });
  if (!series) return null;
  const days = nextDates(series, now.toISOString(), NEXT).map(({ day }) => formatWeekday(day));
  const decides = !readOnly && (series.created_by === userId || may('task.manage')) && series.state === 'active';
  const skip = () => run(task, { status: 'cancelled' }, t('detail.skipped'), false);
  return (
    <Card className="stack" label={t('detail.series')}>
      <h2 className="h2">{t('detail.series')}</h2>
      <p>
        {ruleText(series.recurrence, i18n.language, t)}
        {series.due_time !== null && ` · ${series.due_time}`}
      </p>
      {series.based_on === 'completed' && (
        <p className="sm muted">{t('detail.asSeries', { basis: t('detail.completed') })}</p>
      )}
      {days.length > 0 && <p className="sm muted">{t('detail.nextDays', { days: days.join(' · ') })}</p>}
      {!readOnly && (
        <div className="row wrap">
          <Button onClick={skip}>{t('detail.skip')}</Button>
          {decides && <Button onClick={() => setChanging(true)}>{t('detail.following')}</Button>}
          {decides && (
            <Button busy={ending.busy} onClick={() => ending.run()}>
              {t('detail.endFollowing')}
            </Button>
          )}
        </div>
      )}
      <FailureLine failure={failure ?? ending.failure} />
      {changing && <FollowingSheet task={task} series={series} onClose={() => setChanging(false)} onChanged={onGone} />}
    </Card>
  );
}
