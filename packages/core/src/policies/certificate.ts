import type { Json } from '@cairn/schema';
import type { Signature } from '../forms/definition/form-definition.ts';
import type { CertificateStatus } from './certificate-code.ts';
import type { OpenedPolicy } from './queries.ts';
import type { Acknowledgement } from './policy-status.ts';
import { policyFileOf } from './policy-file.ts';
import { quizResult, type QuizResult } from './quiz.ts';
import { versionNumber, type PolicyVersion } from './version-states.ts';

/** How it was shown at a kiosk whose word it is: by the right PIN, or by whoever witnessed it. */
export type KioskProof = 'pin' | 'witness';

/** On whose device a word was said that was not said on one's own. */
export type KioskAttestation = {
  proof: KioskProof;
  /** null where they have left. */
  witness: string | null;
  /** What the device called itself. */
  device: string | null;
};

/** Somebody of a person's circle who put their name under the person's word. */
export type Countersigner = {
  name: string;
  /** What the account was called that signed; null where that was not kept. */
  account_name: string | null;
  method: 'typed' | 'drawn';
  /** Strokes (decision 25). */
  signature: Json;
  /** Device time. */
  decided_at: string;
  /** Server time. */
  received_at: string;
};

/** What stands on a certificate; `acknowledgement_certificate` answers the same. Instants in ISO 8601, null where unknown. */
export type Certificate = {
  /** Null for a word on a principle of one's own. */
  organization: string | null;
  title: string;
  /** "2.0" */
  version: string;
  content_hash: string;
  /** The file that was signed for, whose hash is part of the content; null where the words were written. */
  file: { name: string; sha256: string } | null;
  /** As it was typed. */
  signed_name: string;
  /** What the account was called that signed, when its word was received; null where that was not kept. */
  account_name: string | null;
  method: 'typed' | 'drawn';
  /** Strokes (decision 25). */
  signature: Json;
  /** Null for a word on a principle of one's own: nobody else is told that it exists, so there is no page to compare it with. */
  code: string | null;
  status: CertificateStatus;
  /** Server time; null where nobody asked. */
  requested_at: string | null;
  /** Device time. */
  opened_at: string;
  sections_read: number;
  sections: number;
  /** Device time. */
  decided_at: string;
  /** Server time. */
  received_at: string;
  /** Server time at which a newer major came into force. */
  replaced_at: string | null;
  /** Server time at which the policy was taken out of force. */
  archived_at: string | null;
  /** Null where none was answered. */
  quiz: QuizResult | null;
  /** Null where it was said on their own device. */
  kiosk: KioskAttestation | null;
  /** Who countersigned this version; of a principle of one's own. */
  countersigned?: readonly Countersigner[];
};

/** Whether a word counts now; `policy.certificate_status` decides the same in the database. */
function certificateStatus(
  acknowledgement: Acknowledgement,
  version: PolicyVersion,
  policy: OpenedPolicy['policy'],
): CertificateStatus {
  if (acknowledgement.state === 'void') return 'void';
  if ((version.major ?? 0) < (policy.current_major ?? 0)) return 'superseded';
  return policy.state === 'archived' ? 'archived' : 'in_force';
}

/** On whose device a word was said; null where it was one's own. */
export function kioskEvidence(
  acknowledgement: Acknowledgement,
  { acknowledgements }: Pick<OpenedPolicy, 'acknowledgements'>,
): KioskAttestation | null {
  const { proof, device } = acknowledgement;
  if (!proof) return null;
  const now = acknowledgements.find(entry => entry.acknowledgement.id === acknowledgement.id)?.witness ?? null;
  return { proof, device, witness: acknowledgement.witness_name ?? now };
}

/**
 * The certificate of a person's own word, from what is on this device; null where there is none: nothing was signed, or the server
 * has not received it.
 *
 * @param organization the name of the company that asks; null for a principle of one's own
 */
