import { expect, test, type Locator, type Page } from '@playwright/test';
import { FieldWorker, fillSignIn, signIn } from './people/field-worker.ts';
import { expectAccessible } from './rig/axe.ts';
import { nextTurn } from './rig/next-turn.ts';
import { DESKTOP, PHONE, Phone, type Screen } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';

const WORKER = '00000000-0000-4000-8000-000000000003';
const NOWHERE = '00000000-0000-4000-8000-00000000dead';
const UUID = /^[0-9a-f-]{36}$/;
const TABLET: Screen = { width: 820, height: 1180 };

let server: ServerProcess;

test.beforeAll(async () => {
  server = await ServerProcess.start();
});

test.afterAll(async () => {
  await server.stop();
});

type Person = Parameters<typeof signIn>[2];

/** Somebody signed in on a device, who sees the dashboard; the console must have stayed silent at the end. */
async function signedIn(who: Person, screen: Screen, use: (worker: FieldWorker) => Promise<void>): Promise<void> {
  const worker = new FieldWorker(await Phone.open(screen), server.url);
  try {
    await worker.page.emulateMedia({ reducedMotion: 'reduce' });
    await signIn(worker.page, server.url, who);
    await expect(worker.syncBadge).toContainText('Up to date');
    await use(worker);
    expect(worker.phone.console).toEqual([]);
  } finally {
    await worker.phone.screenshot(who);
    await worker.phone.close();
  }
}

const heading = (page: Page): Locator => page.getByRole('heading', { level: 1 });
const palette = (page: Page): Locator => page.getByRole('dialog', { name: 'Search, open a screen or run a command' });

