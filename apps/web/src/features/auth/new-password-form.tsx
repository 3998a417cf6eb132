import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import type { ReachAuth } from '../../shared/auth/auth-flows.ts';
import { useNewPassword } from './account-steps.ts';
import { AuthFrame } from './auth-frame.tsx';
import { NewPasswordField } from './step-fields.tsx';
import { StepForm } from './step-form.tsx';

/** The end of a recovery: what the old password locked is named before it is gone. */
export function NewPasswordForm({ flows, onDone }: { flows: ReachAuth; onDone: () => Promise<void> }) {
  const { t } = useTranslation('authSteps');
  const [password, setPassword] = useState('');
  const { update, busy, refusal } = useNewPassword({ flows, onDone });
  return (
    <AuthFrame title={t('renew.title')} subtitle={t('renew.subtitle')}>
      <Banner tone="warn" title={t('renew.notes')} />
      <StepForm
        onSubmit={() => void update(password)}
        submit={t('renew.submit')}
        busy={busy}
        failed={t('renew.failed')}
        refusal={refusal}
      >
        <NewPasswordField label={t('renew.password')} value={password} onChange={setPassword} />
      </StepForm>
    </AuthFrame>
  );
}
