import { SyncScreen } from '../../features/sync/sync-screen.tsx';
import { sync } from '../../shared/i18n/en/sync.ts';
import { addTexts } from '../../shared/i18n/start-i18n.ts';

addTexts('sync', sync);

export function SyncRoute() {
  return <SyncScreen />;
}
