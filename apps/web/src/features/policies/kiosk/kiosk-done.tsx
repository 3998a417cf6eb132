import { useTranslation } from 'react-i18next';
import { Button } from '@cairn/ui/controls/button.tsx';
import { StoneArt } from '@cairn/ui/feedback/stone.tsx';
import { useSendState } from '../../../shared/sync/send-state.ts';
import { KioskHeading } from './kiosk-heading.tsx';
import type { KioskVisit } from './kiosk-ports.ts';
import { numberOf } from '../document/policy-labels.ts';
import type { KioskDecision } from './use-kiosk-acknowledge.ts';

type Props = { at: KioskVisit; decision: KioskDecision; acknowledgementId: string; onNext: () => void };

/** It is kept; the device goes back. */
export function KioskDone({ at, decision, acknowledgementId, onNext }: Props) {
  const { t } = useTranslation('kiosk');
  const sent = useSendState('kiosk_acknowledgements', acknowledgementId);
  const { title } = at.version;
  return (
    <div className="parts kiosk-narrow kiosk-done">
      <StoneArt />
      <KioskHeading>{t('done.title', { name: at.person.name ?? t('unnamed') })}</KioskHeading>
      <p>{t(`done.${decision}`, { title, number: numberOf(at.version) })}</p>
      <p className="muted" aria-live="polite">
        {sent !== null && t(sent === 'received' ? 'done.received' : 'done.kept')}
      </p>
      <p className="strong">{t('done.hand')}</p>
      <Button variant="primary" size="lg" block onClick={onNext}>
        {t('done.next')}
      </Button>
    </div>
  );
}
