import { expect, test, type Page } from '@playwright/test';
import { signIn } from './people/field-worker.ts';
import { arrive, newAccount } from './people/new-person.ts';
import { expectAccessible } from './rig/axe.ts';
import { cutOff } from './rig/cut-off.ts';
import { DESKTOP, Phone } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';
import { choose } from './rig/choose.ts';

const MAKER = '00000000-0000-4000-8000-000000000001';
const PACK = 'Working from a boat';
const DESK_TEXT = 'A desk that does no harm';

let server: ServerProcess;
let facts: ServerFacts;
const phones: Phone[] = [];

async function phone(screen?: typeof DESKTOP): Promise<Phone> {
  const opened = await Phone.open(screen, { keepsApp: false });
  phones.push(opened);
  return opened;
}

test.beforeAll(async () => {
  server = await ServerProcess.start();
  facts = new ServerFacts(server);
  // Who administers the installation and the company has the tier that makes packs.
  await facts.add('user_roles', { user_id: MAKER, role: 'admin' });
});
test.afterAll(() => server.stop());
test.afterEach(async () => {
  for (const each of phones.splice(0)) await each.close();
});

const heading = (page: Page, name: string | RegExp) =>
  expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
const open = async (page: Page, path: string, name: string | RegExp) => {
  await page.goto(`${server.url}${path}`);
  await heading(page, name);
};
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const saved = (page: Page) => expect(page.getByRole('status').filter({ hasText: /^Saved$/ })).toBeVisible();

/** Pictured for whoever reads the results; judged by axe, and for what is cut off. */
async function judge(device: Phone, name: string): Promise<void> {
  await device.screenshot(name);
  await expectAccessible(device.page, name);
  await expect.poll(() => cutOff(device.page), name).toEqual([]);
}

/** Somebody new, with a company of their own or with the listings to look after. */
async function newcomer(name: string, role: 'moderator' | null): Promise<Phone> {
  const device = await phone();
  const email = await newAccount(server, name);
  if (role) {
    const [profile] = await facts.rows('profiles', `full_name=eq.${name} Newcomer`);
    await facts.add('user_roles', { user_id: profile?.id, role });
  }
  await arrive(device.page, server, email);
  await expect(device.page).toHaveURL(/\/welcome$/);
  return device;
}

async function withCompany({ page }: Phone, name: string): Promise<void> {
  await choose(page.getByRole('radio', { name: /Company/ }));
  await press(page, 'Continue');
  await page.getByLabel('Company name').fill(name);
  await choose(page.getByRole('radio', { name: 'Workshop or production' }));
  await choose(page.getByRole('radio', { name: 'Pass an audit' }));
  await press(page, 'Continue');
  await press(page, 'Set it up');
  await expect(page.getByRole('heading', { level: 1, name: 'Look around with sample data?' })).toBeVisible();
  await press(page, 'Set up later');
}

/** Changes the words of the desk's policy in the version that is being written. */
async function rewrite(page: Page, change: (text: string) => string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(DESK_TEXT) }).click();
  const field = page.getByLabel('Text in Markdown');
  await field.fill(change(await field.inputValue()));
  await saved(page);
}

const news = async (page: Page, words: RegExp) => {
  await open(page, '/notifications', 'Notifications');
  await page.getByRole('main').getByRole('link', { name: words }).first().click();
};

async function listed(maker: Page, reviewer: Page, number: string): Promise<void> {
  await press(maker, 'Submit for review');
  await expect(maker.getByText('Submitted', { exact: true }).first()).toBeVisible();
  await news(reviewer, new RegExp(`${PACK}” ${number} needs your review`));
  await heading(reviewer, PACK);
  await press(reviewer, 'Start review');
  await press(reviewer, 'List pack');
  await expect(reviewer.getByRole('button', { name: 'Withdraw' })).toBeVisible();
}

