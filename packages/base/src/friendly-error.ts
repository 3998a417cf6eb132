import { Failure, type FailureCode } from './failure.ts';

/** What a person is told about an error, as a code; one sentence each. */
export type FriendlyCode =
  | 'SESSION_EXPIRED'
  | 'PERMISSION_DENIED'
  | 'NETWORK_ERROR'
  | 'DUPLICATE_ERROR'
  | 'NOT_FOUND'
  | 'USER_EXISTS'
  | 'STALE_VERSION'
  | 'STORAGE_FULL'
  | 'INVALID'
  | 'NOT_ENCRYPTED'
  | 'NOT_DECRYPTED'
  | 'NOT_STORED'
  | 'UNEXPECTED';

const OF_FAILURE: Record<FailureCode, FriendlyCode> = {
  signed_out: 'SESSION_EXPIRED',
  not_allowed: 'PERMISSION_DENIED',
  offline: 'NETWORK_ERROR',
  not_found: 'NOT_FOUND',
  stale_version: 'STALE_VERSION',
  storage_full: 'STORAGE_FULL',
  invalid: 'INVALID',
  too_large: 'INVALID',
  stalled: 'INVALID',
};

/**
 * Words of a message and codes of the backend, in the order in which they are looked for: the first that matches wins.
 * 42501, 23505 are SQLSTATEs; PGRST301 to 303 and PT401 are PostgREST's for a token; the browsers say a failed fetch differently.
 */
const PATTERNS: readonly (readonly [FriendlyCode, RegExp])[] = [
  ['SESSION_EXPIRED', /jwt|\b(PGRST30[1-3]|PT401)\b/i],
  ['PERMISSION_DENIED', /permission denied|\bRLS\b|row-level security|\b42501\b/i],
  ['NETWORK_ERROR', /connection|network|failed to fetch|load failed|AuthRetryableFetchError/i],
  ['DUPLICATE_ERROR', /duplicate|unique|\b23505\b/i],
  ['NOT_FOUND', /not found|\b404\b/i],
  ['USER_EXISTS', /user already registered|\buser_already_exists\b/i],
  ['NOT_ENCRYPTED', /failed to encrypt data/i],
  ['NOT_DECRYPTED', /failed to decrypt data/i],
  ['NOT_STORED', /failed to securely store data/i],
];

/** Which of the known errors this is, by its words, its code and its status; `UNEXPECTED` when it is none of them. */
export function friendlyCode(error: unknown): FriendlyCode {
  if (error instanceof Failure) return OF_FAILURE[error.code];
  const words = wordsOf(error);
  return PATTERNS.find(([, pattern]) => pattern.test(words))?.[0] ?? 'UNEXPECTED';
}

/** Everything an error says of itself. Libraries throw objects with a message and a code as often as Errors. */
function wordsOf(error: unknown): string {
  if (typeof error === 'string') return error;
  if (typeof error !== 'object' || error === null) return '';
  const parts = ['name', 'message', 'code', 'status', 'details'].map(key => Reflect.get(error, key) as unknown);
  return parts.filter(each => typeof each === 'string' || typeof each === 'number').join(' ');
}
