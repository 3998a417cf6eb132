import { expect, test, type Page } from '@playwright/test';
import { photoOf } from './people/photo-of-code.ts';
import { FieldWorker, PHOTO, signIn } from './people/field-worker.ts';
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

const open = async (page: Page, path: string, heading: string | RegExp) => {
  await page.goto(`${server.url}${path}`);
  await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
};
const heading = (page: Page, name: string | RegExp) =>
  expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
/** Pictured in light and dark for whoever reads the results; judged by axe, and for what is cut off. */
async function judge(device: Phone, name: string): Promise<void> {
  await device.screenshot(name);
  await expectAccessible(device.page, name);
  // A toast on its way in is outside for a moment.
  await expect.poll(() => cutOff(device.page), name).toEqual([]);
  await device.page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(device.page, `${name} dark`);
  await device.screenshot(`${name}-dark`);
  await device.page.emulateMedia({ colorScheme: 'light' });
}

test('a manager adds an asset to the register, and it has a code to print', async () => {
  const desk = await phone(DESKTOP);
  const { page } = desk;
  await signIn(page, server.url, 'manager');
  await page.getByRole('link', { name: 'Asset Management' }).first().click();
  await heading(page, 'Asset Management');
  await expect(page.getByRole('link', { name: /Forklift 3/ })).toBeVisible();
  await judge(desk, 'assets-desk');

  await page.getByRole('button', { name: 'New asset' }).first().click();
  const sheet = page.getByRole('dialog');
  await sheet.getByLabel('Name').fill('Battery of Forklift 3');
  await sheet.getByLabel('Code on its tag').fill('NW-FL-003');
  await sheet.getByRole('button', { name: 'Add asset' }).click();
  await expect(sheet.getByText('Another asset has this code.')).toBeVisible();
  await sheet.getByLabel('Code on its tag').fill('NW-BT-003');
  await sheet.getByLabel('Part of').selectOption({ label: 'Forklift 3' });
  await sheet.getByLabel('Site', { exact: true }).selectOption({ label: 'Site North' });
  await sheet.getByRole('button', { name: 'Add asset' }).click();
  await heading(page, 'Battery of Forklift 3');
  await expect(page.getByRole('link', { name: /Forklift 3/ })).toBeVisible();
  await judge(desk, 'asset-desk');
  await page.getByRole('button', { name: 'Print code' }).click();
  await expect(page.getByRole('img', { name: 'QR code: NW-BT-003' })).toBeVisible();
  await page.getByRole('button', { name: 'Close' }).click();

  await open(page, '/assets', 'Asset Management');
  await page.getByText('Tree', { exact: true }).click();
  await page.getByRole('treeitem', { name: /Battery of Forklift 3/ }).click();
  await expect(page.getByRole('region', { name: 'Selected asset' }).getByRole('link')).toContainText('NW-BT-003');
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('battery of');
  await expect(page.getByRole('option', { name: /Battery of Forklift 3/ })).toBeVisible();
  await expect.poll(async () => (await new ServerFacts(server).rows('assets', 'code=eq.NW-BT-003')).length).toBe(1);
  expect(desk.console).toEqual([]);
});

