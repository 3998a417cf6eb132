import type { Page } from '@playwright/test';
import { openProfile, slowDown, type ShellRig } from './shell-rig.ts';
import type { ColdStart } from './shell-cold-start.ts';

export type Switches = { theme: number[]; language: number[]; playbook: number[] };

/**
 * ms from the press of a control to the first frame in which `isThere` holds. A choice shows before it is saved: wait for its
 * control to tell it before the next press, which would change nothing.
 */
async function pressed(page: Page, selector: string, isThere: string): Promise<number> {
  return page.evaluate(
    async ([control, expression]) => {
      const target = document.querySelector<HTMLElement>(control);
      if (!target) throw new Error(`nothing to press: ${control}`);
      const choice = target instanceof HTMLOptionElement ? target.closest('select') : null;
      const press = () => {
        if (!(choice && target instanceof HTMLOptionElement)) return target.click();
        target.selected = true;
        return choice.dispatchEvent(new Event('change', { bubbles: true }));
      };
      // oxlint-disable-next-line no-new-func, typescript/no-implied-eval -- the condition comes from this file
      const holds = new Function(`return ${expression}`) as () => boolean;
      const begun = performance.now();
      press();
      while (!holds()) {
        if (performance.now() - begun > 10_000) throw new Error(`${control} led to no ${expression}`);
        await new Promise(requestAnimationFrame);
      }
      await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)));
      return performance.now() - begun;
    },
    [selector, isThere] as const,
  );
}

async function themes(page: Page, url: string): Promise<number[]> {
  await page.goto(`${url}/settings`);
  await page.locator('input[type=radio][value=dark]').waitFor({ state: 'attached' });
  const times: number[] = [];
  for (const theme of ['dark', 'light', 'dark', 'light', 'dark', 'light']) {
    const control = `input[type=radio][value=${theme}]`;
    times.push(await pressed(page, control, `document.documentElement.dataset.theme === '${theme}'`));
    await page.locator(`${control}:checked`).waitFor({ state: 'attached' });
  }
  return times;
}

/** The first German one fetches its words. */
async function languages(page: Page): Promise<number[]> {
  const times: number[] = [];
  for (const language of ['de', 'en', 'de', 'en', 'de', 'en']) {
    const control = `select option[value=${language}]`;
    const isThere = `document.documentElement.lang === '${language}' && document.querySelector('main h1')?.textContent === '${language === 'de' ? 'Einstellungen' : 'Settings'}'`;
    times.push(await pressed(page, control, isThere));
    await page.locator(`${control}:checked`).waitFor({ state: 'attached' });
  }
  return times;
}

async function spaces(page: Page, url: string): Promise<number[]> {
  await page.goto(`${url}/dashboard`);
  await page.locator('main h1').waitFor();
  const times: number[] = [];
  for (const world of ['personal', 'company', 'personal', 'company', 'personal', 'company']) {
    await page.locator('.switcher:visible').first().click();
    const other = page.locator('dialog, [role=dialog]').locator('input[type=radio]:not(:checked)').first();
    await other.waitFor({ state: 'attached' });
    await other.evaluate(element => element.setAttribute('data-next', ''));
    const words = world === 'personal' ? 'journey' : 'Welcome back';
    times.push(
      await pressed(
        page,
        '[data-next]',
        `document.documentElement.dataset.world === '${world}' && document.querySelector('main h1')?.textContent.includes('${words}')`,
      ),
    );
    await page.keyboard.press('Escape');
    await page.locator('[role=dialog]').waitFor({ state: 'detached' });
  }
  return times;
}

/** Switching theme, and from the organisation to the private space and back, with the member's records on the device. */
export async function switches({ url }: ShellRig, { profile, chromium, rate }: ColdStart): Promise<Switches> {
  const visit = await openProfile(profile, chromium);
  try {
    await slowDown(visit, rate);
    const theme = await themes(visit.page, url);
    const language = await languages(visit.page);
    return { theme, language, playbook: await spaces(visit.page, url) };
  } finally {
    await visit.context.close();
  }
}
