import { randomUUID } from 'node:crypto';
import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { ServerFacts } from '../rig/server-facts.ts';
import type { Phone } from '../rig/phone.ts';
import { FieldWorker, fillSignIn } from './field-worker.ts';
import { expectArrivedOnce, tally } from './inspection-proof.ts';
import { NaiveWorker } from './naive-client.ts';

/** When something dies: after the n-th saved answer, while finishing, or while sending; and how many ms later. */
export type Moment = { after: number | 'finish' | 'online'; ms: number };

const QUESTIONS = 12;

/** A moment anywhere from the first answer to the end of the sending, weighted by how much happens there. */
export function anyMoment(random: () => number): Moment {
  const where = random();
  if (where < 0.5) return { after: 1 + Math.floor(random() * QUESTIONS), ms: random() * 250 };
  if (where < 0.65) return { after: 'finish', ms: random() * 400 };
  return { after: 'online', ms: random() * 1200 };
}

/** Calls `die` at the moment; `done` resolves once it has. */
function armed(moment: Moment, die: () => Promise<void>) {
  const { promise: done, resolve, reject } = Promise.withResolvers<void>();
  let set = false;
  const reached = (point: Moment['after']) => {
    if (set || point !== moment.after) return;
    set = true;
    setTimeout(() => void die().then(resolve, reject), moment.ms);
  };
  return { reached, done, isSet: () => set };
}

/** Some work of a day that is begun without signal, and can be taken up again by whoever restarts the phone. */
type Work = {
  phone: Phone;
  /** Offline to its end, then online, with whatever state the phone is in. */
  carryOn(reached: (point: Moment['after']) => void): Promise<void>;
  /** After the phone came up again. */
  takeUp(): Promise<void>;
};

async function throughDeath(work: Work, moment: Moment, whose: 'phone' | 'server', die: () => Promise<void>) {
  const { reached, done, isSet } = armed(moment, die);
  const first = await work.carryOn(reached).then(
    () => null,
    (error: unknown) => error,
  );
  if (!isSet() && first) throw first;
  if (!isSet()) reached(moment.after);
  await done;
  if (whose === 'server') return;
  await work.phone.start();
  await work.takeUp();
  await work.carryOn(() => undefined);
}

type FaultCounts = Record<'lost' | 'doubled' | 'overwritten', number>;

/** Written down also when the journey failed: the soak adds these up. */
function note(counts: FaultCounts): void {
  for (const [type, count] of Object.entries({ died: 1, ...counts }))
    test.info().annotations.push({ type, description: `${count}` });
}

/** What somebody else called it while the phone had no signal; whole rows sent later would undo that. */
const RENAMED = 'Renamed by somebody else';

const THROWN_AWAY = 'database thrown away';

/**
 * Everything arrives in one sending, but where the browser deleted the database: of what was said in the last moments there is
 * no copy (decision 13), so the person may have finished once more while the rest was on its way.
 */
const lastReceipt = (): RegExp =>
  test.info().annotations.some(({ type }) => type === THROWN_AWAY) ? /1 action/ : /1 inspection, 1 action, 1 photo/;

/** A browser that takes its database for broken deletes it, the session with it; the work comes back from its copy. */
async function signInAgain({ page, phone }: FieldWorker): Promise<void> {
  const form = page.getByLabel('Password', { exact: true });
  await expect(form.or(page.getByRole('heading', { level: 1, name: /Welcome/ })).first()).toBeVisible();
  if (!(await form.isVisible())) return;
  test.info().annotations.push({ type: THROWN_AWAY, description: '1' });
  keepLogs(phone);
  await phone.goOnline();
  await fillSignIn(page, 'worker');
  await expect(page).toHaveURL(/\/dashboard$/);
  await page
    .getByRole('dialog', { name: /put back/ })
    .getByRole('button', { name: 'I have read this' })
    .click();
}

/** What the browser wrote about its database, kept beside the results: it says why it was deleted. */
function keepLogs({ profile }: Phone): void {
  const place = join(profile, 'Default', 'IndexedDB');
  for (const database of readdirSync(place))
    for (const name of readdirSync(join(place, database)).filter(each => each.startsWith('LOG')))
      copyFileSync(join(place, database, name), test.info().outputPath(`${database}-${name}.txt`));
}

