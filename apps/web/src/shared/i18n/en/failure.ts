export const failure = {
  not_found: 'The requested item was not found.',
  not_allowed: "You don't have permission to perform this action.",
  stale_version: 'Someone changed this first. Check and try again.',
  offline: 'You are offline. This step needs a connection.',
  storage_full: 'This device is full. Free some space and try again.',
  invalid: 'Something here is not right. Check and try again.',
  too_large: 'This is too large to be kept. Make it smaller and try again.',
  stalled:
    'This file could not be read: for 10 seconds nothing went on. Try again, or save it anew in the program it comes from.',
  signed_out: 'Your session has expired. Please sign in again.',
} as const;
