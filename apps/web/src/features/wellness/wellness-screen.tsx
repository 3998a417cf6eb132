import { useEffect, useMemo, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Lock } from 'lucide-react';
import { localDay } from '@cairn/base/local-day.ts';
import type { CheckIn } from '@cairn/core/wellness/check-in.ts';
import { checkInStreak } from '@cairn/core/wellness/trends.ts';
import { allCheckIns } from '@cairn/core/wellness/queries.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { useSpace } from '../../shared/session/space.ts';
import { useNow } from '../../shared/format/use-now.ts';
import { CheckInCard } from './check-in-card.tsx';
import { DataCard } from './data-card.tsx';
import { EffectsCard } from './effects-card.tsx';
import { HelpCard } from './help-card.tsx';
import { HistoryCard } from './history-card.tsx';
import { LoadCard } from './load-card.tsx';
import { LongerLookCard } from './longer-look-card.tsx';
import { QuietOffer } from './quiet-offer.tsx';
import { RemindersCard } from './reminders-card.tsx';
import { TrendsCard } from './trends-card.tsx';
import { useCheckIn } from './use-check-in.ts';
import { usePrivateNotes, type NotePorts } from './use-private-notes.ts';
import { YearCard } from './year-card.tsx';
import './wellness.css';

type Props = {
  title: string;
  ports: NotePorts;
  /** The newest check-in was begun elsewhere: it goes on here. */
  goesOn: boolean;
  onTakenUp: () => void;
  habitsLink: ReactNode;
  /** To what an organisation sees. */
  employerLink: ReactNode;
  /** A longer questionnaire was begun. */
  onBegun: (inspectionId: string) => void;
};

const NONE: readonly CheckIn[] = [];

/** How a person is: the check-in, and what came of the ones before. Theirs alone, whatever space is open. */
export function WellnessScreen({ title, ports, goesOn, onTakenUp, habitsLink, employerLink, onBegun }: Props) {
  const { t } = useTranslation('wellness');
  const { organization, world } = useSpace();
  const notes = usePrivateNotes(ports);
  const work = useCheckIn();
  const found = useLive(allCheckIns);
  const now = useNow();
  const top = useRef<HTMLDivElement>(null);
  const today = localDay(now);
  const rows = found.status === 'ready' ? found.answer : NONE;
  const newest = useMemo(() => rows.toReversed(), [rows]);
  useTakenUp(goesOn ? newest[0] : undefined, work.edit, onTakenUp);
  const streak = checkInStreak(rows, today);
  return (
    <div className="parts foot-room" ref={top}>
      <div className="page-head">
        <div>
          <h1 className="h1">{title}</h1>
          {streak > 1 && <p className="muted">{t('streak', { count: streak })}</p>}
        </div>
        <div className="row wrap">{habitsLink}</div>
      </div>
      {world === 'company' && (
        <Banner icon={Lock} title={t('place.title')}>
          {t('place.text', { organisation: organization.name })}
        </Banner>
      )}
      <div className="parts columns second-wide">
        <div className="parts">
          <CheckInCard work={work} notes={notes} />
          <QuietOffer rows={rows} today={today} />
          {found.status === 'loading' && <SkeletonRows label={t('loading')} />}
          {found.status === 'ready' && rows.length === 0 && (
            <EmptyState title={t('empty.title')}>{t('empty.text')}</EmptyState>
          )}
          {rows.length > 0 && (
            <HistoryCard
              rows={newest}
              onEdit={row => {
                work.edit(row);
                top.current?.scrollIntoView({ block: 'start' });
              }}
            />
          )}
        </div>
        <div className="parts">
          {rows.length > 0 && (
            <>
              <TrendsCard rows={rows} today={today} />
              <YearCard rows={rows} today={today} />
              <EffectsCard rows={rows} />
            </>
          )}
          <LoadCard rows={rows} today={today} />
          <LongerLookCard today={today} onBegun={onBegun} />
          <RemindersCard />
          <HelpCard />
          <DataCard rows={rows} notes={notes} employerLink={employerLink} />
        </div>
      </div>
    </div>
  );
}

/** Takes up a check-in that was begun on another screen, once. */
function useTakenUp(row: CheckIn | undefined, edit: (row: CheckIn) => void, taken: () => void) {
  const done = useRef(false);
  useEffect(() => {
    if (!row || done.current) return;
    done.current = true;
    edit(row);
    taken();
  }, [row, edit, taken]);
}
