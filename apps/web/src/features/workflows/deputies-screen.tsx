import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Plus } from 'lucide-react';
import { DECIDING, delegations, type ListedDelegation } from '@cairn/core/approvals/delegations.ts';
import { holdersOfAny } from '@cairn/core/approvals/approvals.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { StateBlock } from '@cairn/ui/feedback/state-block.tsx';
import { Card, CardHead, List } from '@cairn/ui/layout/surface.tsx';
import { useSpace } from '../../shared/session/space.ts';
import { useNow } from '../../shared/format/use-now.ts';
import { DelegationRow } from './delegation-row.tsx';
import { DeputySheet } from './deputy-sheet.tsx';
import { useWorkflowFlags } from './use-workflow-flags.ts';
import './workflows.css';

/** Who decides in whose name while somebody is away. */
export function DeputiesScreen({ backLink }: { backLink: ReactNode }) {
  const { t } = useTranslation('workflows');
  const { organization, userId, may } = useSpace();
  const now = useNow();
  const flags = useWorkflowFlags();
  const live = useLive(delegations({ organizationId: organization.id, userId, now: now.toISOString() }));
  const people = useLive(holdersOfAny(DECIDING, organization.id));
  const [adding, setAdding] = useState(false);
  if (live.status !== 'ready' || people.status !== 'ready') return <SkeletonRows label={t('deputies.loading')} />;
  const { own, asDeputy, others } = live.answer;
  const decides = people.answer.some(({ id }) => id === userId);
  const mayAdd = flags.delegation && (decides || may('people.manage'));
  return (
    <div className="parts foot-room workflow-page">
      {backLink}
      <div className="page-head">
        <h1 className="h1">{t('deputies.title')}</h1>
        {mayAdd && (
          <Button variant="primary" icon={Plus} onClick={() => setAdding(true)}>
            {t('deputies.add')}
          </Button>
        )}
      </div>
      <p className="muted workflow-text">{t('deputies.text')}</p>
      {!flags.delegation && (
        <StateBlock state="not-allowed" title={t('deputies.closed')}>
          {t('deputies.closedText')}
        </StateBlock>
      )}
      {asDeputy.length > 0 && <Part title={t('deputies.asDeputy')} rows={asDeputy} />}
      {own.length > 0 && <Part title={t('deputies.own')} rows={own} />}
      {flags.delegation && own.length === 0 && (
        <EmptyState title={t(decides ? 'deputies.empty' : 'deputies.nothing')}>
          {t(decides ? 'deputies.emptyText' : 'deputies.nothingText')}
        </EmptyState>
      )}
      {others.length > 0 && <Part title={t('deputies.others')} rows={others} />}
      {adding && <DeputySheet people={people.answer} known={live.answer} onClose={() => setAdding(false)} />}
    </div>
  );
}

function Part({ title, rows }: { title: string; rows: readonly ListedDelegation[] }) {
  return (
    <Card flush label={title}>
      <CardHead title={title} />
      <List>
        {rows.map(listed => (
          <DelegationRow key={listed.delegation.id} listed={listed} />
        ))}
      </List>
    </Card>
  );
}
