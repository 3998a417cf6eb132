import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import { unzipSync } from 'fflate';
import { signIn } from './people/field-worker.ts';
import { appCached } from './rig/app-cached.ts';
import { expectAccessible } from './rig/axe.ts';
import { cutOff } from './rig/cut-off.ts';
import { DESKTOP, Phone } from './rig/phone.ts';
import { ServerProcess } from './rig/server-process.ts';

let server: ServerProcess;
const phones: Phone[] = [];

test.beforeAll(async () => {
  server = await ServerProcess.start();
});
test.afterAll(() => server.stop());
test.afterEach(async () => {
  for (const each of phones.splice(0)) await each.close();
});

async function phone(screen?: typeof DESKTOP): Promise<Phone> {
  // The desk keeps the app too: it works on with no signal.
  const opened = await Phone.open(screen);
  phones.push(opened);
  return opened;
}

const heading = (page: Page, name: string | RegExp) =>
  expect(page.getByRole('heading', { level: 1, name })).toBeVisible();

/** Pictured in light and dark for whoever reads the results; judged by axe, and for what is cut off. */
async function judge(device: Phone, name: string): Promise<void> {
  await device.screenshot(name);
  await expectAccessible(device.page, name);
  await expect.poll(() => cutOff(device.page), name).toEqual([]);
  await device.page.emulateMedia({ colorScheme: 'dark' });
  await device.screenshot(`${name}-dark`);
  await device.page.emulateMedia({ colorScheme: 'light' });
}

