import { MembersScreen } from '../../features/spaces/members-screen.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { useModuleLabel } from '../shell/use-labels.ts';

export const texts = loadTexts('spaces');

export function MembersRoute() {
  return <MembersScreen title={useModuleLabel('members')} />;
}
