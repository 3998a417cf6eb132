import { endOfDay } from '@cairn/base/end-of-day.ts';
import { addDays } from '@cairn/base/local-day.ts';
import { textsIn } from '@cairn/base/texts-in.ts';
import type { Draft, Json, Row } from '@cairn/schema';
import type { WriteTx } from '@cairn/sync/store.ts';
import { isEnded } from '../action-items/action-status.ts';
import { holdsAsset } from '../assets/service-status.ts';
import { assigneeOf } from './find-assignee.ts';
import type { FollowUp } from '../forms/answers/follow-up.ts';
import type { Moment } from '../forms/answers/place-scope.ts';
import { failedActionId } from './inspection-rows.ts';
import type { QuestionState } from '../forms/answers/question-state.ts';
import type { RuleAssignee } from '../forms/definition/rule-assignee.ts';
import { inLanguage } from '../forms/definition/words.ts';

/**
 * What an action item has from the answer that asked for it, as it was when the inspection was last finished. `assignee`: the
 * rule's words, which the server reads where this device found nobody; `assignee_id`: whom it found.
 */
type SourceFields = Pick<Row<'action_items'>, 'title' | 'description' | 'priority' | 'due_at' | 'assignee_id'> & {
  media_ids: string[];
  assignee: RuleAssignee | null;
};

export type RaiseAction = {
  inspection: Row<'inspections'>;
  asking: QuestionState;
  /** Who finishes. */
  by: string;
  /** When, device time, ISO 8601. */
  at: string;
  moment: Moment;
};

/**
 * Makes the action item an answer asks for. Where an earlier finish of the same inspection made it, only what its answer
 * gave follows the answer, and only as far as nobody else changed it: state and others' words stay, so do an assignee and a
 * due date once it has one, and what is critical stays critical until it is verified. One that was ended stays as it is.
 *
 * @returns the action item's id
 */
export async function raiseAction(tx: WriteTx, raise: RaiseAction): Promise<string> {
  const id = failedActionId(raise.inspection.id, raise.asking.path);
  const source = await sourceFields(tx, raise);
  const before = await tx.get('action_items', id);
  if (before) {
    // What was ended was checked as it stands.
    if (isEnded(before.status)) return id;
    const changes = { ...followed(before, source), ...firstGiven(before, source) };
    if (Object.keys(changes).length > 0) await tx.change('action_items', id, changes);
    return id;
  }
  await tx.put('action_items', newAction(raise, source));
  return id;
}

function newAction({ inspection, asking, by }: RaiseAction, source: SourceFields): Draft<'action_items'> {
  const { assignee: _rule, ...given } = source;
  return {
    id: failedActionId(inspection.id, asking.path),
    organization_id: inspection.organization_id,
    site_id: inspection.site_id,
    playbook_id: inspection.playbook_id,
    ...given,
    source_fields: source,
    status: given.assignee_id === null ? 'open' : 'assigned',
    source_type: 'inspection',
    source_id: inspection.id,
    source_question: asking.path,
    asset_id: inspection.asset_id,
    created_by: by,
  };
}

async function sourceFields(tx: WriteTx, { inspection, asking, by, at, moment }: RaiseAction): Promise<SourceFields> {
  const own = inLanguage(asking.followUp?.title, moment.language);
  const assignee = asking.followUp?.assignee ?? null;
  return {
    title: own || asking.label || asking.question.name,
    description: asking.note,
    priority: asking.followUp?.priority ?? 'medium',
    media_ids: [...asking.mediaIds, ...asking.voiceIds],
    due_at: asking.followUp && dueAt(asking.followUp, at, moment),
    assignee,
    assignee_id: assignee && (await assigneeOf(tx, { rule: assignee, place: inspection, conductor: by })),
  };
}

const HOUR_MS = 3_600_000;

/** The earlier of the days and the hours a rule gives, ISO 8601; null where it gives none. */
function dueAt({ due_in_days: days, due_in_hours: hours }: FollowUp, at: string, { today }: Moment): string | null {
  // By the end of that day: what is due today is not late the moment it is made.
  const byDays = days === undefined ? null : endOfDay(addDays(today, days));
  const byHours = hours === undefined ? null : new Date(Date.parse(at) + hours * HOUR_MS).toISOString();
  return [byDays, byHours].filter(each => each !== null).toSorted()[0] ?? null;
}

const FIELDS = ['title', 'description', 'priority'] as const;

/** Three-way merge of one action item: what the last finish gave, what stands there now, and what this finish gives. */
function followed(before: Row<'action_items'>, source: SourceFields): Partial<Draft<'action_items'>> {
  const last = asRecord(before.source_fields);
  const own = FIELDS.filter(
    field =>
      last[field] === before[field] && source[field] !== before[field] && !(field === 'priority' && holdsAsset(before)),
  );
  const media = followedMedia(textsIn(before.media_ids), textsIn(last['media_ids'] ?? []), source.media_ids);
  const isSame =
    FIELDS.every(field => last[field] === source[field]) &&
    (last['assignee'] ?? null) === source.assignee &&
    sameTexts(textsIn(last['media_ids'] ?? []), source.media_ids);
  return {
    ...Object.fromEntries(own.map(field => [field, source[field]])),
    ...(!sameTexts(media, textsIn(before.media_ids)) && { media_ids: media }),
    ...(!isSame && { source_fields: source }),
  };
}

/** An assignee and a due date that this answer is the first to give: nobody had given or taken away one. */
function firstGiven(before: Row<'action_items'>, source: SourceFields): Partial<Draft<'action_items'>> {
  const last = asRecord(before.source_fields);
  const { assignee_id: person, due_at: due } = source;
  const isFree = last['assignee'] === null && before.assignee_id === null && before.status === 'open';
  return {
    ...(isFree && person !== null && { assignee_id: person, status: 'assigned' }),
    ...(last['due_at'] === null && before.due_at === null && due !== null && { due_at: due }),
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