/** Presses what hands out a file, unpacks it, and runs the program that lies in it. */
async function verifiedDownload(page: Page, act: string): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: act }).click(),
  ]);
  const folder = mkdtempSync(join(tmpdir(), 'cairn-sealed-'));
  try {
    const zip = join(folder, 'package.zip');
    await download.saveAs(zip);
    const files = unzipSync(readFileSync(zip));
    rmSync(zip);
    for (const [name, bytes] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), bytes);
    }
    return execFileSync('node', [join(folder, 'verify.mjs')], { encoding: 'utf8' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const PLAN = {
  'plan-of-action-and-milestones': {
    uuid: '00000000-0000-4000-8000-00000000a001',
    metadata: { title: 'Assessment of Northfield', version: '1.0', 'oscal-version': '1.1.2' },
    risks: [
      {
        uuid: '00000000-0000-4000-8000-00000000a002',
        title: 'Cut off',
        description: 'The way out is blocked',
        statement: 'Nobody gets out in time',
        status: 'open',
        deadline: '2027-01-01T00:00:00Z',
      },
    ],
    'poam-items': [
      {
        uuid: '00000000-0000-4000-8000-00000000a003',
        title: 'Free the way out',
        description: 'Gate 4 is stacked with pallets.',
        props: [{ name: 'control-id', value: 'em-1' }],
        'related-risks': [{ 'risk-uuid': '00000000-0000-4000-8000-00000000a002' }],
        'x-unknown': { kept: [1, 2] },
      },
    ],
  },
};

/** A plan of action comes in with no signal, once; its item is work, stands at its control, and goes out as the file it was. */
async function bringPlan(desk: Phone): Promise<void> {
  const { page } = desk;
  await page.goto(`${server.url}/policies/frameworks`);
  await page.getByRole('button', { name: 'Import plan' }).click();
  const sheet = page.getByRole('dialog');
  const file = (plan: object) => ({
    name: 'plan.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(plan)),
  });
  const pick = (plan: object) => sheet.locator('input[type=file]').setInputFiles(file(plan));
  const root = PLAN['plan-of-action-and-milestones'];
  await pick({ 'plan-of-action-and-milestones': { ...root, 'poam-items': [{ title: 'No id' }] } });
  await expect(sheet.getByText('poam-items[0].uuid')).toBeVisible();
  await judge(desk, 'plan-refused');
  await appCached(page);
  await desk.goOffline();
  await pick(PLAN);
  await expect(sheet.getByText('1 new corrective action')).toBeVisible();
  await judge(desk, 'plan-preview');
  await sheet.getByRole('button', { name: 'Import plan' }).click();
  await expect(sheet).toBeHidden();
  await desk.goOnline();
  await page.getByRole('button', { name: 'Import plan' }).click();
  await pick(PLAN);
  await expect(sheet.getByText('1 already exists')).toBeVisible();
  await sheet.getByRole('button', { name: 'Close' }).click();
  await judge(desk, 'frameworks-desk');
  await page.getByRole('button', { name: /Assessment of Northfield/ }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    sheet.getByRole('button', { name: 'Export as OSCAL' }).click(),
  ]);
  expect(JSON.parse(readFileSync(await download.path(), 'utf8'))).toEqual(PLAN);
  await judge(desk, 'plan-desk');
  await sheet.getByRole('link', { name: /Free the way out/ }).click();
  await heading(page, 'Free the way out');
  await expect(page.getByText('Nobody gets out in time')).toBeVisible();
  await judge(desk, 'plan-action-desk');
}

test('G10 evidence is collected with no signal and reviewed, controls show what is proven, and every step stands in a log that is whole here and without us', async () => {
  const field = await phone();
  await signIn(field.page, server.url, 'worker');
  await field.page.goto(`${server.url}/policies/evidence?new=true`);
  await expect(field.page.getByRole('dialog')).toBeVisible();
  await appCached(field.page);
  await field.goOffline();
  const sheet = field.page.getByRole('dialog');
  await sheet
    .locator('input[type=file]')
    .setInputFiles({ name: 'drill.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 drill') });
  await expect(sheet.getByText('drill.pdf')).toBeVisible();
  await sheet.getByLabel('What it shows').fill('Fire drill');
  await sheet.getByLabel('Valid from').fill('2026-10-12');
  await sheet.getByLabel('Valid until').fill('2026-10-11');
  await sheet.getByRole('button', { name: 'Add evidence' }).click();
  await expect(sheet.getByText('The end is before the start.')).toBeVisible();
  await sheet.getByLabel('Valid until').fill('2027-10-11');
  await judge(field, 'evidence-add');
  await sheet.getByRole('button', { name: 'Add evidence' }).click();
  await field.page.getByRole('link', { name: /Fire drill/ }).click();
  await heading(field.page, 'Fire drill');
  const received = field.page.locator('.facts > div').filter({ hasText: 'Received by the server' });
  await expect(received.getByText('Waiting to send', { exact: true })).toBeVisible();
  await field.goOnline();
  await expect(received.getByText('Waiting to send', { exact: true })).toBeHidden();
  await judge(field, 'evidence-phone');

  const desk = await phone(DESKTOP);
  await signIn(desk.page, server.url, 'admin');
  await desk.page.goto(`${server.url}/policies/evidence`);
  await desk.page.getByRole('link', { name: /Fire drill/ }).waitFor();
  await desk.page.getByRole('link', { name: /Fire drill/ }).click();
  await heading(desk.page, 'Fire drill');
  await expect(desk.page.getByText(/^SHA-256 [0-9a-f]{64}$/)).toBeVisible();
  await desk.page.getByRole('button', { name: 'Accept', exact: true }).click();
  await expect(desk.page.getByText(/^Alex Admin, /)).toBeVisible();

  await desk.page.goto(`${server.url}/policies/frameworks`);
  await desk.page.getByRole('button', { name: 'Import framework' }).click();
  const bring = desk.page.getByRole('dialog');
  const oscal = { metadata: { title: 'Fire code' }, controls: [{ id: 'fc-1', title: 'Drills are held' }] };
  const buffer = Buffer.from(JSON.stringify({ catalog: oscal }));
  await bring.locator('input[type=file]').setInputFiles({ name: 'code.json', mimeType: 'application/json', buffer });
  await expect(bring.getByText('1 control in 1 family')).toBeVisible();
  await bring.getByRole('button', { name: 'Import framework' }).click();
  await desk.page.getByRole('link', { name: /Fire code/ }).waitFor();
  await desk.page.getByRole('link', { name: /Safe work at Northfield/ }).click();
  await heading(desk.page, 'Safe work at Northfield');
  await expect(desk.page.getByText('2 of 6 proven')).toBeVisible();
  await judge(desk, 'framework-desk');
  await desk.page.getByRole('link', { name: /EN-1/ }).click();
  await heading(desk.page, 'EN-1 Energy is isolated');
  await expect(desk.page.getByRole('link', { name: /Isolation cards walked through/ })).toBeVisible();

  await bringPlan(desk);

  await desk.page.goto(`${server.url}/policies/evidence`);
  const pack = await verifiedDownload(desk.page, 'Create pack');
  expect(pack).toContain('Intact: every file is unchanged');
  const [, manifest = ''] = /^SHA-256 of manifest\.sha256: ([0-9a-f]{64})$/m.exec(pack) ?? [];
  await expect(desk.page.getByText(manifest)).toBeVisible();
  await judge(desk, 'evidence-list-desk');

  await desk.page.goto(`${server.url}/security`);
  await desk.page.getByRole('link', { name: 'Open the audit log' }).click();
  await heading(desk.page, 'Audit log');
  await expect(desk.page.getByText('Evidence accepted').first()).toBeVisible();
  await expect(desk.page.getByText('Evidence pack exported').first()).toBeVisible();
  await desk.page.getByRole('button', { name: 'Verify the log' }).click();
  await expect(desk.page.getByText(/^Log intact: \d+ entries in one unbroken chain$/)).toBeVisible();
  await judge(desk, 'audit-desk');
  expect(await verifiedDownload(desk.page, 'Export')).toContain('Intact: every file is unchanged');
  expect(field.console).toEqual([]);
  expect(desk.console).toEqual([]);
});
