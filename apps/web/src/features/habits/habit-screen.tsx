import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { Archive, ArchiveRestore, Pause, Pencil, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { addDays, localDay } from '@cairn/base/local-day.ts';
import type { Habit, HabitDay } from '@cairn/core/habits/habit.ts';
import { habitHistory, type HabitHistory } from '@cairn/core/habits/queries.ts';
import { archiveHabit, endPause, removeHabit } from '@cairn/core/habits/save-habit.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Banner } from '@cairn/ui/banner.tsx';
import { Button } from '@cairn/ui/button.tsx';
import { Confirm } from '@cairn/ui/confirm.tsx';
import { EmptyState } from '@cairn/ui/empty-state.tsx';
import { HeatMap } from '@cairn/ui/heat-map.tsx';
import { ProgressBar } from '@cairn/ui/progress.tsx';
import { SkeletonRows } from '@cairn/ui/skeleton.tsx';
import { Card } from '@cairn/ui/surface.tsx';
import { formatDay, formatNumber, weekStart } from '../../shared/format.ts';
import { useAction } from '../../shared/use-action.ts';
import { useNow } from '../../shared/use-now.ts';
import { weekdayName } from '../../shared/weekday-name.ts';
import { FailureLine } from '../../shared/failure-line.tsx';
import { DayEditor } from './day-editor.tsx';
import { HabitForm } from './habit-form.tsx';
import { PauseSheet } from './pause-sheet.tsx';
import './habits.css';

type Props = { habitId: string; backLink: ReactNode; onRemoved: () => void };

/** One habit: how strong it is, every day of it, and what is done with it. */
export function HabitScreen({ habitId, backLink, onRemoved }: Props) {
  const { t } = useTranslation('habits');
  const today = localDay(useNow());
  const found = useLive(habitHistory(habitId, today));
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
  const history = found.answer;
  return (
    <div className="parts foot-room">
      {backLink}
      <div className="page-head">
        <div>
          <h1 className="h1">{history.habit.name}</h1>
          <p className="muted">
            <Often habit={history.habit} />
          </p>
        </div>
      </div>
      <div className="parts columns second-wide">
        <div className="parts">
          <DayEditor history={history} />
          <Acts history={history} today={today} onRemoved={onRemoved} />
        </div>
        <div className="parts">
          <StrengthCard history={history} />
          <YearOfDays history={history} today={today} />
        </div>
      </div>
    </div>
  );
}

function Often({ habit }: { habit: Habit }) {
  const { t } = useTranslation('habits');
  const days = habit.per_days === 1 ? t('often.daily') : t('often.days', { count: habit.per_days });
  if (habit.kind === 'yes_no') return <>{t('often.times', { count: habit.times, days })}</>;
  const target = `${formatNumber(habit.target ?? 0, 2)} ${habit.unit ?? ''}`.trim();
  return <>{t(`often.${habit.target_kind}`, { target, days })}</>;
}

function StrengthCard({ history: { strengths, streaks } }: { history: HabitHistory }) {
  const { t } = useTranslation('habits');
  const percent = Math.round((strengths.at(-1) ?? 0) * 100);
  return (
    <Card label={t('strength.title')} className="parts">
      <ProgressBar label={t('strength.title')} figure={t('strength.percent', { percent })} value={percent} max={100} />
      <p className="muted sm">{t('strength.text')}</p>
      <dl className="habit-streaks">
        <div>
          <dt className="muted sm">{t('streak.present')}</dt>
          <dd className="figure">{t('streak.days', { count: streaks.present })}</dd>
        </div>
        <div>
          <dt className="muted sm">{t('streak.longest')}</dt>
          <dd className="figure">{t('streak.days', { count: streaks.longest })}</dd>
        </div>
      </dl>
    </Card>
  );
}

const YEAR = 365;
const SHADE = { done: 4, rule: 2, skip: 1, no: 0, unknown: 0 } as const;

function YearOfDays({ history: { days, habit }, today }: { history: HabitHistory; today: string }) {
  const { t, i18n } = useTranslation('habits');
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The newest days stand at the end of what scrolls.
    const map = place.current?.querySelector('.heat');
    map?.scrollTo({ left: map.scrollWidth });
  }, []);
  const shown = useMemo(() => {
    const byDay = new Map<string, HabitDay>(days.map(day => [day.day, day]));
    return Array.from({ length: YEAR }, (_, index) => addDays(today, index + 1 - YEAR)).map(day => {
      const known = byDay.get(day);
      const standing = known?.standing ?? 'unknown';
      const amount = known?.amount == null ? '' : ` ${formatNumber(known.amount, 2)} ${habit.unit ?? ''}`;
      const label = `${formatDay(new Date(`${day}T12:00:00`))}: ${t(`standing.${standing}`)}${amount}`;
      return { day, value: SHADE[standing], label };
    });
  }, [days, habit.unit, t, today]);
  const start = weekStart();
  const names = Array.from({ length: 7 }, (_, index) => weekdayName(start + index, i18n.language, 'short'));
  return (
    <Card label={t('year.title')} className="parts">
      <h2 className="h2">{t('year.title')}</h2>
      <div ref={place}>
        <HeatMap
          label={t('year.label')}
          days={shown}
          weekdays={names}
          weekStart={start}
          ends={[t('year.none'), t('year.done')]}
        />
      </div>
    </Card>
  );
}

function Acts({
  history: { habit, pauses },
  today,
  onRemoved,
}: {
  history: HabitHistory;
  today: string;
  onRemoved: () => void;
}) {
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
