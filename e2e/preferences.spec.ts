import { readFileSync } from 'node:fs';
import { expect, test, type Page } from '@playwright/test';
import { strFromU8, unzipSync } from 'fflate';
import { fillSignIn, PHOTO, signIn } from './people/field-worker.ts';
import { newAccount, PASSWORD } from './people/new-person.ts';
import { appCached } from './rig/app-cached.ts';
import { expectAccessible } from './rig/axe.ts';
import { DESKTOP, Phone } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';

let server: ServerProcess;
const phones: Phone[] = [];

async function phone(screen?: typeof DESKTOP): Promise<Phone> {
  const opened = await Phone.open(screen);
  phones.push(opened);
  return opened;
}

test.beforeAll(async () => {
  server = await ServerProcess.start();
});
test.afterAll(() => server.stop());
test.afterEach(async () => {
  for (const each of phones.splice(0)) await each.close();
});

const settings = async (page: Page) => {
  await page.goto(`${server.url}/settings`);
  await expect(page.getByRole('searchbox')).toBeVisible();
};
const theme = (page: Page) => page.evaluate(() => document.documentElement.dataset['theme']);
/** Pia has never saved a preference: she meets the first run. */
async function signInNew(page: Page): Promise<void> {
  await page.goto(`${server.url}/auth`);
  await fillSignIn(page, 'person');
  await expect(page).toHaveURL(/\/(welcome|dashboard)$/);
}
const saved = (page: Page) => expect(page.getByText(/^(Saved|Gespeichert)$/).first()).toBeVisible();
const of = async (who: string, filter: string) => {
  const [profile] = await new ServerFacts(server).rows('profiles', `email=eq.${who}@demo.cairn.test`);
  return `user_id=eq.${profile?.id}&${filter}`;
};
/** A choice shows before it is saved; leaving the page in between would lose it, as it says it is saved only then. */
const received = (filter: string) =>
  expect.poll(async () => (await new ServerFacts(server).rows('user_preferences', filter)).length).toBeGreaterThan(0);
const sent = (page: Page) =>
  expect(page.getByRole('link', { name: /^(Sync|Synchronisierung):/ }).first()).toContainText(/Up to date|Aktuell/);

async function signOut(page: Page): Promise<void> {
  await page.goto(`${server.url}/profile`);
  await expect(page.getByRole('button', { name: /^(Sign out|Abmelden)$/ })).toBeVisible();
  // Only now: right after a choice the badge has not counted it yet, and leaving would ask about it.
  await sent(page);
  await page.getByRole('button', { name: /^(Sign out|Abmelden)$/ }).click();
  await expect(page).toHaveURL(/\/auth/);
}

