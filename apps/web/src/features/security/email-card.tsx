import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { RefusalBanner } from '../../shared/auth/refusal-banner.tsx';
import { useAuthCall } from '../../shared/auth/use-auth-call.ts';
import { useSecurity } from './security-context.ts';

/** The address one signs in with. It changes once the old and the new one have agreed, by link or by code. */
export function EmailCard() {
  const { t } = useTranslation('security');
  const { flows, email, returnTo } = useSecurity();
  const [wanted, setWanted] = useState('');
  const [asked, setAsked] = useState<{ old: string; new: string } | null>(null);
  const { run, busy, refusal, refuse } = useAuthCall();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const address = wanted.trim().toLowerCase();
    if (busy) return;
    if (!/^\S+@\S+$/.test(address)) return refuse({ kind: 'bad_email' });
    run(async () => {
      await (await flows()).changeEmail(address, returnTo);
      setAsked({ old: email, new: address });
    });
  };
  const done = () => {
    setAsked(null);
    setWanted('');
    toast({ title: t('email.done') });
  };
  return (
    <Card label={t('email.title')} className="security-card">
      <h2 className="h2">{t('email.title')}</h2>
      <p className="muted sm">{t('email.now', { email })}</p>
      {asked ? (
        <Agree addresses={asked} onDone={done} />
      ) : (
        <form className="stack" noValidate onSubmit={submit}>
          <RefusalBanner title={t('failed')} refusal={refusal} />
          <Input
            label={t('email.new')}
            type="email"
            inputMode="email"
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
            value={wanted}
            onChange={event => setWanted(event.target.value)}
          />
          <div className="row">
            <Button type="submit" busy={busy} disabled={wanted.trim() === ''}>
              {t('email.submit')}
            </Button>
          </div>
        </form>
      )}
    </Card>
  );
}

type AgreeProps = { addresses: { old: string; new: string }; onDone: () => void };

function Agree({ addresses, onDone }: AgreeProps) {
  const { t } = useTranslation('security');
  const { flows, returnTo } = useSecurity();
  const [agreed, setAgreed] = useState<readonly string[]>([]);
  const { run, busy, refusal } = useAuthCall();
  const confirm = (address: string, code: string) =>
    run(async () => {
      const result = await (await flows()).checkCode('email_change', address, code);
      if (result) onDone();
      else setAgreed([...agreed, address]);
    });
  const resend = () =>
    run(async () => {
      await (await flows()).resend('email_change', addresses.new, returnTo);
      toast({ title: t('email.resent') });
    });
  return (
    <div className="stack">
      <Banner tone="accent" title={t('email.sentTitle')}>
        {t('email.sent', addresses)}
      </Banner>
      <RefusalBanner title={t('failed')} refusal={refusal} />
      {[addresses.old, addresses.new].map(address =>
        agreed.includes(address) ? (
          <Banner key={address} tone="good" title={t('email.half')} />
        ) : (
          <AddressCode key={address} address={address} busy={busy} confirm={confirm} />
        ),
      )}
      <div className="row">
        <Button variant="plain" busy={busy} onClick={resend}>
          {t('email.resend')}
        </Button>
      </div>
    </div>
  );
}

type AddressProps = { address: string; busy: boolean; confirm: (address: string, code: string) => void };

function AddressCode({ address, busy, confirm }: AddressProps) {
  const { t } = useTranslation('security');
  const [code, setCode] = useState('');
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!busy && code.trim() !== '') confirm(address, code);
  };
  return (
    <form className="stack" noValidate onSubmit={send}>
      <Input
        label={t('email.codeOld', { email: address })}
        inputMode="numeric"
        autoComplete="one-time-code"
        value={code}
        onChange={event => setCode(event.target.value)}
      />
      <div className="row">
        <Button type="submit" busy={busy} disabled={code.trim() === ''}>
          {t('email.confirm')}
        </Button>
      </div>
    </form>
  );
}
