import type { HandedPiece } from '@cairn/sync/push/handed.ts';

/** What the server says of one piece of this person's work in a tray (`my_unsent_work`). */
export type InTray = {
  mid: string;
  organization_id: string;
  state: 'waiting' | 'accepted' | 'declined' | 'refused';
};

/** `partly`: some of it was accepted, the rest declined; `unknown`: the server was not heard yet, or knows nothing of it. */
export type GivenState = InTray['state'] | 'partly' | 'unknown';

/** What belongs together and was handed over: an inspection with its answers and photos. */
export type GivenThing = { under: string; at: number; state: GivenState };

/** What one organisation was given; `elsewhere`: by another device or out of a rescue file, one for each piece. */
export type SubmittedEdits = {
  organizationId: string;
  name: string | null;
  things: GivenThing[];
  elsewhere: { state: GivenState; count: number }[];
};

/** The state of a whole: while any of it is undecided, all of it is. */
function stateOf(states: ReadonlySet<GivenState>): GivenState {
  const [first = 'unknown'] = states;
  if (states.size === 1) return first;
  for (const open of ['unknown', 'waiting', 'refused'] as const) if (states.has(open)) return open;
  return 'partly';
}

function thingsOf(pieces: readonly HandedPiece[], states: ReadonlyMap<string, GivenState>): GivenThing[] {
  return [...Map.groupBy(pieces, ({ under }) => under)].map(([under, own]) => ({
    under,
    at: Math.max(...own.map(({ at }) => at)),
    state: stateOf(new Set(own.map(({ mid }) => states.get(mid) ?? 'unknown'))),
  }));
}

/**
 * What was handed over, by organisation.
 *
 * @param pieces what this device handed over
 * @param inTrays what the server says; null while it was not heard
 */
export function givenAway(pieces: readonly HandedPiece[], inTrays: readonly InTray[] | null): SubmittedEdits[] {
  const states = new Map((inTrays ?? []).map(({ mid, state }) => [mid, state]));
  const here = new Set(pieces.map(({ mid }) => mid));
  const others = (inTrays ?? []).filter(({ mid }) => !here.has(mid));
  const homes = [...pieces.map(each => each.organizationId), ...others.map(each => each.organization_id)];
  return [...new Set(homes)].map(organizationId => {
    const own = pieces.filter(piece => piece.organizationId === organizationId);
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
