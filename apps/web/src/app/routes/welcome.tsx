import { useCallback } from 'react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { firstRunSteps } from '@cairn/core/onboarding/first-run.ts';
import { WelcomeScreen } from '../../features/welcome/welcome-screen.tsx';
import { useLeaveFirstRun } from '../../features/welcome/use-leave.ts';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { removeSampleData } from '../session/remove-sample-data.ts';
import { useSessionController } from '../session/session-context.tsx';
import { useSwitcher } from '../space/space-provider.tsx';

export const texts = loadTexts('welcome');

export function WelcomeRoute() {
  const controller = useSessionController();
  const { chooseOrganization } = useSwitcher();
  const navigate = useNavigate();
  const search: { step?: string } = useSearch({ strict: false });
  const toDashboard = useCallback(() => void navigate({ to: '/dashboard' }), [navigate]);
  const leave = useLeaveFirstRun(toDashboard);
  return (
    <WelcomeScreen
      wanted={firstRunSteps.find(step => step === search.step) ?? null}
      openOrganization={chooseOrganization}
      removeSampleCompany={id => removeSampleData(controller, id)}
      onLeave={() => leave.run()}
      leaving={leave.failure}
    />
  );
}
