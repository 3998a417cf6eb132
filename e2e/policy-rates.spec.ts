import { readFileSync } from 'node:fs';
import { expect, test, type Page } from '@playwright/test';
import { FieldWorker, signIn } from './people/field-worker.ts';
import { expectAccessible } from './rig/axe.ts';
import { cutOff } from './rig/cut-off.ts';
import { DESKTOP, Phone } from './rig/phone.ts';
import { ServerProcess } from './rig/server-process.ts';

let server: ServerProcess;
const phones: Phone[] = [];

async function phone(screen?: typeof DESKTOP, keepsApp = false): Promise<Phone> {
  const opened = await Phone.open(screen, { keepsApp });
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

async function judge(device: Phone, name: string): Promise<void> {
  await device.screenshot(name);
  await expectAccessible(device.page, name);
  await expect.poll(() => cutOff(device.page), name).toEqual([]);
}

const figures = (page: Page) => page.locator('.rate-table tbody tr');
const TITLE = 'Compliance over time';

test('who manages sees how compliance moved, by policy, place and span, takes it along as a spreadsheet, and is told what needs a network', async () => {
  const desk = await phone(DESKTOP);
  await desk.page.emulateMedia({ colorScheme: 'dark' });
  await signIn(desk.page, server.url, 'manager');
  await desk.page.goto(`${server.url}/policies`);
  await desk.page.getByRole('link', { name: TITLE }).click();
  await expect(desk.page.getByRole('heading', { level: 1, name: TITLE })).toBeVisible();
  // The demo's company was asked months ago: its days are counted when the server starts.
  await expect(desk.page.getByText(/acknowledged on .*: \d+ of \d+/)).toBeVisible();
  const weeks = await figures(desk.page).count();
  expect(weeks).toBeGreaterThan(10);
  await expect(desk.page.locator('.chart-drawing svg.recharts-surface')).toBeVisible();
  await judge(desk, 'policy-rates-desk');

  await desk.page.getByText('12 months', { exact: true }).click();
  await desk.page.getByText('Months', { exact: true }).click();
  await expect.poll(() => figures(desk.page).count()).toBeLessThan(weeks);
  const all = await figures(desk.page).first().innerText();
  await desk.page.getByLabel('Policy', { exact: true }).selectOption({ label: 'Lockout and tagout' });
  await expect.poll(() => figures(desk.page).first().innerText()).not.toBe(all);
  await desk.page.getByLabel('Site or team').selectOption({ label: 'Site North' });
  await expect(figures(desk.page).first()).toBeVisible();
  const download = desk.page.waitForEvent('download');
  await desk.page.getByRole('button', { name: 'Export CSV' }).click();
  const file = readFileSync(await (await download).path(), 'utf8');
  expect(file).toContain('Month,Counted on,Requested,Acknowledged,Overdue');
  expect(file.trim().split(/\r?\n/)).toHaveLength((await figures(desk.page).count()) + 1);

  const pocket = await phone(undefined, true);
  await signIn(pocket.page, server.url, 'admin');
  await new FieldWorker(pocket, server.url).prepareForNoSignal();
  await pocket.page.goto(`${server.url}/policies/rates`);
  await expect(figures(pocket.page).first()).toBeVisible();
  await expect(pocket.page.locator('.chart-drawing svg.recharts-surface')).toBeVisible();
  await judge(pocket, 'policy-rates');
  await pocket.goOffline();
  await pocket.page.getByText('12 months', { exact: true }).click();
  await expect(pocket.page.getByText('These figures need a connection')).toBeVisible();
  await judge(pocket, 'policy-rates-offline');

  const field = await phone();
  await signIn(field.page, server.url, 'worker');
  await field.page.goto(`${server.url}/policies/rates`);
  await expect(field.page.getByText('You cannot see who has acknowledged')).toBeVisible();
  await judge(field, 'policy-rates-not-allowed');
  expect([...desk.console, ...field.console, ...pocket.console]).toEqual([]);
});
