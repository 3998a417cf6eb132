import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Confirm } from '@cairn/ui/overlays/confirm.tsx';
import { Pill } from '@cairn/ui/feedback/pill.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import type { Factor } from '../../shared/auth/auth-flows.ts';
import { useFormat } from '../../shared/format/format.ts';
import { RefusalBanner } from '../../shared/auth/refusal-banner.tsx';
import { useAuthCall } from '../../shared/auth/use-auth-call.ts';
import { EnrolDialog } from './enrol-dialog.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { useSecurity } from './security-context.ts';
import { useAsked } from './use-asked.ts';

/** The second step of signing in: set up, its recovery codes, removed. */
export function SecondStepCard() {
  const { t } = useTranslation('security');
  const asked = useAsked('factors', ways => ways.factors());
  const [enrolling, setEnrolling] = useState(false);
  const app = asked.data?.find(({ kind }) => kind === 'totp');
  const refresh = () => asked.refetch();
  return (
    <Card label={t('second.title')} className="security-card">
      <div className="row between">
        <h2 className="h2">{t('second.title')}</h2>
        {asked.data && <Pill tone={app ? 'good' : 'neutral'}>{t(app ? 'second.on' : 'second.off')}</Pill>}
      </div>
      <p className="muted sm">{t(app ? 'second.textOn' : 'second.textOff')}</p>
      {app ? (
        <Enrolled app={app} onRemoved={refresh} />
      ) : (
        <div className="row">
          <Button disabled={!asked.data} onClick={() => setEnrolling(true)}>
            {t('second.setUp')}
          </Button>
        </div>
      )}
      {enrolling && <EnrolDialog onDone={refresh} onClose={() => setEnrolling(false)} />}
    </Card>
  );
}

function Enrolled({ app, onRemoved }: { app: Factor; onRemoved: () => Promise<unknown> }) {
  const { t } = useTranslation('security');
  const { formatDate } = useFormat();
  const { flows } = useSecurity();
  const [asking, setAsking] = useState(false);
  const { run, busy, refusal } = useAuthCall();
  const remove = () =>
    run(async () => {
      await (await flows()).removeFactor(app.id);
      toast({ title: t('second.removed') });
      await onRemoved();
    });
  return (
    <>
      <RefusalBanner title={t('failed')} refusal={refusal} />
      <div className="row between wrap">
        <p className="sm">{t('second.since', { day: formatDate(new Date(app.createdAt)) })}</p>
        <Button variant="danger-quiet" busy={busy} onClick={() => setAsking(true)}>
          {t('second.remove')}
        </Button>
      </div>
      <RecoveryCodes />
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={t('second.removeTitle')}
        confirmLabel={t('second.remove')}
        cancelLabel={t('cancel')}
        onConfirm={remove}
        danger
      >
        {t('second.removeText')}
      </Confirm>
    </>
  );
}
