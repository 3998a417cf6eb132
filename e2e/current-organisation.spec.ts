import { randomUUID } from 'node:crypto';
import { expect, test, type Page } from '@playwright/test';
import { signIn } from './people/field-worker.ts';
import { arrive, newAccount } from './people/new-person.ts';
import { storedIn } from './rig/device-database.ts';
import { DESKTOP, PHONE, Phone } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';

let server: ServerProcess;
let facts: ServerFacts;
let phone: Phone;

test.beforeAll(async () => {
  server = await ServerProcess.start();
  facts = new ServerFacts(server);
});
test.afterAll(() => server.stop());
test.beforeEach(async () => {
  phone = await Phone.open(DESKTOP);
});
test.afterEach(async () => {
  await phone.screenshot('current-organisation');
  await phone.close();
});

const HOUR_MS = 3_600_000;
/** In hours. */
const MINUTE = 1 / 60;
const ago = (hours: number): string => new Date(Date.now() - hours * HOUR_MS).toISOString();
const idOf = async (email: string) => (await facts.rows('profiles', `email=eq.${email}`))[0]?.id ?? '';
const switcher = (page: Page) => page.getByRole('button', { name: /^Switch organisation or playbook/ }).first();
const kept = (page: Page, key: string) => page.evaluate(name => localStorage.getItem(name), key);

/** A company with one playbook, that a person joined so many hours ago. */
async function company(name: string, person: string, hours: number): Promise<string> {
  const id = randomUUID();
  await facts.add('organizations', { id, name, slug: `c-${id.slice(0, 8)}`, kind: 'company' });
  await facts.add('organization_members', {
    organization_id: id,
    user_id: person,
    role: 'member',
    joined_at: ago(hours),
  });
  await facts.add('playbooks', { organization_id: id, name: `${name} playbook`, owner_id: person });
  return id;
}

const activate = (person: string, organization: string, source: string, hours: number) =>
  facts.add('organization_activations', {
    organization_id: organization,
    user_id: person,
    activation_source: source,
    activated_at: ago(hours),
  });

