import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import {
  readSubscription,
  workflowFlags,
  type SubscriptionAnswer,
  type SubscriptionInfo,
  type TierRow,
} from '@cairn/core/tiers/subscription.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Facts } from '@cairn/ui/data/facts.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Pill } from '@cairn/ui/feedback/pill.tsx';
import { ProgressBar } from '@cairn/ui/feedback/progress.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { useSpace } from '../../shared/session/space.ts';
import type { ServerCalls } from '../../shared/server/server-calls.ts';
import { PurchaseRequests } from './purchase-requests.tsx';
import { useServerAction, useServerQuery } from './use-server.ts';
import './spaces.css';

type Quota = { limit: number; used: number; bought: number; remaining: number };
type PlanRow = TierRow & { media_search: Quota; video_credits: Quota };
type Plan = SubscriptionAnswer & { quotas: { search: Quota; credits: Quota } | null };

/** Reads the tier; where that fails the answer says so, and what holds then is personal consumer (R8.43–R8.45). */
async function readPlan(calls: ServerCalls, why: 'load' | 'refresh'): Promise<Plan> {
  let row: PlanRow | null = null;
  const answer = await readSubscription(async () => {
    row = await calls.call<PlanRow>('get_subscription_info');
    return row;
  }, why);
  const read = row as PlanRow | null;
  return { ...answer, quotas: read && { search: read.media_search, credits: read.video_credits } };
}

function usePlan() {
  const [why, setWhy] = useState<'load' | 'refresh'>('load');
  const query = useServerQuery(
    ['plan', why],
    useCallback((calls: ServerCalls) => readPlan(calls, why), [why]),
  );
  const refresh = () => (why === 'load' ? setWhy('refresh') : void query.refetch());
  return { query, refresh };
}

type Props = {
  /** Whether the person decides over requests for credits. */
  mayFulfil: boolean;
  /** What the copy on this device says; shown until the server has answered. */
  known: SubscriptionInfo;
};

/** The person's tier: what it allows, what is left of it this month, and more credits. */
export function PlanScreen({ mayFulfil, known }: Props) {
  const { t } = useTranslation('spaces');
  const { query, refresh } = usePlan();
  const isPaused = query.fetchStatus === 'paused' && query.data === undefined;
  const info = query.data?.info ?? known;
  return (
    <div className="spaces">
      <header className="page-head">
        <h1 className="h1">{t('plan.title')}</h1>
        <Button busy={query.isFetching && !isPaused} onClick={refresh}>
          {t('plan.refresh')}
        </Button>
      </header>
      {query.data?.failure && (
        <Banner tone="warn" title={t(`plan.unread.${query.data.failure}`)}>
          {t('plan.fallback')}
        </Banner>
      )}
      {isPaused && <Banner title={t('server.offline')}>{t('plan.offline')}</Banner>}
      <TierCard info={info} />
      {query.data?.quotas && <QuotaCard info={info} quotas={query.data.quotas} />}
      {query.status === 'pending' && !isPaused && <SkeletonRows label={t('loading')} rows={2} />}
      {info.aiMediaLimits.canBuyMore && <BuyCredits />}
      <PurchaseRequests mayFulfil={mayFulfil} />
    </div>
  );
}

function TierCard({ info }: { info: SubscriptionInfo }) {
  const { t } = useTranslation('spaces');
  const { aiMediaLimits: media } = info;
  const { world, organization } = useSpace();
  const { certifications } = workflowFlags(world, organization.plan);
  const yes = (is: boolean) => t(is ? 'plan.yes' : 'plan.no');
  const facts = [
    [t('plan.create'), yes(info.canCreateContent)],
    [t('plan.marketplace'), yes(info.canAccessMarketplace)],
    [t('plan.earn'), yes(info.canEarnRevenue)],
    [t('plan.certifications'), yes(certifications)],
    [t('plan.sources'), media.sources.map(source => sourceName(source, t('plan.internal'))).join(', ')],
    [t('plan.recommend'), yes(media.autoRecommendations)],
    [t('plan.video'), yes(media.videoGeneration)],
    [t('plan.enhance'), yes(media.canEnhanceVideos)],
    [t('plan.transcribe'), yes(media.autoTranscribe)],
  ] as const;
  return (
    <Card label={t(`plan.tiers.${info.tier}`)}>
      <div className="spaces-form">
        <div className="row wrap">
          <h2 className="h2">{t(`plan.tiers.${info.tier}`)}</h2>
          <Pill tone={info.hasActiveSubscription ? 'good' : 'neutral'}>
            {t(info.hasActiveSubscription ? 'plan.active' : 'plan.inactive')}
          </Pill>
        </div>
        <Facts look="under" facts={facts} />
      </div>
    </Card>
  );
}

const NAMES: Readonly<Record<string, string>> = { youtube: 'YouTube', vimeo: 'Vimeo' };
const sourceName = (source: string, internal: string): string => NAMES[source] ?? internal;

function QuotaCard({ info, quotas }: { info: SubscriptionInfo; quotas: NonNullable<Plan['quotas']> }) {
  const { t } = useTranslation('spaces');
  const { search, credits } = quotas;
  return (
    <Card label={t('plan.month')}>
      <div className="spaces-form">
        <h2 className="h2">{t('plan.month')}</h2>
        <ProgressBar
          label={t('plan.search')}
          figure={t('plan.of', { used: search.used, limit: info.aiMediaLimits.searchQuota })}
          value={search.used}
          max={search.limit}
        />
        <ProgressBar
          label={t('plan.credits')}
          figure={t('plan.of', { used: credits.used, limit: info.aiMediaLimits.monthlyVideoCredits })}
          value={credits.used}
          max={credits.limit}
        />
        {credits.bought > 0 && <p className="muted sm">{t('plan.bought', { count: credits.bought })}</p>}
      </div>
    </Card>
  );
}

const CHANGES = ['purchases', 'plan'];

function BuyCredits() {
  const { t } = useTranslation('spaces');
  const [amount, setAmount] = useState('10');
  // The same request, pressed twice or sent again after a lost answer, is one request.
  const [id, setId] = useState(newId);
  const ask = useCallback(
    async (calls: ServerCalls) => {
      await calls.call('request_purchase', { p_id: id, p_amount: Number(amount) });
      setId(newId());
    },
    [amount, id],
  );
  const words = useMemo(
    () =>
      ({ code }: { code: string }) =>
        code === '22023' ? t('plan.amountWrong') : null,
    [t],
  );
  const asking = useServerAction(ask, { operation: t('plan.request'), changes: CHANGES, words });
  return (
    <Card label={t('plan.more')}>
      <div className="spaces-form">
        <h2 className="h2">{t('plan.more')}</h2>
        <p className="muted sm">{t('plan.moreText')}</p>
        <Input
          type="number"
          min={1}
          max={1000}
          label={t('plan.amount')}
          value={amount}
          onChange={event => setAmount(event.target.value)}
        />
        {asking.problem && <Banner tone="bad" title={asking.problem} />}
        <Button busy={asking.busy} onClick={() => void asking.run()}>
          {t('plan.request')}
        </Button>
      </div>
    </Card>
  );
}
