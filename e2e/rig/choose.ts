import { expect, type Locator } from '@playwright/test';

/**
 * Chooses a radio or checkbox by what is seen of it, as a finger does. The input itself is a pixel at the edge of its label that
 * nothing can hit: a forced press on it lands on the label's last row of pixels, or one beside it.
 */
export async function choose(input: Locator, checked = true): Promise<void> {
  if ((await input.isChecked()) === checked) return;
  await input.locator('xpath=ancestor::label[1]').click();
  await expect(input).toBeChecked({ checked });
}
