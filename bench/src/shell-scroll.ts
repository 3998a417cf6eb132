import { workPerFrame } from './frame-work.ts';
import { openProfile, slowDown, type ShellRig } from './shell-rig.ts';
import type { ColdStart } from './shell-cold-start.ts';

const FRAMES = 240;
/** px a frame: a fast flick. */
const STEP = 120;

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
    const frames = await workPerFrame(cdp, 'scroll-frame', () =>
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
    return frames.map(({ work }) => work);
  } finally {
    await visit.context.close();
  }
}
