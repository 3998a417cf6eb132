import { readFileSync } from 'node:fs';
import { expect, test, type Locator } from '@playwright/test';
import { FieldWorker, signIn } from './people/field-worker.ts';
import { expectAccessible } from './rig/axe.ts';
import { DESKTOP, Phone } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';

const BRAKE = /parking brake/i;

let server: ServerProcess;
let facts: ServerFacts;
/** The same inspector with a phone and a tablet, and who reviews. */
let sam: FieldWorker;
let tablet: FieldWorker;
let mara: FieldWorker;

test.beforeAll(async () => {
  server = await ServerProcess.start();
  facts = new ServerFacts(server);
  sam = new FieldWorker(await Phone.open(), server.url);
  tablet = new FieldWorker(await Phone.open(), server.url);
  mara = new FieldWorker(await Phone.open(DESKTOP), server.url);
  await signIn(sam.page, server.url, 'worker');
  await signIn(tablet.page, server.url, 'worker');
  await signIn(mara.page, server.url, 'manager');
  for (const person of [sam, tablet, mara]) await person.prepareForNoSignal();
});

test.afterAll(async () => {
  for (const person of [sam, tablet, mara]) await person.phone.close();
  await server.stop();
});

test.afterEach(async () => {
  await sam.phone.screenshot('sam');
  await tablet.phone.screenshot('tablet');
  await mara.phone.screenshot('mara');
});

const commentsAt = (person: FieldWorker): Locator =>
  person.page.getByRole('region', { name: /^Comments on .*parking brake/i });

async function say(person: FieldWorker, words: string): Promise<void> {
  const place = commentsAt(person);
  await place.getByRole('button', { name: /^(Comment|Reply)$/ }).click();
  await place.getByRole('textbox', { name: 'Your comment' }).fill(words);
  await place.getByRole('button', { name: 'Post comment' }).click();
  // Until it is kept the words stand in the field, which is text too, and for a moment in both.
  await expect(place.getByRole('textbox')).toHaveCount(0);
  await expect(place.getByText(words)).toBeVisible();
}

async function decide(act: 'Approve' | 'Send back' | 'Reject', word?: string): Promise<void> {
  await mara.page.getByRole('region', { name: 'Review' }).getByRole('button', { name: act }).click();
  const dialog = mara.page.getByRole('dialog');
  if (word) await dialog.getByRole('textbox').fill(word);
  await dialog.getByRole('button', { name: act }).click();
  await expect(dialog).toBeHidden();
}

const statusOf = async (id: string) => (await facts.rows('inspections', `id=eq.${id}`))[0];

