import { expect, test, type Page } from '@playwright/test';
import { fillSignIn } from './people/field-worker.ts';
import { expectAccessible } from './rig/axe.ts';
import { Phone } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';

const PIA = '00000000-0000-4000-8000-000000000004';
const NOTE = 'Worried about Tuesday, told nobody';

let server: ServerProcess;
let facts: ServerFacts;
const phones: Phone[] = [];

test.beforeAll(async () => {
  server = await ServerProcess.start();
  facts = new ServerFacts(server);
});

test.afterAll(async () => {
  await server.stop();
});

test.afterEach(async () => {
  for (const phone of phones.splice(0)) {
    await phone.screenshot(`end-${phones.length}`);
    await phone.close();
  }
});

async function open(who: 'person' | 'worker', path: string): Promise<Phone> {
  const phone = await Phone.open();
  phones.push(phone);
  // Pia meets the first run elsewhere; whoever wants a screen is led to it.
  await phone.page.goto(`${server.url}/auth?from=${encodeURIComponent(path)}`);
  await fillSignIn(phone.page, who);
  await expect(phone.page).toHaveURL(`${server.url}${path}`);
  await expect(phone.page.getByRole('link', { name: /Up to date/ }).first()).toBeVisible();
  return phone;
}

const heading = (page: Page, name: string | RegExp) =>
  expect(page.getByRole('heading', { name }).first()).toBeVisible();
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

/** The check-in as the thumb does it: mood, energy, and a line that is locked on the phone. */
async function checkIn(page: Page): Promise<void> {
  await page.getByRole('radio', { name: 'Good', exact: true }).first().check({ force: true });
  await expect(page.getByText(/^Saved on this device/)).toBeVisible();
  await page.getByRole('radio', { name: 'Steady' }).check({ force: true });
  await button(page, 'Add a line, if you like').click();
  await page.getByLabel('Your password', { exact: true }).fill('cairn-demo-1');
  await page.getByText('I have kept the code').click();
  await button(page, 'Lock my notes').click();
  await page.getByLabel('Private note').fill(NOTE);
  await button(page, 'Done').click();
  await expect(page.getByText(/^Saved on this device/)).toBeHidden();
}

/** Opens a goal and says how it goes. */
async function sayHowItGoes(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Walk the coast path' }).click();
  await heading(page, 'Walk the coast path');
  await button(page, 'How does it go?').click();
  await page.getByLabel('How far are you?').fill('130');
  await page.getByLabel('What stands in the way?').fill('Sore feet');
  await button(page, 'Save').click();
  await expect(page.getByText('130 of 180 km')).toBeVisible();
  await expectAccessible(page, 'goal');
}

/** Lets Sam see that goal. */
async function showTheGoal(page: Page): Promise<void> {
  await page.goto(`${server.url}/support-circle`);
  await heading(page, 'My Circle');
  await page
    .getByRole('link', { name: /Sam Worker/ })
    .first()
    .click();
  await heading(page, 'Sam Worker');
  await button(page, 'Show more').click();
  await page.getByText('Walk the coast path').click();
  await button(page, 'Show this').click();
  await expect(page.getByText('1 goal: its name, milestones and progress')).toBeVisible();
}

const own = (table: string, filter = '') => facts.rows(table, `user_id=eq.${PIA}&deleted_at=is.null${filter}`);

test('R2.09 in airplane mode a person checks in, ticks a habit and says how a goal goes; the partner they chose sees exactly what was granted, and every look is told', async () => {
  const pia = await open('person', '/goals');
  await heading(pia.page, 'Personal Goals');
  await expectAccessible(pia.page, 'goals');
  // What is drawn first on other screens is kept by then.
  await pia.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await pia.goOffline();
  await sayHowItGoes(pia.page);
  await pia.page.getByRole('link', { name: 'Ten-minute walk' }).click();
  await heading(pia.page, 'Ten-minute walk');
  await pia.page.getByRole('link', { name: 'Habits', exact: true }).click();
  await button(pia.page, 'Ten-minute walk done today').click();
  await expect(button(pia.page, 'Ten-minute walk done today')).toHaveAttribute('aria-pressed', 'true');
  await expectAccessible(pia.page, 'habits');
  await pia.page.getByRole('link', { name: 'Check-ins', exact: true }).click();
  await heading(pia.page, 'Wellness Journey');
  await expectAccessible(pia.page, 'wellness');
  await checkIn(pia.page);
  await pia.goOnline();
  const today = await pia.page.evaluate(() => new Date().toLocaleDateString('sv'));
  await expect.poll(async () => (await own('habit_entries', `&day=eq.${today}&value=eq.done`)).length).toBe(1);
  await expect.poll(async () => (await own('wellness_check_ins', '&note=not.is.null')).length).toBe(1);
  await expect.poll(async () => (await own('goal_check_ins', '&value=eq.130')).length).toBe(1);
  await showTheGoal(pia.page);
  await expect.poll(async () => (await facts.rows('consent_grants', 'scope=eq.goals')).length).toBe(1);
  const [kept] = await own('wellness_check_ins', '&note=not.is.null');
  expect(kept).toMatchObject({ mood: 4, energy: 4 });
  expect(JSON.stringify([kept, await own('note_keys')])).not.toContain(NOTE.slice(0, 7));

  const sam = await open('worker', '/support-circle');
  await heading(sam.page, 'Support Circle');
  await sam.page.getByRole('link', { name: /Pia Person/ }).click();
  await heading(sam.page, 'Pia Person');
  const main = sam.page.getByRole('main');
  await expect(main).toContainText('Ten-minute walk');
  await expect(main).toContainText('Done today');
  await expect(main).toContainText(/All right/);
  await expect(main).toContainText('130 of 180 km');
  // Neither the other habit or goal, nor a mood, a word, a note or what stands in the way.
  await expect(main).not.toContainText(/Read|Good|Energy|outdoors|Worried|headland|Sore feet/);
  await expectAccessible(sam.page, 'what somebody shows');
  await sam.page.getByLabel('To Pia Person').fill('Well walked');
  await sam.goOffline();
  await button(sam.page, 'Send').click();
  await button(sam.page, 'Refresh').click();
  await expect(sam.page.getByText('You are offline: this is the last copy')).toBeVisible();
  await sam.goOnline();
  await expect
    .poll(async () => (await facts.rows('grant_reads', `subject_id=eq.${PIA}&offline=is.true`)).length)
    .toBe(3);

  await pia.page.goto(`${server.url}/support-circle`);
  await heading(pia.page, 'My Circle');
  await expect(pia.page.getByText(/^Sam Worker: /).first()).toBeVisible();
  await expect(pia.page.getByText(/offline; told/).first()).toBeVisible();
  await expectAccessible(pia.page, 'circle');
  await pia.page
    .getByRole('link', { name: /Sam Worker/ })
    .first()
    .click();
  await expect(pia.page.getByText('Well walked')).toBeVisible();
  await button(pia.page, 'Pause').click();
  await expect(button(pia.page, 'Resume')).toBeVisible();
  await expect(sam.page.getByRole('heading', { name: 'Nothing is shown' })).toBeVisible();
  await expect(main).not.toContainText(/Ten-minute walk|coast path/);
  for (const phone of phones) expect(phone.console).toEqual([]);
});
