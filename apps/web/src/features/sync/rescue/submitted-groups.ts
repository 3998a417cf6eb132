import type { SubmittedEdit } from '@cairn/sync/push/submitted-edits.ts';

/** What the server says of one piece of this person's work in a review queue (`my_submitted_edits`). */
export type QueuedEdit = {
  mid: string;
  organization_id: string;
  state: 'waiting' | 'accepted' | 'declined' | 'refused';
};

/** `partly`: some of it was accepted, the rest declined; `unknown`: the server was not heard yet, or knows nothing of it. */
export type ReviewState = QueuedEdit['state'] | 'partly' | 'unknown';

/** What belongs together and was handed over: an inspection with its answers and photos. */
export type SubmittedGroup = { aggregateKey: string; at: number; state: ReviewState };

/** What one organisation was given; `elsewhere`: by another device or out of a rescue file, one for each piece. */
export type SubmittedEdits = {
  organizationId: string;
  name: string | null;
  things: SubmittedGroup[];
  elsewhere: { state: ReviewState; count: number }[];
};

/** The state of a whole: while any of it is undecided, all of it is. */
function stateOf(states: ReadonlySet<ReviewState>): ReviewState {
  const [first = 'unknown'] = states;
  if (states.size === 1) return first;
  for (const open of ['unknown', 'waiting', 'refused'] as const) if (states.has(open)) return open;
  return 'partly';
}

function thingsOf(edits: readonly SubmittedEdit[], states: ReadonlyMap<string, ReviewState>): SubmittedGroup[] {
  return [...Map.groupBy(edits, ({ aggregateKey }) => aggregateKey)].map(([aggregateKey, own]) => ({
    aggregateKey,
    at: Math.max(...own.map(({ at }) => at)),
    state: stateOf(new Set(own.map(({ mid }) => states.get(mid) ?? 'unknown'))),
  }));
}

/**
 * What was handed over, by organisation.
 *
 * @param edits what this device handed over
 * @param inQueues what the server says; null while it was not heard
 */
export function submittedByOrganization(
  edits: readonly SubmittedEdit[],
  inQueues: readonly QueuedEdit[] | null,
): SubmittedEdits[] {
  const states = new Map((inQueues ?? []).map(({ mid, state }) => [mid, state]));
  const here = new Set(edits.map(({ mid }) => mid));
  const others = (inQueues ?? []).filter(({ mid }) => !here.has(mid));
  const organizationIds = [...edits.map(each => each.organizationId), ...others.map(each => each.organization_id)];
  return [...new Set(organizationIds)].map(organizationId => {
    const own = edits.filter(edit => edit.organizationId === organizationId);
    const elsewhere = Map.groupBy(
      others.filter(each => each.organization_id === organizationId),
      ({ state }) => state,
    );
    return {
      organizationId,
      name: own.findLast(({ organization }) => organization !== null)?.organization ?? null,
      things: thingsOf(own, states),
      elsewhere: [...elsewhere].map(([state, each]) => ({ state, count: each.length })),
    };
  });
}