export function certificateOf(
  acknowledgement: Acknowledgement,
  opened: OpenedPolicy,
  organization: string | null,
): Certificate | null {
  const version = opened.published.find(({ id }) => id === acknowledgement.version_id);
  const number = version && versionNumber(version);
  const { certificate_code: code, content_hash: hash, method, signed_name: name } = acknowledgement;
  const { decided_at: decided, received_at: received } = acknowledgement;
  if (!version || !number || (organization !== null && !code) || !hash || !method || !name || !decided || !received)
    return null;
  const replaced = opened.published
    .filter(each => (each.major ?? 0) > (version.major ?? 0))
    .flatMap(each => each.published_at ?? [])
    .toSorted((a, b) => Date.parse(a) - Date.parse(b))[0];
  return {
    organization,
    title: version.title,
    version: number,
    content_hash: hash,
    file: signedFile(version),
    signed_name: name,
    account_name: acknowledgement.account_name ?? null,
    method,
    signature: acknowledgement.signature,
    code,
    status: certificateStatus(acknowledgement, version, opened.policy),
    requested_at: acknowledgement.requested_at,
    opened_at: acknowledgement.opened_at,
    sections_read: acknowledgement.sections_read,
    sections: acknowledgement.sections,
    decided_at: decided,
    received_at: received,
    replaced_at: replaced ?? null,
    archived_at: opened.policy.archived_at,
    quiz: quizResult(acknowledgement, version),
    kiosk: kioskEvidence(acknowledgement, opened),
  };
}

function signedFile(version: PolicyVersion): Certificate['file'] {
  const file = policyFileOf(version);
  return file && { name: file.name, sha256: file.sha256 };
}

export type TrailEvent = {
  kind:
    | 'requested'
    | 'opened'
    | 'read'
    | 'answered'
    | 'signed'
    | 'superseded'
    | 'received'
    | 'voided'
    | 'countersigned'
    | 'countersignReceived'
    | 'archived';
  /** ISO 8601; null for what has no time of its own. */
  at: string | null;
  /** Whose clock said so. */
  clock: 'device' | 'server' | null;
  /** Who did it, where it was not whose word it is. */
  name?: string;
};

/**
 * What happened to a word, in the order in which it happened. Not by the times: a device's clock may be wrong, and what was
 * signed without signal is received when there is one again.
 */
export function trailOf(certificate: Certificate): TrailEvent[] {
  const { status, sections, quiz, requested_at: requested, replaced_at: replaced } = certificate;
  const { archived_at: archived } = certificate;
  const isVoid = status === 'void';
  const server = (kind: TrailEvent['kind'], at: string | null): TrailEvent[] =>
    at === null ? [] : [{ kind, at, clock: 'server' }];
  return [
    ...server('requested', requested),
    { kind: 'opened', at: certificate.opened_at, clock: 'device' },
    ...(sections > 0 ? [{ kind: 'read', at: null, clock: null } as const] : []),
    ...(quiz?.at ? [{ kind: 'answered', at: quiz.at, clock: 'device' } as const] : []),
    { kind: 'signed', at: certificate.decided_at, clock: 'device' },
    ...(isVoid ? server('superseded', replaced) : []),
    ...server('received', certificate.received_at),
    ...(certificate.countersigned ?? []).flatMap(({ name, decided_at: at, received_at: received }): TrailEvent[] => [
      { kind: 'countersigned', at, clock: 'device', name },
      { kind: 'countersignReceived', at: received, clock: 'server', name },
    ]),
    ...(isVoid ? server('voided', certificate.received_at) : server('superseded', replaced)),
    ...server('archived', archived),
  ];
}

const isPoint = (point: unknown): point is [number, number] =>
  Array.isArray(point) && point.length === 2 && point.every(each => typeof each === 'number');

/** The strokes of a stored signature; null where the value holds none. */
export function signatureOf(value: Json): Signature | null {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return null;
  const { width, height, strokes } = value;
  if (typeof width !== 'number' || typeof height !== 'number' || !Array.isArray(strokes)) return null;
  const drawn = strokes
    .map(stroke => (Array.isArray(stroke) ? stroke.filter(isPoint) : []))
    .filter(({ length }) => length > 0);
  return drawn.length > 0 ? { width, height, strokes: drawn } : null;
}
