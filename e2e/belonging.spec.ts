import { randomUUID } from 'node:crypto';
import { expect, test, type Page } from '@playwright/test';
import { signIn } from './people/field-worker.ts';
import { arrive, newAccount } from './people/new-person.ts';
import { expectAccessible } from './rig/axe.ts';
import { DESKTOP, PHONE, Phone, type Screen } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';

const COMPANY = '00000000-0000-4000-8000-0000000000a1';

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

async function open(screen: Screen = PHONE): Promise<Phone> {
  const phone = await Phone.open(screen, { keepsApp: false });
  phones.push(phone);
  return phone;
}

async function goTo(page: Page, path: string): Promise<void> {
  await page.goto(`${server.url}${path}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

const idOf = async (email: string) => (await facts.rows('profiles', `email=eq.${email}`))[0]?.id ?? '';
const switcher = (page: Page) => page.getByRole('button', { name: /^Switch organisation or playbook/ }).first();
const membership = async (person: string) =>
  (await facts.rows('organization_members', `organization_id=eq.${COMPANY}&user_id=eq.${person}`))[0];

/** A record or an entry of the queue says whose it is in `data`, a conflict beside it. */
type StoredItem = { data?: { organization_id?: string }; organizationId?: string };

/** Whether the device holds any record or conflict of this organisation. */
const holds = (page: Page, organization: string): Promise<boolean> =>
  page.evaluate(async id => {
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('cairn_mobile');
      opening.onerror = () => reject(new Error('cairn_mobile cannot be opened'));
      opening.onsuccess = () => resolve(opening.result);
    });
    const tx = db.transaction([...db.objectStoreNames]);
    const names = [...db.objectStoreNames].filter(name => name !== 'meta');
    const reads = names.map(
      name =>
        new Promise<StoredItem[]>((resolve, reject) => {
          const asked = tx.objectStore(name).getAll();
          asked.onsuccess = () => resolve(asked.result as StoredItem[]);
          asked.onerror = () => reject(new Error(`${name} cannot be read`));
        }),
    );
    const all = (await Promise.all(reads)).flat();
    db.close();
    return all.some(({ data, organizationId }) => data?.organization_id === id || organizationId === id);
  }, organization);

test('a partner link lets many in as members until it is taken back; whoever leaves keeps only what is their own', async () => {
  const admin = await open(DESKTOP);
  await signIn(admin.page, server.url, 'admin');
  await goTo(admin.page, '/members');
  await admin.page.getByRole('tab', { name: 'Partner links' }).click();
  await admin.page.getByRole('button', { name: 'New partner link' }).click();
  await admin.page.getByLabel('Name').fill('Harbour fair');
  await admin.page.getByLabel('How many people can join').fill('2');
  await admin.page.getByRole('button', { name: 'Create link' }).click();
  const shown = admin.page.getByLabel('Link', { exact: true });
  await expect(shown).toContainText('partner_link_token=');
  const link = (await shown.innerText()).trim();
  await admin.screenshot('partner-link');
  await admin.page.getByRole('button', { name: 'Done' }).click();

  const email = await newAccount(server, 'Nora');
  const nora = await open();
  await arrive(nora.page, server, email);
  await nora.page.goto(link);
  await expect(nora.page.getByRole('heading', { level: 1, name: 'Join Northfield Works' })).toBeVisible();
  await expectAccessible(nora.page, 'partner link');
  await nora.screenshot('partner-link-opened');
  await nora.page.getByRole('button', { name: 'Join', exact: true }).click();
  await expect(nora.page).toHaveURL(/\/welcome$/);
  const person = await idOf(email);
  expect(await membership(person)).toMatchObject({ role: 'member', deleted_at: null });
  const activations = await facts.rows('organization_activations', `user_id=eq.${person}`);
  expect(activations).toMatchObject([{ organization_id: COMPANY, activation_source: 'partner_link_v2' }]);

  await admin.page.reload();
  await admin.page.getByRole('tab', { name: 'Partner links' }).click();
  const fair = admin.page.getByRole('listitem').filter({ hasText: 'Harbour fair' });
  await expect(fair).toContainText('1 of 2 people joined');
  await fair.getByRole('button', { name: 'Revoke' }).click();
  await expect(fair).toBeHidden();
  const late = await open();
  await late.page.goto(link);
  await expect(late.page.getByRole('heading', { level: 1, name: 'This link cannot be used' })).toBeVisible();

  const own = { user_id: person, area: 'mindfulness-focus', title: 'My own goal', state: 'active' };
  await facts.add('goals', { ...own, started_on: '2026-11-01' });
  await goTo(nora.page, '/organization');
  await expect.poll(() => holds(nora.page, COMPANY)).toBe(true);
  await nora.page.getByRole('button', { name: 'Leave Northfield Works' }).click();
  await expect(nora.page.getByRole('dialog')).toContainText('What you keep');
  await expectAccessible(nora.page, 'leaving an organisation');
  await nora.screenshot('leaving');
  await nora.page.getByRole('dialog').getByRole('button', { name: 'Leave', exact: true }).click();
  await expect(nora.page.getByText('You left Northfield Works')).toBeVisible();
  await expect(nora.page.getByRole('heading', { level: 1, name: /^Welcome to your journey/ })).toBeVisible();
  await expect.poll(() => holds(nora.page, COMPANY)).toBe(false);
  expect((await membership(person))?.['deleted_at']).not.toBeNull();
  const spaces = await facts.rows('organizations', `created_by=eq.${person}&kind=eq.private`);
  expect(spaces).toHaveLength(1);
  await expect(switcher(nora.page)).toContainText(/private space|Nora/i);
  await nora.page.goto(`${server.url}/goals`);
  await expect(nora.page.getByRole('link', { name: 'My own goal' })).toBeVisible();
  expect([...admin.console, ...nora.console]).toEqual([]);
});

test('the only administrator cannot leave and is told why', async () => {
  const { page, console } = await open(DESKTOP);
  await signIn(page, server.url, 'admin');
  await goTo(page, '/organization');
  await page.getByRole('button', { name: 'Leave Northfield Works' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave', exact: true }).click();
  await expect(
    page.getByText('You are the only administrator. Make someone else an administrator first.'),
  ).toBeVisible();
  expect(await membership('00000000-0000-4000-8000-000000000001')).toMatchObject({ deleted_at: null });
  expect(console.filter(line => !line.includes('Failed to load resource'))).toEqual([]);
});

test('R3.02 R4.26 R7.25 somebody who helps another acts as the first until they choose, and finds the choice again after a reload; the app asks for their own contexts', async () => {
  const [helper, subject] = [await idOf('manager@demo.cairn.test'), await idOf('person@demo.cairn.test')];
  await facts.add('circle_relationships', { subject_id: subject, helper_id: helper, role: 'mentor_coach' });
  const { page, console } = await open(DESKTOP);
  const asked: unknown[] = [];
  page.on('request', request => {
    if (request.url().endsWith('/rpc/get_user_organization_contexts')) asked.push(request.postDataJSON());
  });
  await signIn(page, server.url, 'manager');
  await switcher(page).click();
  const acting = page.getByRole('group', { name: 'Acting as' });
  await expect(acting.getByRole('radio').first()).toBeChecked();
  await expect(acting.locator('label').first()).toContainText('Northfield Works');
  expect(asked).toEqual([{ user_id_param: helper }]);
  expect(await page.evaluate(() => localStorage.getItem('cairn.activeRoleContext'))).toBeNull();
  const coach = acting.locator('label', { hasText: 'Pia' });
  await expect(coach).toBeVisible();
  await expectAccessible(page, 'role contexts');
  await coach.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Support Circle' })).toBeVisible();
  await page.reload();
  await switcher(page).click();
  await expect(acting.locator('label', { hasText: 'Pia' }).getByRole('radio')).toBeChecked();
  expect(console).toEqual([]);
});

/** What a person may be called in a company: the role there, the system roles held beside it, the name. */
const TITLES: [string, string[], string][] = [
  ['member', [], 'Member'],
  ['manager', [], 'Manager'],
  ['member', ['manager'], 'Manager'],
  ['member', ['partner'], 'Partner'],
  ['member', ['moderator', 'partner'], 'Moderator'],
  ['member', ['admin'], 'System Administrator'],
  ['admin', [], 'Organization Admin'],
  ['admin', ['admin'], 'Organization Administrator'],
];

test('R6.05 R6.06 R6.07 the switcher and the profile call a person by their roles, and a helper by the four circle roles', async () => {
  const email = await newAccount(server, 'Tess');
  const person = await idOf(email);
  await facts.add('organization_members', { organization_id: COMPANY, user_id: person, role: 'member' });
  const none = new Date().toISOString();
  for (const role of ['manager', 'partner', 'moderator', 'admin'])
    await facts.add('user_roles', { user_id: person, role, deleted_at: none });
  const member = (await membership(person))?.id ?? '';
  const system = await facts.rows('user_roles', `user_id=eq.${person}`);
  const { page, console } = await open(DESKTOP);
  await arrive(page, server, email);
  await goTo(page, '/profile');
  const belonging = page.getByRole('list', { name: 'Your organisations' }).getByRole('listitem');
  const dialog = page.getByRole('dialog');
  for (const [role, held, name] of TITLES) {
    await facts.change('organization_members', member, { role });
    for (const row of system)
      await facts.change('user_roles', row.id, { deleted_at: held.includes(String(row['role'])) ? null : none });
    const company = belonging.filter({ hasText: 'Northfield Works' });
    await expect(company.getByText(name, { exact: true })).toBeVisible();
    await switcher(page).click();
    const choice = dialog.locator('label', { hasText: 'Northfield Works' });
    await expect(choice).toHaveText(new RegExp(`· ${name}$`));
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  }

  const subject = await idOf('person@demo.cairn.test');
  for (const role of ['managed_admin', 'mentor_coach', 'triad_intelligence_operator', 'accountability_partner'])
    await facts.add('circle_relationships', { subject_id: subject, helper_id: person, role });
  await page.reload();
  await switcher(page).click();
  const acting = page.getByRole('group', { name: 'Acting as' });
  for (const name of ['Managed Admin', 'Mentor/Coach', 'Triad Intelligence', 'Accountability Partner'])
    await expect(acting.getByText(name, { exact: true })).toBeVisible();
  expect(console).toEqual([]);
});

/** What stands on the page of the plan: the tier, whether it is a subscription, each ability, then the quotas of the month. */
const planShown = (page: Page) =>
  page.getByRole('main').evaluate(main => {
    const text = (selector: string) => [...main.querySelectorAll(selector)].map(each => each.textContent);
    return { tier: text('h2')[0], facts: text('.facts dt, .facts dd') };
  });
const factsOf = (create: string, earn: string, sources: string, recommend: string, video: string) =>
  [
    'Create content',
    create,
    'Marketplace',
    'Yes',
    'Earn revenue',
    earn,
    'Certifications',
    'Yes',
    'Media search',
    sources,
  ]
    .concat(['Media recommendations', recommend, 'Video generation', video])
    .concat(['Enhance videos', video, 'Automatic transcription', video]);
const EVERYWHERE = 'YouTube, Vimeo, Internal';

test('R6.16 R6.20 R6.21 R6.22 R6.23 R6.24 R6.25 R6.26 R6.28 the plan page says what each of the three tiers allows, certifications always', async () => {
  const email = await newAccount(server, 'Plan');
  const person = await idOf(email);
  const { page, console } = await open(DESKTOP);
  await arrive(page, server, email);
  await goTo(page, '/plan');
  const main = page.getByRole('main');
  await expect(main.getByText('No subscription', { exact: true })).toBeVisible();
  expect(await planShown(page)).toEqual({
    tier: 'Personal Consumer',
    facts: factsOf('No', 'No', 'Internal', 'No', 'No'),
  });
  await expect(main.getByText('0 of 0')).toHaveCount(2);
  await expect(main.getByRole('button', { name: 'Request credits' })).toHaveCount(0);

  await facts.add('user_roles', { user_id: person, role: 'admin' });
  await page.reload();
  await expect(main.getByRole('heading', { name: 'Personal Creator' })).toBeVisible();
  await expect(main.getByText('Active subscription', { exact: true })).toBeVisible();
  expect((await planShown(page)).facts).toEqual(factsOf('Yes', 'Yes', EVERYWHERE, 'No', 'Yes'));
  await expect(main.getByText('0 of 10', { exact: true })).toBeVisible();
  await expect(main.getByText('0 of 5', { exact: true })).toBeVisible();
  await expect(main.getByRole('button', { name: 'Request credits' })).toBeVisible();

  await facts.add('organization_members', { organization_id: COMPANY, user_id: person, role: 'admin' });
  await page.reload();
  await expect(main.getByRole('heading', { name: 'Company Enterprise' })).toBeVisible();
  await expect(main.getByText('Active subscription', { exact: true })).toBeVisible();
  expect((await planShown(page)).facts).toEqual(factsOf('Yes', 'Yes', EVERYWHERE, 'Yes', 'Yes'));
  await expect(main.getByText('0 of 100', { exact: true })).toBeVisible();
  await expect(main.getByText('0 of 50', { exact: true })).toBeVisible();
  await expect(main.getByRole('button', { name: 'Request credits' })).toBeVisible();
  expect(console).toEqual([]);
});

test('R6.05 R6.14 customer support is called that in every organisation of theirs, finds a company with a reason, looks and changes nothing; each look is logged, private spaces stay closed', async () => {
  const email = await newAccount(server, 'Support');
  const person = await idOf(email);
  await facts.add('user_roles', { user_id: person, role: 'customer_support' });
  const alder = randomUUID();
  await facts.add('organizations', { id: alder, name: 'Alder Works', slug: `c-${alder}`, kind: 'company' });
  await facts.add('organization_members', { organization_id: alder, user_id: person, role: 'member' });
  const phone = await open(DESKTOP);
  const { page } = phone;
  await arrive(page, server, email);
  await goTo(page, '/profile');
  await expect(page.getByText('Customer Support Representative', { exact: true })).toBeVisible();
  await switcher(page).click();
  const acting = page.getByRole('group', { name: 'Acting as' });
  const places = page.getByRole('dialog').getByRole('group', { name: 'Organisation' }).locator('label');
  for (const place of ['Alder Works', 'Your private space']) {
    await places.filter({ hasText: place }).click();
    await expect(places.filter({ hasText: place }).getByRole('radio')).toBeChecked();
    await expect(acting.getByText('Customer Support Representative', { exact: true })).toBeVisible();
  }
  await page.keyboard.press('Escape');
  await goTo(page, '/support');
  await page.getByLabel('Company name').fill('Northfield');
  await page.getByRole('button', { name: 'Find companies' }).click();
  await expect(page.getByText('Enter a reason of 3 to 500 characters.')).toBeVisible();
  await page.getByLabel('Reason').fill('Ticket 4711');
  await page.getByRole('button', { name: 'Find companies' }).click();
  await page.getByRole('button', { name: /Northfield Works/ }).click();
  await expect(page.getByText('Read-only. Reason: Ticket 4711')).toBeVisible();
  await page.getByLabel('Show').selectOption({ label: 'Inspections' });
  await expect(page.getByRole('region', { name: 'Inspections' }).getByRole('row').nth(1)).toBeVisible();
  await expectAccessible(page, 'a look of customer support');
  await phone.screenshot('support');
  await expect(page.getByRole('main').getByRole('button', { name: /Save|Edit|Delete|Remove/ })).toHaveCount(0);
  const reads = await facts.rows('support_reads', `reader_id=eq.${person}&order=at`);
  expect(reads.map(({ tbl, reason }) => [tbl, reason])).toEqual(
    expect.arrayContaining([
      ['organizations', 'Ticket 4711'],
      ['inspections', 'Ticket 4711'],
    ]),
  );
  await page.getByRole('button', { name: 'Back to the search' }).click();
  await page.getByLabel('Reason').fill('Ticket 4711');
  await page.getByLabel('Company name').fill('Pia');
  await page.getByRole('button', { name: 'Find companies' }).click();
  await expect(page.getByText('No companies found')).toBeVisible();
  expect(phone.console.filter(line => !line.includes('Failed to load resource'))).toEqual([]);
});
