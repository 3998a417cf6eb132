import { expect, type Page } from '@playwright/test';

/** Goes to an address within the open page, as a link of the app does; a page of its own for each costs a start of the app. */
export async function follow(page: Page, address: string): Promise<void> {
  await page.evaluate(to => {
    const router = Reflect.get(globalThis, '__TSR_ROUTER__') as { history: { push(to: string): void } };
    router.history.push(to);
  }, address);
  await expect(page).toHaveURL(url => url.pathname + url.search === address);
}
