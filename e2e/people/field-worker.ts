import { expect, type Page } from '@playwright/test';
import type { Phone } from '../rig/phone.ts';

export const PASSWORD = 'cairn-demo-1';

/** Signs in through the form and waits for the first screen with data on it. */
export async function signIn(page: Page, url: string, who: 'worker' | 'manager' | 'admin' | 'person'): Promise<void> {
  await page.goto(`${url}/auth`);
  await page.getByLabel('E-mail').fill(`${who}@demo.cairn.test`);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

/** What a person does with a form, question by question, whatever is asked next. */
export class FieldWorker {
  private readonly phone: Phone;
  private readonly url: string;
  /** Counts every answer the screen called saved; a death may not take one of them. */
  saved = 0;

  constructor(phone: Phone, url: string) {
    this.phone = phone;
    this.url = url;
  }

  get page(): Page {
    return this.phone.page;
  }

  async openDashboard(): Promise<void> {
    await this.page.goto(`${this.url}/dashboard`);
    await expect(this.page.getByRole('heading', { level: 1 })).toBeVisible();
  }

  /** The phone keeps what the day needs before the signal goes. */
  async waitUntilReadyOffline(): Promise<void> {
    await expect(this.page.getByRole('link', { name: /Up to date/ })).toBeVisible({ timeout: 30_000 });
    await this.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await expect
      .poll(() => this.page.evaluate(() => navigator.serviceWorker.controller !== null || caches.keys().then(k => k.length > 0)))
      .toBeTruthy();
  }
}
