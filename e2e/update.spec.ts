import { appendFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import { FieldWorker, signIn } from './people/field-worker.ts';
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

  await page.getByRole('button', { name: 'Use it now' }).click();
  await expect.poll(() => isSamePage(page).catch(() => true)).toBe(false);
  await expect(question(page)).toBeVisible();
  const waiting = () => page.evaluate(async () => (await navigator.serviceWorker.ready).waiting !== null);
  await expect.poll(waiting).toBe(false);
  await expect(page.getByText('A new version is ready')).toBeHidden();
  expect(phone.console).toEqual([]);
});
