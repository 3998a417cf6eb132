import { useSearch } from '@tanstack/react-router';
import { MembersScreen } from '../../features/spaces/members-screen.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { useModuleLabel } from '../shell/navigation/use-labels.ts';

export const texts = loadTexts('spaces');

export function MembersRoute() {
  const { member } = useSearch({ from: '/signed-in/members' });
  // A key: whoever is found while the list stands open is shown as well.
  return <MembersScreen key={member} title={useModuleLabel('members')} shown={member ?? null} />;
}
