import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { PasswordInput } from '@cairn/ui/controls/password-input.tsx';
import type { KioskPorts } from './kiosk-ports.ts';

type Props = {
  ports: KioskPorts;
  /** What whoever is signed in says by their password. */
  text: string;
  act: string;
  busy?: boolean;
  /** @returns whether it was done; false: something else on the page is missing */
  onConfirmed: () => boolean;
};

/** Whoever is signed in confirms something with their password; on this device, with no connection too. */
export function KioskWitness({ ports, text, act, busy = false, onConfirmed }: Props) {
  const { t } = useTranslation('kiosk');
  const [password, setPassword] = useState('');
  const [hasPassword, setHasPassword] = useState(true);
  const [isTrying, setTrying] = useState(false);
  const [error, setError] = useState<string | undefined>(undefined);
  const witness = ports.witness.name;
  useEffect(() => void ports.hasPassword().then(setHasPassword), [ports]);
  if (!hasPassword) return <Banner tone="warn" title={t('witness.noKey', { witness })} />;
  const confirm = async () => {
    setTrying(true);
    try {
      const isRight = await ports.isPassword(password);
      setError(isRight ? undefined : t('witness.wrong'));
      if (isRight) onConfirmed();
    } catch (failed) {
      setError(t('witness.failed'));
      reportError(failed);
    } finally {
      setTrying(false);
      setPassword('');
    }
  };
  return (
    <form
      className="parts"
      onSubmit={event => {
        event.preventDefault();
        if (password === '') setError(t('witness.needed', { witness }));
        else void confirm();
      }}
    >
      <p>{text}</p>
      <PasswordInput
        label={t('witness.password', { witness })}
        showLabel={t('witness.show')}
        hideLabel={t('witness.hide')}
        autoComplete="off"
        value={password}
        error={error}
        onChange={event => setPassword(event.target.value)}
      />
      <Button type="submit" variant="primary" size="lg" block busy={busy || isTrying}>
        {act}
      </Button>
    </form>
  );
}
