import { randomUUID } from 'node:crypto';
import { expect, test, type Locator, type Page, type Route } from '@playwright/test';
import { fillSignIn, signIn } from './people/field-worker.ts';
import { newAccount, PASSWORD } from './people/new-person.ts';
import { breakDevice, makeBreakable, restoreDevice, spoil } from './rig/broken-device.ts';
import { expiredToken } from './rig/expired-token.ts';
import { DESKTOP, Phone } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';

const ADMIN = '00000000-0000-4000-8000-000000000001';
const WORKER = '00000000-0000-4000-8000-000000000003';
const MINUTE_MS = 60_000;
const NETWORK = 'Network error. Please check your connection and try again.';

let server: ServerProcess;
let facts: ServerFacts;
let phone: Phone;
let page: Page;

test.beforeAll(async () => {
  // Where addresses are not confirmed the server tells who signs up twice.
  server = await ServerProcess.start({ settings: { CAIRN_CONFIRM_EMAIL: 'off' } });
  facts = new ServerFacts(server);
});
test.afterAll(() => server.stop());
test.beforeEach(async () => {
  phone = await Phone.open(DESKTOP, { keepsApp: false });
  page = phone.page;
});
test.afterEach(async () => {
  await phone.screenshot('errors');
  await phone.close();
});

const press = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true }).click();
const toast = (title: string, text: string) =>
  page
    .locator('[data-sonner-toast]')
    .filter({ has: page.getByText(title, { exact: true }) })
    .filter({ hasText: text })
    .first();
const open = (path: string) => page.goto(`${server.url}${path}`);

const TOKEN = '**/auth/v1/token?grant_type=password';

async function trySignIn(email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await press(page, 'Sign in');
}

test('R8.07 R8.23 R8.27 R8.29 R8.30 what a sign-up and a sign-in are answered with, each in its own words', async () => {
  await open('/auth/sign-up');
  await page.getByLabel('Your name').fill('Alex Again');
  await page.getByLabel('Email').fill('admin@demo.cairn.test');
  await page.getByLabel('Password', { exact: true }).fill('a-long-walk-uphill');
  await press(page, 'Create account');
  await expect(
    toast('Sign Up Failed', 'An account with this email already exists. Please sign in instead.'),
  ).toBeVisible();

  await open('/auth');
  await trySignIn(await newAccount(server, 'Una', { email_confirm: false }));
  await expect(toast('Login Failed', 'Please confirm your email before logging in')).toBeVisible();
  await trySignIn(await newAccount(server, 'Ben', { ban_duration: '24h' }));
  await expect(toast('Login Failed', 'Login failed (AuthApiError, 400, user_banned): User is banned')).toBeVisible();

  // A gateway before the server, which comes back too late.
  let asked = 0;
  await page.route(TOKEN, route => {
    asked += 1;
    return route.fulfill({ status: 503, contentType: 'text/html', body: '<h1>Later</h1>' });
  });
  const email = await newAccount(server, 'Gwen');
  await trySignIn(email);
  await expect(toast('Login Failed', 'Login failed (AuthRetryableFetchError, 503): Service Unavailable')).toBeVisible();
  expect(asked).toBe(4);
  await page.unroute(TOKEN);

  // The server's own answer, but for the session; then a portal's, in the server's place.
  await page.route(TOKEN, async route => {
    const answer = await route.fetch();
    const { user } = (await answer.json()) as { user: object };
    await route.fulfill({ response: answer, json: { user } });
  });
  await trySignIn(email);
  await expect(toast('Login Failed', 'No session returned from server')).toBeVisible();
  await page.unroute(TOKEN);
  await page.route(TOKEN, route => route.fulfill({ json: { login: 'please' } }));
  await trySignIn(email);
  await expect(toast('Login Failed', NETWORK)).toBeVisible();
  await page.unroute(TOKEN);

  const statuses = [502, 503, 504];
  asked = 0;
  await page.route(TOKEN, route => {
    asked += 1;
    const status = statuses.shift();
    return status === undefined ? route.continue() : route.fulfill({ status, body: '' });
  });
  await trySignIn(email);
  await expect(page).toHaveURL(/\/welcome$/);
  expect(asked).toBe(4);
});

