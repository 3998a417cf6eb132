import type { Row } from '@cairn/schema';
import type { Query, Tx } from '@cairn/sync/store.ts';

/** How far back failures are counted, days, and from how many on they are no chance. */
export const LOOK_BACK_DAYS = 90;
export const TOO_OFTEN = 3;
const DAY_MS = 86_400_000;

type Failed = { formId: string; question: string; at: string };

/** How often one question of one form failed within the time looked back on, the present one included. */
export function failuresOf(failed: readonly Failed[], present: Failed): number {
  const [to, from] = [Date.parse(present.at), Date.parse(present.at) - LOOK_BACK_DAYS * DAY_MS];
  return failed.filter(({ formId, question, at }) => {
    const time = Date.parse(at);
    return formId === present.formId && question === present.question && time >= from && time <= to;
  }).length;
}

/**
 * How often the question an action item came from has failed in its organisation in the 90 days up to it; null where it came
 * from no question, or its inspection is not on this device. From three on a policy or a training is worth a thought.
 */
export function recurrenceOf(item: Row<'action_items'>): Query<number | null> {
  return {
    key: `action-items/recurrenceOf/${item.id}/${item.version}`,
    tables: ['action_items', 'inspections'],
    async read(tx) {
      const present = await failureOf(tx, item);
      if (!present) return null;
      const others = (await tx.all('action_items')).filter(
        row =>
          row.deleted_at === null &&
          row.organization_id === item.organization_id &&
          row.source_question === item.source_question,
      );
      const failed = await Promise.all(others.map(row => failureOf(tx, row)));
      return failuresOf(
        failed.filter(each => each !== null),
        present,
      );
    },
  };
}

async function failureOf(tx: Tx, item: Row<'action_items'>): Promise<Failed | null> {
  if (item.source_id === null || item.source_question === null) return null;
  const inspection = await tx.get('inspections', item.source_id);
  return inspection ? { formId: inspection.form_id, question: item.source_question, at: item.created_at } : null;
}
