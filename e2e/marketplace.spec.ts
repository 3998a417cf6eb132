import { expect, test } from '@playwright/test';
import { signIn } from './people/field-worker.ts';
import { arrive, newAccount } from './people/new-person.ts';
import { expectAccessible } from './rig/axe.ts';
import { cutOff } from './rig/cut-off.ts';
import { DESKTOP, Phone } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';

let server: ServerProcess;
let phone: Phone;

test.beforeAll(async () => {
  server = await ServerProcess.start();
});
test.afterAll(() => server.stop());
test.afterEach(() => phone.close());

/** Pictured for whoever reads the results; judged by axe, and for what is cut off. */
async function judge(name: string): Promise<void> {
  await phone.screenshot(name);
  await expectAccessible(phone.page, name);
  await expect.poll(() => cutOff(phone.page), name).toEqual([]);
}

test('R6.11 an administrator finds a pack, reads it, installs it with the company’s words, and finds the draft and where it came from, with no signal too', async () => {
  phone = await Phone.open();
  const { page } = phone;
  await signIn(page, server.url, 'admin');
  await page.goto(`${server.url}/policy-marketplace`);
  await expect(page.getByRole('heading', { level: 1, name: 'Policy Marketplace' })).toBeVisible();
  await expect(page.getByRole('link', { name: /The first ninety days/ })).toBeVisible();
  await judge('marketplace');
  await page.getByLabel('Framework').selectOption('SOC 2');
  await page.getByLabel('Search packs').fill('elsewhere');
  await expect(page.getByRole('link', { name: /The first ninety days/ })).toBeHidden();
  await page.getByRole('link', { name: /Working from elsewhere/ }).click();

  await expect(page.getByRole('heading', { level: 1, name: 'Working from elsewhere' })).toBeVisible();
  await page.getByRole('button', { name: /A desk that does no harm/ }).click();
  await expect(page.getByText('[Name of the company] lends what is missing')).toBeVisible();
  await judge('marketplace-pack');
  await page.getByRole('button', { name: 'Install', exact: true }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('button', { name: 'Create 3 drafts' }).click();
  await expect(sheet.getByText('Write a few words in one line')).toBeVisible();
  await sheet.getByLabel('Name of the company').fill('Quarry & Sons');
  await judge('marketplace-install');
  await sheet.getByRole('button', { name: 'Create 3 drafts' }).click();
  await expect(page.getByRole('heading', { name: 'Installed documents' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Install', exact: true })).toBeHidden();
  await page.getByRole('button', { name: '4 stars' }).click();
  await expect(page.getByText('4 of 5 by 1 organisation')).toBeVisible();

  await page.getByRole('link', { name: /A desk that does no harm/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'A desk that does no harm' })).toBeVisible();
  await expect(page.getByText('Quarry & Sons lends what is missing')).toBeVisible();
  await expect(page.getByText('This is not published yet.')).toBeVisible();
  await phone.goOffline();
  await page.reload();
  await expect(page.getByRole('link', { name: 'From the pack Working from elsewhere' })).toBeVisible();
  await expect(page.getByText(/CC0 1\.0/)).toBeVisible();
  await judge('marketplace-draft');
  expect(phone.console).toEqual([]);
});

const COMPANY = '00000000-0000-4000-8000-0000000000a1';
const OPEN = 'Policy Marketplace';
const CLOSED = 'You cannot install packs here';
/** The role in a company, the system role held beside it, and what the marketplace is to whoever has them. */
const DOORS: [string, string | null, string][] = [
  ['member', null, CLOSED],
  ['manager', null, CLOSED],
  ['auditor', null, CLOSED],
  ['admin', null, OPEN],
  ['member', 'user', CLOSED],
  ['member', 'manager', CLOSED],
  ['member', 'customer_support', CLOSED],
  ['member', 'partner', OPEN],
  ['member', 'admin', OPEN],
];

test('R6.11 R7.21 the marketplace opens to system admins, partners and organisation admins alone, and is asked for its packs newest first', async () => {
  const facts = new ServerFacts(server);
  const email = await newAccount(server, 'Mara');
  const person = (await facts.rows('profiles', `email=eq.${email}`))[0]?.id ?? '';
  await facts.add('organization_members', { organization_id: COMPANY, user_id: person, role: 'member' });
  const [member] = await facts.rows('organization_members', `organization_id=eq.${COMPANY}&user_id=eq.${person}`);
  const none = new Date().toISOString();
  for (const role of new Set(DOORS.flatMap(([, held]) => held ?? [])))
    await facts.add('user_roles', { user_id: person, role, deleted_at: none });
  const held = await facts.rows('user_roles', `user_id=eq.${person}`);
  phone = await Phone.open(DESKTOP, { keepsApp: false });
  const { page } = phone;
  await arrive(page, server, email);
  const asked: URL[] = [];
  page.on('request', request => {
    if (request.url().includes('/rest/v1/policy_packs')) asked.push(new URL(request.url()));
  });
  const packs = page.getByRole('main').getByRole('link', { name: /The first ninety days/ });
  for (const [role, system, door] of DOORS) {
    await facts.change('organization_members', member?.id ?? '', { role });
    for (const row of held)
      await facts.change('user_roles', row.id, { deleted_at: row['role'] === system ? null : none });
    await page.goto(`${server.url}/policy-marketplace`);
    await expect(page.getByRole('heading', { level: 1 }), `${role}, ${system}`).toHaveText(door);
    await expect(packs, `${role}, ${system}`).toHaveCount(door === OPEN ? 1 : 0);
  }
  expect(asked.length).toBeGreaterThanOrEqual(3);
  const wanted = { select: '*', order: 'created_at.desc', limit: '500' };
  for (const { searchParams } of asked) expect(Object.fromEntries(searchParams)).toEqual(wanted);
  expect(phone.console).toEqual([]);
});
