import { expect, test, type Page } from '@playwright/test';
import { fillSignIn } from './people/field-worker.ts';
import { appCached } from './rig/app-cached.ts';
import { expectAccessible } from './rig/axe.ts';
import { DESKTOP, Phone, PHONE, type Screen } from './rig/phone.ts';
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

/** Signed in, with the page of one person of the circle open. */
async function openPair(who: 'person' | 'worker', other: string, screen: Screen): Promise<Phone> {
  const phone = await Phone.open(screen);
  phones.push(phone);
  const path = '/support-circle';
  await phone.page.goto(`${server.url}/auth?from=${encodeURIComponent(path)}`);
  await fillSignIn(phone.page, who);
  await expect(phone.page.getByRole('link', { name: /Up to date/ }).first()).toBeVisible();
  const link = phone.page.getByRole('link', { name: new RegExp(other) });
  await link.first().click();
  await expect(phone.page.getByRole('heading', { name: other, level: 1 })).toBeVisible();
  await expect(card(phone.page)).toBeVisible();
  // What is drawn first on other screens is kept by then.
  await appCached(phone.page);
  return phone;
}

const card = (page: Page) => page.getByRole('region', { name: 'Sessions', exact: true });
const group = (page: Page, name: string) => card(page).getByRole('region', { name });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** YYYY-MM-DDTHH:MM, some days from now at this hour, as clocks here show it. */
function moment(days: number, clock: string): string {
  const day = new Date(Date.now() + days * 86_400_000);
  return `${day.toLocaleDateString('sv')}T${clock}`;
}

async function plan(page: Page, at: string, about: string): Promise<void> {
  await button(page, 'Plan a session').click();
  const sheet = page.getByRole('dialog');
  await sheet.getByLabel('Day and time').fill(at);
  await sheet.getByLabel('What to talk about').fill(about);
  await expectAccessible(page, 'a plan');
  await sheet.getByRole('button', { name: 'Plan session' }).click();
  await expect(sheet).toBeHidden();
}

/** Opens an entry of the menu of the one session with these words. */
async function choose(page: Page, words: string, entry: string): Promise<void> {
  const row = card(page).getByRole('listitem').filter({ hasText: words });
  await row.getByRole('button', { name: /^Options for the session on / }).click();
  await page.getByRole('menuitem', { name: entry }).click();
}

const states = async (filter = '') =>
  (await facts.rows('circle_sessions', `deleted_at=is.null&order=at${filter}`)).map(row => row['state']);

