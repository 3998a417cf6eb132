import { expect, test, type Locator, type Page } from '@playwright/test';
import { FieldWorker, signIn } from './people/field-worker.ts';
import { emailTo } from './people/emails.ts';
import { newAccount } from './people/new-person.ts';
import { expectAccessible } from './rig/axe.ts';
import { DESKTOP, PHONE, Phone, type Screen } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';
import { speakGerman } from './tour/speak-german.ts';

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
  const phone = await Phone.open(screen);
  phones.push(phone);
  return phone;
}

const heading = (page: Page, name: string | RegExp): Locator => page.getByRole('heading', { level: 1, name });
const press = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();

/** The fragment with the tokens of an account, as whoever owns that account can make it, to put behind any address of the app. */
async function tokensOf(email: string): Promise<string> {
  const answer = await fetch(await facts.generateLink('magiclink', email), { redirect: 'manual' });
  const { hash } = new URL(answer.headers.get('location') ?? '');
  expect(hash).toContain('access_token=');
  return hash;
}

/** Every address this page has shown since it was opened, and every request it made that carries a text. */
function watch(page: Page, text: RegExp): { sent: string[] } {
  const sent: string[] = [];
  page.on('request', request => {
    if (text.test(request.postData() ?? '')) sent.push(request.url());
  });
  return { sent };
}

/** Who this device remembers, and the sealed session it keeps. */
const remembered = (page: Page): Promise<{ person: string; session: string | null }> =>
  page.evaluate(async () => {
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('cairn_mobile');
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(new Error('cairn_mobile did not open'));
    });
    const users = await new Promise<unknown[]>((resolve, reject) => {
      const all = db.transaction('users').objectStore('users').getAll();
      all.onsuccess = () => resolve(all.result);
      all.onerror = () => reject(new Error('users could not be read'));
    });
    db.close();
    return { person: JSON.stringify(users), session: localStorage.getItem('cairn.auth.cairn.session') };
  });

async function look(phone: Phone, picture: string): Promise<void> {
  await expectAccessible(phone.page, picture);
  await phone.screenshot(picture);
}

test('an attacker sends a link with tokens of their own: the browser asks whose account it is, and after "No" nothing has changed', async () => {
  const eve = await newAccount(server, 'Eve');
  const phone = await open();
  const { page } = phone;
  await page.goto(`${server.url}/auth`);
  await expect(page.getByLabel('Email')).toBeVisible();
  const before = await remembered(page);
  const { sent } = watch(page, /refresh_token/);
  await page.goto(`${server.url}/dashboard${await tokensOf(eve)}`);
  await expect(heading(page, 'Sign in as Eve Newcomer?')).toBeVisible();
  await expect(page.getByText(eve)).toBeVisible();
  expect(page.url()).toBe(`${server.url}/auth/return`);
  expect(await page.evaluate(() => document.referrer)).not.toContain('access_token');
  await look(phone, 'link-asks');
  await press(page, 'Not you? Stay signed out');
  await expect(page).toHaveURL(`${server.url}/auth`);
  expect(await remembered(page)).toEqual(before);
  expect(sent).toEqual([]);
  // Nothing of it is left to go back to.
  await page.goto(`${server.url}/auth/return`);
  await expect(heading(page, 'This link did not work')).toBeVisible();
  expect(await remembered(page)).toEqual(before);
  expect(phone.console).toEqual([]);
});

test('a link of somebody else, opened while a person with unsent work is signed in: they stay, with their work, unless they agree twice', async () => {
  const eve = await newAccount(server, 'Eve');
  const worker = new FieldWorker(await open(DESKTOP), server.url);
  const { page, phone } = worker;
  await signIn(page, server.url, 'worker');
  await worker.prepareForNoSignal();
  // The server takes nothing from here on, so that what is made stays unsent while the network is there.
  await phone.context.route('**/rpc/sync_push', route => route.abort('connectionfailed'));
  await worker.open('/action-items');
  await page.getByRole('button', { name: 'New corrective action' }).click();
  await page.getByLabel('Title').fill('Seen before the link');
  await page.getByRole('button', { name: 'Create corrective action' }).click();
  await expect(page.getByRole('heading', { name: 'Seen before the link' })).toBeVisible();
  const before = await remembered(page);

  await page.goto(`${server.url}/${await tokensOf(eve)}`);
  await expect(heading(page, 'Sign in as Eve Newcomer?')).toBeVisible();
  await look(phone, 'link-asks-other');
  await press(page, 'Stay signed in as worker@demo.cairn.test');
  await expect(page).toHaveURL(/\/dashboard$/);
  expect((await remembered(page)).person).toBe(before.person);

  await page.goto(`${server.url}/${await tokensOf(eve)}`);
  await press(page, 'Sign out and switch account');
  await expect(page.getByRole('dialog', { name: /^1 item waiting on this device$/ })).toBeVisible();
  await press(page, 'Wait and stay signed in');
  await expect(heading(page, 'Sign in as Eve Newcomer?')).toBeVisible();
  expect((await remembered(page)).person).toBe(before.person);
  await press(page, 'Stay signed in as worker@demo.cairn.test');
  await worker.open('/action-items');
  await expect(page.getByText('Seen before the link').first()).toBeVisible();

  await page.goto(`${server.url}/${await tokensOf(eve)}`);
  await press(page, 'Sign out and switch account');
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/welcome$/);
  expect((await remembered(page)).person).toContain(eve);
});

