import { expect, test, type Page } from '@playwright/test';
import { FieldWorker, signIn } from './people/field-worker.ts';
import { expectAccessible } from './rig/axe.ts';
import { cutOff } from './rig/cut-off.ts';
import { DESKTOP, Phone } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';

const ADMIN = '00000000-0000-4000-8000-000000000001';
const RULE = 'A failed critical item is stopped at once';

let server: ServerProcess;
const phones: Phone[] = [];

async function phone(screen?: typeof DESKTOP): Promise<Phone> {
  const opened = await Phone.open(screen, { keepsApp: false });
  phones.push(opened);
  return opened;
}

test.beforeAll(async () => {
  server = await ServerProcess.start();
  // Who administers the installation and the company brings it the enterprise plan.
  await new ServerFacts(server).add('user_roles', { user_id: ADMIN, role: 'admin' });
});
test.afterAll(() => server.stop());
test.afterEach(async () => {
  for (const each of phones.splice(0)) await each.close();
});

const heading = (page: Page, name: string | RegExp) =>
  expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
const open = async (page: Page, path: string, name: string | RegExp) => {
  await page.goto(`${server.url}${path}`);
  await heading(page, name);
};
/** Pictured for whoever reads the results; judged by axe, and for what is cut off. */
async function judge(device: Phone, name: string): Promise<void> {
  await device.screenshot(name);
  await expectAccessible(device.page, name);
  await expect.poll(() => cutOff(device.page), name).toEqual([]);
}
const day = (later: number) => new Date(Date.now() + later * 86_400_000).toISOString().slice(0, 10);

/** The site lead makes the rule from a ready one, tries it on last month, and switches it on. */
async function makeRule({ page }: Phone): Promise<void> {
  await page.getByRole('link', { name: 'New rule' }).click();
  await heading(page, 'New rule');
  await page.goto(`${server.url}/workflows/new?template=criticalItem`);
  await heading(page, 'New rule');
  await page.getByLabel('Name', { exact: true }).fill(RULE);
  await page.getByRole('button', { name: 'Add step' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Complete every step.')).toBeVisible();
  await page.getByLabel('Message').fill('It may be mended now');
  await page.getByRole('button', { name: 'Try it' }).click();
  await expect(page.getByText(/It would have run \d+ times?|It would not have run/)).toBeVisible();
  await page.getByRole('switch', { name: 'Switched on' }).click();
}

async function nameDeputy({ page }: Phone): Promise<void> {
  await page.getByRole('button', { name: 'Add delegate' }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('button', { name: 'Add delegate' }).click();
  await expect(sheet.getByText('Choose a delegate.')).toBeVisible();
  await sheet.getByLabel('Delegate', { exact: true }).selectOption({ label: 'Alex Admin' });
  await sheet.getByLabel('Last day').fill(day(4));
  await sheet.getByLabel('Reason').fill('On leave');
}

test('G8 a rule asks the site lead about a failed critical item; while they are away their deputy is asked, the trail shows both names, and who is back revokes', async () => {
  const [desk, deputy, field] = [await phone(DESKTOP), await phone(), await phone()];
  const { page } = desk;
  await page.emulateMedia({ colorScheme: 'dark' });
  await signIn(page, server.url, 'manager');
  await page.getByRole('button', { name: 'Operations & Projects' }).click();
  await page.getByRole('link', { name: 'Workflow Automation' }).first().click();
  await heading(page, 'Workflow Automation');
  await expect(page.getByRole('heading', { name: 'An injury is told at once' })).toBeVisible();
  await judge(desk, 'workflows-desk');
  await makeRule(desk);
  await judge(desk, 'workflow-rule-desk');
  await page.getByRole('button', { name: 'Save' }).click();
  await heading(page, RULE);
  await expect(page.getByText('No matching events since this rule was switched on.')).toBeVisible();
  await expect(page.getByRole('link', { name: /Up to date/ }).first()).toBeVisible();

  await open(page, '/workflows/deputies', 'Delegation');
  await expect(page.getByText('You have no delegate')).toBeVisible();
  await nameDeputy(desk);
  await judge(desk, 'deputy-desk');
  await page.getByRole('dialog').getByRole('button', { name: 'Add delegate' }).click();
  await expect(page.getByText('Alex Admin decides for Mara Manager')).toBeVisible();
  await expect(page.getByText('Now', { exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: /Up to date/ }).first()).toBeVisible();
  await judge(desk, 'deputies-desk');

  await signIn(field.page, server.url, 'worker');
  const worker = new FieldWorker(field, server.url);
  await worker.openTodaysCheck();
  await worker.answerAll();
  await worker.signAndFinish();
  await worker.open('/field');
  await expect(worker.syncBadge).toContainText('Up to date');

  await signIn(deputy.page, server.url, 'admin');
  await open(deputy.page, '/workflows', 'Workflow Automation');
  const waiting = deputy.page.getByRole('link', { name: /On behalf of Mara Manager/ });
  await expect(waiting).toBeVisible();
  await judge(deputy, 'workflows');
  await waiting.click();
  await expect(deputy.page.getByText('You are deciding on behalf of Mara Manager')).toBeVisible();
  await expect(deputy.page.getByText('1 step needs your decision.')).toBeVisible();
  await judge(deputy, 'workflow-decision');
  await deputy.page.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(deputy.page.getByText('Alex Admin, on behalf of Mara Manager, approved')).toBeVisible();
  await expect(deputy.page.getByRole('link', { name: /Up to date/ }).first()).toBeVisible();

  // Back again: what was decided, by whom and for whom, and what came of it; then the deputy stands in no more.
  await open(page, '/workflows', 'Workflow Automation');
  await page.getByRole('link', { name: RULE }).click();
  await heading(page, RULE);
  await expect(async () => {
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(page.getByText('Ran', { exact: true })).toBeVisible({ timeout: 2000 });
  }).toPass({ timeout: 40_000 });
  await judge(desk, 'workflow-log-desk');
  await page.getByRole('link', { name: 'Decision', exact: true }).click();
  await expect(page.getByText('Alex Admin, on behalf of Mara Manager, approved')).toBeVisible();
  await page.getByRole('link', { name: 'Corrective action', exact: true }).click();
  await heading(page, /^Stop: /);
  await open(page, '/workflows/deputies', 'Delegation');
  await page.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText('Revoked', { exact: true })).toBeVisible();

  await open(deputy.page, `/workflows`, 'Workflow Automation');
  await deputy.page.getByRole('link', { name: RULE }).click();
  await heading(deputy.page, RULE);
  await judge(deputy, 'workflow-rule');
  await open(deputy.page, '/workflows/deputies', 'Delegation');
  await judge(deputy, 'deputies');
  for (const each of [desk, deputy, field]) expect(each.console).toEqual([]);
});
