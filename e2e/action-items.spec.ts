import { expect, test } from '@playwright/test';
import { PHOTO, signIn } from './people/field-worker.ts';
import { expectAccessible } from './rig/axe.ts';
import { cutOff } from './rig/cut-off.ts';
import { DESKTOP, Phone } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
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

/** Somebody signed in who has the action item open. */
async function at(path: string, who: 'worker' | 'manager', screen?: typeof DESKTOP): Promise<Phone> {
  const phone = await Phone.open(screen);
  phones.push(phone);
  await signIn(phone.page, server.url, who);
  await phone.page.goto(`${server.url}${path}`);
  await expect(phone.page.getByRole('heading', { level: 1, name: /Eyewash/ })).toBeVisible();
  return phone;
}

test('G3 what is ready is sent back with words, gets its photo with no signal, and is closed by somebody else', async () => {
  const facts = new ServerFacts(server);
  const action = async () => (await facts.rows('action_items', 'title=like.Eyewash*'))[0];
  const path = `/action-items/${String((await action())?.['id'])}`;
  const [sam, mara] = [await at(path, 'worker'), await at(path, 'manager', DESKTOP)];
  const press = (phone: Phone, name: string) => phone.page.getByRole('button', { name, exact: true }).click();
  const status = () => expect.poll(async () => (await action())?.['status']);

  // Two moves in one go, and in one round of sending.
  await press(sam, 'Start work');
  await press(sam, 'Send for verification');
  await expect(sam.page.getByText('Someone else verifies this')).toBeVisible();
  await expect(sam.page.getByRole('button', { name: 'Send back' })).toBeHidden();
  await status().toBe('ready_for_verification');

  await press(mara, 'Send back');
  const sheet = mara.page.getByRole('dialog');
  await sheet.getByRole('button', { name: 'Send back' }).click();
  await expect(sheet.getByText('Enter what is missing.')).toBeVisible();
  await sheet.getByLabel('What is missing').fill('A picture of the new bottle, please');
  await expectAccessible(mara.page, 'sending back');
  await mara.screenshot('send-back');
  await sheet.getByRole('button', { name: 'Send back' }).click();
  await status().toBe('needs_revision');

  await expect(sam.page.getByText('Needs more work').first()).toBeVisible();
  await expect(sam.page.getByText('A picture of the new bottle, please')).toBeVisible();
  await sam.goOffline();
  await press(sam, 'Start work');
  await sam.page.getByRole('region', { name: 'Photos and files' }).getByLabel('Add file').setInputFiles(PHOTO);
  await expect(sam.page.getByRole('button', { name: /^Photo 1: / })).toBeVisible();
  await expectAccessible(sam.page, 'an action item with a photo');
  // A toast on its way in is outside for a moment.
  await expect.poll(() => cutOff(sam.page)).toEqual([]);
  await sam.screenshot('after-photo');
  await press(sam, 'Send for verification');
  await sam.goOnline();
  await status().toBe('ready_for_verification');
  await expect.poll(async () => (await action())?.['media_ids']).toHaveLength(1);

  await expect(mara.page.getByRole('button', { name: /^Photo 1: / })).toBeVisible({ timeout: 20_000 });
  await mara.screenshot('to-verify');
  await press(mara, 'Close');
  await status().toBe('closed');
  await expect(sam.page.getByText('Closed', { exact: true }).first()).toBeVisible();
  const told = await facts.rows('notifications', 'type=eq.action.sent_back');
  expect(told).toHaveLength(1);
  expect([...sam.console, ...mara.console]).toEqual([]);
});
