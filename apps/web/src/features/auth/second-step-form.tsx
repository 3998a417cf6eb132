import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { AuthRefused } from '../../shared/auth/auth-flows.ts';
import { useAuthCall } from '../../shared/auth/use-auth-call.ts';
import { AuthFrame } from './auth-frame.tsx';
import { CodeField } from './step-fields.tsx';
import { StepForm } from './step-form.tsx';
import type { StepProps } from './step-props.ts';

/** A code of the person's app, or one of their recovery codes. */
export function SecondStepForm({ flows, onSignedIn }: Pick<StepProps, 'flows' | 'onSignedIn'>) {
  const { t } = useTranslation('authSteps');
  const [recovery, setRecovery] = useState(false);
  const [code, setCode] = useState('');
  const { run, busy, refusal, refuse } = useAuthCall();
  const check = () => {
    if (code.trim() === '') return refuse({ kind: 'no_code' });
    run(async () => {
      const ways = await flows();
      if (recovery) return onSignedIn(await ways.answerRecoveryCode(code));
      const app = (await ways.factors()).find(({ kind }) => kind === 'totp');
      if (!app) throw new AuthRefused({ kind: 'signed_out' });
      return onSignedIn(await ways.answerCode(app.id, code));
    });
  };
  const turn = () => {
    setRecovery(!recovery);
    setCode('');
    refuse(null);
  };
  return (
    <AuthFrame title={t('second.title')} subtitle={t(recovery ? 'second.recoverySubtitle' : 'second.subtitle')}>
      <StepForm onSubmit={check} submit={t('second.submit')} busy={busy} failed={t('second.failed')} refusal={refusal}>
        {recovery ? (
          <Input
            label={t('second.recoveryCode')}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={code}
            onChange={event => setCode(event.target.value)}
          />
        ) : (
          <CodeField label={t('second.code')} hint={t('second.codeHint')} value={code} onChange={setCode} />
        )}
      </StepForm>
      <div className="foot">
        <Button variant="plain" onClick={turn}>
          {t(recovery ? 'second.app' : 'second.recovery')}
        </Button>
      </div>
    </AuthFrame>
  );
}
