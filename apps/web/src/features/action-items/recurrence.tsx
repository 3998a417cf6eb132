import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { recurrencesAt, type ActionRecurrences } from '@cairn/core/action-items/recurrence-queries.ts';
import type { Colleague } from '@cairn/core/spaces/colleagues.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Card, List } from '@cairn/ui/layout/surface.tsx';
import { useFormat } from '../../shared/format/format.ts';
import { useSpace } from '../../shared/session/space.ts';
import { useToday } from '../../shared/format/use-today.ts';
import type { Action } from './action-screen-queries.ts';
import { ProposalCard } from './proposal-card.tsx';
import { SourceRow } from './source-row.tsx';

type Props = {
  item: Action;
  people: readonly Colleague[];
  renderAction: (id: string, face: ReactNode) => ReactNode;
};

/** Whether it went wrong before, what was decided about that, and of a measure what it answers. */
export function Recurrence({ item, people, renderAction }: Props) {
  const { t } = useTranslation('actions');
  const { may } = useSpace();
  const today = useToday();
  const found = useLive(recurrencesAt(item, `${today}T12:00:00Z`, may('action.manage')));
  if (found.status !== 'ready') return null;
  const { proposals, decisions, answers } = found.answer;
  return (
    <>
      {proposals.map(proposal => (
        <ProposalCard
          key={`${proposal.about} ${proposal.assetId}`}
          proposal={proposal}
          people={people}
          renderAction={renderAction}
        />
      ))}
      {decisions.map(each => (
        <DecisionCard key={each.decision.id} {...each} people={people} renderAction={renderAction} />
      ))}
      {answers.length > 0 && (
        <Card className="stack again" label={t('again.answers')}>
          <h2 className="h2">{t('again.answers')}</h2>
          <List label={t('again.sources')}>
            {answers.map(source => (
              <SourceRow key={source.id} item={source} renderAction={renderAction} />
            ))}
          </List>
        </Card>
      )}
    </>
  );
}

type DecisionProps = ActionRecurrences['decisions'][number] & Omit<Props, 'item'>;

/** What was decided about a recurrence, by whom and when. */
function DecisionCard({ decision, measure, people, renderAction }: DecisionProps) {
  const { t } = useTranslation('actions');
  const { formatInstant } = useFormat();
  const title = t(`again.decided.${decision.decision}`);
  const name = people.find(({ id }) => id === decision.created_by)?.name ?? t('somebody');
  return (
    <Card className="stack again" label={title}>
      <h2 className="h2">{title}</h2>
      {decision.reason !== null && <p className="action-words">{decision.reason}</p>}
      {measure && (
        <List>
          <SourceRow item={measure} renderAction={renderAction} />
        </List>
      )}
      <p className="sm muted">{t('outcome.by', { name, when: formatInstant(new Date(decision.decided_at)) })}</p>
    </Card>
  );
}
