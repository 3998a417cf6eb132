import { expect, test, type Page } from '@playwright/test';
import { fillSignIn, signIn } from './people/field-worker.ts';
import { appCached } from './rig/app-cached.ts';
import { expectAccessible } from './rig/axe.ts';
import { cutOff } from './rig/cut-off.ts';
import { DESKTOP, Phone } from './rig/phone.ts';
import { ServerProcess } from './rig/server-process.ts';

let server: ServerProcess;
const phones: Phone[] = [];

test.beforeAll(async () => {
  server = await ServerProcess.start();
});
test.afterAll(() => server.stop());
test.afterEach(async () => {
  for (const each of phones.splice(0)) await each.close();
});

async function phone(screen?: typeof DESKTOP): Promise<Phone> {
  const opened = await Phone.open(screen, { keepsApp: screen === undefined });
  phones.push(opened);
  return opened;
}

const heading = (page: Page, name: string | RegExp) =>
  expect(page.getByRole('heading', { level: 1, name })).toBeVisible();

/** Pictured in light and dark for whoever reads the results; judged by axe, and for what is cut off. */
async function judge(device: Phone, name: string): Promise<void> {
  await device.screenshot(name);
  await expectAccessible(device.page, name);
  await expect.poll(() => cutOff(device.page), name).toEqual([]);
  await device.page.emulateMedia({ colorScheme: 'dark' });
  await device.screenshot(`${name}-dark`);
  await device.page.emulateMedia({ colorScheme: 'light' });
}

/** An administrator makes a link for a week. */
async function auditorLink({ page }: Phone): Promise<string> {
  await page.goto(`${server.url}/policies/findings`);
  await page.getByRole('button', { name: 'Invite auditor' }).click();
  const sheet = page.getByRole('dialog');
  await expect(sheet.getByLabel('Role')).toHaveValue('auditor');
  await sheet.getByRole('button', { name: 'Create link' }).click();
  const link = await page.getByText(/invitation_token=/).textContent();
  await page.getByRole('button', { name: 'Done' }).click();
  return link?.trim() ?? '';
}

/** The auditor writes a finding at a control, with no signal. */
async function writeFinding(device: Phone): Promise<void> {
  const { page } = device;
  await page.getByRole('link', { name: 'Frameworks and coverage' }).click();
  await heading(page, 'Frameworks');
  await page.getByRole('link', { name: /Safe work at Northfield/ }).click();
  await page.getByRole('link', { name: /EM-2/ }).click();
  await heading(page, /EM-2/);
  await device.goOffline();
  await page.getByRole('button', { name: 'Raise finding' }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('button', { name: 'Save finding' }).click();
  await expect(sheet.getByText('Enter a title.')).toBeVisible();
  await sheet.getByLabel('What is wrong, in one line').fill('No drill at South');
  await sheet.getByLabel('What you saw').fill('South has not left its building since 2024.');
  await sheet.getByLabel('Severity').selectOption('major');
  await judge(device, 'finding-write');
  await sheet.getByRole('button', { name: 'Save finding' }).click();
  await expect(sheet).toBeHidden();
  await expect(page.getByRole('link', { name: /No drill at South/ })).toBeVisible();
  await device.goOnline();
}

test('G10 an auditor comes by a link, writes a finding with no signal, the company answers with work, the auditor opens it again and closes it', async () => {
  const desk = await phone(DESKTOP);
  await signIn(desk.page, server.url, 'admin');
  const link = await auditorLink(desk);
  await judge(desk, 'audit-room-desk');

  const auditor = await phone();
  await auditor.page.goto(link);
  await auditor.page.getByRole('link', { name: 'I have an account' }).click();
  await fillSignIn(auditor.page, 'person');
  await heading(auditor.page, 'Audit');
  await expect(auditor.page.getByText(/^You have access to this organisation until/)).toBeVisible();
  await expect(
    auditor.page.getByText('You can read everything here. You can add findings, decisions and comments.'),
  ).toBeVisible();
  await judge(auditor, 'audit-room-phone');
  await appCached(auditor.page);
  await writeFinding(auditor);

  await desk.page.getByRole('link', { name: /No drill at South/ }).click();
  await heading(desk.page, 'No drill at South');
  await desk.page.getByRole('button', { name: 'Answer', exact: true }).click();
  const sheet = desk.page.getByRole('dialog');
  await sheet.getByLabel('What you will do').fill('A drill is planned.');
  await sheet.getByLabel('What needs to be done').fill('Hold a drill at South');
  await judge(desk, 'finding-answer');
  await sheet.getByRole('button', { name: 'Send answer' }).click();
  await expect(desk.page.getByRole('link', { name: /Hold a drill at South/ })).toBeVisible();
  // Whoever answered leaves the verdict to somebody else.
  await expect(desk.page.getByRole('button', { name: 'Close finding' })).toBeHidden();
  await judge(desk, 'finding-desk');

  await auditor.page.getByRole('link', { name: /No drill at South/ }).click();
  await expect(auditor.page.getByText('A drill is planned.')).toBeVisible();
  await auditor.page.getByRole('button', { name: 'Reopen finding' }).click();
  await expect(auditor.page.getByText('Enter a reason for reopening it.')).toBeVisible();
  await auditor.page.getByLabel('Reason', { exact: true }).fill('When?');
  await auditor.page.getByRole('button', { name: 'Reopen finding' }).click();
  await expect(desk.page.getByText('When?')).toBeVisible();
  await desk.page.getByRole('button', { name: 'Answer', exact: true }).click();
  await sheet.getByLabel('What you will do').fill('On 3 December.');
  await sheet.getByText('Create a corrective action').click();
  await sheet.getByRole('button', { name: 'Send answer' }).click();
  await expect(auditor.page.getByText('On 3 December.')).toBeVisible();
  await auditor.page.getByRole('button', { name: 'Close finding' }).click();
  await expect(desk.page.getByText('Closed', { exact: true }).first()).toBeVisible();
  await judge(auditor, 'finding-phone');

  await desk.page.getByRole('link', { name: /Hold a drill at South/ }).click();
  await heading(desk.page, 'Hold a drill at South');
  await expect(desk.page.getByRole('link', { name: 'No drill at South' })).toBeVisible();
  expect(auditor.console).toEqual([]);
  expect(desk.console).toEqual([]);
});
