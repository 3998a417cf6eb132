import { expect, test, type Page } from '@playwright/test';
import { FieldWorker, signIn } from './people/field-worker.ts';
import { expectAccessible } from './rig/axe.ts';
import { cutOff } from './rig/cut-off.ts';
import { DESKTOP, Phone } from './rig/phone.ts';
import { ServerProcess } from './rig/server-process.ts';

let server: ServerProcess;
const phones: Phone[] = [];

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

const heading = (page: Page, name: string | RegExp) =>
  expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
/** Pictured for whoever reads the results; judged by axe, and for what is cut off. */
async function judge(device: Phone, name: string): Promise<void> {
  // A message that came up under the pointer stays as long as the pointer does.
  await device.page.mouse.move(0, 0);
  await device.screenshot(name);
  await expectAccessible(device.page, name);
  await expect.poll(() => cutOff(device.page), name).toEqual([]);
}

const TITLE = 'Lone work';

/** Two questions beside the words: one choice, and a statement that is false. */
async function writeQuiz(page: Page): Promise<void> {
  const quiz = page.getByRole('region', { name: 'Quiz' });
  await quiz.getByRole('button', { name: 'Add a question' }).click();
  const first = quiz.getByRole('group', { name: 'Question 1' });
  await first.getByLabel('Question text').fill('Whom do you call first?');
  await first.getByLabel('Choice 1', { exact: true }).fill('The control room');
  await first.getByLabel('Choice 2', { exact: true }).fill('A friend');
  await first.getByText('Choice 1 is correct').click({ force: true });
  await first.getByLabel('Explanation, shown after the answer').fill('The control room knows where you are.');
  await first.getByLabel('Section to read again').selectOption('Calling');
  await quiz.getByRole('button', { name: 'Add a question' }).click();
  const second = quiz.getByRole('group', { name: 'Question 2' });
  await second.getByLabel('Question type').selectOption({ label: 'True or false' });
  await second.getByLabel('Statement').fill('Below ground you may go alone.');
  await second.getByText('False', { exact: true }).click();
  await expect(quiz.getByText(/Not finished/)).toHaveCount(0);
}

/** What the text names stands for nothing until it is said, in the list that also inserts it. */
async function sayHotline(desk: Phone): Promise<void> {
  const { page } = desk;
  await expect(page.getByText('Line 3:')).toBeVisible();
  await judge(desk, 'policy-variable-lacks-desk');
  await page.getByRole('button', { name: 'Variables' }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByLabel('New variable').fill('hotline');
  await sheet.getByLabel('Value', { exact: true }).fill('555 0100');
  await sheet.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(sheet.getByRole('button', { name: 'Insert hotline' })).toBeVisible();
  await judge(desk, 'policy-variables-desk');
  await sheet.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByText('Call 555 0100.')).toBeVisible();
  await expect(page.getByText('Line 3:')).toHaveCount(0);
}

