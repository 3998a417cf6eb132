import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import type { KioskVisit } from './kiosk-ports.ts';
import { PIN, useChoosePin } from './use-kiosk-pin.ts';

type Props = { at: KioskVisit; witness: string; isReplaced: boolean; onProven: (passId: string) => void };

/** Chooses a PIN: the first one, or another. */
export function ChoosePin({ at, witness, isReplaced, onProven }: Props) {
  const { t } = useTranslation('kiosk');
  const [typed, setTyped] = useState({ pin: '', again: '' });
  const [tried, setTried] = useState(false);
  const choosing = useChoosePin(at, isReplaced);
  const isPin = PIN.test(typed.pin);
  const isSame = typed.pin === typed.again;
  const choose = async () => {
    const done = await choosing.run(typed.pin);
    setTyped({ pin: '', again: '' });
    setTried(false);
    if (done?.answer.pass) onProven(done.answer.pass);
  };
  const secret = { type: 'password', inputMode: 'numeric', autoComplete: 'off', maxLength: 8 } as const;
  return (
    <form
      className="parts"
      onSubmit={event => {
        event.preventDefault();
        setTried(true);
        if (isPin && isSame) void choose();
      }}
    >
      <p>{t('pin.first')}</p>
      <Input
        {...secret}
        label={t('pin.new')}
        hint={t('pin.hint')}
        value={typed.pin}
        error={tried && !isPin ? t('pin.bad') : undefined}
        onChange={event => setTyped({ ...typed, pin: event.target.value })}
      />
      <Input
        {...secret}
        label={t('pin.repeat')}
        value={typed.again}
        error={tried && isPin && !isSame ? t('pin.differs') : undefined}
        onChange={event => setTyped({ ...typed, again: event.target.value })}
      />
      {choosing.problem && <Banner tone="bad" title={t('pin.failed', { witness })} />}
      <Button type="submit" variant="primary" size="lg" block busy={choosing.busy}>
        {t('pin.set')}
      </Button>
    </form>
  );
}
