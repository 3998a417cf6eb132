import { expect, test } from '@playwright/test';
import { FieldWorker, signIn } from './people/field-worker.ts';
import { PHONE, Phone } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';

let server: ServerProcess;
let facts: ServerFacts;
let sam: FieldWorker;

test.beforeAll(async () => {
  server = await ServerProcess.start();
  facts = new ServerFacts(server);
  sam = new FieldWorker(await Phone.open(PHONE), server.url);
  await signIn(sam.page, server.url, 'worker');
  await sam.prepareForNoSignal();
});
test.afterAll(async () => {
  await sam.phone.close();
  await server.stop();
});
test.afterEach(() => sam.phone.screenshot('signed-again'));

const AGAIN = 'Answers changed after this signature. Sign again.';
const statusOf = async (id: string) => (await facts.rows('inspections', `id=eq.${id}`))[0];

const readingOf = async (id: string) =>
  (await facts.rows('inspection_answers', `inspection_id=eq.${id}&question=like.*hour_meter`))[0]?.['value'];

/** Another reading, and back to the review. */
async function correct(id: string, reading: number): Promise<void> {
  const { page } = sam;
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await page.getByRole('button', { name: /^All \d+$/ }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Hour meter/ })
    .click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Hour meter');
  const box = page.getByRole('main').getByRole('textbox').first();
  await box.fill(String(reading));
  await box.blur();
  await expect.poll(() => readingOf(id), { timeout: 30_000 }).toBe(reading);
  await page.getByRole('button', { name: /^All \d+$/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Review and finish' }).click();
}

/** The review asks for another signature, and does not finish before. */
async function expectAskedAgain(id: string, status: string): Promise<void> {
  const { page } = sam;
  await expect(page.getByText(AGAIN).first()).toBeVisible();
  await page.getByRole('button', { name: 'Finish inspection' }).click();
  await expect(page.getByText(AGAIN).first()).toBeVisible();
  await expect(page.getByText('1 corrective action created')).toHaveCount(0);
  expect(await statusOf(id)).toMatchObject({ status });
}

/** Where the press on "Finish" led: to the question that wants the signature. */
async function signAgain(): Promise<void> {
  const { page } = sam;
  await expect(page.locator('canvas')).toBeVisible();
  await sam.sign();
  await expect(page.getByText('Signed.')).toBeVisible();
  await page.getByRole('button', { name: 'Review and finish' }).click();
  await sam.signAndFinish();
}

test('an answer changed after the signature: asked to sign again, not finished before, and the log keeps the former signature', async () => {
  const { page } = sam;
  const id = await sam.openTodaysCheck();
  await sam.answerAll();
  await sam.sign();
  await correct(id, 4300);
  await expectAskedAgain(id, 'in_progress');
  await signAgain();
  await expect.poll(() => statusOf(id)).toMatchObject({ status: 'finalised' });
  const signed = await statusOf(id);

  await facts.change('inspections', id, { status: 'has_issues' });
  await expect(page.getByText('Sent back to you')).toBeVisible();
  await sam.open(`/field/${id}`);
  await page.getByRole('button', { name: /^All \d+$/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Review and finish' }).click();
  await correct(id, 4301);
  await expectAskedAgain(id, 'has_issues');
  await signAgain();
  await expect.poll(() => statusOf(id)).toMatchObject({ status: 'finalised' });
  expect((await statusOf(id))?.['signature']).not.toEqual(signed?.['signature']);
  const log = page.getByRole('region', { name: 'History' });
  await expect(log.getByText(/signed again$/)).toBeVisible();
  await expect(log.getByText(/^Previously signed by Sam Worker, /)).toBeVisible();
  await expect(log.getByRole('img', { name: 'Previous signature of Sam Worker' })).toBeVisible();
});
