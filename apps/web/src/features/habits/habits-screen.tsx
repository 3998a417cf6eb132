import { useState, type ReactNode } from 'react';
import { Lock, Pause, Plus, Upload } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { habitsCsv } from '@cairn/core/habits/export-habits.ts';
import { allHabits, habitsToExport } from '@cairn/core/habits/queries.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { Card, CardHead } from '@cairn/ui/layout/surface.tsx';
import { CsvExport } from '../../shared/files/csv-export.tsx';
import { HabitForm } from './habit-form.tsx';
import { HabitRow } from './habit-row.tsx';
import { ImportLoop } from './import-loop.tsx';
import { PauseSheet } from './pause-sheet.tsx';
import { useRecountNotice } from './use-recount-notice.ts';
import { useWeekOfHabits } from './use-week-of-habits.ts';
import './habits.css';

type Props = { renderName: (id: string, name: string) => ReactNode; backLink: ReactNode };

type OpenSheet = 'new' | 'pause' | 'import' | null;

/** All habits of a person: today's ticks, and what is done with all of them. */
export function HabitsScreen({ renderName, backLink }: Props) {
  const { t } = useTranslation('habits');
  const store = useStore();
  const weeks = useWeekOfHabits();
  const every = useLive(allHabits);
  const [open, setOpen] = useState<OpenSheet>(null);
  const csv = async () => habitsCsv(await store.read(habitsToExport));
  const habits = every.status === 'ready' ? every.answer : [];
  const archived = habits.filter(habit => habit.archived_at !== null);
  const position = habits.length;
  const recount = useRecountNotice(habits);
  const close = () => setOpen(null);
  const make = (
    <Button variant="primary" icon={Plus} onClick={() => setOpen('new')}>
      {t('form.new')}
    </Button>
  );
  return (
    <div className="parts foot-room">
      {backLink}
      <div className="page-head">
        <div>
          <h1 className="h1">{t('title')}</h1>
          <p className="row sm muted">
            <Icon of={Lock} size="s" />
            {t('private')}
          </p>
        </div>
        <div className="row wrap">{make}</div>
      </div>
      <RecountNotice recount={recount} />
      {weeks.status === 'loading' && <SkeletonRows label={t('loading')} />}
      {weeks.status === 'ready' && weeks.answer.length === 0 && (
        <EmptyState title={t('empty.title')}>{t('empty.text')}</EmptyState>
      )}
      {weeks.status === 'ready' && weeks.answer.length > 0 && (
        <Card flush label={t('today')}>
          <CardHead title={t('today')} />
          <ul className="habit-rows">
            {weeks.answer.map(week => (
              <HabitRow key={week.habit.id} week={week} renderName={renderName} />
            ))}
          </ul>
        </Card>
      )}
      <div className="row wrap">
        <Button icon={Pause} disabled={habits.length === 0} onClick={() => setOpen('pause')}>
          {t('pause.all')}
        </Button>
        <Button icon={Upload} onClick={() => setOpen('import')}>
          {t('import.title')}
        </Button>
        <CsvExport label={t('export')} file="cairn-habits.csv" csv={csv} disabled={habits.length === 0} />
      </div>
      {archived.length > 0 && (
        <Card label={t('archived')}>
          <h2 className="h2">{t('archived')}</h2>
          <ul className="habit-archived">
            {archived.map(habit => (
              <li key={habit.id}>{renderName(habit.id, habit.name)}</li>
            ))}
          </ul>
        </Card>
      )}
      {open === 'new' && <HabitForm position={position} onClose={close} />}
      {open === 'pause' && <PauseSheet habitId={null} onClose={close} />}
      {open === 'import' && <ImportLoop position={position} onClose={close} />}
    </div>
  );
}

/** That figures of earlier builds were worked out anew, once. */
function RecountNotice({ recount }: { recount: ReturnType<typeof useRecountNotice> }) {
  const { t } = useTranslation('habits');
  if (!recount) return null;
  return (
    <Banner
      title={t('recount.title')}
      action={
        <Button size="sm" onClick={recount.dismiss}>
          {t('recount.read')}
        </Button>
      }
    >
      {t('recount.text')}
    </Banner>
  );
}
