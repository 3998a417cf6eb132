import { useMemo } from 'react';
import { useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { deviceChecks } from '../diagnostics/device-checks.ts';
import { DiagnosticsScreen } from '../diagnostics/diagnostics-screen.tsx';
import { platformBridge } from '../native/platform-bridge.ts';
import { useSessionController } from '../session/session-context.tsx';
import { NavigationOutside } from '../shell/navigation-outside.tsx';

export const texts = loadTexts('diagnostics');

export function DebugRoute() {
  const { t } = useTranslation('diagnostics');
  const { from = '/debug' } = useSearch({ from: '/debug' });
  const controller = useSessionController();
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
