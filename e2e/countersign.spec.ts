import { readFileSync } from 'node:fs';
import { expect, test, type Page } from '@playwright/test';
import { boxOfPad, fillSignIn } from './people/field-worker.ts';
import { appCached } from './rig/app-cached.ts';
import { expectAccessible } from './rig/axe.ts';
import { cutOff } from './rig/cut-off.ts';
import { Phone, PHONE } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';

let server: ServerProcess;
let facts: ServerFacts;
const phones: Phone[] = [];

test.beforeAll(async () => {
  server = await ServerProcess.start();
  facts = new ServerFacts(server);
});
test.afterAll(() => server.stop());
test.afterEach(async () => {
  for (const phone of phones.splice(0)) {
    await phone.screenshot(`end-${phones.length}`);
    await phone.close();
  }
});

/** Signed in on a phone, on one page. */
async function open(who: 'person' | 'worker', path: string): Promise<Phone> {
  const phone = await Phone.open(PHONE);
  phones.push(phone);
  await phone.page.goto(`${server.url}/auth?from=${encodeURIComponent(path)}`);
  await fillSignIn(phone.page, who);
  await expect(phone.page.getByRole('link', { name: /Up to date/ }).first()).toBeVisible();
  await appCached(phone.page);
  return phone;
}

/** Pictured, judged by axe, and for what is cut off. */
async function judge(device: Phone, name: string): Promise<void> {
  await device.screenshot(name);
  await expectAccessible(device.page, name);
  await expect.poll(() => cutOff(device.page), name).toEqual([]);
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const TITLE = 'I rest on Sundays';
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

/** Draws a stroke in the field to sign in. */
async function draw(page: Page): Promise<void> {
  const box = await boxOfPad(page);
  await page.mouse.move(box.x + 20, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + 120, box.y + box.height / 3, { steps: 5 });
  await page.mouse.up();
}

test('a person commits to a principle and asks a partner with no signal; the partner countersigns with none, and it stays when nothing is shown any more', async () => {
  const pia = await open('person', '/policies');
  await button(pia.page, 'New principle').click();
  await pia.page.getByRole('dialog').getByLabel('Title').fill(TITLE);
  await button(pia.page, 'Start writing').click();
  await pia.page.getByLabel('Text in Markdown').fill('No work on **Sundays**.');
  await expect(pia.page.getByText('Saved on this device')).toBeVisible();
  await button(pia.page, 'Done').click();
  // The badge may still say what it said before the last words: whether they arrived is the server's to say.
  await expect
    .poll(async () => (await facts.rows('policy_versions', `title=eq.${TITLE}`))[0]?.['body'])
    .toBe('No work on **Sundays**.');
  await expect(pia.page.getByRole('link', { name: /Up to date/ }).first()).toBeVisible();
  await button(pia.page, 'Adopt').click();
  await expect(button(pia.page, 'I commit to this')).toBeVisible();

  await pia.goOffline();
  await pia.page.getByText('I have read this and will live by it').click();
  await pia.page.getByLabel('Your full name').fill('Pia Person');
  await button(pia.page, 'I commit to this').click();
  const asking = card(pia.page, 'Countersignature');
  await button(pia.page, 'Ask a partner to countersign').click();
  await expect(card(pia.page, 'This is what they will see')).toContainText('No work on Sundays.');
  await judge(pia, 'countersign-ask');
  await button(pia.page, 'Ask Sam Worker').click();
  await expect(asking.getByText('Waiting to send')).toBeVisible();
  await pia.goOnline();
  await expect(asking.getByText('Waiting to send')).toBeHidden();
  await expect(asking).toContainText('You asked Sam Worker on ');

  // The partner hears of it, reads it once with a signal, and signs with none.
  const sam = await open('worker', '/support-circle');
  await expect.poll(async () => (await facts.rows('notifications', 'type=eq.circle.countersign_asked')).length).toBe(1);
  await sam.page
    .getByRole('link', { name: /Pia Person/ })
    .first()
    .click();
  const principle = card(sam.page, TITLE);
  await expect(principle).toContainText('No work on Sundays.');
  await expect(principle).toContainText('Pia Person committed to this');
  await sam.goOffline();
  await sam.page.reload();
  await expect(principle).toContainText('No work on Sundays.');
  await principle.getByRole('button', { name: 'Countersign', exact: true }).click();
  await expect(principle.getByText('Enter your full name.')).toBeVisible();
  await principle.getByLabel('Your full name').fill('Sam Worker');
  await principle.getByText('Draw', { exact: true }).click();
  await draw(sam.page);
  await judge(sam, 'countersign-sign');
  await principle.getByRole('button', { name: 'Countersign', exact: true }).click();
  await expect(principle.getByText('Waiting to send')).toBeVisible();
  await sam.goOnline();
  await expect(principle.getByText('Not received yet')).toBeHidden();
  await judge(sam, 'countersign-signed');

  // The person sees it arrive, and both names are on the certificate.
  await expect(asking).toContainText('Sam Worker countersigned this');
  await expect.poll(async () => (await facts.rows('notifications', 'type=eq.circle.countersigned')).length).toBe(1);
  await judge(pia, 'countersign-proof');
  const download = pia.page.waitForEvent('download');
  await button(pia.page, 'Save certificate').click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('Certificate I rest on Sundays 1-0 Pia Person.pdf');
  expect(
    readFileSync(await file.path())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');

  // Taken back: the partner's page is empty of it, the signature stays.
  const [given] = await facts.rows('consent_grants', 'scope=eq.principles');
  await pia.page.goto(`${server.url}/support-circle`);
  await expect(pia.page.getByText('Sam Worker: One version of a principle, to countersign').first()).toBeVisible();
  await pia.page
    .getByRole('link', { name: /Sam Worker/ })
    .first()
    .click();
  await button(pia.page, 'Stop sharing: One version of a principle, to countersign').click();
  await expect
    .poll(async () => (await facts.rows('consent_grants', `id=eq.${given?.id}`))[0]?.['revoked_at'])
    .not.toBeNull();
  await expect(principle).toBeHidden();
  await pia.page.goto(`${server.url}/policies`);
  await pia.page.getByRole('link', { name: new RegExp(TITLE) }).click();
  await expect(asking).toContainText('Sam Worker countersigned this');
  for (const each of phones) expect(each.console).toEqual([]);
});