test('R3.15 R3.17 R3.20 each choice takes effect at once, says Saved when it is, can be undone, and is there after a reload', async () => {
  const { page, console } = await phone();
  await signIn(page, server.url, 'worker');
  await settings(page);
  await page.getByText('Dark', { exact: true }).click();
  await expect.poll(() => theme(page)).toBe('dark');
  await saved(page);
  await page.getByText('Teal', { exact: true }).click();
  await page.getByText('Large', { exact: true }).click();
  await page.getByRole('switch', { name: 'High contrast' }).click();
  await page.getByRole('switch', { name: 'Reduce motion' }).click();
  await page.getByText('24-hour', { exact: true }).click();
  await page.getByLabel('Date format', { exact: true }).selectOption('yyyy-MM-dd');
  await page.getByLabel('Time zone', { exact: true }).selectOption('Pacific/Auckland');
  await page.getByLabel('Week starts on').selectOption('monday');
  await page.getByText('Wise guide', { exact: true }).click();
  await page.getByText('My own playbook', { exact: true }).click();
  await expect(page.getByText(/It is now \d{4}-\d\d-\d\d, \d\d:\d\d\. This week runs from Mon/)).toBeVisible();
  const look = () => page.evaluate(() => Object.fromEntries(Object.entries(document.documentElement.dataset)));
  const chosen = { theme: 'dark', accent: 'teal', fontSize: 'large', contrast: 'high', motion: 'reduced' };
  await expect.poll(look).toMatchObject(chosen);

  // One offer to undo at a time: a toast rests under a pointer.
  await page.mouse.move(0, 0);
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);
  await page.getByRole('switch', { name: 'Narrow sidebar' }).click();
  await expect(page.getByRole('switch', { name: 'Narrow sidebar' })).toBeChecked();
  await page.getByRole('button', { name: 'Undo' }).first().click();
  await expect(page.getByRole('switch', { name: 'Narrow sidebar' })).not.toBeChecked();

  await page.reload();
  expect(await look()).toMatchObject(chosen);
  await expect(page.getByLabel('Time zone', { exact: true })).toHaveValue('Pacific/Auckland');
  await expect(page.getByLabel('Date format', { exact: true })).toHaveValue('yyyy-MM-dd');
  await expect(page.getByRole('radio', { name: '24-hour' })).toBeChecked();
  await expect(page.getByText(/It is now \d{4}-\d\d-\d\d, \d\d:\d\d\. This week runs from Mon/)).toBeVisible();
  await expect(page.getByRole('radio', { name: /Wise guide/ })).toBeChecked();
  await expect(page.getByRole('radio', { name: 'My own playbook' })).toBeChecked();
  await page.getByLabel('Language', { exact: true }).selectOption('de');
  const german = page.getByRole('heading', { level: 1, name: 'Einstellungen' });
  await expect(german).toBeVisible();
  const region = {
    language: 'eq.de',
    timezone: 'eq.Pacific/Auckland',
    date_format: 'eq.yyyy-MM-dd',
    time_format: 'eq.24h',
  };
  await received(await of('worker', new URLSearchParams(region).toString()));
  await page.reload();
  await expect(german).toBeVisible();
  await expect(page.getByLabel('Sprache', { exact: true })).toHaveValue('de');
  // As the journeys after this one know it.
  await page.getByLabel('Sprache', { exact: true }).selectOption('en');
  await received(await of('worker', 'language=eq.en'));
  expect(console).toEqual([]);
});

test('R3.16 R3.18 R3.19 R3.21 messages, quiet hours, privacy and dashboard are kept, also when chosen offline', async () => {
  const { page, context } = await phone();
  await signIn(page, server.url, 'manager');
  await settings(page);
  await context.setOffline(true);
  for (const name of [
    'Notifications by email',
    'Emails about new work',
    'Push notifications',
    'Task deadlines',
    'Wellness reminders',
  ])
    await page.getByRole('switch', { name }).click();
  await page.getByLabel('Daily summary at').fill('07:30');
  await page.getByRole('switch', { name: 'Quiet hours' }).click();
  await page.getByLabel('From', { exact: true }).fill('21:15');
  await page.getByLabel('To', { exact: true }).fill('06:45');
  await page.getByLabel('To', { exact: true }).blur();
  await page.getByRole('switch', { name: 'Show when I am active' }).click();
  await page.getByRole('switch', { name: 'Collect usage statistics' }).click();
  await page.getByText('Only my circle', { exact: true }).click();
  await page.getByRole('switch', { name: 'Compliance overview on the dashboard' }).click();
  await page.getByRole('switch', { name: 'Send photos on mobile data' }).click();
  await page.getByLabel('Space for received files').selectOption('250');
  await saved(page);
  // No provider of text messages is configured: they are not offered (R3.16).
  await expect(page.getByRole('switch', { name: /text message|SMS/i })).toHaveCount(0);
  await context.setOffline(false);
  await sent(page);
  await expect
    .poll(async () => (await new ServerFacts(server).rows('user_preferences', await of('manager', 'select=*')))[0])
    .toMatchObject({
      email_notifications: false,
      text_notifications: false,
      notification_time: '07:30',
      quiet_hours_enabled: true,
      quiet_hours_start: '21:15',
      quiet_hours_end: '06:45',
      notification_settings: {
        email_enabled: false,
        push_enabled: false,
        wellness_reminders: false,
        task_deadlines: false,
      },
    });

  const other = await phone();
  await signIn(other.page, server.url, 'manager');
  await settings(other.page);
  const there = other.page;
  for (const name of [
    'Notifications by email',
    'Emails about new work',
    'Push notifications',
    'Task deadlines',
    'Wellness reminders',
    'Show when I am active',
    'Collect usage statistics',
  ])
    await expect(there.getByRole('switch', { name })).not.toBeChecked();
  await expect(there.getByRole('switch', { name: 'Quiet hours' })).toBeChecked();
  await expect(there.getByLabel('Daily summary at')).toHaveValue('07:30');
  await expect(there.getByLabel('From', { exact: true })).toHaveValue('21:15');
  await expect(there.getByLabel('To', { exact: true })).toHaveValue('06:45');
  await expect(there.getByRole('radio', { name: 'Only my circle' })).toBeChecked();
  await expect(there.getByRole('switch', { name: 'Compliance overview on the dashboard' })).not.toBeChecked();
  await expect(there.getByLabel('Space for received files')).toHaveValue('250');
});