type Diversion = { path?: string; body?: object; token?: string };

/**
 * The next request of this kind goes elsewhere on the same server: what is answered is the server's own word.
 *
 * @returns `answered`: once the page has it
 */
async function divert(pattern: string, { path, body, token }: Diversion): Promise<{ answered: Promise<void> }> {
  const { promise: answered, resolve } = Promise.withResolvers<void>();
  await page.route(
    pattern,
    async route => {
      const response = await route.fetch({
        headers: { ...route.request().headers(), ...(token !== undefined && { authorization: `Bearer ${token}` }) },
        ...(path !== undefined && { url: `${server.url}${path}` }),
        ...(body && { postData: JSON.stringify(body) }),
      });
      await route.fulfill({ response });
      resolve();
    },
    { times: 1 },
  );
  return { answered };
}

const company = async () => String((await facts.rows('organizations', 'kind=eq.company&order=created_at'))[0]?.id);
const privateSpaceOfWorker = async () =>
  String((await facts.rows('organizations', `kind=eq.private&created_by=eq.${WORKER}`))[0]?.id);

/** Through the palette: the page stays the one that kept the errors. */
async function openDiagnostics(): Promise<Locator> {
  await page.getByRole('button', { name: 'Search or jump to' }).first().click();
  await page.getByRole('combobox').fill('Diagnostics');
  await page.getByRole('option', { name: /Diagnostics/ }).click();
  await expect(page.getByRole('heading', { name: 'Recent errors' })).toBeVisible();
  return page.locator('ol.looked li');
}

const DENIED = "You don't have permission to perform this action.";
const GONE = 'The requested item was not found.';

async function saveIsTold(text: string): Promise<void> {
  await press(page.getByRole('region', { name: 'Programme' }), 'Save');
  await expect(toast('Save Failed', text)).toBeVisible();
}

