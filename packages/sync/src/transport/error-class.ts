import type { BackendErrorKind } from './backend.ts';

/** The database was busy or fell back: the same call may pass a moment later. */
const TRANSIENT = new Set(['55P03', '40P01', '40001', '57014', '53300', '57P01']);
/**
 * What was judged is what the call carries: a value, a rule over values, one beyond what the server reads at all (class 54, and
 * PostgREST's word for a body that is nested too deeply or is none). A line that cut a body would be told the same; but a body says
 * its length, and what was set aside for nothing goes again when its person says so, where one value left in the queue stops all.
 */
const CARRIED = /^(21|22|23|54)...$|^PGRST102$/;
/** PostgREST: the token is missing, expired or malformed. */
const TOKEN = new Set(['PGRST301', 'PGRST302', 'PGRST303', 'invalid_jwt', 'bad_jwt']);

const isRefused = (code: string): boolean => CARRIED.test(code) || code === '42501' || code === 'P0001';

type Refusal = { kind: BackendErrorKind; code: string | null };

/** The call was refused for what it carries, whoever makes it: one piece of it is at fault, and will be however often it is sent. */
export const isForContents = ({ kind, code }: Refusal): boolean =>
  kind === 'too_large' || (kind === 'refused' && CARRIED.test(code ?? ''));

/** The same, or for a right its person has not or a rule it breaks: what else was sent with it may pass. */
export const isPoison = ({ kind, code }: Refusal): boolean =>
  kind === 'too_large' || (kind === 'refused' && isRefused(code ?? ''));

/**
 * What an answer that is none means for the work (docs/sync-protocol.md, "What an error does").
 *
 * @param status HTTP status, 0 where there was no answer; code: SQLSTATE or the service's own, '' where it gave none
 */
export function kindOf(status: number, code: string): BackendErrorKind {
  if (status === 401 || TOKEN.has(code)) return 'auth';
  if (status === 413) return 'too_large';
  if (TRANSIENT.has(code) || status === 408 || status === 429 || status === 503) return 'busy';
  if (isRefused(code)) return 'refused';
  // Without a code of ours it was a portal or a proxy on the way: the work is not judged by it.
  if (status >= 400 && status < 500 && code !== '') return 'refused';
  return 'network';
}

/** ms; no rest between two tries is longer, whatever failed and whoever asked for it. */
export const MAX_BACK_OFF = 5 * 60_000;

/**
 * Seconds or a date, as RFC 9110 has it, to ms from `now`, the time of day: `MAX_BACK_OFF` at most. A portal may ask for a day in the server's
 * name, a date is read on a clock that may be wrong, and a timer of more than 24 days fires at once.
 */
export function retryAfterOf(header: string | null, now: number): number | null {
  if (!header) return null;
  const seconds = Number(header);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now;
  return Number.isFinite(wait) ? Math.min(Math.max(0, wait), MAX_BACK_OFF) : null;
}
