import { useTranslation } from 'react-i18next';
import { addDays } from '@cairn/base/local-day.ts';
import { firstDay, habitDays } from '@cairn/core/habits/habit-days.ts';
import { strengths, streaks } from '@cairn/core/habits/strength.ts';
import type { SharedHabit, SharedPart } from '@cairn/core/support-circle/shared-view.ts';
import { DayDots } from '@cairn/ui/data/day-dots.tsx';
import { SideScroll } from '@cairn/ui/layout/side-scroll.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { formatDay, formatNumber, formatWeekday } from '../../shared/format/format.ts';
import { useToday } from '../../shared/format/use-today.ts';
import { SharedGoals } from './shared-goals.tsx';

const weekOf = (day: string): string => formatDay(new Date(`${day}T12:00:00`));

/** Sessions and principles stand in cards of their own. */
type ShownPart = Exclude<SharedPart, { scope: 'sessions' | 'principles' }>;

/** What one grant shows, read-only. */
export function SharedPartCard({ part }: { part: ShownPart }) {
  const { t } = useTranslation('circle');
  return (
    <Card label={t(`shared.${part.scope}`)} className="parts">
      <h2 className="h2">{t(`shared.${part.scope}`)}</h2>
      <PartBody part={part} />
    </Card>
  );
}

function PartBody({ part }: { part: ShownPart }) {
  const { t } = useTranslation('circle');
  if (part.scope === 'goals') return <SharedGoals part={part} />;
  if (part.scope === 'habits' && part.level === 'full') {
    if (part.data.length === 0) return <p className="muted sm">{t('shared.empty')}</p>;
    return (
      <ul className="shared-habits">
        {part.data.map(habit => (
          <SharedHabitRow key={habit.id} habit={habit} />
        ))}
      </ul>
    );
  }
  if (part.scope === 'habits') {
    const { habits, days_7: week, days_30: month } = part.data;
    return <p>{t('shared.figures', { habits, week, month })}</p>;
  }
  if (part.scope === 'wellness') return <Weeks part={part} />;
  if (part.level === 'counts') {
    const { open, late, done_30: done } = part.data;
    return <p>{t('shared.counts', { open, late, done })}</p>;
  }
  if (part.data.length === 0) return <p className="muted sm">{t('shared.empty')}</p>;
  return (
    <ul className="circle-grants">
      {part.data.map(task => (
        <li key={task.id}>
          <span className="grow">{task.title}</span>
          <span className="muted sm">{task.due_at ? formatDay(new Date(task.due_at)) : t('shared.noDate')}</span>
        </li>
      ))}
    </ul>
  );
}

const SHOWN_DAYS = 7;

function SharedHabitRow({ habit }: { habit: SharedHabit }) {
  const { t } = useTranslation('circle');
  const today = useToday();
  const from = firstDay(habit.started_on, habit.entries);
  const days = habitDays({ rule: habit, entries: habit.entries, pauses: habit.pauses, from, to: today });
  const percent = Math.round((strengths(habit, days).at(-1) ?? 0) * 100);
  const { present } = streaks(habit, days);
  const shown = days.filter(({ day }) => day > addDays(today, -SHOWN_DAYS));
  return (
    <li>
      <p className="t">{habit.name}</p>
      <DayDots
        label={t('shared.days', { name: habit.name })}
        days={shown.map(({ day, status }) => ({
          day,
          status,
          words: `${formatWeekday(day)}: ${t(`shared.status.${status}`)}`,
        }))}
      />
      <p className="muted sm">{t('shared.strength', { percent, count: present })}</p>
      <p className="sm">{t(`shared.today.${shown.at(-1)?.status ?? 'unknown'}`)}</p>
    </li>
  );
}

type WeeksPart = Extract<SharedPart, { scope: 'wellness' }>;

function Weeks({ part }: { part: WeeksPart }) {
  const { t } = useTranslation('circle');
  if (part.data.length === 0) return <p className="muted sm">{t('shared.noWeeks')}</p>;
  if (part.level === 'ok') {
    return (
      <>
        <p className="muted xs">{t('shared.weeksOver')}</p>
        <ul className="circle-weeks">
          {part.data.map(({ week, ok }) => (
            <li key={week} data-ok={ok ? '' : undefined}>
              <span className="muted xs">{weekOf(week)}</span>
              <span>{t(ok ? 'shared.ok' : 'shared.notOk')}</span>
            </li>
          ))}
        </ul>
      </>
    );
  }
  const figure = (value: number | null) => (value === null ? '–' : formatNumber(value, 1));
  return (
    <SideScroll label={t('shared.wellness')}>
      <p className="muted xs">{t('shared.weeksOver')}</p>
      <table className="plain-table">
        <thead>
          <tr>
            {(['week', 'mood', 'energy', 'stress', 'n'] as const).map(name => (
              <th key={name} scope="col">
                {t(`shared.column.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {part.data.map(({ week, mood, energy, stress, n }) => (
            <tr key={week}>
              <th scope="row">{weekOf(week)}</th>
              <td className="num">{figure(mood)}</td>
              <td className="num">{figure(energy)}</td>
              <td className="num">{figure(stress)}</td>
              <td className="num">{n === null ? '–' : formatNumber(n)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </SideScroll>
  );
}
