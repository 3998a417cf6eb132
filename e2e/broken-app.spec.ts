import { expect, test, type Page } from '@playwright/test';
import { signIn } from './people/field-worker.ts';
import { DESKTOP, Phone } from './rig/phone.ts';
import { ServerProcess } from './rig/server-process.ts';

let server: ServerProcess;
const phones: Phone[] = [];

test.beforeAll(async () => {
  server = await ServerProcess.start();
});
test.afterAll(() => server.stop());
test.afterEach(async () => {
  for (const phone of phones.splice(0)) {
    await phone.screenshot(`broken-${phones.length}`);
    await phone.close();
  }
});

async function open(options: { isNew?: boolean } = {}): Promise<Page> {
  const phone = await Phone.open(DESKTOP, options);
  phones.push(phone);
  return phone.page;
}

const alertOn = (page: Page) => page.getByRole('alert').filter({ hasText: 'Something went wrong' });

test('R2.28 when the frame around the screens fails the offer is Try Again and Reload Page, with technical details', async () => {
  const page = await open();
  await signIn(page, server.url, 'worker');
  // What only the frame asks for: how wide the screen is.
  await page.evaluate(() => {
    const { matchMedia } = window;
    addEventListener('mend', () => Object.assign(window, { matchMedia }), { once: true });
    Object.assign(window, {
      matchMedia: (): never => {
        throw new Error('this device measures no screens');
      },
    });
  });
  await page.keyboard.press('Control+k');
  const alert = alertOn(page);
  await expect(alert.getByRole('heading', { level: 1 })).toHaveText('Something went wrong');
  await expect(alert.getByRole('button')).toHaveText(['Try Again', 'Reload Page']);
  await expect(alert.getByRole('link', { name: 'Go to Dashboard' })).toHaveCount(0);
  await alert.getByText('Technical details').click();
  await expect(alert.getByText(/this device measures no screens/).first()).toBeVisible();

  await page.evaluate(() => void dispatchEvent(new Event('mend')));
  await alert.getByRole('button', { name: 'Reload Page' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Welcome');
});

test('R2.28 an exception before the first paint shows the page with both ways on, and a reload mends it', async () => {
  const page = await open({ isNew: true });
  // A browser that refuses its store.
  await page.addInitScript(() => {
    if (sessionStorage.getItem('mended') !== null) return;
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('the store is refused', 'SecurityError');
      },
    });
  });
  await page.goto(`${server.url}/auth`);
  const alert = alertOn(page);
  await expect(alert.getByRole('heading', { level: 1 })).toHaveText('Something went wrong');
  await expect(alert.getByRole('link')).toHaveText(['Try Again', 'Reload Page']);
  await alert.getByText('Technical details').click();
  await expect(alert.getByText(/the store is refused/)).toBeVisible();
  await page.evaluate(() => sessionStorage.setItem('mended', 'yes'));
  await alert.getByRole('link', { name: 'Reload Page' }).click();
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
});

test("R2.28 an app whose file does not arrive shows the page too, in the browser's language", async () => {
  const page = await open({ isNew: true });
  await page.context().route(/\/assets\/index-[^/]*\.js/, route => route.abort());
  await page.addInitScript(() => Object.defineProperty(navigator, 'languages', { value: ['de-DE', 'en'] }));
  await page.goto(`${server.url}/auth`);
  await expect(page.getByRole('heading', { level: 1, name: 'Etwas ist schiefgegangen' })).toBeVisible();
  await expect(page.getByRole('alert').getByRole('link')).toHaveText(['Nochmal versuchen', 'Seite neu laden']);
});
