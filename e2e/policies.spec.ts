import { readFileSync } from 'node:fs';
import { expect, test, type Page } from '@playwright/test';
import { FieldWorker, PHOTO, signIn } from './people/field-worker.ts';
import { expectAccessible } from './rig/axe.ts';
import { cutOff } from './rig/cut-off.ts';
import { DESKTOP, Phone } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';

let server: ServerProcess;
const phones: Phone[] = [];

async function phone(screen?: typeof DESKTOP, keepsApp = true): Promise<Phone> {
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

const heading = (page: Page, name: string | RegExp) =>
  expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
const open = async (page: Page, path: string, name: string | RegExp) => {
  await page.goto(`${server.url}${path}`);
  await heading(page, name);
};
/** Pictured for whoever reads the results; judged by axe, and for what is cut off. The desk is dark, the phones are light. */
async function judge(device: Phone, name: string): Promise<void> {
  await device.screenshot(name);
  await expectAccessible(device.page, name);
  await expect.poll(() => cutOff(device.page), name).toEqual([]);
}

/** Pressed, it hands over a PDF named after what was signed. */
async function saves(page: Page, button: string): Promise<void> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: button, exact: true }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('Certificate Working at height 1-0 Sam Worker.pdf');
  expect(
    readFileSync(await file.path())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');
}

const TITLE = 'Working at height';
const HOSTILE = `<img src=x onerror="document.title='ran'"><script>document.title='ran'</script>\n\n[a](javascript:document.title='ran')`;

