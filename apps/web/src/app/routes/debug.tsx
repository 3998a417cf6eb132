import { useEffect, useMemo } from 'react';
import { useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { deviceChecks } from '../diagnostics/device-checks.ts';
import { DiagnosticsScreen } from '../diagnostics/diagnostics-screen.tsx';
import { platformBridge } from '../native/platform-bridge.ts';
import { useSession, useSessionController } from '../session/session-context.tsx';
import { LockedOutside } from '../shell/locked-outside.tsx';
import { NavigationOutside } from '../shell/navigation/navigation-outside.tsx';
import { mirrorDownload } from '../usage/mirror-download.ts';

export const texts = loadTexts('diagnostics');

export function DebugRoute() {
  return (
    <LockedOutside>
      <Diagnostics />
    </LockedOutside>
  );
}

function Diagnostics() {
  const { t } = useTranslation('diagnostics');
  const { from = '/debug' } = useSearch({ from: '/debug' });
  const controller = useSessionController();
  const session = useSession();
  const engine = session.status === 'signed_in' ? session.engine : null;
  // Outside the frame nobody else does it.
  useEffect(() => (engine ? mirrorDownload(engine) : undefined), [engine]);
  const checks = useMemo(
    () => deviceChecks({ t, controller, bridge: platformBridge(), path: from }),
    [t, controller, from],
  );
  return (
    <>
      <DiagnosticsScreen checks={checks} />
      <NavigationOutside />
    </>
  );
}
