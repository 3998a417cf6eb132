import { useMemo } from 'react';
import { Link } from '@tanstack/react-router';
import { buttonClass } from '@cairn/ui/button.tsx';
import { SecurityScreen } from '../../features/security/security-screen.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { useSignedIn } from '../../shared/session.ts';
import { returnAddress } from '../session/return-address.ts';
import { useSessionController } from '../session/session-context.tsx';
import { signOutEverywhere } from '../session/sign-out-everywhere.ts';

export const texts = loadTexts('security', 'authSteps');

export function SecurityRoute() {
  const controller = useSessionController();
  const { user } = useSignedIn();
  const parts = useMemo(
    () => ({
      flows: controller.flows,
      email: user.email,
      signOutEverywhere: () => signOutEverywhere(controller),
      returnTo: returnAddress('/security'),
    }),
    [controller, user.email],
  );
  return (
    <SecurityScreen
      parts={parts}
      renderChangeLink={words => (
        <Link to="/settings" className={buttonClass({ variant: 'plain' })}>
          {words}
        </Link>
      )}
    />
  );
}
