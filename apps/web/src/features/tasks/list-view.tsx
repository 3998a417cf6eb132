import { useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { TaskImportResult } from '@cairn/core/tasks/import-task.ts';
import { endedTasks, openTasks } from '@cairn/core/tasks/queries.ts';
import { everyTask, filtered, nextOfSeries, type TaskFilter } from '@cairn/core/tasks/task-filter.ts';
import { isEnded } from '@cairn/core/tasks/task-status.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Checkbox } from '@cairn/ui/controls/choice.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { VirtualRows } from '@cairn/ui/data/virtual-rows.tsx';
import { useNow } from '../../shared/format/use-now.ts';
import { useToday } from '../../shared/format/use-today.ts';
import { BulkBar } from './bulk-bar.tsx';
import { FilterBar } from './filter-bar.tsx';
import { ImportedBanner } from './imported-banner.tsx';
import { TaskFace } from './task-face.tsx';
import { TaskFiles } from './task-files.tsx';
import { useTaskSpace } from './task-space.ts';
import type { Task } from './use-task-changes.ts';

/** Ended tasks kept in sight. */
const ENDED_SHOWN = 500;
const NONE: readonly Task[] = [];

type Props = { renderTask: (id: string, face: ReactNode) => ReactNode };

/** Every task of the space, filtered and in the order that is wanted; several are changed at once. */
export function ListView({ renderTask }: Props) {
  const { t } = useTranslation('tasks');
  const [filter, setFilter] = useState<TaskFilter>(everyTask);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { names, may } = useTaskSpace();
  const now = useNow();
  const [imported, setImported] = useState<readonly TaskImportResult[] | null>(null);
  const { all, rows } = useFilteredTasks(filter, now, imported);
  const toggle = (id: string, on: boolean) => {
    const next = new Set(chosen);
    if (on) next.add(id);
    else next.delete(id);
    setChosen(next);
  };
  const show = (list: readonly TaskImportResult[]) => {
    setFilter(everyTask);
    setImported(list);
  };
  if (rows === null) return <SkeletonRows label={t('loading')} />;
  const picked = rows.filter(row => chosen.has(row.id));
  const everyId = () => setChosen(new Set(rows.map(row => row.id)));
  return (
    <div className="stack task-list">
      {imported && <ImportedBanner imported={imported} onAll={() => setImported(null)} />}
      <FilterBar filter={filter} onFilter={setFilter} rows={all} />
      {picked.length > 0 ? (
        <BulkBar tasks={picked} onAll={everyId} onNone={() => setChosen(new Set())} />
      ) : (
        <div className="row between wrap">
          <p className="muted sm" aria-live="polite">
            {t('list.count', { count: rows.length })}
          </p>
          <TaskFiles tasks={rows} onShow={show} />
        </div>
      )}
      {rows.length > 0 ? (
        <Card flush>
          <VirtualRows
            rows={rows}
            estimate={68}
            label={filter.statuses.some(isEnded) ? t('list.ended') : t('list.label')}
            renderRow={row => (
              <div className="task-row">
                {may('task.work') && (
                  <Checkbox
                    label={t('row.choose', { title: row.title })}
                    labelHidden
                    checked={chosen.has(row.id)}
                    onChange={on => toggle(row.id, on)}
                  />
                )}
                {renderTask(row.id, <TaskFace task={row} names={names} now={now} />)}
              </div>
            )}
          />
        </Card>
      ) : (
        <Nothing isEmpty={all.length === 0} onReset={() => setFilter(everyTask)} />
      )}
    </div>
  );
}

function Nothing({ isEmpty, onReset }: { isEmpty: boolean; onReset: () => void }) {
  const { t } = useTranslation('tasks');
  if (isEmpty) return <EmptyState title={t('list.emptyTitle')}>{t('list.empty')}</EmptyState>;
  return (
    <EmptyState title={t('list.noneTitle')} action={<Button onClick={onReset}>{t('list.reset')}</Button>}>
      {t('list.none')}
    </EmptyState>
  );
}

type FilteredTasks = { all: readonly Task[]; rows: Task[] | null };

/** `all` before the filter, `rows` after it; null until first read. @param only what of them is looked at, whatever its state */
function useFilteredTasks(filter: TaskFilter, now: Date, only: readonly TaskImportResult[] | null): FilteredTasks {
  const { space, userId } = useTaskSpace();
  const today = useToday();
  const open = useLive(openTasks(space));
  const wantsEnded = only !== null || filter.statuses.some(isEnded);
  const ended = useLive(wantsEnded ? endedTasks(space, ENDED_SHOWN) : null);
  const openRows = open.status === 'ready' ? open.answer : null;
  const endedRows = ended.status === 'ready' ? ended.answer : NONE;
  const ids = useMemo(() => only && new Set(only.map(each => ('id' in each ? each.id : ''))), [only]);
  const all = useMemo(() => {
    const rows = openRows ?? NONE;
    return ids ? rows.filter(row => ids.has(row.id)) : nextOfSeries(rows, today);
  }, [openRows, today, ids]);
  const seen = useMemo(() => (endedRows ?? NONE).filter(row => ids?.has(row.id) ?? true), [endedRows, ids]);
  const instant = now.toISOString();
  const rows = useMemo(
    () => filtered(wantsEnded ? [...all, ...seen] : all, filter, { userId, today, now: instant }),
    [all, seen, wantsEnded, filter, userId, today, instant],
  );
  return { all, rows: openRows === null ? null : rows };
}
