import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import {
  FINDING_VIEWS,
  findingList,
  membershipEnd,
  viewOfFinding,
  type FindingView,
} from '@cairn/core/findings/queries.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Segmented } from '@cairn/ui/controls/choice.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { StateBlock } from '@cairn/ui/feedback/state-block.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { VirtualRows } from '@cairn/ui/data/virtual-rows.tsx';
import { useFormat } from '../../shared/format/format.ts';
import { useSpace } from '../../shared/session/space.ts';
import { FindingFace } from './finding-labels.tsx';
import './findings.css';

type Props = {
  backLink: ReactNode;
  /** A way to let an auditor in. */
  invite: ReactNode;
  /** Links to where there is something to look at. */
  ways: ReactNode;
  renderFinding: (id: string, face: ReactNode) => ReactNode;
};

/** Where an audit happens: until when one sees this, where to look, and what was found. */
export function AuditorPage({ backLink, invite, ways, renderFinding }: Props) {
  const { t } = useTranslation('findings');
  const { organization, may, userId } = useSpace();
  const live = useLive(findingList(organization.id));
  const [chosen, setChosen] = useState<FindingView | null>(null);
  const rows = live.status === 'ready' ? live.answer : [];
  const isReader = may('evidence.read');
  if (!isReader && live.status === 'ready' && rows.length === 0)
    return (
      <StateBlock state="not-allowed" title={t('notAllowed')} level={1}>
        {t('notAllowedText')}
      </StateBlock>
    );
  const count = (view: FindingView) => rows.filter(row => viewOfFinding(row) === view).length;
  const view = chosen ?? FINDING_VIEWS.find(each => count(each) > 0) ?? 'waiting';
  const shown = rows.filter(row => viewOfFinding(row) === view);
  return (
    <div className="parts foot-room">
      {backLink}
      <div className="page-head">
        <h1 className="h1">{t('title')}</h1>
        {invite}
      </div>
      <AuditorStatus organizationId={organization.id} userId={userId} />
      {isReader && (
        <nav className="findings-ways" aria-label={t('room.ways')}>
          {ways}
        </nav>
      )}
      <h2 className="h2">{t('list')}</h2>
      <Segmented
        label={t('views.label')}
        value={view}
        onChange={value => setChosen(FINDING_VIEWS.find(each => each === value) ?? null)}
        options={FINDING_VIEWS.map(value => ({
          value,
          label: count(value) > 0 ? `${t(`views.${value}`)} (${count(value)})` : t(`views.${value}`),
        }))}
      />
      {live.status === 'loading' && <SkeletonRows label={t('loading')} />}
      {live.status === 'ready' && shown.length === 0 && (
        <EmptyState title={t(`empty.${view}`)} level={3}>
          {t(`empty.${view}Text`)}
        </EmptyState>
      )}
      {shown.length > 0 && (
        <Card flush>
          <VirtualRows
            key={view}
            rows={shown}
            estimate={68}
            label={t('list')}
            renderRow={row => renderFinding(row.id, <FindingFace finding={row} />)}
          />
        </Card>
      )}
    </div>
  );
}

/** To somebody whose membership ends: until when, and what they may do. */
function AuditorStatus({ organizationId, userId }: { organizationId: string; userId: string }) {
  const { t } = useTranslation('findings');
  const { may } = useSpace();
  const { formatInstant } = useFormat();
  const live = useLive(membershipEnd(organizationId, userId));
  const end = live.status === 'ready' ? live.answer : null;
  if (end === null) return null;
  return (
    <Banner tone="info" title={t('room.until', { when: formatInstant(new Date(end)) })}>
      {may('finding.raise') && !may('finding.answer') && t('room.readOnly')}
    </Banner>
  );
}
