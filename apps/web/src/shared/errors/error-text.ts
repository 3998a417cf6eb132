import type { FriendlyCode } from '@cairn/base/friendly-error.ts';
import type { ParseKeys } from 'i18next';

/** The sentence of each code, as keys of the `errors` namespace. A new code does not compile until it has its sentence. */
export const errorText = {
  SESSION_EXPIRED: 'SESSION_EXPIRED',
  PERMISSION_DENIED: 'PERMISSION_DENIED',
  NETWORK_ERROR: 'NETWORK_ERROR',
  DUPLICATE_ERROR: 'DUPLICATE_ERROR',
  NOT_FOUND: 'NOT_FOUND',
  USER_EXISTS: 'USER_EXISTS',
  STALE_VERSION: 'STALE_VERSION',
  STORAGE_FULL: 'STORAGE_FULL',
  INVALID: 'INVALID',
  NOT_ENCRYPTED: 'NOT_ENCRYPTED',
  NOT_DECRYPTED: 'NOT_DECRYPTED',
  NOT_STORED: 'NOT_STORED',
  UNEXPECTED: 'UNEXPECTED',
} as const satisfies Record<FriendlyCode, ParseKeys<'errors'>>;
