import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import { unzipSync } from 'fflate';
import { chosenWorkbook } from './people/ladder-check.ts';
import { FieldWorker, PHOTO, signIn } from './people/field-worker.ts';
import { photoOf } from './people/photo-of-code.ts';
import { expectAccessible } from './rig/axe.ts';
import { DESKTOP, PHONE, Phone } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';
import { choose } from './rig/choose.ts';

/** A stopwatch and a photo, at a place that has to be proven. */
const FLUSH = {
  survey: [
    ['type', 'name', 'label', 'appearance', 'parameters'],
    ['decimal', 'flush', 'Flush for a while', 'timer', 'target=5'],
    ['image', 'tap', 'What does the tap look like?'],
  ],
  choices: [['list_name', 'name', 'label']],
  settings: [
    ['form_title', 'presence'],
    ['Flush check', 'required'],
  ],
};
const TAG = 'NW-FL-003';

let server: ServerProcess;
let facts: ServerFacts;
let worker: FieldWorker;
let reviewer: Phone;
const folders: string[] = [];

test.beforeAll(async () => {
  server = await ServerProcess.start();
  facts = new ServerFacts(server);
  worker = new FieldWorker(await Phone.open(PHONE), server.url);
  await signIn(worker.page, server.url, 'manager');
  reviewer = await Phone.open(DESKTOP);
  await signIn(reviewer.page, server.url, 'admin');
});

test.afterAll(async () => {
  await worker.phone.close();
  await reviewer.close();
  await server.stop();
  for (const folder of folders) rmSync(folder, { recursive: true });
});

