import type { Page } from '@playwright/test';
import { workPerFrame, type FrameWork } from './frame-work.ts';
import { openProfile, slowDown, type ShellRig, type Visit } from './shell-rig.ts';

export type Look = { profile: string; chromium: string; rate: number; times: number };

/** ms of each press, by what was pressed. */
export type Presses = { fromList: number[]; fromElsewhere: number[]; typed: number[]; chosen: number[] };

declare global {
  interface Window {
    /** Whether the rows of a list fill the screen, or all of them stand there; where a number is given, the list says that it has as many. */
    shows(wanted: ExpectedList): boolean;
  }
}

type ExpectedList = { list: string; rows?: number };

/** Runs in the page before its own scripts. */
function defineShows(): void {
  window.shows = ({ list, rows: wanted }) => {
    const rows = document.querySelectorAll(`${list} li`);
    const last = rows[rows.length - 1];
    if (!last || document.querySelector('main .sk')) return false;
    const shown = document.querySelector(`${list} p[aria-live]`)?.textContent?.replaceAll(/\D/g, '');
    if (wanted !== undefined && Number(shown) !== wanted) return false;
    return last.getBoundingClientRect().bottom >= innerHeight || rows.length >= (wanted ?? 300);
  };
}

/**
 * ms from an input that a person makes, as the browser received it, to the end of the first frame that shows what is wanted.
 *
 * @param on the event that is the input: `click`, `keydown` or `change`
 */
async function answered(page: Page, on: string, wanted: ExpectedList, act: () => Promise<unknown>): Promise<number> {
  const watch = await page.evaluateHandle(
    ([event, sought]) => {
      const told = new Promise<number>((resolve, reject) => {
        const hear = async ({ timeStamp }: Event) => {
          do {
            if (performance.now() - timeStamp > 20_000) return reject(new Error(`no ${sought.rows} in ${sought.list}`));
            await new Promise(requestAnimationFrame);
          } while (!window.shows(sought));
          await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
          return resolve(performance.now() - timeStamp);
        };
        document.addEventListener(event, input => void hear(input), { capture: true, once: true });
      });
      return { told };
    },
    [on, wanted] as const,
  );
  await act();
  return watch.evaluate(({ told }) => told);
}

const DAY = { list: '.dashboard' };
const segment = (page: Page, view: string) => page.locator(`.seg label:has(input[value=${view}])`);

async function days(page: Page, url: string, times: number): Promise<Pick<Presses, 'fromList' | 'fromElsewhere'>> {
  const found = { fromList: [] as number[], fromElsewhere: [] as number[] };
  await page.goto(`${url}/tasks?view=list`);
  for (let n = 0; n <= times; n += 1) {
    await page.locator('.task-list .task-row').first().waitFor();
    const took = await answered(page, 'click', DAY, () => segment(page, 'day').click());
    if (n > 0) found.fromList.push(took);
    await page.locator('a[href="/policies"]:visible').first().click();
    await page.waitForURL('**/policies');
    await page.locator('main h1').waitFor();
    const back = await answered(page, 'click', DAY, () => page.locator('a[href="/tasks"]:visible').first().click());
    if (n > 0) found.fromElsewhere.push(back);
    await segment(page, 'list').click();
  }
  return found;
}

const listed = (rows: number): ExpectedList => ({ list: '.task-list', rows });
const stands = (page: Page, rows: number) =>
  page.waitForFunction(wanted => window.shows(wanted), listed(rows), { timeout: 60_000 });

/** Rows that the list of open tasks has: without a filter, with a word typed, with the last letter more, of one priority. */
export type ExpectedCounts = {
  all: number;
  word: string;
  short: number;
  long: number;
  priority: string;
  urgent: number;
};

