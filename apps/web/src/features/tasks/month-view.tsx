import { useState, type ReactNode } from 'react';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { addDays } from '@cairn/base/local-day.ts';
import { tasksBetween } from '@cairn/core/tasks/queries.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Button, IconButton } from '@cairn/ui/controls/button.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { Card, CardHead, List } from '@cairn/ui/layout/surface.tsx';
import { useFormat } from '../../shared/format/format.ts';
import { useNow } from '../../shared/format/use-now.ts';
import { useToday } from '../../shared/format/use-today.ts';
import { weekdayName } from '../../shared/format/weekday-name.ts';
import { CalendarAddress } from './calendar-address.tsx';
import { TaskFace } from './task-face.tsx';
import { useTaskSpace } from './task-space.ts';
import type { Task } from './use-task-changes.ts';

/** Titles a day shows where there is room. */
const TITLES = 3;
const WEEKS = 6;

const noon = (day: string): Date => new Date(`${day}T12:00:00Z`);
const firstOf = (day: string): string => `${day.slice(0, 8)}01`;

function monthsOn(first: string, months: number): string {
  const date = noon(first);
  date.setUTCMonth(date.getUTCMonth() + months);
  return date.toISOString().slice(0, 10);
}

type Props = { renderTask: (id: string, face: ReactNode) => ReactNode };

/** What is due in a month, day by day, and the tasks of the day that is chosen. */
export function MonthView({ renderTask }: Props) {
  const { t } = useTranslation('tasks');
  const today = useToday();
  const { formatWeekday, weekStart } = useFormat();
  const { space, names } = useTaskSpace();
  const now = useNow();
  const [month, setMonth] = useState(firstOf(today));
  const [chosen, setChosen] = useState(today);
  const first = addDays(month, -((noon(month).getUTCDay() - weekStart() + 7) % 7));
  const found = useLive(tasksBetween(space, first, addDays(first, WEEKS * 7 - 1)));
  if (found.status !== 'ready') return <SkeletonRows label={t('loading')} />;
  const byDay = Map.groupBy(found.answer, task => task.due_day ?? '');
  const tasks = byDay.get(chosen) ?? [];
  const show = (day: string) => {
    setMonth(firstOf(day));
    setChosen(day);
  };
  return (
    <div className="stack">
      <MonthHead month={month} onMonth={setMonth} onToday={() => show(today)} />
      <Days first={first} month={month} chosen={chosen} byDay={byDay} onChoose={setChosen} />
      <Card flush label={formatWeekday(chosen)}>
        <CardHead title={formatWeekday(chosen)} count={<span className="count">{tasks.length}</span>} />
        {tasks.length === 0 ? (
          <p className="muted sm month-none">{t('month.none')}</p>
        ) : (
          <List>
            {tasks.map(task => (
              <li key={task.id}>{renderTask(task.id, <TaskFace task={task} names={names} now={now} />)}</li>
            ))}
          </List>
        )}
      </Card>
      <CalendarAddress />
    </div>
  );
}

type HeadProps = { month: string; onMonth: (first: string) => void; onToday: () => void };

function MonthHead({ month, onMonth, onToday }: HeadProps) {
  const { t, i18n } = useTranslation('tasks');
  const name = new Intl.DateTimeFormat(i18n.language, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  return (
    <div className="month-head">
      <h2 className="h2" aria-live="polite">
        {name.format(noon(month))}
      </h2>
      <div className="row">
        <IconButton icon={ChevronLeft} label={t('month.previous')} onClick={() => onMonth(monthsOn(month, -1))} />
        <Button onClick={onToday}>{t('month.today')}</Button>
        <IconButton icon={ChevronRight} label={t('month.next')} onClick={() => onMonth(monthsOn(month, 1))} />
      </div>
    </div>
  );
}

type DaysProps = {
  /** The first day drawn, and the first of the month, YYYY-MM-DD. */
  first: string;
  month: string;
  chosen: string;
  byDay: ReadonlyMap<string, readonly Task[]>;
  onChoose: (day: string) => void;
};

function Days({ first, month, chosen, byDay, onChoose }: DaysProps) {
  const { t, i18n } = useTranslation('tasks');
  const { formatWeekday, weekStart } = useFormat();
  const today = useToday();
  const days = Array.from({ length: WEEKS * 7 }, (_, index) => addDays(first, index));
  return (
    <div className="month-grid">
      {days.slice(0, 7).map((day, index) => (
        <span key={day} className="month-name" aria-hidden="true">
          {weekdayName(weekStart() + index, i18n.language, 'short')}
        </span>
      ))}
      {days.map(day => {
        const tasks = byDay.get(day) ?? [];
        return (
          <button
            key={day}
            type="button"
            className={`month-day${firstOf(day) === month ? '' : ' other'}${day === today ? ' today' : ''}`}
            aria-pressed={day === chosen}
            aria-label={t('month.day', { day: formatWeekday(day), count: tasks.length })}
            onClick={() => onChoose(day)}
          >
            <span className="month-number">{Number(day.slice(8))}</span>
            {tasks.length > 0 && <span className="count month-count">{tasks.length}</span>}
            <span className="month-titles">
              {tasks.slice(0, TITLES).map(task => (
                <span key={task.id}>{task.title}</span>
              ))}
              {tasks.length > TITLES && <span>{t('month.more', { count: tasks.length - TITLES })}</span>}
            </span>
          </button>
        );
      })}
    </div>
  );
}
