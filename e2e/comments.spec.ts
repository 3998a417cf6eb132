import { expect, test } from '@playwright/test';
import { signIn } from './people/field-worker.ts';
import { appCached } from './rig/app-cached.ts';
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

/** Somebody signed in who has the same action item open. */
async function at(path: string, who: 'worker' | 'manager', screen?: typeof DESKTOP): Promise<Phone> {
  const phone = await Phone.open(screen);
  phones.push(phone);
  await signIn(phone.page, server.url, who);
  await phone.page.goto(`${server.url}${path}`);
  await expect(phone.page.getByLabel('Your comment')).toBeVisible();
  return phone;
}

test('who else has a record open is said, and who writes; nobody is while there is no signal, and whoever leaves is gone', async () => {
  const [action] = await new ServerFacts(server).rows('action_items', 'title=like.Eyewash*');
  const path = `/action-items/${String(action?.['id'])}`;
  const sam = await at(path, 'worker');
  const mara = await at(path, 'manager', DESKTOP);
  const hears = (phone: Phone, words: string) =>
    expect(phone.page.locator('.near-line')).toHaveText(words === '' ? '' : new RegExp(words));
  await hears(sam, 'Mara Manager is here too');
  await hears(mara, 'Sam Worker is here too');
  await expectAccessible(sam.page, 'somebody is near');
  // A toast on its way in is outside for a moment.
  await expect.poll(() => cutOff(sam.page)).toEqual([]);
  await sam.page.getByRole('button', { name: 'Post comment' }).scrollIntoViewIfNeeded();
  await sam.screenshot('near');

  // It is told for four seconds, and to a page that stands still for as long it comes with its end.
  await expect(async () => {
    await sam.page.getByLabel('Your comment').fill('');
    await sam.page.getByLabel('Your comment').fill('I have the new bottle');
    await expect(mara.page.locator('.near-line')).toHaveText(/^Sam Worker is typing…$/, { timeout: 3000 });
  }).toPass({ timeout: 60_000 });
  await mara.page.getByRole('button', { name: 'Post comment' }).scrollIntoViewIfNeeded();
  await mara.screenshot('near-writing');
  await sam.page.getByRole('button', { name: 'Post comment' }).click();
  await hears(mara, 'Sam Worker is here too');
  await expect(mara.page.getByText('I have the new bottle')).toBeVisible();

  await sam.goOffline();
  await hears(sam, '');
  // A page that begins with no signal asks for nothing in vain, and says what it lacks.
  await appCached(sam.page);
  await sam.page.reload();
  await expect(sam.page.getByText('You need a connection to see the change history.')).toBeVisible();
  await sam.goOnline();
  await expect(sam.page.getByText('No changes since it was created.')).toBeVisible();
  await hears(sam, 'Mara Manager is here too');
  await mara.page.getByRole('link', { name: 'Action Items' }).first().click();
  await hears(sam, '');
  expect([...sam.console, ...mara.console]).toEqual([]);
});
