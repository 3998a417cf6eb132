import axe from 'axe-core';
import { expect, type Page } from '@playwright/test';

/** What axe finds on the screen as it stands: nothing. `name` says which screen a failure is about. */
export const expectAccessible = (page: Page, name: string): Promise<void> => expectNone(page, name, []);

/** The same for what floats over a page (menus, tips): it stands at the end of the body, outside every landmark. */
export const expectAccessibleFloating = (page: Page, name: string): Promise<void> => expectNone(page, name, ['region']);

async function expectNone(page: Page, name: string, without: string[]): Promise<void> {
  await stoodStill(page);
  const found = await violations(page, without);
  if (found.length === 0) return;
  // Something that went or came while it was looked at, a toast say, was seen half-way: what is wrong stays wrong.
  await stoodStill(page);
  expect(await violations(page, without), name).toEqual([]);
}

/** Axe into the page, once for each document: its text is long, and a page is mostly looked at more than once. */
async function bringAxe(page: Page): Promise<void> {
  if (await page.evaluate(() => 'axe' in globalThis)) return;
  await page.evaluate(`${axe.source};void 0`);
}

/** Landmarks of one kind that share a name (axe's `landmark-unique`): whoever goes by them cannot tell which is which. */
export async function landmarksAlike(page: Page): Promise<string[]> {
  await bringAxe(page);
  return page.evaluate(async () => {
    const { axe: inPage } = globalThis as unknown as { axe: typeof axe };
    const { violations: found } = await inPage.run(document, { runOnly: ['landmark-unique'] });
    return found.flatMap(({ nodes }) =>
      nodes.map(node =>
        [node, ...(node.any[0]?.relatedNodes ?? [])].map(({ html }) => html.slice(0, 90)).join(' and '),
      ),
    );
  });
}

/** What axe finds on the screen as it stands. `without`: ids of rules that do not apply. */
export async function violations(page: Page, without: string[] = []): Promise<{ id: string; at: string[] }[]> {
  await bringAxe(page);
  return page.evaluate(async ids => {
    const { axe: inPage } = globalThis as unknown as { axe: typeof axe };
    const rules = Object.fromEntries(ids.map(id => [id, { enabled: false }]));
    // Only what is wrong is written out in full: the rest is most of the work on a long page.
    const { violations: found } = await inPage.run(document, { resultTypes: ['violations'], rules });
    return found.map(({ id, nodes }) => ({
      id,
      at: nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary ?? ''}`),
    }));
  }, without);
}

/** Longer than anything fades, ms: what still moves then (a busy machine that draws no frame ends no animation) is looked at as it is. */
const PATIENCE = 5_000;

/** Colours in the middle of a fade are nobody's colours. */
async function stoodStill(page: Page): Promise<void> {
  await page.evaluate(async patience => {
    const moving = () =>
      document.getAnimations().filter(({ playState, effect }) => {
        const endless = effect?.getComputedTiming().endTime === Infinity;
        return playState === 'running' && !endless;
      });
    const late = performance.now() + patience;
    for (let under = moving(); under.length > 0 && performance.now() < late; under = moving()) {
      const turn = new Promise(resolve => setTimeout(resolve, 250));
      await Promise.race([Promise.allSettled(under.map(({ finished }) => finished)), turn]);
    }
  }, PATIENCE);
}