/** Goes on with Tab until the control has the focus; a person would give up somewhere too. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  for (let presses = 0; presses < 40; presses++) {
    if (await control.evaluate(element => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`40 times Tab and not at ${control.toString()}`);
}

test('R2.17 R2.19 the bottom navigation is there once signed in, on a phone, and moves out of the way', async () => {
  await signedIn('manager', PHONE, async ({ page }) => {
    const bottom = page.getByRole('navigation', { name: 'Main' }).last();
    await expect(bottom.getByRole('link')).toHaveText(['Dashboard', 'Action Items', 'Policies', 'Field']);
    const top = async () => (await bottom.boundingBox())?.y ?? 0;
    // A page shorter than this has no way down.
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollHeight)).toBeGreaterThan(1400);
    await page.mouse.wheel(0, 400);
    await expect(bottom).toHaveAttribute('data-hidden', 'true');
    await expect.poll(top).toBeGreaterThanOrEqual(PHONE.height);
    await page.mouse.wheel(0, -200);
    await expect(bottom).toHaveAttribute('data-hidden', 'false');
    await expect.poll(top).toBeLessThan(PHONE.height);
  });
  await signedIn('manager', { width: 1280, height: 500 }, async ({ page }) => {
    // Far from its end, where the bar of a phone would come back.
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollHeight)).toBeGreaterThan(850);
    await page.mouse.wheel(0, 150);
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(150);
    await nextTurn(page);
    await expect(page.locator('nav.bottom')).toBeHidden();
    await expect(page.locator('nav.bottom')).toHaveAttribute('data-hidden', 'false');
  });
});

test('R2.35 the sidebar pins its entries, folds its groups, and keeps its width', async () => {
  await signedIn('manager', DESKTOP, async worker => {
    const { page } = worker;
    const main = page.getByRole('navigation', { name: 'Main' }).first();
    await expect(main.getByRole('link')).toHaveText([
      'Dashboard',
      'Action Items',
      'Policy Statements',
      'Asset Management',
      'Sync & Offline',
      'Security',
    ]);
    const groups = main.getByRole('button');
    await expect(groups).toHaveText([
      'Operations & Projects',
      'Assets & Logistics',
      'Governance & Compliance',
      'Collaboration & Support',
      'Intelligence & Insights',
      'Settings & Preferences',
      'Content & Configuration',
    ]);
    await groups.first().click();
    await main.getByRole('link', { name: 'Corrective Actions' }).click();
    await expect(heading(page)).toHaveText('Corrective Actions');
    await expect(page).toHaveTitle('Corrective Actions · Cairn');

    const width = async () => (await page.getByRole('complementary').boundingBox())?.width ?? 0;
    await page.getByRole('button', { name: 'Collapse the sidebar' }).click();
    await expect.poll(width).toBeLessThan(100);
    await page.reload();
    await expect(page.getByRole('button', { name: 'Expand the sidebar' })).toBeVisible();
    await expect.poll(width).toBeLessThan(100);
    await page.getByRole('button', { name: 'Expand the sidebar' }).click();
    await expect.poll(width).toBeGreaterThan(200);
    // What is saved goes out a moment later: the next device of the same person would begin with what was before.
    const collapsed = () => new ServerFacts(server).rows('user_preferences', 'sidebar_collapsed=is.true');
    await expect.poll(() => worker.pendingOnPhone()).toBe(0);
    await expect.poll(collapsed).toEqual([]);
  });
  await signedIn('worker', DESKTOP, async ({ page }) => {
    await expect(page.getByRole('button', { name: 'Content & Configuration' })).toHaveCount(0);
  });
  await signedIn('worker', TABLET, async ({ page }) => {
    const width = async () => (await page.getByRole('complementary').boundingBox())?.width ?? 0;
    expect(await width()).toBeLessThan(100);
    await page.getByRole('button', { name: 'Expand the sidebar' }).click();
    await expect.poll(width).toBeGreaterThan(200);
  });
});

test('R2.31 another playbook changes every label at once, without a reload', async () => {
  await signedIn('worker', PHONE, async worker => {
    const { page } = worker;
    await page.evaluate(() => Object.assign(window, { here: true }));
    await page
      .getByRole('button', { name: /^Switch organisation or playbook/ })
      .first()
      .click();
    await page.getByRole('dialog').locator('label', { hasText: 'Your private space' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
    await expect(heading(page)).toContainText('Welcome to your journey');
    const bottom = page.getByRole('navigation', { name: 'Main' }).last();
    await expect(bottom.getByRole('link')).toHaveText(['My Journey', 'My Actions', 'Principles', 'Daily']);
    await expect(bottom.getByRole('link', { name: 'Daily Activities' })).toBeVisible();
    await page.getByRole('button', { name: 'Menu and profile' }).click();
    await expect(page.getByRole('dialog').getByRole('heading', { level: 3 })).toHaveText([
      'My Journey',
      'Goals & Growth',
      'Wellness & Support',
      'Insights & Intelligence',
      'My Settings',
    ]);
    await page.getByRole('dialog').getByRole('link', { name: 'Daily Activities' }).click();
    await expect(heading(page)).toHaveText('Daily Activities');
    await expect(page).toHaveTitle('Daily Activities · Cairn');
    expect(await page.evaluate(() => 'here' in window)).toBe(true);

    // The first paint after a reload has the same world.
    await page.reload({ waitUntil: 'commit' });
    await page.waitForFunction(() => document.documentElement.dataset['tone'] !== undefined);
    await expect(page.locator('html')).toHaveAttribute('data-tone', 'personal');
    await expect(heading(page)).toHaveText('Daily Activities');
  });
});

test('the command palette leads to screens and records, switches theme and language, also without signal', async () => {
  await signedIn('manager', DESKTOP, async worker => {
    const { page } = worker;
    const { keyboard } = page;
    await worker.prepareForNoSignal();
    // Its parts come with the first use; the worker keeps them.
    await keyboard.press('Control+k');
    await keyboard.type('ey');
    await expect(palette(page).getByRole('combobox')).toBeFocused();
    // What was typed ahead of it stands, and the rest is written after it.
    await keyboard.type('ew');
    await expect(palette(page).getByRole('combobox')).toHaveValue('eyew');
    await expectAccessible(page, 'palette');
    await expect(palette(page).getByRole('option', { name: /Eyewash bottle past its date/ })).toBeVisible();
    await keyboard.press('Escape');
    await worker.phone.goOffline();

    await keyboard.press('Control+k');
    await keyboard.type('eyew date');
    await expect(palette(page).getByRole('option', { name: /Eyewash bottle/ })).toHaveAttribute(
      'aria-selected',
      'true',
    );
    await keyboard.press('Enter');
    await expect(heading(page)).toHaveText('Eyewash bottle past its date');

    await keyboard.press('Control+k');
    await keyboard.type('theme dark');
    await keyboard.press('Enter');
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');

    await keyboard.press('Control+k');
    await keyboard.type('nothing at all fits');
    await expect(palette(page).getByText('No results')).toBeVisible();
    await keyboard.press('Escape');

    await keyboard.press('Control+k');
    await keyboard.type('deutsch');
    await keyboard.press('Enter');
    await expect(page.getByRole('link', { name: 'Übersicht' }).first()).toBeVisible();
    await keyboard.press('Control+k');
    await keyboard.type('english');
    await keyboard.press('Enter');
    await expect(page.getByRole('link', { name: 'Dashboard' }).first()).toBeVisible();
    await worker.phone.goOnline();
  });
});

test("the search finds what a company proves and what is a person's own, and opens it where it belongs", async () => {
  const admin = '00000000-0000-4000-8000-000000000001';
  await new ServerFacts(server).add('goals', {
    user_id: admin,
    area: 'health-wellness-foundation',
    title: 'Swim across the harbour',
    state: 'active',
    started_on: '2026-11-01',
  });
  await signedIn('admin', DESKTOP, async worker => {
    const { page } = worker;
    const seek = async (typed: string, option: RegExp) => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type(typed);
      await palette(page).getByRole('option', { name: option }).click();
    };
    await worker.prepareForNoSignal();
    await seek('licences file', /Two licences were not on file/);
    await expect(heading(page)).toHaveText('Two licences were not on file');
    await seek('sam wor', /^Sam Worker$/);
    await expect(heading(page)).toHaveText('Sam Worker');
    await expect(page.getByRole('main').getByText('This person has not added anything yet.')).toBeVisible();
    await expectAccessible(page, 'profile of a colleague');
    await page.getByRole('link', { name: 'Membership' }).click();
    await expect(page.getByRole('dialog').getByRole('heading', { name: 'Sam Worker' })).toBeVisible();
    await page.keyboard.press('Escape');
    // Goals are no part of a company's playbook: the private space opens around it.
    await seek('harbour swim', /Swim across the harbour/);
    await expect(heading(page)).toHaveText('Swim across the harbour');
    await expect(page.getByRole('button', { name: /^Switch organisation or playbook/ }).first()).toContainText(
      /private space/i,
    );
  });
});

test('keys pressed one after the other lead on, rest while somebody types, and stand in a list', async () => {
  await signedIn('worker', DESKTOP, async ({ page }) => {
    const { keyboard } = page;
    // Two keys belong together for a second and a half: a page that stands still between them has heard but the last.
    const press = (keys: string, where: Locator, words: string) =>
      expect(async () => {
        for (const key of keys) await keyboard.press(key);
        await expect(where).toContainText(words, { timeout: 5000 });
      }).toPass({ timeout: 60_000 });
    await press('gf', heading(page), 'Field Operations');
    await expect(heading(page)).toHaveText('Field Operations');
    await keyboard.press('?');
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await expect(list.getByText('Sync & Offline')).toBeVisible();
    await expectAccessible(page, 'list of keys');
    await keyboard.press('Escape');
    await expect(list).toHaveCount(0);
    const search = page.getByRole('main').getByRole('searchbox');
    await search.click();
    await keyboard.type('gt?');
    await expect(search).toHaveValue('gt?');
    await expect(heading(page)).toHaveText('Field Operations');
    await search.blur();
    await press('ni', page.getByRole('dialog'), 'Which form?');
    await expect(page).toHaveURL(`${server.url}/field`);
  });
});

test('a phone searches on a page of its own', async () => {
  await signedIn('worker', PHONE, async ({ page }) => {
    await page.getByRole('button', { name: 'Search or jump to' }).click();
    await expect(heading(page)).toHaveText('Search');
    await expectAccessible(page, 'search, nothing typed');
    await page.keyboard.type('forklift 3');
    const found = page.getByRole('list', { name: 'Results' });
    await expect(found.getByRole('button', { name: /Forklift 3 pre-use check/ }).first()).toBeVisible();
    await expectAccessible(page, 'search, found');
    await found
      .getByRole('button', { name: /Forklift 3 pre-use check/ })
      .first()
      .click();
    await expect(page).toHaveURL(/\/field\/[0-9a-f-]{36}/);
    await page.goBack();
    await expect(page.getByRole('searchbox')).toHaveValue('forklift 3');
  });
});

test('the shell is worked by keyboard alone: skip link, search, groups, switcher', async () => {
  await signedIn('manager', DESKTOP, async ({ page }) => {
    const { keyboard } = page;
    await page.reload();
    await expect(heading(page)).toContainText('Welcome');
    await keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
    await keyboard.press('Enter');
    await expect(page.locator('#content')).toBeFocused();
    await page.reload();
    await expect(heading(page)).toContainText('Welcome');
    const group = page.getByRole('button', { name: 'Operations & Projects' });
    await tabTo(page, group);
    await keyboard.press('Enter');
    await expect(group).toHaveAttribute('aria-expanded', 'true');
    await tabTo(page, page.getByRole('link', { name: 'Field Operations' }));
    await keyboard.press('Enter');
    await expect(heading(page)).toHaveText('Field Operations');
    await page.reload();
    await expect(heading(page)).toHaveText('Field Operations');
    await tabTo(page, page.getByRole('button', { name: /^Switch organisation or playbook/ }).first());
    await keyboard.press('Enter');
    await expect(page.getByRole('dialog', { name: 'Switch space' })).toBeVisible();
    // It is seen a drawing before it hears keys.
    await expect(async () => {
      await keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0, { timeout: 3000 });
    }).toPass({ timeout: 60_000 });
    await expect(page.getByRole('button', { name: /^Switch organisation or playbook/ }).first()).toBeFocused();
  });
});

test('a screen reader hears the shell as landmarks with names', async () => {
  await signedIn('manager', DESKTOP, async ({ page }) => {
    await expect(page.getByRole('complementary')).toMatchAriaSnapshot(`
      - complementary "Cairn":
        - button /Switch organisation or playbook/
        - button /Search or jump to/
        - navigation "Main":
          - link "Dashboard"
          - link "Action Items"
          - link "Sync & Offline"
          - paragraph: More
          - button "Operations & Projects"
          - button "Settings & Preferences"
          - button "Content & Configuration"
        - link /Mara Manager/
        - button "Collapse the sidebar" [expanded]
    `);
    await expect(page.getByRole('banner')).toMatchAriaSnapshot(`
      - banner:
        - link /Sync:.*Up to date/
        - link /Notifications/
    `);
    await expect(page.getByRole('main')).toBeVisible();
  });
});

test('R4.28 R8.18 losing the network says so once; the strip tells what waits', async () => {
  await signedIn('worker', PHONE, async worker => {
    const { page } = worker;
    await worker.prepareForNoSignal();
    // It stands for six seconds from the moment the signal goes.
    await Promise.all([
      expect(page.getByText('Connection Lost')).toBeVisible(),
      expect(page.getByText("You're currently offline. Some features may not work.")).toBeVisible(),
      worker.phone.goOffline(),
    ]);
    await expect(page.getByText('Offline: your work is saved on this device')).toBeVisible();
    await worker.phone.goOnline();
  });
});

test('R5.08 a link opens the organisation and playbook it names, also through the sign-in; an unknown one is said, and changes nothing', async () => {
  const worker = new FieldWorker(await Phone.open(PHONE), server.url);
  const { page } = worker;
  await signIn(page, server.url, 'worker');
  await expect(worker.syncBadge).toContainText('Up to date');
  await page
    .getByRole('button', { name: /^Switch organisation or playbook/ })
    .first()
    .click();
  const company = await page.evaluate(() => localStorage.getItem('cairn.currentOrganization'));
  await page.getByRole('dialog').locator('label', { hasText: 'Your private space' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  await expect.poll(() => page.evaluate(() => localStorage.getItem('cairn.currentOrganization'))).not.toBe(company);
  const keys = () =>
    page.evaluate(() => ['cairn.currentOrganization', 'cairn.currentPlaybook'].map(key => localStorage.getItem(key)));
  const [own] = await keys();
  await page
    .getByRole('button', { name: /^Switch organisation or playbook/ })
    .first()
    .click();
  await page.getByRole('dialog').locator('label', { hasText: 'Northfield' }).first().click();
  await expect.poll(() => page.evaluate(() => localStorage.getItem('cairn.currentOrganization'))).not.toBe(own);
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();

  await worker.open(`/tasks?organization=${own}`);
  await expect(heading(page)).toHaveText('My Actions');
  await expect(page).toHaveURL(`${server.url}/tasks`);

  const evenings = { organization_id: own, name: 'Evenings', type: 'personal', owner_id: WORKER };
  await new ServerFacts(server).add('playbooks', evenings);
  // A playbook chosen by hand, so that both keys hold something an unknown id could take away.
  const switcher = page.getByRole('button', { name: /^Switch organisation or playbook/ }).first();
  await switcher.click();
  await page.getByRole('group', { name: 'Playbook' }).locator('label', { hasText: 'Evenings' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  await expect.poll(async () => (await keys())[1]).toMatch(UUID);
  const before = await keys();
  expect(before[0]).toBe(own);
  for (const unknown of [
    `organization=${NOWHERE}`,
    `playbook=${NOWHERE}`,
    `organization=${NOWHERE}&playbook=${NOWHERE}`,
  ]) {
    await worker.open(`/tasks?${unknown}`);
    await expect(page.getByText('You do not have access to this link')).toBeVisible();
    await expect(page).toHaveURL(`${server.url}/tasks`);
    await expect(heading(page)).toHaveText('My Actions');
    expect(await keys(), unknown).toEqual(before);
  }
  await worker.open(`/tasks?organization=${own}&playbook=${NOWHERE}`);
  await expect(page).toHaveURL(`${server.url}/tasks`);
  await expect(heading(page)).toHaveText('My Actions');
  expect(await keys()).toEqual(before);
  expect(worker.phone.console).toEqual([]);
  await worker.phone.close();

  const fresh = new FieldWorker(await Phone.open(PHONE), server.url);
  await fresh.open(`/tasks?organization=${own}`);
  await fillSignIn(fresh.page, 'worker');
  await expect(heading(fresh.page)).toHaveText('My Actions');
  await expect(fresh.page).toHaveURL(`${server.url}/tasks`);
  expect(fresh.phone.console).toEqual([]);
  await fresh.phone.close();
});

/** Presses, and answers every pairing of tone and first label that a frame showed until `isDone` holds. */
const shownOnTheWay = (control: Locator, isDone: string): Promise<string[]> =>
  control.evaluate(async (element: HTMLElement, isDone) => {
    const seen = new Set<string>();
    const giveUp = performance.now() + 20_000;
    element.click();
    do {
      // A browser that draws nothing for a while is waited for, not for ever.
      await new Promise(next => (requestAnimationFrame(next), setTimeout(next, 1000)));
      const label = document.querySelector('nav.bottom a')?.getAttribute('aria-label');
      seen.add(`${document.documentElement.dataset['tone']}: ${label}`);
    } while (!document.querySelector(isDone) && performance.now() < giveUp);
    return [...seen];
  }, isDone);

