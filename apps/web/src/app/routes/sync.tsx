import { SubmittedSection } from '../../features/sync/rescue/submitted-section.tsx';
import { SyncScreen } from '../../features/sync/sync-screen.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { addressOf } from './sync-addresses.ts';

export const texts = loadTexts('sync', 'rescue', 'recordLabels', 'failure');

export function SyncRoute() {
  return <SyncScreen addressOf={addressOf} given={<SubmittedSection />} />;
}