/** The inspection of the golden path, from its first question to the receipt. */
const mainJob = (phone: Phone, worker: FieldWorker, id: string): Work => ({
  phone,
  async carryOn(reached) {
    await worker.complete(
      id,
      () => reached(worker.saved.size),
      () => reached('finish'),
    );
    await phone.goOnline();
    reached('online');
    await worker.open('/sync');
  },
  async takeUp() {
    await worker.open('/dashboard');
    await signInAgain(worker);
    await expect.poll(() => worker.answersOnPhone(id)).toBeGreaterThanOrEqual(worker.saved.size);
  },
});

/** The whole main job with one death in it, and the proof that nothing was lost, doubled or overwritten. */
export async function surviveDeath(
  phone: Phone,
  url: string,
  facts: ServerFacts,
  moment: Moment,
  whose: 'phone' | 'server',
  die: () => Promise<void>,
): Promise<void> {
  const worker = new FieldWorker(phone, url);
  const id = await facts.scheduleCheck();
  await worker.open(`/field/${id}`);
  await expect(worker.page.getByRole('button', { name: 'Start inspection' })).toBeVisible();
  await phone.goOffline();
  await facts.change('inspections', id, { title: RENAMED });
  const work = mainJob(phone, worker, id);
  try {
    await throughDeath(work, moment, whose, die);
    // A phone that has called in vain for a while may wait as long again: a server takes its time to be back on a busy machine.
    const receipt = worker.page
      .getByRole('region', { name: /^Receipt/ })
      .getByText(lastReceipt())
      .first();
    await expect(receipt).toBeVisible({ timeout: 90_000 });
    await expect(worker.syncBadge).toContainText('Up to date');
    await expectArrivedOnce(facts, id, worker.saved.size);
    expect(await facts.rows('inspections', `id=eq.${id}`)).toMatchObject([{ title: RENAMED }]);
  } finally {
    const [row] = await facts.rows('inspections', `id=eq.${id}`);
    note({ ...(await tally(facts, id, worker.saved.size)), overwritten: row?.['title'] === RENAMED ? 0 : 1 });
  }
}

/** The same death for the naive client; nothing is expected of it, what it lost is written down. */
export async function controlDeath(
  phone: Phone,
  url: string,
  facts: ServerFacts,
  moment: Moment,
): Promise<FaultCounts> {
  const worker = new NaiveWorker(phone, url, facts.secretKey);
  const [asset] = await facts.rows('assets', 'name=eq.Forklift 3');
  const [source, shared, organization] = [randomUUID(), randomUUID(), asset?.['organization_id']];
  await facts.add('action_items', { id: shared, organization_id: organization, title: 'As it was' });
  await worker.open();
  await phone.goOffline();
  await facts.change('action_items', shared, { title: RENAMED });
  const answers = Array.from({ length: QUESTIONS }, (_, n) => `Question ${n + 1}`);
  await throughDeath(
    {
      phone,
      async carryOn(reached) {
        for (const title of answers) {
          if (worker.saved.has(title)) continue;
          await worker.save(title, { organization_id: organization, title, source_id: source });
          reached(worker.saved.size);
        }
        reached('finish');
        if (!worker.saved.has('note'))
          await worker.save('note', { id: shared, title: 'As it was', description: 'Mine' });
        await phone.goOnline();
        reached('online');
        await expect.poll(() => worker.sync()).toBe('sent');
      },
      takeUp: () => worker.open(),
    },
    moment,
    'phone',
    () => phone.die(),
  );
  const counts = await missed(facts, worker.saved, answers, { source, shared });
  note(counts);
  return counts;
}

async function missed(
  facts: ServerFacts,
  saved: ReadonlySet<string>,
  answers: readonly string[],
  { source, shared }: { source: string; shared: string },
): Promise<FaultCounts> {
  const there = (await facts.rows('action_items', `source_id=eq.${source}`)).map(row => String(row['title']));
  const [row] = await facts.rows('action_items', `id=eq.${shared}`);
  const missing = answers.filter(title => saved.has(title) && !there.includes(title)).length;
  return {
    lost: missing + (saved.has('note') && row?.['description'] !== 'Mine' ? 1 : 0),
    doubled: there.length - new Set(there).size,
    overwritten: row?.['title'] === RENAMED ? 0 : 1,
  };
}
