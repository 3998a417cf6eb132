import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { organizationMembers } from '@cairn/core/spaces/members.ts';
import { CONSUMER, subscription, type SubscriptionInfo } from '@cairn/core/tiers/subscription.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { StateBlock } from '@cairn/ui/feedback/state-block.tsx';
import { useSpace } from '../../shared/session/space.ts';
import { usePack } from './use-market.ts';

/** What a person may do in the marketplace: the permission and the tier's ability, both. */
export type MarketRights = { mayInstall: boolean; mayMake: boolean; mayReview: boolean };

export function useTier(): SubscriptionInfo {
  const { userId } = useSpace();
  const live = useLive(subscription(userId));
  return live.status === 'ready' ? live.answer : CONSUMER;
}

/** @param mayReview whether the person looks after listings of the platform */
export function useMarketRights(mayReview: boolean): MarketRights {
  const { may } = useSpace();
  const tier = useTier();
  return {
    mayInstall: may('marketplace.access') && tier.canAccessMarketplace,
    mayMake: may('content.manage') && tier.canCreateContent,
    mayReview,
  };
}

/** The marketplace for whoever it is open to; everybody else reads who can install packs, and how to ask. */
export function MarketGate({ rights, children }: { rights: MarketRights; children: ReactNode }) {
  return isOpenTo(rights) ? children : <Closed />;
}

const isOpenTo = ({ mayInstall, mayMake, mayReview }: MarketRights): boolean => mayInstall || mayMake || mayReview;

type PackGateProps = { packId: string; rights: MarketRights; missing: ReactNode; children: ReactNode };

/** As `MarketGate`, for the screens of one pack: of one that is not offered to a person, `missing` says so to everybody. */
export function PackGate({ packId, rights, missing, children }: PackGateProps) {
  const { data } = usePack(packId);
  if (isOpenTo(rights)) return children;
  return data?.length === 0 ? missing : <Closed />;
}

function Closed() {
  const { t } = useTranslation('marketplace');
  const { organization } = useSpace();
  const live = useLive(organizationMembers(organization.id));
  const admins = live.status === 'ready' ? live.answer.members.filter(({ role }) => role === 'admin') : [];
  const names = admins.flatMap(({ name }) => name ?? []).join(', ');
  return (
    <StateBlock state="not-allowed" level={1} title={t('notAllowed')}>
      {names === '' ? t('notAllowedText') : t('notAllowedNames', { names })}
    </StateBlock>
  );
}
