import { readFileSync } from 'node:fs';
import { expect, test, type Page } from '@playwright/test';
import { fillSignIn } from './people/field-worker.ts';
import { expectAccessible } from './rig/axe.ts';
import { nextTurn } from './rig/next-turn.ts';
import { Phone } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';
import { choose } from './rig/choose.ts';

let server: ServerProcess;
let facts: ServerFacts;
let sam: Phone;

test.beforeAll(async () => {
  server = await ServerProcess.start();
  facts = new ServerFacts(server);
});

test.afterAll(async () => {
  await sam.screenshot('end');
  await sam.close();
  await server.stop();
});

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const view = async (page: Page, name: string) => {
  await choose(page.getByRole('radio', { name, exact: true }));
};

async function quickly(page: Page, line: string): Promise<void> {
  await page.getByLabel('New task').fill(line);
  await button(page, 'Add task').click();
  await expect(page.getByLabel('New task')).toHaveValue('');
}

test('G3 with no signal a line makes a task and a weekly duty, one is done, reopened and spoken about, a card is moved by keyboard; it all arrives once', async () => {
  sam = await Phone.open();
  const { page } = sam;
  await page.goto(`${server.url}/auth?from=%2Ftasks`);
  await fillSignIn(page, 'worker');
  await expect(page.getByRole('link', { name: /Order gloves/ })).toBeVisible();
  await expect(page.getByRole('link', { name: /Up to date/ }).first()).toBeVisible();
  await expectAccessible(page, 'my day');
  // Its screens are on the phone before the signal goes.
  await page.getByRole('link', { name: /Repaint the walkway lines/ }).click();
  await expect(page.getByText('The paint comes on Thursday')).toBeVisible();
  await page.getByRole('link', { name: 'All tasks' }).click();
  await expect(page.getByLabel('New task')).toBeVisible();

  await sam.goOffline();
  await quickly(page, 'Call vendor tomorrow 9:00 #calls');
  // A weekday that is not today: of today's, the next one is in "my day" too.
  const later = new Date(Date.now() + 3 * 86_400_000).toLocaleDateString('en', { weekday: 'long' });
  await page.getByLabel('New task').fill(`Walk the racks at 5 every ${later}`);
  await expect(page.getByText('What does “at 5” mean?')).toBeVisible();
  await button(page, 'Add task').click();
  await expect(page.getByText('Choose what is meant first.')).toBeVisible();
  await choose(page.getByRole('radio', { name: '17:00' }));
  await button(page, 'Add task').click();
  await expect(page.getByLabel('New task')).toHaveValue('');
  // Until both new ones stand there, rows move under the finger.
  await expect(page.getByRole('link', { name: /Call vendor/ })).toBeVisible();
  await expect(page.getByRole('link', { name: /Walk the racks/ })).toBeVisible();
  await page.getByRole('checkbox', { name: 'Done: Order gloves, size 9' }).click({ force: true });
  await expect(page.getByRole('link', { name: /Order gloves/ })).toBeHidden();

  await view(page, 'List');
  await expect(page.getByRole('link', { name: /Call vendor/ })).toContainText('#calls');
  await page.getByRole('link', { name: /Walk the racks/ }).click();
  await expect(page.getByText(/^Next: .*,.*,.*,/)).toBeVisible();
  await expectAccessible(page, 'a task of a series');
  await page.getByRole('link', { name: 'All tasks' }).click();

  await view(page, 'Board');
  const column = (name: string) => page.getByRole('region', { name, exact: true });
  await expect(column('Done').getByRole('link', { name: /Order gloves/ })).toBeVisible();
  await button(page, 'Move “Call vendor”').focus();
  await page.keyboard.press('Space');
  await expect(page.getByText('“Call vendor” is over To do.')).toBeAttached();
  await nextTurn(page);
  await page.keyboard.press('ArrowRight');
  await expect(page.getByText('“Call vendor” is over In progress.')).toBeAttached();
  await page.keyboard.press('Space');
  await expect(column('In progress').getByRole('link', { name: /Call vendor/ })).toBeVisible();
  await expectAccessible(page, 'board');
  await column('Done')
    .getByRole('link', { name: /Order gloves/ })
    .click();
  await button(page, 'Reopen').click();
  await expect(page.getByText('Reopened', { exact: true }).first()).toBeVisible();
  await page.getByLabel('Your comment').fill('Ten pairs, please');
  await button(page, 'Post comment').click();
  const comment = page.getByRole('listitem').filter({ hasText: 'Ten pairs, please' });
  await expect(comment).toContainText('Waiting to send');
  await expectAccessible(page, 'a task with a comment');

  await sam.goOnline();
  const tasks = (title: string) => facts.rows('tasks', `title=eq.${encodeURIComponent(title)}&deleted_at=is.null`);
  await expect.poll(async () => (await tasks('Call vendor')).map(row => row['status'])).toEqual(['in_progress']);
  await expect.poll(async () => (await tasks('Order gloves, size 9')).map(row => row['status'])).toEqual(['reopened']);
  await expect.poll(async () => (await facts.rows('comments', 'body=like.Ten*')).length).toBe(1);
  await expect(comment).not.toContainText('Waiting to send');
  // Four were made on the phone; the server has them once, and those of thirteen months.
  await expect.poll(async () => (await tasks('Walk the racks')).length).toBeGreaterThanOrEqual(56);
  const days = (await tasks('Walk the racks')).map(row => row['occurs_on']);
  expect(new Set(days).size).toBe(days.length);
  expect(sam.console).toEqual([]);
});