test('with no signal a code is scanned from a photo or typed, and an issue is reported with a photo; a manager settles it', async () => {
  const field = await phone();
  const desk = await phone(DESKTOP);
  const { page } = field;
  await signIn(desk.page, server.url, 'manager');
  await signIn(page, server.url, 'worker');
  const worker = new FieldWorker(field, server.url);
  await worker.prepareForNoSignal();
  await worker.openAndHear('/field/scan');
  await heading(page, 'Scan a code');
  const picture = await photoOf(page, 'NW-FL-003');
  await field.goOffline();

  await judge(field, 'scan');
  await page.getByRole('button', { name: 'Switch the camera on' }).click();
  await expect(page.getByText(/^(No camera found|Cairn cannot use the camera)$/)).toBeVisible();
  await page.getByLabel('Code', { exact: true }).fill('no such thing');
  await page.getByRole('button', { name: 'Open asset' }).click();
  await expect(page.getByText('No asset has the code no such thing')).toBeVisible();
  await page.getByLabel('Photo of a code').setInputFiles({ name: 'code.png', mimeType: 'image/png', buffer: picture });
  await heading(page, 'Forklift 3');
  // Overdue, should midnight come between.
  await expect(page.getByRole('region', { name: /Due today|Overdue/ }).getByRole('link')).toContainText(
    'pre-use check',
  );
  await judge(field, 'asset');
  // The one that is due, not a second one beside it.
  await page.getByRole('button', { name: 'Start inspection' }).click();
  await expect(page.getByRole('button', { name: 'Next question' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('region', { name: 'In progress' }).getByRole('link')).toHaveCount(1);
  await expect(page.getByRole('region', { name: /Due today|Overdue/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'Another inspection' }).click();
  const start = page.getByRole('dialog', { name: 'Inspect Forklift 3' });
  await start.getByRole('button', { name: /Forklift pre-use check/ }).click();
  await start.getByRole('button', { name: 'Start inspection' }).click();
  await expect(page.getByRole('button', { name: 'Next question' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('region', { name: 'In progress' }).getByRole('link')).toHaveCount(2);

  await page.getByRole('link', { name: 'Report an issue' }).click();
  await heading(page, 'Report an issue');
  await page.getByLabel('What is wrong?').fill('Oil under the mast');
  await page.getByText('Critical', { exact: true }).click();
  await page.getByLabel('Choose photo').setInputFiles(PHOTO);
  await expect(page.getByRole('img', { name: 'Photo 1' })).toBeVisible();
  await judge(field, 'new-report');
  await page.getByRole('button', { name: 'Send report' }).click();
  await heading(page, 'Oil under the mast');
  await judge(field, 'report');
  let letGo = (): void => undefined;
  const isHeld = new Promise<void>(resolve => (letGo = resolve));
  await page.route('**/storage/v1/**', async route => {
    await isHeld;
    await route.continue();
  });
  await field.goOnline();

  await open(desk.page, '/field/reports', 'Issue reports');
  await desk.page.getByRole('link', { name: /Oil under the mast/ }).click();
  await heading(desk.page, 'Oil under the mast');
  // What is known of a photo is there before its bytes; they are shown as soon as they are.
  await expect(desk.page.getByText('Not on this device yet')).toBeVisible();
  letGo();
  await expect(desk.page.getByRole('button', { name: 'Photo 1', exact: true })).toBeVisible();
  await judge(desk, 'report-desk');
  await desk.page.getByLabel('What needs to be done').fill('Change the hose');
  await desk.page.getByRole('button', { name: 'Create corrective action' }).click();
  await desk.page.getByRole('link', { name: /Change the hose/ }).click();
  await heading(desk.page, 'Change the hose');
  await expect(desk.page.getByRole('link', { name: 'Oil under the mast' })).toBeVisible();
  await expect(page.getByText('In progress', { exact: true }).first()).toBeVisible();
  expect([...field.console, ...desk.console]).toEqual([]);
});

test('whoever leaves their name out gets a code, and learns by it what became of the report', async () => {
  const field = await phone();
  const { page } = field;
  await signIn(page, server.url, 'worker');
  await open(page, '/field/reports/new', 'Report an issue');
  await page.getByLabel('What is wrong?').fill('The foreman shouts');
  await page.getByText('Leave my name out').click();
  await page.getByRole('button', { name: 'Send report' }).click();
  await heading(page, 'Reported without your name');
  const code = (await page.locator('.report-code').innerText()).trim();
  const facts = new ServerFacts(server);
  const filter = 'title=eq.The foreman shouts';
  await expect.poll(async () => (await facts.rows('issue_reports', filter))[0]?.['is_anonymous']).toBe(true);
  expect((await facts.rows('issue_reports', filter))[0]?.['reported_by']).toBeNull();
  await open(page, '/report/status', 'Check your report');
  await page.getByLabel('Report code').fill(code.toLowerCase());
  await page.getByRole('button', { name: 'Look up report' }).click();
  await expect(page.getByText('No reply yet.')).toBeVisible();
  await judge(field, 'look-up');
  expect(field.console).toEqual([]);
});
