import { systemClock, type Clock } from '@cairn/base/clock.ts';
import type { MarkdownResult, MarkdownJob } from './markdown-jobs.ts';

/** ms that parsing may take; the words are shown plain where it takes longer. */
export const MAX_PARSE_MS = 2000;
/** ms until the worker's own code is there, from a slow disk too. */
const MAX_START_MS = 15_000;

type QueuedJob = { job: MarkdownJob; done: (made: MarkdownResult<MarkdownJob> | undefined) => void };
type WorkerMessage = { ready?: true; made?: MarkdownResult<MarkdownJob> };

/** What of a Worker is used here. */
export type WorkerLike = Pick<Worker, 'postMessage' | 'terminate' | 'addEventListener'>;

/** One worker that parses Markdown, one text at a time. What takes too long is ended with it, and the next one begins anew. */
export class MarkdownClient {
  private readonly make: () => WorkerLike;
  private readonly clock: Clock;
  private queue: QueuedJob[] = [];
  private worker: WorkerLike | null = null;
  private isReady = false;
  private current: QueuedJob | null = null;
  private stop: () => void = () => undefined;

  constructor(make: () => WorkerLike, clock: Clock = systemClock) {
    this.make = make;
    this.clock = clock;
  }

  /** @param done called once: with undefined where it took too long. @returns what lets go of it */
  ask(job: MarkdownJob, done: QueuedJob['done']): () => void {
    const waiting = { job, done };
    this.queue.push(waiting);
    this.next();
    return () => {
      this.queue = this.queue.filter(each => each !== waiting);
    };
  }

  private next(): void {
    if (this.current) return;
    this.current = this.queue.shift() ?? null;
    if (!this.current) return;
    if (this.worker && this.isReady) return this.begin(this.worker, this.current.job);
    this.start();
  }

  private start(): void {
    const worker = this.make();
    this.worker = worker;
    worker.addEventListener('message', ({ data }: MessageEvent<WorkerMessage>) => this.told(worker, data));
    worker.addEventListener('error', () => this.end());
    this.stop = this.clock.after(MAX_START_MS, () => this.end());
  }

  private told(worker: WorkerLike, { ready, made }: WorkerMessage): void {
    if (worker !== this.worker) return;
    this.stop();
    if (!ready) return this.finish(made);
    this.isReady = true;
    if (this.current) this.begin(worker, this.current.job);
  }

  private begin(worker: WorkerLike, job: MarkdownJob): void {
    this.stop = this.clock.after(MAX_PARSE_MS, () => this.end());
    worker.postMessage(job);
  }

  /** The worker is of no use any more, and what it was at is past what may be asked. */
  private end(): void {
    this.stop();
    this.worker?.terminate();
    this.worker = null;
    this.isReady = false;
    this.finish(undefined);
  }

  private finish(made: MarkdownResult<MarkdownJob> | undefined): void {
    const { current } = this;
    this.current = null;
    current?.done(made);
    this.next();
  }
}
