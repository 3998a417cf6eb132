import { expect, test, type Page } from '@playwright/test';
import { expectAccessible, expectAccessibleFloating, violations } from './rig/axe.ts';
import { Catalogue, setLook, showStory, type LookAttributes } from './rig/catalogue.ts';
import { cutOff } from './rig/cut-off.ts';
import { contrasts, tokenPairs } from './rig/contrast.ts';
import { nextTurn } from './rig/next-turn.ts';

const ACCENTS = ['blue', 'indigo', 'violet', 'rose', 'amber', 'green', 'teal', 'slate'];
let catalogue: Catalogue;

test.beforeAll(async () => {
  catalogue = await Catalogue.open();
});

test.afterAll(async () => {
  await catalogue.close();
});

async function onStage(look: LookAttributes, width: number, use: (page: Page) => Promise<void>): Promise<void> {
  const { page, consoleLines } = await catalogue.stage(look, width);
  await use(page);
  expect(consoleLines).toEqual([]);
  await page.close();
}

/** Ids of the stories that cover the page; the others stand beside each other on one. */
async function alone(page: Page): Promise<string[]> {
  const ids = (await page.locator('main').getAttribute('data-alone'))?.split(',') ?? [];
  expect(ids.length).toBeGreaterThan(10);
  return ids;
}

const drawn = (page: Page) => expect(page.locator('.recharts-surface')).toHaveCount(5);

for (const look of [
  { theme: 'light', tone: 'company' },
  { theme: 'dark', tone: 'personal' },
]) {
  test(`no story has an accessibility violation or a console message, ${look.theme} ${look.tone}`, async () => {
    await onStage(look, 1024, async page => {
      await drawn(page);
      await expectAccessible(page, 'stories side by side');
      for (const id of await alone(page)) {
        await showStory(page, id);
        await expectAccessibleFloating(page, id);
      }
    });
  });
}

test('the check itself finds what axe calls a violation, and leaves out the rule it is told to', async () => {
  await onStage({}, 1024, async page => {
    await page.setContent('<html lang="en"><title>t</title><main><h1>t</h1><input></main><p>outside</p></html>');
    expect((await violations(page)).map(({ id }) => id)).toEqual(['label', 'region']);
    expect((await violations(page, ['region'])).map(({ id }) => id)).toEqual(['label']);
  });
});

test('every token of text and every mark keeps its contrast in every tone, theme, contrast and accent', async () => {
  await onStage({}, 1024, async page => {
    for (const tone of ['company', 'personal'])
      for (const theme of ['light', 'dark'])
        for (const contrast of ['normal', 'high'])
          for (const accent of ACCENTS) {
            await setLook(page, { tone, theme, contrast, accent });
            const measured = await contrasts(page, tokenPairs(contrast === 'high'));
            const low = measured.filter(({ ratio, least }) => ratio < least);
            const words = low.map(
              ({ front, back, ratio, least }) => `${front} on ${back}: ${ratio.toFixed(2)} < ${least}`,
            );
            expect.soft(words, `${tone} ${theme} ${contrast} ${accent}`).toEqual([]);
          }
  });
});

test('a switch of tone, accent and font size changes the look by its attribute alone', async () => {
  await onStage({ tone: 'company', theme: 'light' }, 1024, async page => {
    const button = page.getByRole('button', { name: 'Start inspection' });
    const look = () =>
      button.evaluate(element => {
        const { backgroundColor, borderRadius, fontSize } = getComputedStyle(element);
        return [backgroundColor, borderRadius, fontSize].join(' ');
      });
    const seen = new Set([await look()]);
    for (const change of [
      { tone: 'personal' },
      { accent: 'rose' },
      { theme: 'dark' },
      { 'font-size': 'extra-large' },
    ]) {
      const before = await look();
      await setLook(page, change);
      await expect.poll(look).not.toBe(before);
      seen.add(await look());
    }
    expect(seen.size).toBe(5);
  });
});

for (const dir of ['ltr', 'rtl']) {
  test(`at 320 px with text at 200 % nothing is cut off or leaves the page, ${dir}`, async () => {
    await onStage({ theme: 'light', tone: 'company' }, 320, async page => {
      await page.evaluate(direction => {
        document.documentElement.dir = direction;
        document.documentElement.style.fontSize = '200%';
      }, dir);
      await drawn(page);
      await expect.poll(() => cutOff(page)).toEqual([]);
      for (const id of await alone(page)) {
        await showStory(page, id);
        await expect.poll(() => cutOff(page), id).toEqual([]);
      }
    });
  });
}