test('G3 with no signal tasks come from a CSV file, but for a bad row, go into one and are taken back; a calendar reads them until its address is revoked', async () => {
  const { page } = sam;
  await page.goto(`${server.url}/tasks?view=list`);
  await expect(page.getByRole('link', { name: /Call vendor/ })).toBeVisible();
  await sam.goOffline();
  const pick = async (csv: string | Buffer) => {
    await button(page, 'Import CSV').click();
    const file = { name: 'tasks.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
    await page.getByLabel('Choose a CSV file').setInputFiles(file);
  };
  await pick('Name;Due date;Assigned to\nCount the ladders;30/11/2027;Nobody known\nSweep;31/02/2026;\n');
  await expect(page.getByText('Row 3, Due date: “31/02/2026” is not a date')).toBeVisible();
  await expect(page.getByText(/“Nobody known” matches nobody here/)).toBeVisible();
  await expectAccessible(page, 'an import');
  await button(page, 'Import 1 task').click();
  await expect(page.getByText('1 created, 0 changed, 0 unchanged, 1 skipped.')).toBeVisible();
  await button(page, 'Show 1 imported task').click();
  await expect(page.getByRole('link', { name: /Count the ladders/ })).toBeVisible();
  await expect(page.getByRole('link', { name: /Call vendor/ })).toBeHidden();

  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Export CSV').click()]);
  const csv = readFileSync(await download.path());
  expect(csv.toString()).toContain(',Count the ladders,,todo,,none,2027-11-30,');
  await pick(csv);
  await expect(page.getByText('1 task already exists')).toBeVisible();
  await expect(button(page, 'Import 0 tasks')).toBeDisabled();
  await button(page, 'Close').click();
  await button(page, 'Undo this import').click();
  await expect(page.getByText('Import undone.')).toBeVisible();
  await expect(page.getByRole('link', { name: /Count the ladders/ })).toBeHidden();
  await expect(page.getByRole('link', { name: /Call vendor/ })).toBeVisible();

  await sam.goOnline();
  await view(page, 'Calendar');
  await button(page, 'Calendar address').click();
  const mine = page.getByRole('region', { name: 'My tasks' });
  await mine.getByRole('button', { name: 'Create address' }).click();
  const address = await mine.getByLabel('Calendar address').innerText();
  await expectAccessible(page, 'a calendar address');
  const read = await fetch(address);
  expect(read.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
  expect(await read.text()).toContain('SUMMARY:Call vendor\r\n');
  await mine.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(mine.getByText('No address yet.')).toBeVisible();
  expect((await fetch(address)).status).toBe(404);
  expect(sam.console).toEqual([]);
});
