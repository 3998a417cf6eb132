import { useMemo, useState, type ReactNode } from 'react';
import { Archive, ArchiveRestore, Pause, Pencil, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { addDays, localDay } from '@cairn/base/local-day.ts';
import type { Habit } from '@cairn/core/habits/habit.ts';
import {
  entriesBefore,
  habitHistory,
  habitYear,
  type HabitHistory,
  type HabitYear,
} from '@cairn/core/habits/queries.ts';
import { archiveHabit, endPause, removeHabit } from '@cairn/core/habits/save-habit.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Confirm } from '@cairn/ui/overlays/confirm.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { ProgressBar } from '@cairn/ui/feedback/progress.tsx';
import { Bone, SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { formatDay, formatNumber } from '../../shared/format/format.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { useNow } from '../../shared/format/use-now.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { DayEditor } from './day-editor.tsx';
import { HabitForm } from './habit-form.tsx';
import { PauseSheet } from './pause-sheet.tsx';
import { YearOfDays } from './year-of-days.tsx';
import './habits.css';

type Props = { habitId: string; backLink: ReactNode; onRemoved: () => void };

/** One habit: how strong it is, every day of it, and what is done with it. */
export function HabitScreen({ habitId, backLink, onRemoved }: Props) {
  const { t } = useTranslation('habits');
  const today = localDay(useNow());
  const found = useLive(habitYear(habitId, today));
  if (found.status === 'loading') return <SkeletonRows label={t('loading')} />;
  if (!found.answer) {
    return (
      <div className="parts foot-room">
        {backLink}
        <EmptyState level={1} title={t('gone.title')}>
          {t('gone.text')}
        </EmptyState>
      </div>
    );
  }
  return <HabitParts year={found.answer} today={today} backLink={backLink} onRemoved={onRemoved} />;
}

/** What strength and streaks are reckoned from besides the year: read when the year stands there. Null until then. */
function useHistory(year: HabitYear, today: string): HabitHistory | null {
  const before = useLive(entriesBefore(year.habit.id, year.readFrom));
  const past = before.status === 'ready' ? before.answer : null;
  return useMemo(() => past && habitHistory(year, past, today), [year, past, today]);
}

type PartsProps = Omit<Props, 'habitId'> & { year: HabitYear; today: string };

function HabitParts({ year, today, backLink, onRemoved }: PartsProps) {
  const { habit, days } = year;
  const history = useHistory(year, today);
  return (
    <div className="parts foot-room">
      {backLink}
      <div className="page-head">
        <div>
          <h1 className="h1">{habit.name}</h1>
          <p className="muted">
            <Often habit={habit} />
          </p>
        </div>
      </div>
      <div className="parts columns second-wide">
        <div className="parts">
          <DayEditor habit={habit} days={history?.days ?? days} isWhole={history !== null} />
          <Acts year={year} today={today} onRemoved={onRemoved} />
        </div>
        <div className="parts">
          <StrengthCard history={history} />
          <YearOfDays days={days} unit={habit.unit} today={today} />
        </div>
      </div>
    </div>
  );
}

/** Numbers of days that have a name of their own. */
const PERIODS = new Map<number, 'day' | 'week' | 'month'>([
  [1, 'day'],
  [7, 'week'],
  [30, 'month'],
]);

function Often({ habit }: { habit: Habit }) {
  const { t } = useTranslation('habits');
  const { times, per_days: days } = habit;
  const period = PERIODS.get(days) ?? 'days';
  if (habit.kind === 'yes_no') {
    if (times >= days) return <>{t('often.daily')}</>;
    return <>{t(`often.times.${period === 'day' ? 'days' : period}`, { count: times, days })}</>;
  }
  const target = `${formatNumber(habit.target ?? 0, 2)} ${habit.unit ?? ''}`.trim();
  return <>{t(`often.${habit.target_kind}.${period}`, { target, days })}</>;
}

/** Null while the days before the year are read: the card has its height already. */
function StrengthCard({ history }: { history: HabitHistory | null }) {
  const { t } = useTranslation('habits');
  const percent = Math.round((history?.strength ?? 0) * 100);
  const streaks = [
    { name: t('streak.present'), days: history?.streaks.present },
    { name: t('streak.longest'), days: history?.streaks.longest },
  ];
  return (
    <Card label={t('strength.title')} className="parts">
      {history ? (
        <ProgressBar
          label={t('strength.title')}
          figure={t('strength.percent', { percent })}
          value={percent}
          max={100}
        />
      ) : (
        <Bone width="100%" height="calc(1lh + 10px)" />
      )}
      <p className="muted sm">{t('strength.text')}</p>
      <dl className="habit-streaks">
        {streaks.map(({ name, days }) => (
          <div key={name}>
            <dt className="muted sm">{name}</dt>
            <dd className="figure">
              {days === undefined ? <Bone width="5ch" height="1lh" /> : t('streak.days', { count: days })}
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

type ActsProps = { year: HabitYear; today: string; onRemoved: () => void };

function Acts({ year: { habit, pauses }, today, onRemoved }: ActsProps) {
  const { t } = useTranslation('habits');
  const store = useStore();
  const [open, setOpen] = useState<'change' | 'pause' | 'remove' | null>(null);
  const isPut = habit.archived_at !== null;
  const acting = useAction(async (act: 'archive' | 'remove') => {
    if (act === 'remove') {
      await store.write('habits.remove', tx => removeHabit(tx, habit.id));
      return onRemoved();
    }
    const at = isPut ? null : new Date().toISOString();
    await store.write('habits.archive', tx => archiveHabit(tx, habit.id, at));
  });
  const ending = useAction((id: string) => store.write('habits.endPause', tx => endPause(tx, id, addDays(today, -1))));
  const underway = pauses.filter(({ until_day: until }) => until === null || until >= today);
  const failure = acting.failure ?? ending.failure;
  return (
    <Card label={t('acts')} className="parts">
      {underway.map(pause => (
        <Banner
          key={pause.id}
          icon={Pause}
          title={t('pause.since', { day: formatDay(new Date(`${pause.from_day}T12:00:00`)) })}
          action={
            <Button size="sm" onClick={() => ending.run(pause.id)}>
              {t('pause.end')}
            </Button>
          }
        />
      ))}
      <FailureLine failure={failure} />
      <div className="row wrap">
        <Button icon={Pencil} onClick={() => setOpen('change')}>
          {t('form.change')}
        </Button>
        <Button icon={Pause} onClick={() => setOpen('pause')}>
          {t('pause.one')}
        </Button>
        <Button icon={isPut ? ArchiveRestore : Archive} onClick={() => acting.run('archive')}>
          {t(isPut ? 'unarchive' : 'archive')}
        </Button>
        <Button icon={Trash2} variant="danger" onClick={() => setOpen('remove')}>
          {t('remove')}
        </Button>
      </div>
      {open === 'change' && <HabitForm habit={habit} position={habit.position} onClose={() => setOpen(null)} />}
      {open === 'pause' && <PauseSheet habitId={habit.id} onClose={() => setOpen(null)} />}
      <Confirm
        open={open === 'remove'}
        onOpenChange={isOpen => !isOpen && setOpen(null)}
        title={t('removeTitle', { name: habit.name })}
        confirmLabel={t('remove')}
        cancelLabel={t('cancel')}
        danger
        onConfirm={() => acting.run('remove')}
      >
        {t('removeText')}
      </Confirm>
    </Card>
  );
}
