import type { ParseKeys } from 'i18next';

type Key = ParseKeys<'lock'>;

/** Everything the lock says in a toast: title and text. */
export const LOCK_TOASTS = {
  success: ['toast.success', null],
  webAuth: ['toast.error', 'toast.errorText'],
  warning: ['toast.warning', 'toast.warningText'],
  unavailable: ['toast.unavailable', 'toast.unavailableText'],
  canceled: ['toast.failed', 'toast.canceled'],
  not_enrolled: ['toast.failed', 'toast.notEnrolled'],
  failed: ['toast.failed', 'toast.biometricFailed'],
  noSession: ['toast.noSession', 'toast.noSessionText'],
  setUpUnavailable: ['toast.setUpUnavailable', 'toast.setUpUnavailableText'],
  strongRequired: ['toast.strongRequired', 'toast.strongRequiredText'],
  setUpFailed: ['toast.setUpFailed', 'toast.setUpFailedText'],
} as const satisfies Record<string, readonly [Key, Key | null]>;

export type LockToast = keyof typeof LOCK_TOASTS;
