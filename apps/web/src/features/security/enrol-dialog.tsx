import { useEffect, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@cairn/ui/controls/button.tsx';
import { CodeBlock } from '@cairn/ui/data/code-block.tsx';
import { Dialog } from '@cairn/ui/overlays/dialog.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import type { NewFactor } from '../../shared/auth/auth-flows.ts';
import { RefusalBanner } from '../../shared/auth/refusal-banner.tsx';
import { useAuthCall } from '../../shared/auth/use-auth-call.ts';
import { useSecurity } from './security-context.ts';

type Props = { onDone: () => Promise<unknown>; onClose: () => void };

/** A picture to scan, the same as letters, and a first code that proves that it worked. */
export function EnrolDialog({ onDone, onClose }: Props) {
  const { t } = useTranslation('security');
  const { flows } = useSecurity();
  const [factor, setFactor] = useState<NewFactor | null>(null);
  const [code, setCode] = useState('');
  const { run, busy, refusal, refuse } = useAuthCall();
  useEffect(() => {
    run(async () => setFactor(await (await flows()).enrol(t('second.name'))));
  }, [run, flows, t]);
  const verify = (event: FormEvent) => {
    event.preventDefault();
    if (!factor || busy) return;
    if (code.trim() === '') return refuse({ kind: 'no_code' });
    run(async () => {
      await (await flows()).answerCode(factor.id, code);
      await onDone();
      toast({ title: t('second.done') });
      onClose();
    });
  };
  return (
    <Dialog
      open
      onOpenChange={open => !open && onClose()}
      title={t('second.scanTitle')}
      description={t('second.scanText')}
      closeLabel={t('close')}
    >
      <form className="stack enrol" noValidate onSubmit={verify}>
        {factor && (
          <>
            <img className="qr" src={factor.picture} alt={t('second.picture')} width={200} height={200} />
            <CodeBlock
              label={t('second.secret')}
              code={factor.secret}
              copyLabel={t('second.copy')}
              copiedLabel={t('second.copied')}
              failedLabel={t('second.copyFailed')}
            />
          </>
        )}
        <RefusalBanner title={t('failed')} refusal={refusal} />
        <Input
          label={t('second.code')}
          hint={t('second.codeHint')}
          inputMode="numeric"
          autoComplete="one-time-code"
          value={code}
          onChange={event => setCode(event.target.value)}
        />
        <div className="acts">
          <Button variant="plain" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" variant="primary" busy={busy} disabled={!factor}>
            {t('second.verify')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
