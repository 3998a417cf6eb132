import { Failure } from '@cairn/base/failure.ts';
import { derivedId } from '@cairn/base/id.ts';
import { addDays } from '@cairn/base/local-day.ts';
import type { Row } from '@cairn/schema';
import type { Query, WriteTx } from '@cairn/sync/store.ts';
import { createActionItem } from '../action-items/create-action-item.ts';
import { privateSpace } from '../spaces/private-space.ts';
import { nextStep, type SharedSession } from './shared-view.ts';
import { visibility } from './visibility.ts';

export type Session = Row<'circle_sessions'>;
export type NextStep = { id: string; title: string; /** YYYY-MM-DD. */ due_on: string | null };

const LONGEST_TITLE = 200;
const LONGEST_NOTE = 4000;
export const MOST_STEPS = 20;

/** The agreed next steps of a session; what cannot be read is left out. */
export function stepsOf({ next_steps: steps }: Pick<Session, 'next_steps'>): NextStep[] {
  if (!Array.isArray(steps)) return [];
  return steps.flatMap(step => {
    const read = nextStep.safeParse(step);
    return read.success ? [read.data] : [];
  });
}

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

/**
 * Writes down a session, with no network too. Both read it; a helper what the person wrote under a grant alone.
 *
 * @throws {Failure} `not_found` where there is nobody to talk with; `not_allowed` for a role without sessions; `invalid` for
 * one that says nothing, or more than fits
 */
export async function writeSession(tx: WriteTx, session: WriteSession): Promise<void> {
  const relationship = await tx.get('circle_relationships', session.relationshipId);
  if (relationship?.state !== 'active') throw new Failure('not_found', `writeSession: ${session.relationshipId}`);
  if (!visibility[relationship.role].some(({ scope }) => scope === 'sessions')) {
    throw new Failure('not_allowed', `writeSession: ${relationship.role}`);
  }
  const note = session.note.trim();
  const steps = session.steps.map(step => ({ ...step, title: step.title.trim() })).filter(({ title }) => title !== '');
  const isTooLong = steps.length > MOST_STEPS || steps.some(({ title }) => title.length > LONGEST_TITLE);
  if ((note === '' && steps.length === 0) || note.length > LONGEST_NOTE || isTooLong) {
    throw new Failure('invalid', `writeSession: ${session.id}`);
  }
  await tx.put('circle_sessions', {
    id: session.id,
    relationship_id: session.relationshipId,
    author_id: session.authorId,
    at: session.at,
    state: 'held',
    minutes: session.minutes,
    note,
    next_steps: steps,
  });
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

export type TakeOn = {
  steps: readonly NextStep[];
  by: string;
  /** The instant a local day ends, ISO 8601. */
  endOf: (day: string) => string;
};

/** Makes action items of next steps, in the person's private space; one that is there already stays as it is. @returns how many */
export async function takeOn(tx: WriteTx, { steps, by, endOf }: TakeOn): Promise<number> {
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

/** One session as either side is shown it. */
export type ShownSession = Pick<SharedSession, 'id' | 'at' | 'minutes' | 'note'> & {
  steps: NextStep[];
  /** The signed-in person wrote it. */
  isMine: boolean;
};

/** Own sessions beside those that a grant shows, each once, the newest first. */
export function sessionsToShow(
  own: readonly Session[],
  shared: readonly SharedSession[],
  userId: string,
): ShownSession[] {
  const here = own.map((row): ShownSession => ({ ...row, steps: stepsOf(row), isMine: row.author_id === userId }));
  const known = new Set(here.map(({ id }) => id));
  const granted = shared
    .filter(({ id, is_mine }) => !known.has(id) && !is_mine)
    .map((session): ShownSession => ({ ...session, steps: session.next_steps, isMine: false }));
  return [...here, ...granted].toSorted((a, b) => b.at.localeCompare(a.at));
}

/** The local day the next session is due by rhythm; null without one, or before the first. @param lastDay YYYY-MM-DD */
export const nextSessionDay = (lastDay: string | null, cadenceDays: number | null): string | null =>
  lastDay === null || cadenceDays === null ? null : addDays(lastDay, cadenceDays);
