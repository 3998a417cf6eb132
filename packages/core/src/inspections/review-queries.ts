import type { Row } from '@cairn/schema';
import type { Query } from '@cairn/sync/store.ts';
import { inSpace, type Space, spaceKey } from '../spaces/space.ts';
import { commentRows } from '../comments/queries.ts';
import { byStatus } from './inspection-rows.ts';

/** What a reviewer has before them. */
export type ReviewQueue = {
  /** Finished and not decided on: what waits longest first. */
  waiting: Row<'inspections'>[];
  /** Sent back and not come again: what waits longest first. */
  sentBack: Row<'inspections'>[];
  /** Decided on, the latest first. */
  decided: Row<'inspections'>[];
};

const endOf = (row: Row<'inspections'>): string => row.signed_at ?? row.finished_at ?? row.updated_at;
const decidedAt = (row: Row<'inspections'>): string => row.reviewed_at ?? row.updated_at;

/** Inspections of a space by what their review needs. */
export function reviewQueue(space: Space): Query<ReviewQueue> {
  return {
    key: `field-ops/reviewQueue/${spaceKey(space)}`,
    tables: ['inspections'],
    async read(tx) {
      const here = (rows: Row<'inspections'>[]) => rows.filter(row => inSpace(row, space));
      return {
        waiting: here(await byStatus(tx, ['finalised'])).toSorted((a, b) => endOf(a).localeCompare(endOf(b))),
        sentBack: here(await byStatus(tx, ['has_issues'])).toSorted((a, b) => decidedAt(a).localeCompare(decidedAt(b))),
        decided: here(await byStatus(tx, ['approved', 'rejected', 'closed'])).toSorted((a, b) =>
          decidedAt(b).localeCompare(decidedAt(a)),
        ),
      };
    },
  };
}

/** What was said about an inspection and what became of it. */
export type ReviewTrail = {
  comments: Row<'comments'>[];
  events: Row<'inspection_events'>[];
  /** Display names by person. */
  names: ReadonlyMap<string, string>;
};

/** Comments and log of one inspection, the oldest first. */
export function reviewTrail(inspectionId: string): Query<ReviewTrail> {
  return {
    key: `field-ops/reviewTrail/${inspectionId}`,
    tables: ['comments', 'inspection_events', 'people'],
    async read(tx) {
      const people = await tx.all('people');
      return {
        comments: await commentRows(tx, inspectionId),
        events: await tx.range('inspection_events', 'inspection', `${inspectionId}/`, `${inspectionId}/\uffff`),
        names: new Map(people.map(person => [person.id, person.display_name ?? ''])),
      };
    },
  };
}

/** Paths whose answer was changed after the inspection was last decided on. */
export function changedSinceReview(events: readonly Row<'inspection_events'>[]): ReadonlySet<string> {
  const last = events.findLastIndex(({ kind, after }) => kind === 'state' && after === 'has_issues');
  const since = last === -1 ? [] : events.slice(last + 1);
  return new Set(since.flatMap(({ kind, question }) => (kind === 'answer' && question !== null ? [question] : [])));
}

export type FinalState = Extract<Row<'inspections'>['status'], 'approved' | 'rejected' | 'closed'>;

/**
 * What the server holds the inspection to be, where it was decided on for good: its log says so also while this device's own
 * row shows work that the server refused.
 *
 * @param events the oldest first
 */
export function decidedByServer(events: readonly Row<'inspection_events'>[]): FinalState | null {
  const last = events.findLast(({ kind }) => kind === 'state')?.after;
  return last === 'approved' || last === 'rejected' || last === 'closed' ? last : null;
}