test('R8.01 R8.02 R8.03 R8.04 R8.05 R8.06 R8.08 R8.17 R9.08 what the server refuses is told as "<operation> Failed" with its reason, and the last ten errors are kept', async () => {
  await signIn(page, server.url, 'admin');
  await open('/organization');
  const SAVE = '**/rpc/set_organization_program';
  const playbook = { name: 'Elsewhere', type: 'company', owner_id: ADMIN };
  const [known] = await facts.rows('playbooks', `organization_id=eq.${await company()}&type=eq.company`);
  const taken = { ...playbook, organization_id: await company(), name: known?.['name'] };
  const unfit = { p_organization: await company(), p_name: '', p_days: 0 };
  const cases: [string, Diversion][] = [
    ['Your session has expired. Please sign in again.', { token: expiredToken(server, ADMIN) }],
    [DENIED, { path: '/rest/v1/playbooks', body: { ...playbook, organization_id: await privateSpaceOfWorker() } }],
    ['This item already exists. Please try with different values.', { path: '/rest/v1/playbooks', body: taken }],
    [DENIED, { path: '/rest/v1/purchase_requests', body: { id: randomUUID(), user_id: ADMIN, amount: 1 } }],
    [GONE, { path: '/rest/v1/rpc/no_such_function' }],
    ['An unexpected error occurred', { path: '/rest/v1/rpc/create_partner_link', body: unfit }],
  ];
  for (const [text, diversion] of cases) {
    // A message of before may say the same and still be there.
    const { answered } = await divert(SAVE, diversion);
    await saveIsTold(text);
    await answered;
  }
  await phone.goOffline();
  await saveIsTold(NETWORK);
  await phone.goOnline();
  const kept = await openDiagnostics();
  const codes = [
    'NETWORK_ERROR',
    'UNEXPECTED',
    'NOT_FOUND',
    'PERMISSION_DENIED',
    'DUPLICATE_ERROR',
    'PERMISSION_DENIED',
  ];
  await expect(kept).toContainText([...codes, 'SESSION_EXPIRED'].map(code => `Save ${code}:`));
  await expect(kept.filter({ hasText: 'row-level security' })).toHaveCount(1);
  await expect(kept.filter({ hasText: 'permission denied for table' })).toHaveCount(1);

  const told = expect(toast('Error Occurred', 'An unexpected error occurred')).toBeVisible();
  await page.evaluate(() => {
    for (let n = 1; n <= 11; n += 1)
      setTimeout(() => {
        throw new Error(`boom ${n}`);
      });
  });
  await told;
  await page.getByRole('link', { name: 'Back to dashboard' }).click();
  const newest = await openDiagnostics();
  await expect(newest).toContainText([11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map(n => `UNEXPECTED: Error: boom ${n}`));
  await expect(newest).toHaveCount(10);
});

async function signInAsAdmin(): Promise<void> {
  await fillSignIn(page, 'admin');
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Welcome');
}

test('R8.41 R8.42 R8.46 R8.48 a device that cannot close, keep, forget or read says which, and keeps nobody out', async () => {
  await makeBreakable(page);
  await open('/auth');
  await breakDevice(page, 'deriveKey');
  await signInAsAdmin();
  await expect(toast('Error Occurred', 'Failed to encrypt data')).toBeVisible();
  await expect((await openDiagnostics()).filter({ hasText: 'SealFailure: Failed to encrypt data' })).toHaveCount(1);

  await open('/profile');
  await breakDevice(page, 'forget');
  await press(page.getByRole('main'), 'Sign out');
  await expect(toast('Logout Error', 'Failed to logout properly')).toBeVisible();
  await expect(page).toHaveURL(/\/profile$/);
  await restoreDevice(page);
  await press(page.getByRole('main'), 'Sign out');
  await expect(page).toHaveURL(/\/auth$/);

  await breakDevice(page, 'keepKey');
  await signInAsAdmin();
  await expect(toast('Error Occurred', 'Failed to securely store data')).toBeVisible();
  await expect((await openDiagnostics()).filter({ hasText: 'SealFailure: Failed to securely store data' })).toHaveCount(
    1,
  );
  await restoreDevice(page);
  await page.getByRole('link', { name: 'Back to dashboard' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Welcome');

  expect(await spoil(page, 'playbooks')).toBeGreaterThan(0);
  await page.evaluate(() => dispatchEvent(new Event('refresh-playbooks')));
  await expect(
    toast('Data Loading Error', 'Failed to load playbooks. Some features may be unavailable.'),
  ).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Welcome');
});

/** How often this was asked for. */
function counter(pattern: RegExp): () => number {
  let asked = 0;
  page.on('request', request => {
    if (pattern.test(request.url()) && request.method() !== 'OPTIONS') asked += 1;
  });
  return () => asked;
}

/** Leaves `/plan` for the page before it, for so long, and comes back. */
async function awayFor(ms: number): Promise<void> {
  await page.goBack();
  await expect(page).toHaveURL(/\/organization$/);
  await page.clock.fastForward(ms);
  await page.goForward();
  await expect(page.getByRole('heading', { level: 1, name: 'Your plan' })).toBeVisible();
}

test('R8.43 R8.44 R8.45 R9.20 a plan that cannot be loaded, or refreshed, is said, and what holds then is Personal Consumer; an answer counts for 5 min, and is kept for 10', async () => {
  await facts.change('subscriptions', ADMIN, { tier: 'company_enterprise' });
  await signIn(page, server.url, 'admin');
  await open('/plan');
  const tier = (name: string) => page.getByRole('heading', { level: 2, name, exact: true });
  await expect(tier('Company Enterprise')).toBeVisible();
  const PLAN = '**/rpc/get_subscription_info';
  await page.route(PLAN, route => route.abort());
  await page.reload();
  await expect(page.getByText('Failed to load subscription information')).toBeVisible();
  await expect(tier('Personal Consumer')).toBeVisible();
  await press(page, 'Refresh');
  await expect(page.getByText('Failed to refresh subscription information')).toBeVisible();
  await expect(tier('Personal Consumer')).toBeVisible();
  await page.unroute(PLAN);
  await press(page, 'Refresh');
  await expect(tier('Company Enterprise')).toBeVisible();

  // What is read without words of its own for a failure is asked for once more, a second later.
  const requests = counter(/\/rest\/v1\/purchase_requests/);
  const REQUESTS = '**/rest/v1/purchase_requests*';
  await page.clock.install();
  await page.route(REQUESTS, route => route.abort());
  await open('/organization');
  await page.getByRole('link', { name: /^Your plan/ }).click();
  await expect(tier('Company Enterprise')).toBeVisible();
  await expect.poll(requests).toBe(2);
  await page.clock.fastForward(60_000);
  await page.unroute(REQUESTS);

  await awayFor(1000);
  await expect.poll(requests).toBe(3);
  const plans = counter(/\/rpc\/get_subscription_info/);
  await awayFor(3 * MINUTE_MS);
  await page.evaluate(() => {
    dispatchEvent(new Event('focus'));
    document.dispatchEvent(new Event('visibilitychange'));
  });
  expect([requests(), plans()]).toEqual([3, 0]);
  await awayFor(MINUTE_MS);
  await expect.poll(() => [requests(), plans()]).toEqual([3, 1]);

  // While the answer is on its way the one from before stands.
  const held: Route[] = [];
  await page.route(PLAN, route => void held.push(route));
  const arriving = page.getByRole('main').getByText('Loading');
  await awayFor(9 * MINUTE_MS);
  await expect(tier('Company Enterprise')).toBeVisible();
  await expect(arriving).toHaveCount(0);
  await expect.poll(() => held.length).toBe(1);
  await Promise.all([
    page.waitForResponse(answer => answer.url().endsWith('/rpc/get_subscription_info')),
    ...held.splice(0).map(route => route.continue()),
  ]);
  await expect(page.getByRole('button', { name: 'Refresh' })).not.toHaveAttribute('aria-busy', 'true');
  // After ten minutes without anybody who reads it there is none to stand.
  await awayFor(10 * MINUTE_MS + 1000);
  await expect(arriving).not.toHaveCount(0);
});

/** Opens `/playbooks` of another organisation. */
async function workIn(name: string): Promise<void> {
  await open('/dashboard');
  const switcher = page.getByRole('button', { name: /^Switch organisation or playbook/ }).first();
  await switcher.click();
  await page.getByRole('dialog').locator('label', { hasText: name }).click();
  await press(page, 'Done');
  await open('/playbooks');
  await expect(page.getByRole('heading', { level: 1, name: 'Playbooks' })).toBeVisible();
}

test('R5.01 R5.02 R8.09 R8.10 R8.11 a playbook is not made on a page whose session or organisation is gone, nor where none is chosen', async () => {
  await signIn(page, server.url, 'admin');
  await open('/playbooks');
  const make = async (name: string) => {
    await press(page, 'New playbook');
    await page.getByLabel('Name').fill(name);
    await press(page, 'Create playbook');
  };
  await divert('**/rest/v1/playbooks*', { token: expiredToken(server, ADMIN) });
  await make('Night shift');
  await expect(page.getByText('User must be logged in to create playbook')).toBeVisible();
  expect(await facts.rows('playbooks', 'name=eq.Night shift')).toEqual([]);
  const inserts: string[] = [];
  page.on('request', request => {
    if (request.method() === 'POST' && request.url().includes('/rest/v1/playbooks')) inserts.push(request.url());
  });

  const [ours] = await facts.rows('organizations', `id=eq.${await company()}`);
  await workIn('Your private space');
  await press(page, 'New playbook');
  await page.getByText('Company', { exact: true }).click();
  await page.getByLabel('Name').fill('Night shift');
  await press(page, 'Create playbook');
  await expect(page.getByText('No organization selected. Please select an organization first.')).toBeVisible();
  expect(inserts).toEqual([]);
  await page.getByLabel('Organisation', { exact: true }).selectOption({ label: String(ours?.['name']) });
  await press(page, 'Create playbook');
  await expect(page.getByText('Playbook created successfully!')).toBeVisible();
  expect(await facts.rows('playbooks', `name=eq.Night shift&organization_id=eq.${ours?.id}`)).toHaveLength(1);
  expect(inserts).toHaveLength(1);

  // The page has not heard of it yet.
  await page.route('**/rpc/sync_pull', route => route.abort());
  await workIn(String(ours?.['name']));
  await facts.change('organizations', String(ours?.id), { deleted_at: new Date().toISOString() });
  await make('Late shift');
  await expect(page.getByText('Your organization was not found. Please contact support.')).toBeVisible();
  expect(await facts.rows('playbooks', 'name=eq.Late shift')).toEqual([]);
});
