import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Card, CardHead, List, Row } from '@cairn/ui/layout/surface.tsx';
import { useFormat } from '../../shared/format/format.ts';
import type { ServerCalls } from '../../shared/server/server-calls.ts';
import { useSpace } from '../../shared/session/space.ts';
import { useServerAction, useServerQuery } from './use-server.ts';

type Request = {
  id: string;
  user_id: string;
  amount: number;
  state: 'requested' | 'fulfilled' | 'declined' | 'cancelled';
  requested_at: string;
};

const CHANGES = ['purchases', 'plan'];
const fulfilOne = (calls: ServerCalls, id: string) => calls.call('decide_purchase', { p_id: id, p_fulfil: true });
const declineOne = (calls: ServerCalls, id: string) => calls.call('decide_purchase', { p_id: id, p_fulfil: false });
const cancelOne = (calls: ServerCalls, id: string) => calls.call('cancel_purchase', { p_id: id });

/** Requests for credits: one's own, and for an administrator those of everybody that wait. */
export function PurchaseRequests({ mayFulfil }: { mayFulfil: boolean }) {
  const { t } = useTranslation('spaces');
  const { userId } = useSpace();
  const query = useServerQuery(
    ['purchases', userId],
    useCallback(
      (calls: ServerCalls) => calls.rows<Request>({ table: 'purchase_requests', filter: {}, newestBy: 'requested_at' }),
      [],
    ),
  );
  const all = query.data ?? [];
  const own = all.filter(({ user_id: who }) => who === userId);
  const others = mayFulfil ? all.filter(one => one.user_id !== userId && one.state === 'requested') : [];
  const mine = mayFulfil ? own.filter(({ state }) => state !== 'requested') : own;
  const waiting = mayFulfil ? [...own.filter(({ state }) => state === 'requested'), ...others] : [];
  return (
    <>
      {waiting.length > 0 && <RequestList title={t('plan.toDecide')} requests={waiting} mayFulfil />}
      {mine.length > 0 && <RequestList title={t('plan.requests')} requests={mine} mayFulfil={false} />}
    </>
  );
}

type ListProps = { title: string; requests: readonly Request[]; mayFulfil: boolean };

function RequestList({ title, requests, mayFulfil }: ListProps) {
  const { t } = useTranslation('spaces');
  const { formatInstant } = useFormat();
  const fulfilling = useServerAction(fulfilOne, { operation: t('plan.fulfil'), changes: CHANGES });
  const declining = useServerAction(declineOne, { operation: t('plan.decline'), changes: CHANGES });
  const cancelling = useServerAction(cancelOne, { operation: t('plan.cancel'), changes: CHANGES });
  const deciding = fulfilling.busy || declining.busy;
  const problem = fulfilling.problem ?? declining.problem ?? cancelling.problem;
  const actsOf = ({ id, state }: Request) => {
    if (state !== 'requested') return null;
    if (!mayFulfil)
      return (
        <Button size="sm" variant="plain" busy={cancelling.busy} onClick={() => void cancelling.run(id)}>
          {t('plan.cancel')}
        </Button>
      );
    return (
      <span className="spaces-acts">
        <Button size="sm" variant="primary" busy={deciding} onClick={() => void fulfilling.run(id)}>
          {t('plan.fulfil')}
        </Button>
        <Button size="sm" variant="plain" busy={deciding} onClick={() => void declining.run(id)}>
          {t('plan.decline')}
        </Button>
      </span>
    );
  };
  return (
    <Card flush label={title}>
      <CardHead title={title} />
      {problem && <Banner tone="bad" title={problem} />}
      <List label={title}>
        {requests.map(request => (
          <Row
            key={request.id}
            title={t('plan.amountOf', { count: request.amount })}
            detail={[t(`plan.states.${request.state}`), formatInstant(new Date(request.requested_at))].join(' · ')}
            end={actsOf(request)}
          />
        ))}
      </List>
    </Card>
  );
}
