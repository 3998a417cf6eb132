/** How a check ended: all well, worth a look, or broken. */
export type Outcome = { state: 'success' | 'warning' | 'error'; text: string };

/** One thing the diagnostics look at. What it tells holds no token, no key and no name of a person. */
export type Check = { id: string; name: string; look: () => Promise<Outcome> };
