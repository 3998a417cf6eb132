import type { Clock } from '@cairn/base/clock.ts';
import { BackendError } from '../transport/backend.ts';
import { FencedError } from '../store/session.ts';
import { MAX_BACK_OFF } from '../transport/error-class.ts';
import { untilAborted } from '../transport/until-aborted.ts';

const FIRST_BACK_OFF = 1000;
/** Without a sign of life for this long (ms) the work is taken for stuck. */
const STUCK_AFTER = 120_000;

export type LoopPhase = 'working' | 'idle' | 'waiting' | 'paused_auth';

export type RetryLoopOptions = {
  clock: Clock;
  random(): number;
  /** One round; calls `heartbeat` before each request; answers how long (ms) to rest when nobody wakes it. */
  work(signal: AbortSignal, heartbeat: () => void): Promise<number>;
  onPhase(phase: LoopPhase, error: unknown): void;
  /** The token was refused; a round follows once this resolves. */
  refreshToken(): Promise<void>;
  /** The device says there is no network. Only a hint: it lengthens the rest, it never stops the loop for good. */
  offline(): boolean;
  /** The work gave no sign of life and is begun anew. */
  onStuck(): void;
  /** Another session leads; the loop has stopped. */
  onFenced(): void;
};

/** Full jitter: anything up to min(5 min, 1 s · 2^(failures - 1)), but never less than the server asked for within these five minutes. */
export function backOff(failures: number, random: number, retryAfter: number | null): number {
  return Math.min(MAX_BACK_OFF, Math.max(random * maxBackOff(failures), retryAfter ?? 0));
}

const maxBackOff = (failures: number): number =>
  Math.min(MAX_BACK_OFF, FIRST_BACK_OFF * 2 ** Math.max(0, failures - 1));

type Rest = { from: number; until: number; eager: boolean; end: () => void };

/** A loop that works, rests, and backs off for ever after failures. */
export class RetryLoop {
  private readonly options: RetryLoopOptions;
  private controller = new AbortController();
  private stopped = false;
  private failures = 0;
  private lastHeartbeat = 0;
  private rest: Rest | null = null;
  /** Woken while working: one more round follows at once. */
  private again = false;
  /** Somebody asked for a round now, whatever the device believes about its network. */
  private pressed = false;
  private running: Promise<void> = Promise.resolve();

  constructor(options: RetryLoopOptions) {
    this.options = options;
    this.begin();
  }

  /** Another round soon; one in back-off is cut short only when `urgent`. */
  wake(urgent: boolean): void {
    if (urgent) {
      this.failures = 0;
      this.pressed = true;
    }
    this.again = true;
    if (this.rest && (this.rest.eager || urgent)) this.rest.end();
  }

  /** Starts over when the work is stuck or a timer was lost. */
  watch(): void {
    const now = this.options.clock.now();
    if (this.stopped) return;
    if (this.rest) {
      // Outside its time: the timer was lost, or the clock was set.
      if (!this.isResting()) this.rest.end();
      return;
    }
    if (Math.abs(now - this.lastHeartbeat) <= STUCK_AFTER) return;
    this.options.onStuck();
    this.controller.abort(new BackendError('network', 'no sign of life', 'stuck'));
    this.begin();
  }

  /** Whether it waits, as it should: for work, or for the end of a back-off. */
  isResting(): boolean {
    const now = this.options.clock.now();
    return this.rest !== null && now >= this.rest.from && now <= this.rest.until;
  }

  /** Within this (ms) another attempt must have been made: twice the longest back-off after so many failures. */
  patience(): number {
    return 2 * maxBackOff(this.failures) + STUCK_AFTER;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.controller.abort(new Error('stopped'));
    this.rest?.end();
    await this.running;
  }

  private begin(): void {
    this.controller = new AbortController();
    this.heartbeat();
    this.running = this.run(this.controller.signal);
  }

  private heartbeat(): void {
    this.lastHeartbeat = this.options.clock.now();
  }

  private pause(ms: number, eager: boolean): Promise<void> {
    const { clock } = this.options;
    return new Promise(resolve => {
      const end = () => {
        cancel();
        this.rest = null;
        resolve();
      };
      const cancel = clock.after(ms, end);
      this.rest = { from: clock.now(), until: clock.now() + ms, eager, end };
    });
  }

  /** Who renews may end the session, which waits for this loop to stop. @returns whether the call may be tried again at once */
  private async refreshed(signal: AbortSignal): Promise<boolean> {
    const isRenewed = await untilAborted(signal, () => this.options.refreshToken()).then(
      () => true,
      () => false,
    );
    return isRenewed && this.failures === 1;
  }

  private async recover(error: unknown, signal: AbortSignal): Promise<void> {
    this.again = false;
    this.failures += 1;
    const known = error instanceof BackendError ? error : null;
    this.options.onPhase(known?.kind === 'auth' ? 'paused_auth' : 'waiting', error);
    if (known?.kind === 'auth' && (await this.refreshed(signal))) return;
    if (signal.aborted) return;
    await this.pause(backOff(this.failures, this.options.random(), known?.retryAfter ?? null), false);
  }

  /** With no network every attempt would fail and say so in the console: one in five minutes tests the hint. */
  private async awaitNetwork(): Promise<void> {
    if (!this.pressed && this.options.offline()) {
      this.options.onPhase('waiting', null);
      await this.pause(MAX_BACK_OFF, false);
    }
    this.pressed = false;
  }

  private async round(signal: AbortSignal): Promise<void> {
    await this.awaitNetwork();
    if (signal.aborted) return;
    this.again = false;
    this.heartbeat();
    this.options.onPhase('working', null);
    const idle = await this.options.work(signal, () => this.heartbeat());
    this.failures = 0;
    if (this.again || signal.aborted) return;
    this.options.onPhase('idle', null);
    await this.pause(idle, true);
  }

  private async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.round(signal);
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof FencedError) {
          this.options.onFenced();
          return;
        }
        await this.recover(error, signal);
      }
    }
  }
}
