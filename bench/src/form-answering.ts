import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { derivedId } from '@cairn/base/id.ts';
import { largeAnswers, largeForm } from './form-large.ts';
import { addMember } from './rig/seed.ts';
import { openProfile, signInWhole, slowDown, type ShellRig, type Visit } from './shell-rig.ts';

export type PreparedInspection = { profile: string; inspectionId: string };

/** A member with an inspection of the large form under way, all of it answered and on the device. */
export async function prepareInspection(rig: ShellRig, chromium: string): Promise<PreparedInspection> {
  const { sql } = rig;
  const member = await addMember(sql, 1);
  const [form, version, inspectionId] = [randomUUID(), randomUUID(), randomUUID()];
  const { organizationId, siteId, userId } = member;
  await sql`insert into user_preferences (user_id) values (${userId})`;
  await sql`insert into forms (id, organization_id, name, state) values (${form}, ${organizationId}, 'Large check', 'published')`;
  await sql`insert into form_versions (id, organization_id, form_id, number, definition)
    values (${version}, ${organizationId}, ${form}, 1, ${sql.json(largeForm())})`;
  await sql`update forms set current_version_id = ${version} where id = ${form}`;
  await sql`insert into inspections (id, organization_id, site_id, form_id, form_version_id, conducted_by, assigned_to, started_at, title)
    values (${inspectionId}, ${organizationId}, ${siteId}, ${form}, ${version}, ${userId}, ${userId}, now(), 'Large check')`;
  const rows = largeAnswers().map(answer => ({ ...answer, id: derivedId(inspectionId, `answer/${answer.question}`) }));
  await sql`insert into inspection_answers (id, organization_id, inspection_id, question, value, answered_by, answered_at)
    select (r ->> 'id')::uuid, ${organizationId}, ${inspectionId}, r ->> 'question', r -> 'value', ${userId}, now()
    from jsonb_array_elements(${sql.json(rows)}) r`;
  const profile = join(rig.folder, 'profile-form');
  const visit = await openProfile(profile, chromium);
  await signInWhole(visit.page, rig.url, member, 0);
  await visit.page.goto(`${rig.url}/field/${inspectionId}`);
  await visit.page.locator('.runner, .review').first().waitFor();
  await visit.context.close();
  return { profile, inspectionId };
}

/** Notes when a write of answers was committed: the browser's own word, not the screen's. */
function watchCommits(): void {
  const open = IDBDatabase.prototype.transaction;
  IDBDatabase.prototype.transaction = function transaction(stores, mode, options) {
    const begun = open.call(this, stores, mode, options);
    const names = typeof stores === 'string' ? [stores] : [...stores];
    if (mode === 'readwrite' && names.includes('inspections') && names.includes('sync_queue')) {
      begun.addEventListener('complete', () => {
        const commits = (Reflect.get(globalThis, 'commits') ?? []) as number[];
        Reflect.set(globalThis, 'commits', [...commits, performance.now()]);
      });
    }
    return begun;
  };
}

/** A phone in the app's list of inspections, on the large one's doorstep; the processor is slowed down. */
async function atTheDoor(
  { url }: ShellRig,
  { profile }: PreparedInspection,
  slow: { chromium: string; rate: number },
): Promise<Visit> {
  const visit = await openProfile(profile, slow.chromium);
  await visit.page.addInitScript(watchCommits);
  await visit.page.goto(`${url}/field`);
  await visit.page
    .getByRole('link', { name: /Large check/ })
    .first()
    .waitFor();
  await slowDown(visit, slow.rate);
  return visit;
}

/** ms from the press on the inspection in the list to a first question that is painted and answers to a touch. */
async function opened(page: Page, inspectionId: string): Promise<number> {
  return page.evaluate(async id => {
    const link = document.querySelector<HTMLElement>(`a[href$="/field/${id}"]`);
    if (!link) throw new Error('the inspection is not in the list');
    const begun = performance.now();
    link.click();
    while (!document.querySelector('.runner .question h1, .runner .review h1'))
      await new Promise(requestAnimationFrame);
    await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)));
    return performance.now() - begun;
  }, inspectionId);
}

export type AnswerTimes = {
  /** ms from the press to the end of the first frame drawn after it. */
  frame: number;
  /** Whether that first frame had the answer. */
  inFirst: boolean;
  /** ms from the press to the commit in the device's database. */
  committed: number;
};

/** Presses an answer that is not the present one. */
async function answered(page: Page): Promise<AnswerTimes> {
  return page.evaluate(async () => {
    const other = document.querySelector<HTMLInputElement>('.runner-foot .answers input:not(:checked)');
    if (!other) throw new Error('there is nothing to press');
    Reflect.set(globalThis, 'commits', []);
    const begun = performance.now();
    other.click();
    const seen = await new Promise<boolean>(resolve =>
      requestAnimationFrame(() => {
        const isShown = other.checked && document.querySelector('.runner-foot .answers input:checked') === other;
        setTimeout(() => resolve(isShown));
      }),
    );
    const frame = performance.now() - begun;
    const commits = () => (Reflect.get(globalThis, 'commits') as number[])[0];
    while (commits() === undefined) await new Promise(resolve => setTimeout(resolve, 1));
    return { frame, inFirst: seen, committed: (commits() ?? Number.NaN) - begun };
  });
}

export type FormRun = { open: number; answers: AnswerTimes[] };

/** One visit: opens the inspection in a page that has never shown it, then answers at the beginning, in the middle and in a repeat. */
export async function visitForm(
  rig: ShellRig,
  prepared: PreparedInspection,
  slow: { chromium: string; rate: number; answers: number },
): Promise<FormRun> {
  const visit = await atTheDoor(rig, prepared, slow);
  try {
    const { page } = visit;
    const open = await opened(page, prepared.inspectionId);
    const answers: AnswerTimes[] = [];
    for (const path of ['Point q0', 'Point q120 ', 'Point r2q4 ']) {
      await show(page, path);
      for (let n = 0; n < slow.answers; n += 1) {
        answers.push(await answered(page));
        // The screen settles before the next press, as between two answers of a person.
        await page.waitForFunction(() => document.querySelector('.save-line.saved'));
        await page.waitForTimeout(250);
      }
    }
    return { open, answers };
  } finally {
    await visit.context.close();
  }
}

/** Goes to a question by the list of all of them, not measured. */
async function show(page: Page, label: string): Promise<void> {
  await page.locator('.runner-all').click();
  await page.locator('[role=dialog] input[type=search]').fill(label.trim());
  await page.locator('[role=dialog] .question-list button').filter({ hasText: label }).first().click();
  await page.locator('.question h1').filter({ hasText: label.trim() }).waitFor();
  await page.locator('[role=dialog]').waitFor({ state: 'detached' });
}
