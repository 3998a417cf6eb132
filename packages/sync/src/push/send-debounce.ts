import type { Clock } from '@cairn/base/clock.ts';

/** ms without another save after which what was saved goes out. */
const QUIET = 400;
/** ms after the first of them it goes at the latest. */
const MAX_WAIT_MS = 2000;

/**
 * Lets one round of sending follow several saves. A round takes its turns at the device's database, and whoever answers the
 * next question meanwhile would wait for them.
 */
export class SendDebounce {
  private readonly clock: Clock;
  private readonly send: () => void;
  private since: number | null = null;
  /** Its round was asked for and has not begun to send: more saves do not put it off. */
  private isDue = false;
  private cancel = () => {};

  constructor(clock: Clock, send: () => void) {
    this.clock = clock;
    this.send = send;
  }

  /** Something was saved. */
  saved(): void {
    const now = this.clock.now();
    // A clock that was set back must not put it off.
    if (this.since === null || this.since > now) this.since = now;
    this.cancel();
    this.cancel = this.clock.after(Math.max(0, Math.min(QUIET, this.since + MAX_WAIT_MS - now)), () => this.now());
  }

  /** Whether something was saved that goes out with a round of its own, which nobody has asked for yet. */
  isWaiting(): boolean {
    // A timer that was lost, or a clock that was set, must not keep it for ever.
    return !this.isDue && this.since !== null && Math.abs(this.clock.now() - this.since) <= MAX_WAIT_MS;
  }

  /** Sends what waits: the person leaves, and there may be no time later. */
  now(): void {
    if (this.since === null) return;
    this.due();
    this.send();
  }

  /** The next round takes everything along, also when it begins after one that is under way, and whatever is saved until then. */
  due(): void {
    this.stop();
    this.isDue = true;
  }

  /** A round begins to send all there is. */
  begun(): void {
    this.stop();
    this.isDue = false;
  }

  stop(): void {
    this.cancel();
    this.since = null;
  }
}
