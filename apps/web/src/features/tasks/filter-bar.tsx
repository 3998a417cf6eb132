import { useTranslation } from 'react-i18next';
import { textsIn } from '@cairn/base/texts-in.ts';
import { everyTask, type TaskFilter } from '@cairn/core/tasks/task-filter.ts';
import { isEnded, taskPriorities, taskStatuses } from '@cairn/core/tasks/task-status.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { SearchInput } from '@cairn/ui/controls/search-input.tsx';
import { SavedViews } from './saved-views.tsx';
import { useTaskSpace } from './task-space.ts';
import type { Task } from './use-task-changes.ts';

type Props = { filter: TaskFilter; onFilter: (filter: TaskFilter) => void; rows: readonly Task[] };

const ENDED = 'ended';
const WHENS = ['any', 'overdue', 'today', 'week', 'none'] as const;
const SORTS = ['due', 'priority', 'title', 'newest'] as const;

/** What of the list is looked at, and views of it that were saved. @param rows all that may be filtered, for their labels */
export function FilterBar({ filter, onFilter, rows }: Props) {
  const { t } = useTranslation('tasks');
  const set = (part: Partial<TaskFilter>) => onFilter({ ...filter, ...part });
  return (
    <div className="stack">
      <SavedViews filter={filter} onFilter={onFilter} />
      <SearchInput
        label={t('list.search')}
        placeholder={t('list.search')}
        clearLabel={t('list.clear')}
        value={filter.text}
        onChange={text => set({ text })}
      />
      <details className="task-filters">
        <summary className="tap">{t('list.filters')}</summary>
        <div className="task-filter-grid">
          <WhoSelect filter={filter} set={set} />
          <Select
            label={t('list.when')}
            value={filter.when}
            choices={WHENS.map(value => ({ value, label: t(`list.whens.${value}`) }))}
            onChange={event => set({ when: WHENS.find(each => each === event.target.value) ?? 'any' })}
          />
          <StatusSelect filter={filter} set={set} />
          <Select
            label={t('list.priority')}
            placeholder={t('list.anyPriority')}
            value={filter.priorities[0] ?? ''}
            choices={taskPriorities.map(value => ({ value, label: t(`priority.${value}`) }))}
            onChange={event => set({ priorities: taskPriorities.filter(each => each === event.target.value) })}
          />
          <LabelSelect filter={filter} set={set} rows={rows} />
          <Select
            label={t('list.sort')}
            value={filter.sort}
            choices={SORTS.map(value => ({ value, label: t(`list.sorts.${value}`) }))}
            onChange={event => set({ sort: SORTS.find(each => each === event.target.value) ?? 'due' })}
          />
        </div>
        <Button onClick={() => onFilter(everyTask)}>{t('list.reset')}</Button>
      </details>
    </div>
  );
}

type PartProps = { filter: TaskFilter; set: (part: Partial<TaskFilter>) => void };

function WhoSelect({ filter, set }: PartProps) {
  const { t } = useTranslation('tasks');
  const { people, userId } = useTaskSpace();
  const others = people.filter(({ id }) => id !== userId);
  return (
    <Select
      label={t('list.who')}
      value={filter.who}
      choices={[
        { value: 'anyone', label: t('list.anyone') },
        { value: 'mine', label: t('list.mine') },
        { value: 'nobody', label: t('nobody') },
        ...others.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      onChange={event => set({ who: event.target.value })}
    />
  );
}

function StatusSelect({ filter, set }: PartProps) {
  const { t } = useTranslation('tasks');
  const choose = (value: string) =>
    set({ statuses: value === ENDED ? taskStatuses.filter(isEnded) : taskStatuses.filter(each => each === value) });
  const value = filter.statuses.length > 1 ? ENDED : (filter.statuses[0] ?? '');
  return (
    <Select
      label={t('list.status')}
      placeholder={t('list.anyStatus')}
      value={value}
      choices={[
        ...taskStatuses.filter(each => !isEnded(each)).map(each => ({ value: each, label: t(`status.${each}`) })),
        { value: ENDED, label: t('list.endedOnly') },
      ]}
      onChange={event => choose(event.target.value)}
    />
  );
}

function LabelSelect({ filter, set, rows }: PartProps & { rows: readonly Task[] }) {
  const { t } = useTranslation('tasks');
  const labels = [...new Set([...rows.flatMap(row => textsIn(row.labels)), ...filter.labels])];
  return (
    <Select
      label={t('list.label_')}
      placeholder={t('list.anyLabel')}
      value={filter.labels[0] ?? ''}
      choices={labels.toSorted((a, b) => a.localeCompare(b)).map(value => ({ value, label: value }))}
      onChange={event => set({ labels: event.target.value === '' ? [] : [event.target.value] })}
    />
  );
}
