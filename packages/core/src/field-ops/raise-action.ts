import { endOfDay } from '@cairn/base/end-of-day.ts';
import { addDays } from '@cairn/base/local-day.ts';
import { textsIn } from '@cairn/base/texts-in.ts';
import type { Draft, Json, Row } from '@cairn/schema';
import type { WriteTx } from '@cairn/sync/store.ts';
import type { Moment } from './place-scope.ts';
import { failedActionId } from './inspection-rows.ts';
import type { QuestionState } from './question-state.ts';
import { inLanguage } from './words.ts';

/** What an action item has from the answer that asked for it, as it was when the inspection was last finished. */
type SourceFields = Pick<Row<'action_items'>, 'title' | 'description' | 'priority'> & { media_ids: string[] };

export type RaiseAction = {
  inspection: Row<'inspections'>;
  asking: QuestionState;
  /** Who finishes. */
  by: string;
  moment: Moment;
};

/**
 * Makes the action item an answer asks for. Where an earlier finish of the same inspection made it, only what its answer
 * gave follows the answer, and only as far as nobody else changed it: state, assignee, due date and others' words stay.
 *
 * @returns the action item's id
 */
export async function raiseAction(tx: WriteTx, { inspection, asking, by, moment }: RaiseAction): Promise<string> {
  const id = failedActionId(inspection.id, asking.path);
  const source = sourceFields(asking, moment);
  const before = await tx.get('action_items', id);
  if (before) {
    const changes = followed(before, source);
    if (Object.keys(changes).length > 0) await tx.change('action_items', id, changes);
    return id;
  }
  await tx.put('action_items', newAction({ inspection, asking, by, moment }, source));
  return id;
}

function newAction({ inspection, asking, by, moment }: RaiseAction, source: SourceFields): Draft<'action_items'> {
  const days = asking.followUp?.due_in_days;
  return {
    id: failedActionId(inspection.id, asking.path),
    organization_id: inspection.organization_id,
    site_id: inspection.site_id,
    playbook_id: inspection.playbook_id,
    ...source,
    source_fields: source,
    status: 'open',
    // By the end of that day: what is due today is not late the moment it is made.
    due_at: days === undefined ? null : endOfDay(addDays(moment.today, days)),
    source_type: 'inspection',
    source_id: inspection.id,
    source_question: asking.path,
    asset_id: inspection.asset_id,
    created_by: by,
  };
}

function sourceFields(asking: QuestionState, { language }: Moment): SourceFields {
  const own = inLanguage(asking.followUp?.title, language);
  return {
    title: own || asking.label || asking.question.name,
    description: asking.note,
    priority: asking.followUp?.priority ?? 'medium',
    media_ids: [...asking.mediaIds, ...asking.voiceIds],
  };
}

const FIELDS = ['title', 'description', 'priority'] as const;

/** Three-way merge of one action item: what the last finish gave, what stands there now, and what this finish gives. */
function followed(before: Row<'action_items'>, source: SourceFields): Partial<Draft<'action_items'>> {
  const last = asRecord(before.source_fields);
  const own = FIELDS.filter(field => last[field] === before[field] && source[field] !== before[field]);
  const media = followedMedia(textsIn(before.media_ids), textsIn(last['media_ids'] ?? []), source.media_ids);
  const isSame =
    FIELDS.every(field => last[field] === source[field]) &&
    sameTexts(textsIn(last['media_ids'] ?? []), source.media_ids);
  return {
    ...Object.fromEntries(own.map(field => [field, source[field]])),
    ...(!sameTexts(media, textsIn(before.media_ids)) && { media_ids: media }),
    ...(!isSame && { source_fields: source }),
  };
}

/** Files others attached stay, in their order; the answer's own are those it has now. */
function followedMedia(present: string[], last: string[], now: readonly string[]): string[] {
  const left = present.filter(id => now.includes(id) || !last.includes(id));
  return [...left, ...now.filter(id => !left.includes(id))];
}

const sameTexts = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((text, index) => text === b[index]);

const asRecord = (value: Json): Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
