import { expect, test, type Locator, type Page } from '@playwright/test';
import { FieldWorker, signIn } from './people/field-worker.ts';
import { expectAccessible } from './rig/axe.ts';
import { nextTurn } from './rig/next-turn.ts';
import { DESKTOP, PHONE, Phone, type Screen } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';

let server: ServerProcess;
let facts: ServerFacts;

test.beforeAll(async () => {
  server = await ServerProcess.start();
  facts = new ServerFacts(server);
});

test.afterAll(async () => {
  await server.stop();
});

const COMPANY = '00000000-0000-4000-8000-0000000000a1';
const MANAGER = '00000000-0000-4000-8000-000000000002';

type Persona = 'worker' | 'manager';

/** A signed-in device whose copy is up to date; its console must have stayed silent at the end. */
async function as(who: Persona, screen: Screen, use: (worker: FieldWorker) => Promise<void>): Promise<void> {
  const worker = new FieldWorker(await Phone.open(screen, { keepsApp: false }), server.url);
  try {
    await worker.page.emulateMedia({ colorScheme: screen === DESKTOP ? 'dark' : 'light', reducedMotion: 'reduce' });
    await signIn(worker.page, server.url, who);
    await expect(worker.syncBadge).toContainText('Up to date');
    await use(worker);
    expect(worker.phone.console).toEqual([]);
  } finally {
    await worker.phone.screenshot(`${who}-${screen.width}`);
    await worker.phone.close();
  }
}

const view = (page: Page, name: string): Locator => page.getByRole('group', { name: 'View' }).getByText(name);
const customise = (page: Page): Locator => page.getByRole('button', { name: 'Customise' });
const widgets = (page: Page) =>
  // By what is drawn, not by role: behind an open sheet the screen is hidden from readers.
  page.locator('main [data-widget]').evaluateAll(all => all.map(each => each.dataset['widget']));

const DAY_MS = 86_400_000;
const FINISHED = ['finalised', 'has_issues', 'approved', 'rejected', 'closed'];
/** Open action items that are the manager's: assigned to them, or critical and nobody's. */
const isForManager = ({ assignee_id: assignee, priority }: Record<string, unknown>) =>
  assignee === MANAGER || (assignee === null && priority === 'critical');
/** Drafts of the manager, what is planned for them, and what is planned for nobody in particular today or before. */
const isOwnInspection = (row: Record<string, unknown>, today: string) =>
  row['status'] === 'scheduled'
    ? row['missed_at'] === null &&
      (row['assigned_to'] === MANAGER || (row['assigned_to'] === null && dayOf(row['due_at']) <= today))
    : row['status'] === 'in_progress' && row['conducted_by'] === MANAGER;
const dayOf = (instant: unknown): string => new Date(String(instant)).toLocaleDateString('sv');

/** The four figures of the manager's dashboard, counted from the rows of the server. */
async function figures() {
  const of = (table: string, filter = '') =>
    facts.rows(table, `organization_id=eq.${COMPANY}&deleted_at=is.null${filter}`);
  const [policies, members, inspections, actions, tasks] = await Promise.all([
    of('policies', '&state=eq.published'),
    of('organization_members'),
    of('inspections'),
    of('action_items'),
    of('tasks', `&assignee_id=eq.${MANAGER}&ended_at=is.null`),
  ]);
  const today = dayOf(new Date().toISOString());
  const first = dayOf(new Date(Date.now() - 90 * DAY_MS).toISOString());
  const duties = [
    ...inspections.map(row => ({
      due: row['due_at'],
      done: FINISHED.includes(String(row['status'])) && row['finished_at'],
    })),
    ...actions
      .filter(({ status }) => !['duplicate', 'not_valid'].includes(String(status)))
      .map(row => ({
        due: row['due_at'],
        done: ['closed', 'risk_accepted'].includes(String(row['status'])) && row['closed_at'],
      })),
  ].filter(({ due, done }) => due && dayOf(due) >= first && (dayOf(due) < today || (dayOf(due) === today && done)));
  const mine = [
    ...tasks,
    ...actions.filter(row => !row['closed_at'] && isForManager(row)),
    ...inspections.filter(row => isOwnInspection(row, today)),
  ];
  return {
    policies: policies.length,
    members: members.length,
    pending: mine.length,
    met: duties.filter(({ due, done }) => done && dayOf(done) <= dayOf(due)).length,
    due: duties.length,
  };
}