test('a list is put in order by keyboard alone, and each step is said', async () => {
  await onStage({}, 1024, async page => {
    await showStory(page, 'Moving things/Sortable list');
    const names = page.getByRole('list', { name: 'Parts of the dashboard' }).getByRole('listitem');
    await page.getByRole('button', { name: 'Move Today' }).focus();
    await page.keyboard.press('Space');
    await expect(page.getByText(/^Today is (lifted|at place 1)/)).toBeAttached();
    await nextTurn(page);
    await page.keyboard.press('ArrowDown');
    await expect(page.getByText('Today is at place 2 of 4.')).toBeAttached();
    await page.keyboard.press('Space');
    await expect(names).toHaveText(['Compliance trend', 'Today', 'Team overdue', 'Wellness']);
  });
});

test('a table of 10,000 rows draws few of them and is walked, chosen and sorted by keyboard', async () => {
  await onStage({}, 1024, async page => {
    await showStory(page, 'Data/Table of 10,000 rows');
    const table = page.getByRole('grid', { name: 'Policies' });
    await expect(table).toHaveAttribute('aria-rowcount', '10001');
    expect(await table.getByRole('row').count()).toBeLessThan(60);
    await table.getByRole('row', { name: /Policy 1 In/ }).focus();
    await page.keyboard.press('ArrowDown');
    await expect(table.getByRole('row', { name: /Policy 2 In/ })).toBeFocused();
    await expect(table.getByRole('row', { name: /Policy 2 In/ })).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Space');
    await expect(table.getByRole('row', { name: /Policy 2 In/ })).toHaveAttribute('aria-selected', 'false');
    await page.keyboard.press('End');
    await expect(table.getByRole('row', { name: /Policy 10000 In/ })).toBeFocused();
    await table.getByRole('button', { name: 'Policy' }).click();
    await expect(table.getByRole('columnheader', { name: 'Policy' })).toHaveAttribute('aria-sort', 'descending');
    await page.keyboard.press('Tab');
    await page.evaluate(() => scrollTo(0, 0));
    await expect(table.getByRole('row').nth(1)).toContainText('Policy 10000');
  });
});

test('a tree opens, closes and chooses by keyboard, mirrored where reading goes right to left', async () => {
  await onStage({}, 1024, async page => {
    await showStory(page, 'Structure/Tree');
    const item = (name: string) => page.getByRole('treeitem', { name });
    await item('Bay 2').focus();
    await page.keyboard.press('ArrowLeft');
    await expect(item('Forklift 3')).toHaveCount(0);
    await page.keyboard.press('ArrowLeft');
    await expect(item('Site North')).toBeFocused();
    await page.keyboard.press('End');
    await page.evaluate(() => (document.documentElement.dir = 'rtl'));
    await page.keyboard.press('ArrowLeft');
    await expect(item('Yard')).toBeVisible();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(item('Yard')).toHaveAttribute('aria-selected', 'true');
  });
});

test('a combobox is searched by typing, takes several, and its open list has no violation', async () => {
  await onStage({}, 1024, async page => {
    await showStory(page, 'Fields/Combobox');
    await page.getByRole('combobox', { name: 'Sites' }).click();
    await page.keyboard.type('work');
    await expect(page.getByRole('option')).toHaveText(['Workshop']);
    await expectAccessibleFloating(page, 'open combobox');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('option', { name: 'Workshop' })).toHaveAttribute('aria-checked', 'true');
    await page.keyboard.type('xyz');
    await expect(page.getByText('No site has that name.')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('combobox', { name: 'Sites' })).toContainText('3 chosen');
    await page.getByRole('button', { name: 'Remove Site North' }).click();
    await expect(page.getByRole('combobox', { name: 'Sites' })).toContainText('2 chosen');
  });
});

test('a chart is a sentence to a screen reader and a table at a press', async () => {
  await onStage({}, 1024, async page => {
    await showStory(page, 'Data/Charts');
    await expect(page.getByRole('figure', { name: /Compliance rose/ }).first()).toBeVisible();
    await page.getByRole('button', { name: 'Show as table' }).first().click();
    const rows = page.getByRole('table', { name: 'Compliance trend (area)' }).getByRole('row');
    await expect(rows.nth(1)).toContainText('Sep');
    await expect(rows.nth(1)).toContainText('84 %');
  });
});

test('the chosen part of a picture is cut out as a square of the wanted size', async () => {
  await onStage({}, 1024, async page => {
    await showStory(page, 'Moving things/Image cropper');
    await page.getByRole('button', { name: 'Take this part' }).click();
    const taken = page.getByRole('img', { name: 'The part that was taken' });
    await expect.poll(() => taken.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(128);
    expect(await taken.evaluate((image: HTMLImageElement) => image.naturalHeight)).toBe(128);
  });
});