async function choose(page: Page, name: string): Promise<void> {
  await switcher(page).click();
  await page.getByRole('dialog').locator('label', { hasText: name }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
}

/** What arrived counts from the moment the device has read it. */
const arrived = (page: Page, organization: string, source: string) =>
  expect
    .poll(async () =>
      (await storedIn(page, 'users')).some(({ type, data }) => {
        const row = data as { organization_id?: string; activation_source?: string };
        const is = row.organization_id === organization && row.activation_source === source;
        return type === 'organization_activations' && is;
      }),
    )
    .toBe(true);

/** Starts the app anew, which then has everything the server had when it was asked. */
async function startAnew(page: Page): Promise<void> {
  await page.goto(`${server.url}/tasks`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

test('R4.15 R4.16 R4.20 with nothing chosen: the newest partner link of 24 hours, else the last joined of those, else the last joined of all', async () => {
  const email = await newAccount(server, 'Lena');
  const person = await idOf(email);
  const first = await company('Alder Works', person, 900);
  await company('Birch Works', person, 300);
  const joined = await company('Cherry Works', person, 100);
  const second = await company('Elm Works', person, 700);
  const { page } = phone;
  await arrive(page, server, email);
  await startAnew(page);
  await expect(switcher(page)).toHaveAccessibleName(/Cherry Works/);

  await activate(person, first, 'partner_link', 60);
  await activate(person, first, 'others', 30);
  await activate(person, second, 'partner_link_v2', 70);
  await activate(person, joined, 'others', 1);
  await arrived(page, joined, 'others');
  await startAnew(page);
  // Of two the later joined, although the other was activated since, and another organisation was joined and activated since.
  await expect(switcher(page)).toHaveAccessibleName(/Elm Works/);
  expect(await kept(page, 'cairn.currentOrganization')).toBeNull();

  await activate(person, second, 'partner_link', 5);
  await activate(person, first, 'partner_link_v2', 2);
  await arrived(page, first, 'partner_link_v2');
  await startAnew(page);
  await expect(switcher(page)).toHaveAccessibleName(/Alder Works/);
  await expect.poll(() => kept(page, 'cairn.currentOrganization')).toBe(first);
});

test('R4.16 R4.17 R4.21 R4.22 R4.23 R9.07 after the four reads of a sign-in a partner link of under 24 hours makes its organisation current once; a choice made by hand stays', async () => {
  const email = await newAccount(server, 'Omar');
  const person = await idOf(email);
  const old = await company('Cedar Works', person, 900);
  const fresh = await company('Dogwood Works', person, 800);
  await facts.add('playbooks', { organization_id: old, name: 'Night shift', owner_id: person });
  await activate(person, old, 'partner_link_v2', 48);
  await facts.prefer(person, { theme_mode: 'dark' });
  await facts.add('user_roles', { user_id: person, role: 'user' });
  const { page } = phone;
  await arrive(page, server, email);
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome back, Omar' })).toBeVisible();
  await expect(switcher(page)).toHaveAccessibleName(/Cedar Works/);
  const own = async () =>
    (await storedIn(page, 'users')).map(({ type, data }) => {
      const row = data as { id?: string; user_id?: string };
      return (row.user_id ?? row.id) === person ? type : null;
    });
  await expect.poll(own).toEqual(expect.arrayContaining(['profiles', 'user_roles']));

  await startAnew(page);
  await page.setViewportSize(PHONE);
  const playbooks = page.getByRole('dialog').getByRole('group', { name: 'Playbook' }).locator('label');
  await switcher(page).click();
  await expect(playbooks).toContainText(['Cedar Works playbook', 'Night shift']);
  await playbooks.filter({ hasText: 'Night shift' }).click();
  await expect.poll(() => kept(page, 'cairn.currentPlaybook')).not.toBeNull();
  await page.getByRole('dialog').locator('label', { hasText: 'Dogwood Works' }).first().click();
  await expect(playbooks).toHaveCount(1);
  await expect(playbooks).toContainText('Dogwood Works playbook');
  expect(await kept(page, 'cairn.currentPlaybook')).toBeNull();
  expect(await kept(page, 'cairn.currentOrganization')).toBe(fresh);
  const settings = async () =>
    Object.fromEntries((await storedIn(page, 'settings')).map(({ id, data }) => [String(id), data]));
  await expect.poll(settings).toMatchObject({ selected_organization: { organizationId: fresh } });
  await expect.poll(async () => Object.keys(await settings())).not.toContain('selected_playbook');
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  await page.setViewportSize(DESKTOP);
  await choose(page, 'Cedar Works');
  await expect(switcher(page)).toHaveAccessibleName(/Cedar Works/);

  await activate(person, fresh, 'partner_link_v2', 24 + MINUTE);
  await arrived(page, fresh, 'partner_link_v2');
  await startAnew(page);
  await expect(switcher(page)).toHaveAccessibleName(/Cedar Works/);
  expect(await kept(page, 'cairn.currentOrganization')).toBe(old);

  await activate(person, fresh, 'partner_link', 24 - 3 * MINUTE);
  await arrived(page, fresh, 'partner_link');
  await startAnew(page);
  await expect(switcher(page)).toHaveAccessibleName(/Dogwood Works/);
  await expect.poll(() => kept(page, 'cairn.currentOrganization')).toBe(fresh);
  await choose(page, 'Cedar Works');
  await expect(switcher(page)).toHaveAccessibleName(/Cedar Works/);
  await startAnew(page);
  await expect(switcher(page)).toHaveAccessibleName(/Cedar Works/);
  expect(await kept(page, 'cairn.currentOrganization')).toBe(old);
});

test('R4.24 R4.27 the playbook that was chosen is open as long as it is there, then the first; customer support acts in one context made for it', async () => {
  const email = await newAccount(server, 'Ines');
  const person = await idOf(email);
  const organization = await company('Elm Works', person, 900);
  const second = randomUUID();
  await facts.add('playbooks', { id: second, organization_id: organization, name: 'Night shift', owner_id: person });
  await facts.add('user_roles', { user_id: person, role: 'customer_support' });
  const { page } = phone;
  await arrive(page, server, email);
  await page.goto(`${server.url}/tasks`);
  await expect(switcher(page)).toHaveAccessibleName(/Open: Elm Works playbook/);
  await choose(page, 'Night shift');
  expect(await kept(page, 'cairn.currentPlaybook')).toBe(second);
  await page.reload();
  await expect(switcher(page)).toHaveAccessibleName(/Open: Night shift/);
  await facts.change('playbooks', second, { deleted_at: new Date().toISOString() });
  await expect(switcher(page)).toHaveAccessibleName(/Open: Elm Works playbook/);
  await page.reload();
  await expect(switcher(page)).toHaveAccessibleName(/Open: Elm Works playbook/);

  await switcher(page).click();
  const contexts = page.getByRole('group', { name: 'Acting as' }).getByRole('radio');
  await expect(contexts).toHaveCount(1);
  await expect(page.getByRole('group', { name: 'Acting as' })).toContainText('Customer Support Representative');
});

test('R4.26 without a choice the context of a managed admin is the one acted in, of two the newer, whatever organisation is open; a choice stays', async () => {
  const [helper, subject] = [await idOf('manager@demo.cairn.test'), await idOf('person@demo.cairn.test')];
  await facts.add('circle_relationships', { subject_id: subject, helper_id: helper, role: 'managed_admin' });
  // Of two that rank alike the newer one counts.
  const older = { subject_id: await idOf('worker@demo.cairn.test'), started_at: '2026-01-05T08:00:00Z' };
  await facts.add('circle_relationships', { ...older, helper_id: helper, role: 'managed_admin' });
  const { page } = phone;
  await signIn(page, server.url, 'manager');
  const acting = page.getByRole('group', { name: 'Acting as' });
  await switcher(page).click();
  await expect(acting.locator('label', { hasText: 'Pia' }).getByRole('radio')).toBeChecked();
  await acting.locator('label', { hasText: 'Northfield Works' }).click();
  await page.goto(`${server.url}/tasks`);
  await switcher(page).click();
  await expect(acting.locator('label', { hasText: 'Northfield Works' }).getByRole('radio')).toBeChecked();
});
