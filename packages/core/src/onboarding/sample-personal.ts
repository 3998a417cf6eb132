import { addDays } from '@cairn/base/local-day.ts';
import { Failure } from '@cairn/base/failure.ts';
import { derivedId } from '@cairn/base/id.ts';
import type { Row } from '@cairn/schema';
import type { WriteTx } from '@cairn/sync/store.ts';
import { personalPlan, withFields } from './first-run.ts';
import type { SetUpPersonal } from './set-up-personal.ts';
import { inTongue, type Text } from './text.ts';

/** `days`: when it is due, from today; negative is late. */
const SAMPLES: readonly { title: Text; days: number; done?: true }[] = [
  { title: ['Sample: book the dentist', 'Beispiel: Zahnarzt buchen'], days: 0 },
  { title: ['Sample: read one chapter', 'Beispiel: ein Kapitel lesen'], days: 0 },
  { title: ['Sample: ask for feedback on the report', 'Beispiel: Rückmeldung zum Bericht erbitten'], days: 3 },
  { title: ['Sample: cancel the old subscription', 'Beispiel: altes Abo kündigen'], days: -1, done: true },
];

export type AddPersonalSample = Omit<SetUpPersonal, 'areas' | 'goalId'> & {
  /** A fresh id; the ids of the samples come from it. */
  seed: string;
  /** The present instant, ISO 8601. */
  now: string;
};

/**
 * Adds a few action items to look around with, and notes in the playbook's settings which they are. Run it in a write
 * with `together: true`.
 *
 * @throws {Failure} `not_found` for the playbook
 */
export async function addPersonalSample(tx: WriteTx, sample: AddPersonalSample): Promise<void> {
  const { playbookId, language, by, today, endOfDay, now } = sample;
  const playbook = await playbookOf(tx, playbookId);
  if (personalPlan(playbook.settings).samples.length > 0) return;
  const ids = SAMPLES.map((_, index) => derivedId(sample.seed, `sample/${index}`));
  for (const [index, { title, days, done }] of SAMPLES.entries()) {
    await tx.put('action_items', {
      id: ids[index] ?? sample.seed,
      organization_id: playbook.organization_id,
      playbook_id: playbookId,
      title: inTongue(title, language),
      status: done ? 'closed' : 'assigned',
      assignee_id: by,
      source_type: 'manual',
      due_at: endOfDay(addDays(today, days)),
      ...(done && { closed_at: now, closed_by: by }),
    });
  }
  await tx.change('playbooks', playbookId, { settings: withFields(playbook.settings, { sample_actions: ids }) });
}

/** Removes the samples of a personal playbook in one act, changed or not. @throws {Failure} `not_found` for it */
export async function removePersonalSample(tx: WriteTx, playbookId: string): Promise<void> {
  const playbook = await playbookOf(tx, playbookId);
  for (const id of personalPlan(playbook.settings).samples) {
    const row = await tx.get('action_items', id);
    if (row?.deleted_at === null) await tx.remove('action_items', id);
  }
  await tx.change('playbooks', playbookId, { settings: withFields(playbook.settings, { sample_actions: [] }) });
}

async function playbookOf(tx: WriteTx, id: string): Promise<Row<'playbooks'>> {
  const playbook = await tx.get('playbooks', id);
  if (!playbook) throw new Failure('not_found', `sample: no playbook ${id}`);
  return playbook;
}
