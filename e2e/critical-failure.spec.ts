import { expect, test, type Page } from '@playwright/test';
import { FieldWorker, signIn } from './people/field-worker.ts';
import { expectAccessible } from './rig/axe.ts';
import { cutOff } from './rig/cut-off.ts';
import { storedIn } from './rig/device-database.ts';
import { DESKTOP, PHONE, Phone, type Screen } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';

const FORM = '00000000-0000-4000-8000-0000000000d1';
const FIRST_VERSION = '00000000-0000-4000-8000-0000000000d2';
const FAILURE = 'Parking brake does not hold';
const HOURS = 4;

let server: ServerProcess;
let facts: ServerFacts;
let sam: FieldWorker;
let mara: Phone;

test.afterEach(async () => {
  await sam.phone.screenshot('sam');
  await mara.screenshot('mara');
  await sam.phone.close();
  await mara.close();
  await server.stop();
});

async function open(screen: Screen): Promise<void> {
  server = await ServerProcess.start();
  facts = new ServerFacts(server);
  sam = new FieldWorker(await Phone.open(screen), server.url);
  mara = await Phone.open(screen, { keepsApp: false });
  await signIn(mara.page, server.url, 'manager');
  await signIn(sam.page, server.url, 'worker');
}

const heading = (page: Page, name: string | RegExp) =>
  expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();
const nextUp = (page: Page) => page.getByRole('region', { name: 'Next up' });
const desk = () => mara.page.getByRole('region', { name: 'Critical', exact: true });
const outOfService = (page: Page) => page.getByRole('alert').filter({ hasText: 'Forklift 3 is out of service' });

/** Pictured in light and dark, judged by axe and for what is cut off. */
async function judge(phone: Phone, name: string): Promise<void> {
  await expectAccessible(phone.page, name);
  await expect.poll(() => cutOff(phone.page), name).toEqual([]);
  await phone.screenshot(name);
  await phone.page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(phone.page, `${name} dark`);
  await phone.screenshot(`${name}-dark`);
  await phone.page.emulateMedia({ colorScheme: 'light' });
}

/** The manager says in the builder who gets a failed parking brake, and by when. */
async function writeRule({ page }: Phone): Promise<void> {
  await page.goto(`${server.url}/field/forms/${FORM}/edit`);
  await page
    .getByRole('button', { name: /^Parking brake holds on the slope/ })
    .first()
    .click();
  const rule = page.getByRole('group', { name: 'When it fails' });
  await rule.getByLabel('Assignee', { exact: true }).selectOption({ label: 'A member at the site' });
  await rule.getByLabel('Unit').selectOption({ label: 'Hours' });
  await rule.getByLabel('Due in').fill(String(HOURS));
  await rule.getByLabel('Due in').blur();
  await rule.scrollIntoViewIfNeeded();
  await judge(mara, 'rule');
  await expect(page.getByText('Saved on this device')).toBeVisible();
  await press(page, 'Publish');
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText('Version 2 is published')).toBeVisible();
}

/** The version of the form that a new inspection would start with, as the phone has it. */
const versionOnPhone = async (page: Page) => {
  const data = (await storedIn(page, 'forms'))
    .filter(({ type }) => type === 'forms')
    .map(each => each['data'] as { id?: string; current_version_id?: string });
  return data.find(({ id }) => id === FORM)?.current_version_id ?? null;
};

/** Opens the truck by the code on its tag. */
async function scan(page: Page): Promise<void> {
  await sam.open('/field/scan');
  await page.getByLabel('Code', { exact: true }).fill('NW-FL-003');
  await press(page, 'Open asset');
  await heading(page, 'Forklift 3');
}

/** A check beside the planned one, because only a new one begins with the newest form. */
async function failTheBrake(page: Page): Promise<void> {
  await scan(page);
  await expect(outOfService(page)).toHaveCount(0);
  await expect(page.getByText('Operational', { exact: true })).toBeVisible();
  await press(page, 'Another inspection');
  const sheet = page.getByRole('dialog', { name: 'Inspect Forklift 3' });
  await sheet.getByRole('button', { name: /Forklift pre-use check/ }).click();
  await sheet.getByRole('button', { name: 'Start inspection' }).click();
  await sam.answerAll();
  await sam.signAndFinish();
}