test("R2.26 a link asked for in this browser asks nothing, whatever address its code comes back to; an administrator's link asks once and goes on; an email's link in another browser brings nobody in", async () => {
  const email = await newAccount(server, 'Nora');
  const phone = await open();
  const { page } = phone;
  await page.goto(`${server.url}/auth/code`);
  await page.getByLabel('Email').fill(email);
  await press(page, 'Send code');
  const { link } = await emailTo(server, email, /Your sign-in link/);
  // The server leads back to wherever it was told the app is: a code is read at any address.
  const led = await fetch(link, { redirect: 'manual' });
  const code = new URL(led.headers.get('location') ?? '').searchParams.get('code');
  expect(code).toBeTruthy();
  await page.goto(`${server.url}/tasks?view=board&code=${code}`);
  await expect(page).toHaveURL(/\/welcome$/);
  expect(page.url()).not.toContain('code');

  const other = await open(DESKTOP);
  await other.page.goto(`${server.url}/${await tokensOf(email)}`);
  await expect(heading(other.page, 'Sign in as Nora Newcomer?')).toBeVisible();
  await press(other.page, 'Sign in');
  await expect(other.page).toHaveURL(/\/welcome$/);

  const third = await open();
  const asking = await open();
  const olga = await newAccount(server, 'Olga');
  await asking.page.goto(`${server.url}/auth/code`);
  await asking.page.getByLabel('Email').fill(olga);
  await press(asking.page, 'Send code');
  const mail = await emailTo(server, olga, /Your sign-in link/);
  await third.page.goto(mail.link);
  await expect(heading(third.page, 'This link did not work')).toBeVisible();
  await expect(third.page.getByText(/you opened it in a different browser/)).toBeVisible();
  expect((await remembered(third.page)).person).not.toContain(olga);
});

test('R2.26 an error is read at any address, and words that somebody put there are shown nowhere', async () => {
  const phone = await open();
  const { page } = phone;
  const lie = 'Your account is locked. Call +49 555 0100.';
  for (const place of ['?', '#']) {
    const words = new URLSearchParams({ error: 'access_denied', error_description: lie }).toString();
    for (const address of ['/auth/return', '/', '/tasks', '/auth/sign-up', '/no/such/page']) {
      await page.goto(`${server.url}${address}${place}${words}`);
      await expect(page.getByText('The sign-in was cancelled, or the sign-in service refused it.')).toBeVisible();
      expect(await page.locator('body').textContent()).not.toContain('555');
      expect(page.url()).toBe(`${server.url}/auth/return`);
    }
    await page.goto(`${server.url}/auth/return${place}error=${encodeURIComponent(lie)}`);
    await expect(page.getByText('The sign-in did not work. Try again, or sign in another way.')).toBeVisible();
    expect(await page.locator('body').textContent()).not.toContain('555');
  }
  await look(phone, 'link-error');
});

for (const [screen, name] of [
  [PHONE, '390'],
  [DESKTOP, '1440'],
] as const)
  for (const scheme of ['light', 'dark'] as const)
    test(`the question of a link in German, ${scheme}, ${name} px wide`, async () => {
      const eve = await newAccount(server, 'Eve');
      const phone = await open(screen);
      await phone.page.emulateMedia({ colorScheme: scheme });
      await speakGerman(phone.page, facts, server.url);
      await phone.page.goto(`${server.url}/${await tokensOf(eve)}`);
      await expect(heading(phone.page, 'Als Eve Newcomer anmelden?')).toBeVisible();
      await look(phone, `link-asks-de-${scheme}-${name}`);
    });
