import { randomUUID } from 'node:crypto';
import { expect, test, type Page } from '@playwright/test';
import { fillSignIn, signIn } from './people/field-worker.ts';
import { follow } from './rig/follow.ts';
import { DESKTOP, Phone } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';
import { addressOf, appRoutes } from './tour/app-routes.ts';

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
test.afterEach(() => phone.close());

/** What a screen says of a record that is not there, or not for this person. */
const NOTHING = /\bnot (here|in your circle)\b|nothing|nobody you know/i;

const recordRoutes = async (page: Page) =>
  (await appRoutes(page)).filter(({ pattern, signedIn }) => signedIn && pattern.includes('$'));

async function expectNothing(page: Page, address: string): Promise<void> {
  await follow(page, address);
  const main = page.getByRole('main');
  await expect(main.getByRole('heading'), address).toHaveCount(1);
  await expect(main.getByRole('heading', { level: 1 }), address).toHaveText(NOTHING);
  await expect(main.getByRole('link').or(main.getByRole('button')), address).toHaveCount(1);
}

const madeUp = (pattern: string): string => pattern.replaceAll(/\$\w+/g, () => randomUUID());

/** Rows of the demo data that somebody deletes while the worker looks. */
const DELETED = {
  '/tasks/': ['tasks', 'series_id=is.null&site_id=not.is.null&order=id&limit=1'],
  '/action-items/': ['action_items', 'source_type=eq.inspection&order=id&limit=1'],
  '/assets/': ['assets', 'code=eq.NW-FL-003'],
  '/field/': ['inspections', 'status=eq.finalised&limit=1'],
  '/field/reports/': ['issue_reports', 'status=eq.triaged&order=id&limit=1'],
} as const;

test('R2.22 for a worker of a company every address of a record that never was, was deleted or is somebody else’s says that nothing is there, and has one way back', async () => {
  const { page } = phone;
  await signIn(page, server.url, 'worker');
  const routes = await recordRoutes(page);
  expect(routes.length).toBeGreaterThanOrEqual(23);
  for (const { pattern } of routes) await expectNothing(page, madeUp(pattern));
  for (const pattern of ['/goals/$goalId', '/wellness/habits/$habitId'])
    await expectNothing(page, await addressOf({ pattern, signedIn: true }, facts));
  for (const [path, [table, filter]] of Object.entries(DELETED)) {
    const [row] = await facts.rows(table, filter);
    await follow(page, `${path}${row?.id}`);
    await expect(page.getByRole('main').getByRole('heading', { level: 1 }), path).not.toHaveText(NOTHING);
    await facts.change(table, row?.id ?? '', { deleted_at: new Date().toISOString() });
    await expect(page.getByRole('main').getByRole('heading', { level: 1 }), path).toHaveText(NOTHING);
    await expectNothing(page, `${path}${row?.id}`);
  }
});

const privateSpace = async () => {
  const [pia] = await facts.rows('profiles', 'email=eq.person@demo.cairn.test');
  return (await facts.rows('organizations', `created_by=eq.${pia?.id}&kind=eq.private`))[0];
};

/** R2.42: the figures of her own dashboard, as the rows of the demo data have them. */
async function expectTiles(page: Page): Promise<void> {
  const [pia] = await facts.rows('profiles', 'email=eq.person@demo.cairn.test');
  const goals = await facts.rows('goals', `user_id=eq.${pia?.id}&state=eq.active&deleted_at=is.null`);
  const circle = await facts.rows('circle_relationships', `subject_id=eq.${pia?.id}&state=eq.active`);
  const space = await privateSpace();
  const own = `organization_id=eq.${space?.id}&deleted_at=is.null`;
  const pending = [
    ...(await facts.rows('tasks', `${own}&ended_at=is.null`)),
    ...(await facts.rows('action_items', `${own}&closed_at=is.null`)),
  ];
  const parts = await Promise.all(
    goals.map(async ({ id, baseline, target }) => {
      const [checkIn] = await facts.rows('goal_check_ins', `goal_id=eq.${id}&value=not.is.null&order=at.desc&limit=1`);
      return (Number(checkIn?.['value']) - Number(baseline)) / (Number(target) - Number(baseline));
    }),
  );
  expect(goals.length).toBeGreaterThan(1);
  expect(circle.length).toBeGreaterThan(0);
  expect(pending.length).toBeGreaterThan(1);
  const mean = parts.reduce((sum, part) => sum + part, 0) / parts.length;
  const tiles = page.getByRole('region', { name: 'Key figures' });
  for (const [label, figure] of [
    ['Active Goals', String(goals.length)],
    ['Pending Actions', String(pending.length)],
    ['Progress Rate', new RegExp(`^${Math.round(mean * 100)}\\s*%$`)],
    ['Support Network', String(circle.length)],
  ] as const)
    await expect(tiles.locator('.tile', { hasText: label }).locator('.n'), label).toHaveText(figure);
}

test('R2.01 R2.22 R2.24 R2.42 a person without preferences: /auth leads to the dashboard, / to /welcome; records of a company that is not theirs are nothing to them', async () => {
  const { page } = phone;
  const space = await privateSpace();
  for (const [title, status] of [
    ['Call the dentist', 'todo'],
    ['Water the beans', 'in_progress'],
    ['Mend the gate', 'done'],
  ])
    await facts.add('tasks', { organization_id: space?.id, title, status, assignee_id: space?.['created_by'] });
  await page.goto(`${server.url}/auth`);
  await fillSignIn(page, 'person');
  await expect(page).toHaveURL(`${server.url}/welcome`);
  for (const path of ['/auth', '/auth/sign-up']) {
    await page.goto(`${server.url}${path}`);
    await expect(page).toHaveURL(`${server.url}/dashboard`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
  await expectTiles(page);
  await page.goto(`${server.url}/`);
  await expect(page).toHaveURL(`${server.url}/welcome`);
  // Her own, or of somebody she knows.
  const hers = /^\/(goals|wellness|support-circle|profile)\//;
  for (const route of await recordRoutes(page)) {
    if (/^\/(assets|workflows|policy-marketplace)\//.test(route.pattern))
      await expectNothing(page, madeUp(route.pattern));
    if (!hers.test(route.pattern)) await expectNothing(page, await addressOf(route, facts));
  }
});

test('a pack that a person may read is, in their personal playbook, said to belong to a company’s', async () => {
  const { page } = phone;
  await signIn(page, server.url, 'admin');
  await page.getByRole('button', { name: /^Switch organisation or playbook/ }).click();
  const places = page.getByRole('dialog').getByRole('group', { name: 'Organisation' });
  await places.getByRole('radio', { name: /Alex Admin/ }).click({ force: true });
  await expect(page.locator('html')).toHaveAttribute('data-tone', 'personal');
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  await follow(page, await addressOf({ pattern: '/policy-marketplace/$packId', signedIn: true }, facts));
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Policy Marketplace is not part of this playbook');
  await page.waitForLoadState('networkidle');
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Policy Marketplace is not part of this playbook');
});