/** With no signal: the truck is out of service wherever the worker meets it, and the work stands first in their day. */
async function meetsItOffline(page: Page): Promise<void> {
  await expect(outOfService(page)).toContainText(FAILURE);
  await judge(sam.phone, 'finished');
  await scan(page);
  await expect(outOfService(page)).toContainText(FAILURE);
  await expect(page.getByText('Out of service', { exact: true })).toBeVisible();
  await judge(sam.phone, 'asset');
  await press(page, 'Start inspection');
  await expect(outOfService(page)).toContainText('You can still inspect it.');
  await judge(sam.phone, 'start');
  await sam.open('/assets');
  await page.getByRole('combobox', { name: 'Status' }).selectOption({ label: 'Out of service' });
  await expect(page.getByRole('link', { name: /Forklift 3/ })).toContainText('Out of service');
  await judge(sam.phone, 'register');
  await sam.open('/dashboard');
  await expect(nextUp(page)).toContainText(FAILURE);
  await expect(nextUp(page)).toContainText('Critical');
  await judge(sam.phone, 'next-up');
}

const failures = () => facts.rows('action_items', 'priority=eq.critical&asset_id=not.is.null&order=created_at.desc');

for (const screen of [PHONE, DESKTOP]) {
  test(`a critical failure with no signal takes the truck out of service, is given by its rule, mended and verified, and the truck is operational again, ${screen.width} px`, async () => {
    await open(screen);
    const { page } = sam;
    await writeRule(mara);
    const published = async () => (await facts.rows('forms', `id=eq.${FORM}`))[0]?.['current_version_id'];
    await expect.poll(published).not.toBe(FIRST_VERSION);
    await sam.prepareForNoSignal();
    await expect.poll(() => versionOnPhone(page)).toBe(await published());
    await mara.page.goto(`${server.url}/dashboard`);
    await expect(nextUp(mara.page)).toBeVisible();
    await expect(desk()).toHaveCount(0);

    await sam.openAndHear('/field/scan');
    await sam.phone.goOffline();
    const begun = Date.now();
    await failTheBrake(page);
    await meetsItOffline(page);
    expect(await failures()).toEqual([]);

    await sam.phone.goOnline();
    await expect.poll(async () => (await failures()).length).toBe(1);
    const [made] = await failures();
    expect(made).toMatchObject({
      title: FAILURE,
      status: 'assigned',
      assignee_id: '00000000-0000-4000-8000-000000000003',
    });
    const due = Date.parse(String(made?.['due_at'])) - begun;
    expect(due).toBeGreaterThan((HOURS * 60 - 5) * 60_000);
    expect(due).toBeLessThan((HOURS * 60 + 10) * 60_000);
    await expect(desk()).toContainText('Assigned to Sam Worker');
    await expect(desk()).toContainText('Forklift 3 is out of service');
    await judge(mara, 'desk');

    await nextUp(page).getByRole('link').click();
    await heading(page, FAILURE);
    await expect(outOfService(page)).toContainText('until this is verified');
    await judge(sam.phone, 'action');
    await press(page, 'Start work');
    await press(page, 'Send for verification');
    await expect(page.getByText('Someone else verifies this')).toBeVisible();
    await expect(desk()).toContainText('Ready to verify');
    await expect(nextUp(mara.page)).toContainText(FAILURE);
    // What waits for somebody else is not the first thing the worker has to do.
    await sam.open('/dashboard');
    await expect(nextUp(page)).not.toContainText(FAILURE);

    await nextUp(mara.page).getByRole('link').click();
    await heading(mara.page, FAILURE);
    await press(mara.page, 'Close');
    await expect.poll(async () => (await failures())[0]?.['status']).toBe('closed');
    await mara.page.goto(`${server.url}/dashboard`);
    await expect(nextUp(mara.page)).toBeVisible();
    await expect(desk()).toHaveCount(0);

    await scan(page);
    await expect(page.getByText('Operational', { exact: true })).toBeVisible();
    await expect(outOfService(page)).toHaveCount(0);
    await sam.phone.screenshot('operational');
    const told = [...sam.phone.console, ...mara.console].filter(line => !line.includes('ERR_INTERNET_DISCONNECTED'));
    expect(told).toEqual([]);
  });
}
