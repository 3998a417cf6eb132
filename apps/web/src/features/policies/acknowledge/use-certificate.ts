import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { oneLine } from '@cairn/base/one-line.ts';
import { Failure } from '@cairn/base/failure.ts';
import type { Certificate } from '@cairn/core/policies/certificate.ts';
import { useFormat } from '../../../shared/format/format.ts';
import { pdfName, saveFile } from '../../../shared/files/save-file.ts';
import { ServerRefusal, useServerCalls } from '../../../shared/server/server-calls.ts';
import { paperOf } from './certificate-paper.ts';

/** Saves a certificate as a PDF; with no signal too. @throws {Failure} `offline` where its code is not on this device */
export function useSaveCertificate(): (certificate: Certificate) => Promise<void> {
  const { t, i18n } = useTranslation('certificate');
  const { formatInstant, zoneName } = useFormat();
  const language = i18n.resolvedLanguage ?? 'en';
  return useCallback(
    async certificate => {
      const parts = Promise.all([
        import('./certificate-pdf.ts'),
        import('../../../shared/report/report-face-files.ts'),
      ]);
      const [{ certificatePdf }, { faceFile }] = await parts.catch((cause: unknown) => {
        throw new Failure('offline', 'the code of certificates is not on this device', { cause });
      });
      const writing = { t, language, formatInstant, zone: zoneName(), origin: location.origin, now: new Date() };
      const bytes = await certificatePdf(paperOf(certificate, writing), {
        faces: faceFile,
        page: (page, of) => t('page', { page, of }),
      });
      const { title, version } = certificate;
      const name = oneLine(certificate.signed_name);
      const file = pdfName(t('file', { title, version: version.replace('.', '-'), name }));
      saveFile(file, new Blob([bytes], { type: 'application/pdf' }));
    },
    [t, language, formatInstant, zoneName],
  );
}

/**
 * Asks for the certificate of somebody else's word and saves it.
 *
 * @throws {Failure} `offline`; `not_allowed`; `not_found` where nothing is signed on that major
 */
export function useSaveCertificateOf(policyId: string, major: number): (userId: string) => Promise<void> {
  const calls = useServerCalls();
  const save = useSaveCertificate();
  return useCallback(
    async userId => {
      const asked = { p_policy: policyId, p_user: userId, p_major: major };
      const found = calls.call<Certificate | null>('acknowledgement_certificate', asked);
      const certificate = await found.catch((cause: unknown) => {
        throw cause instanceof ServerRefusal
          ? new Failure('not_allowed', 'acknowledgement_certificate', { cause })
          : cause;
      });
      if (!certificate) throw new Failure('not_found', `acknowledgement_certificate: nothing signed on ${major}`);
      await save(certificate);
    },
    [calls, save, policyId, major],
  );
}
