import { expect, test } from '@playwright/test';
import { PHOTO, signIn } from './people/field-worker.ts';
import { expectAccessible } from './rig/axe.ts';
import { cutOff } from './rig/cut-off.ts';
import { DESKTOP, Phone } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';

let server: ServerProcess;
const phones: Phone[] = [];

async function phone(screen?: typeof DESKTOP): Promise<Phone> {
  const opened = await Phone.open(screen);
  phones.push(opened);
  return opened;
}

test.beforeAll(async () => {
  server = await ServerProcess.start();
});
test.afterAll(() => server.stop());
test.afterEach(async () => {
  for (const each of phones.splice(0)) await each.close();
});

/** Pictured in light and dark for whoever reads the results; judged by axe, and for what is cut off. */
async function judge(device: Phone, name: string): Promise<void> {
  await device.screenshot(name);
  await expectAccessible(device.page, name);
  await expect.poll(() => cutOff(device.page), name).toEqual([]);
  await device.page.emulateMedia({ colorScheme: 'dark' });
  await device.screenshot(`${name}-dark`);
  await device.page.emulateMedia({ colorScheme: 'light' });
}

/** An administrator makes a code for Site North and takes the address off its sheet. */
async function hangUpCode(desk: Phone): Promise<string> {
  const { page } = desk;
  await signIn(page, server.url, 'admin');
  await page.goto(`${server.url}/field/reports/codes`);
  await expect(page.getByRole('heading', { level: 1, name: 'Public report codes' })).toBeVisible();
  await expect(page.getByText('No codes yet')).toBeVisible();
  await page.getByRole('button', { name: 'New code' }).click();
  await page.getByLabel('Site', { exact: true }).selectOption({ label: 'Site North' });
  await page.getByLabel('Where it is displayed').fill('Gate 2');
  await page.getByRole('button', { name: 'Create code' }).click();
  const sheet = page.getByRole('dialog', { name: 'Print and put up' });
  await expect(sheet.getByRole('img', { name: 'QR code to report an issue: Site North' })).toBeVisible();
  const address = (await sheet.getByLabel('Code link').innerText()).trim();
  await judge(desk, 'code-sheet');
  // On paper stands the sheet alone.
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByText('No sign-in needed')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Print on A4' })).toBeHidden();
  await expect(page.getByLabel('Code link')).toBeHidden();
  await desk.screenshot('code-on-paper');
  await page.emulateMedia({ media: 'screen' });
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('region', { name: 'Site North' })).toContainText('0 reports · none yet');
  await desk.screenshot('codes');
  return address;
}

test('a visitor scans a code, reports with a photo and no signal for a moment, and learns what a manager decided', async () => {
  const [desk, visitor] = [await phone(DESKTOP), await phone()];
  const address = await hangUpCode(desk);
  const { page } = visitor;

  await page.goto(address);
  await expect(page.getByRole('heading', { level: 1, name: 'Report an issue' })).toBeVisible();
  await expect(page.getByText('Site North · Gate 2')).toBeVisible();
  await judge(visitor, 'visitor-form');
  await page.getByRole('button', { name: 'Send report' }).click();
  await expect(page.getByText('Describe what happened first.')).toBeVisible();
  await page.getByLabel('What happened?').fill('A pallet blocks the fire exit');
  await page.getByText('High', { exact: true }).click();
  await page.getByLabel('Choose photo').setInputFiles(PHOTO);
  await expect(page.getByRole('img', { name: 'Photo 1' })).toBeVisible();
  await visitor.goOffline();
  await page.getByRole('button', { name: 'Send report' }).click();
  await expect(page.getByText('Waiting for signal')).toBeVisible();
  await judge(visitor, 'visitor-waits');
  const facts = new ServerFacts(server);
  const filter = 'title=eq.A pallet blocks the fire exit';
  expect(await facts.rows('issue_reports', filter)).toEqual([]);
  await visitor.goOnline();
  await expect(page.getByText('Thank you. Your report has arrived.')).toBeVisible();
  const code = (await page.locator('.report-code').innerText()).trim();
  await judge(visitor, 'visitor-sent');
  await expect.poll(async () => (await facts.rows('issue_reports', filter))[0]?.['media_ids']).toHaveLength(1);
  expect(await facts.rows('issue_reports', filter)).toHaveLength(1);

  const manager = await phone(DESKTOP);
  await signIn(manager.page, server.url, 'manager');
  await manager.page.goto(`${server.url}/field/reports`);
  await manager.page.getByRole('link', { name: /A pallet blocks the fire exit/ }).click();
  await expect(manager.page.getByRole('heading', { level: 1, name: 'A pallet blocks the fire exit' })).toBeVisible();
  await expect(manager.page.getByText(/Reported by a visitor through a public code/)).toBeVisible();
  await expect(manager.page.getByRole('button', { name: 'Photo 1' })).toBeVisible();
  await manager.page.getByRole('button', { name: 'Start review' }).click();
  await manager.page.getByLabel('Reply to the reporter').fill('The exit is free again. Thank you.');
  await manager.page.getByRole('button', { name: 'Resolve' }).click();
  await manager.screenshot('visitor-report-triaged');
  await expect.poll(async () => (await facts.rows('issue_reports', filter))[0]?.['status']).toBe('resolved');

  await page.getByRole('link', { name: 'Look up a report by its code' }).click();
  await page.getByLabel('Report code').fill(code);
  await page.getByRole('button', { name: 'Look up report' }).click();
  await expect(page.getByText('The exit is free again. Thank you.')).toBeVisible();
  expect([...desk.console, ...visitor.console, ...manager.console]).toEqual([]);
});
