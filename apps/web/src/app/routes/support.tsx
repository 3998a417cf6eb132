import { SupportScreen } from '../../features/spaces/support-screen.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { useSwitcher } from '../space/space-provider.tsx';

export const texts = loadTexts('spaces');

export function SupportRoute() {
  return <SupportScreen mayRead={useSwitcher().mayAnywhere('platform.support')} />;
}