test('switching organisation and playbook changes words and colours in one step, without a reload', async () => {
  await signedIn('worker', PHONE, async ({ page }) => {
    await page
      .getByRole('button', { name: /^Switch organisation or playbook/ })
      .first()
      .click();
    const sheet = page.getByRole('dialog', { name: 'Switch space' });
    const places = sheet.getByRole('group', { name: 'Organisation' });
    const roles = sheet.getByRole('group', { name: 'Acting as' });
    const done = (label: string, tone: string) => `html[data-tone="${tone}"] nav.bottom a[aria-label="${label}"]`;
    await expect(page.locator('html')).toHaveAttribute('data-tone', 'company');
    await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
    const seen = new Set<string>();
    const go = async (name: RegExp, isDone: string) => {
      for (const each of await shownOnTheWay(places.getByRole('radio', { name }), isDone)) seen.add(each);
      await expect(roles.getByRole('radio', { name, checked: true })).toBeVisible();
    };
    for (let round = 0; round < 2; round++) {
      await go(/Sam Worker/, done('My Journey', 'personal'));
      await go(/Northfield Works/, done('Dashboard', 'company'));
    }
    expect([...seen].toSorted()).toEqual(['company: Dashboard', 'personal: My Journey']);
    expect(await page.evaluate(() => Reflect.get(globalThis, 'isSamePage'))).toBe(true);
    await roles.getByRole('radio', { name: /Pia Person/ }).click({ force: true });
    await expect(heading(page)).toHaveText('Support Circle');
    await expect(sheet).toBeHidden();
  });
});
