import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import type { ReachAuth } from '../../shared/auth/auth-flows.ts';
import { phoneIn } from '../../shared/input/phone-number.ts';
import { RefusalBanner } from '../../shared/auth/refusal-banner.tsx';
import { useAuthCall } from '../../shared/auth/use-auth-call.ts';
import { Setting, SwitchSetting } from './setting.tsx';
import { useSettings } from './settings-context.ts';

type SmsState = { sends: boolean; phone: string | null };

/** What the server says; nothing without a network, as for whatever it alone can do. */
function useKnown(flows: ReachAuth) {
  const [known, setKnown] = useState<SmsState>({ sends: false, phone: null });
  useEffect(() => {
    const state = { left: false };
    flows()
      .then(async ways => {
        const sends = await ways.sendsTexts();
        const phone = sends ? await ways.ownPhone() : null;
        if (!state.left) setKnown({ sends, phone });
      })
      .catch(() => undefined);
    return () => {
      state.left = true;
    };
  }, [flows]);
  const confirmed = (phone: string) => setKnown({ sends: true, phone });
  return { ...known, confirmed };
}

/** Notifications by text message; offered only where the server has a provider for them (R3.16). */
export function TextMessages({ flows }: { flows: ReachAuth }) {
  const { t } = useTranslation('settings');
  const { preferences, save } = useSettings();
  const { sends, phone, confirmed } = useKnown(flows);
  if (!sends) return null;
  return (
    <>
      <SwitchSetting
        label={t('messages.text')}
        hint={phone === null ? t('messages.textHint') : t('messages.textTo', { phone })}
        checked={preferences.text_notifications}
        onChange={value => save({ text_notifications: value })}
      />
      {preferences.text_notifications && phone === null && <OwnNumber flows={flows} onConfirmed={confirmed} />}
    </>
  );
}

type NumberProps = { flows: ReachAuth; onConfirmed: (phone: string) => void };

/** The number is theirs once the code sent to it came back. */
function OwnNumber({ flows, onConfirmed }: NumberProps) {
  const { t } = useTranslation('settings');
  const [typed, setTyped] = useState('');
  const [code, setCode] = useState('');
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { run, busy, refusal, refuse } = useAuthCall();
  const send = () => {
    const phone = phoneIn(typed);
    if (phone === null) return refuse({ kind: 'bad_phone' });
    run(async () => {
      await (await flows()).changePhone(phone);
      setSentTo(phone);
    });
  };
  const confirm = (phone: string) =>
    run(async () => {
      await (await flows()).confirmPhone(phone, code);
      onConfirmed(phone);
    });
  return (
    <Setting words={[t('messages.text'), t('messages.number')]}>
      <RefusalBanner title={t('messages.numberFailed')} refusal={refusal} />
      <Input
        label={t('messages.number')}
        type="tel"
        autoComplete="tel"
        placeholder="+49 151 23456789"
        value={typed}
        onChange={event => {
          setTyped(event.target.value);
          setSentTo(null);
        }}
      />
      {sentTo === null ? (
        <Button busy={busy} onClick={send}>
          {t('messages.sendCode')}
        </Button>
      ) : (
        <>
          <Input
            label={t('messages.code')}
            autoComplete="one-time-code"
            inputMode="numeric"
            value={code}
            onChange={event => setCode(event.target.value)}
          />
          <Button busy={busy} onClick={() => confirm(sentTo)}>
            {t('messages.confirm')}
          </Button>
        </>
      )}
    </Setting>
  );
}
