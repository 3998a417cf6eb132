import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { MinimalScreen } from '../diagnostics/minimal-screen.tsx';
import { useSession } from '../session/session-context.tsx';
import { NavigationOutside } from '../shell/navigation/navigation-outside.tsx';

export const texts = loadTexts('diagnostics');

export function MinimalRoute() {
  return (
    <>
      <MinimalScreen isSignedIn={useSession().status === 'signed_in'} />
      <NavigationOutside />
    </>
  );
}
