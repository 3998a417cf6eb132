import { expect, test, type CDPSession, type Page } from '@playwright/test';
import { signIn } from './people/field-worker.ts';
import { DESKTOP, PHONE, Phone, type PhoneOptions } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';

let server: ServerProcess;
let facts: ServerFacts;
let phones: Phone[];

test.beforeEach(async () => {
  server = await ServerProcess.start();
  facts = new ServerFacts(server);
  phones = [];
});

test.afterEach(async () => {
  await Promise.all(phones.map(phone => phone.close()));
  await server.stop();
});

async function open(who: 'worker' | 'manager', screen?: typeof DESKTOP, options: PhoneOptions = {}): Promise<Phone> {
  const phone = await Phone.open(screen, options);
  phones.push(phone);
  await signIn(phone.page, server.url, who);
  await expect(phone.page.getByRole('link', { name: /Up to date/ }).first()).toBeVisible();
  return phone;
}

const bell = (page: Page) => page.getByRole('link', { name: /^Notifications/ }).first();
const figure = async (page: Page) =>
  Number(/(\d+) not read/.exec((await bell(page).getAttribute('aria-label')) ?? '')?.[1] ?? 0);
const goTo = async (page: Page, path: string) => page.goto(`${server.url}${path}`);

/** What the server tells of one action item, read or not; what the clock tells of others may come at any moment. */
const told = async (title: string, isRead: boolean) =>
  (await facts.rows('notifications', `params->>title=eq.${title}&is_read=eq.${isRead}`)).length;

/** The manager gives the worker something to do, as a person does it. */
async function assign(page: Page, title: string): Promise<void> {
  await goTo(page, '/action-items');
  await page.getByRole('button', { name: 'New action item' }).click();
  await page.getByLabel('Title').fill(title);
  await page.getByLabel('For', { exact: true }).selectOption({ label: 'Sam Worker' });
  await page.getByRole('button', { name: 'Make action item' }).click();
  await expect(page.getByRole('heading', { name: title })).toBeVisible();
}

test("an action item the manager gives shows on the worker's bell live, and one press opens it", async () => {
  const worker = await open('worker');
  const before = await figure(worker.page);
  const manager = await open('manager', DESKTOP, { keepsApp: false });
  await assign(manager.page, 'Mend the loading ramp');

  await expect(worker.page.getByText(/gave you “Mend the loading ramp”/)).toBeVisible();
  await expect.poll(() => figure(worker.page)).toBeGreaterThan(before);
  await bell(worker.page).click();
  const row = worker.page.getByRole('main').getByRole('link', { name: /Mend the loading ramp/ });
  await expect(row).toContainText('Action Items');
  await worker.screenshot('inbox');
  await row.click();
  await expect(worker.page.getByRole('heading', { name: 'Mend the loading ramp' })).toBeVisible();
  await expect.poll(() => told('Mend the loading ramp', true)).toBe(1);
  expect([...worker.console, ...manager.console]).toEqual([]);
});

test('what is read without signal is read on the other device as soon as the signal is back', async () => {
  const phone = await open('worker');
  const desk = await open('worker', DESKTOP, { keepsApp: false });
  await assign((await open('manager', DESKTOP, { keepsApp: false })).page, 'Mend the loading ramp');
  await expect.poll(() => figure(desk.page)).toBeGreaterThan(0);
  await goTo(phone.page, '/notifications');
  await expect(phone.page.getByRole('main').getByRole('link', { name: /Mend the loading ramp/ })).toBeVisible();

  await phone.goOffline();
  await phone.page.getByRole('button', { name: 'Mark all as read' }).click();
  await expect.poll(() => figure(phone.page)).toBe(0);
  await phone.page.reload();
  await expect(bell(phone.page)).toHaveAccessibleName('Notifications');
  expect(await figure(desk.page)).toBeGreaterThan(0);

  await phone.goOnline();
  await expect.poll(() => figure(desk.page)).toBe(0);
});

type Mail = { to: string; subject: string; text: string };
const mails = async (): Promise<Mail[]> => (await fetch(`${server.url}/dev/mail.json`)).json();

