import type { Clock } from '@cairn/base/clock.ts';
import type { AnalyticsEvent, Metric } from '@cairn/core/analytics-events/analytics-event.ts';

/** Events and figures of one send. */
export type UsageBatch = { events: AnalyticsEvent[]; metrics: Metric[] };

/** What became of a send: `refused` by the server for good, or not heard of at all. */
export type UsageAnswer = 'stored' | 'refused' | 'unreachable';

export type UsageQueueParts = {
  clock: Clock;
  online: () => boolean;
  /** Throws nothing. */
  send: (batch: UsageBatch) => Promise<UsageAnswer>;
};

/** Specified in R9.15 and R9.16. */
export const BATCH = 10;
export const QUEUE_CAP = 1000;
const FIRST_FLUSH_MS = 5_000;
const FLUSH_EVERY_MS = 30_000;

/**
 * Usage waiting to be sent: ten at a time, every 30 s, at once for an error, when the network returns; never retried in
 * a hurry. When more waits than `QUEUE_CAP`, the oldest go: usage is worth less than a person's storage.
 */
export class UsageQueue {
  private events: AnalyticsEvent[] = [];
  private metrics: Metric[] = [];
  private sending: Promise<void> | null = null;
  private cancel: (() => void) | null = null;
  private stopped = false;
  private readonly parts: UsageQueueParts;

  constructor(parts: UsageQueueParts) {
    this.parts = parts;
  }

  get waiting(): number {
    return this.events.length + this.metrics.length;
  }

  start(): void {
    this.cancel = this.parts.clock.after(FIRST_FLUSH_MS, this.tick);
  }

  /** Sends nothing more, and forgets what waits. */
  stop(): void {
    this.stopped = true;
    this.cancel?.();
    this.clear();
  }

  clear(): void {
    this.events = [];
    this.metrics = [];
  }

  track(event: AnalyticsEvent): void {
    if (this.stopped) return;
    this.events = capped([...this.events, event]);
    if (event.event_category === 'error' || this.events.length >= BATCH) void this.flush();
  }

  record(metrics: readonly Metric[]): void {
    if (!this.stopped) this.metrics = capped([...this.metrics, ...metrics]);
  }

  /** Sends everything that waits, in batches; stops at the first that does not arrive. */
  flush(): Promise<void> {
    if (!this.sending && !this.maySend()) return Promise.resolve();
    this.sending ??= this.sendAll().finally(() => (this.sending = null));
    return this.sending;
  }

  private readonly tick = (): void => {
    void this.flush();
    if (!this.stopped) this.cancel = this.parts.clock.after(FLUSH_EVERY_MS, this.tick);
  };

  private maySend(): boolean {
    return !this.stopped && this.waiting > 0 && this.parts.online();
  }

  private async sendAll(): Promise<void> {
    while (this.maySend()) {
      const batch = { events: this.events.slice(0, BATCH), metrics: this.metrics.slice(0, BATCH) };
      this.events = this.events.slice(BATCH);
      this.metrics = this.metrics.slice(BATCH);
      if ((await this.parts.send(batch)) !== 'unreachable') continue;
      this.takeBack(batch);
      return;
    }
  }

  private takeBack({ events, metrics }: UsageBatch): void {
    if (this.stopped) return;
    this.events = capped([...events, ...this.events]);
    this.metrics = capped([...metrics, ...this.metrics]);
  }
}

const capped = <Each>(all: Each[]): Each[] => (all.length > QUEUE_CAP ? all.slice(-QUEUE_CAP) : all);
