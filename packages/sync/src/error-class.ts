import type { BackendErrorKind } from './backend.ts';

/** The database was busy or fell back: the same call may pass a moment later. */
const TRANSIENT = new Set(['55P03', '40P01', '40001', '57014', '53300', '57P01']);
const REFUSED = /^(22|23)...$|^42501$|^P0001$/;
/** PostgREST: the token is missing, expired or malformed. */
const TOKEN = new Set(['PGRST301', 'PGRST302', 'PGRST303', 'invalid_jwt', 'bad_jwt']);

/**
 * What an answer that is none means for the work (docs/sync-protocol.md, "What an error does").
 *
 * @param status HTTP status, 0 where there was no answer; code: SQLSTATE or the service's own, '' where it gave none
 */
export function kindOf(status: number, code: string): BackendErrorKind {
  if (status === 401 || TOKEN.has(code)) return 'auth';
  if (status === 413) return 'too_large';
  if (TRANSIENT.has(code) || status === 408 || status === 429 || status === 503) return 'busy';
  if (REFUSED.test(code)) return 'refused';
  // Without a code of ours it was a portal or a proxy on the way: the work is not judged by it.
  if (status >= 400 && status < 500 && code !== '') return 'refused';
  return 'network';
}

/** Seconds or a date, as RFC 9110 has it, to ms from `now`. */
export function retryAfterOf(header: string | null, now: number): number | null {
  if (!header) return null;
  const seconds = Number(header);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now;
  return Number.isFinite(wait) ? Math.max(0, wait) : null;
}
