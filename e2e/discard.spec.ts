import { expect, test } from '@playwright/test';
import { FieldWorker, signIn } from './people/field-worker.ts';
import { expectArrivedOnce } from './people/inspection-proof.ts';
import { expectAccessible } from './rig/axe.ts';
import { PHONE, Phone } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';

let server: ServerProcess;
let facts: ServerFacts;

test.beforeEach(async () => {
  server = await ServerProcess.start();
  facts = new ServerFacts(server);
});
test.afterEach(() => server.stop());

test('what waits of a signed inspection is discarded whole, and done again it arrives once', async () => {
  const worker = new FieldWorker(await Phone.open(PHONE), server.url);
  const { phone, page } = worker;
  try {
    await signIn(page, server.url, 'worker');
    await worker.prepareForNoSignal();
    await phone.goOffline();
    const id = await worker.openTodaysCheck();
    await worker.answerAll();
    await worker.signAndFinish();

    await worker.open('/sync');
    const line = page.getByRole('listitem').filter({ hasText: 'Parking brake does not hold' }).first();
    await line.getByText('Details', { exact: true }).click();
    await line.getByRole('button', { name: 'Discard all' }).click();
    const question = page.getByRole('alertdialog', { name: 'Discard all of this?' });
    await expect(question.getByRole('listitem')).toHaveText([
      'Forklift 3 pre-use check · 1 photo or file, 12 answers',
      'Parking brake does not hold',
      'Photo: Forklift 3 pre-use check',
    ]);
    await expectAccessible(page, 'the question before something is discarded');
    await phone.screenshot('question');
    await question.getByRole('button', { name: 'Discard', exact: true }).click();
    await expect(page.getByText('Offline: nothing to send')).toBeVisible();
    await phone.screenshot('discarded');

    await phone.goOnline();
    await expect(worker.syncBadge).toContainText('Up to date');
    expect(await facts.rows('inspection_answers', `inspection_id=eq.${id}`)).toEqual([]);
    expect(await facts.rows('inspections', `id=eq.${id}`)).toMatchObject([{ status: 'scheduled' }]);

    worker.saved.clear();
    expect(await worker.openTodaysCheck()).toBe(id);
    await phone.goOffline();
    await worker.answerAll();
    await worker.signAndFinish();
    await worker.open('/sync');
    // The receipt of work done without a signal comes at once, of work done with one when the person pauses.
    await phone.goOnline();
    await expect(page.getByText('1 inspection, 1 corrective action, 1 photo')).toBeVisible();
    await expectArrivedOnce(facts, id, worker.saved.size);
    expect(phone.console).toEqual([]);
  } finally {
    await phone.screenshot('end');
    await phone.close();
  }
});
