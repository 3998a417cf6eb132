import type { WriteTx } from '@cairn/sync/store.ts';
import type { Row } from '@cairn/schema';
import { answersOf } from '../forms/answers/answers.ts';
import type { CompiledForm } from '../forms/definition/compiled-form.ts';
import { formValues } from '../forms/answers/form-values.ts';
import type { Moment } from '../forms/answers/place-scope.ts';
import { answerId, answerRows, openInspection } from './inspection-rows.ts';
import { firstValues, type StoredValues } from '../forms/answers/stored-values.ts';

type KeepFirstValues = {
  inspectionId: string;
  form: CompiledForm;
  by: string;
  /** Device time, ISO 8601. */
  at: string;
  moment: Moment;
};

/**
 * Keeps what a draft worked out for the first time (once(), what an entry begins with), so that it is the same after the app
 * was ended and on other devices. Nothing where it is all kept already, also by another device.
 *
 * @throws {Failure} `not_found`; `stale_version` when the inspection is finished
 */
export async function keepFirstValues(tx: WriteTx, keep: KeepFirstValues): Promise<void> {
  const { inspectionId, form, by, at, moment } = keep;
  const inspection = await openInspection(tx, inspectionId, 'keepFirstValues');
  const values = formValues(form, answersOf(await answerRows(tx, inspectionId)), moment);
  await putValues(tx, inspection, { values: firstValues(values), by, at });
}

/** Writes values that were worked out as answers, each over what was there. */
export async function putValues(
  tx: WriteTx,
  inspection: Row<'inspections'>,
  { values, by, at }: { values: StoredValues; by: string; at: string },
): Promise<void> {
  for (const [question, value] of values) {
    const id = answerId(inspection.id, question);
    const before = await tx.getToChange('inspection_answers', id);
    await tx.put('inspection_answers', {
      id,
      organization_id: inspection.organization_id,
      site_id: inspection.site_id,
      inspection_id: inspection.id,
      question,
      value,
      outcome: null,
      score: null,
      score_max: null,
      note: before?.note ?? null,
      media_ids: before?.media_ids ?? [],
      voice_ids: before?.voice_ids ?? [],
      answered_by: by,
      answered_at: at,
    });
  }
}