test('a digest comes by mail at the chosen time, without what was read in the app before', async () => {
  const worker = await open('worker');
  const manager = await open('manager', DESKTOP, { keepsApp: false });
  const [person] = await facts.rows('profiles', 'email=eq.worker@demo.cairn.test');
  const at = (ms: number) => ({
    notification_time: new Date(Date.now() + ms).toISOString().slice(11, 16),
    timezone: 'UTC',
  });
  // Else one may come meanwhile, where this runs at nine in the morning.
  await facts.prefer(person?.id ?? '', at(6 * 3_600_000));
  await assign(manager.page, 'Read in the app');
  await goTo(worker.page, '/notifications');
  await expect(worker.page.getByRole('main').getByRole('link', { name: /Read in the app/ })).toBeVisible();
  await worker.page.getByRole('button', { name: 'Mark all as read' }).click();
  await expect(worker.page.getByRole('link', { name: /Up to date/ }).first()).toBeVisible();
  await assign(manager.page, 'Not read yet');
  await expect.poll(() => told('Not read yet', false)).toBe(1);
  await expect.poll(() => told('Read in the app', true)).toBe(1);
  // The beginning of a minute that is at least ten seconds away: one that is over when the server hears of it is tomorrow's.
  await facts.prefer(person?.id ?? '', at(70_000));
  const digest = async () =>
    (await mails()).find(({ to, text }) => to === 'worker@demo.cairn.test' && text.includes('Not read yet'));
  await expect
    .poll(async () => (await digest())?.subject, { timeout: 100_000, intervals: [1_000] })
    .toMatch(/^(One thing waits|\d+ things wait) for you in Cairn$/);
  expect((await digest())?.text).not.toContain('Read in the app');
  await goTo(manager.page, '/dev/mail');
  await manager.page
    .getByRole('link', { name: /worker@demo.cairn.test/ })
    .first()
    .click();
  await expect(manager.page.getByText('Not read yet')).toBeVisible();
});

test('what was chosen on the matrix holds on every device, and safety leaves no choice', async () => {
  const phone = await open('worker');
  await goTo(phone.page, '/notifications?view=settings');
  const choice = phone.page.getByLabel('An action item is given to me: E-mail');
  await expect(choice).toHaveValue('daily');
  await choice.selectOption('immediate');
  await expect(phone.page.getByRole('group', { name: 'A critical action item is given to me' })).toContainText(
    'Always at once',
  );
  await phone.screenshot('choices');
  const desk = await open('worker', DESKTOP, { keepsApp: false });
  await goTo(desk.page, '/notifications?view=settings');
  await expect(desk.page.getByLabel('An action item is given to me: E-mail')).toHaveValue('immediate');
  expect([...phone.console, ...desk.console]).toEqual([]);
});

/** Hands a message to the page's service worker as the push service would. */
async function deliver(cdp: CDPSession, origin: string, message: object): Promise<void> {
  const registered = new Promise<string>(resolve => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const mine = registrations.find(each => each.scopeURL.startsWith(origin));
      if (mine) resolve(mine.registrationId);
    });
  });
  await cdp.send('ServiceWorker.enable');
  const registrationId = await registered;
  await cdp.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: JSON.stringify(message) });
}

test('a push message is shown by the service worker while nobody looks at the app, and names a screen of this app only', async () => {
  const { page, context } = await open('worker', PHONE, { isWhole: true });
  await context.grantPermissions(['notifications'], { origin: server.url });
  await page.evaluate(async () => navigator.serviceWorker.ready.then(() => undefined));
  // Nobody at the app: a page that is looked at shows what arrives by itself.
  await page.goto('about:blank');
  // The browser counts the page that was left for a moment longer.
  const windows = () =>
    context.serviceWorkers()[0]?.evaluate(async () => {
      const { clients } = globalThis as unknown as { clients: { matchAll(): Promise<unknown[]> } };
      return (await clients.matchAll()).length;
    });
  await expect.poll(windows).toBe(0);
  const cdp = await context.newCDPSession(page);
  const path = 'https://evil.example/';
  await deliver(cdp, `${server.url}/`, { id: 'n1', title: 'Action Items', body: 'Bob gave you “Brake”', path });
  // The browser takes the message before its worker has it; a page that is there by then shows it itself.
  const isHandled = async () => {
    const told = await context.serviceWorkers()[0]?.evaluate(async () => {
      const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration };
      return (await registration.getNotifications()).length;
    });
    return told ?? 0;
  };
  await expect.poll(isHandled).toBe(1);
  await goTo(page, '/dashboard');
  const shown = () =>
    page.evaluate(async () => {
      const worker = await navigator.serviceWorker.ready;
      return (await worker.getNotifications()).map(({ title, body, data }) => [title, body, data.path]);
    });
  await expect.poll(shown).toEqual([['Action Items', 'Bob gave you “Brake”', '/notifications']]);
});
