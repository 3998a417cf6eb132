import { randomUUID } from 'node:crypto';
import { expect, test, type Page } from '@playwright/test';
import { fillSignIn } from './people/field-worker.ts';
import { appCached } from './rig/app-cached.ts';
import { expectAccessible } from './rig/axe.ts';
import { choose } from './rig/choose.ts';
import { DESKTOP, Phone, PHONE, type Screen } from './rig/phone.ts';
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

async function open(
  who: 'person' | 'worker' | 'manager' | 'admin',
  path: string,
  screen: Screen = PHONE,
): Promise<Phone> {
  const phone = await Phone.open(screen);
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

/** The check-in as the thumb does it: mood, then energy. */
async function checkIn(page: Page): Promise<void> {
  await choose(page.getByRole('radio', { name: 'Good', exact: true }).first());
  await expect(page.getByText(/^Saved on this device/)).toBeVisible();
  await choose(page.getByRole('radio', { name: 'Steady' }));
  await button(page, 'Done').click();
  await expect(page.getByText(/^Saved on this device/)).toBeHidden();
}

/** Opens a goal and says how it goes. */
async function sayHowItGoes(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Walk the coast path' }).click();
  await heading(page, 'Walk the coast path');
  await button(page, 'Add update').click();
  await page.getByLabel('How far are you?').fill('130');
  await page.getByLabel('What is in the way?').fill('Sore feet');
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
  await button(page, 'Share more').click();
  await page.getByText('Walk the coast path').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Share', exact: true }).click();
  await expect(page.getByText('1 goal: name, milestones and progress')).toBeVisible();
}

const own = (table: string, filter = '') => facts.rows(table, `user_id=eq.${PIA}&deleted_at=is.null${filter}`);

test('R2.09 in airplane mode a person checks in, ticks a habit and says how a goal goes; the partner they chose sees exactly what was granted, and every look is told', async () => {
  const pia = await open('person', '/goals');
  await heading(pia.page, 'Personal Goals');
  await expectAccessible(pia.page, 'goals');
  // What is drawn first on other screens is kept by then.
  await appCached(pia.page);
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
  await expect.poll(async () => (await own('wellness_check_ins', `&day=eq.${today}`)).length).toBe(1);
  await expect.poll(async () => (await own('goal_check_ins', '&value=eq.130')).length).toBe(1);
  await showTheGoal(pia.page);
  await expect.poll(async () => (await facts.rows('consent_grants', 'scope=eq.goals')).length).toBe(1);
  expect(await own('wellness_check_ins', `&day=eq.${today}`)).toMatchObject([{ mood: 4, energy: 4 }]);

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
  await expect(sam.page.getByText('You are offline. This is the last saved copy')).toBeVisible();
  await sam.goOnline();
  await expect
    .poll(async () => (await facts.rows('grant_reads', `subject_id=eq.${PIA}&offline=is.true`)).length)
    .toBe(3);

  await pia.page.goto(`${server.url}/support-circle`);
  await heading(pia.page, 'My Circle');
  await expect(pia.page.getByText(/^Sam Worker: /).first()).toBeVisible();
  await expect(pia.page.getByText(/, offline \(reported .+\)/).first()).toBeVisible();
  await expectAccessible(pia.page, 'circle');
  await pia.page
    .getByRole('link', { name: /Sam Worker/ })
    .first()
    .click();
  await expect(pia.page.getByText('Well walked')).toBeVisible();
  await button(pia.page, 'Pause sharing').click();
  await expect(button(pia.page, 'Resume sharing')).toBeVisible();
  await expect(sam.page.getByRole('heading', { name: 'Nothing shared' })).toBeVisible();
  await expect(main).not.toContainText(/Ten-minute walk|coast path/);
  for (const phone of phones) expect(phone.console).toEqual([]);
});

/** A goal with its guide, two milestones and a habit that is counted. */
async function setOut(page: Page): Promise<void> {
  await button(page, 'New goal').first().click();
  const sheet = page.getByRole('dialog');
  await sheet.getByLabel('What do you want to achieve?').fill('Run ten kilometres without a stop');
  await expect(sheet.getByText('What can you count, or which steps can you tick off?')).toBeVisible();
  await sheet.getByLabel('What will you measure?').fill('Distance');
  await sheet.getByLabel('From', { exact: true }).fill('2');
  await sheet.getByLabel('To', { exact: true }).fill('10');
  await sheet.getByLabel('Unit').fill('km');
  await sheet.getByLabel('By when?').fill(dayFromNow(60));
  await sheet.getByText('Doable', { exact: true }).click();
  await sheet.getByLabel('Why does it matter to you?').fill('To run with my daughter');
  await expect(sheet.getByText('Clear enough to begin.')).toBeVisible();
  await sheet.getByRole('button', { name: 'Start goal' }).click();
  await heading(page, 'Run ten kilometres without a stop');
  for (const title of ['Five kilometres', 'Eight kilometres']) {
    await page.getByLabel('Milestone', { exact: true }).fill(title);
    await button(page, 'Add milestone').click();
    await expect(page.getByRole('checkbox', { name: title })).toBeVisible();
  }
  await page.goto(`${server.url}/wellness/habits`);
  await button(page, 'New habit').first().click();
  await sheet.getByLabel('Name').fill('Evening run');
  await sheet.getByText('A number', { exact: true }).click();
  await sheet.getByLabel('Target', { exact: true }).fill('4.5');
  await sheet.getByLabel('Unit').fill('km');
  await sheet.getByLabel('In how many days').fill('7');
  await button(page, 'Add habit').click();
  await expect(page.getByRole('link', { name: 'Evening run' })).toBeVisible();
}

const dayFromNow = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** Invites by a link, with this goal and this habit to be seen. @returns the link */
async function inviteWithTwo(page: Page): Promise<string> {
  await page.goto(`${server.url}/support-circle`);
  await button(page, 'Invite someone').first().click();
  const sheet = page.getByRole('dialog');
  await sheet.getByLabel('What you want support with').fill('To keep me running');
  await sheet.getByText('Run ten kilometres without a stop').click();
  await sheet.getByText('Evening run').click();
  await sheet.getByText('Notes from your sessions together').click();
  await expect(sheet).toContainText('This is what your Accountability Partner will see');
  await expect(sheet).toContainText('1 goal: name, milestones and progress');
  await expectAccessible(page, 'an invitation');
  await button(page, 'Create link').click();
  const link = await sheet.getByText(/support-circle\/join\?token=/).innerText();
  await button(page, 'Done').click();
  return link.trim();
}

/** What was said in a session, and the two steps that follow. */
async function writeSession(page: Page): Promise<void> {
  await button(page, 'Log a session').click();
  await page.getByLabel('What you talked about').fill('Rest days are part of it');
  await page.getByLabel('What to do', { exact: true }).fill('Plan two rest days');
  await button(page, 'Add step').click();
  await page.getByLabel('What to do', { exact: true }).last().fill('Buy a head lamp');
  await expectAccessible(page, 'a session');
  await button(page, 'Save').click();
  await expect(page.getByText('Rest days are part of it')).toBeVisible();
}

test('G6 a goal, a habit and a partner who is invited by a link: both work with no signal, a session becomes tasks, and a pause empties what is shown', async () => {
  // On the phone before anything is made: it is no longer busy with its start when the signal goes.
  const phone = await open('person', '/wellness/habits');
  const desk = await open('person', '/goals', DESKTOP);
  await setOut(desk.page);
  const link = await inviteWithTwo(desk.page);

  const mara = await open('manager', '/support-circle');
  await mara.page.goto(link);
  await heading(mara.page, 'Pia Person is asking for your support');
  await expect(mara.page.getByRole('main')).toContainText('1 habit: name, days and strength');
  await expect(mara.page.getByRole('main')).not.toContainText(/kilometres|Evening/);
  await button(mara.page, 'Accept').click();
  await mara.page.getByRole('link', { name: /Pia Person/ }).click();
  const shown = mara.page.getByRole('main');
  await expect(shown).toContainText('Run ten kilometres without a stop');
  await expect(shown).toContainText('Evening run');
  await expect(shown).not.toContainText(/Ten-minute walk|coast path|daughter/);

  await expect(phone.page.getByRole('link', { name: 'Evening run' })).toBeVisible();
  await phone.goOffline();
  await button(phone.page, 'Evening run: enter the amount').click();
  await phone.page.getByRole('dialog').getByRole('textbox').fill('4.5');
  await button(phone.page, 'Save').click();
  await expect(phone.page.getByRole('main')).toContainText('4.5 km');
  await phone.goOnline();
  await expect.poll(async () => (await own('habit_entries', '&amount=eq.4.5')).length).toBe(1);
  await button(mara.page, 'Refresh').click();
  await expect(shown).toContainText('Done today');

  await mara.goOffline();
  await mara.page.getByLabel('To Pia Person').fill('Four and a half, in the dark');
  await button(mara.page, 'Send').click();
  await writeSession(mara.page);
  await mara.goOnline();
  await desk.page
    .getByRole('link', { name: /Mara Manager/ })
    .first()
    .click();
  await expect(desk.page.getByText('Four and a half, in the dark')).toBeVisible();
  await expect(desk.page.getByText('Rest days are part of it')).toBeVisible();
  await button(desk.page, 'Add 2 to your actions').click();
  const steps = 'title=in.("Plan two rest days","Buy a head lamp")&deleted_at=is.null';
  await expect.poll(async () => (await facts.rows('action_items', steps)).length).toBe(2);
  await expectAccessible(desk.page, 'a partner');
  await button(desk.page, 'Pause sharing').click();
  await expect(mara.page.getByRole('heading', { name: 'Nothing shared' })).toBeVisible();
  await expect(shown).not.toContainText(/kilometres|Evening/);
  await desk.page.goto(`${server.url}/support-circle`);
  await expect(desk.page.getByText(/^Mara Manager: /).first()).toBeVisible();
  for (const each of phones) expect(each.console).toEqual([]);
});

test('what an organisation sees is one page for its administrator and for everybody else: groups, and of small ones nothing', async () => {
  const admin = await open('admin', '/wellness/organisation', DESKTOP);
  await heading(admin.page, 'What my organisation sees');
  await expect(admin.page.getByRole('main')).toContainText('Northfield Works does not collect these figures');
  await admin.page.getByRole('switch', { name: 'Collect wellbeing figures for groups' }).click();
  await button(admin.page, 'Save').click();
  const page = (of: Page) => of.getByRole('region', { name: 'The figures' });
  await expect(page(admin.page)).toContainText('Not enough people');
  await expectAccessible(admin.page, 'what an organisation sees');
  const sam = await open('worker', '/wellness/organisation');
  await expect(page(sam.page)).toContainText('Not enough people');
  await expect(sam.page.getByRole('heading', { name: 'For administrators' })).toHaveCount(0);
  expect(await page(sam.page).innerText()).toBe(await page(admin.page).innerText());
  await expect(page(sam.page)).not.toContainText(/About \d|people counted|\d%/);
  const count = sam.page.getByRole('switch', { name: 'Include me in Northfield Works’s figures' });
  await count.click();
  await expect.poll(async () => (await facts.rows('cohort_consents', 'revoked_at=is.null')).length).toBe(1);
  await expect(count).toBeChecked();
  await count.click();
  await expect.poll(async () => (await facts.rows('cohort_consents', 'revoked_at=is.null')).length).toBe(0);

  await addFigures(await page(admin.page).getByLabel('Four-week period').inputValue());
  for (const each of [sam, admin]) {
    await each.page.reload();
    await expect(page(each.page)).toContainText('about 105 people counted');
    await expect(page(each.page)).toContainText('About 62%, between 47% and 77%');
    await expect(each.page.getByText('right at most 63 times in 100')).toBeVisible();
    await expectAccessible(each.page, 'figures of an organisation');
    await each.screenshot(`figures-of-an-organisation-${each === sam ? 'phone' : 'desk'}`);
  }
  for (const each of phones) expect(each.console).toEqual([]);
});

/** What the server would release of four weeks (their first Monday) for a company of some hundred and forty who agreed. */
async function addFigures(week: string): Promise<void> {
  const [company] = await facts.rows('organizations', 'name=eq.Northfield%20Works');
  const place = { organization_id: company?.id, place_id: company?.id, kind: 'organization', people: 105, margin: 15 };
  for (const [measure, percent] of [
    ['mood', 62],
    ['energy', 48],
    ['stress', 31],
  ]) {
    await facts.add('cohort_figures', { ...place, week, measure, percent });
  }
}

/** A habit that was kept for five days, then missed for three. */
async function addMissedHabit(): Promise<void> {
  const id = randomUUID();
  await facts.add('habits', { id, user_id: PIA, name: 'Stretch', started_on: dayFromNow(-8), position: 5 });
  for (const ago of [4, 5, 6, 7, 8]) {
    await facts.add('habit_entries', { user_id: PIA, habit_id: id, day: dayFromNow(-ago), value: 'done' });
  }
}

/** Days that were missed are said to have been sick days. */
async function wasSick(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Stretch' }).click();
  const streak = page.getByText('Current streak').locator('xpath=..');
  await expect(streak).toContainText('0 days');
  await button(page, 'Pause').click();
  await page.getByLabel('First day').fill(dayFromNow(-3));
  await page.getByLabel('Last day').fill(dayFromNow(-1));
  await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
  await expect(streak).toContainText('5 days');
}

/** Begins to count every tap, whatever it hits. @returns what was counted so far */
async function countTaps(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    document.documentElement.dataset['taps'] = '0';
    const one = () => {
      const { dataset } = document.documentElement;
      dataset['taps'] = String(Number(dataset['taps']) + 1);
    };
    document.addEventListener('pointerdown', one, { capture: true });
  });
  return () => page.evaluate(() => Number(document.documentElement.dataset['taps']));
}

