import { expect, test } from '@playwright/test';
import { FieldWorker, signIn } from './people/field-worker.ts';
import { Phone } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';

let server: ServerProcess;
let facts: ServerFacts;
let first: FieldWorker;
let second: FieldWorker;

test.beforeAll(async () => {
  server = await ServerProcess.start();
  facts = new ServerFacts(server);
  first = new FieldWorker(await Phone.open(), server.url);
  second = new FieldWorker(await Phone.open(), server.url);
  for (const worker of [first, second]) {
    await signIn(worker.page, server.url, 'worker');
    await worker.prepareForNoSignal();
  }
});

test.afterAll(async () => {
  await first.phone.close();
  await second.phone.close();
  await server.stop();
});

test.afterEach(async () => second.phone.screenshot('second-phone'));

/** When each question was answered, as the server has it. */
async function answeredAt(inspection: string): Promise<Record<string, number>> {
  const answers = await facts.rows('inspection_answers', `inspection_id=eq.${inspection}&value=not.is.null`);
  return Object.fromEntries(
    answers.map(({ question, answered_at: at }) => [String(question), Date.parse(String(at))] as const),
  );
}

test('two phones did one inspection with no signal: one card, one choice, and all of it is of one side', async () => {
  for (const worker of [first, second]) await worker.phone.goOffline();
  const id = await first.openTodaysCheck();
  await first.answerAll();
  expect(await second.openTodaysCheck()).toBe(id);
  await second.answerAll();

  for (const worker of [first, second]) await worker.open('/sync');
  await first.phone.goOnline();
  await expect(first.syncBadge).toContainText('Up to date');
  const theirs = await answeredAt(id);
  await second.phone.goOnline();
  await expect(second.syncBadge).toContainText(/\d+ conflicts/);
  await expect.poll(() => second.pendingOnPhone()).toBe(0);
  expect(await answeredAt(id)).toEqual(theirs);

  const cards = second.page.getByRole('region', { name: /^Two versions of / });
  const card = second.page.getByRole('region', { name: /^Two versions of Forklift 3/ });
  await expect(cards).toHaveCount(1);
  await expect(card).toContainText(/\d+ of them have the same answer\. Only the time or the person differs\./);
  await second.phone.screenshot('one-card');
  await card.getByRole('button', { name: 'Decide one by one' }).click();
  await expect(cards.nth(1)).toBeVisible();
  await second.phone.screenshot('one-by-one');

  await card.getByRole('button', { name: 'Keep all of mine' }).click();
  await expect(cards).toHaveCount(0);
  await expect(second.syncBadge).toContainText('Up to date');
  const mine = await answeredAt(id);
  expect(Object.keys(mine)).toEqual(expect.arrayContaining(Object.keys(theirs)));
  // The second phone came to each question after the first had answered it.
  for (const [question, at] of Object.entries(theirs)) expect.soft(mine[question], question).toBeGreaterThan(at);
  expect([...first.phone.console, ...second.phone.console]).toEqual([]);
});