test('pain 17 a quiz and a variable are written with a policy and asked for; who has no signal answers wrong, reads again, answers right and signs, and the report says so', async () => {
  const desk = await phone(DESKTOP, false);
  const approver = await phone(undefined, false);
  const field = await phone();
  await desk.page.emulateMedia({ colorScheme: 'dark' });
  await signIn(desk.page, server.url, 'manager');
  await signIn(approver.page, server.url, 'admin');
  await signIn(field.page, server.url, 'worker');

  await desk.page.getByRole('link', { name: 'Policy Statements' }).first().click();
  await heading(desk.page, 'Policy Statements');
  await desk.page.getByRole('button', { name: 'New policy' }).click();
  await desk.page.getByRole('dialog').getByLabel('Title').fill(TITLE);
  await desk.page.getByRole('button', { name: 'Start writing' }).click();
  await heading(desk.page, TITLE);
  await desk.page
    .getByLabel('Text in Markdown')
    .fill('## Calling\n\nCall {{hotline}}.\n\n## Below ground\n\nNever alone.\n');
  await sayHotline(desk);
  await writeQuiz(desk.page);
  await expect(desk.page.getByText('Saved on this device')).toBeVisible();
  await judge(desk, 'policy-quiz-edit-desk');
  await desk.page.getByRole('group', { name: 'Question 1' }).scrollIntoViewIfNeeded();
  await desk.screenshot('policy-quiz-edit-top-desk');
  await desk.page.getByRole('button', { name: 'Done' }).click();
  await expect(desk.page.getByText('Whom do you call first?')).toBeVisible();
  await expect(desk.page.getByRole('link', { name: /Up to date/ }).first()).toBeVisible();
  await desk.page.getByRole('button', { name: 'Send for approval' }).click();
  await expect(desk.page.getByRole('dialog').getByText('Alex Admin').first()).toBeVisible();
  await desk.page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click();
  await expect(desk.page.getByText('In review')).toBeVisible();

  await approver.page.goto(`${server.url}/policies`);
  await heading(approver.page, 'Policy Statements');
  await approver.page.getByText('Drafts', { exact: true }).click();
  await approver.page.getByRole('link', { name: new RegExp(TITLE) }).click();
  await heading(approver.page, TITLE);
  await judge(approver, 'policy-quiz-approve');
  await approver.page.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(approver.page.getByText(/Alex Admin approved/)).toBeVisible();

  await desk.page.getByRole('button', { name: 'Publish as 1.0' }).click();
  await desk.page.getByRole('alertdialog').getByRole('button', { name: 'Publish as 1.0' }).click();
  await desk.page.getByRole('button', { name: 'Request acknowledgement' }).click();
  await expect(desk.page.getByRole('switch', { name: 'People must pass the quiz before they sign' })).toBeChecked();
  await judge(desk, 'policy-quiz-ask-desk');
  await desk.page.getByRole('dialog').getByRole('button', { name: 'Send request' }).click();
  await expect(desk.page.getByText('Everyone · 14 days · quiz: all correct')).toBeVisible();

  const worker = new FieldWorker(field, server.url);
  await worker.prepareForNoSignal();
  await worker.openAndHear('/policies');
  await heading(field.page, 'Policy Statements');
  await field.page.getByRole('link', { name: new RegExp(TITLE) }).click();
  await heading(field.page, TITLE);
  await field.goOffline();
  const signs = field.page.getByRole('button', { name: 'Acknowledge version 1.0' });
  await field.page.getByText('A friend').click();
  await field.page.getByText('False', { exact: true }).click();
  await expect(signs).toHaveCount(0);
  await field.page.getByRole('button', { name: 'Check my answers' }).click();
  await expect(field.page.getByText('The control room knows where you are.')).toBeVisible();
  await judge(field, 'policy-quiz-wrong');
  await field.page.getByRole('link', { name: 'Read again: Calling' }).click();
  await expect(field.page.getByText('Call 555 0100.')).toBeInViewport();
  await expect(signs).toHaveCount(0);
  await field.page.getByText('The control room', { exact: true }).click();
  await field.page.getByRole('button', { name: 'Check again' }).click();
  await expect(field.page.getByText('Quiz passed · 2 of 2 correct · 2 attempts')).toBeVisible();
  await field.page.getByText('I have read this and will follow it').click();
  await field.page.getByLabel('Your full name').fill('Sam Worker');
  await judge(field, 'policy-quiz-passed');
  await signs.click();
  await expect(field.page.getByText('not received yet')).toBeVisible();
  await field.goOnline();
  await expect(field.page.getByText('not received yet')).toBeHidden();
  await judge(field, 'policy-quiz-proof');

  await desk.page.getByRole('link', { name: 'Acknowledgements' }).click();
  await heading(desk.page, 'Acknowledgements');
  await expect(desk.page.getByText(/Quiz passed · 2 of 2 correct · 2 attempts/)).toBeVisible();
  await judge(desk, 'policy-quiz-report-desk');
  expect([...field.console, ...approver.console, ...desk.console]).toEqual([]);
});