/** Energy, stress, sleep, and a line that is locked on the phone. */
async function sayTheRest(page: Page): Promise<void> {
  await choose(page.getByRole('radio', { name: 'Medium', exact: true }));
  await choose(page.getByRole('radio', { name: 'A little' }));
  await button(page, 'Half an hour more').click();
  await button(page, 'Add a line, if you like').click();
  await page.getByLabel('Your password', { exact: true }).fill('cairn-demo-1');
  await page.getByText('I have saved the code').click();
  await button(page, 'Lock my notes').click();
  await page.getByLabel('Private note').fill(NOTE);
  await button(page, 'Done').click();
  await expect(page.getByText(/^Saved on this device/)).toBeHidden();
}

/** Answers the longer questionnaire with the same step each time. */
async function lookBack(page: Page): Promise<void> {
  await button(page, 'Add “The last two weeks”').click();
  await button(page, 'Answer now').click();
  const onward = button(page, /^(Next question|Review and finish)$/);
  const often = page.getByRole('radio', { name: 'Often' });
  await expect(onward).toBeVisible();
  await expectAccessible(page, 'a longer questionnaire');
  for (let asked = 0; asked < 5; asked += 1) {
    while ((await often.count()) === 0) await onward.click();
    await choose(often);
    await onward.click();
  }
  await button(page, 'Finish inspection').click();
  // Kept by then: whoever leaves before it is finds it unfinished. The button has other words meanwhile.
  await expect(page.getByText(/^Finished /)).toBeVisible();
}

