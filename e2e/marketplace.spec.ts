import { expect, test } from '@playwright/test';
import { signIn } from './people/field-worker.ts';
import { expectAccessible } from './rig/axe.ts';
import { cutOff } from './rig/cut-off.ts';
import { Phone } from './rig/phone.ts';
import { ServerProcess } from './rig/server-process.ts';

let server: ServerProcess;
let phone: Phone;

test.beforeAll(async () => {
  server = await ServerProcess.start();
});
test.afterAll(() => server.stop());
test.afterEach(() => phone.close());

/** Pictured for whoever reads the results; judged by axe, and for what is cut off. */
async function judge(name: string): Promise<void> {
  await phone.screenshot(name);
  await expectAccessible(phone.page, name);
  await expect.poll(() => cutOff(phone.page), name).toEqual([]);
}

test('R6.11 an administrator finds a pack, reads it, installs it with the company’s words, and finds the draft and where it came from, with no signal too', async () => {
  phone = await Phone.open();
  const { page } = phone;
  await signIn(page, server.url, 'admin');
  await page.goto(`${server.url}/policy-marketplace`);
  await expect(page.getByRole('heading', { level: 1, name: 'Policy Marketplace' })).toBeVisible();
  await expect(page.getByRole('link', { name: /The first ninety days/ })).toBeVisible();
  await judge('marketplace');
  await page.getByLabel('Framework').selectOption('SOC 2');
  await page.getByLabel('Search packs').fill('elsewhere');
  await expect(page.getByRole('link', { name: /The first ninety days/ })).toBeHidden();
  await page.getByRole('link', { name: /Working from elsewhere/ }).click();

  await expect(page.getByRole('heading', { level: 1, name: 'Working from elsewhere' })).toBeVisible();
  await page.getByRole('button', { name: /A desk that does no harm/ }).click();
  await expect(page.getByText('[Name of the company] lends what is missing')).toBeVisible();
  await judge('marketplace-pack');
  await page.getByRole('button', { name: 'Install', exact: true }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('button', { name: 'Make 3 drafts' }).click();
  await expect(sheet.getByText('Write a few words in one line')).toBeVisible();
  await sheet.getByLabel('Name of the company').fill('Quarry & Sons');
  await judge('marketplace-install');
  await sheet.getByRole('button', { name: 'Make 3 drafts' }).click();
  await expect(page.getByRole('heading', { name: 'What you have of it' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Install', exact: true })).toBeHidden();
  await page.getByRole('button', { name: '4 stars' }).click();
  await expect(page.getByText('4 of 5 by 1 organisation')).toBeVisible();

  await page.getByRole('link', { name: /A desk that does no harm/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'A desk that does no harm' })).toBeVisible();
  await expect(page.getByText('Quarry & Sons lends what is missing')).toBeVisible();
  await expect(page.getByText('This is not in force yet.')).toBeVisible();
  await phone.goOffline();
  await page.reload();
  await expect(page.getByRole('link', { name: 'From the pack Working from elsewhere' })).toBeVisible();
  await expect(page.getByText(/CC0 1\.0/)).toBeVisible();
  await judge('marketplace-draft');
  expect(phone.console).toEqual([]);
});
