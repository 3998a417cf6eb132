import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Segmented } from '@cairn/ui/controls/choice.tsx';
import { BoardView } from './board-view.tsx';
import { ListView } from './list-view.tsx';
import { MonthView } from './month-view.tsx';
import { QuickLineField } from './quick-line.tsx';
import { useTaskSpace } from './task-space.ts';
import './tasks.css';

const VIEWS = ['day', 'list', 'board', 'calendar'] as const;
export type TaskView = (typeof VIEWS)[number];

/** What an address says, as a view; my day where it says none. */
export const viewOf = (text: string | undefined): TaskView => VIEWS.find(each => each === text) ?? 'day';

type Props = {
  /** The heading: what the open playbook calls this module. */
  title: string;
  view: TaskView;
  /** Whether a task is to be made at once. */
  isNew: boolean;
  onView: (view: TaskView) => void;
  /** Tasks, action items and inspections that are due together. */
  day: ReactNode;
  aside: ReactNode;
  renderTask: (id: string, face: ReactNode, label?: string) => ReactNode;
  onOpen: (id: string) => void;
};

/** All planned work: my day, and every task as a list, on a board, in a month. */
export function TasksScreen({ title, view, isNew, onView, day, aside, renderTask, onOpen }: Props) {
  const { t } = useTranslation('tasks');
  const { key, may } = useTaskSpace();
  return (
    <div className="parts foot-room">
      <header className="page-head">
        <h1 className="h1">{title}</h1>
        {aside}
      </header>
      {may('task.create') && <QuickLineField isNew={isNew} onOpen={onOpen} />}
      <Segmented
        label={t('views.label')}
        block
        value={view}
        onChange={value => onView(viewOf(value))}
        options={VIEWS.map(value => ({ value, label: t(`views.${value}`) }))}
      />
      {view === 'day' && day}
      {view === 'list' && <ListView key={key} renderTask={renderTask} />}
      {view === 'board' && <BoardView key={key} renderTask={renderTask} onList={() => onView('list')} />}
      {view === 'calendar' && <MonthView key={key} renderTask={renderTask} />}
    </div>
  );
}
