import { Worker } from 'node:worker_threads';
import type { DocumentCheck, DocumentSlots } from '@cairn/api/backend-access.ts';
import { errorCode } from '@cairn/database/error-code.ts';
import type { DocumentProblem } from '@cairn/core/media/document-kind.ts';
import type { Log } from '@cairn/supabase-local/log/log.ts';
import type { DocumentOrder } from './document-worker.ts';
import { inOtherTurn } from '@cairn/supabase-local/limits/held-turn.ts';
import { SharedSemaphore, type TurnRequester } from '@cairn/supabase-local/limits/shared-semaphore.ts';

/**
 * One at once, which holds up to 25 MB. Whoever waits holds nothing, not even a turn of the functions, and so may be many: of those that
 * wait whoever took least lately is next, by person, however many organisations they have.
 */
const LIMITS = {
  tiers: [{ person: 1, network: 1, all: 1 }],
  waiting: { person: 3, network: 30, all: 120 },
};

type Bounds = {
  /** ms; the slowest document that is taken needs a fifth. */
  time: number;
  /** MB of JavaScript's own memory; arrays of bytes are not in it: the check bounds these itself. */
  heap: number;
};
const BOUNDS: Bounds = { time: 30_000, heap: 512 };

/** Looks at documents in a thread of their own. */
export type DocumentChecker = { withSlot: DocumentSlots; close(): Promise<void> };

/**
 * Looks at documents one after the other, each in a thread of its own that has a time and a memory; the thread that answers goes on meanwhile.
 * A document that takes more of either is `damaged`: nobody can say what is in it.
 */
export function createDocumentChecker(log: Log, bounds: Bounds = BOUNDS): DocumentChecker {
  const semaphore = new SharedSemaphore(LIMITS);
  const atWork = new Set<Worker>();
  const check: DocumentCheck = (bytes, mime) => judged({ bytes, mime }, bounds, atWork, log);
  return {
    async withSlot(organization, signal, work) {
      const asker = (held?: TurnRequester) => ({ person: held?.person ?? organization, network: organization });
      const looked = await inOtherTurn({ semaphore, asker, signal, work: () => work(check) });
      return looked ? looked.result : 'busy';
    },
    async close() {
      await Promise.all([...atWork].map(each => each.terminate()));
    },
  };
}

function workerFor(order: DocumentOrder, { heap }: Bounds): Worker {
  return new Worker(new URL('./document-worker.ts', import.meta.url), {
    workerData: order,
    transferList: [order.bytes.buffer as ArrayBuffer],
    resourceLimits: { maxOldGenerationSizeMb: heap, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    // Nothing of the server's own: neither its settings nor the ways it was started.
    env: {},
    execArgv: [],
  });
}

function judged(order: DocumentOrder, bounds: Bounds, atWork: Set<Worker>, log: Log): Promise<DocumentProblem | null> {
  const size = order.bytes.byteLength;
  return new Promise((resolve, reject) => {
    const worker = workerFor(order, bounds);
    atWork.add(worker);
    const tooMuch = (of: string) => {
      log.warn({ bytes: size, of }, 'a document took more than it may, and is refused');
      resolve('damaged');
    };
    const timer = setTimeout(() => {
      tooMuch('time');
      void worker.terminate();
    }, bounds.time);
    worker.once('message', (problem: DocumentProblem | null) => resolve(problem));
    worker.once('error', error => {
      if (errorCode(error) === 'ERR_WORKER_OUT_OF_MEMORY') tooMuch('memory');
      else reject(error);
    });
    worker.once('exit', () => {
      clearTimeout(timer);
      atWork.delete(worker);
      reject(new Error('the check of a document ended without an answer'));
    });
  });
}
