import type { Page } from '@playwright/test';

/** ms a person takes to see and touch the next thing, and to type one letter with a thumb. */
const TOUCH_MS = 1300;
const KEYSTROKE_MS = 280;
const NOTE = 'A slow start';

/** What a check-in asks for in full, in the order of the screen. */
const LEVELS = ['Good', 'Steady', 'A little'] as const;

export type CheckInTimes = {
  /** Seconds from the open screen to "Done" at a person's pace, and taps in it. */
  full: number[];
  taps: number;
  /** ms of it in which the app let the person wait. */
  waited: number[];
};

/** The key of the notes is made once in a life, before anything is measured. */
export async function makeNoteKey(page: Page, password: string): Promise<void> {
  await page.getByRole('radio', { name: 'Okay', exact: true }).first().check({ force: true });
  await page.getByRole('button', { name: 'Add a line, if you like' }).click();
  await page.getByLabel('Your password', { exact: true }).fill(password);
  await page.getByText('I have saved the code').click();
  await page.getByRole('button', { name: 'Lock my notes' }).click();
  await page.getByLabel('Private note').waitFor();
  await page.getByRole('button', { name: 'Done', exact: true }).click();
}

/** One person filling in everything: a pause as long as theirs before each touch and letter, then whatever the app takes. */
class Person {
  taps = 0;
  waited = 0;
  private readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async touch(act: () => Promise<void>): Promise<void> {
    await this.page.waitForTimeout(TOUCH_MS);
    const began = performance.now();
    await act();
    this.waited += performance.now() - began;
    this.taps += 1;
  }

  async type(label: string, text: string): Promise<void> {
    const began = performance.now();
    await this.page.getByLabel(label).pressSequentially(text, { delay: KEYSTROKE_MS });
    this.waited += Math.max(0, performance.now() - began - text.length * KEYSTROKE_MS);
  }
}

/** Full check-ins, one after the other, on the open check-in screen. */
export async function fullCheckIns(page: Page, times: number): Promise<CheckInTimes> {
  const found: CheckInTimes = { full: [], taps: 0, waited: [] };
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  for (let n = 0; n < times; n += 1) {
    const person = new Person(page);
    const began = performance.now();
    for (const name of LEVELS) {
      const level = page.getByRole('radio', { name, exact: true }).first();
      await person.touch(() => level.check({ force: true }));
    }
    await person.touch(() => press('Half an hour more'));
    await person.touch(() => press('Outdoors'));
    await person.touch(() => press('Add a line, if you like'));
    await person.touch(() => page.getByLabel('Private note').click());
    await person.type('Private note', NOTE);
    await person.touch(() => press('Done'));
    found.full.push((performance.now() - began) / 1000);
    found.waited.push(person.waited);
    found.taps = person.taps;
  }
  return found;
}
