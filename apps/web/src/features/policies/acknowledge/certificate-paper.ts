import type { TFunction } from 'i18next';
import { signedAs } from '@cairn/base/signed-as.ts';
import type { Signature } from '@cairn/core/forms/definition/form-definition.ts';
import {
  signatureOf,
  trailOf,
  type Certificate,
  type Countersigner,
  type TrailEvent,
} from '@cairn/core/policies/certificate.ts';
import { kioskText } from './kiosk-text.ts';
import { shownCertificateCode, universalTime } from '@cairn/core/policies/certificate-code.ts';

/** Everything a certificate says, in the words of the person who saves it. */
export type CertificatePaper = {
  /** BCP 47. */
  language: string;
  heading: string;
  /** One sentence, for whoever lists files. */
  subject: string;
  /** Who asks; whose word it is where it is a principle of their own. */
  author: string;
  /** Name and value, in order. */
  facts: readonly (readonly [string, string])[];
  signature: SignatureImage | null;
  trail: { heading: string; lines: readonly string[]; zone: string };
  /** Who signed under it. */
  countersigned: readonly SignatureBlock[];
  /** Null where there is no page to compare it with. */
  verify: { heading: string; text: string; code: string; address: string } | null;
};

export type SignatureBlock = Pick<CertificatePaper, 'facts' | 'signature'> & { heading: string };

/** A signature, and whose it is for a reader that speaks the document. */
export type SignatureImage = { drawing: Signature; alt: string };

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
  const { organization, title, version, method } = certificate;
  const isOwn = organization === null;
  const { typed: name, account } = signedAs(certificate.signed_name, certificate.account_name);
  return {
    language: words.language,
    heading: t(isOwn ? 'own.heading' : 'heading'),
    subject: t(isOwn ? 'own.subject' : 'subject', { name, title, version }),
    author: organization ?? name,
    facts: [
      ...(isOwn ? [] : [[t('fact.organization'), organization] as const]),
      [t(isOwn ? 'own.principle' : 'fact.policy'), title],
      [t('fact.version'), version],
      [t('fact.hash'), certificate.content_hash],
      ...fileFacts(certificate, t),
      [t(isOwn ? 'own.name' : 'fact.name'), name],
      ...accountFacts(account, t),
      [t('fact.how'), t(`how.${method}`)],
      ...(certificate.kiosk ? [[t('kiosk.fact'), kioskText(certificate.kiosk, t)] as const] : []),
      ...instantFacts(certificate, words),
      ...quizFacts(certificate, t),
      [
        t('fact.status', { when: formatInstant(now) }),
        t(isOwn ? `own.status.${certificate.status}` : `status.${certificate.status}`),
      ],
    ],
    signature: drawnOf(certificate, name, t),
    trail: {
      heading: t('trail'),
      lines: trailOf(certificate).map(event => lineOf(event, certificate, words)),
      zone: t('zone', { zone: words.zone }),
    },
    countersigned: (certificate.countersigned ?? []).map(each => undersignedOf(each, words)),
    verify: verifyOf(certificate, words),
  };
}

function verifyOf({ code }: Certificate, { t, origin }: Words): CertificatePaper['verify'] {
  if (code === null) return null;
  return {
    heading: t('verify'),
    text: t('verifyText'),
    code: t('code', { code: shownCertificateCode(code) }),
    address: `${origin}/verify/${code}`,
  };
}

const instantFacts = (at: { decided_at: string; received_at: string }, { t, formatInstant }: Words) =>
  [
    [t('fact.device'), formatInstant(new Date(at.decided_at))],
    [t('fact.server'), `${formatInstant(new Date(at.received_at))} · ${universalTime(at.received_at)}`],
  ] as const;

const accountFacts = (account: string | null, t: Words['t']): [string, string][] =>
  account === null ? [] : [[t('fact.account'), account]];

/** Somebody who signed under it. */
function undersignedOf(each: Countersigner, words: Words): SignatureBlock {
  const { t } = words;
  const { typed: name, account } = signedAs(each.name, each.account_name);
  return {
    heading: t('own.countersigned'),
    facts: [
      [t('own.by'), name],
      ...accountFacts(account, t),
      [t('fact.how'), t(`how.${each.method}`)],
      ...instantFacts(each, words),
    ],
    signature: drawnOf(each, name, t),
  };
}

function drawnOf(
  { method, signature }: Pick<Countersigner, 'method' | 'signature'>,
  name: string,
  t: Words['t'],
): SignatureImage | null {
  const drawing = method === 'drawn' ? signatureOf(signature) : null;
  return drawing && { drawing, alt: t('drawn', { name }) };
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

function lineOf({ kind, at, clock, name }: TrailEvent, certificate: Certificate, { t, formatInstant }: Words): string {
  const text = t(`event.${kind}`, {
    read: certificate.sections_read,
    all: certificate.sections,
    right: certificate.quiz?.right ?? 0,
    of: certificate.quiz?.of ?? 0,
    attempts: certificate.quiz?.attempts ?? 0,
    name: name ?? '',
  });
  if (at === null || clock === null) return text;
  const whose = t(`clock.${clock}`);
  return `${formatInstant(new Date(at))} · ${text} (${whose})`;
}
