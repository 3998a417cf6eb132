import { fileURLToPath } from 'node:url';
import { expect, type Locator, type Page } from '@playwright/test';
import { appCached } from '../rig/app-cached.ts';
import type { Phone } from '../rig/phone.ts';
import { choose } from '../rig/choose.ts';

const PASSWORD = 'cairn-demo-1';

export const PHOTO = fileURLToPath(new URL('../fixtures/parking-brake.jpg', import.meta.url));

/** The one item that fails in every journey. */
const FAILING = /parking brake/i;

type Person = 'worker' | 'manager' | 'admin' | 'person';

/** Fills in the sign-in form that is on the screen and sends it. */
export async function fillSignIn(page: Page, who: Person): Promise<void> {
  await page.getByLabel('Email').fill(`${who}@demo.cairn.test`);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** As `signIn`, whatever language the app speaks. */
export async function signInByForm(page: Page, url: string, who: Person): Promise<void> {
  await page.goto(`${url}/auth`);
  await page.locator('input[type=email]').fill(`${who}@demo.cairn.test`);
  await page.locator('input[type=password]').fill(PASSWORD);
  await page.locator('form button[type=submit]').click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

/** Signs in through the form and waits for the first screen with data on it. */
export async function signIn(page: Page, url: string, who: Person): Promise<void> {
  await page.goto(`${url}/auth`);
  await fillSignIn(page, who);
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Welcome');
}

/** Where a field takes strokes: what draws them may arrive after it. */
export async function boxOfPad(page: Page) {
  const pad = page.locator('canvas[aria-busy="false"]');
  await pad.scrollIntoViewIfNeeded();
  const box = await pad.boundingBox();
  if (!box) throw new Error('the signature pad has no place on the screen');
  return box;
}

/** What a person with a phone does: opens today's inspection, answers what is asked, fails one item, signs, finishes. */
export class FieldWorker {
  /** Questions whose answer the screen called saved; a death may take none of them. */
  readonly saved = new Set<string>();
  readonly phone: Phone;
  private readonly url: string;
  private readonly window: Page | null;

  /** Works in the phone's first window unless another one is given. */
  constructor(phone: Phone, url: string, window: Page | null = null) {
    this.phone = phone;
    this.url = url;
    this.window = window;
  }

  get page(): Page {
    return this.window ?? this.phone.page;
  }

  async open(path: string): Promise<void> {
    await this.page.goto(`${this.url}${path}`);
  }

  /** As `open`, and waits until the server's nudges can be heard: whoever loses signal then breaks no connection being made. */
  async openAndHear(path: string): Promise<void> {
    const heard = new Promise<void>(resolve => {
      this.page.once('websocket', socket => socket.once('framereceived', () => resolve()));
    });
    await this.open(path);
    await heard;
  }

  private get begin(): Locator {
    return this.page.getByRole('button', { name: 'Start inspection' });
  }

  private get finish(): Locator {
    return this.page.getByRole('button', { name: 'Finish inspection' });
  }

  private get report(): Locator {
    return this.page.getByText('1 corrective action created').first();
  }

  private get onward(): Locator {
    return this.page.getByRole('button', { name: /^(Next question|Review and finish)$/ });
  }

  get syncBadge(): Locator {
    return this.page.getByRole('link', { name: /^Sync:/ }).first();
  }

  /** The day's work and the app itself are on the phone. */
  async prepareForNoSignal(): Promise<void> {
    await expect(this.syncBadge).toContainText('Up to date', { timeout: 30_000 });
    await appCached(this.page);
    await expect.poll(() => this.page.evaluate(async () => (await caches.keys()).length)).toBeGreaterThan(0);
  }

  /** Opens today's check from the dashboard, started or not; answers its id. */
  async openTodaysCheck(): Promise<string> {
    await this.open('/dashboard');
    await this.page
      .getByRole('main')
      .getByRole('button', { name: /^(Start inspection|Resume)$/ })
      .or(this.page.getByRole('main').getByRole('link', { name: /^(Start inspection|Resume)$/ }))
      .first()
      .click();
    await expect(this.page).toHaveURL(/\/field\/[0-9a-f-]{36}/);
    // One tap: the first question stands here, not a second button.
    await expect(this.onward).toBeVisible();
    await expect(this.page).toHaveURL(/\/field\/[0-9a-f-]{36}$/);
    return /[0-9a-f-]{36}/.exec(this.page.url())?.[0] ?? '';
  }

  /** The list of forms that can be started, as this phone knows it. */
  async openForms(): Promise<void> {
    await this.open('/field');
    await this.page.getByRole('main').getByRole('button', { name: 'Start inspection' }).click();
    await expect(this.page.getByRole('list', { name: 'Which form?' })).toBeVisible();
  }

  /** Turns the page once the answer is kept. */
  async next(): Promise<void> {
    await expect(this.page.getByText('Saved on this device', { exact: true }).first()).toBeVisible();
    await this.page.getByRole('button', { name: 'Next question' }).click();
  }

  /** Does whatever is left of an inspection: starts, resumes, signs; nothing when it is finished. */
  async complete(id: string, onSaved: () => void, onFinish: () => void): Promise<void> {
    await this.open(`/field/${id}`);
    await expect(this.begin.or(this.onward).or(this.finish).or(this.report).first()).toBeVisible();
    if (await this.begin.isVisible()) {
      await this.begin.click();
      await expect(this.onward).toBeVisible();
    }
    if (await this.report.isVisible()) return;
    if (await this.onward.isVisible()) await this.answerAll(onSaved);
    onFinish();
    await this.signAndFinish();
  }

  /** Questions of this inspection whose answer lies in the phone's database, whatever the screen says. */
  async answersOnPhone(id: string): Promise<number> {
    return this.page.evaluate(async inspection => {
      type StoredRow = { type: string; data: { inspection_id?: string; value?: unknown } };
      const kept = await new Promise<StoredRow[]>((resolve, reject) => {
        const opening = indexedDB.open('cairn_mobile');
        opening.onerror = () => reject(new Error('cairn_mobile cannot be opened'));
        opening.onsuccess = () => {
          const asked = opening.result.transaction('inspections').objectStore('inspections').getAll();
          asked.onsuccess = () => resolve(asked.result as StoredRow[]);
        };
      });
      const own = kept.filter(({ type, data }) => type === 'inspection_answers' && data.inspection_id === inspection);
      return own.filter(({ data }) => data.value !== undefined && data.value !== null).length;
    }, id);
  }

  /** Entries of the phone's outbox, whatever the screen says. */
  async pendingOnPhone(): Promise<number> {
    return this.page.evaluate(
      () =>
        new Promise<number>((resolve, reject) => {
          const opening = indexedDB.open('cairn_mobile');
          opening.onerror = () => reject(new Error('cairn_mobile cannot be opened'));
          opening.onsuccess = () => {
            const asked = opening.result.transaction('sync_queue').objectStore('sync_queue').count();
            asked.onsuccess = () => {
              opening.result.close();
              resolve(asked.result);
            };
          };
        }),
    );
  }

  /** Answers from the question shown to the end; calls `onSaved` after each answer the screen says is kept. */
  async answerAll(onSaved: () => void = () => undefined): Promise<void> {
    for (;;) {
      await expect(this.onward.or(this.finish).first()).toBeVisible();
      if (await this.finish.isVisible()) return;
      const heading = this.page.getByRole('heading', { level: 1 });
      const question = (await heading.innerText()).trim();
      const isPassed = await this.answerOne(question);
      await expect(this.page.getByText('Saved on this device', { exact: true }).first()).toBeVisible();
      this.saved.add(question);
      onSaved();
      if (isPassed) continue;
      const last = this.page.getByRole('button', { name: 'Review and finish' });
      if (await last.isVisible()) {
        await last.click();
        return;
      }
      await this.page.getByRole('button', { name: 'Next question' }).click();
      await expect(heading).not.toHaveText(question);
    }
  }

  /** Passes the question shown, not answered before; the next one, or the review, comes by itself. */
  async pass(question: string): Promise<void> {
    const heading = this.page.getByRole('heading', { level: 1 });
    // A press right after a question came by itself was meant for the one before, and counts for nothing.
    await expect(async () => {
      const radio = this.page.getByRole('radio', { name: 'Pass' });
      if ((await heading.innerText()).trim() === question) await radio.locator('xpath=ancestor::label[1]').click();
      await expect(heading).not.toHaveText(question, { timeout: 3000 });
    }).toPass();
  }

  /** @returns whether the way on is made: by passing it */
  private async answerOne(question: string): Promise<boolean> {
    const fail = FAILING.test(question);
    const answer = this.page.getByRole('radio', { name: fail ? 'Fail' : 'Pass' });
    if (await answer.isVisible().catch(() => false)) {
      const isNew = !fail && !(await answer.isChecked());
      if (isNew) await this.pass(question);
      else await choose(answer);
      if (fail) await this.giveEvidence();
      return isNew;
    }
    await this.sign();
    const box = this.page.getByRole('main').getByRole('textbox').first();
    if (await box.isVisible().catch(() => false)) {
      await box.fill('4211');
      await box.blur();
    }
    return false;
  }

  private async giveEvidence(): Promise<void> {
    // Its frame comes with the question, its picture a moment later.
    if ((await this.page.locator('.photo-strip figure.photo').count()) === 0)
      await this.page.getByLabel('Add photo').setInputFiles(PHOTO);
    await expect(this.page.locator('.photo-strip img')).toHaveCount(1);
    const note = this.page.getByLabel('Note');
    await note.fill('Lever travels past the third notch, truck rolls slowly.');
    await note.blur();
  }

  /** Finishes; resolves once the result screen stands. Signs here when the form's questions did not ask for it. */
  async signAndFinish(): Promise<void> {
    await expect(this.finish).toBeVisible();
    await this.sign();
    await this.finish.click();
    await expect(this.report).toBeVisible();
  }

  /** Draws with the finger where a pad is shown. */
  async sign(): Promise<void> {
    const pad = this.page.locator('canvas');
    if (!(await pad.isVisible().catch(() => false))) return;
    const box = await boxOfPad(this.page);
    const { mouse } = this.page;
    const middle = box.y + box.height / 2;
    await mouse.move(box.x + 30, middle);
    await mouse.down();
    for (let step = 1; step <= 12; step++) await mouse.move(box.x + 30 + step * 15, middle + (step % 2 ? 18 : -18));
    await mouse.up();
  }
}