test('a review goes round: sent back with a comment at its question, corrected with no signal, approved, printed', async () => {
  const id = await sam.openTodaysCheck();
  await sam.answerAll();
  await sam.signAndFinish();
  await expect.poll(() => statusOf(id)).toMatchObject({ status: 'finalised', round: 1 });

  await mara.open('/field/reviews');
  await mara.page.getByRole('main').locator(`a[href$="/field/${id}"]`).click();
  await expect(mara.page).toHaveURL(new RegExp(`/field/${id}$`));
  await say(mara, 'Which wheel does it drag on?');
  await decide('Send back');
  await expect.poll(() => statusOf(id)).toMatchObject({ status: 'has_issues' });

  await expect(sam.page.getByText('Sent back to you')).toBeVisible();
  await sam.phone.goOffline();
  // The banner leads to the question that was commented on.
  await sam.page.getByRole('alert').getByRole('button', { name: BRAKE }).click();
  await expect(sam.page.getByRole('alert').getByRole('button', { name: BRAKE })).toHaveCount(0);
  await expect(commentsAt(sam).getByText('Which wheel does it drag on?')).toBeVisible();
  await sam.phone.screenshot('sent-back-question');
  await sam.page.getByLabel('Note').fill('It drags on the left rear wheel.');
  await sam.page.getByLabel('Note').blur();
  await expect(sam.page.getByText('Saved on this device', { exact: true }).first()).toBeVisible();
  await commentsAt(sam).getByRole('button', { name: 'Mark as resolved' }).click();
  await expect(commentsAt(sam).getByText(/^Resolved by /)).toBeVisible();
  await sam.page.getByRole('button', { name: /^All \d+$/ }).click();
  await sam.page.getByRole('dialog').getByRole('button', { name: 'Review and finish' }).click();
  await sam.signAndFinish();
  await expect(sam.page.getByText('Not sent yet. It is saved on this device.', { exact: false })).toBeVisible();
  expect(await statusOf(id)).toMatchObject({ status: 'has_issues' });

  const download = sam.page.waitForEvent('download');
  await sam.page.getByRole('button', { name: 'Save as PDF' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^Forklift 3 pre-use check\.pdf$/);
  const bytes = readFileSync(await file.path());
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
  expect(bytes.length).toBeGreaterThan(20_000);

  await sam.phone.goOnline();
  await expect.poll(() => statusOf(id)).toMatchObject({ status: 'finalised', round: 2 });
  await expect(mara.page.getByText('Round 2')).toBeVisible();
  const brakes = mara.page.getByRole('region', { name: 'Brakes and steering' });
  await expect(brakes.getByText('Changed since the review')).toBeVisible();
  // The signature was drawn anew over what was corrected.
  await expect(mara.page.getByText('Sam Worker signed again')).toBeVisible();
  await expect(mara.page.getByText('It drags on the left rear wheel.').first()).toBeVisible();
  await decide('Approve');
  await expect.poll(() => statusOf(id)).toMatchObject({ status: 'approved' });
  await expect(sam.page.getByText('Approved').first()).toBeVisible();
  await expect(sam.page.getByText(/sent it back/)).toBeVisible();
  // A request that was under way when the signal went is told by the browser itself.
  const told = [...sam.phone.console, ...mara.phone.console].filter(
    line => !line.includes('ERR_INTERNET_DISCONNECTED'),
  );
  expect(told).toEqual([]);
});

/** Begins another check of Forklift 2; answers its id once the server knows it. */
async function beginAnother(): Promise<string> {
  await sam.openForms();
  await sam.page.getByRole('button', { name: /Forklift pre-use check/ }).click();
  await sam.page.getByText('Forklift 2', { exact: true }).click();
  await sam.page.getByRole('dialog').getByRole('button', { name: 'Start inspection' }).click();
  await expect(sam.page).toHaveURL(/\/field\/[0-9a-f-]{36}$/);
  const id = /[0-9a-f-]{36}/.exec(sam.page.url())?.[0] ?? '';
  await expect.poll(() => statusOf(id)).toMatchObject({ status: 'in_progress' });
  return id;
}

/** The screen of today, pictured for whoever reads the results. */
async function picture(person: FieldWorker, name: string): Promise<void> {
  await person.phone.screenshot(name);
  await person.page.emulateMedia({ colorScheme: 'dark' });
  await person.phone.screenshot(`${name}-dark`);
  await person.page.emulateMedia({ colorScheme: 'light' });
}

test('work that comes after the inspection was rejected is shown and kept, and changes nothing', async () => {
  const id = await beginAnother();

  await tablet.open(`/field/${id}`);
  // Until it has arrived there is a heading too, of a screen that says so.
  await expect(tablet.page.getByRole('button', { name: 'Next question' })).toBeVisible();
  // The message lies over the answers, for six seconds from the moment the signal goes.
  await Promise.all([expect(tablet.page.getByText('Connection Lost')).toBeVisible(), tablet.phone.goOffline()]);
  await expect(tablet.page.getByText('Connection Lost')).toBeHidden();
  await tablet.answerAll();

  // More than one thing may be due.
  await expect(sam.page.getByText('is due soon')).toHaveCount(0);
  await sam.answerAll();
  await sam.signAndFinish();
  await expect.poll(() => statusOf(id)).toMatchObject({ status: 'finalised' });
  await mara.open(`/field/${id}`);
  await decide('Reject', 'The wrong truck was checked.');
  await expect.poll(() => statusOf(id)).toMatchObject({ status: 'rejected' });
  const before = await facts.rows('inspection_answers', `inspection_id=eq.${id}&order=question`);

  await tablet.signAndFinish();
  await tablet.phone.goOnline();
  // Also where both said the same: what was finished on one phone takes nothing of another.
  await expect(tablet.page.getByText('Changes from this device arrived too late')).toBeVisible();
  const after = await facts.rows('inspection_answers', `inspection_id=eq.${id}&order=question`);
  expect(after).toEqual(before);
  expect(await statusOf(id)).toMatchObject({ status: 'rejected' });
  await expect(
    tablet.page.getByText('It is saved on this device. Cairn sends it once you are online.', { exact: false }),
  ).toHaveCount(0);
  await tablet.page.getByRole('link', { name: 'View refused items' }).click();
  await expect(tablet.page).toHaveURL(/\/sync$/);
  // Nobody is asked to choose over what was signed: it is kept here, with why.
  const refused = tablet.page.getByRole('region', { name: 'Refused by the server' });
  await expect(
    refused.getByText('This was finished or decided before your change arrived', { exact: false }).first(),
  ).toBeVisible();
  await expect(tablet.page.getByText('Two versions')).toHaveCount(0);
  await expect(tablet.page.getByRole('heading', { name: 'Needs you' })).toBeVisible();
});

test('a correction made with no signal that comes after the approval: approved is said, and what was refused is kept until let go', async () => {
  const id = await beginAnother();
  await sam.answerAll();
  await sam.signAndFinish();
  await expect.poll(() => statusOf(id)).toMatchObject({ status: 'finalised' });
  await mara.open(`/field/${id}`);
  await say(mara, 'Which wheel does it drag on?');
  await decide('Send back');
  await expect(sam.page.getByText('Sent back to you')).toBeVisible();
  await sam.phone.goOffline();
  await sam.page.getByRole('alert').getByRole('button', { name: BRAKE }).click();
  await sam.page.getByLabel('Note').fill('It drags on the left rear wheel.');
  await sam.page.getByLabel('Note').blur();
  await expect(sam.page.getByText('Saved on this device', { exact: true }).first()).toBeVisible();
  await decide('Approve');
  await expect.poll(() => statusOf(id)).toMatchObject({ status: 'approved' });
  const before = await facts.rows('inspection_answers', `inspection_id=eq.${id}&order=question`);

  await sam.page.getByRole('button', { name: /^All \d+$/ }).click();
  await sam.page.getByRole('dialog').getByRole('button', { name: 'Review and finish' }).click();
  await sam.signAndFinish();
  await sam.phone.goOnline();
  await expect(sam.page.getByText('Changes from this device arrived too late')).toBeVisible();
  await expect(
    sam.page.getByText('On the server, the inspection is unchanged: Approved.', { exact: false }),
  ).toBeVisible();
  await expect(sam.page.getByText('On this device only', { exact: true })).toBeVisible();
  await expect(
    sam.page.getByText('It is saved on this device. Cairn sends it once you are online.', { exact: false }),
  ).toHaveCount(0);
  await expect(sam.page.getByText('Saved on this device', { exact: true })).toHaveCount(0);
  await expectAccessible(sam.page, 'a report with late work');
  await picture(sam, 'late-report');
  expect(await facts.rows('inspection_answers', `inspection_id=eq.${id}&order=question`)).toEqual(before);

  await sam.page.getByRole('link', { name: 'View refused items' }).click();
  const { page } = sam;
  await expect(page.getByRole('heading', { name: '2 items need your decision' })).toBeVisible();
  await expect(page.getByText('Nothing to send. Changes you save appear here', { exact: false })).toBeVisible();
  const refused = page.getByRole('region', { name: 'Refused by the server' });
  // The inspection with its answer, and the action item that its finish changed with it.
  await expect(refused.getByRole('listitem')).toHaveCount(2);
  const inspection = refused.getByRole('listitem').filter({ hasText: 'Forklift 2' });
  await expect(
    refused.getByText('This was finished or decided before your change arrived', { exact: false }).first(),
  ).toBeVisible();
  await expect(refused.getByText('Ask a manager', { exact: false })).toHaveCount(0);
  await inspection.getByText('Details', { exact: true }).click();
  await expect(inspection.getByText(BRAKE)).toBeVisible();
  await expectAccessible(page, 'what was refused');
  await picture(sam, 'late-sync');
  const saving = page.waitForEvent('download');
  await inspection.getByRole('button', { name: 'Save a copy' }).click();
  expect(readFileSync(await (await saving).path(), 'utf8')).toContain('It drags on the left rear wheel.');
  await inspection.getByRole('button', { name: 'Discard all' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
  await expect(refused.getByRole('listitem')).toHaveCount(1);
  await refused.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByRole('heading', { name: 'All changes received' })).toBeVisible();
  await sam.open(`/field/${id}`);
  await expect(page.getByText('Approved').first()).toBeVisible();
  await expect(page.getByText('Changes from this device arrived too late')).toHaveCount(0);
});

test('a schedule plans inspections once each, and takes back what is to come when it pauses', async () => {
  await mara.open('/field/schedules');
  await mara.page.getByRole('button', { name: 'New schedule' }).first().click();
  const sheet = mara.page.getByRole('dialog');
  await sheet.getByRole('button', { name: 'Save schedule' }).click();
  await expect(sheet.getByText('Choose a form.')).toBeVisible();
  await sheet.getByLabel('Form').selectOption({ label: 'Forklift pre-use check' });
  await sheet.getByLabel('Name').fill('Forklift 1 every morning');
  await sheet.getByLabel('Asset').selectOption({ label: 'Forklift 1' });
  await expect(sheet.getByRole('region', { name: 'Next dates' }).getByRole('listitem')).toHaveCount(5);
  await mara.phone.screenshot('schedule-sheet');
  await sheet.getByRole('button', { name: 'Save schedule' }).click();
  await expect(mara.page.getByText('Running')).toBeVisible();

  const planned = () => facts.rows('inspections', 'title=eq.Forklift 1 every morning&deleted_at=is.null&order=due_at');
  await expect.poll(async () => (await planned()).length).toBeGreaterThanOrEqual(34);
  const days = (await planned()).map(row => row['occurs_on']);
  expect(new Set(days).size).toBe(days.length);
  await sam.open('/field');
  await expect(sam.page.getByText('Forklift 1 every morning').first()).toBeVisible();

  await mara.page.getByRole('button', { name: 'Pause' }).click();
  await expect(mara.page.getByText('Paused')).toBeVisible();
  await expect.poll(async () => (await planned()).length).toBe(0);
  await expect(sam.page.getByText('Forklift 1 every morning')).toHaveCount(0);
  expect(mara.phone.console).toEqual([]);
});

test('what went wrong three times is proposed to whoever manages it, dismissed with no signal, and proposed again when it happens once more', async () => {
  const [model] = await facts.rows('action_items', 'title=eq.Eyewash bottle past its date');
  if (!model) throw new Error('the demo data is not there');
  const happens = (title: string) =>
    facts.add('action_items', {
      organization_id: model['organization_id'],
      site_id: model['site_id'],
      playbook_id: model['playbook_id'],
      title,
      source_type: 'manual',
      root_cause: 'Oil on the floor',
      created_by: model['created_by'],
    });
  for (const bay of [1, 2, 3]) await happens(`Somebody slipped in bay ${bay}`);
  const { page } = mara;
  const proposal = (times: number) =>
    page.getByRole('region', { name: `The same cause came up ${times} times in 90 days`, exact: true });
  await mara.open('/action-items');
  await expect(proposal(3).getByRole('listitem')).toHaveCount(3);
  await expectAccessible(page, 'what recurs, in the list');
  await mara.phone.screenshot('recurs-list');
  await proposal(3).getByRole('link', { name: /bay 2/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Somebody slipped in bay 2' })).toBeVisible();
  await mara.phone.goOffline();
  await proposal(3).getByRole('button', { name: 'Dismiss' }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('button', { name: 'Dismiss' }).click();
  await expect(sheet.getByText('Enter a reason.')).toBeVisible();
  await sheet.getByLabel('Reason').fill('The floor is renewed in May');
  await sheet.getByRole('button', { name: 'Dismiss' }).click();
  await expect(page.getByRole('region', { name: 'Recurring problem dismissed' })).toContainText('renewed in May');
  await expect(proposal(3)).toHaveCount(0);
  await mara.phone.goOnline();
  const [slip] = await facts.rows('action_items', 'title=eq.Somebody slipped in bay 2');
  await sam.open(`/action-items/${slip?.id}`);
  await expect(sam.page.getByText('The floor is renewed in May')).toBeVisible();

  await happens('Somebody slipped in bay 4');
  await expect(proposal(4).getByRole('listitem')).toHaveCount(4);
  await expectAccessible(page, 'what recurs, at one of its sources');
  await proposal(4).getByRole('button', { name: 'Change a policy or training' }).click();
  await sheet.getByText('Training', { exact: true }).click();
  await sheet.getByLabel('Title').fill('Slips in the bays');
  await sheet.getByRole('button', { name: 'Create corrective action' }).click();
  await page.getByRole('link', { name: /Change the training: Slips in the bays/ }).click();
  await expect(page.getByRole('region', { name: 'Addresses a recurring problem' }).getByRole('listitem')).toHaveCount(
    4,
  );
  await expectAccessible(page, 'a measure');
  const made = () => facts.rows('action_items', 'title=eq.Change the training: Slips in the bays&kind=eq.corrective');
  await expect.poll(async () => (await made()).length).toBe(1);
  expect(mara.phone.console).toEqual([]);
});
