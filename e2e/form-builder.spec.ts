import { expect, test, type Page } from '@playwright/test';
import { FieldWorker, PHOTO, signIn } from './people/field-worker.ts';
import { nextTurn } from './rig/next-turn.ts';
import { DESKTOP, Phone } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';
import { choose } from './rig/choose.ts';

let server: ServerProcess;
let facts: ServerFacts;
let mara: Phone;
let sam: FieldWorker;

test.beforeAll(async () => {
  server = await ServerProcess.start();
  facts = new ServerFacts(server);
  mara = await Phone.open(DESKTOP, { keepsApp: false });
  sam = new FieldWorker(await Phone.open(), server.url);
  await signIn(mara.page, server.url, 'manager');
  await signIn(sam.page, server.url, 'worker');
});

test.afterAll(async () => {
  await mara.close();
  await sam.phone.close();
  await server.stop();
});

test.afterEach(async () => {
  await mara.screenshot('mara');
  await sam.phone.screenshot('sam');
});

/** Goes on with Tab until the thing has the focus: nothing here is ever clicked. */
async function tabTo(page: Page, role: 'button' | 'textbox' | 'combobox' | 'checkbox' | 'link', name: string | RegExp) {
  const target = page.getByRole(role, { name, exact: typeof name === 'string' }).first();
  await expect(target).toBeVisible();
  for (let step = 0; step < 120; step += 1) {
    if (await target.evaluate(element => element === document.activeElement)) return target;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the keyboard never came to ${role} ${String(name)}`);
}

async function press(page: Page, role: 'button' | 'link', name: string | RegExp): Promise<void> {
  await tabTo(page, role, name);
  await page.keyboard.press('Enter');
}

/** A question of that kind, its words typed where the caret stands. */
async function addQuestion(page: Page, kind: RegExp, words: string): Promise<void> {
  await press(page, 'button', 'Add a question');
  await expect(page.getByRole('heading', { name: 'What do you want to ask?' })).toBeVisible();
  await press(page, 'button', kind);
  await expect(page.getByRole('textbox', { name: 'Question', exact: true })).toBeFocused();
  await page.keyboard.type(words);
}

/** Chooses an entry of the list that has the focus, as its letters do. */
async function pick(page: Page, name: string, option: string): Promise<void> {
  const select = await tabTo(page, 'combobox', name);
  await page.keyboard.type(option);
  await expect(select.locator('option:checked')).toHaveText(option);
}

const save = (page: Page) => expect(page.getByText('Saved on this device')).toBeVisible();

/** "Ladder check": what is it, do the feet pass (a photo where not), and why not, asked only then. */
async function build(page: Page): Promise<void> {
  await addQuestion(page, /^Text /, 'Which ladder?');
  await addQuestion(page, /^Pass, fail, N\/A /, 'Feet in good order');
  await press(page, 'button', 'Photo, note or corrective action');
  await press(page, 'button', 'Add a follow-up');
  await tabTo(page, 'checkbox', 'A photo is required');
  await page.keyboard.press('Space');
  await addQuestion(page, /^Whole number /, 'How many rungs are worn?');
  await press(page, 'button', 'When to ask');
  await pick(page, 'Depends on', 'Feet in good order');
  await pick(page, 'Value', 'Fail');
  await save(page);
}

/** The last question goes to the first place and back, without a mouse. */
async function order(page: Page): Promise<void> {
  const rows = page.getByRole('list', { name: 'Questions and sections' }).getByRole('listitem');
  await tabTo(page, 'button', 'Move Which ladder?');
  await page.keyboard.press('Space');
  await expect(page.getByText(/^Which ladder\? is (picked up|over position 1 of 3)/)).toBeAttached();
  await nextTurn(page);
  await page.keyboard.press('ArrowDown');
  await expect(page.getByText('Which ladder? is over position 2 of 3.')).toBeAttached();
  await page.keyboard.press('Space');
  await expect(rows.first()).toContainText('Feet in good order');
  await save(page);
}

async function tryOut(page: Page): Promise<void> {
  await page.keyboard.press('Home');
  await press(page, 'button', 'Preview');
  const at = (question: string) => expect(page.getByRole('heading', { level: 1 })).toContainText(question);
  await at('Feet in good order');
  await page.keyboard.press('2');
  await expect(page.getByText('This creates a corrective action')).toBeVisible();
  await expect(page.getByText('Preview: nothing is saved')).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await at('Which ladder?');
  await mara.screenshot('preview');
  await press(page, 'button', 'Back to the form');
}

async function answer(): Promise<void> {
  const { page } = sam;
  await choose(page.getByRole('radio', { name: /No asset/ }));
  await page.getByRole('dialog').getByRole('button', { name: 'Start inspection' }).click();
  const at = (question: string) => expect(page.getByRole('heading', { level: 1 })).toContainText(question);
  await at('Feet in good order');
  await choose(page.getByRole('radio', { name: 'Fail' }));
  await page.getByLabel('Add photo').setInputFiles(PHOTO);
  await expect(page.locator('.photo-strip img')).toHaveCount(1);
  await sam.next();
  await at('Which ladder?');
  await page.getByRole('main').getByRole('textbox').first().fill('L-17');
  await page.getByRole('main').getByRole('textbox').first().blur();
  await sam.next();
  await at('How many rungs are worn?');
}

test('a form is built, put in order, tried out and published by keyboard alone, and answered on a phone', async () => {
  const { page } = mara;
  await page.goto(`${server.url}/field/forms`);
  await press(page, 'button', 'New form');
  await tabTo(page, 'textbox', 'Form name');
  await page.keyboard.type('Ladder check');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/field\/forms\/[0-9a-f-]{36}\/edit$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Ladder check' })).toBeVisible();

  await build(page);
  await mara.screenshot('built');
  await order(page);
  await tryOut(page);
  await press(page, 'button', 'Publish');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('heading', { name: 'Publish this form?' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Publish' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Version 1 is published')).toBeVisible();

  await expect.poll(() => facts.rows('forms', 'name=eq.Ladder check')).toMatchObject([{ state: 'published' }]);
  const [form] = await facts.rows('forms', 'name=eq.Ladder check');
  const versions = await facts.rows('form_versions', `form_id=eq.${form?.id}`);
  expect(versions).toMatchObject([{ number: 1, source: 'builder' }]);

  await sam.openForms();
  await sam.page.getByRole('button', { name: /^Ladder check/ }).click();
  await answer();
  expect([...mara.console, ...sam.phone.console]).toEqual([]);
});
