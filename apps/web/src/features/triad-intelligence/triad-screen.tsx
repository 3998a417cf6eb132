import type { ReactNode } from 'react';
import { Lock, WifiOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { CircleEntry } from '@cairn/core/support-circle/queries.ts';
import { triadPage, type OwnBrief, type TriadPage } from '@cairn/core/triad-intelligence/queries.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { useSignedIn } from '../../shared/session/session.ts';
import { useSpace } from '../../shared/session/space.ts';
import { useSyncStatus } from '../../shared/sync/use-sync-status.ts';
import { ApprovalCard } from './approval-card.tsx';
import type { SourceLinks } from './brief-line-view.tsx';
import { useBriefTexts } from './brief-texts.ts';
import { HistoryCard } from './history-card.tsx';
import { ReceivedCard } from './received-card.tsx';
import { ReviewCard } from './review-card.tsx';
import './triad.css';

type Props = { title: string; links: SourceLinks; circleLink: ReactNode };

/** Weekly briefs: one's own, those to look through, those that were sent. They belong to the person, not to the open organisation. */
export function TriadScreen({ title, links, circleLink }: Props) {
  const { t } = useTranslation('triad');
  const { user } = useSignedIn();
  const { world, organization } = useSpace();
  const isOffline = useSyncStatus()?.online === false;
  const found = useLive(triadPage(user.id));
  return (
    <div className="parts foot-room triad">
      <div className="page-head">
        <div>
          <h1 className="h1">{title}</h1>
          <p className="muted sm">{t('kicker')}</p>
        </div>
        <div className="row wrap">{circleLink}</div>
      </div>
      {world === 'company' && (
        <Banner icon={Lock} title={t('place.title')}>
          {t('place.text', { organisation: organization.name })}
        </Banner>
      )}
      {isOffline && (
        <Banner icon={WifiOff} title={t('offline.title')}>
          {t('offline.text')}
        </Banner>
      )}
      {found.status === 'loading' ? <SkeletonRows label={t('loading')} /> : <Page page={found.answer} links={links} />}
    </div>
  );
}

const isDecided = ({ brief }: OwnBrief): boolean => brief.state !== 'review' && brief.state !== 'approval';

function Page({ page, links }: { page: TriadPage; links: SourceLinks }) {
  const { t } = useTranslation('triad');
  const { own, received, operated, operators } = page;
  if (own.length + received.length + operated.length + operators.length === 0) {
    return <EmptyState title={t('empty.title')}>{t('empty.text')}</EmptyState>;
  }
  const toApprove = own.filter(({ brief }) => brief.state === 'approval');
  const isWaiting = operators.length > 0 && toApprove.length === 0;
  return (
    <div className="parts columns triad-columns">
      {(toApprove.length > 0 || operated.length > 0 || isWaiting) && (
        <div className="parts">
          {toApprove.map(each => (
            <ApprovalCard key={each.brief.id} own={each} page={page} links={links} />
          ))}
          {operated.map(each => (
            <ReviewCard key={each.relationship.id} operated={each} links={links} />
          ))}
          {isWaiting && <WaitingCard operators={operators} own={own} />}
        </div>
      )}
      <div className="parts">
        <ReceivedCard received={received} links={links} />
        <HistoryCard briefs={own.filter(isDecided)} links={links} />
      </div>
    </div>
  );
}

/** Where the person's own brief is while there is nothing for them to decide. */
function WaitingCard({ operators, own }: { operators: readonly CircleEntry[]; own: readonly OwnBrief[] }) {
  const { t } = useTranslation('triad');
  const words = useBriefTexts();
  return (
    <Card label={t('waiting.title')} className="parts">
      <h2 className="h2">{t('waiting.title')}</h2>
      {operators.map(({ relationship, grants }) => {
        const name = relationship.helper_name ?? t('unnamed');
        const held = own.find(({ brief }) => brief.relationship_id === relationship.id && brief.state === 'review');
        const week = held && words.week(held.brief.week);
        return (
          <p key={relationship.id} className="sm">
            {week !== undefined
              ? t('waiting.review', { name, week })
              : t(grants.length === 0 ? 'waiting.nothing' : 'waiting.ready', { name })}
          </p>
        );
      })}
    </Card>
  );
}
