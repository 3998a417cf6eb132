import { useEffect, useEffectEvent, useMemo, useRef, useState, type ReactNode } from 'react';
import { newId } from '@cairn/base/id.ts';
import type { Decision } from '@cairn/core/inspections/inspection-states.ts';
import { mustLeaveDecision } from '@cairn/core/inspections/other-reviewers.ts';
import { closeInspection, decideOnInspection } from '@cairn/core/inspections/review-inspection.ts';
import { reviewTrail, type ReviewTrail } from '@cairn/core/inspections/review-queries.ts';
import type { Row } from '@cairn/schema';
import type { Conflict, OutboxItem } from '@cairn/sync/outbox/outbox-item.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { useSignedIn } from '../../../shared/session/session.ts';
import { useSpace } from '../../../shared/session/space.ts';
import type { InspectionRecord } from '../inspections/inspection-queries.ts';

/** Work of this device on an inspection that the server has not taken. */
export type PendingState = {
  /** Something waits to go out by itself; what was refused does not. */
  waits: boolean;
  /** What stands against it: refused by the server, or changed on both sides. */
  late: 'refused' | 'conflict' | null;
  files: PendingReviewFiles;
};

/** Photos and files of an inspection, their bytes or their rows, that this device still has to itself. */
export type PendingReviewFiles = { waiting: number; refused: number; arePhotos: boolean };

export const NO_FILES: PendingReviewFiles = { waiting: 0, refused: 0, arePhotos: true };

/** Draws what is said at one question, or of the whole inspection for null, and the place to say something. */
export type RenderComments = (at: { question: string | null; about: string; mayWrite: boolean }) => ReactNode;

/** Draws the way to what waits and what does not agree, under these words. */
export type RenderSyncLink = (words: string) => ReactNode;

export type Review = {
  trail: ReviewTrail | null;
  pending: PendingState;
  /** Whether this person reviews here. */
  mayReview: boolean;
  /** They did this one themselves, and somebody else can decide. */
  isLeftToOthers: boolean;
  /** What is said at the question of this path, or of the whole for null. `about`: what screen readers call it. */
  commentsOn: (question: string | null, about: string) => ReactNode;
  decide: (decision: Decision, word: string) => Promise<void>;
  close: () => Promise<void>;
};

/** Everything a review of one inspection shows and does, for whoever did it as for whoever decides. */
export function useReview(record: InspectionRecord, renderComments: RenderComments): Review {
  const store = useStore();
  const { user } = useSignedIn();
  const { may } = useSpace();
  const { inspection } = record;
  const live = useLive(reviewTrail(inspection.id));
  const leave = useLive(mustLeaveDecision(inspection, user.id));
  const trail = live.status === 'ready' ? live.answer : null;
  const instant = () => ({ by: user.id, at: new Date().toISOString() });
  const mayReview = may('inspection.review');
  const isOwn = inspection.conducted_by === user.id || inspection.assigned_to === user.id;
  const mayWrite = inspection.status !== 'closed' && (mayReview || isOwn);
  return {
    trail,
    pending: usePendingReview(record, trail),
    // Until the device has said who did it, nothing is offered.
    mayReview: mayReview && !record.aboutOneself && leave.status === 'ready',
    isLeftToOthers: mayReview && leave.status === 'ready' && leave.answer,
    commentsOn: (question, about) => renderComments({ question, about, mayWrite }),
    decide: (decision, word) =>
      store.write(
        'field-ops.decide',
        tx => decideOnInspection(tx, { id: inspection.id, decision, word, commentId: newId(), ...instant() }),
        { together: true },
      ),
    close: () => store.write('field-ops.close', tx => closeInspection(tx, inspection.id)),
  };
}

function usePendingReview({ inspection, answers }: InspectionRecord, trail: ReviewTrail | null): PendingState {
  const { engine } = useSignedIn();
  const [known, setKnown] = useState<PendingState>({ waits: false, late: null, files: NO_FILES });
  // Thousands of answers: gathered once for each change of theirs, not each time the screen is drawn.
  const own = useMemo(
    () => new Set([inspection.id, ...answers.map(({ id }) => id), ...(trail?.comments ?? []).map(({ id }) => id)]),
    [inspection.id, answers, trail],
  );
  // What waits changes several times with each answer; the screen is drawn anew only where that matters to it.
  const seen = useRef<PendingRecords>({ outbox: [], conflicts: [] });
  const judge = useEffectEvent((part: Partial<PendingRecords>) => {
    seen.current = { ...seen.current, ...part };
    const all = knownOf(seen.current, own, inspection.id);
    // While it is being done nobody is told that an answer waits, and each of them does for a moment.
    const now = inspection.status === 'in_progress' ? { ...all, waits: false, files: NO_FILES } : all;
    setKnown(before => (JSON.stringify(before) === JSON.stringify(now) ? before : now));
  });
  useEffect(() => engine.watchOutbox(outbox => judge({ outbox })), [engine]);
  useEffect(() => engine.watchConflicts(conflicts => judge({ conflicts })), [engine]);
  useEffect(() => judge({}), [own]);
  return known;
}

type PendingRecords = { outbox: readonly OutboxItem[]; conflicts: readonly Conflict[] };

/** @param own ids of the inspection, its answers and what was said of it */
function knownOf({ outbox, conflicts }: PendingRecords, own: ReadonlySet<string>, inspectionId: string): PendingState {
  const pending = outbox.filter(({ recordId, kind }) => kind === 'record' && own.has(recordId));
  const isRefused = pending.some(({ state }) => state === 'failed');
  const isConflict = conflicts.some(({ recordId, resolved }) => !resolved && own.has(recordId));
  return {
    waits: pending.some(({ state }) => state !== 'failed'),
    late: isRefused ? 'refused' : isConflict ? 'conflict' : null,
    files: filesOf(
      outbox.filter(({ table, aggregateKey }) => table === 'media' && aggregateKey === `inspections/${inspectionId}`),
    ),
  };
}

/** A file is one, whether its row, its bytes or both are here. */
function filesOf(items: readonly OutboxItem[]): PendingReviewFiles {
  const all = new Set(items.map(({ recordId }) => recordId));
  const refused = new Set(items.filter(({ state }) => state === 'failed').map(({ recordId }) => recordId));
  const arePhotos = items.every(({ mime }) => mime === undefined || mime.startsWith('image/'));
  return { waiting: all.size - refused.size, refused: refused.size, arePhotos };
}

/** Comments of one question, or of the whole for null. */
export const commentsAt = (trail: ReviewTrail | null, question: string | null): Row<'comments'>[] =>
  (trail?.comments ?? []).filter(comment => comment.question === question);

/** How many open comments each question has, by its path. */
export function openByQuestion(trail: ReviewTrail | null): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { question, resolved_at: done } of trail?.comments ?? []) {
    if (question !== null && done === null) counts.set(question, (counts.get(question) ?? 0) + 1);
  }
  return counts;
}
