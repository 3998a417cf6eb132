import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '@cairn/database/embedded-postgres.ts';
import { chromium, type BrowserContext, type Page } from '@playwright/test';
import postgres, { type Sql } from 'postgres';

const path = (from: string) => fileURLToPath(new URL(from, import.meta.url));

export type ShellRig = { url: string; sql: Sql; folder: string; stop(): Promise<void> };

/** The built app (`dist`: its folder, where it is not this one's) on its own server and database, below one temporary folder. */
export async function startShellRig(dist = path('../../apps/web/dist')): Promise<ShellRig> {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-bench-shell-'));
  const database = await startPostgres({ dataDir: join(folder, 'postgres') });
  const child = fork(path('rig/server-process.ts'), { execArgv: ['--disable-warning=ExperimentalWarning'] });
  const sql = postgres(database.url, { max: 4, onnotice: () => {} });
  const stop = async () => {
    await sql.end({ timeout: 1 });
    if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit');
    await database.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  child.send({
    databaseUrl: database.url,
    data: join(folder, 'data'),
    migrations: path('../../supabase/migrations'),
    dist,
  });
  const [answer] = (await once(child, 'message')) as [{ url: string } | { failure: string }];
  if ('url' in answer) return { url: answer.url, sql, folder, stop };
  await stop();
  throw new Error(answer.failure);
}

export type Visit = { context: BrowserContext; page: Page };

/**
 * A desktop's browser loads pages of its own for its address bar while it starts, a fifth of a second of both processors; a phone's has
 * none. Chromium hears the last list only, so that Playwright's own is said again where it keeps a browser from asking its maker.
 */
const NOT_ON_PHONES = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];
const ASKS_ITS_MAKER = [
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'MediaRouter',
];
const PHONE = `--disable-features=${[...NOT_ON_PHONES, ...ASKS_ITS_MAKER, 'HttpsUpgrades', 'PaintHolding'].join(',')}`;

/** A browser on a profile that outlives it. */
export async function openProfile(profile: string, executablePath: string, port = 0): Promise<Visit> {
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    viewport: { width: 412, height: 823 },
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      PHONE,
      `--remote-debugging-port=${port}`,
    ],
  });
  return { context, page: context.pages()[0] ?? (await context.newPage()) };
}

/** Whether the device holds that many action items. */
async function allHere(items: number): Promise<boolean> {
  const opening = indexedDB.open('cairn_mobile');
  const db = await new Promise<IDBDatabase>((resolve, reject) => {
    opening.addEventListener('success', () => resolve(opening.result));
    opening.addEventListener('error', () => reject(new Error('the device database cannot be opened')));
  });
  const counting = db.transaction('tasks').objectStore('tasks').count();
  const count = await new Promise<number>(resolve => {
    counting.addEventListener('success', () => resolve(counting.result));
  });
  db.close();
  return count >= items;
}

/** Signs in and waits until the records and the app itself are on this device. */
export async function signInWhole(
  page: Page,
  url: string,
  who: { email: string; password: string },
  items: number,
): Promise<void> {
  await page.goto(`${url}/auth`);
  await page.locator('input[type=email]').fill(who.email);
  await page.locator('input[type=password]').fill(who.password);
  await page.locator('form button[type=submit]').click();
  await page.waitForURL('**/dashboard');
  await page.waitForFunction(allHere, items, { timeout: 180_000, polling: 500 });
  await page
    .getByRole('link', { name: /^Sync: .*Up to date/ })
    .first()
    .waitFor();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.waitForFunction(async () => {
    const names = await caches.keys();
    const kept = await Promise.all(names.map(async name => (await (await caches.open(name)).keys()).length));
    return kept.some(count => count > 20);
  });
}

/** Slows the page's processor down, as a mid-range phone is slower than a computer. */
export async function slowDown({ context, page }: Visit, rate: number): Promise<void> {
  const cdp = await context.newCDPSession(page);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate });
}
