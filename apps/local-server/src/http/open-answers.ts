import type { ServerResponse } from 'node:http';
import type { Context, MiddlewareHandler } from 'hono';
import { BodyPrefix } from './begun-body.ts';
import { READING_LIMITS, ReaderTime, type ReadingLimits } from './reader-time.ts';
import { askerOf, tooMany } from './concurrency-limits.ts';
import { WaitingAnswers } from './waiting-answers.ts';
import { SharedSemaphore } from '@cairn/supabase-local/limits/shared-semaphore.ts';
import type { Slot } from '@cairn/supabase-local/limits/slot.ts';

/** Answers being read at once: each holds a piece or two in memory, and a file that is open. */
const ANSWERS = { tiers: [{ person: 4, network: 8, all: 24 }], waiting: { person: 50, network: 80, all: 400 } };

/** By this header whoever answers says that nothing is made before it is read: such an answer takes its place first. */
const MADE_AS_READ = 'X-Cairn-Bytes';

type Options = {
  limits: ReadingLimits;
  /** Called once, when the answer was read, given up or ran out of time. */
  onEnd(): void;
  /** Closes the line under an answer that is not read. @returns false where there is none */
  hangUp(): boolean;
};

/** The body as it is asked for, within the time a reader has. */
function timed(body: BodyPrefix, { limits, onEnd, hangUp }: Options): ReadableStream<Uint8Array> {
  const late = Promise.withResolvers<void>();
  const reader = new ReaderTime(limits, late.resolve);
  const end = () => {
    reader.end();
    onEnd();
  };
  const start = (controller: ReadableStreamDefaultController) => {
    reader.expect();
    void late.promise.then(() => {
      end();
      // Without a line somebody in this process reads it.
      if (!hangUp()) controller.error(new Error('The answer was not read in time'));
      return body.cancel();
    });
  };
  const pull = async (controller: ReadableStreamDefaultController) => {
    reader.came();
    const chunk = await body.next();
    if (!chunk) {
      end();
      return controller.close();
    }
    controller.enqueue(chunk);
    reader.took(chunk.byteLength);
    reader.expect();
  };
  const source = {
    start,
    pull: (controller: ReadableStreamDefaultController) =>
      pull(controller).catch((error: unknown) => {
        end();
        throw error;
      }),
    async cancel(reason: unknown) {
      end();
      await body.cancel(reason);
    },
  };
  return new ReadableStream<Uint8Array>(source, { highWaterMark: 0 });
}

const startOf = async (body: ReadableStream<Uint8Array>, headers: Headers): Promise<BodyPrefix> =>
  headers.has(MADE_AS_READ) ? BodyPrefix.unread(body) : BodyPrefix.of(body);

/** Places of answers, and what those hold that wait for one. */
class AnswerPlaces {
  private readonly places = new SharedSemaphore(ANSWERS);
  private readonly waiting = new WaitingAnswers();

  /** @returns null where too many wait, or with too much; or who asked hung up */
  async take(c: Context, begun: BodyPrefix): Promise<Slot | null> {
    const [asker, { signal }] = [askerOf(c), c.req.raw];
    const free = signal.aborted ? null : this.places.takeAtOnce(asker, 0);
    if (free) return free;
    const letGo = this.waiting.hold(asker, begun.memory);
    if (!letGo) return null;
    try {
      return await this.places.take(asker, 0, signal);
    } finally {
      letGo();
    }
  }
}

/**
 * For answers that may be large: such an answer takes a place until it was read to its end or its reader went away. Places are shared
 * by person, by network and in all, and whoever does not read loses theirs; small answers need none (decision 21). What those hold that
 * wait for one has a bound, too: an answer that was made in one piece is all there before anybody reads it.
 */
export function placeUntilRead(limits: ReadingLimits = READING_LIMITS): MiddlewareHandler {
  const places = new AnswerPlaces();
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
    const begun = await startOf(body, headers);
    if (begun.whole) return answer(begun.whole);
    const slot = await places.take(c, begun);
    if (!slot) {
      await begun.cancel();
      c.res = undefined;
      c.res = tooMany();
      return;
    }
    const { outgoing }: { outgoing?: ServerResponse } = c.env ?? {};
    const hangUp = () => outgoing?.destroy() !== undefined;
    answer(timed(begun, { limits, onEnd: slot.release, hangUp }));
  };
}