test('G1 a policy is written, approved on a phone, published and asked for; who reads it with no signal signs it, the proof has both times, and a visitor checks its certificate', async () => {
  const desk = await phone(DESKTOP, false);
  const approver = await phone(undefined, false);
  const field = await phone();
  await desk.page.emulateMedia({ colorScheme: 'dark' });
  await signIn(desk.page, server.url, 'manager');
  await signIn(approver.page, server.url, 'admin');
  await signIn(field.page, server.url, 'worker');

  await desk.page.getByRole('link', { name: 'Policy Statements' }).first().click();
  await heading(desk.page, 'Policy Statements');
  await judge(desk, 'policies-desk');
  await desk.page.getByRole('button', { name: 'New policy' }).click();
  await desk.page.getByRole('dialog').getByLabel('Title').fill(TITLE);
  await desk.page.getByRole('button', { name: 'Start writing' }).click();
  await heading(desk.page, TITLE);
  const text = `## Before\n\nTie on.\n\n## Up there\n\n| What | Who |\n| --- | --- |\n| Watch | Two |\n\n${HOSTILE}\n`;
  await desk.page.getByLabel('Text in Markdown').fill(text);
  await desk.page.getByRole('button', { name: 'Picture', exact: true }).click();
  const sheet = desk.page.getByRole('dialog', { name: 'Picture' });
  await sheet.getByLabel('Choose a picture').setInputFiles(PHOTO);
  await sheet.getByLabel('Description').fill('The way out');
  await judge(desk, 'policy-picture-desk');
  await sheet.getByRole('button', { name: 'Insert picture' }).click();
  await expect(desk.page.getByRole('img', { name: 'The way out' })).toBeVisible();
  await expect(desk.page.getByLabel('Text in Markdown')).toHaveValue(/!\[The way out\]\[picture-1\]/);
  await expect(desk.page.getByLabel('Text in Markdown')).not.toHaveValue(/base64/);
  await expect(desk.page.getByText('Saved on this device')).toBeVisible();
  await judge(desk, 'policy-edit-desk');
  await desk.page.getByRole('button', { name: 'Done' }).click();
  // What is not received yet cannot be decided on, and the app says so.
  await expect(desk.page.getByRole('link', { name: /Up to date/ }).first()).toBeVisible();
  await desk.page.getByRole('button', { name: 'Send for approval' }).click();
  await expect(desk.page.getByRole('dialog').getByText('Alex Admin').first()).toBeVisible();
  await judge(desk, 'policy-submit-desk');
  await desk.page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click();
  await expect(desk.page.getByText('In review')).toBeVisible();

  await approver.page.goto(`${server.url}/policies`);
  await heading(approver.page, 'Policy Statements');
  await approver.page.getByText('Drafts', { exact: true }).click();
  await approver.page.getByRole('link', { name: new RegExp(TITLE) }).click();
  await heading(approver.page, TITLE);
  await judge(approver, 'policy-approve');
  await approver.page.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(approver.page.getByText(/Alex Admin approved/)).toBeVisible();

  await desk.page.getByRole('button', { name: 'Publish as 1.0' }).click();
  await desk.page.getByRole('alertdialog').getByRole('button', { name: 'Publish as 1.0' }).click();
  await expect(desk.page.getByText('Nobody has been asked to acknowledge this yet.')).toBeVisible();
  await desk.page.getByRole('button', { name: 'Request acknowledgement' }).click();
  await judge(desk, 'policy-ask-desk');
  await desk.page.getByRole('dialog').getByRole('button', { name: 'Send request' }).click();
  await expect(desk.page.getByText('Everyone · 14 days')).toBeVisible();

  const worker = new FieldWorker(field, server.url);
  await worker.prepareForNoSignal();
  await worker.openAndHear('/policies');
  await heading(field.page, 'Policy Statements');
  await judge(field, 'policies');
  await field.page.getByRole('link', { name: new RegExp(TITLE) }).click();
  await heading(field.page, TITLE);
  await expect(field.page.getByRole('table')).toBeVisible();
  await field.goOffline();
  const picture = field.page.getByRole('img', { name: 'The way out' });
  await picture.scrollIntoViewIfNeeded();
  expect(await picture.evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth > 0)).toBe(true);
  await field.page.getByRole('button', { name: 'Acknowledge version 1.0' }).click();
  await expect(field.page.getByText('Tick this first.')).toBeVisible();
  await field.page.getByText('I have read this and will follow it').click();
  await field.page.getByLabel('Your full name').fill('Sam Worker');
  await judge(field, 'policy-acknowledge');
  await field.page.getByRole('button', { name: 'Acknowledge version 1.0' }).click();
  await expect(field.page.getByText('not received yet')).toBeVisible();
  await judge(field, 'policy-proof');
  await field.goOnline();
  await expect(field.page.getByText('not received yet')).toBeHidden();
  expect(await field.page.title()).not.toContain('ran');
  await field.goOffline();
  await saves(field.page, 'Save certificate');
  await judge(field, 'policy-certificate');
  await field.goOnline();

  await desk.page.getByRole('link', { name: 'Acknowledgements' }).click();
  await heading(desk.page, 'Acknowledgements');
  await expect(desk.page.getByText('1 of 3 people asked')).toBeVisible();
  await judge(desk, 'policy-report-desk');
  await saves(desk.page, 'Save certificate of Sam Worker');

  // Whoever is handed the certificate looks it up, on a device that knows nobody here.
  const [word] = await new ServerFacts(server).rows(
    'policy_acknowledgements',
    'certificate_code=not.is.null&order=received_at.desc&limit=1',
  );
  const visitor = await phone(undefined, false);
  await open(visitor.page, `/verify/${String(word?.['certificate_code'])}`, 'Certificate found');
  for (const fact of [TITLE, 'Current', String(word?.['content_hash'])])
    await expect(visitor.page.getByText(fact, { exact: true })).toBeVisible();
  // The name that was typed, and the account's.
  await expect(visitor.page.getByText('Sam Worker', { exact: true })).toHaveCount(2);
  await judge(visitor, 'verify');
  await open(visitor.page, `/verify/${'A'.repeat(28)}`, 'No certificate has this code');
  await judge(visitor, 'verify-unknown');

  // A major version on the same company's shelf: the word on 1.0 no longer counts, and its proof still opens.
  await open(field.page, '/policies', 'Policy Statements');
  await field.page.getByRole('link', { name: /Lockout and tagout/ }).click();
  await heading(field.page, 'Lockout and tagout');
  await expect(
    field.page.getByText('Version 2.0 is a major change, so your earlier signature no longer counts.'),
  ).toBeVisible();
  await field.page.getByRole('button', { name: 'Show changes since 1.0' }).click();
  await expect(field.page.locator('ins').first()).toBeVisible();
  await judge(field, 'policy-diff');
  await field.page.getByRole('link', { name: /Version 1\.0/ }).click();
  await expect(field.page.getByText('You acknowledged this')).toBeVisible();
  await judge(field, 'policy-old-proof');
  await open(desk.page, '/dashboard', /Welcome/);
  await expect(desk.page.getByRole('link', { name: /Active Policies/ })).toContainText('3');
  expect([...visitor.console, ...field.console, ...approver.console, ...desk.console]).toEqual([]);
});
