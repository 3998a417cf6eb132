import type { Page } from '@playwright/test';

/** Until the page has drawn once more and run what waited: what was lifted by keyboard hears the arrows only from then on. */
export const nextTurn = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise<void>(done => requestAnimationFrame(() => setTimeout(done))));
