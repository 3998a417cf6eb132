import type { Page } from '@playwright/test';

/**
 * Waits until the app is on the device and its worker answers for this page: from here on the signal may go. That a worker is
 * ready says less, it may be about to take the page over, and what the page fetches in that moment is fetched from the network.
 */
export async function appCached(page: Page): Promise<void> {
  // Some 400 files come first: on two busy cores that takes longer than half a minute.
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated', undefined, {
    timeout: 120_000,
  });
}
