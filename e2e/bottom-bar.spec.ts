import { expect, test, type Page } from '@playwright/test';
import { FieldWorker, signIn } from './people/field-worker.ts';
import { DESKTOP, PHONE, Phone } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';

let server: ServerProcess;
let phone: Phone;

test.beforeAll(async () => {
  server = await ServerProcess.start();
});
test.afterAll(() => server.stop());
test.afterEach(async () => {
  await phone.screenshot('bottom-bar');
  await phone.close();
});

const bar = (page: Page) => page.locator('nav.bottom');
const SHORT = ['Dashboard', 'Action Items', 'Policies', 'Field'];
/** Signed-in screens without the frame; pages for visitors are none (decision 38). */
const OUTSIDE = ['/debug', '/minimal', '/invitation?invitation_token=unknown', '/auth/return', '/papers/gone.pdf'];

/** How the app shows itself at a width: the bar of a phone, the rail of a tablet, or the whole sidebar of a desk. */
async function expectFrame(page: Page, width: number, frame: 'bar' | 'rail' | 'full'): Promise<void> {
  await page.setViewportSize({ width, height: 844 });
  await expect(bar(page), `${width} px`).toBeVisible({ visible: frame === 'bar' });
  await expect(page.getByRole('complementary', { name: 'Cairn' }), `${width} px`).toBeVisible({
    visible: frame !== 'bar',
  });
  if (frame !== 'bar') await expect(page.locator('.shell')).toHaveAttribute('data-side', frame);
}

test('R2.17 R9.22 the bottom navigation stands on every signed-in screen of a phone, those without the frame and the not-found page too, and never on /auth; a tablet begins at 768 px, a desk at 1024', async () => {
  phone = await Phone.open(PHONE);
  const { page } = phone;
  await page.goto(`${server.url}/auth`);
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  await expect(bar(page)).toHaveCount(0);
  for (const path of OUTSIDE) {
    await page.goto(server.url + path);
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
    await expect(bar(page), `${path}, signed out`).toHaveCount(0);
  }
  await signIn(page, server.url, 'worker');
  for (const path of [...OUTSIDE, '/dashboard', '/settings', '/sync', '/notifications']) {
    await page.goto(server.url + path);
    await expect(bar(page), path).toBeVisible();
    await expect(bar(page).getByRole('link'), path).toHaveText(SHORT);
  }
  await page.goto(`${server.url}/debug`);
  await bar(page).getByRole('link', { name: 'Field' }).click();
  await expect(page).toHaveURL(/\/field$/);
  await expectFrame(page, 767, 'bar');
  await expectFrame(page, 768, 'rail');
  await expectFrame(page, 1023, 'rail');
  await expectFrame(page, 1024, 'full');
});

test('R2.17 a running inspection has its own foot in place of the bar; once it is closed the bar is back', async () => {
  phone = await Phone.open(PHONE);
  const { page } = phone;
  const worker = new FieldWorker(phone, server.url);
  await signIn(page, server.url, 'worker');
  await worker.openTodaysCheck();
  await expect(page.locator('.runner-foot')).toBeVisible();
  await expect(bar(page)).toBeHidden();
  await page.goBack();
  await expect(bar(page)).toBeVisible();
});

test('R2.04 "New task" on /minimal makes a task', async () => {
  phone = await Phone.open(DESKTOP);
  const { page } = phone;
  await signIn(page, server.url, 'worker');
  await page.goto(`${server.url}/minimal`);
  await expect(page.getByRole('navigation', { name: 'Screens' }).getByRole('link')).toHaveText([
    'Tasks',
    'Profile',
    'Settings',
    'Diagnostics',
  ]);
  const quick = page.getByRole('navigation', { name: 'Quick actions' }).getByRole('link');
  await expect(quick).toHaveText(['New inspection', 'New task', 'Check in', 'Scan a code']);
  await quick.nth(1).click();
  await expect(page.getByLabel('New task')).toBeFocused();
  await page.keyboard.type('Buy road salt');
  await page.keyboard.press('Enter');
  const facts = new ServerFacts(server);
  await expect.poll(async () => (await facts.rows('tasks', 'title=eq.Buy road salt')).length).toBe(1);
});