test('two of a circle plan sessions with no signal, one is missed and one written down, and each side sees what is theirs to see', async () => {
  const sam = await openPair('worker', 'Pia Person', PHONE);
  const pia = await openPair('person', 'Sam Worker', DESKTOP);

  await sam.goOffline();
  await plan(sam.page, moment(2, '10:00'), 'The coast path');
  await plan(sam.page, moment(-1, '09:00'), 'Rest days');
  await plan(sam.page, moment(-2, '09:00'), 'The head lamp');
  await expect(group(sam.page, 'Planned').getByText('Waiting to send')).toBeVisible();
  await expect(group(sam.page, 'Did it take place?').getByText('Waiting to send')).toHaveCount(2);
  await sam.goOnline();
  await expect.poll(states).toEqual(['planned', 'planned', 'planned']);
  await expect(card(sam.page).getByText('Waiting to send')).toHaveCount(0);

  // The person reads all three, was told, and says of one what became of it, with no signal.
  await expect(group(pia.page, 'Planned')).toContainText('The coast path');
  await expect(group(pia.page, 'Planned')).toContainText('planned by Sam Worker');
  await expectAccessible(pia.page, 'sessions');
  await expect.poll(async () => (await facts.rows('notifications', 'type=eq.circle.session_planned')).length).toBe(3);
  await pia.goOffline();
  const rest = group(pia.page, 'Did it take place?').getByRole('listitem').filter({ hasText: 'Rest days' });
  await rest.getByRole('button', { name: 'No, it was missed' }).click();
  await pia.page.getByLabel('Reason').fill('The train stood still');
  await pia.page.getByRole('dialog').getByRole('button', { name: 'Mark as missed' }).click();
  await expect(group(pia.page, 'Past sessions').getByText('Missed', { exact: true })).toBeVisible();
  await expect(group(pia.page, 'Past sessions').getByText('Waiting to send')).toBeVisible();
  await pia.goOnline();
  await expect(group(sam.page, 'Past sessions')).toContainText('Reason: The train stood still');

  // Who planned it writes the other one down; the person makes tasks of it.
  await sam.goOffline();
  await button(sam.page, 'Yes, log it').click();
  await sam.page.getByLabel('What you talked about').fill('The lamp is too weak');
  await sam.page.getByLabel('What to do', { exact: true }).fill('Buy a head lamp');
  await button(sam.page, 'Save').click();
  await expect(group(sam.page, 'Past sessions')).toContainText('The lamp is too weak');
  await sam.goOnline();
  await button(pia.page, 'Add 1 to your actions').click();
  await expect
    .poll(async () => (await facts.rows('action_items', 'title=eq.Buy a head lamp&deleted_at=is.null')).length)
    .toBe(1);

  // What the person plans, the helper sees and hears of under a grant alone.
  await button(pia.page, 'Plan a session').click();
  await expect(pia.page.getByText('Sam Worker will not see this. You do not share sessions with them.')).toBeVisible();
  await button(pia.page, 'Close').click();
  await plan(pia.page, moment(5, '18:30'), 'Only mine so far');
  await expect.poll(() => states('&note=eq.Only mine so far')).toEqual(['planned']);
  await button(sam.page, 'Refresh').click();
  await expect(card(sam.page)).not.toContainText('Only mine so far');
  await button(pia.page, 'Share more').click();
  await pia.page.getByText('Notes from your sessions together').click();
  await button(pia.page, 'Share').click();
  const shown = group(sam.page, 'Planned').getByRole('listitem').filter({ hasText: 'Only mine so far' });
  await expect(shown).toContainText('planned by Pia Person');
  await expect(shown.getByRole('button')).toHaveCount(0);

  // Moved, mended, taken back and called off, by whom it is.
  await choose(sam.page, 'The coast path', 'Edit plan');
  await sam.page.getByLabel('Day and time').fill(moment(3, '11:00'));
  await button(sam.page, 'Save').click();
  await expect(group(pia.page, 'Planned').getByRole('listitem').filter({ hasText: 'The coast path' })).toContainText(
    '11:00',
  );
  await choose(sam.page, 'The lamp is too weak', 'Edit session');
  await sam.page.getByLabel('What you talked about').fill('The lamp is far too weak');
  await button(sam.page, 'Save').click();
  await expect(card(pia.page)).toContainText('The lamp is far too weak');
  await choose(pia.page, 'The coast path', 'Cancel session');
  await pia.page.getByRole('dialog').getByRole('button', { name: 'Cancel session' }).click();
  await expect(group(sam.page, 'Past sessions').getByText('Cancelled')).toBeVisible();
  await choose(sam.page, 'The lamp is far too weak', 'Remove');
  await sam.page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect(card(pia.page)).not.toContainText('The lamp is far too weak');
  // What the person said became of it is theirs: who planned it takes neither that nor the session away.
  const missed = group(sam.page, 'Past sessions').getByRole('listitem').filter({ hasText: 'Rest days' });
  await expect(missed).toContainText('Missed');
  await expect(missed.getByRole('button')).toHaveCount(0);
  await expectAccessible(sam.page, 'sessions of a helper');

  await button(pia.page, 'Pause sharing').click();
  await expect(card(sam.page)).toContainText('Sharing is paused. You cannot plan or log sessions.');
  await expect(card(sam.page)).not.toContainText('Only mine so far');
  for (const each of phones) expect(each.console).toEqual([]);
});
