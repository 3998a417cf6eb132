import { expect, test, type Locator, type Page } from '@playwright/test';
import { fillSignIn } from './people/field-worker.ts';
import { arrive, newAccount } from './people/new-person.ts';
import { appCached } from './rig/app-cached.ts';
import { expectAccessible } from './rig/axe.ts';
import { DESKTOP, PHONE, Phone } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';
import { choose } from './rig/choose.ts';

let server: ServerProcess;
let facts: ServerFacts;
let phone: Phone;

test.beforeAll(async () => {
  server = await ServerProcess.start();
  facts = new ServerFacts(server);
});

test.afterAll(async () => {
  await server.stop();
});

test.afterEach(async () => {
  await phone.screenshot('end');
  await phone.close();
});

const heading = (page: Page, name: string | RegExp): Locator => page.getByRole('heading', { level: 1, name });
const onwards = (page: Page): Promise<void> => page.getByRole('button', { name: 'Continue' }).click();
const upToDate = (page: Page) =>
  expect(page.getByRole('link', { name: /^Sync:/ }).first()).toContainText('Up to date', { timeout: 30_000 });

/** Looks at a step once it stands: no violation, and a picture. */
async function look(page: Page, name: string | RegExp, picture: string): Promise<void> {
  await expect(heading(page, name)).toBeVisible();
  await expectAccessible(page, picture);
  await phone.screenshot(picture);
}

async function idOf(email: string): Promise<string> {
  const [profile] = await facts.rows('profiles', `email=eq.${email}`);
  return profile?.id ?? '';
}

test('R2.23 R2.24 G0 a new person begins at /welcome; the phone dies half-way and goes on where it was; 390 px', async () => {
  phone = await Phone.open(PHONE);
  const email = await newAccount(server, 'Ana');
  await arrive(phone.page, server, email);
  await expect(phone.page).toHaveURL(/\/welcome$/);
  await phone.page.goto(`${server.url}/`);
  await expect(phone.page).toHaveURL(`${server.url}/welcome`);
  await look(phone.page, 'What do you want to use Cairn for?', 'kind');
  await onwards(phone.page);
  await expect(phone.page.getByText('Choose one of the two.')).toBeVisible();
  await choose(phone.page.getByRole('radio', { name: /Personal/ }));
  await onwards(phone.page);
  await look(phone.page, 'Three questions about you', 'questions');
  await choose(phone.page.getByRole('radio', { name: 'Money' }));
  await phone.page.getByLabel('One goal for the next 90 days').fill('Save for a boat');
  await onwards(phone.page);
  await look(phone.page, 'Choose your growth areas', 'areas');
  await expect(phone.page.getByRole('checkbox', { name: /Financial Literacy/ })).toBeChecked();

  await phone.die();
  await phone.start();
  await phone.page.goto(`${server.url}/welcome`);
  await expect(phone.page.getByText('Step 3 of 7')).toBeVisible();
  await choose(phone.page.getByRole('checkbox', { name: /Mindfulness/ }));
  await onwards(phone.page);
  await look(phone.page, 'Look around with sample data?', 'sample');
  await phone.page.getByRole('button', { name: 'Add sample data' }).click();
  await expect(phone.page.getByText('Sample data is ready.')).toBeVisible();
  await phone.page.getByRole('button', { name: 'Remove sample data' }).click();
  await expect(phone.page.getByText('Sample data is ready.')).toHaveCount(0);
  await phone.page.getByRole('button', { name: 'Skip this step' }).click();
  await expect(heading(phone.page, 'Make Cairn available offline')).toBeVisible();
  await phone.page.getByRole('button', { name: 'Make available offline' }).click();
  await expect(phone.page.getByText('Your records are on this device')).toBeVisible();
  await expect(phone.page.getByText(/[Mk]B on this device/)).toBeVisible();
  await look(phone.page, 'Make Cairn available offline', 'offline');
  await onwards(phone.page);
  await look(phone.page, 'Should Cairn remind you?', 'notifications');
  await phone.page
    .getByRole('button', { name: /Skip this step|Continue/ })
    .first()
    .click();
  await look(phone.page, 'You are ready to start', 'end');
  await phone.page.getByRole('link', { name: 'Go to the dashboard' }).click();
  await expect(heading(phone.page, /^Welcome to your journey, ana-/)).toBeVisible();

  const steps = phone.page.getByRole('region', { name: 'First steps' });
  await expect(steps.getByText(/^[4-6] of 7 done$/)).toBeVisible();
  await expect(phone.page.getByText('Your goal: Save for a boat')).toBeVisible();
  await expectAccessible(phone.page, 'dashboard with first steps');
  await phone.screenshot('dashboard');
  await upToDate(phone.page);
  const id = await idOf(email);
  const made = await facts.rows('action_items', `created_by=eq.${id}&deleted_at=is.null&order=title`);
  expect(made.map(row => row['title'])).toEqual([
    'Note what you spend for seven days',
    'Sit quietly for five minutes a day',
  ]);
  expect(await facts.rows('goals', `user_id=eq.${id}`)).toMatchObject([
    { title: 'Save for a boat', area: 'financial-literacy', state: 'active' },
  ]);
  expect(await facts.rows('user_preferences', `user_id=eq.${id}`)).toMatchObject([
    { preferred_playbook_type: 'personal', notification_time: '09:00' },
  ]);
  await steps.getByRole('button', { name: 'Hide first steps' }).click();
  await expect(steps).toHaveCount(0);
  await phone.page.goto(`${server.url}/`);
  await expect(phone.page).toHaveURL(/\/dashboard$/);
  await expect(phone.page.getByRole('region', { name: 'Growth areas' })).toBeVisible();
  await expect(steps).toHaveCount(0);
  expect(phone.console).toEqual([]);
});

