import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { fullCheckIns, makeNoteKey, type CheckInTimes } from './growth-check-in.ts';
import { addMember } from './rig/seed.ts';
import { openProfile, signInWhole, slowDown, type ShellRig } from './shell-rig.ts';

/** Five years of days: seven habits, a check-in a day, and a word a week on each of two goals. */
const DAYS = 1826;
const HABITS = 7;
const CHECK_INS = 3;

export type Years = { profile: string; entries: number; password: string };

/** ms of each visit, the first one left out: what is fetched once is no part of it. */
export type Visits = { dashboard: number[]; heatMap: number[]; life: number[]; checkIns: CheckInTimes };

/** A person with five years of daily entries, all on their device, in their private space. */
export async function prepareYears(rig: ShellRig, chromium: string): Promise<Years> {
  const { sql } = rig;
  const member = await addMember(sql, 1);
  const { userId } = member;
  await sql`insert into user_preferences (user_id) values (${userId})`;
  await sql`insert into habits (user_id, name, started_on, position, times, per_days)
    select ${userId}, 'Habit ' || n, current_date - ${DAYS}::int, n, 1 + n % 5, 7 from generate_series(1, ${HABITS}::int) n`;
  await sql`insert into habit_entries (id, user_id, habit_id, day, value)
    select extensions.uuid_generate_v5(h.id, 'habits/' || to_char(current_date - d, 'YYYY-MM-DD')), ${userId}, h.id, current_date - d,
      case when (d + h.position) % 5 = 0 then 'no' else 'done' end
    from habits h, generate_series(0, ${DAYS}::int) d where h.user_id = ${userId}`;
  await sql`insert into wellness_check_ins (user_id, day, at, mood, energy, stress, tags)
    select ${userId}, current_date - d, now() - d * interval '1 day', 1 + d % 5, 1 + d % 4, 1 + d % 3, '["work"]'
    from generate_series(0, ${DAYS}::int) d`;
  await sql`insert into goals (user_id, area, title, state, started_on, metric, baseline, target)
    select ${userId}, 'mindfulness-focus', 'Goal ' || n, 'active', current_date - ${DAYS}::int, 'Hours', 0, 500 from generate_series(1, 2) n`;
  await sql`insert into goal_check_ins (user_id, goal_id, day, at, value)
    select ${userId}, g.id, current_date - 7 * w, now() - w * interval '7 days', 300 - w
    from goals g, generate_series(0, ${DAYS}::int / 7) w where g.user_id = ${userId}`;
  const [row] = await sql<
    { n: number }[]
  >`select (select count(*) from habit_entries) + (select count(*) from wellness_check_ins)
    + (select count(*) from goal_check_ins) as n`;
  const profile = join(rig.folder, 'profile-growth');
  const visit = await openProfile(profile, chromium);
  await signInWhole(visit.page, rig.url, member, HABITS);
  await visit.context.close();
  return { profile, entries: Number(row?.n), password: member.password };
}

type ExpectedCount = { selector: string; count: number };

/** ms from the press on a link to the first frame in which as many of something as wanted stand there, and of the next thing, and so on. */
async function pressed(page: Page, link: string, ...wanted: ExpectedCount[]): Promise<number[]> {
  return page.evaluate(
    async ([pressing, all]) => {
      const target = [...document.querySelectorAll<HTMLElement>(pressing)].at(0);
      if (!target) throw new Error(`nothing to press: ${pressing}`);
      const times: number[] = [];
      const begun = performance.now();
      target.click();
      for (const { selector, count } of all) {
        while (document.querySelectorAll(selector).length < count) {
          if (performance.now() - begun > 20_000) throw new Error(`${pressing} led to too few ${selector}`);
          await new Promise(requestAnimationFrame);
        }
        await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)));
        times.push(performance.now() - begun);
      }
      return times;
    },
    [link, wanted] as const,
  );
}

/** What stands on the whole dashboard: its habits, its goals and its tiles. */
const DASHBOARD = { selector: '.habit-rows > li, .goal-faces > li, .tiles > *', count: HABITS + 2 + 4 };

/** A habit's year, and what is reckoned from all of its life. */
const YEAR = { selector: '.heat-day', count: 365 };
const LIFE = { selector: '.habit-streaks dd:not(:has(.sk))', count: 2 };

/** From the habits to the dashboard and back to one habit's year, again and again. */
export async function visitYears(
  { url, sql }: ShellRig,
  { profile, password }: Years,
  { chromium, rate, times }: { chromium: string; rate: number; times: number },
): Promise<Visits> {
  const [privateSpace] = await sql<{ id: string }[]>`select id from organizations where kind = 'private' limit 1`;
  const visit = await openProfile(profile, chromium);
  const { page } = visit;
  try {
    await page.goto(`${url}/dashboard?organization=${privateSpace?.id ?? ''}`);
    await page.locator('.goal-faces > li').first().waitFor();
    await slowDown(visit, rate);
    const found = { dashboard: [] as number[], heatMap: [] as number[], life: [] as number[] };
    for (let n = 0; n <= times; n += 1) {
      const [map = NaN, life = NaN] = await pressed(page, '.habit-rows a', YEAR, LIFE);
      const [whole = NaN] = await pressed(page, 'a[href="/dashboard"]', DASHBOARD);
      if (n === 0) continue;
      found.heatMap.push(map);
      found.life.push(life);
      found.dashboard.push(whole);
    }
    await page.goto(`${url}/wellness`);
    // One browser, one key: the second rate finds the notes open.
    if (rate !== 1) await makeNoteKey(page, password);
    return { ...found, checkIns: await fullCheckIns(page, CHECK_INS) };
  } finally {
    await visit.context.close();
  }
}
