import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** What axe finds on the screen as it stands: nothing. `name` says which screen a failure is about. */
export const expectAccessible = (page: Page, name: string): Promise<void> => expectNone(page, name, []);

/** The same for what floats over a page (menus, tips): it stands at the end of the body, outside every landmark. */
export const expectAccessibleFloating = (page: Page, name: string): Promise<void> => expectNone(page, name, ['region']);

async function expectNone(page: Page, name: string, without: string[]): Promise<void> {
  await settled(page);
  expect(await violations(page, without), name).toEqual([]);
}

/** What axe finds on the screen as it stands. */
export async function violations(page: Page, without: string[] = []): Promise<{ id: string; at: string[] }[]> {
  // The newer way opens a second page; these journeys have one, and no frames in it.
  const { violations: found } = await new AxeBuilder({ page }).setLegacyMode(true).disableRules(without).analyze();
  return found.map(({ id, nodes }) => ({
    id,
    at: nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary ?? ''}`),
  }));
}

/** Colours in the middle of a fade are nobody's colours. */
async function settled(page: Page): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate(() => {
        const moving = document.getAnimations().filter(({ playState, effect }) => {
          const endless = effect?.getComputedTiming().endTime === Infinity;
          return playState === 'running' && !endless;
        });
        return moving.length;
      }),
    )
    .toBe(0);
}
