import type { CDPSession } from '@playwright/test';
import { openProfile, slowDown, type ShellRig } from './shell-rig.ts';
import type { ColdStart } from './shell-cold-start.ts';

type TraceEvent = { name: string; cat: string; ph: string; ts: number; dur?: number; pid: number; tid: number };

const FRAMES = 240;
/** px a frame: a fast flick. */
const STEP = 120;

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

/** Main-thread work between each two frames, ms. */
function workPerFrame(events: TraceEvent[]): number[] {
  const frames = events.filter(({ name, cat }) => name === 'scroll-frame' && cat.includes('user_timing'));
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
    const inside = tasks.map(task => Math.min(end, task.ts + (task.dur ?? 0)) - Math.max(ts, task.ts));
    return inside.reduce((sum, each) => sum + Math.max(0, each), 0) / 1000;
  });
}

/** Scrolls through the member's list of action items; main-thread work of each frame, ms, and how many rows there are. */
export async function scrollWork({ url }: ShellRig, { profile, chromium, rate }: ColdStart): Promise<number[]> {
  const visit = await openProfile(profile, chromium);
  try {
    const { page, context } = visit;
    await page.goto(`${url}/action-items`);
    await page.getByRole('main').getByRole('listitem').first().waitFor();
    await page.waitForFunction(() => document.documentElement.scrollHeight > 400_000);
    await slowDown(visit, rate);
    const cdp = await context.newCDPSession(page);
    const events = await traced(cdp, () =>
      page.evaluate(
        async ([frames, step]) => {
          for (let frame = 0; frame < frames; frame++) {
            await new Promise(requestAnimationFrame);
            performance.mark('scroll-frame');
            scrollBy(0, step);
          }
        },
        [FRAMES, STEP] as const,
      ),
    );
    return workPerFrame(events);
  } finally {
    await visit.context.close();
  }
}