test('G11 a pack begins with the words of another, is written, reviewed, listed and taken over; a later version stands beside what was made of it', async () => {
  const [maker, reviewer, consumer] = [
    await phone(DESKTOP),
    await newcomer('Rita', 'moderator'),
    await newcomer('Cleo', null),
  ];
  await test.step('the maker begins with another’s words, and sends their own in', async () => {
    const { page } = maker;
    await signIn(page, server.url, 'admin');
    await open(page, '/policy-marketplace', 'Policy Marketplace');
    await page.getByRole('link', { name: /Working from elsewhere/ }).click();
    await press(page, 'Make your own copy');
    await heading(page, 'Working from elsewhere: write version 1.0.0');
    await expect(page.getByLabel('Licence')).toBeDisabled();
    await page.getByLabel('Name', { exact: true }).fill(PACK);
    await heading(page, `${PACK}: write version 1.0.0`);
    await rewrite(page, text => text.replace('A table and a chair', 'A table that does not slide, and a chair'));
    await choose(page.getByRole('checkbox').first());
    await press(page, 'Add to pack');
    await expect(page.getByRole('heading', { name: '4 documents' })).toBeVisible();
    await saved(page);
    await judge(maker, 'creator-write');
    // What cannot be saved as it stands is there again for whoever went away with it.
    await page.getByLabel('Version', { exact: true }).fill('1.0');
    await page.getByRole('link', { name: 'Back to the pack' }).click();
    await page.getByRole('link', { name: 'Edit draft' }).click();
    await expect(page.getByLabel('Version', { exact: true })).toHaveValue('1.0');
    await page.reload();
    await expect(page.getByText('Unsaved text restored')).toBeVisible();
    await judge(maker, 'creator-restored');
    await page.getByLabel('Version', { exact: true }).fill('1.0.0');
    await saved(page);
    await page.getByRole('link', { name: 'Back to the pack' }).click();
    await expect(page.getByText('Source: Written for Cairn; based on')).toBeVisible();
    await judge(maker, 'creator-desk');
    await listed(page, reviewer.page, '1.0.0');
    await judge(reviewer, 'creator-review');
  });

  await test.step('another company takes it over and makes it its own', async () => {
    const { page } = consumer;
    await withCompany(consumer, 'Harbour Lights');
    await open(page, '/policy-marketplace', 'Policy Marketplace');
    await page.getByRole('link', { name: new RegExp(PACK) }).click();
    await press(page, 'Install');
    await page.getByRole('dialog').getByLabel('Name of the company').fill('Harbour Lights');
    await press(page, 'Create 4 drafts');
    await expect(page.getByRole('heading', { name: 'Installed documents' })).toBeVisible();
    await page.getByRole('link', { name: new RegExp(DESK_TEXT) }).click();
    await heading(page, DESK_TEXT);
    await page.getByRole('link', { name: 'Continue writing' }).click();
    const field = page.getByLabel('Text in Markdown');
    await field.fill((await field.inputValue()).replace('Light from the side', 'Light from both sides'));
    await press(page, 'Done');
  });

  await test.step('the maker ships 1.1.0', async () => {
    const { page } = maker;
    await news(page, new RegExp(`${PACK}” 1.0.0 is listed`));
    await heading(page, PACK);
    await press(page, 'Start next version');
    await heading(page, `${PACK}: write version 1.1.0`);
    await page.getByLabel('What is new').fill('Lamps and breaks');
    await rewrite(page, text =>
      text
        .replace('Light from the side', 'Light from above')
        .replace('nobody has to prove it.', 'nobody has to prove it.\n\nEvery hour has a break.'),
    );
    await page.getByRole('link', { name: 'Back to the pack' }).click();
    await listed(page, reviewer.page, '1.1.0');
  });

  await test.step('the consumer sees what changed here, there and on both sides, chooses, and has a draft', async () => {
    const { page } = consumer;
    await news(page, new RegExp(`Version 1.1.0 of “${PACK}”`));
    await heading(page, `${PACK}: version 1.1.0`);
    await expect(page.getByText('What is new: Lamps and breaks')).toBeVisible();
    const card = page.getByRole('region', { name: DESK_TEXT });
    await expect(card.getByText('You and the pack changed this')).toBeVisible();
    await expect(card.getByText('The pack changed this. Its text is used.')).toBeVisible();
    await expect(card.getByRole('button', { name: 'Use as draft' })).toBeDisabled();
    await judge(consumer, 'creator-update');
    await choose(card.getByRole('radio', { name: 'Mine' }));
    await card.getByRole('button', { name: 'Use as draft' }).click();
    await expect(card).toBeHidden();
    await page.getByRole('link', { name: 'Back to the pack' }).click();
    await page.getByRole('link', { name: new RegExp(DESK_TEXT) }).click();
    await heading(page, DESK_TEXT);
    await expect(page.getByText('Light from both sides')).toBeVisible();
    await expect(page.getByText('Every hour has a break.')).toBeVisible();
    await expect(page.getByText('Light from above')).toBeHidden();
    await judge(consumer, 'creator-merged');
  });
  expect([...maker.console, ...reviewer.console, ...consumer.console]).toEqual([]);
});
