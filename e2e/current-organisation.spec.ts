import { randomUUID } from 'node:crypto';
import { expect, test, type Page } from '@playwright/test';
import { signIn } from './people/field-worker.ts';
import { arrive, newAccount } from './people/new-person.ts';
import { DESK, Phone } from './rig/phone.ts';
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
  phone = await Phone.open(DESK);
});
test.afterEach(async () => {
  await phone.screenshot('current-organisation');
  await phone.close();
});

const HOUR_MS = 3_600_000;
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

test('R4.15 R4.20 only a partner link counts as an activation, and no other kind hides it', async () => {
  const email = await newAccount(server, 'Lena');
  const person = await idOf(email);
  const linked = await company('Alder Works', person, 900);
  const joined = await company('Birch Works', person, 100);
  await activate(person, linked, 'partner_link', 60);
  await activate(person, linked, 'others', 30);
  await activate(person, joined, 'others', 1);
  const { page } = phone;
  await arrive(page, server, email);
  await page.goto(`${server.url}/tasks`);
  // Nothing is stored: the one joined through a partner link, although another was joined, and activated, since.
  await expect(switcher(page)).toHaveAccessibleName(/Alder Works/);
});

test('R4.16 R4.17 R4.21 R4.22 R4.23 R9.07 a partner link of the last 24 hours makes its organisation current once; a choice made by hand afterwards stays', async () => {
  const email = await newAccount(server, 'Omar');
  const person = await idOf(email);
  const old = await company('Cedar Works', person, 900);
  const fresh = await company('Dogwood Works', person, 800);
  await activate(person, old, 'partner_link_v2', 25);
  const { page } = phone;
  await arrive(page, server, email);
  await page.goto(`${server.url}/tasks`);
  for (const [name, id] of [
    ['Dogwood Works', fresh],
    ['Cedar Works', old],
  ] as const) {
    await choose(page, name);
    await expect(switcher(page)).toHaveAccessibleName(new RegExp(name));
    expect(await kept(page, 'cairn.currentOrganization')).toBe(id);
  }

  await activate(person, fresh, 'partner_link', 23);
  await page.reload();
  await expect(switcher(page)).toHaveAccessibleName(/Dogwood Works/);
  await expect.poll(() => kept(page, 'cairn.currentOrganization')).toBe(fresh);
  await choose(page, 'Cedar Works');
  await expect(switcher(page)).toHaveAccessibleName(/Cedar Works/);
  expect(await kept(page, 'cairn.currentPlaybook')).toBeNull();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(switcher(page)).toHaveAccessibleName(/Cedar Works/);
  expect(await kept(page, 'cairn.currentOrganization')).toBe(old);
});

test('R4.26 without a choice the context of a managed admin is the one acted in, whatever organisation is open; a choice stays', async () => {
  const [helper, subject] = [await idOf('manager@demo.cairn.test'), await idOf('person@demo.cairn.test')];
  await facts.add('circle_relationships', { subject_id: subject, helper_id: helper, role: 'managed_admin' });
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
