import { useCallback } from 'react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { AuditPortion } from '@cairn/core/audit/audit-log.ts';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { ticketFor } from '../../shared/server/logged-read.ts';
import { saveFile } from '../../shared/files/save-file.ts';
import { useServerCalls, type ServerCalls } from '../../shared/server/server-calls.ts';
import { useSpace } from '../../shared/session/space.ts';

async function everyPortion(calls: ServerCalls, organizationId: string): Promise<AuditPortion[]> {
  const portions: AuditPortion[] = [];
  const p_ticket = await ticketFor(calls, 'export_audit_log', { p_organization: organizationId });
  let after: number | null = 0;
  while (after !== null) {
    const asked = { p_organization: organizationId, p_after: after, p_ticket };
    const portion: AuditPortion = await calls.call<AuditPortion>('export_audit_log', asked);
    portions.push(portion);
    after = portion.next;
  }
  return portions;
}

/** Hands the whole log to the downloads, sealed, with the program that verifies it. */
export function useAuditExport() {
  const { t } = useTranslation('audit');
  const { organization } = useSpace();
  const calls = useServerCalls();
  const run = useCallback(async () => {
    const [{ auditFiles }, { sealedPackage, textFile }] = await Promise.all([
      import('@cairn/core/audit/audit-package.ts'),
      import('@cairn/core/audit/sealed-package.ts'),
    ]);
    const files = auditFiles(await everyPortion(calls, organization.id));
    const { zip } = sealedPackage([textFile('readme.txt', t('export.readme')), ...files]);
    const day = new Date().toISOString().slice(0, 10);
    saveFile(`audit-log-${day}.zip`, new Blob([zip], { type: 'application/zip' }));
    toast({ title: t('export.done') });
  }, [calls, organization.id, t]);
  return useMutation({ mutationFn: run });
}
