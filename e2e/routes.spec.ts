import { expect, test } from '@playwright/test';
import { FieldWorker, fillSignIn } from './people/field-worker.ts';
import { expectAccessible } from './rig/axe.ts';
import { DESKTOP, PHONE, Phone } from './rig/phone.ts';
import { ServerProcess } from './rig/server-process.ts';

const ITEM = '00000000-0000-4000-8000-000000000101';

/** Every protected address that stands, and the heading of its screen for a worker. */
const SCREENS = {
  '/dashboard': /^Welcome back/,
  '/tasks': 'Action Items',
  '/field': 'Field Operations',
  '/field/forms': /./,
  '/field/reports': 'Issue reports',
  '/field/reports/new': 'Report an issue',
  '/field/scan': 'Scan a code',
  '/action-items': 'Corrective Actions',
  '/assets': 'Asset Management',
  '/support-circle': 'Support Circle',
  '/triad-intelligence': 'Triad Intelligence',
  '/wellness': 'Wellness Check-ins',
  '/wellness/habits': 'Habits',
  '/workflows': 'Workflow Automation',
  '/workflows/deputies': 'Delegation',
  '/policy-marketplace': 'You cannot install packs here',
  '/sync': 'Sync & Offline',
  '/security': 'Security',
  '/profile': 'Profile',
  '/settings': 'User Preferences',
  '/notifications': 'Notifications',
  '/search': 'Search',
  '/learning-hub': 'Learning Hub is not available yet',
  '/lms': 'Training Programs is not available yet',
  '/ai': 'AI Intelligence is not available yet',
  '/analytics': 'Analytics is not available yet',
  '/collaboration': 'Collaboration Hub is not available yet',
  '/contracts': 'Contract Management is not available yet',
  '/logistics': 'Logistics is not available yet',
  '/welcome': /./,
} as const;
const PROTECTED = Object.keys(SCREENS).filter(path => path !== '/dashboard');

let server: ServerProcess;
let worker: FieldWorker;

test.beforeAll(async () => {
  server = await ServerProcess.start();
});

test.afterAll(async () => {
  await server.stop();
});

test.beforeEach(async () => {
  worker = new FieldWorker(await Phone.open(), server.url);
});

test.afterEach(async () => {
  await worker.phone.screenshot('worker');
  await worker.phone.close();
});