test('G0 a company is founded by keyboard alone, 1440 px, and a screen reader is told each step', async () => {
  phone = await Phone.open(DESKTOP);
  const { page } = phone;
  const { keyboard } = page;
  const email = await newAccount(server, 'Ben');
  await arrive(page, server, email);
  await expect(heading(page, 'What do you want to use Cairn for?')).toBeVisible();
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - main:
      - text: First steps Step 1 of 7
      - progressbar "First steps"
      - button "Set up later"
      - heading "What do you want to use Cairn for?" [level=1]
      - paragraph: You can have both later. Your private space is always yours alone.
      - group "Use of Cairn":
        - radio "Personal Goals and small steps that only you see"
        - radio "Company Inspections, tasks and evidence for a team"
      - button "Continue"
  `);
  await tabTo(page, page.getByRole('radio', { name: /Personal/ }));
  await keyboard.press('ArrowDown');
  await expect(page.getByRole('radio', { name: /Company/ })).toBeChecked();
  await keyboard.press('Enter');
  await expect(heading(page, 'Three questions about your company')).toBeFocused();
  await tabTo(page, page.getByLabel('Company name'));
  await keyboard.type('Corner Bakery');
  await tabTo(page, page.getByRole('radio', { name: 'Workshop or production' }));
  for (let step = 0; step < 2; step++) await keyboard.press('ArrowDown');
  await expect(page.getByRole('radio', { name: 'Kitchen and food' })).toBeChecked();
  await tabTo(page, page.getByRole('radio', { name: 'Prove that checks are done' }));
  await keyboard.press('Space');
  await expectAccessible(page, 'company questions');
  await phone.screenshot('company-questions');
  await keyboard.press('Enter');
  await look(page, 'A starter set for Corner Bakery', 'preset');
  await tabTo(page, page.getByRole('button', { name: 'Set it up' }));
  await keyboard.press('Enter');
  await expect(heading(page, 'Look around with sample data?')).toBeFocused();
  await tabTo(page, page.getByRole('button', { name: 'Skip this step' }));
  await keyboard.press('Enter');
  await expect(heading(page, 'Make Cairn available offline')).toBeFocused();
  await tabTo(page, page.getByRole('button', { name: 'Skip this step' }));
  await keyboard.press('Enter');
  await expect(heading(page, 'Should Cairn remind you?')).toBeFocused();
  await tabTo(page, page.getByRole('button', { name: /Skip this step|Continue/ }).last());
  await keyboard.press('Enter');
  await expect(heading(page, 'You are ready to start')).toBeFocused();
  await upToDate(page);
  await tabTo(page, page.getByRole('link', { name: 'Go to the dashboard' }));
  await keyboard.press('Enter');
  await expect(heading(page, 'Welcome back, Ben')).toBeVisible();
  await expectAccessible(page, 'new company dashboard');
  await phone.screenshot('company-dashboard');

  const [company] = await facts.rows('organizations', `created_by=eq.${await idOf(email)}&kind=eq.company`);
  expect(company).toMatchObject({ name: 'Corner Bakery', settings: { industry: 'kitchen', preset: 'kitchen' } });
  const inside = `organization_id=eq.${company?.id}`;
  expect(await facts.rows('sites', inside)).toHaveLength(1);
  expect(await facts.rows('assets', inside)).toHaveLength(3);
  expect(await facts.rows('forms', inside)).toMatchObject([{ name: 'Opening check', state: 'published' }]);
  expect(await facts.rows('organization_members', inside)).toMatchObject([{ role: 'admin' }]);
  expect(phone.console).toEqual([]);
});

test('without signal everything waits on the phone, and a company opens by itself once it was received', async () => {
  phone = await Phone.open(PHONE);
  const { page } = phone;
  const email = await newAccount(server, 'Cleo');
  await arrive(page, server, email);
  await expect(heading(page, 'What do you want to use Cairn for?')).toBeVisible();
  await choose(page.getByRole('radio', { name: /Company/ }));
  await upToDate(page);
  await appCached(page);
  await expect.poll(() => page.evaluate(async () => (await caches.keys()).length)).toBeGreaterThan(0);
  await phone.goOffline();
  await onwards(page);
  await page.getByLabel('Company name').fill('Island Works');
  await choose(page.getByRole('radio', { name: 'Workshop or production' }));
  await choose(page.getByRole('radio', { name: 'Pass an audit' }));
  await onwards(page);
  await expect(page.getByText('Island Works is saved on this device.')).toBeVisible();
  await page.getByRole('button', { name: 'Set it up' }).click();
  await expect(heading(page, 'Look around with sample data?')).toBeVisible();
  await page.getByRole('button', { name: 'Skip this step' }).click();
  await page.getByRole('button', { name: 'Make available offline' }).click();
  await expect(page.getByText('You are offline. What is already on this device stays.')).toBeVisible();
  await phone.screenshot('no-signal');
  await page.getByRole('button', { name: 'Skip this step' }).click();
  await page
    .getByRole('button', { name: /Skip this step|Continue/ })
    .last()
    .click();
  await expect(heading(page, 'You are ready to start')).toBeVisible();
  await phone.goOnline();
  await upToDate(page);
  await expect(page.getByText('Island Works is saved on this device.')).toHaveCount(0);
  await page.getByRole('link', { name: 'Go to the dashboard' }).click();
  await expect(heading(page, 'Welcome back, Cleo')).toBeVisible();
  await expect(page.getByText('Active in Island Works')).toBeVisible();
  expect(phone.console).toEqual([]);
});

test('sample data is a company of its own with real work in it, removed in one act', async () => {
  phone = await Phone.open(DESKTOP);
  const { page } = phone;
  await page.goto(`${server.url}/`);
  await fillSignIn(page, 'person');
  await expect(page).toHaveURL(/\/welcome$/);
  await choose(page.getByRole('radio', { name: /Company/ }));
  await onwards(page);
  await page.getByRole('button', { name: 'Skip this step' }).click();
  await expect(page.getByText('Answer the three questions first.')).toBeVisible();
  await page.getByRole('button', { name: 'Skip this step' }).click();
  await page.getByRole('button', { name: 'Add sample data' }).click();
  await page.getByRole('button', { name: 'Open sample data' }).click();
  await upToDate(page);
  await phone.screenshot('sample-added');
  await page.getByRole('link', { name: 'Dashboard' }).first().click();
  await expect(heading(page, 'Welcome back, Pia')).toBeVisible();
  const rate = page.getByRole('button', { name: /Compliance Rate/ }).locator('.n');
  await expect(rate).toHaveText(/^\d+%$/);
  await expect(page.getByRole('region', { name: 'Today' }).getByRole('listitem').first()).toBeVisible();
  await phone.screenshot('sample-dashboard');
  const [person] = await facts.rows('profiles', 'email=eq.person@demo.cairn.test');
  const own = `created_by=eq.${person?.id}&kind=eq.company`;
  // It goes out in more than one call.
  const samples = () => facts.rows('organizations', own);
  await expect.poll(samples).toMatchObject([{ sample: true }]);
  const [sample] = await samples();
  const finished = `organization_id=eq.${sample?.id}&status=eq.finalised`;
  await expect.poll(() => facts.rows('inspections', finished)).toHaveLength(12);
  await page.goto(`${server.url}/welcome?step=sample`);
  await page.getByRole('button', { name: 'Remove sample data' }).click();
  await expect(page.getByRole('button', { name: 'Add sample data' })).toBeVisible();
  await expect.poll(() => facts.rows('organizations', own)).toEqual([]);
  await page.goto(`${server.url}/dashboard`);
  await expect(heading(page, /^Welcome to your journey, person/)).toBeVisible();
  expect(phone.console).toEqual([]);
});

test('R2.24 whoever saved preferences is not led to /welcome; setting up later counts as saved', async () => {
  phone = await Phone.open(PHONE);
  const { page } = phone;
  await arrive(page, server, await newAccount(server, 'Dora'));
  await page.getByRole('button', { name: 'Set up later' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByRole('region', { name: 'First steps' })).toBeVisible();
  await page.goto(`${server.url}/`);
  await expect(page).toHaveURL(/\/dashboard$/);
  expect(phone.console).toEqual([]);
});

/** Specification, section 3; ids and sentences by product.md, Q24. The category is the part of life that suggests the area. */
const AREAS = [
  ['Health and wellness', 'Health & Wellness Foundation', 'Sleep, movement and food in small steps that last.'],
  ['Career', 'Career Growth Essentials', 'Know what you want from work, and ask for it well prepared.'],
  [
    'Personal development',
    'Personal Development Basics',
    'Pick one thing to get better at, and look back on it every week.',
  ],
  ['Money', 'Financial Literacy', 'See where the money goes, and put some of it aside first.'],
  ['Relationships', 'Relationship Building', 'Make time for the people who matter, and tell them so.'],
  ['Calm and focus', 'Mindfulness & Focus', 'A few quiet minutes a day, and one thing at a time.'],
] as const;

test('R3.39 the six default growth areas are offered with title and description, each suggested by its category, and kept by their ids', async () => {
  phone = await Phone.open(PHONE);
  const { page } = phone;
  const email = await newAccount(server, 'Edda');
  await arrive(page, server, email);
  await choose(page.getByRole('radio', { name: /Personal/ }));
  await onwards(page);
  const cards = page.getByRole('checkbox');
  for (const [category, title, description] of AREAS) {
    await choose(page.getByRole('radio', { name: category, exact: true }));
    await onwards(page);
    await expect(heading(page, 'Choose your growth areas')).toBeVisible();
    await expect(cards).toHaveCount(AREAS.length);
    await expect(page.getByRole('checkbox', { checked: true })).toHaveAccessibleName(`${title} ${description}`);
    await page.getByRole('button', { name: 'Back' }).click();
  }
  await onwards(page);
  for (const [index, [, title, description]] of AREAS.entries()) {
    await expect(cards.nth(index)).toHaveAccessibleName(`${title} ${description}`);
    await cards.nth(index).setChecked(true, { force: true });
  }
  await onwards(page);
  await expect(heading(page, 'Look around with sample data?')).toBeVisible();
  await upToDate(page);
  const mine = `created_by=eq.${await idOf(email)}&deleted_at=is.null`;
  const playbook = `owner_id=eq.${await idOf(email)}`;
  // "Up to date" may still be said of what was saved before the last step.
  const kept = async () => {
    const [row] = await facts.rows('playbooks', playbook);
    return (Object(row?.['settings']) as { growth_areas?: string[] }).growth_areas?.toSorted();
  };
  await expect
    .poll(kept, { timeout: 30_000 })
    .toEqual([
      'career-growth-essentials',
      'financial-literacy',
      'health-wellness-foundation',
      'mindfulness-focus',
      'personal-development-basics',
      'relationship-building',
    ]);
  expect(await facts.rows('action_items', mine)).toHaveLength(AREAS.length);
  expect(phone.console).toEqual([]);
});

/** Presses Tab until the wanted element has the focus. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if (await wanted.evaluate(element => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('sixty presses of Tab did not reach it');
}
