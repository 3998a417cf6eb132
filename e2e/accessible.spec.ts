import { expect, test, type Locator, type Page } from '@playwright/test';
import { FieldWorker, signIn } from './people/field-worker.ts';
import { chosen, chosenWorkbook, EVERY_TYPE } from './people/ladder-check.ts';
import { expectAccessible } from './rig/axe.ts';
import { DESKTOP, PHONE, Phone, type Screen } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';
import { putOn, type TourLook } from './tour/looks.ts';
import { choose } from './rig/choose.ts';

/** Action items of the demo data: Sam's and Mara's. */
const EYEWASH = '00000000-0000-4000-8000-000000000101';
const DOCK_LEVELLER = '00000000-0000-4000-8000-000000000102';

let server: ServerProcess;
let facts: ServerFacts;

// One visit to many screens: as long as several journeys.
test.setTimeout(360_000);

test.beforeAll(async () => {
  server = await ServerProcess.start();
  facts = new ServerFacts(server);
});

test.afterAll(async () => {
  await server.stop();
});

/** A device whose console must have stayed silent at the end. */
async function on(
  screen: Screen,
  { keepsApp }: { keepsApp: boolean },
  use: (worker: FieldWorker) => Promise<void>,
): Promise<void> {
  const worker = new FieldWorker(await Phone.open(screen, { keepsApp }), server.url);
  try {
    await use(worker);
    expect(worker.phone.console).toEqual([]);
  } finally {
    await worker.phone.screenshot('last');
    await worker.phone.close();
  }
}

const LOOKS: TourLook[] = [
  { screen: PHONE, theme: 'light' },
  { screen: DESKTOP, theme: 'dark' },
];

/** The screen as it stands, on a phone in light and at a desk in dark; it goes on in the look it was judged in last. */
async function judge(page: Page, name: string): Promise<void> {
  const isWide = page.viewportSize()?.width === DESKTOP.width;
  for (const look of isWide ? LOOKS.toReversed() : LOOKS) {
    await putOn(page, look);
    await expect(page.locator('html')).toHaveAttribute('data-theme', look.theme);
    await expectAccessible(page, `${name}, ${look.theme} at ${look.screen.width} px`);
  }
}

