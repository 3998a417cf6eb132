import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Proposal } from '@cairn/core/action-items/recurrence-queries.ts';
import type { Colleague } from '@cairn/core/spaces/colleagues.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { ProposalCard } from './proposal-card.tsx';

type Props = {
  proposals: readonly Proposal[];
  people: readonly Colleague[];
  renderAction: (id: string, face: ReactNode) => ReactNode;
};

/** Above the list of action items: what recurs among them, the newest first; the rest when asked. */
export function Proposals({ proposals, people, renderAction }: Props) {
  const { t } = useTranslation('actions');
  const [all, setAll] = useState(false);
  const left = proposals.length - 1;
  return (
    <div className="stack again-list">
      {(all ? proposals : proposals.slice(0, 1)).map(proposal => (
        <ProposalCard
          key={`${proposal.about} ${proposal.assetId} ${proposal.siteId}`}
          proposal={proposal}
          people={people}
          renderAction={renderAction}
        />
      ))}
      {!all && left > 0 && <Button onClick={() => setAll(true)}>{t('again.more', { count: left })}</Button>}
    </div>
  );
}
