import { useState } from 'react';
import { CalendarPlus, NotebookPen } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { isOpen } from '@cairn/core/support-circle/grants.ts';
import type { CirclePage } from '@cairn/core/support-circle/queries.ts';
import { sessionPage } from '@cairn/core/support-circle/sessions.ts';
import type { SharedSession } from '@cairn/core/support-circle/shared-view.ts';
import { lastTalk, sessionGroups, sessionsToShow } from '@cairn/core/support-circle/shown-sessions.ts';
import { visibility } from '@cairn/core/support-circle/visibility.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { useSignedIn } from '../../shared/session/session.ts';
import { useNow } from '../../shared/format/use-now.ts';
import { usePendingRows } from '../../shared/sync/use-pending-rows.ts';
import { PlanSheet } from './plan-sheet.tsx';
import { SessionList } from './session-list.tsx';
import { SessionRhythm } from './session-rhythm.tsx';
import { SessionSheet } from './session-sheet.tsx';

const NONE: readonly SharedSession[] = [];

type Props = {
  page: CirclePage;
  other: string;
  /** What a grant shows of the other's sessions. */ shared?: readonly SharedSession[];
};

/** `isUnshared`: the person shares no sessions, and the other hears of none. */
type OpenSheet = { act: 'plan' | 'write'; isUnshared: boolean };

/** When the two talk next, what became of what was planned, what was said and agreed. */
export function SessionsCard({ page: { relationship, grants }, other, shared = NONE }: Props) {
  const { t } = useTranslation('circle');
  const { user } = useSignedIn();
  const now = useNow().getTime();
  const [open, setOpen] = useState<OpenSheet | null>(null);
  const found = useLive(sessionPage(relationship.id));
  const { waits, refused } = usePendingRows('circle_sessions');
  if (!visibility[relationship.role].some(({ scope }) => scope === 'sessions')) return null;
  if (found.status === 'loading') return <SkeletonRows label={t('sessions.title')} rows={3} />;
  const { sessions, taken } = found.answer;
  const all = sessionsToShow(sessions, shared, user.id);
  const { coming, unreported, past } = sessionGroups(all, now);
  const isPerson = relationship.subject_id === user.id;
  const isActive = relationship.state === 'active';
  const begin = (act: OpenSheet['act']) => {
    const isShared = grants.some(grant => grant.scope === 'sessions' && isOpen(grant, relationship, Date.now()));
    setOpen({ act, isUnshared: isPerson && !isShared });
  };
  const list = { other, isPerson, isActive, taken: isPerson ? taken : null, waits, refused };
  const sheet = { relationshipId: relationship.id, other, onClose: () => setOpen(null) };
  return (
    <Card label={t('sessions.title')} className="parts">
      <h2 className="h2">{t('sessions.title')}</h2>
      <SessionRhythm relationship={relationship} last={lastTalk(all)} isPlanned={coming.length > 0} />
      {all.length === 0 && <p className="muted sm">{t('sessions.none', { name: other })}</p>}
      <SessionList title={t('sessions.unsaid')} sessions={unreported} {...list} />
      <SessionList title={t('sessions.coming')} sessions={coming} {...list} />
      <SessionList title={t('sessions.past')} sessions={past} {...list} />
      {isActive ? (
        <div className="row wrap">
          <Button icon={CalendarPlus} onClick={() => begin('plan')}>
            {t('sessions.plan')}
          </Button>
          <Button icon={NotebookPen} onClick={() => begin('write')}>
            {t('sessions.write')}
          </Button>
        </div>
      ) : (
        <p className="muted sm">{t('sessions.rests')}</p>
      )}
      {open?.act === 'plan' && <PlanSheet {...sheet} isUnshared={open.isUnshared} />}
      {open?.act === 'write' && <SessionSheet {...sheet} />}
    </Card>
  );
}
