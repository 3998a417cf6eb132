import { useState } from 'react';
import { Download } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { CodeBlock } from '@cairn/ui/data/code-block.tsx';
import { Dialog } from '@cairn/ui/overlays/dialog.tsx';
import { RefusalBanner } from '../../shared/auth/refusal-banner.tsx';
import { useAuthCall } from '../../shared/auth/use-auth-call.ts';
import { useSecurity } from './security-context.ts';
import { useAsked } from './use-asked.ts';

/** How many recovery codes are left, and new ones, shown once. */
export function RecoveryCodes() {
  const { t } = useTranslation('security');
  const { flows } = useSecurity();
  const left = useAsked('recovery-codes', ways => ways.recoveryCodesLeft());
  const [codes, setCodes] = useState<string[] | null>(null);
  const { run, busy, refusal } = useAuthCall();
  const make = () =>
    run(async () => {
      setCodes(await (await flows()).newRecoveryCodes());
      await left.refetch();
    });
  return (
    <div className="stack">
      <h3 className="h3">{t('recovery.title')}</h3>
      <p className="muted sm">{t('recovery.text')}</p>
      <RefusalBanner title={t('failed')} refusal={refusal} />
      {left.data === null && <Banner tone="warn" title={t('recovery.none')} />}
      <div className="row between wrap">
        {typeof left.data === 'number' && <p className="sm">{t('recovery.left', { count: left.data })}</p>}
        <Button busy={busy} disabled={left.data === undefined} onClick={make}>
          {t(left.data === null ? 'recovery.make' : 'recovery.renew')}
        </Button>
      </div>
      {codes && <ShownOnce codes={codes} onClose={() => setCodes(null)} />}
    </div>
  );
}

function ShownOnce({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation('security');
  const text = codes.join('\n');
  const download = () => {
    const url = URL.createObjectURL(new Blob([`${text}\n`], { type: 'text/plain' }));
    const link = Object.assign(document.createElement('a'), { href: url, download: t('recovery.file') });
    link.click();
    URL.revokeObjectURL(url);
  };
  return (
    <Dialog
      open
      onOpenChange={open => !open && onClose()}
      title={t('recovery.title')}
      description={t('recovery.shownOnce')}
      closeLabel={t('close')}
      actions={
        <>
          <Button icon={Download} onClick={download}>
            {t('recovery.download')}
          </Button>
          <Button variant="primary" onClick={onClose}>
            {t('recovery.kept')}
          </Button>
        </>
      }
    >
      <CodeBlock
        label={t('recovery.title')}
        code={text}
        copyLabel={t('recovery.copy')}
        copiedLabel={t('recovery.copied')}
        failedLabel={t('recovery.copyFailed')}
      />
    </Dialog>
  );
}
