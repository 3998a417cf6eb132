import type { TFunction } from 'i18next';
import type { Signature } from '@cairn/core/field-ops/form-definition.ts';
import { signatureOf, trailOf, type Certificate, type TrailEvent } from '@cairn/core/policies/certificate.ts';
import { kioskWords } from './kiosk-words.ts';
import { shownCertificateCode, universalTime } from '@cairn/core/policies/certificate-code.ts';

/** Everything a certificate says, in the words of the person who saves it. */
export type CertificatePaper = {
  /** BCP 47. */
  language: string;
  heading: string;
  /** One sentence, for whoever lists files. */
  subject: string;
  organization: string;
  /** Name and value, in order. */
  facts: readonly (readonly [string, string])[];
  signature: Signature | null;
  trail: { heading: string; lines: readonly string[]; zone: string };
  verify: { heading: string; text: string; code: string; address: string };
};

type Words = {
  t: TFunction<'certificate'>;
  language: string;
  formatInstant: (instant: Date) => string;
  zone: string;
  /** Of the app, as in `https://cairn.example`. */
  origin: string;
  now: Date;
};

/** A certificate as it is printed. */
export function paperOf(certificate: Certificate, words: Words): CertificatePaper {
  const { t, formatInstant, now } = words;
  const { organization, title, version, method, code } = certificate;
  // One line, whatever was typed: nobody signs with lines of their own.
  const name = certificate.signed_name.replaceAll(/\s+/g, ' ');
  const at = (iso: string) => formatInstant(new Date(iso));
  return {
    language: words.language,
    heading: t('heading'),
    subject: t('subject', { name, title, version }),
    organization,
    facts: [
      [t('fact.organization'), organization],
      [t('fact.policy'), title],
      [t('fact.version'), version],
      [t('fact.hash'), certificate.content_hash],
      ...fileFacts(certificate, t),
      [t('fact.name'), name],
      [t('fact.how'), t(`how.${method}`)],
      ...(certificate.kiosk ? [[t('kiosk.fact'), kioskWords(certificate.kiosk, t)] as const] : []),
      [t('fact.device'), at(certificate.decided_at)],
      [t('fact.server'), `${at(certificate.received_at)} · ${universalTime(certificate.received_at)}`],
      ...quizFacts(certificate, t),
      [t('fact.standing', { when: formatInstant(now) }), t(`standing.${certificate.standing}`)],
    ],
    signature: method === 'drawn' ? signatureOf(certificate.signature) : null,
    trail: {
      heading: t('trail'),
      lines: trailOf(certificate).map(event => lineOf(event, certificate, words)),
      zone: t('zone', { zone: words.zone }),
    },
    verify: {
      heading: t('verify'),
      text: t('verifyText'),
      code: t('code', { code: shownCertificateCode(code) }),
      address: `${words.origin}/verify/${code}`,
    },
  };
}

const fileFacts = ({ file }: Certificate, t: Words['t']): [string, string][] =>
  file
    ? [
        [t('fact.file'), file.name],
        [t('fact.fileHash'), file.sha256],
      ]
    : [];

function quizFacts({ quiz }: Certificate, t: Words['t']): [string, string][] {
  if (!quiz) return [];
  const { needed, ...figures } = quiz;
  return [[t('fact.quiz'), needed === null ? t('quiz.free', figures) : t('quiz.passed', { ...figures, needed })]];
}

function lineOf({ kind, at, clock }: TrailEvent, certificate: Certificate, { t, formatInstant }: Words): string {
  const said = t(`event.${kind}`, {
    read: certificate.sections_read,
    all: certificate.sections,
    right: certificate.quiz?.right ?? 0,
    of: certificate.quiz?.of ?? 0,
    attempts: certificate.quiz?.attempts ?? 0,
  });
  if (at === null || clock === null) return said;
  const whose = t(`clock.${clock}`);
  return `${formatInstant(new Date(at))} · ${said} (${whose})`;
}
