import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { PDF_MIME } from '@cairn/core/media/document-kind.ts';
import type { KioskAttestation } from '@cairn/core/policies/certificate.ts';
import type { Acknowledgement } from '@cairn/core/policies/owed.ts';
import { policyFileOf } from '@cairn/core/policies/policy-file.ts';
import { shortHash } from '@cairn/core/policies/policy-hash.ts';
import { quizResult } from '@cairn/core/policies/quiz.ts';
import type { PolicyVersion } from '@cairn/core/policies/version-states.ts';
import type { Json } from '@cairn/schema';
import { useFormat } from '../../../shared/format/format.ts';
import { SignedName } from '../../../shared/records/signed-name.tsx';
import { kioskWords } from './kiosk-words.ts';
import { numberOf } from '../document/policy-words.ts';
import { useQuizWords } from '../quiz/quiz-words.ts';

type Props = {
  said: Acknowledgement;
  version: PolicyVersion | null;
  /** On whose device it was said; null: one's own. */
  kiosk: KioskAttestation | null;
  /** How many questions of the quiz are needed as this device knows; the server's word stands in `said` once it is received. */
  quizNeeded: number | null;
  renderDrawing: (value: Json, label: string) => ReactNode;
};

/** What a person said of a version: what was on the screen, when by which clock. */
export function Proof({ said, version, kiosk, quizNeeded, renderDrawing }: Props) {
  const { t: tCertificate } = useTranslation('certificate');
  const { t } = useTranslation('policies');
  const { t: tQuiz } = useTranslation('quiz');
  const quizWords = useQuizWords();
  const { formatInstant } = useFormat();
  const isPaged = version !== null && policyFileOf(version)?.mime === PDF_MIME;
  const result = version && quizResult(said, version);
  const answered = result && said.received_at === null ? { ...result, needed: quizNeeded } : result;
  const instant = (iso: string | null) => (iso === null ? null : formatInstant(new Date(iso)));
  const lines: [string, ReactNode][] = [
    [t('proof.version'), version && numberOf(version)],
    [t('proof.content'), said.content_hash && <span className="mono">{shortHash(said.content_hash)}</span>],
    [
      t('proof.name'),
      said.signed_name && (
        <SignedName
          typed={said.signed_name}
          account={said.account_name}
          accountLine={name => tCertificate('accountLine', { name })}
        />
      ),
    ],
    [tCertificate('kiosk.fact'), kiosk && kioskWords(kiosk, tCertificate)],
    [t('proof.reason'), said.reason],
    [t('proof.declinedBefore'), said.state !== 'declined' && said.declined_reason],
    [
      isPaged ? t('proof.pages') : t('proof.read'),
      said.sections > 0 ? `${said.sections_read} / ${said.sections}` : null,
    ],
    [tQuiz('proof'), quizWords(answered)],
    [t('proof.device'), instant(said.decided_at)],
    [t('proof.server'), instant(said.received_at) ?? t('proof.whenReceived')],
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
      {said.method === 'drawn' && renderDrawing(said.signature, t('proof.drawing'))}
    </>
  );
}
