import { Link } from '@tanstack/react-router';
import { buttonClass } from '@cairn/ui/controls/button.tsx';
import { linkClass } from '@cairn/ui/controls/text-link.tsx';
import { OtherWays } from '../../features/auth/other-ways.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { returnAddress } from '../session/auth/return-address.ts';
import { useSessionController } from '../session/session-context.tsx';

export const texts = loadTexts('authSteps');

/** What stands under the sign-in form. */
export function AuthExtras({ from }: { from: string | undefined }) {
  const { flows } = useSessionController();
  const search = from === undefined ? {} : { from };
  return (
    <OtherWays
      flows={flows}
      returnTo={returnAddress(from)}
      renderCodeLink={words => (
        <Link to="/auth/$step" params={{ step: 'code' }} search={search} className={buttonClass({ block: true })}>
          {words}
        </Link>
      )}
      renderPhoneLink={words => (
        <Link to="/auth/$step" params={{ step: 'phone' }} search={search} className={buttonClass({ block: true })}>
          {words}
        </Link>
      )}
      renderSignUpLink={words => (
        <Link to="/auth/$step" params={{ step: 'sign-up' }} search={search} className={linkClass}>
          {words}
        </Link>
      )}
    />
  );
}
