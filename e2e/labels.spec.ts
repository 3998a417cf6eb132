import { expect, test, type Page } from '@playwright/test';
import { signIn } from './people/field-worker.ts';
import { DESKTOP, Phone } from './rig/phone.ts';
import { ServerProcess } from './rig/server-process.ts';

let server: ServerProcess;
let phone: Phone;

test.beforeAll(async () => {
  server = await ServerProcess.start();
});
test.afterAll(() => server.stop());
test.beforeEach(async () => {
  phone = await Phone.open(DESKTOP);
});
test.afterEach(async () => {
  await phone.screenshot('labels');
  await phone.close();
});

/** What the sidebar shows with every group unfolded, each label once. */
async function labelsIn(page: Page): Promise<string[]> {
  const main = page.getByRole('navigation', { name: 'Main' }).first();
  await expect(main.getByRole('link').first()).toBeVisible();
  const folded = main.getByRole('button', { expanded: false });
  while ((await folded.count()) > 0) await folded.first().click();
  for (const link of await main.getByRole('link').all()) await expect(link).toBeVisible();
  return [...new Set(await main.getByRole('link').allInnerTexts())];
}

test('R2.35 an administrator has the three admin groups; every company label whose screens are built stands in the sidebar, and /settings is headed User Preferences', async () => {
  const { page } = phone;
  await signIn(page, server.url, 'admin');
  const labels = await labelsIn(page);
  const groups = await page.getByRole('navigation', { name: 'Main' }).first().getByRole('button').allInnerTexts();
  expect(groups.slice(-3)).toEqual(['People & Access', 'Content & Configuration', 'System & Settings']);
  const built = [
    'Action Items',
    'Policy Statements',
    'Asset Management',
    'Workflow Automation',
    'Policy Marketplace',
    'Field Operations',
    'Sync & Offline',
    'Security',
    'Support Circle',
    'Wellness Check-ins',
    'Notifications',
    'User Preferences',
  ];
  expect(labels).toEqual(expect.arrayContaining(built));
  for (const [label, heading] of [
    ['User Preferences', 'User Preferences'],
    ['Notifications', 'Notifications'],
    ['Workflow Automation', 'Workflow Automation'],
  ] as const) {
    await page.getByRole('navigation', { name: 'Main' }).first().getByRole('link', { name: label }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
  }
  await page.goto(`${server.url}/settings`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('User Preferences');
  await expect(page).toHaveTitle('User Preferences · Cairn');
});

test('R2.31 every personal label whose screens are built stands in the sidebar, and /settings is headed My Preferences', async () => {
  const { page } = phone;
  await signIn(page, server.url, 'worker');
  await page
    .getByRole('button', { name: /^Switch organisation or playbook/ })
    .first()
    .click();
  await page.getByRole('dialog').locator('label', { hasText: 'Your private space' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Welcome to your journey');
  const labels = await labelsIn(page);
  const built = [
    'My Journey',
    'Personal Goals',
    'Wellness Journey',
    'My Actions',
    'Personal Principles',
    'Daily Activities',
    'My Circle',
    'Privacy',
    'Personal Insights',
    'AI Insights',
    'My Preferences',
  ];
  expect(labels).toEqual(expect.arrayContaining(built));
  await page.getByRole('navigation', { name: 'Main' }).first().getByRole('link', { name: 'My Preferences' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('My Preferences');
});
