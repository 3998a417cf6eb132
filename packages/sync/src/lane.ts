import type { Clock } from '@cairn/base/clock.ts';
import { BackendError } from './backend.ts';
import { Fenced } from './session.ts';

const FIRST_BACK_OFF = 1000;
const LONGEST_BACK_OFF = 5 * 60_000;
/** Without a sign of life for this long (ms) the work is taken for stuck. */
const STUCK_AFTER = 120_000;

export type LanePhase = 'working' | 'idle' | 'waiting' | 'paused_auth';

type LaneOptions = {
  clock: Clock;
  random(): number;
  /** One round; calls `beat` before each request; answers how long (ms) to rest when nobody wakes it. */
  work(signal: AbortSignal, beat: () => void): Promise<number>;
  onPhase(phase: LanePhase, error: unknown): void;
  /** The token was refused; a round follows once this resolves. */
  refreshToken(): Promise<void>;
  /** Another session leads; the lane has stopped. */
  onFenced(): void;
};

/** A loop that works, rests, and backs off for ever after failures. */
export interface Lane {
  /** Another round soon; one in back-off is cut short only when `urgent`. */
  wake(urgent: boolean): void;
  /** Starts over when the work is stuck or a timer was lost. */
  watch(): void;
  stop(): Promise<void>;
}

/** Full jitter: anything up to min(5 min, 1 s · 2^failures), but never less than the server asked for. */
export function backOff(failures: number, random: number, retryAfter: number | null): number {
  const ceiling = Math.min(LONGEST_BACK_OFF, FIRST_BACK_OFF * 2 ** (failures - 1));
  return Math.max(random * ceiling, retryAfter ?? 0);
}

type Rest = { until: number; eager: boolean; end: () => void };

export function startLane(options: LaneOptions): Lane {
  const { clock } = options;
  let controller = new AbortController();
  let stopped = false;
  let failures = 0;
  let lastBeat = clock.now();
  let rest: Rest | null = null;
  /** Woken while working: one more round follows at once. */
  let again = false;
  let running: Promise<void> = Promise.resolve();

  const pause = (ms: number, eager: boolean) =>
    new Promise<void>(resolve => {
      const end = () => {
        cancel();
        rest = null;
        resolve();
      };
      const cancel = clock.after(ms, end);
      rest = { until: clock.now() + ms, eager, end };
    });

  async function recover(error: unknown, signal: AbortSignal): Promise<void> {
    again = false;
    const auth = error instanceof BackendError && error.kind === 'auth';
    options.onPhase(auth ? 'paused_auth' : 'waiting', error);
    failures += 1;
    if (auth) {
      const refreshed = await options.refreshToken().then(
        () => true,
        () => false,
      );
      if (refreshed && failures === 1) return;
    }
    if (signal.aborted) return;
    await pause(backOff(failures, options.random(), error instanceof BackendError ? error.retryAfter : null), false);
  }

  async function round(signal: AbortSignal): Promise<void> {
    again = false;
    lastBeat = clock.now();
    options.onPhase('working', null);
    const idle = await options.work(signal, () => (lastBeat = clock.now()));
    failures = 0;
    if (again || signal.aborted) return;
    options.onPhase('idle', null);
    await pause(idle, true);
  }

  async function run(signal: AbortSignal): Promise<void> {
    while (!stopped && !signal.aborted) {
      try {
        await round(signal);
      } catch (error) {
        if (stopped || signal.aborted) return;
        if (error instanceof Fenced) return options.onFenced();
        await recover(error, signal);
      }
    }
  }

  const begin = () => {
    controller = new AbortController();
    lastBeat = clock.now();
    running = run(controller.signal);
  };
  begin();

  return {
    wake(urgent) {
      if (urgent) failures = 0;
      again = true;
      if (rest && (rest.eager || urgent)) rest.end();
    },
    watch() {
      if (stopped) return;
      if (rest) {
        if (clock.now() > rest.until) rest.end();
        return;
      }
      if (clock.now() - lastBeat <= STUCK_AFTER) return;
      controller.abort(new BackendError('network', 'no sign of life', 'stuck'));
      begin();
    },
    async stop() {
      stopped = true;
      controller.abort(new Error('stopped'));
      rest?.end();
      await running;
    },
  };
}
