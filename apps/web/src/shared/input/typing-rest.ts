import { systemClock, type Clock } from '@cairn/base/clock.ts';

/** ms after which what is typed is written although the person types on: a dying phone takes no more than that. */
export const MAX_TYPING_MS = 1000;

/** Calls for what was typed to be written once typing rests, and about each second where it does not. */
export class TypingRest {
  private readonly restMs: number;
  private readonly clock: Clock;
  /** When the first key came that nothing was written for. */
  private since: number | null = null;
  private cancel: (() => void) | null = null;

  /** @param restMs without a key, after which `write` is called */
  constructor(restMs: number, clock: Clock = systemClock) {
    this.restMs = restMs;
    this.clock = clock;
  }

  /** A key was pressed. */
  typed(write: () => void): void {
    const now = this.clock.now();
    // A clock that was set back must not put it off.
    if (this.since === null || this.since > now) this.since = now;
    this.cancel?.();
    this.cancel = this.clock.after(Math.max(0, Math.min(this.restMs, this.since + MAX_TYPING_MS - now)), () => {
      this.stop();
      write();
    });
  }

  /** It is being written, or given up. */
  stop(): void {
    this.cancel?.();
    this.cancel = null;
    this.since = null;
  }
}