/** Half a day away: the reminder is no part of these journeys. */
const RING = new Date(Date.now() + 12 * 3_600_000).toISOString().slice(11, 16);

test('G5 a check-in takes two taps with no signal, sick days keep the row, the note opens on a second device, and all of it can be taken along or away', async () => {
  await addMissedHabit();
  const phone = await open('person', '/wellness');
  await phone.page.getByLabel('Remind me to check in at').fill(RING);
  await phone.page.getByRole('link', { name: 'Habits', exact: true }).click();
  await expect(phone.page.getByRole('link', { name: 'Stretch' })).toBeVisible();
  await appCached(phone.page);
  await phone.goOffline();
  await wasSick(phone.page);
  await phone.page.getByRole('link', { name: 'Habits', exact: true }).click();
  const taps = await countTaps(phone.page);
  await phone.page.getByRole('link', { name: 'Check-ins', exact: true }).click();
  // The first: once it is chosen, sleep may be good too.
  await choose(phone.page.getByRole('radio', { name: 'Good', exact: true }).first());
  await expect(phone.page.getByText(/^Saved on this device/)).toBeVisible();
  expect(await taps()).toBe(2);
  await sayTheRest(phone.page);
  await phone.goOnline();
  const noted = () => own('wellness_check_ins', '&note=not.is.null');
  await expect.poll(async () => (await noted()).length).toBe(1);
  expect(await noted()).toMatchObject([{ mood: 4, energy: 3, stress: 2, sleep_hours: 7 }]);
  expect(JSON.stringify([await noted(), await own('note_keys')])).not.toContain(NOTE.slice(0, 7));

  const desk = await open('person', '/wellness', DESKTOP);
  const { page } = desk;
  await expect(page.getByLabel('Remind me to check in at')).toHaveValue(RING);
  await page.getByText('30 days', { exact: true }).click();
  await expect(page.getByRole('region', { name: 'Trends' })).toContainText(/from 2\d days/);
  const told = page.locator('.year td[data-mood]').filter({ hasNotText: 'no entry' });
  expect(await told.count()).toBeGreaterThan(30);
  await page
    .getByRole('button', { name: /^Edit / })
    .first()
    .click();
  await button(page, 'This note is locked. Unlock your notes on this device').click();
  await page.getByLabel('Your password', { exact: true }).fill('cairn-demo-1');
  await page.getByRole('button', { name: 'Unlock', exact: true }).click();
  await expect(page.getByLabel('Private note')).toHaveValue(NOTE);
  await lookBack(page);
  await page.goto(`${server.url}/wellness`);
  await expect(page.getByRole('region', { name: 'A longer look' })).toContainText('75 of 100');
  await expectAccessible(page, 'wellness with a longer look');
  await page.getByRole('link', { name: 'What my organisation sees' }).click();
  await expect(page.getByRole('heading', { name: 'No organisation' })).toBeVisible();
  await page.getByRole('link', { name: 'Check-ins' }).first().click();
  const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'Export CSV').click()]);
  expect(file.suggestedFilename()).toBe('cairn-check-ins.csv');
  await button(page, 'Delete all').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete all' }).click();
  await expect.poll(async () => (await own('wellness_check_ins')).length).toBe(0);
  await expect(phone.page.getByRole('heading', { name: 'No check-ins yet' })).toBeVisible();
  for (const each of phones) expect(each.console).toEqual([]);
});
