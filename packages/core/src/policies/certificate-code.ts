const CODE = /^[0-9A-HJKMNP-TV-Z]{28}$/;

/** What a visitor is told of a certificate by its code; `verify_certificate` answers it. */
export type VerifiedCertificate = {
  organization: string;
  title: string;
  /** "2.0" */
  version: string;
  /** SHA-256 (hex) of the title and text that were acknowledged. */
  content_hash: string;
  /** Server time at which the word arrived, ISO 8601. */
  received_at: string;
  status: CertificateStatus;
  /** As it stands on the certificate; null once the account of whoever signed is gone. */
  name: string | null;
  /** What the account was called that signed, then; null where that was not kept, or the account is gone. */
  account_name: string | null;
};

/** Whether a word counts: for the major in force; for an earlier one; out of force; or never, since it came too late. */
export type CertificateStatus = 'in_force' | 'superseded' | 'archived' | 'void';

/**
 * A certificate's code as the server keeps it, from however a person typed it: with O for 0 and I or L for 1, or as the whole
 * address of its page; null where it cannot be one.
 */
export function normalCertificateCode(typed: string): string | null {
  const last = typed.trim().replace(/\/+$/, '').split('/').at(-1) ?? '';
  const bare = last.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  return CODE.test(bare) ? bare : null;
}

/** "7Q2K-41AB-…": in fours, to be read aloud and typed. */
export const shownCertificateCode = (code: string): string => code.replaceAll(/(.{4})(?=.)/g, '$1-');

/** "2026-11-21 10:00:00 UTC": the same on paper and screen, whoever reads it and where. @param iso an instant, ISO 8601 */
export const universalTime = (iso: string): string =>
  `${new Date(iso).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** Whether two content hashes are the same, however they were copied; null where the typed one is no SHA-256. */
export function isSameHash(typed: string, hash: string): boolean | null {
  const bare = typed
    .toLowerCase()
    .replaceAll(/[\s:]/g, '')
    .replace(/^sha-?256/, '');
  return /^[0-9a-f]{64}$/.test(bare) ? bare === hash : null;
}
