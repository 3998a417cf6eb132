import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Member } from './page/peer.ts';
import { openProfile, signInWhole, slowDown, type ShellRig } from './shell-rig.ts';
import { POLICIES } from './policies-seed.ts';

export type Look = { profile: string; chromium: string; rate: number; times: number };

/** ms of each press. */
export type Presses = { opened: number[]; typedCommon: number[]; typedRare: number[] };

/** A device that has everything its member may see of the company. */
export async function deviceWithPolicies(rig: ShellRig, member: Member, chromium: string): Promise<string> {
  const profile = join(rig.folder, 'profile-policies');
  const visit = await openProfile(profile, chromium);
  await signInWhole(visit.page, rig.url, member, 0);
  await visit.page.goto(`${rig.url}/policies`);
  await visit.page.locator('.seg label:has(input[value=inForce])').click();
  await visit.page.getByRole('link', { name: /Policy 001/ }).waitFor();
  await visit.context.close();
  return profile;
}

/** What the list shows: the title its first row has to begin with, and how high it stands, in rows. */
type ExpectedRows = { first: string; atLeast: number; atMost: number };

/** ms from an input, as the browser received it, to the end of the first frame whose rows are the wanted ones. */
async function answered(page: Page, on: string, wanted: ExpectedRows, act: () => Promise<unknown>): Promise<number> {
  const watch = await page.evaluateHandle(
    ([event, sought]) => {
      const shows = () => {
        const rows = document.querySelectorAll('main ul.list li');
        const first = rows[0]?.textContent ?? '';
        return first.includes(sought.first) && rows.length >= sought.atLeast && rows.length <= sought.atMost;
      };
      const told = new Promise<number>((resolve, reject) => {
        const hear = async ({ timeStamp }: Event) => {
          do {
            if (performance.now() - timeStamp > 20_000) return reject(new Error(`no row ${sought.first}`));
            await new Promise(requestAnimationFrame);
          } while (!shows());
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

const WHOLE: ExpectedRows = { first: 'Policy 001', atLeast: 8, atMost: POLICIES };
/** The last letter of a word that one policy in ten has, and of one that a single policy has, far down in their text. */
const COMMON: ExpectedRows = { first: 'Policy 010', atLeast: 8, atMost: POLICIES / 10 };
const RARE: ExpectedRows = { first: 'Policy 077', atLeast: 1, atMost: 1 };

/** Opens the list from another screen, and searches it. */
export async function pressPolicies({ url }: ShellRig, { profile, chromium, rate, times }: Look): Promise<Presses> {
  const visit = await openProfile(profile, chromium);
  const { page } = visit;
  const found: Presses = { opened: [], typedCommon: [], typedRare: [] };
  try {
    await slowDown(visit, rate);
    await page.goto(`${url}/policies`);
    for (let n = 0; n <= times; n += 1) {
      await page.locator('main ul.list li').first().waitFor();
      await page.locator('a[href="/tasks"]:visible').first().click();
      await page.waitForURL('**/tasks');
      await page.locator('main h1').waitFor();
      const opened = await answered(page, 'click', WHOLE, () =>
        page.locator('a[href="/policies"]:visible').first().click(),
      );
      const search = page.locator('main input[type=search]');
      const typed = async (word: string, wanted: ExpectedRows) => {
        // Every policy has the word's beginning.
        await search.fill(word.slice(0, -1));
        await page.locator('main ul.list li').filter({ hasText: WHOLE.first }).waitFor();
        return answered(page, 'keydown', wanted, () => search.press(word.slice(-1)));
      };
      const common = await typed('crane', COMMON);
      const rare = await typed('zinc', RARE);
      if (n === 0) continue;
      found.opened.push(opened);
      found.typedCommon.push(common);
      found.typedRare.push(rare);
    }
    return found;
  } finally {
    await visit.context.close();
  }
}
