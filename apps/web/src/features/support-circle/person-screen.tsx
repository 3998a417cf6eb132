import type { ReactNode } from 'react';
import { RefreshCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { circlePage, type CirclePage } from '@cairn/core/support-circle/queries.ts';
import type { SharedCopies } from '@cairn/sync/files/shared-copies.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { formatDay, formatTime } from '../../shared/format/format.ts';
import { useSignedIn } from '../../shared/session/session.ts';
import { ActingCard } from './acting-card.tsx';
import { ActsCard } from './acts-card.tsx';
import { useCircleLabels } from './circle-labels.ts';
import type { CountersignPorts } from './countersign-ports.ts';
import { GrantsCard } from './grants-card.tsx';
import { MessagesCard } from './messages-card.tsx';
import { PrincipleCard } from './principle-card.tsx';
import { SessionsCard } from './sessions-card.tsx';
import { SharedPartCard } from './shared-parts.tsx';
import { RelationshipCard } from './relationship-card.tsx';
import { useSharedView } from './use-shared-view.ts';
import './support-circle.css';

type Props = {
  relationshipId: string;
  /** The copies of what others granted, as this device keeps them; the same function on every render. */
  copies: () => Promise<SharedCopies>;
  /** What a principle to countersign is read and signed with. */
  ports: CountersignPorts;
  backLink: ReactNode;
  onEnded: () => void;
};

/** One person of the circle: what they may see of oneself, or what oneself may see of them. */
export function PersonScreen({ relationshipId, copies, ports, backLink, onEnded }: Props) {
  const { t } = useTranslation('circle');
  const { user } = useSignedIn();
  const words = useCircleLabels();
  const found = useLive(circlePage(relationshipId));
  if (found.status === 'loading') return <SkeletonRows label={t('loading')} />;
  const page = found.answer;
  if (!page || page.relationship.state === 'ended') {
    return (
      <div className="parts foot-room">
        {backLink}
        <EmptyState level={1} title={t('gone.title')}>
          {t('gone.text')}
        </EmptyState>
      </div>
    );
  }
  const { relationship } = page;
  const isMine = relationship.subject_id === user.id;
  const other = (isMine ? relationship.helper_name : relationship.subject_name) ?? t('unnamed');
  return (
    <div className="parts foot-room">
      {backLink}
      <div className="page-head">
        <div>
          <h1 className="h1">{other}</h1>
          <p className="muted">
            {t(isMine ? 'asMine' : 'asTheirs', { role: words.role(relationship.role) })}
            {relationship.purpose && ` · ${relationship.purpose}`}
          </p>
        </div>
      </div>
      <div className="parts circle-columns">
        <div className="parts">
          {isMine ? (
            <>
              <GrantsCard page={page} other={other} />
              <SessionsCard page={page} other={other} />
            </>
          ) : (
            <Shared page={page} other={other} copies={copies} ports={ports} />
          )}
        </div>
        <div className="parts">
          <MessagesCard page={page} other={other} />
          <ActsCard page={page} />
          <RelationshipCard relationship={relationship} other={other} onEnded={onEnded} />
        </div>
      </div>
    </div>
  );
}

type SharedProps = Pick<Props, 'copies' | 'ports'> & { page: CirclePage; other: string };

function Shared({ page, other, copies, ports }: SharedProps) {
  const { t } = useTranslation('circle');
  const { status, view, isCopy, refresh } = useSharedView(page, copies);
  if (status === 'loading') return <SkeletonRows label={t('loading')} />;
  const at = view && new Date(view.at);
  const parts = view?.parts ?? [];
  const sessions = parts.flatMap(part => (part.scope === 'sessions' ? part.data : []));
  return (
    <>
      <div className="row wrap between">
        <p className="muted sm">
          {at && t('shared.at', { day: formatDay(at), time: formatTime(at) })} {t('shared.logged', { name: other })}
        </p>
        <Button size="sm" icon={RefreshCw} onClick={refresh}>
          {t('shared.refresh')}
        </Button>
      </div>
      {isCopy && <Banner title={t('shared.copy')}>{t('shared.copyText', { name: other })}</Banner>}
      {parts.length === 0 && (
        <EmptyState title={t('shared.none')}>
          {t(page.relationship.state === 'paused' ? 'shared.paused' : 'shared.noneText', { name: other })}
        </EmptyState>
      )}
      {parts.map(part =>
        part.scope === 'sessions' ? null : part.scope === 'principles' ? (
          <PrincipleCard key={part.grant_id} part={part} other={other} ports={ports} />
        ) : part.scope === 'tasks' && part.level === 'act' && !isCopy ? (
          <ActingCard
            key={part.grant_id}
            part={part}
            relationshipId={page.relationship.id}
            other={other}
            onDone={refresh}
          />
        ) : (
          <SharedPartCard key={part.grant_id} part={part} />
        ),
      )}
      <SessionsCard page={page} other={other} shared={sessions} />
    </>
  );
}