test.afterEach(async () => {
  await worker.phone.screenshot('worker');
  await reviewer.screenshot('reviewer');
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const at = (page: Page, question: string) => expect(page.getByRole('heading', { level: 1 })).toContainText(question);

async function importForm(page: Page): Promise<void> {
  await page.goto(`${server.url}/field/forms`);
  await page.getByRole('button', { name: 'Import a form' }).first().click();
  const sheet = page.getByRole('dialog');
  await sheet.locator('input[type=file]').setInputFiles(chosenWorkbook('flush.xlsx', FLUSH));
  await expect(sheet.getByText('Everything can be imported')).toBeVisible();
  await sheet.getByRole('button', { name: 'Import and publish' }).click();
  await expect(sheet).toHaveCount(0);
}

async function start(page: Page): Promise<string> {
  await worker.openForms();
  await page.getByRole('button', { name: /^Flush check/ }).click();
  await choose(page.getByRole('radio', { name: /Forklift 3/ }));
  await page.getByRole('dialog').getByRole('button', { name: 'Start inspection' }).click();
  await at(page, 'Flush for a while');
  return page.url();
}

/** The battery dies, and the phone comes back without a signal. */
async function dieAndComeBack(address: string): Promise<Page> {
  await worker.phone.die();
  await worker.phone.start();
  await worker.page.goto(address);
  return worker.page;
}

async function scan(page: Page, code: string): Promise<void> {
  await page.getByRole('button', { name: /^Scan (the tag|again)$/ }).click();
  const tag = { name: 'tag.png', mimeType: 'image/png', buffer: await photoOf(page, code) };
  await page.getByLabel('Photo of a code').setInputFiles(tag);
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

/** A stopwatch, proofs and a photo, each on another life of the phone. */
async function inspect(address: string): Promise<void> {
  let { page } = worker;
  await expect(page.getByText('Cairn saves your location when you press the button')).toBeVisible();
  await expectAccessible(page, 'what is asked');
  await worker.phone.screenshot('prove-phone');
  await button(page, 'Start').click();
  await expect(button(page, 'Pause')).toBeVisible();
  await expect(page.getByText('Saved on this device', { exact: true }).first()).toBeVisible();
  await scan(page, 'NW-FL-001');
  await expect(page.getByText('This tag belongs to something else')).toBeVisible();
  page = await dieAndComeBack(address);
  // It ran on while the phone was off.
  await at(page, 'Flush for a while');
  await expect(page.getByText('Time is up')).toBeVisible({ timeout: 20_000 });
  await expectAccessible(page, 'a countdown that is over');
  await worker.phone.screenshot('timer-over');
  await button(page, 'Pause').click();
  await scan(page, TAG);
  await expect(page.getByText('Tag scanned', { exact: true })).toBeVisible();
  page = await dieAndComeBack(address);
  await at(page, 'What does the tap look like?');
  await page.getByLabel('From gallery').setInputFiles(PHOTO);
  await expect(page.locator('.photo-strip img')).toHaveCount(1);
  await button(page, 'Review and finish').click();
  await worker.sign();
  // It passes after three seconds: looked for before the press, not after it.
  await Promise.all([
    expect(page.getByText('Prove that you are here, or say why you cannot')).toBeVisible(),
    button(page, 'Finish inspection').click(),
  ]);
  await giveReason(page);
}

/** There is no position here: the reason stands instead, and stops nobody. */
async function giveReason(page: Page): Promise<void> {
  await button(page, 'I cannot share it').click();
  const sheet = page.getByRole('dialog');
  await button(page, 'Save reason').click();
  await expect(sheet.getByText('Enter a reason.')).toBeVisible();
  await expectAccessible(page, 'a reason');
  await worker.phone.screenshot('reason');
  await choose(sheet.getByRole('radio', { name: 'Something else' }));
  await sheet.getByLabel('In your own words').fill('Under ground');
  await button(page, 'Save reason').click();
  await expect(page.getByText('No location: Under ground')).toBeVisible();
}

/** Unpacks the bundle somewhere else and runs the program in it. */
function verify(zip: Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-bundle-'));
  folders.push(folder);
  for (const [name, bytes] of Object.entries(unzipSync(zip))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), bytes);
  }
  return execFileSync(process.execPath, [join(folder, 'verify.mjs')], { encoding: 'utf8' });
}

async function look(page: Page, id: string): Promise<void> {
  await page.goto(`${server.url}/field/${id}`);
  const card = page.getByRole('region', { name: 'Proof of presence' });
  await expect(card.getByText('Chain intact')).toBeVisible({ timeout: 30_000 });
  await expect(card.getByText('Tag scanned', { exact: true })).toBeVisible();
  await expect(card.getByText('No location: Under ground')).toBeVisible();
  await expect(card.getByText('1 photo', { exact: true })).toBeVisible();
  await expectAccessible(page, 'the card');
  await reviewer.screenshot('card-desktop');
  const downloading = page.waitForEvent('download');
  await button(page, 'Download the proof').click();
  const verdict = verify(readFileSync(await (await downloading).path()));
  expect(verdict).toContain('Intact: every file is unchanged');
  expect(verdict).toContain('7 presence entries, 1 photos listed');
}

test('a stopwatch and proofs of presence outlive dead batteries without a signal, arrive in one chain, and verify elsewhere', async () => {
  await importForm(worker.page);
  await worker.prepareForNoSignal();
  const address = await start(worker.page);
  await worker.phone.goOffline();
  await inspect(address);
  const id = /[0-9a-f-]{36}/.exec(address)?.[0] ?? '';
  const { page } = worker;
  await button(page, 'Finish inspection').click();
  await expect(
    page.getByRole('region', { name: 'Proof of presence' }).getByText('Not everything has arrived yet'),
  ).toBeVisible();
  await expect(page.getByText('Chain intact')).toBeVisible();
  await worker.phone.screenshot('card-phone');
  await worker.phone.goOnline();
  await expect
    .poll(async () => (await facts.rows('presence_entries', `inspection_id=eq.${id}`)).length, { timeout: 30_000 })
    .toBe(7);
  const [answer] = await facts.rows('inspection_answers', `inspection_id=eq.${id}&question=eq.flush`);
  expect(Number(answer?.['value'])).toBeGreaterThanOrEqual(5);
  await expect.poll(async () => (await facts.rows('media', `inspection_id=eq.${id}`))[0]?.['state']).toBe('complete');
  await look(reviewer.page, id);
  expect([...worker.phone.console, ...reviewer.console]).toEqual([]);
});
