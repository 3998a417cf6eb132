import { PlaybooksScreen } from '../../features/spaces/playbooks-screen.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { useSwitcher } from '../space/space-provider.tsx';

export const texts = loadTexts('spaces');

export function PlaybooksRoute() {
  const { organizations, choosePlaybook } = useSwitcher();
  return (
    <PlaybooksScreen organizations={organizations.map(({ organization }) => organization)} onOpen={choosePlaybook} />
  );
}
