/** What may be said before anybody is signed in: it arrives with the first paint, so keep it short. */
export const shellFirst = {
  appName: 'Cairn',
  loading: 'Loading',
  close: 'Close',
  notifications: 'Messages',
  update: { ready: 'A new version is ready', now: 'Use it now' },
  error: {
    title: 'Something went wrong',
    text: 'What you saved on this phone is safe. Try again; if it comes back, tell us what the details say.',
    retry: 'Try Again',
    dashboard: 'Go to Dashboard',
    reload: 'Reload Page',
    details: 'Technical details',
  },
} as const;
