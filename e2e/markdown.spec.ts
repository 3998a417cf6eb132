import { expect, test, type Page } from '@playwright/test';
import { signIn } from './people/field-worker.ts';
import { DESKTOP, Phone } from './rig/phone.ts';
import { ServerProcess } from './rig/server-process.ts';

let server: ServerProcess;
let desk: Phone;

test.beforeAll(async () => {
  server = await ServerProcess.start();
});
test.afterAll(() => server.stop());
test.afterEach(() => desk.close());

const PLAIN = 'These are its words as they were typed.';

/** Opens the policy from the list, as it lies on the device now. @returns ms of the longest time the page stood still meanwhile */
async function gapOfOpening(page: Page, words: string): Promise<number> {
  await page.goto(`${server.url}/policies`);
  await page.getByText('In the making', { exact: true }).click();
  const link = page.getByRole('link', { name: /Entangled/ });
  await expect(link).toBeVisible();
  await page.evaluate(() => Reflect.set(globalThis, 'longestGap', 0));
  await link.click();
  await expect(page.locator('.policy-text')).toContainText(words);
  return page.evaluate(() => Number(Reflect.get(globalThis, 'longestGap')));
}

/** A machine that does something else meanwhile delays an opening now and then, a parser on the page's thread every one. @param bound ms */
async function opensWithin(page: Page, words: string, bound: number): Promise<void> {
  const gaps: number[] = [];
  while (gaps.length < 3 && !gaps.some(gap => gap < bound)) gaps.push(await gapOfOpening(page, words));
  expect(Math.min(...gaps)).toBeLessThan(bound);
}

/** Counts, in every page that is opened from now on, how long its own thread stands still. */
async function watchGaps(page: Page): Promise<void> {
  await page.addInitScript(() => {
    let last = performance.now();
    Reflect.set(globalThis, 'longestGap', 0);
    setInterval(() => {
      const now = performance.now();
      Reflect.set(globalThis, 'longestGap', Math.max(Number(Reflect.get(globalThis, 'longestGap')), now - last));
      last = now;
    }, 20);
  });
}

/** Writes other words into every copy this device holds of a policy, as a build without bounds would have left them. */
async function leaveWords(page: Page, from: string, to: string): Promise<void> {
  const changed = await page.evaluate(
    async ([before, after]) => {
      const asked = <T>(request: IDBRequest<T>) =>
        new Promise<T>((resolve, reject) => {
          request.addEventListener('success', () => resolve(request.result));
          request.addEventListener('error', () => reject(request.error));
        });
      const swap = (value: unknown): unknown => {
        if (typeof value === 'string') return value === before ? after : value;
        if (Array.isArray(value)) return value.map(swap);
        if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype)
          return value;
        return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, swap(each)]));
      };
      let count = 0;
      for (const { name = '' } of await indexedDB.databases()) {
        const db = await asked(indexedDB.open(name));
        for (const store of db.objectStoreNames) {
          const rows = db.transaction(store, 'readwrite').objectStore(store);
          const [keys, values] = await Promise.all([asked(rows.getAllKeys()), asked(rows.getAll())]);
          for (const [at, value] of values.entries()) {
            if (!JSON.stringify(value ?? null).includes(JSON.stringify(before))) continue;
            const key = keys[at];
            await asked(
              rows.keyPath === null && key !== undefined ? rows.put(swap(value), key) : rows.put(swap(value)),
            );
            count += 1;
          }
        }
        db.close();
      }
      return count;
    },
    [from, to] as const,
  );
  expect(changed).toBeGreaterThan(0);
}

const WORDS = 'Everybody reads this.\n';
const FAIR = Array.from(
  { length: 120 },
  (_, at) =>
    `## Part ${at + 1}\n\n- Read **this**\n- and [that](https://example.test)\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n`,
).join('\n');
/** Past a bound; within them and as slow to parse as that can be. */
const PAST = [`${'> '.repeat(2000)}deep words`, `${'*a [b '.repeat(30_000)} deep words`];
const SLOW = `${'a [b '.repeat(1_800)} deep words`;

test('a policy that no parser would come to the end of is shown as plain words, and its page goes on answering', async () => {
  desk = await Phone.open(DESKTOP);
  const { page } = desk;
  await watchGaps(page);
  await signIn(page, server.url, 'manager');
  await page.getByRole('link', { name: 'Policy Statements' }).first().click();
  await page.getByRole('button', { name: 'New policy' }).click();
  await page.getByRole('dialog').getByLabel('Title').fill('Entangled');
  await page.getByRole('button', { name: 'Begin writing' }).click();
  await page.getByLabel('Text in Markdown').fill(WORDS);
  await expect(page.getByText('Saved on this device')).toBeVisible();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText(WORDS.trim())).toBeVisible();
  await expect(page.getByRole('link', { name: /Up to date/ }).first()).toBeVisible();
  // Else the row comes once more, with the edit lock released, over the words that are left here.
  await desk.goOffline();
  // A second, longer where the machine is slow: as many times what opening a line of text takes.
  const quiet = await gapOfOpening(page, WORDS.trim());
  const bound = quiet + Math.max(1000, 10 * quiet);

  let before = WORDS;
  for (const words of [...PAST, SLOW]) {
    await leaveWords(page, before, words);
    before = words;
    await opensWithin(page, 'deep words', bound);
    if (words !== SLOW) await expect(page.getByText(PLAIN)).toBeVisible();
  }

  // A long one that is none of that comes laid out, from the worker of the built app.
  await leaveWords(page, before, FAIR);
  await opensWithin(page, 'Part 120', bound);
  await expect(page.locator('.policy-text').getByRole('heading', { name: 'Part 120' })).toBeVisible();
  await expect(page.locator('.policy-text').getByRole('table').first()).toBeVisible();
  await expect(page.getByText(PLAIN)).toBeHidden();
});
