/** What may be said before anybody is signed in: it arrives with the first paint, so keep it short. */
export const shellFirst = {
  appName: 'Cairn',
  loading: 'Loading',
  close: 'Close',
  dismiss: 'Dismiss',
  notifications: 'Messages',
  update: { ready: 'A new version is ready', now: 'Use it now' },
  error: {
    title: 'Something went wrong',
    text: 'What you saved on this phone is safe. If it comes back, tell us the details.',
    retry: 'Try Again',
    dashboard: 'Go to Dashboard',
    reload: 'Reload Page',
    details: 'Technical details',
  },
} as const;
