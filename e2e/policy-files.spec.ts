import { expect, test, type Page } from '@playwright/test';
import { pdfOf, wordOf } from './people/documents.ts';
import { FieldWorker, signIn } from './people/field-worker.ts';
import { expectAccessible } from './rig/axe.ts';
import { cutOff } from './rig/cut-off.ts';
import { DESKTOP, Phone } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';

let server: ServerProcess;
const phones: Phone[] = [];
const WORD_MIME = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

async function phone(screen?: typeof DESKTOP, keepsApp = true): Promise<Phone> {
  const opened = await Phone.open(screen, { keepsApp });
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

const heading = (page: Page, name: string) => expect(page.getByRole('heading', { level: 1, name })).toBeVisible();

async function judge(device: Phone, name: string): Promise<void> {
  await device.screenshot(name);
  await expectAccessible(device.page, name);
  await expect.poll(() => cutOff(device.page), name).toEqual([]);
}

type FilePayload = { name: string; mimeType: string; buffer: Buffer };
const choose = (page: Page, file: FilePayload) =>
  page.getByRole('dialog').locator('input[type=file]').setInputFiles(file);

/** From the list: a file becomes a draft. */
async function upload(page: Page, file: FilePayload, found: RegExp): Promise<void> {
  await page.getByRole('button', { name: 'Upload a file' }).click();
  await choose(page, file);
  await expect(page.getByRole('dialog').getByText(found)).toBeVisible();
}

/** Sends the draft on the screen for approval, has it approved by its other author, and puts it in force. */
async function bringInForce(desk: Page, approver: Page, title: string): Promise<void> {
  await desk.getByRole('button', { name: 'Send for approval' }).click();
  await desk.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click();
  await expect(desk.getByText('In review')).toBeVisible();
  await approver.goto(`${server.url}/policies`);
  await approver.getByText('Drafts', { exact: true }).click();
  await approver.getByRole('link', { name: new RegExp(title) }).click();
  await heading(approver, title);
  await expect(approver.getByRole('button', { name: 'Download the original' })).toBeVisible();
  await approver.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(approver.getByText(/Alex Admin approved/)).toBeVisible();
  await desk.getByRole('button', { name: 'Publish as 1.0' }).click();
  await desk.getByRole('alertdialog').getByRole('button', { name: 'Publish as 1.0' }).click();
  await expect(desk.getByText('Nobody has been asked to acknowledge this yet.')).toBeVisible();
}

async function sign(page: Page): Promise<void> {
  await page.getByText('I have read this and will follow it').click();
  await page.getByLabel('Your full name').fill('Sam Worker');
  await page.getByRole('button', { name: 'Acknowledge version 1.0' }).click();
  await expect(page.getByText('You acknowledged this')).toBeVisible();
}

const PAGES = [
  ['Lockout of energy', 'Isolate every source before you open a guard.'],
  ['Try to start', 'Nobody trusts a lock they have not tried.'],
  ['Give it back', 'The last one out takes the last lock off.'],
];

test('a PDF that was uploaded without signal is approved and published, opens without signal page by page, and is signed by its very bytes', async () => {
  const desk = await phone(DESKTOP);
  const approver = await phone(undefined, false);
  const field = await phone();
  await desk.page.emulateMedia({ colorScheme: 'dark' });
  await signIn(desk.page, server.url, 'manager');
  await signIn(approver.page, server.url, 'admin');
  await signIn(field.page, server.url, 'worker');
  const office = new FieldWorker(desk, server.url);
  await office.prepareForNoSignal();
  await office.openAndHear('/policies');
  await heading(desk.page, 'Policy Statements');
  await desk.goOffline();

  // What runs, what is no document and what is of the old kind is refused in plain words.
  await desk.page.getByRole('button', { name: 'Upload a file' }).click();
  const program = pdfOf([['x']], '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>');
  await choose(desk.page, { name: 'program.pdf', mimeType: 'application/pdf', buffer: program });
  await expect(desk.page.getByText(/It contains a program/)).toBeVisible();
  await judge(desk, 'policy-file-refused-desk');
  await choose(desk.page, { name: 'page.pdf', mimeType: 'application/pdf', buffer: Buffer.from('<script>1</script>') });
  await expect(desk.page.getByText(/This is not a PDF or Word file/)).toBeVisible();
  const old = Buffer.from('d0cf11e0a1b11ae10000', 'hex');
  await choose(desk.page, { name: 'old.doc', mimeType: 'application/msword', buffer: old });
  await expect(desk.page.getByText(/This is an old Word file/)).toBeVisible();
  await desk.page.getByRole('button', { name: 'Close' }).click();

  const bytes = pdfOf(PAGES);
  await upload(desk.page, { name: 'Lockout_rules.pdf', mimeType: 'application/pdf', buffer: bytes }, /3 pages/);
  await judge(desk, 'policy-file-upload-desk');
  await desk.page.getByRole('button', { name: 'Save as draft' }).click();
  await heading(desk.page, 'Lockout rules');
  await expect(desk.page.getByText('The file has not been uploaded yet.')).toBeVisible();
  await judge(desk, 'policy-file-edit-desk');
  await desk.page.getByRole('button', { name: 'Done' }).click();
  await expect(desk.page.getByRole('region', { name: 'Pages of the file' })).toContainText('Isolate every source');
  await desk.goOnline();
  await expect(desk.page.getByRole('link', { name: /Up to date/ }).first()).toBeVisible();
  await judge(desk, 'policy-file-read-desk');
  await bringInForce(desk.page, approver.page, 'Lockout rules');

  const worker = new FieldWorker(field, server.url);
  await worker.prepareForNoSignal();
  await worker.openAndHear('/policies');
  await field.page.getByText('Published', { exact: true }).first().click();
  await expect(field.page.getByRole('link', { name: /Lockout rules/ })).toBeVisible();
  await expect.poll(() => keptFiles(field.page)).toBe(1);
  await field.goOffline();
  await field.page.getByRole('link', { name: /Lockout rules/ }).click();
  await heading(field.page, 'Lockout rules');
  await expect(field.page.getByRole('region', { name: 'Pages of the file' })).toContainText('Isolate every source');
  await judge(field, 'policy-file-read');
  await field.page.getByLabel('Page', { exact: true }).fill('3');
  await field.page.getByRole('button', { name: 'Go to page' }).click();
  await expect(field.page.getByText('The last one out takes the last lock off.')).toBeVisible();
  await field.page.getByRole('button', { name: 'Larger' }).click();
  await expect(field.page.getByText('150%')).toBeVisible();
  await judge(field, 'policy-file-zoomed');
  await field.page.getByRole('button', { name: 'Smaller' }).click();
  for (const number of [1, 2, 3])
    await field.page.locator(`#page-${number} [data-section-end]`).scrollIntoViewIfNeeded();
  await expect(field.page.getByText('3 of 3 pages seen')).toBeVisible();
  await field.page.getByText('Text only').click();
  await expect(field.page.getByText('Nobody trusts a lock they have not tried.')).toBeVisible();
  await judge(field, 'policy-file-words');
  await sign(field.page);
  await expect(field.page.getByText('not received yet')).toBeVisible();
  await expect(field.page.getByText('3 / 3')).toBeVisible();
  await field.goOnline();
  await expect(field.page.getByText('not received yet')).toBeHidden();

  const facts = new ServerFacts(server);
  const [word] = await facts.rows(
    'policy_acknowledgements',
    'certificate_code=not.is.null&order=received_at.desc&limit=1',
  );
  const [version] = await facts.rows('policy_versions', `id=eq.${String(word?.['version_id'])}`);
  const sha256 = Buffer.from(await crypto.subtle.digest('SHA-256', new Uint8Array(bytes))).toString('hex');
  expect(version?.['file']).toMatchObject({ sha256, pages: 3 });
  expect(word?.['content_hash']).toBe(version?.['content_hash']);
  const visitor = await phone(undefined, false);
  await visitor.page.goto(`${server.url}/verify/${String(word?.['certificate_code'])}`);
  await expect(visitor.page.getByText(String(word?.['content_hash']), { exact: true })).toBeVisible();
  expect([...visitor.console, ...field.console, ...approver.console, ...desk.console]).toEqual([]);
});

/** Files that lie on this device for good and whole. */
const keptFiles = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open('cairn_mobile');
        opening.addEventListener('error', () => reject(opening.error));
        opening.addEventListener('success', () => {
          const reading = opening.result.transaction('meta').objectStore('meta').getAll();
          reading.addEventListener('success', () => {
            opening.result.close();
            const heads = (reading.result as { name: string; value: { have: number; size: number } }[]).filter(each =>
              each.name.startsWith('held/'),
            );
            resolve(heads.filter(({ value }) => value.have === value.size).length);
          });
        });
      }),
  );

