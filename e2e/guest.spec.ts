import { expect, test, type Page } from '@playwright/test';
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

const TITLE = 'Mend the gate of Site North';
const GUEST = 'bo@contractor.example';
type Mail = { to: string; subject: string; text: string };

/** The link that stands in the letter to the guest. */
async function linkInEmail(): Promise<string> {
  const emails = async (): Promise<Mail[]> => (await fetch(`${server.url}/dev/mail.json`)).json();
  await expect.poll(async () => (await emails()).map(({ to }) => to)).toContain(GUEST);
  const email = (await emails()).find(({ to }) => to === GUEST);
  expect(email?.text).not.toContain(TITLE);
  return /http\S+\/guest\/[0-9a-f]{64}/.exec(email?.text ?? '')?.[0] ?? '';
}

async function makeItem(page: Page): Promise<void> {
  await page.goto(`${server.url}/action-items`);
  await page.getByRole('button', { name: 'New corrective action' }).click();
  await page.getByLabel('Title').fill(TITLE);
  await page.getByRole('button', { name: 'Create corrective action' }).click();
  await expect(page.getByRole('heading', { level: 1, name: TITLE })).toBeVisible();
}

/** A manager makes an action item and asks somebody outside to do it. */
async function give(desk: Phone): Promise<void> {
  const { page } = desk;
  await signIn(page, server.url, 'manager');
  await makeItem(page);
  const card = page.getByRole('region', { name: 'Outside the organisation' });
  await card.getByRole('button', { name: 'Ask someone outside' }).click();
  const sheet = page.getByRole('dialog', { name: 'Ask someone outside' });
  await sheet.getByLabel('Name').fill('Bo Builder');
  await sheet.getByLabel('Email address').fill(GUEST);
  await judge(desk, 'guest-give');
  await sheet.getByRole('button', { name: 'Send email' }).click();
  const made = page.getByRole('dialog', { name: 'Link created' });
  await expect(made.getByText(`An email is on its way to ${GUEST}.`)).toBeVisible();
  await judge(desk, 'guest-made');
  await made.getByRole('button', { name: 'Done' }).click();
  await expect(card.getByText('Not opened yet')).toBeVisible();
  await judge(desk, 'guest-asked');
}

test('a manager gives work to a contractor, who does it on a phone without an account; the manager checks it', async () => {
  const [desk, contractor] = [await phone(DESKTOP), await phone()];
  await give(desk);
  const facts = new ServerFacts(server);
  const item = async () => (await facts.rows('action_items', `title=eq.${TITLE}`))[0];
  const { page } = contractor;

  await page.goto(await linkInEmail());
  await expect(page.getByRole('heading', { level: 1, name: TITLE })).toBeVisible();
  await judge(contractor, 'guest-link');
  await page.getByRole('button', { name: 'Yes, I will do it' }).click();
  await expect(page.getByRole('heading', { level: 2, name: 'Your work' })).toBeVisible();
  await expect.poll(async () => (await item())?.['status']).toBe('in_progress');
  await page.getByRole('button', { name: 'Report as done' }).click();
  await expect(page.getByText('Describe what you did first.')).toBeVisible();
  await page.getByLabel('What did you do?').fill('New hinges, oiled');
  await page.getByLabel('Choose photo').setInputFiles(PHOTO);
  await expect(page.getByRole('img', { name: 'Photo 1' })).toBeVisible();
  await judge(contractor, 'guest-work');

  // The page is lost before anything was sent, and there is no signal: what was typed is still there.
  await contractor.goOffline();
  await page.reload();
  await expect(page.getByLabel('What did you do?')).toHaveValue('New hinges, oiled');
  await expect(page.getByRole('img', { name: 'Photo 1' })).toBeVisible();
  await page.getByRole('button', { name: 'Report as done' }).click();
  await expect(page.getByText('Waiting to send', { exact: true })).toBeVisible();
  await judge(contractor, 'guest-waits');
  expect((await item())?.['status']).toBe('in_progress');
  await contractor.goOnline();
  await expect(page.getByText('There is nothing more for you to do now.')).toBeVisible({ timeout: 20_000 });
  await expect.poll(async () => (await item())?.['media_ids']).toHaveLength(1);
  expect(await item()).toMatchObject({ status: 'ready_for_verification', done_by: null });
  await expect(page.getByRole('img', { name: 'Photo 1' })).toBeVisible();
  await judge(contractor, 'guest-done');

  const checker = desk.page;
  await expect(checker.getByText('Bo Builder (outside the organisation)').first()).toBeVisible({ timeout: 20_000 });
  await expect(checker.getByText('New hinges, oiled')).toBeVisible();
  await expect(checker.getByText('Reported done')).toBeVisible();
  await judge(desk, 'guest-to-check');
  await checker.getByRole('button', { name: 'Close', exact: true }).click();
  await expect.poll(async () => (await item())?.['status']).toBe('closed');
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'This is done' })).toBeVisible();
  await judge(contractor, 'guest-over');
  expect([...desk.console, ...contractor.console]).toEqual([]);
});
