import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '@cairn/ui/banner.tsx';
import { Button } from '@cairn/ui/button.tsx';
import type { Arrival, AuthRefusal, ReachAuth } from '../../shared/auth-flows.ts';
import { refusalText } from '../../shared/refusal-banner.tsx';
import { useAuthCall } from '../../shared/use-auth-call.ts';
import { subjectOf, type Returned } from './address-return.ts';
import { AuthFrame } from './auth-frame.tsx';
import { NewPasswordForm } from './new-password-form.tsx';
import { SecondStepForm } from './second-step-form.tsx';

type Props = {
  returned: Returned;
  flows: ReachAuth;
  /** Who is signed in here, if anybody. */
  signedIn: { id: string; email: string } | null;
  adopt: (arrival: Arrival) => Promise<void>;
  /** Signs whoever is here out, so that the link's person can come in. */
  leave: () => Promise<void>;
  /** Links: back to where one was, to a new letter. */
  onwards: ReactNode;
  again: ReactNode;
};

type Owed = { arrival: Arrival; step: 'second' | 'password'; recovery: boolean };

/** Where links of letters and sign-in services lead: takes what they brought, then asks for what is still owed. */
export function ReturnScreen({ returned, flows, signedIn, adopt, leave, onwards, again }: Props) {
  const [owed, setOwed] = useState<Owed | null>(null);
  const [asked, setAsked] = useState(() => isForSomebodyElse(returned, signedIn));
  const { run, refusal } = useAuthCall();
  const onArrival = async (arrival: Arrival, recovery = owed?.recovery ?? false) => {
    if (arrival.secondStep && signedIn?.id !== arrival.user.id) setOwed({ arrival, step: 'second', recovery });
    else if (recovery) setOwed({ arrival, step: 'password', recovery });
    else await adopt(arrival);
  };
  useEffect(() => {
    if (asked) return;
    if (returned.kind === 'tokens')
      run(async () => {
        const { accessToken, refreshToken, recovery } = returned;
        await onArrival(await (await flows()).takeTokens(accessToken, refreshToken), recovery);
      });
    if (returned.kind === 'code')
      run(async () => {
        const { recovery, ...arrival } = await (await flows()).takeCode(returned.code);
        await onArrival(arrival, recovery);
      });
    // Once for what the address brought: a code and a token work once.
  }, [asked]);

  if (owed?.step === 'second') return <SecondStepForm flows={flows} onArrival={onArrival} />;
  if (owed) return <NewPasswordForm flows={flows} onDone={() => adopt(owed.arrival)} />;
  if (asked && signedIn)
    return (
      <OtherAccount
        email={signedIn.email}
        onwards={onwards}
        leave={() => run(async () => leave().then(() => setAsked(false)))}
      />
    );
  if (returned.kind === 'half') return <Half onwards={onwards} />;
  return <Outcome returned={returned} refusal={refusal} onwards={onwards} again={again} />;
}

const isForSomebodyElse = (returned: Returned, signedIn: Props['signedIn']): boolean =>
  returned.kind === 'tokens' && signedIn !== null && subjectOf(returned.accessToken) !== signedIn.id;

function OtherAccount({ email, onwards, leave }: { email: string; onwards: ReactNode; leave: () => void }) {
  const { t } = useTranslation('authSteps');
  return (
    <AuthFrame title={t('returned.other', { email })} subtitle={t('returned.otherText')}>
      <div className="others">
        <Button variant="primary" size="lg" block onClick={leave}>
          {t('join.switch')}
        </Button>
        {onwards}
      </div>
    </AuthFrame>
  );
}

function Half({ onwards }: { onwards: ReactNode }) {
  const { t } = useTranslation('authSteps');
  return (
    <AuthFrame title={t('returned.half')} subtitle={t('returned.halfText')}>
      <div className="others">{onwards}</div>
    </AuthFrame>
  );
}

type OutcomeProps = Pick<Props, 'returned' | 'onwards' | 'again'> & { refusal: AuthRefusal | null };

function Outcome({ returned, refusal, onwards, again }: OutcomeProps) {
  const { t } = useTranslation('authSteps');
  const isWaiting = refusal === null && (returned.kind === 'tokens' || returned.kind === 'code');
  if (isWaiting)
    return (
      <AuthFrame title={t('returned.title')} subtitle={t('returned.subtitle')}>
        <output className="sr">{t('returned.subtitle')}</output>
      </AuthFrame>
    );
  const text =
    returned.kind === 'error' && returned.code !== 'otp_expired'
      ? t('returned.refused', { message: returned.message })
      : refusal?.kind === 'other_browser'
        ? t('returned.otherBrowser')
        : refusal
          ? refusalText(refusal, t)
          : t('returned.expired');
  return (
    <AuthFrame title={t('returned.failedTitle')}>
      <div className="fields">
        <Banner tone="warn" title={text} />
      </div>
      <div className="others">
        {onwards}
        {again}
      </div>
    </AuthFrame>
  );
}
