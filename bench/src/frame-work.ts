import type { CDPSession } from '@playwright/test';

type TraceEvent = {
  name: string;
  cat: string;
  ph: string;
  ts: number;
  dur?: number;
  tdur?: number;
  pid: number;
  tid: number;
};

/** What Chromium's main thread did while `work` ran. */
async function traced(cdp: CDPSession, work: () => Promise<void>): Promise<TraceEvent[]> {
  const events: TraceEvent[] = [];
  cdp.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  const done = new Promise(resolve => cdp.once('Tracing.tracingComplete', resolve));
  await cdp.send('Tracing.start', {
    categories: 'devtools.timeline,toplevel,blink.user_timing,disabled-by-default-lifecycles',
  });
  await work();
  await cdp.send('Tracing.end');
  await done;
  return events;
}

/** `work`: ms between two frames in which the main thread was at work; `processor`: ms of those that it had a processor. */
export type FrameWork = { work: number; processor: number };

/**
 * Work of the main thread between each two frames while `work` runs.
 *
 * @param mark what the page says by `performance.mark` at the beginning of each frame
 */
export async function workPerFrame(cdp: CDPSession, mark: string, work: () => Promise<void>): Promise<FrameWork[]> {
  const events = await traced(cdp, work);
  const frames = events.filter(({ name, cat }) => name === mark && cat.includes('user_timing'));
  const [first] = frames;
  if (!first) throw new Error('the trace has no frame');
  const isWork = ({ name, ph, pid, tid }: TraceEvent) =>
    ph === 'X' &&
    pid === first.pid &&
    tid === first.tid &&
    (name === 'RunTask' || name === 'ThreadControllerImpl::RunTask');
  const tasks = events.filter(isWork);
  return frames.slice(0, -1).map(({ ts }, index) => {
    const end = frames[index + 1]?.ts ?? ts;
    return tasks.reduce<FrameWork>(
      (sum, task) => {
        const { dur = 0, tdur = 0 } = task;
        const inside = Math.max(0, Math.min(end, task.ts + dur) - Math.max(ts, task.ts)) / 1000;
        return { work: sum.work + inside, processor: sum.processor + (dur > 0 ? (inside * tdur) / dur : 0) };
      },
      { work: 0, processor: 0 },
    );
  });
}
