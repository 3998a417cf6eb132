import { SyncScreen } from '../../features/sync/sync-screen.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';

export const texts = loadTexts('sync');

export function SyncRoute() {
  return <SyncScreen />;
}
