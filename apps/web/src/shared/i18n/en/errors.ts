/** What a person reads when something fails; codes and details stand below, never in the sentence. */
export const errors = {
  title: '{{operation}} Failed',
  global: 'Error Occurred',
  SESSION_EXPIRED: 'Your session has expired. Please sign in again.',
  PERMISSION_DENIED: "You don't have permission to perform this action.",
  NETWORK_ERROR: 'Network error. Please check your connection and try again.',
  DUPLICATE_ERROR: 'This item already exists. Please try with different values.',
  NOT_FOUND: 'The requested item was not found.',
  USER_EXISTS: 'An account with this email already exists. Please sign in instead.',
  STALE_VERSION: 'Someone changed this first. Check and try again.',
  STORAGE_FULL: 'This device is full. Free some space and try again.',
  INVALID: 'Something here is not right. Check and try again.',
  NOT_ENCRYPTED: 'Failed to encrypt data',
  NOT_DECRYPTED: 'Failed to decrypt data - incorrect password or corrupted data',
  NOT_STORED: 'Failed to securely store data',
  UNEXPECTED: 'An unexpected error occurred',
} as const;
