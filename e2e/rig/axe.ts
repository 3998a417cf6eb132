import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** What axe finds on the screen as it stands: nothing. `name` says which screen a failure is about. */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  await settled(page);
  expect(await violations(page), name).toEqual([]);
}

/** What axe finds on the screen as it stands. */
export async function violations(page: Page): Promise<{ id: string; at: string[] }[]> {
  // The newer way opens a second page; these journeys have one, and no frames in it.
  const { violations: found } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
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
