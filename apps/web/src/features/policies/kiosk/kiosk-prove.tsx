import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { useFormat } from '../../../shared/format/format.ts';
import { ChoosePin } from './kiosk-choose-pin.tsx';
import { KioskHeading } from './kiosk-heading.tsx';
import type { KioskVisit, KioskPorts } from './kiosk-ports.ts';
import { KioskWitness } from './kiosk-witness.tsx';
import { PIN, useCheckPin, type PinAnswer } from './use-kiosk-pin.ts';

type Props = {
  at: KioskVisit;
  ports: KioskPorts;
  isOffline: boolean;
  /** @param passId null: the witness stands for who it is */
  onProven: (passId: string | null) => void;
  onBack: () => void;
};

/** Shows who somebody is: by their PIN, which they choose the first time; without a connection by whoever witnesses it. */
export function KioskProve({ at, ports, isOffline, onProven, onBack }: Props) {
  const { t } = useTranslation('kiosk');
  const [isReplacing, setReplacing] = useState(false);
  const hasPin = at.serverState.pins.includes(at.person.id);
  const witness = ports.witness.name;
  return (
    <div className="parts kiosk-narrow">
      <KioskHeading>{t('pin.title', { name: at.person.name ?? t('unnamed') })}</KioskHeading>
      <Card className="parts">
        {isOffline && <p>{t('pin.offline', { witness })}</p>}
        {!isOffline && !hasPin && <ChoosePin at={at} witness={witness} isReplaced={false} onProven={onProven} />}
        {!isOffline && hasPin && !isReplacing && <CheckPin at={at} witness={witness} onProven={onProven} />}
        {!isOffline && isReplacing && <ReplacePin at={at} ports={ports} onProven={onProven} />}
      </Card>
      <div className="stack">
        <Button variant={isOffline ? 'primary' : 'quiet'} size="lg" block onClick={() => onProven(null)}>
          {t('pin.without', { witness })}
        </Button>
        {!isOffline && hasPin && !isReplacing && (
          <Button variant="plain" block onClick={() => setReplacing(true)}>
            {t('pin.forgot')}
          </Button>
        )}
        <Button variant="plain" block onClick={onBack}>
          {t('back')}
        </Button>
      </div>
    </div>
  );
}

type CheckProps = { at: KioskVisit; witness: string; onProven: (passId: string) => void };

function CheckPin({ at, witness, onProven }: CheckProps) {
  const { t } = useTranslation('kiosk');
  const { formatInstant } = useFormat();
  const [pin, setPin] = useState('');
  const [error, setError] = useState<string | undefined>(undefined);
  const checking = useCheckPin(at);
  const take = ({ pass, left, locked_until: until }: PinAnswer) => {
    setPin('');
    if (pass) onProven(pass);
    else if (until) setError(t('pin.locked', { time: formatInstant(new Date(until)), witness }));
    else setError(t('pin.wrong', { count: left ?? 0 }));
  };
  const check = async () => {
    const done = await checking.run(pin);
    if (done) take(done.answer);
  };
  return (
    <form
      className="parts"
      onSubmit={event => {
        event.preventDefault();
        if (PIN.test(pin)) void check();
        else setError(t('pin.bad'));
      }}
    >
      <Input
        label={t('pin.label')}
        hint={t('pin.hint')}
        type="password"
        inputMode="numeric"
        autoComplete="off"
        maxLength={8}
        value={pin}
        error={error}
        onChange={event => setPin(event.target.value)}
      />
      {checking.problem && <Banner tone="bad" title={t('pin.failed', { witness })} />}
      <Button type="submit" variant="primary" size="lg" block busy={checking.busy}>
        {t('pin.go')}
      </Button>
    </form>
  );
}

type ReplaceProps = { at: KioskVisit; ports: KioskPorts; onProven: (passId: string) => void };

/** Whoever forgot their PIN chooses another once the witness said that it is them. */
function ReplacePin({ at, ports, onProven }: ReplaceProps) {
  const { t } = useTranslation('kiosk');
  const [isConfirmed, setConfirmed] = useState(false);
  const witness = ports.witness.name;
  if (isConfirmed) return <ChoosePin at={at} witness={witness} isReplaced onProven={onProven} />;
  return (
    <KioskWitness
      ports={ports}
      text={t('pin.replaceText', { witness })}
      act={t('pin.replace')}
      onConfirmed={() => {
        setConfirmed(true);
        return true;
      }}
    />
  );
}
