import type { ServerResponse } from 'node:http';
import type { MiddlewareHandler } from 'hono';
import { Begun } from './begun-body.ts';
import { askerOf, tooMany } from './rest-turns.ts';
import { SharedTurns } from './shared-turns.ts';

/** Answers being read at once: each holds a piece or two in memory, and a file that is open. */
const ANSWERS = { tiers: [{ person: 4, network: 8, all: 24 }], waiting: { person: 50, all: 400 } };

/** How long the server waits for somebody who reads. */
export type ReadingLimits = {
  /** ms until the next piece is asked for. */
  stallMs: number;
  /** ms in all that were waited for the reader: so many, and more with each byte they took. */
  graceMs: number;
  bytesPerSecond: number;
  /** ms an answer is open, whoever is slow. */
  openMs: number;
};

/** A phone that takes 0.25 Mbit/s has its answer; one that takes none is in the way for a quarter of a minute. */
const LIMITS: ReadingLimits = { stallMs: 15_000, graceMs: 60_000, bytesPerSecond: 32 * 1024, openMs: 3_600_000 };

type Options = {
  limits: ReadingLimits;
  /** Called once, when the answer was read, given up or ran out of time. */
  onEnd(): void;
  /** Closes the line under an answer that is not read. @returns false where there is none */
  hangUp(): boolean;
};

/** The body as it is asked for, within the time a reader has. */
function timed(body: Begun, { limits, onEnd, hangUp }: Options): ReadableStream<Uint8Array> {
  const { stallMs, graceMs, bytesPerSecond, openMs } = limits;
  const began = performance.now();
  const reading = { bytes: 0, waitedMs: 0, since: began };
  let timer: NodeJS.Timeout | undefined;
  const end = () => {
    clearTimeout(timer);
    onEnd();
  };
  const giveUp = (controller: ReadableStreamDefaultController) => {
    end();
    void body.cancel();
    // Without a line somebody in this process reads it.
    if (!hangUp()) controller.error(new Error('The answer was not read in time'));
  };
  const expectReader = (controller: ReadableStreamDefaultController) => {
    reading.since = performance.now();
    const left = graceMs + (reading.bytes / bytesPerSecond) * 1000 - reading.waitedMs;
    const leftInAll = began + openMs - reading.since;
    timer = setTimeout(() => giveUp(controller), Math.max(0, Math.min(stallMs, left, leftInAll))).unref();
  };
  return new ReadableStream<Uint8Array>(
    {
      start: expectReader,
      async pull(controller) {
        clearTimeout(timer);
        reading.waitedMs += performance.now() - reading.since;
        const piece = await body.next().catch((error: unknown) => {
          end();
          throw error;
        });
        if (!piece) {
          end();
          return controller.close();
        }
        reading.bytes += piece.byteLength;
        controller.enqueue(piece);
        expectReader(controller);
      },
      async cancel(reason) {
        end();
        await body.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * For answers that may be large: such an answer takes a place until it was read to its end or its reader went away. Places are shared
 * by person, by network and in all, and whoever does not read loses theirs; small answers need none (docs/decisions/0774).
 */
export function placeUntilRead(limits: ReadingLimits = LIMITS): MiddlewareHandler {
  const places = new SharedTurns(ANSWERS);
  return async (c, next) => {
    await next();
    const { body, status, headers } = c.res;
    if (!body) return;
    const answer = (given: BodyInit | null) => {
      // Taken away first: what is set over a former answer keeps its headers.
      c.res = undefined;
      c.res = new Response(given, { status, headers });
    };
    // Of this one nobody reads a body.
    if (c.req.method === 'HEAD') return body.cancel().then(() => answer(null));
    const begun = await Begun.of(body);
    if (begun.whole) return answer(begun.whole);
    const turn = await places.take(askerOf(c), 0, c.req.raw.signal);
    if (!turn) {
      await begun.cancel();
      c.res = undefined;
      c.res = tooMany(c);
      return;
    }
    const { outgoing }: { outgoing?: ServerResponse } = c.env ?? {};
    const hangUp = () => outgoing?.destroy() !== undefined;
    answer(timed(begun, { limits, onEnd: turn.release, hangUp }));
  };
}
