import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import { readFormFiles } from '@cairn/core/import/form-files.ts';
import { FieldWorker, PHOTO, signIn } from './people/field-worker.ts';
import { BROKEN_CHECK, chosen, chosenWithPicture, chosenWorkbook, LADDER_CHECK } from './people/ladder-check.ts';
import { LARGE_FORM } from './people/large-form.ts';
import { DESKTOP, Phone } from './rig/phone.ts';
import { ROOT } from './rig/root.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';
import { choose } from './rig/choose.ts';

let server: ServerProcess;
let facts: ServerFacts;
let desk: Phone;

test.beforeAll(async () => {
  server = await ServerProcess.start();
  facts = new ServerFacts(server);
  desk = await Phone.open(DESKTOP, { keepsApp: false });
  await signIn(desk.page, server.url, 'manager');
});

test.afterAll(async () => {
  await desk.close();
  await server.stop();
});

test.afterEach(async () => {
  await desk.screenshot('desk');
});

type File = ReturnType<typeof chosen> | string;
type Files = File | ReturnType<typeof chosen>[];

async function openImport() {
  const { page } = desk;
  await page.goto(`${server.url}/field/forms`);
  await page.getByRole('button', { name: 'Import a form' }).first().click();
  return page.getByRole('dialog');
}

/** The import sheet with this file read in it. */
async function readIn(file: Files) {
  const sheet = await openImport();
  await sheet.locator('input[type=file]').setInputFiles(file);
  return sheet;
}

async function expectRefused(file: File, why: RegExp): Promise<void> {
  const before = await facts.rows('forms', 'select=id&order=id');
  const sheet = await readIn(file);
  await expect(sheet.getByText('This file cannot be imported')).toBeVisible();
  await expect(sheet.getByRole('listitem').filter({ hasText: why })).toBeVisible();
  await expect(sheet.getByRole('button', { name: /^Import/ })).toHaveCount(0);
  await expect(desk.page.getByText('Up to date').first()).toBeAttached();
  expect(await facts.rows('forms', 'select=id&order=id')).toEqual(before);
}

test('a form from a workbook reaches the phone by itself and is answered to its end', async () => {
  const worker = new FieldWorker(await Phone.open(), server.url);
  try {
    await signIn(worker.page, server.url, 'worker');
    await expect(worker.syncBadge).toContainText('Up to date');
    await worker.openForms();
    await expect(worker.page.getByText('Ladder check')).toHaveCount(0);

    const sheet = await readIn(chosenWithPicture('ladders.xlsx', LADDER_CHECK, PHOTO));
    await expect(sheet.getByText('1 of 1 answer picture added')).toBeVisible();
    await expect(sheet.getByText('1 item could not be imported as written')).toBeVisible();
    await expect(sheet.getByRole('listitem').filter({ hasText: /^survey row 8/ })).toContainText('background-audio');
    await expect(sheet.getByText('4 questions')).toBeVisible();
    await sheet.getByRole('button', { name: 'Import and publish' }).click();

    await worker.page.getByRole('button', { name: /^Ladder check/ }).click();
    await answerLadderCheck(worker);
    const [form] = await facts.rows('forms', 'name=eq.Ladder check');
    await expect
      .poll(() => facts.rows('inspections', `form_id=eq.${form?.id}`))
      .toMatchObject([{ status: 'finalised' }]);
    const [inspection] = await facts.rows('inspections', `form_id=eq.${form?.id}`);
    const answers = await facts.rows('inspection_answers', `inspection_id=eq.${inspection?.id}`);
    expect(Object.fromEntries(answers.map(({ question, value }) => [question, value]))).toEqual({
      'ladder.number': 'L-17',
      'ladder.rungs': 12,
      'ladder.state': 'damaged',
      'ladder.damage': 'The third rung is split',
    });
    expect([...worker.phone.console, ...desk.console]).toEqual([]);
  } finally {
    await worker.phone.screenshot('worker');
    await worker.phone.close();
  }
});