for (const screen of [PHONE, DESKTOP]) {
  test(`R2.39 R2.40 the company dashboard greets by first name, and its figures lead to their rows, ${screen.width} px`, async () => {
    await as('manager', screen, async ({ page, phone }) => {
      await expect(page.getByRole('heading', { level: 1, name: 'Welcome back, Mara' })).toBeVisible();
      await expect(page.getByText('Here is your compliance today')).toBeVisible();
      const tiles = page.getByRole('region', { name: 'Key figures' });
      for (const label of ['Active Policies', 'Pending Tasks', 'Compliance Rate', 'Team Members'])
        await expect(tiles.getByText(label, { exact: true })).toBeVisible();
      const { policies, pending, met, due, members } = await figures();
      const tile = (name: RegExp) =>
        tiles.getByRole('link', { name }).or(tiles.getByRole('button', { name })).locator('.n');
      await expect(tile(/Active Policies/)).toHaveText(String(policies));
      await expect(tile(/Pending Tasks/)).toHaveText(String(pending));
      await expect(tile(/Compliance Rate/)).toHaveText(new RegExp(`^${Math.round((met * 100) / due)}\\s*%$`));
      await expect(tile(/Team Members/)).toHaveText(String(members));
      await expect(page.getByText('Your organisation sees this')).toBeVisible();
      await expectAccessible(page, 'company dashboard');
      await phone.screenshot('company-today');

      await tiles.getByRole('button', { name: /Team Members/ }).click();
      const people = page.getByRole('dialog', { name: 'Team members' });
      await expect(people.getByRole('listitem')).toHaveCount(3);
      await page.keyboard.press('Escape');
      await tiles.getByRole('button', { name: /Compliance Rate/ }).click();
      const duties = page.getByRole('dialog', { name: 'Duties of the last 90 days' });
      await expect(duties.getByText(`${met} of ${due} met on time`)).toBeVisible();
      await expect(duties.getByRole('listitem').first()).toContainText('Not met');
      await expectAccessible(page, 'duties behind the rate');
      await duties.getByRole('link').first().click();
      await expect(page).toHaveURL(/\/(action-items|field|tasks)\/[0-9a-f-]{36}/);
      // The address changes before the screen does: going back then would find the list still open.
      await expect(duties).toBeHidden();
      await page.goBack();
      // Where the screen behind had not arrived yet, the list behind the figure stands open again, as it was left.
      await expect(async () => {
        if (await duties.isVisible()) await page.keyboard.press('Escape');
        await expect(page.getByRole('heading', { level: 1, name: 'Welcome back, Mara' })).toBeVisible({
          timeout: 1000,
        });
      }).toPass();
      await expect(duties).toBeHidden();
      await tiles.getByRole('link', { name: /Pending Tasks/ }).click();
      await expect(page).toHaveURL(`${server.url}/tasks`);
    });
  });

  test(`the overview draws the trend with its table behind it, and the week shows what comes, ${screen.width} px`, async () => {
    await as('manager', screen, async ({ page, phone }) => {
      await view(page, 'Overview').click();
      const trend = page.getByRole('region', { name: 'Compliance trend' });
      await expect(trend.locator('svg.recharts-surface').first()).toBeVisible();
      await expectAccessible(page, 'overview with a chart');
      await phone.screenshot('company-overview');
      await trend.getByRole('button', { name: 'Show as table' }).click();
      await expect(trend.getByRole('table', { name: 'Compliance rate by week' }).getByRole('row')).toHaveCount(13);
      await expectAccessible(page, 'overview with a table');
      await view(page, 'Next 7 days').click();
      await expect(page.getByRole('region', { name: 'Next 7 days' }).getByRole('listitem').first()).toBeVisible();
      await expectAccessible(page, 'the week');
    });
  });
}

test('R3.19 what the dashboard opens with, shows and in which order is kept: live, after a reload, on another device', async () => {
  await as('worker', PHONE, async ({ page, phone }) => {
    await customise(page).click();
    const sheet = page.getByRole('dialog', { name: 'Customise dashboard' });
    await expectAccessible(page, 'customise');
    await phone.screenshot('customise');
    await sheet.getByRole('group', { name: 'Default view' }).getByText('Overview').click();
    await expect(page.locator('[data-widget=compliance]')).toBeAttached();
    await sheet.getByRole('switch', { name: 'Show the compliance overview' }).click();
    await expect(page.locator('[data-widget=compliance]')).toHaveCount(0);
    await sheet.getByRole('button', { name: 'Done' }).click();
    await page.reload();
    await expect(page.getByRole('radio', { name: 'Overview' })).toBeChecked();
    await expect(page.locator('[data-widget=tiles]')).toBeVisible();
    await expect(page.locator('[data-widget=compliance]')).toHaveCount(0);
    await expect
      .poll(() => facts.rows('user_preferences', 'user_id=eq.00000000-0000-4000-8000-000000000003'))
      .toMatchObject([
        {
          dashboard_config: {
            show_compliance_overview: false,
            show_wellness_widgets: true,
            default_view: 'overview',
          },
        },
      ]);
  });
  await as('worker', DESKTOP, async ({ page }) => {
    await expect(page.getByRole('radio', { name: 'Overview' })).toBeChecked();
    await expect(page.locator('[data-widget=compliance]')).toHaveCount(0);
    const config = { show_compliance_overview: true, show_wellness_widgets: true, default_view: 'today' };
    const [row] = await facts.rows('user_preferences', 'user_id=eq.00000000-0000-4000-8000-000000000003');
    await facts.change('user_preferences', row?.id ?? '', { dashboard_config: config });
    await expect(page.getByRole('radio', { name: 'Today', exact: true })).toBeChecked();
  });
});

