import { appendFileSync, cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import { FieldWorker, signIn } from './people/field-worker.ts';
import { deployNextBuild } from './rig/next-build.ts';
import { PHONE, Phone } from './rig/phone.ts';
import { ROOT } from './rig/root.ts';
import { ServerProcess } from './rig/server-process.ts';

let dist: string;
let server: ServerProcess;
let worker: FieldWorker;

test.beforeAll(async () => {
  dist = mkdtempSync(join(tmpdir(), 'cairn-build-'));
  cpSync(join(ROOT, 'apps/web/dist'), dist, { recursive: true });
  server = await ServerProcess.start({ dist });
  worker = new FieldWorker(await Phone.open(PHONE, { isNew: true }), server.url);
});

test.afterAll(async () => {
  await worker.phone.screenshot('worker');
  await worker.phone.close();
  await server.stop();
  rmSync(dist, { recursive: true, force: true });
});

/** A browser takes a service worker that differs by one byte for another build. */
const deploy = (): void => appendFileSync(join(dist, 'sw.js'), '\n// the next build\n');

const question = (page: Page) => page.getByRole('button', { name: /^(Next question|Review and finish)$/ });
const mark = (page: Page) => page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
const isSamePage = (page: Page) => page.evaluate(() => Reflect.get(globalThis, 'isSamePage') === true);

test('a build deployed while a phone has no signal: its work still opens, the update is offered, and waits for a press', async () => {
  const { page, phone } = worker;
  await signIn(page, server.url, 'worker');
  await worker.prepareForNoSignal();
  const id = await worker.openTodaysCheck();
  await phone.goOffline();
  deploy();
  await worker.open(`/field/${id}`);
  await expect(question(page)).toBeVisible();

  await phone.goOnline();
  await worker.open(`/field/${id}`);
  await expect(question(page)).toBeVisible();
  await mark(page);
  await expect(page.getByText('A new version is ready')).toBeVisible();
  await page.getByRole('radio', { name: 'Pass' }).or(page.getByRole('textbox')).first().waitFor();
  expect(await isSamePage(page)).toBe(true);
  await expect(page).toHaveURL(`${server.url}/field/${id}`);

  await page.getByRole('button', { name: 'Update now' }).click();
  await expect.poll(() => isSamePage(page).catch(() => true)).toBe(false);
  await expect(question(page)).toBeVisible();
  const waiting = () => page.evaluate(async () => (await navigator.serviceWorker.ready).waiting !== null);
  await expect.poll(waiting).toBe(false);
  await expect(page.getByText('A new version is ready')).toBeHidden();
  expect(phone.console).toEqual([]);
});

/** Scripts of a build that the worker keeps on the device. */
const keptOf = (page: Page, build: readonly string[]): Promise<number> =>
  page.evaluate(async names => {
    const all = await Promise.all((await caches.keys()).map(async name => (await caches.open(name)).keys()));
    const kept = new Set(all.flat().map(({ url }) => url.slice(url.lastIndexOf('/') + 1)));
    return names.filter(name => kept.has(name)).length;
  }, build);

const offer = (page: Page) => page.getByText('A new version is ready');

test('a build taken in one window leaves the inspection in another whole, without a signal too; its files go when no window runs it', async () => {
  const { page: desk, phone } = worker;
  const scripts = () => readdirSync(join(dist, 'assets')).filter(name => name.endsWith('.js'));
  const former = scripts();
  await worker.open('/dashboard');
  const inspecting = await phone.context.newPage();
  const faults: string[] = [];
  inspecting.on('console', message => message.type() === 'error' && faults.push(message.text()));
  inspecting.on('pageerror', error => faults.push(error.message));
  const inspector = new FieldWorker(phone, server.url, inspecting);
  await inspector.openTodaysCheck();
  await mark(inspecting);

  deployNextBuild(dist);
  await worker.open('/dashboard');
  await mark(desk);
  await expect(offer(desk)).toBeVisible({ timeout: 60_000 });
  await desk.getByRole('button', { name: 'Update now' }).click();
  await expect.poll(() => isSamePage(desk).catch(() => true)).toBe(false);
  await expect(desk.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(offer(inspecting)).toHaveCount(1);

  // Nothing of the former build can come from anywhere but the worker.
  await (await phone.context.newCDPSession(inspecting)).send('Network.clearBrowserCache');
  await phone.goOffline();
  await inspector.answerAll();
  await inspector.signAndFinish();
  expect(await isSamePage(inspecting)).toBe(true);
  expect(await keptOf(desk, former)).toBe(former.length);
  await phone.goOnline();
  // A photo whose sending breaks off with its window goes on in the other one; the browser reports what that asks for.
  await expect(inspecting.getByText('The server has received it.')).toBeVisible();
  await expect(desk.getByRole('link', { name: /Up to date/ }).first()).toBeVisible();

  await inspecting.getByRole('button', { name: 'Update now' }).click();
  await expect.poll(() => isSamePage(inspecting).catch(() => true)).toBe(false);
  await expect.poll(() => keptOf(desk, former)).toBe(0);
  expect(await keptOf(desk, scripts())).toBe(former.length);
  await inspecting.close();
  expect([...phone.console, ...faults]).toEqual([]);
});