async function answerLadderCheck(worker: FieldWorker): Promise<void> {
  const { page } = worker;
  await choose(page.getByRole('radio', { name: /No asset/ }));
  await page.getByRole('dialog').getByRole('button', { name: 'Start inspection' }).click();
  await type(page, 'Number on the ladder', 'L-17');
  await worker.next();
  await type(page, 'How many rungs?', '1');
  await expect(page.getByText('Between 2 and 40 rungs')).toBeVisible();
  await type(page, 'How many rungs?', '12');
  await expect(page.getByText('Between 2 and 40 rungs')).toHaveCount(0);
  await worker.next();

  // Whether the last question is asked hangs on this one.
  await choose(page.getByRole('radio', { name: 'Good' }));
  await expect(page.getByRole('button', { name: 'Review and finish' })).toBeVisible();
  // The picture came with the form; the phone asks nobody for it.
  const picture = page.locator('label', { hasText: 'Damaged' }).locator('img');
  await expect.poll(() => picture.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBeGreaterThan(20);
  await worker.phone.screenshot('choices-with-pictures');
  await choose(page.getByRole('radio', { name: 'Damaged' }));
  await worker.next();
  await type(page, 'What is damaged?', 'The third rung is split');
  await page.getByRole('button', { name: 'Review and finish' }).click();
  await worker.sign();
  await page.getByRole('button', { name: 'Finish inspection' }).click();
  await expect(page.getByText('No corrective actions were needed.')).toBeVisible();
  await expect(page.locator('.report-answer', { hasText: 'What state is it in?' }).locator('img')).toBeVisible();
}

async function type(page: Page, question: string, words: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name: question })).toBeVisible();
  const box = page.getByRole('main').getByRole('textbox', { name: question });
  await box.fill(words);
  await box.blur();
}

test('a text file called .xlsx is refused and creates nothing', async () => {
  const file = chosen('ladders.xlsx', 'type,name,label\ntext,number,Number on the ladder\n');
  await expectRefused(file, /^This file is not an Excel workbook \(\.xlsx, \.xls\)\.$/);
});

test('a formula that means nothing is refused with its row and column, and creates nothing', async () => {
  await expectRefused(chosenWorkbook('broken.xlsx', BROKEN_CHECK), /^survey row 3, calculation: .*double/);
});

test('a workbook of 2 MB is read in seconds, under the headers the app is served with, and its form arrives', async () => {
  const file = chosenWorkbook('towns.xlsx', LARGE_FORM);
  expect(file.buffer.length).toBeGreaterThan(2_000_000);
  const sheet = await readIn(file);
  await expect(sheet.getByText('Everything can be imported')).toBeVisible({ timeout: 60_000 });
  await expect(sheet.getByText('1 question', { exact: false })).toBeVisible();
  await sheet.getByRole('button', { name: 'Import and publish' }).click();
  const arrived = async () => {
    const [form] = await facts.rows('forms', 'name=eq.towns');
    return form ? facts.rows('form_versions', `select=version&form_id=eq.${form.id}`) : [];
  };
  await expect.poll(arrived).toMatchObject([{ version: 1 }]);
  // A worker that our own policy refused would have said so here.
  expect(desk.console).toEqual([]);
});

test('lists and pictures are chosen together with the form that needs them', async () => {
  const form = chosenWorkbook('places.xlsx', {
    survey: [
      ['type', 'name', 'label'],
      ['select_one_from_file places.csv', 'p', 'Place'],
    ],
  });
  const list = chosen('places.csv', 'name,label\ngate,At the gate\nyard,In the yard\n');
  await expectRefused(form, /choose that file together with the form/);
  const sheet = await readIn([form, list]);
  await expect(sheet.getByText('Everything can be imported')).toBeVisible();
  await expect(sheet.getByText('At the gate')).toBeVisible();
});

test('a file of another kind says where it belongs', async () => {
  await expectRefused(
    chosen('catalog.json', '{"catalog":{"uuid":"x"}}'),
    /OSCAL catalogue: import it under Frameworks/,
  );
});