async function filters(page: Page, url: string, { times, expected }: { times: number; expected: ExpectedCounts }) {
  const found = { typed: [] as number[], chosen: [] as number[] };
  await page.goto(`${url}/tasks?view=list`);
  await stands(page, expected.all);
  const search = page.locator('.task-list input[type=search]');
  await page.locator('.task-filters summary').click();
  const choose = page.locator(`.task-filters select:has(option[value=${expected.priority}])`);
  for (let n = 0; n <= times; n += 1) {
    await search.fill(expected.word.slice(0, -1));
    await stands(page, expected.short);
    const typed = await answered(page, 'keydown', listed(expected.long), () => search.press(expected.word.slice(-1)));
    await search.fill('');
    await stands(page, expected.all);
    const chosen = await answered(page, 'change', listed(expected.urgent), () =>
      choose.selectOption(expected.priority),
    );
    await choose.selectOption('');
    await stands(page, expected.all);
    if (n > 0) found.typed.push(typed);
    if (n > 0) found.chosen.push(chosen);
  }
  return found;
}

/** Presses that lead to my day, and those that filter the list. */
export async function pressScreens(
  { url }: ShellRig,
  { profile, chromium, rate, times }: Look,
  expected: ExpectedCounts,
): Promise<Presses> {
  const visit = await openProfile(profile, chromium);
  try {
    await visit.page.addInitScript(defineShows);
    await slowDown(visit, rate);
    const toDay = await days(visit.page, url, times);
    return { ...toDay, ...(await filters(visit.page, url, { times, expected })) };
  } finally {
    await visit.context.close();
  }
}

const MOVES = 45;
const FRAME = 'drag-frame';

/** Lifts the first card of a column, carries it over each column to the last and back, and lays it into the next one. */
async function drag(page: Page): Promise<void> {
  const middle = async (selector: string) => {
    await page.locator(selector).first().waitFor();
    // In one step: a list that is drawn anew in between has other elements.
    const box = await page.evaluate(
      wanted => document.querySelector(wanted)?.getBoundingClientRect().toJSON(),
      selector,
    );
    if (!box) throw new Error(`not on the screen: ${selector}`);
    return { x: box.x + box.width / 2, y: box.y + Math.min(60, box.height / 2) };
  };
  const handle = await middle('.board-column:nth-child(1) .board-card .sort-handle');
  const last = await middle('.board-column:nth-child(5)');
  const next = await middle('.board-column:nth-child(2)');
  await page.mouse.move(handle.x, handle.y);
  await page.mouse.down();
  await page.mouse.move(last.x, handle.y + 20, { steps: MOVES });
  await page.mouse.move(next.x, handle.y + 5, { steps: MOVES });
  await page.mouse.up();
  await page.locator('.board-card.dragged').waitFor({ state: 'detached' });
}

async function dragTraced({ page, context }: Visit): Promise<FrameWork[]> {
  const cdp = await context.newCDPSession(page);
  const work = await workPerFrame(cdp, FRAME, async () => {
    await page.evaluate(mark => {
      const next = () => {
        performance.mark(mark);
        if (!document.documentElement.hasAttribute('data-dropped')) requestAnimationFrame(next);
      };
      requestAnimationFrame(next);
    }, FRAME);
    await drag(page);
    await page.evaluate(() => document.documentElement.setAttribute('data-dropped', ''));
    await page.evaluate(() => new Promise(requestAnimationFrame));
  });
  await page.evaluate(() => document.documentElement.removeAttribute('data-dropped'));
  await cdp.detach();
  return work;
}

/** Main-thread work of each frame while cards are carried across the board by a mouse. */
export async function dragCards({ url }: ShellRig, { profile, chromium, rate, times }: Look): Promise<FrameWork[]> {
  const visit = await openProfile(profile, chromium);
  try {
    await visit.page.setViewportSize({ width: 1440, height: 900 });
    await visit.page.goto(`${url}/tasks?view=board`);
    await visit.page.locator('.board-column:nth-child(5) .board-card').first().waitFor();
    await slowDown(visit, rate);
    const work: FrameWork[] = [];
    for (let n = 0; n < times; n += 1) work.push(...(await dragTraced(visit)));
    return work;
  } finally {
    await visit.context.close();
  }
}
