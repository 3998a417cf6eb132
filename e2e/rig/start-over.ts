import type { Page } from '@playwright/test';

/**
 * Until whatever the page keeps for its first quiet moment would be on the screen: that comes after three seconds, at six at
 * the latest (`use-idle.ts`). Before it, that something is not there says nothing.
 */
export async function startOver(page: Page): Promise<void> {
  await page.waitForFunction(() => performance.now() > 8000);
}
