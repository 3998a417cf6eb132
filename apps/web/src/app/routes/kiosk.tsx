import { useCallback, useMemo } from 'react';
import { Link, useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Signature } from '@cairn/core/forms/definition/form-definition.ts';
import { SealFailure } from '@cairn/sync/crypto/password-seal.ts';
import { SignatureField } from '../../features/field-ops/answers/signature-pad.tsx';
import { useLock } from '../../features/lock/lock-ports.ts';
import type { KioskMemory } from '../../features/policies/kiosk/kiosk-memory.ts';
import type { KioskPorts } from '../../features/policies/kiosk/kiosk-ports.ts';
import { KioskScreen } from '../../features/policies/kiosk/kiosk-screen.tsx';
import { KioskStartScreen } from '../../features/policies/kiosk/kiosk-start-screen.tsx';
import { deviceName } from '../../features/security/device-name.ts';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { useSignedIn } from '../../shared/session/session.ts';

export const texts = loadTexts('kiosk', 'policies', 'quiz', 'failure', 'field');

/** What a kiosk is begun with. */
export function KioskStartRoute() {
  const { t } = useTranslation('policies');
  const { ports } = useLock();
  return (
    <KioskStartScreen
      hasPassword={ports.hasKey}
      backLink={
        <Link to="/policies" className="link tap back-link">
          {t('back.company')}
        </Link>
      }
    />
  );
}

function thisDevice(): string {
  const known = deviceName(navigator.userAgent);
  return known ? `${known.browser}, ${known.system}` : '';
}

function useKioskPorts(): KioskPorts {
  const { ports } = useLock();
  const { user } = useSignedIn();
  const name = user.fullName ?? user.email;
  return useMemo(
    () => ({
      witness: { id: user.id, name },
      device: thisDevice(),
      hasPassword: ports.hasKey,
      isPassword: password =>
        ports.open(password).then(
          () => true,
          (error: unknown) => {
            if (error instanceof SealFailure) return false;
            throw error;
          },
        ),
      signInAgain: ports.signInAgain,
      renderSignature: (value, onChange, error) => (
        <SignatureField value={value as Signature | null} onChange={drawn => onChange(drawn)} error={error} />
      ),
    }),
    [ports, user.id, name],
  );
}

/** The kiosk that is on, instead of everything else of the app. */
export function KioskRoute({ owner, memory }: { owner: string; memory: KioskMemory }) {
  const router = useRouter();
  const ports = useKioskPorts();
  const left = useCallback(() => void router.navigate({ to: '/policies', replace: true }), [router]);
  return <KioskScreen owner={owner} memory={memory} ports={ports} onLeft={left} />;
}
