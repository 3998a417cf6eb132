import { expect, test } from '@playwright/test';
import type { ServerFacts } from '../rig/server-facts.ts';
import type { Phone } from '../rig/phone.ts';
import { FieldWorker } from './field-worker.ts';
import { expectArrivedOnce, tally } from './inspection-proof.ts';

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

type Journey = { worker: FieldWorker; facts: ServerFacts; id: string; die: () => Promise<void> };

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

/** Offline to the end of the form, then online to the receipt, with whatever state the phone is in. */
async function carryOn({ worker, id }: Journey, reached: (point: Moment['after']) => void): Promise<void> {
  await worker.complete(
    id,
    () => reached(worker.saved.size),
    () => reached('finish'),
  );
  await worker.phone.goOnline();
  reached('online');
  await worker.open('/sync');
}

/** The whole main job with one death in it, and the proof that nothing was lost or doubled. */
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
  const journey = { worker, facts, id, die };
  try {
    await throughDeath(journey, moment, whose);
  } finally {
    // Written down also when the journey failed: the soak adds these up.
    const counts = await tally(facts, id, worker.saved.size);
    for (const [type, count] of Object.entries(counts)) test.info().annotations.push({ type, description: `${count}` });
  }
}

async function throughDeath(journey: Journey, moment: Moment, whose: 'phone' | 'server'): Promise<void> {
  const { worker, facts, id, die } = journey;
  const { reached, done, isSet } = armed(moment, die);
  const first = await carryOn(journey, reached).then(
    () => null,
    (error: unknown) => error,
  );
  if (!isSet() && first) throw first;
  if (!isSet()) reached(moment.after);
  await done;
  if (whose === 'phone') {
    await worker.phone.start();
    await worker.open('/dashboard');
    expect(await worker.answersOnPhone(id)).toBeGreaterThanOrEqual(worker.saved.size);
    await carryOn(journey, () => undefined);
  }
  await expect(worker.page.getByText('1 inspection, 1 action, 1 photo').first()).toBeVisible({ timeout: 30_000 });
  await expect(worker.syncBadge).toContainText('Up to date');
  await expectArrivedOnce(facts, id, worker.saved.size);
}