test('R4.12 of the three themes two people on one browser keep different ones, and different languages', async () => {
  const { page } = await phone(DESKTOP);
  await page.emulateMedia({ colorScheme: 'dark' });
  await signIn(page, server.url, 'admin');
  await settings(page);
  const modes = page.getByRole('group', { name: 'Theme' }).getByRole('radio');
  await expect(modes).toHaveCount(3);
  for (const name of ['System', 'Light', 'Dark'])
    await expect(page.getByRole('group', { name: 'Theme' }).getByRole('radio', { name })).toBeAttached();
  await page.getByText('Dark', { exact: true }).click();
  await page.getByLabel('Language', { exact: true }).selectOption('de');
  await expect(page.getByRole('heading', { level: 1, name: 'Einstellungen' })).toBeVisible();
  await received(await of('admin', 'theme_mode=eq.dark&language=eq.de'));
  await signOut(page);
  await page.getByLabel('E-Mail').fill('person@demo.cairn.test');
  await page.getByLabel('Passwort', { exact: true }).fill('cairn-demo-1');
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
  await expect(page).toHaveURL(/welcome/);
  await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe('en');
  await settings(page);
  await page.getByText('Light', { exact: true }).click();
  await expect.poll(() => theme(page)).toBe('light');
  await received(await of('person', 'theme_mode=eq.light'));
  await signOut(page);
  await page.emulateMedia({ colorScheme: 'light' });
  await fillSignIn(page, 'admin');
  await expect.poll(() => theme(page)).toBe('dark');
  await expect(page.getByRole('link', { name: 'Übersicht' }).first()).toBeVisible();
});