const COMMON_FORMS = join(ROOT, '../shared/data/xlsforms');

if (existsSync(COMMON_FORMS)) {
  test('forms in use elsewhere: group.xlsx is imported, bad_calc.xlsx refused where it is wrong', async () => {
    await expectRefused(join(COMMON_FORMS, 'bad_calc.xlsx'), /^survey row \d+, calculation: /);
    const before = await facts.rows('forms', 'select=id');
    const sheet = await readIn(join(COMMON_FORMS, 'group.xlsx'));
    await sheet.getByRole('button', { name: 'Import and publish' }).click();
    await expect(sheet).toHaveCount(0);
    await expect.poll(async () => (await facts.rows('forms', 'select=id')).length).toBe(before.length + 1);
  });
} else {
  process.stdout.write(`There is no ${COMMON_FORMS}: the forms in use elsewhere are not tried.\n`);
}

const DATA = join(ROOT, '../shared/data');

if (existsSync(DATA)) {
  test('forms others wrote or had trouble with get the same verdict through the file input as at the desk', async () => {
    test.setTimeout(300_000);
    const sheet = await openImport();
    for (const path of filesOf(['cases', 'xlsforms', 'xforms'], /\.(xlsx|xls|xml)$/)) {
      const name = basename(path);
      const desk = await readFormFiles([{ name, bytes: new Uint8Array(readFileSync(path)) }]);
      // Beside it there may be one for the pictures of choices.
      await sheet.locator('input[accept*=".xlsx"]').setInputFiles(path);
      const verdict = desk.result.ok
        ? sheet.getByRole('button', { name: 'Import and publish' })
        : sheet.getByText('This file cannot be imported');
      await expect(verdict, path).toBeVisible({ timeout: 30_000 });
    }
  });

  test('policies, a catalogue and a plan others wrote are taken over by the file inputs of their pages', async () => {
    const { page } = desk;
    const policies = filesOf(['policies'], /\.md$/);
    await page.goto(`${server.url}/policies`);
    await page.getByRole('button', { name: 'Import Markdown' }).first().click();
    const sheet = page.getByRole('dialog');
    await sheet.locator('input[type=file]').setInputFiles(policies);
    const before = await facts.rows('policies', 'select=id');
    await sheet.getByRole('button', { name: `Create ${policies.length} drafts` }).click();
    await expect(sheet).toBeHidden();
    await expect.poll(() => facts.rows('policies', 'select=id')).toHaveLength(before.length + policies.length);

    const oscal = filesOf(['oscal'], /\.json$/);
    await page.goto(`${server.url}/policies/frameworks`);
    await page.getByRole('button', { name: 'Import framework' }).click();
    await sheet.locator('input[type=file]').setInputFiles(oscal.filter(each => each.includes('catalog')));
    await expect(sheet.getByText('149 controls in 18 families')).toBeVisible();
    await sheet.getByRole('button', { name: 'Import framework' }).click();
    await expect(sheet).toBeHidden({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Import plan' }).click();
    await sheet.locator('input[type=file]').setInputFiles(oscal.filter(each => each.includes('plan')));
    await expect(sheet.getByText('2 new corrective actions')).toBeVisible();
    await sheet.getByRole('button', { name: 'Import plan' }).click();
    await expect(sheet).toBeHidden();
    await expect(page.getByText('Up to date').first()).toBeAttached();
    expect(desk.console).toEqual([]);
  });
} else {
  process.stdout.write(`There is no ${DATA}: what others wrote is not tried.\n`);
}

/** Files in these folders of `DATA`, and in the folders in those. */
function filesOf(folders: readonly string[], names: RegExp): string[] {
  return folders.flatMap(folder =>
    readdirSync(join(DATA, folder), { recursive: true, encoding: 'utf8' })
      .filter(name => names.test(name))
      .toSorted()
      .map(name => join(DATA, folder, name)),
  );
}