test('a Word file is read in the look of every policy: nothing in it runs, and it is signed', async () => {
  const desk = await phone(DESKTOP, false);
  const approver = await phone(undefined, false);
  const field = await phone(undefined, false);
  await signIn(desk.page, server.url, 'manager');
  await signIn(approver.page, server.url, 'admin');
  await signIn(field.page, server.url, 'worker');
  await desk.page.goto(`${server.url}/policies`);
  await heading(desk.page, 'Policy Statements');
  const sections = [
    ['Before', 'Tie on. <img src=x onerror=document.title=1>'],
    ['Up there', 'Two of you watch each other.'],
  ] as const;
  const buffer = wordOf(sections, "javascript:document.title='ran'");
  await upload(desk.page, { name: 'Heights.docx', mimeType: WORD_MIME, buffer }, /Heights\.docx/);
  await desk.page.getByRole('button', { name: 'Save as draft' }).click();
  await heading(desk.page, 'Heights');
  await desk.page.getByRole('button', { name: 'Done' }).click();
  await expect(desk.page.getByRole('heading', { name: 'Up there' })).toBeVisible();
  await expect(desk.page.getByRole('link', { name: /Up to date/ }).first()).toBeVisible();
  await judge(desk, 'policy-word-read-desk');
  await bringInForce(desk.page, approver.page, 'Heights');

  await field.page.goto(`${server.url}/policies`);
  await field.page.getByText('Published', { exact: true }).first().click();
  // Found by its words, which stand in the file.
  await field.page.getByLabel('Search titles and texts').fill('watch each other');
  await field.page.getByRole('link', { name: /Heights/ }).click();
  await expect(field.page.getByText('Two of you watch each other.')).toBeVisible();
  await judge(field, 'policy-word-read');
  await expect(field.page.getByRole('link', { name: 'More of it' })).toHaveCount(0);
  await field.page.getByText('More of it').click();
  await sign(field.page);
  await expect(field.page.getByText('not received yet')).toBeHidden();
  expect(await field.page.title()).not.toContain('ran');
  expect([...field.console, ...approver.console, ...desk.console]).toEqual([]);
});
