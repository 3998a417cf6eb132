import { expect as impatient, type Page } from '@playwright/test';
import type { Screen } from '../rig/phone.ts';

/** Also outside the test runner, where five seconds would be the limit. */
const expect = impatient.configure({ timeout: 30_000 });

export type TourLook = { theme: 'light' | 'dark' | 'contrast'; screen: Screen };

/** Shows the page in one look. High contrast is told by the page's attribute, as the preference does. */
export async function putOn(page: Page, { theme, screen }: TourLook): Promise<void> {
  await page.setViewportSize(screen);
  await page.emulateMedia({ colorScheme: theme === 'dark' ? 'dark' : 'light', reducedMotion: 'reduce' });
  // The app hears of another colour scheme a frame later and puts its own look on.
  await drawn(page);
  await page.evaluate(isHigh => {
    if (isHigh) document.documentElement.dataset['contrast'] = 'high';
    else delete document.documentElement.dataset['contrast'];
  }, theme === 'contrast');
}

/** Opens an address and waits until the screen shows what it has, not the shape of it. */
export async function openWhole(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await isWhole(page, address);
}

async function isWhole(page: Page, address: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 }).first(), address).toBeVisible();
  await expect(page.locator('main .sk'), address).toHaveCount(0);
}

/** As `openWhole`, from a screen of the running app, as whoever presses a link gets there. */
export async function goWhole(page: Page, path: string): Promise<void> {
  await page.evaluate(async to => {
    const router: unknown = Reflect.get(globalThis, '__TSR_ROUTER__');
    await (router as { navigate: (options: { to: string }) => Promise<void> }).navigate({ to });
  }, path);
  await drawn(page);
  await isWhole(page, path);
}

/** Waits until what measures itself (lists, charts) has drawn by what it measured. */
export const drawn = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 4; frame++) await new Promise(requestAnimationFrame);
  });

/** Enlarges every text, as the preference and a browser's own setting do, and waits until all of it has its new place. */
export async function enlargeText(page: Page, scale: number): Promise<void> {
  await page.evaluate(async factor => {
    document.documentElement.style.setProperty('--font-scale', String(factor));
    // Lists measure their rows a frame later, and draw by what they measured in the next.
    for (let frame = 0; frame < 4; frame++) await new Promise(requestAnimationFrame);
  }, scale);
}
