import { Failure } from '@cairn/base/failure.ts';
import { derivedId } from '@cairn/base/id.ts';
import type { Row } from '@cairn/schema';
import type { Query, WriteTx } from '@cairn/sync/store.ts';
import { createActionItem } from '../action-items/create-action-item.ts';
import { privateSpace } from '../spaces/private-space.ts';
import type { Relationship } from './grants.ts';
import { nextStep } from './shared-view.ts';
import { visibility } from './visibility.ts';

export type Session = Row<'circle_sessions'>;
export type NextStep = { id: string; title: string; /** YYYY-MM-DD. */ due_on: string | null };

const MAX_TITLE_LENGTH = 200;
const MAX_NOTE_LENGTH = 4000;
const MAX_MINUTES = 1440;
export const MAX_STEPS = 20;

/** The agreed next steps of a session; what cannot be read is left out. */
export function stepsOf({ next_steps: steps }: Pick<Session, 'next_steps'>): NextStep[] {
  if (!Array.isArray(steps)) return [];
  return steps.flatMap(step => {
    const read = nextStep.safeParse(step);
    return read.success ? [read.data] : [];
  });
}

/** Whether somebody else said what became of a session: that and its time are then theirs. */
export const isSaidByOther = ({ concluded_by: by }: Pick<Session, 'concluded_by'>, userId: string): boolean =>
  by != null && by !== userId;

export type WriteSession = {
  id: string;
  relationshipId: string;
  authorId: string;
  /** When it was, ISO 8601. */
  at: string;
  minutes: number | null;
  note: string;
  steps: readonly NextStep[];
};

/** Both sides, while they have to do with each other, in a role that has sessions. @throws {Failure} `not_found`, `not_allowed` */
export async function talkingPair(tx: WriteTx, relationshipId: string): Promise<Relationship> {
  const relationship = await tx.get('circle_relationships', relationshipId);
  if (relationship?.state !== 'active') throw new Failure('not_found', `session of ${relationshipId}`);
  if (!visibility[relationship.role].some(({ scope }) => scope === 'sessions')) {
    throw new Failure('not_allowed', `session of ${relationship.role}`);
  }
  return relationship;
}

/** What was said and agreed. */
export type SessionFields = Pick<WriteSession, 'at' | 'minutes' | 'note' | 'steps'>;

/** Columns of what was said: trimmed, without empty steps. @throws {Failure} `invalid` for more than fits, or no instant */
export function wordColumns({ at, minutes, note: noteText, steps: agreed }: SessionFields) {
  const note = noteText.trim();
  const steps = agreed.map(step => ({ ...step, title: step.title.trim() })).filter(({ title }) => title !== '');
  const isTooLong = steps.length > MAX_STEPS || steps.some(({ title }) => title.length > MAX_TITLE_LENGTH);
  const isLength = minutes === null || (Number.isInteger(minutes) && minutes >= 1 && minutes <= MAX_MINUTES);
  if (note.length > MAX_NOTE_LENGTH || isTooLong || !isLength || Number.isNaN(Date.parse(at))) {
    throw new Failure('invalid', 'session: more than fits, or at no instant');
  }
  return { at, minutes, note, next_steps: steps };
}

/**
 * Writes down a session, with no network too. Both read it; a helper what the person wrote under a grant alone.
 *
 * @throws {Failure} `not_found` where there is nobody to talk with; `not_allowed` for a role without sessions; `invalid` for
 * one that says nothing, or more than fits
 */
export async function writeSession(tx: WriteTx, session: WriteSession): Promise<void> {
  await talkingPair(tx, session.relationshipId);
  const words = wordColumns(session);
  if (words.note === '' && words.next_steps.length === 0) throw new Failure('invalid', `writeSession: ${session.id}`);
  const { id, relationshipId: relationship_id, authorId: author_id } = session;
  await tx.put('circle_sessions', { id, relationship_id, author_id, state: 'held', ...words });
}

/** How many days from one session to the next; null for no rhythm. @throws {Failure} `not_found`; `invalid` */
export async function setCadence(tx: WriteTx, relationshipId: string, days: number | null): Promise<void> {
  if (!(await tx.get('circle_relationships', relationshipId))) throw new Failure('not_found', 'setCadence');
  if (days !== null && (!Number.isInteger(days) || days < 1 || days > 366)) throw new Failure('invalid', 'setCadence');
  await tx.change('circle_relationships', relationshipId, { cadence_days: days });
}

export type SessionPage = {
  /** Those on this device, the newest first. */
  sessions: Session[];
  /** Ids of the next steps that became action items here. */
  taken: ReadonlySet<string>;
  acts: Row<'circle_acts'>[];
};

/** The action item that a next step becomes: the same on every device. */
const actionIdOf = (step: NextStep): string => derivedId(step.id, 'action');

/** Sessions of a relationship on this device, and what was done in the person's name. */
export function sessionPage(relationshipId: string): Query<SessionPage> {
  return {
    key: `support-circle/sessionPage/${relationshipId}`,
    tables: ['circle_sessions', 'circle_acts', 'action_items'],
    async read(tx) {
      const span = [`${relationshipId}/`, `${relationshipId}/\uffff`] as const;
      const sessions = (await tx.range('circle_sessions', 'relationship', ...span)).filter(
        row => row.deleted_at === null,
      );
      const acts = await tx.range('circle_acts', 'relationship', ...span);
      const taken = new Set<string>();
      for (const step of sessions.flatMap(stepsOf)) {
        if (await tx.get('action_items', actionIdOf(step))) taken.add(step.id);
      }
      return { sessions: sessions.toReversed(), taken, acts: acts.toReversed() };
    },
  };
}

export type NextStepsInput = {
  steps: readonly NextStep[];
  by: string;
  /** The instant a local day ends, ISO 8601. */
  endOf: (day: string) => string;
};

/** Makes action items of next steps, in the person's private space; one that is there already stays as it is. @returns how many */
export async function takeOn(tx: WriteTx, { steps, by, endOf }: NextStepsInput): Promise<number> {
  const { id: organizationId } = await privateSpace(tx, by);
  let made = 0;
  for (const step of steps) {
    const id = actionIdOf(step);
    if (await tx.get('action_items', id)) continue;
    const due = step.due_on === null ? {} : { dueAt: endOf(step.due_on) };
    await createActionItem(tx, { id, organizationId, playbookId: null, title: step.title, ...due, by });
    made += 1;
  }
  return made;
}
