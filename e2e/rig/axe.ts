import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** What axe finds on the screen as it stands: nothing. `name` says which screen a failure is about. */
export const expectAccessible = (page: Page, name: string): Promise<void> => expectNone(page, name, []);

/** The same for what floats over a page (menus, tips): it stands at the end of the body, outside every landmark. */
export const expectAccessibleFloating = (page: Page, name: string): Promise<void> => expectNone(page, name, ['region']);

async function expectNone(page: Page, name: string, without: string[]): Promise<void> {
  await settled(page);
  const found = await violations(page, without);
  if (found.length === 0) return;
  // Something that went or came while it was looked at, a toast say, was seen half-way: what is wrong stays wrong.
  await settled(page);
  expect(await violations(page, without), name).toEqual([]);
}

/** What axe finds on the screen as it stands. */
export async function violations(page: Page, without: string[] = []): Promise<{ id: string; at: string[] }[]> {
  // The newer way opens a second page; these journeys have one, and no frames in it.
  const axe = new AxeBuilder({ page }).setLegacyMode(true);
  // Only what is wrong is written out in full: the rest is most of the work on a long page.
  const { violations: found } = await axe
    .options({ resultTypes: ['violations'] })
    .disableRules(without)
    .analyze();
  return found.map(({ id, nodes }) => ({
    id,
    at: nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary ?? ''}`),
  }));
}

/** Colours in the middle of a fade are nobody's colours. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const moving = () =>
      document.getAnimations().filter(({ playState, effect }) => {
        const endless = effect?.getComputedTiming().endTime === Infinity;
        return playState === 'running' && !endless;
      });
    for (let under = moving(); under.length > 0; under = moving())
      await Promise.allSettled(under.map(({ finished }) => finished));
  });
}
