import { useTranslation } from 'react-i18next';
import { Download } from 'lucide-react';
import type { Certificate } from '@cairn/core/policies/certificate.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { FailureLine } from '../../../shared/errors/failure-line.tsx';
import { useAction } from '../../../shared/errors/use-action.ts';
import { useSaveCertificate } from './use-certificate.ts';

/** One's own proof as a file. */
export function CertificateButton({ certificate }: { certificate: Certificate }) {
  const { t } = useTranslation('certificate');
  const saving = useAction(useSaveCertificate());
  return (
    <>
      <Button icon={Download} busy={saving.busy} onClick={() => saving.run(certificate)}>
        {t('save')}
      </Button>
      <p className="hint">{t(certificate.code === null ? 'own.hint' : 'hint')}</p>
      <FailureLine failure={saving.failure} />
    </>
  );
}
