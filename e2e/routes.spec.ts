import { expect, test } from '@playwright/test';
import { FieldWorker, fillSignIn } from './people/field-worker.ts';
import { Phone } from './rig/phone.ts';
import { ServerProcess } from './rig/server-process.ts';

const ITEM = '00000000-0000-4000-8000-000000000101';

let server: ServerProcess;
let worker: FieldWorker;

test.beforeAll(async () => {
  server = await ServerProcess.start();
});

test.afterAll(async () => {
  await server.stop();
});

test.beforeEach(async () => {
  worker = new FieldWorker(await Phone.open(), server.url);
});

test.afterEach(async () => {
  await worker.phone.screenshot('worker');
  await worker.phone.close();
});

test('R2.14 a signed-out visitor is led from any protected address to the sign-in, and from there to where they wanted', async () => {
  const { page } = worker;
  for (const path of ['/tasks', '/field', '/field/forms', '/action-items', '/sync', '/profile', `/field/${ITEM}`]) {
    await worker.open(path);
    await expect(page).toHaveURL(`${server.url}/auth?from=${encodeURIComponent(path)}`);
    await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  }
  await worker.open(`/action-items/${ITEM}`);
  await expect(page).toHaveURL(/\/auth\?from=/);
  await fillSignIn(page, 'worker');
  await expect(page).toHaveURL(`${server.url}/action-items/${ITEM}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Eyewash bottle past its date' })).toBeVisible();
  expect(worker.phone.console).toEqual([]);
});

test('an inspection begun from the dashboard is begun once: a reload and the way back start nothing', async () => {
  const { page } = worker;
  await worker.open('/auth');
  await fillSignIn(page, 'worker');
  await expect(worker.syncBadge).toContainText('Up to date');
  const id = await worker.openTodaysCheck();
  await page.reload();
  await expect(page).toHaveURL(`${server.url}/field/${id}`);
  await expect(page.getByRole('button', { name: 'Next question' })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(`${server.url}/dashboard`);
  await expect(page.getByRole('main').getByRole('link', { name: 'Resume' })).toBeVisible();
  await page.goForward();
  await expect(page).toHaveURL(`${server.url}/field/${id}`);
  expect(worker.phone.console).toEqual([]);
});

test('R2.28 a screen that breaks says so and leaves a way on; the shell around it stands', async () => {
  const { page } = worker;
  await worker.open('/auth');
  await fillSignIn(page, 'worker');
  await expect(worker.syncBadge).toContainText('Up to date');
  // A device that cannot write times: whatever shows one cannot be drawn.
  await page.evaluate(() => {
    const { DateTimeFormat } = Intl;
    addEventListener('mend', () => Object.assign(Intl, { DateTimeFormat }), { once: true });
    Object.assign(Intl, {
      DateTimeFormat: function broken(): never {
        throw new Error('this device has no calendar');
      },
    });
  });
  await page.getByRole('link', { name: 'Action Items' }).first().click();
  const alert = page.getByRole('alert');
  await expect(alert.getByRole('heading', { level: 1, name: 'Something went wrong' })).toBeVisible();
  await expect(alert.getByRole('link', { name: 'Go to Dashboard' })).toBeVisible();
  await alert.getByText('Technical details').click();
  await expect(alert.getByText(/this device has no calendar/).first()).toBeVisible();
  await expect(worker.syncBadge).toBeVisible();
  await expect(page).toHaveURL(`${server.url}/tasks`);

  await page.evaluate(() => void dispatchEvent(new Event('mend')));
  await alert.getByRole('button', { name: 'Try Again' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Action Items' })).toBeVisible();
  await expect(
    page
      .getByRole('main')
      .getByRole('link', { name: /Forklift 3 pre-use check/ })
      .first(),
  ).toBeVisible();
});
