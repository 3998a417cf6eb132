import type { FailureCode } from '@cairn/base/failure.ts';
import type { ParseKeys } from 'i18next';

/** What a person reads, as keys of the `failure` namespace. A new code does not compile until it has its sentence. */
export const failureText = {
  not_found: 'not_found',
  not_allowed: 'not_allowed',
  stale_version: 'stale_version',
  offline: 'offline',
  storage_full: 'storage_full',
  invalid: 'invalid',
  too_large: 'too_large',
  stalled: 'stalled',
  signed_out: 'signed_out',
} as const satisfies Record<FailureCode, ParseKeys<'failure'>>;