test('R3.19 the order is changed by keyboard alone and by dragging, each move is said, and it stays', async () => {
  await as('manager', DESKTOP, async ({ page }) => {
    const { keyboard } = page;
    await customise(page).focus();
    await keyboard.press('Enter');
    const handle = page.getByRole('button', { name: 'Move Duties' });
    await handle.focus();
    await keyboard.press('Space');
    await expect(page.getByText('Duties picked up, position 4 of 7')).toBeAttached();
    await nextTurn(page);
    await keyboard.press('ArrowUp');
    await expect(page.getByText('Duties, position 3 of 7')).toBeAttached();
    await keyboard.press('Space');
    await expect(page.getByText('Duties dropped at position 3 of 7')).toBeAttached();
    await expect.poll(() => widgets(page)).toEqual(['next', 'duties', 'tiles', 'arrivals', 'overdue']);

    const from = await page.getByRole('button', { name: 'Move Team overdue' }).boundingBox();
    const to = await page.getByRole('button', { name: 'Move Next up' }).boundingBox();
    if (!from || !to) throw new Error('the handles have no place on the screen');
    await page.mouse.move(from.x + 10, from.y + 10);
    await page.mouse.down();
    await page.mouse.move(from.x + 10, from.y - 30, { steps: 4 });
    await page.mouse.move(to.x + 10, to.y + 4, { steps: 12 });
    // Let go where it is seen to be: the list knows what it is over some drawings later.
    await expect(page.getByText('Team overdue, position 2 of 7')).toBeAttached();
    await page.mouse.up();
    await expect.poll(() => widgets(page)).toEqual(['overdue', 'next', 'duties', 'tiles', 'arrivals']);
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
    await page.reload();
    await expect.poll(() => widgets(page)).toEqual(['overdue', 'next', 'duties', 'tiles', 'arrivals']);
    await customise(page).click();
    await page.getByRole('button', { name: 'Restore default order' }).click();
    await expect.poll(() => widgets(page)).toEqual(['next', 'tiles', 'duties', 'arrivals', 'overdue']);
  });
});

test("the manager's dashboard moves when somebody else's work arrives, without a reload", async () => {
  await as('manager', DESKTOP, async ({ page }) => {
    const recentRecords = page.getByRole('region', { name: 'Recent activity' });
    await expect(recentRecords.getByRole('listitem').first()).toBeVisible();
    const loads = await page.evaluate(() => performance.getEntriesByType('navigation').length);
    const tiles = page.getByRole('region', { name: 'Key figures' });
    const pending = tiles.getByRole('link', { name: /Pending Tasks/ }).locator('.n');
    const before = Number(await pending.innerText());
    await facts.change('action_items', '00000000-0000-4000-8000-000000000101', {
      assignee_id: '00000000-0000-4000-8000-000000000002',
    });
    await expect(pending).toHaveText(String(before + 1));
    expect(await page.evaluate(() => performance.getEntriesByType('navigation').length)).toBe(loads);
  });
});

test('R2.31 R2.41 R3.19 a personal playbook relabels the app; its list says who sees what; wellness and growth can be hidden', async () => {
  await as('worker', PHONE, async ({ page, phone }) => {
    await page
      .getByRole('button', { name: /^Switch organisation or playbook/ })
      .first()
      .click();
    await page.getByRole('dialog').locator('label', { hasText: 'Your private space' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Welcome to your journey, worker' })).toBeVisible();
    await expect(page.getByText('Your progress on your goals')).toBeVisible();
    const tiles = page.getByRole('region', { name: 'Key figures' });
    for (const label of ['Active Goals', 'Pending Actions', 'Progress Rate', 'Support Network'])
      await expect(tiles.getByText(label, { exact: true })).toBeVisible();
    await expect(page.getByRole('link', { name: 'My Journey' }).first()).toBeVisible();
    await expect(page.getByRole('link', { name: 'My Actions' }).first()).toBeVisible();
    const today = page.getByRole('region', { name: 'Today', exact: true });
    await expect(today.getByText('Only you see this')).toBeVisible();
    await expect(today.getByText('Northfield Works sees this')).toBeVisible();
    await expectAccessible(page, 'personal dashboard');
    await phone.screenshot('personal');
    const wellness = ['checkIn', 'habits', 'goals', 'growth'];
    await expect.poll(() => widgets(page)).toEqual(expect.arrayContaining(wellness));
    await customise(page).click();
    const sheet = page.getByRole('dialog', { name: 'Customise dashboard' });
    await sheet.getByRole('switch', { name: 'Show wellness and growth' }).click();
    await sheet.getByRole('button', { name: 'Done' }).click();
    await expect.poll(() => widgets(page)).toEqual(['tiles', 'duties']);
    await page.reload();
    await expect(today).toBeVisible();
    await expect.poll(() => widgets(page)).toEqual(['tiles', 'duties']);
    await today.getByRole('list', { name: 'Northfield Works' }).getByRole('link').first().click();
    await expect(page).toHaveURL(/\/(action-items|field|tasks)\/[0-9a-f-]{36}/);
    await page.goto(`${server.url}/dashboard`);
    await expect(page.getByRole('heading', { level: 1, name: 'Welcome back, Sam' })).toBeVisible();
  });
});
