import { expect, test, type Page } from '@playwright/test';
import { fillSignIn } from './people/field-worker.ts';
import { expectAccessible } from './rig/axe.ts';
import { Phone } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';
import { choose } from './rig/choose.ts';

const MARA = '00000000-0000-4000-8000-000000000002';
const PIA = '00000000-0000-4000-8000-000000000004';
const OPERATED = '00000000-0000-4000-8000-000000000e01';

let server: ServerProcess;
let facts: ServerFacts;
const phones: Phone[] = [];

test.beforeAll(async () => {
  server = await ServerProcess.start();
  facts = new ServerFacts(server);
  const pair = { subject_id: PIA, helper_id: MARA, subject_name: 'Pia Person', helper_name: 'Mara Manager' };
  const role = 'triad_intelligence_operator';
  await facts.add('circle_relationships', { ...pair, id: OPERATED, role });
  for (const [scope, level] of [
    ['goals', 'summary'],
    ['habits', 'summary'],
    ['wellness', 'summary'],
  ]) {
    const grant = { relationship_id: OPERATED, subject_id: PIA, helper_id: MARA, role, scope, level };
    await facts.add('consent_grants', grant);
  }
});

test.afterAll(async () => {
  await server.stop();
});

test.afterEach(async () => {
  for (const phone of phones.splice(0)) {
    await phone.screenshot(`end-${phones.length}`);
    await phone.close();
  }
});

async function open(who: 'person' | 'worker' | 'manager', title: string | RegExp): Promise<Phone> {
  const phone = await Phone.open();
  phones.push(phone);
  const heard = phone.page.waitForEvent('websocket').then(socket => socket.waitForEvent('framereceived'));
  await phone.page.goto(`${server.url}/auth?from=${encodeURIComponent('/triad-intelligence')}`);
  await fillSignIn(phone.page, who);
  await heading(phone.page, title);
  await heard;
  await expect(phone.page.getByRole('link', { name: /Up to date/ }).first()).toBeVisible();
  return phone;
}

const heading = (page: Page, name: string | RegExp) =>
  expect(page.getByRole('heading', { name }).first()).toBeVisible();
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

test('a week is reviewed by the operator, approved line by line, and read with no signal by whom it was sent to', async () => {
  const mara = await open('manager', 'Triad Intelligence');
  await button(mara.page, 'Open the brief').click();
  await expect(mara.page.getByLabel(/^Include: The week was/)).toBeChecked();
  await choose(mara.page.getByLabel(/^Include: .*active goals/), false);
  await button(mara.page, /^Add comment to: The week was/).click();
  await mara.page.getByLabel('Your comment').fill('A good week to build on');
  await expectAccessible(mara.page, 'a brief to review');
  await button(mara.page, 'Submit for approval').click();
  await expect(mara.page.getByText('Submitted. Pia Person decides now.')).toBeVisible();

  const pia = await open('person', /^Approve your week/);
  const main = pia.page.getByRole('main');
  await expect(main).toContainText('A good week to build on');
  await expect(main).not.toContainText('active goals');
  await expect(button(pia.page, 'Send ticked lines')).toBeDisabled();
  await choose(pia.page.getByLabel(/The week was/));
  await choose(pia.page.getByLabel(/on a scale of 1 to 5/));
  await choose(pia.page.getByLabel('Sam Worker'));
  await expect(main).toContainText('Receives 1 line · Not shared with them: Wellbeing');
  await expectAccessible(pia.page, 'a brief to approve');
  await button(pia.page, 'Send ticked lines').click();
  await expect(main).toContainText('Sam Worker: 1 line');

  const sam = await open('worker', /^Pia Person, /);
  const theirs = sam.page.getByRole('main');
  await sam.goOffline();
  await expect(theirs).toContainText('You are offline');
  await expect(theirs).toContainText(/The week was/);
  await expect(theirs).not.toContainText(/on a scale of 1 to 5|habits?:/);
  await expectAccessible(sam.page, 'a brief that was received');
  await sam.goOnline();
  await button(pia.page, 'Withdraw from Sam Worker').click();
  await expect(sam.page.getByRole('heading', { name: 'No weekly briefs yet' })).toBeVisible();
  const reads = await facts.rows('grant_reads', `subject_id=eq.${PIA}&brief_id=not.is.null`);
  expect(reads.map(read => read['scope'])).toEqual(['wellness']);
  for (const phone of phones) expect(phone.console).toEqual([]);
});
