import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import type { AuthResult, AuthFlows, AuthRefusal, LinkGuest, ReachAuth } from '../../shared/auth/auth-flows.ts';
import { refusalText } from '../../shared/auth/refusal-banner.tsx';
import { useAuthCall } from '../../shared/auth/use-auth-call.ts';
import type { ReturnResult } from './address-return.ts';
import { AuthFrame } from './auth-frame.tsx';
import { LinkQuestion } from './link-question.tsx';
import { NewPasswordForm } from './new-password-form.tsx';
import { SecondStepForm } from './second-step-form.tsx';

type Props = {
  returned: ReturnResult;
  flows: ReachAuth;
  /** Who is signed in here, if anybody. */
  signedIn: { id: string; email: string } | null;
  establish: (result: AuthResult) => Promise<void>;
  /** Signs whoever is here out, so that the link's person can come in; false where they stay after all. */
  leave: () => Promise<boolean>;
  /** Forgets the link: everything stays as it is. */
  stay: () => void;
  /** Links: back to where one was, to a new letter. */
  onwards: ReactNode;
  again: ReactNode;
};

type PendingStep = { result: AuthResult; step: 'second' | 'password'; recovery: boolean };

/** Where links of letters and sign-in services lead: takes what they brought, then asks for what is still owed. */
export function ReturnScreen({ returned, flows, signedIn, establish, leave, stay, onwards, again }: Props) {
  const [owed, setOwed] = useState<PendingStep | null>(null);
  const [guest, setGuest] = useState<LinkGuest | null>(null);
  const { run, busy, refusal } = useAuthCall();
  const onSignedIn = async (result: AuthResult, recovery = owed?.recovery ?? false) => {
    if (result.secondStep && signedIn?.id !== result.user.id) setOwed({ result, step: 'second', recovery });
    else if (recovery) setOwed({ result, step: 'password', recovery });
    else await establish(result);
  };
  const enter = async (who: LinkGuest) => onSignedIn(await who.enter(), who.recovery);
  useEffect(() => {
    if (returned.kind !== 'tokens' && returned.kind !== 'code') return;
    run(async () => {
      const who = await whoCame(await flows(), returned);
      // Only what this browser asked for, and only where nobody else is signed in.
      if (who.isAskedFor && (!signedIn || signedIn.id === who.user.id)) await enter(who);
      else setGuest(who);
    });
    // Once for what the address brought: a code and a token work once.
  }, []);
  const accept = (who: LinkGuest) =>
    run(async () => {
      const isOther = signedIn !== null && signedIn.id !== who.user.id;
      if (isOther && !(await leave())) return;
      // Until whoever left is forgotten: that would take the new session too.
      await flows();
      await enter(who);
    });

  if (owed?.step === 'second') return <SecondStepForm flows={flows} onSignedIn={onSignedIn} />;
  if (owed) return <NewPasswordForm flows={flows} onDone={() => establish(owed.result)} />;
  if (guest) {
    const { user } = guest;
    return <LinkQuestion {...{ user, signedIn, busy, refusal }} onYes={() => accept(guest)} onNo={stay} />;
  }
  if (returned.kind === 'half') return <Half onwards={onwards} />;
  return <Outcome returned={returned} refusal={refusal} onwards={onwards} again={again} />;
}

async function whoCame(
  flows: AuthFlows,
  returned: Extract<ReturnResult, { kind: 'tokens' | 'code' }>,
): Promise<LinkGuest> {
  if (returned.kind === 'code') return flows.lookAtCode(returned.code);
  return { ...(await flows.lookAtTokens(returned)), recovery: returned.recovery };
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
    returned.kind === 'error'
      ? t(`returned.problem.${returned.problem}`)
      : refusal?.kind === 'other_browser'
        ? t('returned.otherBrowser')
        : refusal
          ? refusalText(refusal, t)
          : t('returned.problem.expired');
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
