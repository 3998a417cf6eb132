import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { KioskHeading } from './kiosk-heading.tsx';
import type { KioskPorts } from './kiosk-ports.ts';
import { KioskWitness } from './kiosk-witness.tsx';

type Props = { ports: KioskPorts; onLeft: () => void; onBack: () => void };

/** The way out: by the password of whoever is signed in, or by signing in again where it opens nothing here. */
export function KioskLeave({ ports, onLeft, onBack }: Props) {
  const { t } = useTranslation('kiosk');
  const [hasPassword, setHasPassword] = useState<boolean | null>(null);
  useEffect(() => void ports.hasPassword().then(setHasPassword), [ports]);
  const witness = ports.witness.name;
  return (
    <div className="parts kiosk-narrow">
      <KioskHeading>{t('leave.title')}</KioskHeading>
      <Card className="parts">
        {hasPassword === true && (
          <KioskWitness
            ports={ports}
            text={t('leave.text', { witness })}
            act={t('leave.act')}
            onConfirmed={() => {
              onLeft();
              return true;
            }}
          />
        )}
        {hasPassword === false && <SignInAgain ports={ports} onLeft={onLeft} />}
      </Card>
      <Button variant="plain" block onClick={onBack}>
        {t('leave.back')}
      </Button>
    </div>
  );
}

function SignInAgain({ ports, onLeft }: Pick<Props, 'ports' | 'onLeft'>) {
  const { t } = useTranslation('kiosk');
  const [isRefused, setRefused] = useState(false);
  const leave = () => ports.signInAgain().then(onLeft, () => setRefused(true));
  return (
    <>
      <p>{t('leave.noKey')}</p>
      {isRefused && <Banner tone="bad" title={t('leave.failed')} />}
      <Button variant="primary" size="lg" block onClick={() => void leave()}>
        {t('leave.again')}
      </Button>
    </>
  );
}