test('R4.13 with the theme of the device the app follows it while it is open', async () => {
  const { page } = await phone();
  await page.emulateMedia({ colorScheme: 'light' });
  await signInNew(page);
  await settings(page);
  await page.getByText('System', { exact: true }).click();
  expect(await theme(page)).toBe('light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(() => theme(page)).toBe('dark');
});

test('R3.22 R3.23 R3.24 R3.25 R3.26 R3.27 in a German browser the first theme stores every default, English ones, and what is shown stays German until something else is chosen', async () => {
  const { page, context } = await phone();
  await context.addInitScript(() => {
    Object.defineProperty(navigator, 'languages', { get: () => ['de-DE', 'de'] });
    Object.defineProperty(navigator, 'language', { get: () => 'de-DE' });
  });
  await page.goto(`${server.url}/auth`);
  await page.getByLabel('E-Mail').fill(await newAccount(server, 'Greta'));
  await page.getByLabel('Passwort', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
  await expect(page).toHaveURL(/\/welcome$/);
  await settings(page);
  await page.getByText('Dunkel', { exact: true }).click();
  const facts = new ServerFacts(server);
  const [greta] = await facts.rows('profiles', 'full_name=eq.Greta%20Newcomer');
  const row = async () => (await facts.rows('user_preferences', `user_id=eq.${greta?.id}`))[0];
  await expect.poll(row).toMatchObject({
    theme_mode: 'dark',
    email_notifications: true,
    text_notifications: false,
    notification_time: '09:00',
    primary_color: 'blue',
    font_size: 'medium',
    high_contrast: false,
    reduce_motion: false,
    sidebar_collapsed: false,
    language: 'en',
    timezone: 'UTC',
    date_format: 'MM/dd/yyyy',
    time_format: '12h',
    show_activity_status: true,
    profile_visibility: 'public',
    quiet_hours_enabled: false,
    quiet_hours_start: '22:00',
    quiet_hours_end: '08:00',
    wellness_coach_avatar: 'friendly-professional',
    preferred_playbook_type: 'company',
    locale_chosen: false,
  });
  await page.reload();
  await expect(page.getByLabel('Sprache', { exact: true })).toHaveValue('de');
  await expect(page.getByText(/Jetzt ist \d\d\.\d\d\.\d{4}, \d\d:\d\d\b(?! [AP]M)/)).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await page.getByLabel('Zeitzone', { exact: true }).selectOption('Europe/Vienna');
  await expect.poll(row).toMatchObject({
    language: 'de',
    timezone: 'Europe/Vienna',
    date_format: 'dd.MM.yyyy',
    time_format: '24h',
    locale_chosen: true,
  });
});

test('a switch of theme or language needs no reload, and the first frame after one has both', async () => {
  const { page } = await phone();
  await signInNew(page);
  await settings(page);
  await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
  await page.getByText('Dark', { exact: true }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.getByLabel('Language', { exact: true }).selectOption('de');
  await expect(page.getByRole('heading', { level: 1, name: 'Einstellungen' })).toBeVisible();
  expect(await page.evaluate(() => Reflect.get(globalThis, 'isSamePage'))).toBe(true);

  await page.addInitScript(() => {
    const seen: string[] = [];
    Object.assign(window, { seenInFrames: seen });
    const look = () => {
      const words = document.querySelector('#root')?.textContent?.trim() ?? '';
      if (words)
        seen.push(
          `${document.documentElement.dataset['theme']} ${document.documentElement.lang} ${/\b(Settings|Loading)\b/.test(words)}`,
        );
      if (seen.length < 60) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await received(await of('person', 'theme_mode=eq.dark&language=eq.de'));
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Einstellungen' })).toBeVisible();
  const seen = () => page.evaluate(() => (window as unknown as { seenInFrames: string[] }).seenInFrames);
  await expect.poll(async () => (await seen()).length).toBe(60);
  expect([...new Set(await seen())]).toEqual(['dark de false']);
});

test('R3.20 a picture is cut square, shows at once without a signal and arrives on another device', async () => {
  const { page, context } = await phone();
  await signIn(page, server.url, 'worker');
  await sent(page);
  await page.goto(`${server.url}/profile`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  // The app itself must be on the phone before the signal goes.
  await appCached(page);
  await context.setOffline(true);
  await page.locator('input[type=file]').setInputFiles(PHOTO);
  await page.getByRole('dialog').getByRole('button', { name: 'Crop' }).click();
  const picture = page.locator('main .avatar img').first();
  await expect(picture).toBeVisible();
  const shape = await picture.evaluate(img => [
    (img as HTMLImageElement).naturalWidth,
    (img as HTMLImageElement).naturalHeight,
  ]);
  expect(shape[0]).toBe(shape[1]);
  await context.setOffline(false);
  await sent(page);

  const other = await phone();
  await signIn(other.page, server.url, 'worker');
  await other.page.goto(`${server.url}/profile`);
  await expect(other.page.locator('main .avatar img').first()).toBeVisible();
  const [row] = await new ServerFacts(server).rows('user_preferences', await of('worker', 'select=*'));
  expect(row).toMatchObject({ custom_avatar_url: expect.stringMatching(/^media:[0-9a-f-]{36}$/) });
});

test('the profile keeps what is written when it is left, says what is too long, and can take it back', async () => {
  const { page } = await phone();
  await signIn(page, server.url, 'manager');
  await page.goto(`${server.url}/profile`);
  const name = page.getByLabel('Display name', { exact: true });
  await name.fill('Mara');
  await name.blur();
  await saved(page);
  const bio = page.getByLabel('Bio', { exact: true });
  await bio.fill('x'.repeat(2003));
  await bio.blur();
  await expect(page.getByText('This is 3 characters too long.')).toBeVisible();
  await expect(bio).toHaveValue('x'.repeat(2003));
  await page.reload();
  await expect(name).toHaveValue('Mara');
  await expect(bio).toHaveValue('');
});

test('everything about a person comes as one zip', async () => {
  const { page } = await phone();
  await signIn(page, server.url, 'worker');
  await settings(page);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: /^(Export everything about me)$/ }).click();
  const files = unzipSync(readFileSync(await (await downloading).path()));
  const about = JSON.parse(strFromU8(files['about-me.json'] ?? new Uint8Array()));
  expect(about.account.email).toBe('worker@demo.cairn.test');
  expect(about.tables.profiles).toHaveLength(1);
});

test('an account ends only by its password; then the person is signed out and cannot come back', async () => {
  const { page, console } = await phone();
  await signInNew(page);
  await settings(page);
  await page.getByRole('button', { name: /^(Delete my account|Mein Konto löschen)$/ }).click();
  const dialog = page.getByRole('dialog');
  const go = dialog.getByRole('button', { name: /^(Delete for good|Endgültig löschen)$/ });
  await expect(go).toBeDisabled();
  await dialog
    .getByRole('textbox')
    .first()
    .fill((await dialog.getByText(/LÖSCHEN/).count()) > 0 ? 'löschen' : 'delete');
  const password = dialog.getByLabel(/^(Your password|Dein Passwort)$/);
  await password.fill('not it');
  await go.click();
  await expect(dialog.getByText(/^(Wrong password|Falsches Passwort)\.$/)).toBeVisible();
  await password.fill('cairn-demo-1');
  await go.click();
  await expect(page).toHaveURL(/\/auth/);
  const left = () =>
    page.evaluate(async () => {
      const open = indexedDB.open('cairn_mobile');
      const db = await new Promise<IDBDatabase>(resolve => (open.onsuccess = () => resolve(open.result)));
      const count = (store: string) =>
        new Promise<unknown[]>(resolve => {
          const all = db.transaction(store).objectStore(store).getAll();
          all.onsuccess = () => resolve(all.result.filter(each => each.owner !== ''));
        });
      return (await Promise.all([...db.objectStoreNames].map(count))).flat().length;
    });
  await expect.poll(left).toBe(0);
  await page.getByLabel(/^(Email|E-Mail)$/).fill('person@demo.cairn.test');
  await page.getByLabel(/^(Password|Passwort)$/).fill('cairn-demo-1');
  await page.getByRole('button', { name: /^(Sign in|Anmelden)$/ }).click();
  await expect(page.getByText(/Invalid email or password|E-Mail oder Passwort ist falsch/).first()).toBeVisible();
  // Chromium notes refused passwords (400, 403), and a pull that met the account's end (401); nothing else may stand there.
  expect(console.filter(line => !/status of 40[03]|status of 401 .*sync_pull$/.test(line))).toEqual([]);
});

test('settings and profile are accessible, and nothing is cut off in long words, 320 px and large text', async () => {
  const { page } = await phone();
  await signIn(page, server.url, 'worker');
  for (const path of ['/settings', '/profile']) {
    await page.goto(`${server.url}${path}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectAccessible(page, path);
  }
  await page.setViewportSize({ width: 320, height: 700 });
  await page.evaluate(() => {
    const state = JSON.parse(localStorage.getItem('cairn.appState') ?? '{}');
    state.systemSettings = { ...state.systemSettings, language: 'pseudo-rtl' };
    localStorage.setItem('cairn.appState', JSON.stringify(state));
  });
  for (const path of ['/settings', '/profile']) {
    await page.goto(`${server.url}${path}`);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('[');
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
    const wide = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('main *')]
          .filter(
            each =>
              each.scrollWidth > each.clientWidth + 1 &&
              each.clientWidth > 1 &&
              getComputedStyle(each).overflowX !== 'visible',
          )
          .map(each => `${each.tagName}.${each.className}`),
      );
    const outside = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('main *')]
          .filter(each => {
            const { left, right, width } = each.getBoundingClientRect();
            return width > 1 && (left < -1 || right > innerWidth + 1);
          })
          .map(each => `${each.tagName}.${each.className}`),
      );
    expect(await outside()).toEqual([]);
    expect((await wide()).filter(name => !/SELECT|INPUT|sr/.test(name))).toEqual([]);
  }
});