test('the screens around the work have no violation', async () => {
  await on(PHONE, { keepsApp: false }, async worker => {
    await worker.open('/auth');
    await expect(worker.page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
    await judge(worker.page, 'sign-in');
    await signIn(worker.page, server.url, 'worker');
    await expect(worker.syncBadge).toContainText('Up to date');
    await everyday(worker);
    await actionItems(worker);
    await personal(worker);
  });
});

test('forms, every type of question and the result have no violation', async () => {
  await on(PHONE, { keepsApp: true }, async worker => {
    await signIn(worker.page, server.url, 'manager');
    await expect(worker.syncBadge).toContainText('Up to date');
    await importEveryType(worker, 'Every type');
    await answerEveryType(worker, 'Every type');
    await worker.open('/sync');
    await expect(worker.page.getByText('Received once').first()).toBeVisible();
    await judge(worker.page, 'sync with a receipt');
    await outboxAndConflict(worker);
  });
});

/** Opens a screen by its address and waits until `sign` stands on it; as it stands then, the tour looks at it. */
async function goTo(worker: FieldWorker, path: string, sign: string | RegExp): Promise<void> {
  await worker.open(path);
  await expect(worker.page.getByRole('heading', { level: 1, name: sign })).toBeVisible();
  await expect(worker.page.getByRole('main').getByRole('listitem').first()).toBeVisible();
}

async function everyday(worker: FieldWorker): Promise<void> {
  const { page } = worker;
  await goTo(worker, '/dashboard', /^Welcome back/);
  await page
    .getByRole('button', { name: /^Switch organisation or playbook/ })
    .first()
    .click();
  await expect(page.getByRole('dialog', { name: 'Switch space' })).toBeVisible();
  await judge(page, 'switcher');
  await goTo(worker, '/field', 'Field Operations');
  await page.getByText('Finished', { exact: true }).first().click();
  await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible();
  await judge(page, 'finished inspections');
  await worker.openForms();
  await judge(page, 'start sheet, forms');
  await page.getByRole('button', { name: /^Forklift pre-use check/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Start inspection' }).click();
  await expect(page.getByText('Choose an asset, or “No asset”.')).toBeVisible();
  await judge(page, 'start sheet, asset missing');
  await worker.open('/profile');
  await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible();
  await judge(page, 'profile');
  await worker.open('/sync');
  await expect(page.getByText('All changes received')).toBeVisible();
  await judge(page, 'sync, nothing waits');
}

async function actionItems(worker: FieldWorker): Promise<void> {
  const { page } = worker;
  await goTo(worker, '/action-items', 'Corrective Actions');
  await page.getByRole('button', { name: 'New corrective action' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create corrective action' }).click();
  await expect(page.getByText('Enter a title.')).toBeVisible();
  await judge(page, 'new action item, title missing');
  await worker.open(`/action-items/${EYEWASH}`);
  await expect(page.getByLabel('Title', { exact: true })).toBeVisible();
  await judge(page, 'action item');
}

async function personal(worker: FieldWorker): Promise<void> {
  const { page } = worker;
  await worker.open('/dashboard');
  await page
    .getByRole('button', { name: /^Switch organisation or playbook/ })
    .first()
    .click();
  // As a finger does: on the words, once the sheet stands still.
  await page.getByRole('dialog').locator('label', { hasText: 'Your private space' }).click();
  await expect(page.getByRole('radio', { name: /Your private space/ })).toBeChecked();
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /^Welcome to your journey/ })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await judge(page, 'personal dashboard');
  await worker.open('/tasks');
  await expect(page.getByRole('heading', { level: 1, name: 'My Actions' })).toBeVisible();
  await judge(page, 'personal tasks');
}

async function importEveryType(worker: FieldWorker, title: string): Promise<void> {
  const { page } = worker;
  await goTo(worker, '/field/forms', 'Forms');
  await page.getByRole('button', { name: 'Import a form' }).first().click();
  const sheet = page.getByRole('dialog');
  await expect(sheet.getByText('XLSForm workbook (.xlsx, .xls)')).toBeVisible();
  await judge(page, 'import, nothing chosen');
  await sheet.locator('input[type=file]').setInputFiles(chosen('form.xlsx', 'words'));
  await expect(sheet.getByText('This file cannot be imported')).toBeVisible();
  await judge(page, 'import, refused');
  const workbook = { ...EVERY_TYPE, settings: [['form_title'], [title]] };
  await sheet.locator('input[type=file]').setInputFiles(chosenWorkbook('form.xlsx', workbook));
  await expect(sheet.getByText('1 item could not be imported as written')).toBeVisible();
  await judge(page, 'import, preview');
  await sheet.getByRole('button', { name: 'Import and publish' }).click();
  await expect(sheet).toHaveCount(0);
}

/** Looks at each question unanswered, then at the review with what is missing, then at the result. */
async function answerEveryType(worker: FieldWorker, title: string): Promise<void> {
  const { page } = worker;
  await worker.openForms();
  await page.getByRole('button', { name: new RegExp(`^${title}`) }).click();
  await choose(page.getByRole('radio', { name: /No asset/ }));
  await page.getByRole('dialog').getByRole('button', { name: 'Start inspection' }).click();
  const heading = page.getByRole('heading', { level: 1 });
  const asked = EVERY_TYPE.survey.slice(1, -1).map(row => String(row[2]));
  for (const [index, question] of asked.entries()) {
    await expect(heading).toContainText(question);
    if (question === 'All is fine') await choose(page.getByRole('radio', { name: 'Fail' }));
    await judge(page, `question: ${question}`);
    const last = index === asked.length - 1;
    await page.getByRole('button', { name: last ? 'Review and finish' : 'Next question' }).click();
  }
  await expect(page.getByRole('heading', { name: 'Ready to finish?' })).toBeVisible();
  await judge(page, 'review');
  await worker.sign();
  await page.getByRole('button', { name: 'Finish inspection' }).click();
  await expect(
    page.getByText(/^(No corrective actions were needed\.|\d+ corrective actions? created)$/).first(),
  ).toBeVisible();
  await judge(page, 'report');
}

async function outboxAndConflict(worker: FieldWorker): Promise<void> {
  const { page } = worker;
  const sync = page.getByRole('link', { name: /^Sync:/ }).first();
  await worker.prepareForNoSignal();
  await worker.phone.goOffline();
  await page.getByRole('link', { name: 'Action Items' }).first().click();
  await page.locator(`main a[href="/action-items/${DOCK_LEVELLER}"]`).click();
  const title = page.getByLabel('Title', { exact: true });
  await expect(title).toBeVisible();
  await title.fill(`Mine ${Date.now()}`);
  await title.blur();
  await expect(worker.syncBadge).toContainText('Offline · 1');
  await facts.change('action_items', DOCK_LEVELLER, { title: `Theirs ${Date.now()}` });
  await sync.click();
  await expect(page.getByRole('region', { name: 'Waiting to send' }).getByRole('listitem')).toHaveCount(1);
  await judge(page, 'sync with an outbox');
  await worker.phone.goOnline();
  await expect(page.getByRole('region', { name: 'Two versions' })).toBeVisible();
  await judge(page, 'sync with a conflict');
}

test('an inspection is started, answered and turned over by keyboard alone', async () => {
  const id = await facts.scheduleCheck();
  await on(DESKTOP, { keepsApp: false }, async worker => {
    const { page } = worker;
    const { keyboard } = page;
    await signIn(page, server.url, 'worker');
    await worker.open(`/field/${id}`);
    const start = page.getByRole('button', { name: 'Start inspection' });
    await expect(start).toBeVisible();
    await tabTo(worker, start);
    await keyboard.press('Enter');
    const heading = page.getByRole('heading', { level: 1 });
    const next = page.getByRole('button', { name: 'Next question' });
    await expect(heading).toContainText('Hour meter');
    await tabTo(worker, page.getByRole('main').getByRole('textbox', { name: 'Hour meter' }));
    await keyboard.type('4211');
    await tabTo(worker, next);
    await keyboard.press('Enter');

    await expect(heading).toContainText('No oil, fuel or battery acid');
    for (const [key, answer] of [
      ['2', 'Fail'],
      ['3', 'N/A'],
      ['1', 'Pass'],
    ] as const) {
      await keyboard.press(key);
      await expect(page.getByRole('radio', { name: answer })).toBeChecked();
    }
    await tabTo(worker, next);
    await keyboard.press('Enter');
    await expect(heading).toContainText('Tyres and wheel nuts');
    await expect.poll(() => worker.answersOnPhone(id)).toBe(2);
  });
});

/** Goes on with Tab until the control has the focus; a person would give up somewhere too. */
async function tabTo({ page }: FieldWorker, control: Locator): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if (await control.evaluate(element => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`60 times Tab and not at ${control.toString()}`);
}
