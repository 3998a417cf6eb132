import { useEffect, useState, type ReactNode } from 'react';
import { KeyRound } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import type { ReachAuth } from '../../shared/auth/auth-flows.ts';
import { providerName } from '../../shared/auth/provider-name.ts';
import { refusalText } from '../../shared/auth/refusal-banner.tsx';
import { useAuthCall } from '../../shared/auth/use-auth-call.ts';

type Props = {
  flows: ReachAuth;
  returnTo: string;
  /** Links to the steps, made where the routes are. */
  renderCodeLink: (children: ReactNode) => ReactNode;
  renderPhoneLink: (words: string) => ReactNode;
  renderSignUpLink: (words: string) => ReactNode;
};

/** The ways in beside the password. Sign-in services stand here only when the server says it knows them. */
export function OtherWays({ flows, returnTo, renderCodeLink, renderPhoneLink, renderSignUpLink }: Props) {
  const { t } = useTranslation('authSteps');
  const [providers, setProviders] = useState<readonly string[]>([]);
  const { run, refusal } = useAuthCall();
  useEffect(() => {
    const state = { left: false };
    flows().then(
      async ways => {
        const known = await ways.providers();
        if (!state.left) setProviders(known);
      },
      // Without a network there is nobody to sign in with; the form above says so when it is sent.
      () => undefined,
    );
    return () => {
      state.left = true;
    };
  }, [flows]);
  useEffect(() => {
    if (refusal) toast({ title: t('providers.failed'), description: refusalText(refusal, t), tone: 'bad' });
  }, [refusal, t]);
  const services = providers.filter(name => name !== 'phone');
  return (
    <>
      <p className="or">{t('providers.title')}</p>
      {renderCodeLink(
        <>
          <Icon of={KeyRound} />
          <span>{t('other.code')}</span>
        </>,
      )}
      {providers.includes('phone') && renderPhoneLink(t('phone.other'))}
      {services.map(name => (
        <Button key={name} block onClick={() => run(async () => (await flows()).signInWith(name, returnTo))}>
          {t('providers.with', { name: providerName(name) })}
        </Button>
      ))}
      <p className="foot">
        <span>{t('other.new')}</span>
        {renderSignUpLink(t('other.create'))}
      </p>
    </>
  );
}
