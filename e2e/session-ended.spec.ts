import { expect, test, type Page } from '@playwright/test';
import { OtherDevice } from './people/elsewhere.ts';
import { FieldWorker, fillSignIn } from './people/field-worker.ts';
import { seeded } from './people/seeded.ts';
import { Phone } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';

/** How many phones die at a random moment of it; many with SESSION_DEATHS. */
const DEATHS = Number(process.env['SESSION_DEATHS'] ?? 1);
const SEED = Number(process.env['SEED']);
const ITEM = '00000000-0000-4000-8000-000000000101';
const PASSWORD = 'cairn-demo-1';
const ANOTHER = 'lighthouse-northern-quay';

let server: ServerProcess;
let facts: ServerFacts;
let other: OtherDevice;
let phone: Phone;
/** The worker's, on the server of this process. */
let password = PASSWORD;

test.beforeAll(async () => {
  server = await ServerProcess.start();
  facts = new ServerFacts(server);
  other = new OtherDevice(server, facts, 'worker');
});
test.afterAll(() => server.stop());
test.beforeEach(async () => {
  phone = await Phone.open();
});
test.afterEach(async () => {
  await phone.screenshot('session-ended');
  await phone.close();
});

const sync = (page: Page) => page.getByRole('link', { name: /^Sync:/ }).first();
const titleOf = async () => (await facts.rows('action_items', `id=eq.${ITEM}`))[0]?.['title'];

async function signInAgain(page: Page): Promise<void> {
  await page.getByLabel('Email').fill('worker@demo.cairn.test');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** So many tabs of one browser, and an edit that could not be sent. */
async function withPendingEdits(words: string, tabs: number): Promise<Page[]> {
  await phone.page.goto(`${server.url}/auth`);
  await signInAgain(phone.page);
  await expect(phone.page).toHaveURL(/\/dashboard$/);
  await new FieldWorker(phone, server.url).prepareForNoSignal();
  const all = [phone.page];
  for (let made = 1; made < tabs; made += 1) {
    const page = await phone.context.newPage();
    await page.goto(`${server.url}/dashboard`);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Welcome');
    all.push(page);
  }
  await phone.page.goto(`${server.url}/action-items/${ITEM}`);
  const title = phone.page.getByLabel('Title', { exact: true });
  await expect(title).toBeVisible();
  await phone.goOffline();
  await title.fill(words);
  await title.blur();
  await expect(sync(phone.page)).toContainText('Offline · 1');
  return all;
}

const onSignIn = (page: Page) => expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();

const HOW = {
  'the password was changed on another device': async () => {
    await other.changePassword(PASSWORD, ANOTHER);
    password = ANOTHER;
  },
  'every other session was ended on another device': () => other.endOtherSessions(password),
};

test('whoever was signed out from elsewhere and signs in again on the same page sends all, in three tabs, with no reload', async () => {
  for (const [how, end] of Object.entries(HOW)) {
    const words = `Said before ${how}`;
    const tabs = await withPendingEdits(words, 3);
    const loads: string[] = [];
    for (const page of tabs) page.on('domcontentloaded', () => loads.push(page.url()));
    await end();
    await phone.goOnline();
    for (const page of tabs) await onSignIn(page);
    expect(await titleOf()).not.toBe(words);
    await signInAgain(phone.page);
    await expect.poll(titleOf).toBe(words);
    for (const page of tabs) await expect(sync(page)).toContainText('Up to date');
    for (const page of tabs) {
      await sync(page).click();
      await expect(
        page
          .getByRole('region', { name: /^Receipt/ })
          .getByText(/1 corrective action/)
          .first(),
      ).toBeVisible();
    }
    expect(loads).toEqual([]);
    await phone.close();
    phone = await Phone.open();
  }
});

test('somebody else who signs in instead sends nothing of it; its person finds it where it was', async () => {
  const words = 'Nobody else may send this';
  await withPendingEdits(words, 2);
  await other.endOtherSessions(password);
  await phone.goOnline();
  await onSignIn(phone.page);
  const pushed: string[] = [];
  phone.context.on('request', request => {
    if (request.url().endsWith('/rpc/sync_push')) pushed.push(request.postData() ?? '');
  });
  await fillSignIn(phone.page, 'manager');
  await expect(sync(phone.page)).toContainText('Up to date');
  expect(pushed.filter(body => body.includes(words))).toEqual([]);
  expect(await titleOf()).not.toBe(words);
  await phone.page.goto(`${server.url}/profile`);
  await phone.page.getByRole('main').getByRole('button', { name: 'Sign out' }).click();
  await onSignIn(phone.page);
  await signInAgain(phone.page);
  await expect.poll(titleOf).toBe(words);
});

for (let turn = 0; turn < DEATHS; turn += 1) {
  const random = seeded(SEED + turn);
  const [isBefore, ms] = [random() < 0.5, random() * 1500];
  const moment = `${Math.round(ms)} ms after ${isBefore ? 'the signal came back' : 'they sign in again'}`;
  test(`the phone dies ${moment} (seed ${SEED + turn}): nothing of the work is lost`, async () => {
    const words = `Said before the phone died ${turn}`;
    await withPendingEdits(words, 1);
    await other.endOtherSessions(password);
    const dying = () => new Promise(resolve => setTimeout(resolve, ms));
    await phone.goOnline();
    if (!isBefore) {
      await onSignIn(phone.page);
      await signInAgain(phone.page);
    }
    await dying();
    await phone.die();
    await phone.start();
    await phone.page.goto(`${server.url}/dashboard`);
    const form = phone.page.getByRole('button', { name: 'Sign in', exact: true });
    await expect(form.or(sync(phone.page))).toBeVisible();
    // Who comes up signed in with a session that has ended is led to the form by the server's first word.
    let asked = false;
    await expect
      .poll(async () => {
        if (!asked && (await form.isVisible())) {
          asked = true;
          await signInAgain(phone.page);
        }
        return titleOf();
      })
      .toBe(words);
  });
}
