import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { PDF_MIME } from '@cairn/core/media/document-kind.ts';
import type { KioskAttestation } from '@cairn/core/policies/certificate.ts';
import type { Acknowledgement } from '@cairn/core/policies/policy-status.ts';
import { policyFileOf } from '@cairn/core/policies/policy-file.ts';
import { shortHash } from '@cairn/core/policies/policy-hash.ts';
import { quizResult } from '@cairn/core/policies/quiz.ts';
import type { PolicyVersion } from '@cairn/core/policies/version-states.ts';
import type { Json } from '@cairn/schema';
import { useFormat } from '../../../shared/format/format.ts';
import { SignedName } from '../../../shared/records/signed-name.tsx';
import { kioskText } from './kiosk-text.ts';
import { numberOf } from '../document/policy-labels.ts';
import { useQuizText } from '../quiz/quiz-text.ts';

type Props = {
  acknowledgement: Acknowledgement;
  version: PolicyVersion | null;
  /** On whose device it was said; null: one's own. */
  kiosk: KioskAttestation | null;
  /** How many questions of the quiz are needed as this device knows; the server's word stands in `said` once it is received. */
  quizNeeded: number | null;
  renderDrawing: (value: Json, label: string) => ReactNode;
};

/** What a person said of a version: what was on the screen, when by which clock. */
export function Proof({ acknowledgement, version, kiosk, quizNeeded, renderDrawing }: Props) {
  const { t: tCertificate } = useTranslation('certificate');
  const { t } = useTranslation('policies');
  const { t: tQuiz } = useTranslation('quiz');
  const quizText = useQuizText();
  const { formatInstant } = useFormat();
  const isPaged = version !== null && policyFileOf(version)?.mime === PDF_MIME;
  const result = version && quizResult(acknowledgement, version);
  const answered = result && acknowledgement.received_at === null ? { ...result, needed: quizNeeded } : result;
  const instant = (iso: string | null) => (iso === null ? null : formatInstant(new Date(iso)));
  const lines: [string, ReactNode][] = [
    [t('proof.version'), version && numberOf(version)],
    [
      t('proof.content'),
      acknowledgement.content_hash && <span className="mono">{shortHash(acknowledgement.content_hash)}</span>,
    ],
    [
      t('proof.name'),
      acknowledgement.signed_name && (
        <SignedName
          typed={acknowledgement.signed_name}
          account={acknowledgement.account_name}
          accountLine={name => tCertificate('accountLine', { name })}
        />
      ),
    ],
    [tCertificate('kiosk.fact'), kiosk && kioskText(kiosk, tCertificate)],
    [t('proof.reason'), acknowledgement.reason],
    [t('proof.declinedBefore'), acknowledgement.state !== 'declined' && acknowledgement.declined_reason],
    [
      isPaged ? t('proof.pages') : t('proof.read'),
      acknowledgement.sections > 0 ? `${acknowledgement.sections_read} / ${acknowledgement.sections}` : null,
    ],
    [tQuiz('proof'), quizText(answered)],
    [t('proof.device'), instant(acknowledgement.decided_at)],
    [t('proof.server'), instant(acknowledgement.received_at) ?? t('proof.whenReceived')],
  ];
  return (
    <>
      <dl className="policy-record">
        {lines.map(
          ([name, value]) =>
            value !== null &&
            value !== false &&
            value !== '' && (
              <div key={name}>
                <dt>{name}</dt>
                <dd className="num">{value}</dd>
              </div>
            ),
        )}
      </dl>
      {acknowledgement.method === 'drawn' && renderDrawing(acknowledgement.signature, t('proof.drawing'))}
    </>
  );
}
