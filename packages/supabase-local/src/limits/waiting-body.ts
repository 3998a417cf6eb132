import type { ByteReservation } from './bytes-in-flight.ts';

type AskingContext = { req: { raw: Request } };
type HeldBody = { hold: ByteReservation; refuse: () => Response };

const holds = new WeakMap<AskingContext, HeldBody>();

/** The body of this request is whole, and held until it is answered. */
export const noteHeldBody = (c: AskingContext, held: HeldBody): void => void holds.set(c, held);

/**
 * Waits for a turn with what was sent: until it comes the body gives way to others, as one that has not arrived does, the greediest
 * first. Whoever makes their own requests wait holds no bytes that others need.
 *
 * @param wait resolves with null where the signal came first
 * @returns the turn, or what to answer where the body was given up; null as `wait`
 */
export async function waitWithBody<T extends { release(): void }>(
  c: AskingContext,
  wait: (signal: AbortSignal) => Promise<T | null>,
): Promise<T | null | Response> {
  const held = holds.get(c);
  const { signal } = c.req.raw;
  if (!held) return wait(signal);
  const givenUp = new AbortController();
  held.hold.giveWay(() => givenUp.abort());
  try {
    const turn = await wait(AbortSignal.any([signal, givenUp.signal]));
    if (!givenUp.signal.aborted) return turn;
    turn?.release();
    return held.refuse();
  } finally {
    held.hold.settle();
  }
}
