import { CONSUMER, subscription } from '@cairn/core/tiers/subscription.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { PlanScreen } from '../../features/spaces/plan-screen.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { useSpace } from '../../shared/session/space.ts';
import { useSwitcher } from '../space/space-provider.tsx';

export const texts = loadTexts('spaces');

export function PlanRoute() {
  const { userId } = useSpace();
  const { mayAnywhere } = useSwitcher();
  const live = useLive(subscription(userId));
  return (
    <PlanScreen mayFulfil={mayAnywhere('platform.fulfil')} known={live.status === 'ready' ? live.answer : CONSUMER} />
  );
}