test('R2.07 R2.09 R2.11 R2.12 R2.13 R2.14 R2.21 a signed-out visitor is led from any protected address, and from an unknown one, to the sign-in, and from there to where they wanted', async () => {
  const { page } = worker;
  for (const path of [...PROTECTED, `/field/${ITEM}`]) {
    await worker.open(path);
    await expect(page).toHaveURL(`${server.url}/auth?from=${encodeURIComponent(path)}`);
    await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  }
  for (const path of ['/', '/dashboard', '/no/such/screen']) {
    await worker.open(path);
    await expect(page, path).toHaveURL(`${server.url}/auth`);
    await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  }
  await worker.open(`/action-items/${ITEM}`);
  await expect(page).toHaveURL(/\/auth\?from=/);
  await fillSignIn(page, 'worker');
  await expect(page).toHaveURL(`${server.url}/action-items/${ITEM}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Eyewash bottle past its date' })).toBeVisible();
  expect(worker.phone.console).toEqual([]);
});

test('an inspection begun from the dashboard is begun once: a reload and the way back start nothing', async () => {
  const { page } = worker;
  await worker.open('/auth');
  await fillSignIn(page, 'worker');
  await expect(worker.syncBadge).toContainText('Up to date');
  const id = await worker.openTodaysCheck();
  await page.reload();
  await expect(page).toHaveURL(`${server.url}/field/${id}`);
  await expect(page.getByRole('button', { name: 'Next question' })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(`${server.url}/dashboard`);
  await expect(page.getByRole('main').getByRole('link', { name: 'Resume' })).toBeVisible();
  await page.goForward();
  await expect(page).toHaveURL(`${server.url}/field/${id}`);
  expect(worker.phone.console).toEqual([]);
});

test('R2.28 a screen that breaks says so and leaves a way on; the shell around it stands', async () => {
  const { page } = worker;
  await worker.open('/auth');
  await fillSignIn(page, 'worker');
  await expect(worker.syncBadge).toContainText('Up to date');
  // From a screen that shows no time, or it could break itself, with an alert of its own, before the next one is drawn.
  await worker.open('/search');
  await expect(page.getByRole('heading', { level: 1, name: 'Search' })).toBeVisible();
  // A device that cannot write times: whatever shows one cannot be drawn.
  await page.evaluate(() => {
    const { DateTimeFormat } = Intl;
    addEventListener('mend', () => Object.assign(Intl, { DateTimeFormat }), { once: true });
    Object.assign(Intl, {
      DateTimeFormat: function broken(): never {
        throw new Error('this device has no calendar');
      },
    });
  });
  await page.getByRole('link', { name: 'Action Items' }).first().click();
  const alert = page.getByRole('alert');
  await expect(alert.getByRole('heading', { level: 1, name: 'Something went wrong' })).toBeVisible();
  await expect(alert.getByRole('link', { name: 'Go to Dashboard' })).toBeVisible();
  const details = alert.getByText('Technical details');
  const above = await details.boundingBox();
  await details.click();
  await expect(alert.getByText(/this device has no calendar/).first()).toBeVisible();
  expect((await details.boundingBox())?.y, 'what was pressed stays where it was').toBe(above?.y);
  await expect(worker.syncBadge).toBeVisible();
  await expect(page).toHaveURL(`${server.url}/tasks`);

  await page.evaluate(() => void dispatchEvent(new Event('mend')));
  await alert.getByRole('button', { name: 'Try Again' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Action Items' })).toBeVisible();
  await expect(
    page
      .getByRole('main')
      .getByRole('link', { name: /Forklift 3 pre-use check/ })
      .first(),
  ).toBeVisible();
});

test('R2.01 R2.06 R2.07 R2.09 R2.11 R2.12 R2.13 R2.23 signed in, every address shows its screen and says nothing to the console', async () => {
  const { page } = worker;
  await worker.open('/auth');
  await fillSignIn(page, 'worker');
  await expect(worker.syncBadge).toContainText('Up to date');
  for (const [path, sign] of Object.entries(SCREENS)) {
    await worker.open(path);
    await expect(page.getByRole('heading', { level: 1 }), path).toHaveText(sign);
    await expect(page).toHaveURL(`${server.url}${path}`);
  }
  for (const [path, at] of [
    ['/asset-management', '/assets'],
    ['/user-preferences', '/settings'],
  ]) {
    await worker.open(path ?? '');
    await expect(page, path).toHaveURL(`${server.url}${at}`);
  }
  for (const path of ['/auth', '/', '/no/such/screen', '/mobile/anything']) {
    await worker.open(path);
    await expect(page, path).toHaveURL(`${server.url}/dashboard`);
  }
  expect(worker.phone.console).toEqual([]);
});

for (const state of ['signed out', 'signed in']) {
  test(`R2.02 R2.03 R2.04 R2.05 R2.16 R2.22 R4.31 ${state}, diagnostics, the short way in and the not-found page open`, async () => {
    const { page } = worker;
    if (state === 'signed in') {
      await worker.open('/auth');
      await fillSignIn(page, 'worker');
      await expect(worker.syncBadge).toContainText('Up to date');
    }
    // Nothing was opened before: no route of the signed-in is known yet.
    if (state === 'signed out') {
      await worker.open('/minimal');
      await expect(page.getByRole('navigation', { name: 'Screens' }).getByRole('link')).toHaveCount(4);
    }
    await worker.open('/tasks?debug=true');
    await expect(page).toHaveURL(`${server.url}/debug?from=%2Ftasks`);
    const items = page.getByRole('list', { name: 'Diagnostics' }).getByRole('listitem');
    await expect(items).toHaveCount(5);
    await expect(items.filter({ hasText: 'Checking' })).toHaveCount(0);
    const isIn = state === 'signed in';
    const names = ['Platform', 'Sign-in', 'Offline storage', 'Role context', 'Current path'];
    await expect(items.locator('.strong')).toHaveText(names);
    await expect(items.locator('.muted')).toHaveText([
      /^web, 390 × 844\./,
      isIn ? 'Signed in and confirmed by the server.' : 'Nobody is signed in.',
      /^Working\. \d+\.\d of \d+ MB used\. Waiting to send: 0 records, 0 files\./,
      isIn ? /^\w+, company playbook, \d organisations\.$/ : 'Sign in to see this.',
      '/tasks',
    ]);
    const states = () => items.evaluateAll(all => all.map(each => each.dataset['state']));
    const ofPerson = isIn ? 'success' : 'warning';
    // Whether the app is kept, and its storage lasts, is the browser's to say.
    const eitherWay = expect.stringMatching(/^(success|warning)$/);
    const ended = [eitherWay, ofPerson, eitherWay, ofPerson, 'success'];
    expect(await states()).toEqual(ended);
    await page.getByText('Show as text').click();
    expect(await page.locator('pre').innerText()).not.toMatch(/eyJ|worker@|Sam /);
    await expectAccessible(page, 'diagnostics');
    await items.evaluateAll(all => {
      const pending = new Set<unknown>();
      Object.assign(window, { pending });
      for (const each of all)
        new MutationObserver(() => {
          if (each.dataset['state'] === 'pending') pending.add(each.querySelector('.strong')?.textContent);
        }).observe(each, { attributes: true });
    });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect.poll(() => page.evaluate(() => [...(Reflect.get(window, 'pending') as Set<string>)])).toEqual(names);
    await expect.poll(states).toEqual(ended);
    await page.getByRole('link', { name: 'Back to dashboard' }).click();
    await expect(page).toHaveURL(state === 'signed in' ? /\/dashboard$/ : /\/auth$/);

    await worker.open('/mobile/debug');
    await expect(page).toHaveURL(`${server.url}/debug`);
    await expect(items.locator('.strong')).toHaveText(names);

    await worker.open('/tasks?minimal=true');
    await expect(page).toHaveURL(`${server.url}/minimal`);
    await worker.open('/mobile/minimal');
    await expect(page).toHaveURL(`${server.url}/minimal`);
    const cards = page.getByRole('navigation', { name: 'Screens' }).getByRole('link');
    await expect(cards).toHaveText(['Tasks', 'Profile', 'Settings', 'Diagnostics']);
    const targets = await cards.evaluateAll(all => all.map(each => each.getAttribute('href')));
    expect(targets).toEqual(['/tasks', '/profile', '/settings', '/debug']);
    const quick = page.getByRole('navigation', { name: 'Quick actions' }).getByRole('link');
    await expect(quick).toHaveText(['New inspection', 'New task', 'Check in', 'Scan a code']);
    await expectAccessible(page, 'the short way');
    await page.getByRole('link', { name: 'New inspection' }).click();
    if (state === 'signed in') await expect(page.getByRole('dialog')).toContainText('Which form?');
    else await expect(page).toHaveURL(/\/auth\?from=/);
    expect(worker.phone.console).toEqual([]);

    await worker.open('/papers/gone.pdf');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('There is nothing at this address');
    await expectAccessible(page, 'not found');
    await page.getByRole('link', { name: 'Go to home page' }).click();
    await expect(page).toHaveURL(state === 'signed in' ? /\/(dashboard|welcome)$/ : /\/auth$/);
  });
}

test('R2.15 a protected route shows a spinner while what opens the device is on its way, and its screen afterwards', async () => {
  const phone = await Phone.open(PHONE, { keepsApp: false });
  const { page } = phone;
  await page.goto(`${server.url}/auth`);
  await fillSignIn(page, 'worker');
  await expect(page).toHaveURL(/\/dashboard$/);
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  await page.route('**/assets/device-parts-*.js', async route => {
    await arrived;
    await route.continue();
  });
  await page.goto(`${server.url}/tasks`);
  const spinner = page.getByRole('status').filter({ hasText: 'Loading' });
  await expect(spinner).toBeVisible();
  await expect(spinner.locator('svg')).toBeVisible();
  // It comes forth only when it takes longer than a blink, and is drawn then.
  await expect(spinner).toHaveAttribute('data-late', 'true');
  await expect.poll(() => spinner.locator('svg').evaluate(svg => getComputedStyle(svg).opacity)).not.toBe('0');
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(0);
  arrive();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Action Items');
  await expect(spinner).toHaveCount(0);
  await expect(page).toHaveURL(`${server.url}/tasks`);
  await phone.close();
});

for (const screen of [PHONE, DESKTOP]) {
  test(`the head of the sign-in page is seen before the app is here, and stays in its place then, at ${screen.width} px`, async () => {
    const phone = await Phone.open(screen, { isNew: true });
    const { page } = phone;
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
    await page.route('**/assets/frame-*.js', async route => {
      await arrived;
      await route.continue();
    });
    await page.goto(`${server.url}/auth`, { waitUntil: 'commit' });
    const early = page.locator('.face').getByRole('heading', { name: 'Sign in' });
    await expect(early).toBeVisible();
    const before = await early.boundingBox();
    arrive();
    await expect(page.getByRole('link', { name: 'One-time code' })).toBeVisible();
    const after = await page.locator('#root h1').boundingBox();
    expect(Math.abs((after?.y ?? 0) - (before?.y ?? 0)), `${before?.y} → ${after?.y}`).toBeLessThanOrEqual(4);
    expect(after?.x).toBe(before?.x);
    await expect(early).toBeHidden();
    expect(phone.console).toEqual([]);
    await phone.close();
  });
}
