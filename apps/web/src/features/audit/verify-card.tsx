import { useMutation } from '@tanstack/react-query';
import { Download, ShieldCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { AuditVerdict } from '@cairn/core/audit/audit-log.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { loggedRead } from '../../shared/server/logged-read.ts';
import { useServerCalls } from '../../shared/server/server-calls.ts';
import { useSpace } from '../../shared/session/space.ts';
import { knownHeads, rememberHead } from './known-head.ts';
import { useAuditExport } from './use-audit-export.ts';

/** Looks through the whole log, says what is broken and where, and hands it out. */
export function VerifyCard() {
  const { t } = useTranslation('audit');
  const { organization } = useSpace();
  const calls = useServerCalls();
  const verifying = useMutation({
    mutationFn: async () => {
      const asked = { p_organization: organization.id, p_known: knownHeads(organization.id) };
      const verdict = await loggedRead<AuditVerdict>(calls, 'verify_audit_log', asked);
      // What is damaged is remembered as it was when it was whole.
      if (verdict.faults.length === 0) rememberHead(organization.id, verdict.head);
      return verdict;
    },
  });
  const exporting = useAuditExport();
  return (
    <Card label={t('verify.title')} className="audit-verify">
      <h2 className="h2">{t('verify.title')}</h2>
      <p className="muted sm">
        {t('verify.text')} {t('export.text')}
      </p>
      <div className="row wrap">
        <Button icon={ShieldCheck} variant="primary" busy={verifying.isPending} onClick={() => verifying.mutate()}>
          {t('verify.act')}
        </Button>
        <Button icon={Download} busy={exporting.isPending} onClick={() => exporting.mutate()}>
          {t('export.act')}
        </Button>
      </div>
      {verifying.isError && (
        <Banner tone="bad" title={t('verify.failed')}>
          {t('verify.failedText')}
        </Banner>
      )}
      {exporting.isError && (
        <Banner tone="bad" title={t('export.failed')}>
          {t('verify.failedText')}
        </Banner>
      )}
      <div aria-live="polite">{verifying.data && <Verdict verdict={verifying.data} />}</div>
    </Card>
  );
}

function Verdict({ verdict: { entries, head, faults } }: { verdict: AuditVerdict }) {
  const { t } = useTranslation('audit');
  if (faults.length === 0)
    return (
      <Banner tone="good" title={t('verify.whole', { count: entries })}>
        <span className="mono audit-hash">{t('verify.head', { seq: head.seq, hash: head.hash })}</span>
        <p>{t('verify.remembered')}</p>
      </Banner>
    );
  return (
    <Banner tone="bad" title={t('verify.broken', { count: faults.length })}>
      <ul className="audit-faults">
        {faults.map(({ seq, kind }) => (
          <li key={`${seq}/${kind}`}>{t(`verify.fault.${kind}`, { seq })}</li>
        ))}
      </ul>
      <p>{t('verify.brokenText')}</p>
    </Banner>
  );
}
