import { parseArgs } from 'node:util';
import { findChromium } from '../../tools/chromium.ts';
import { Findings } from './findings.ts';
import { startShellRig, type ShellRig } from './shell-rig.ts';
import { quantile } from './statistics.ts';
import { dragCards, pressScreens, type ExpectedCounts, type Look } from './tasks-screens.ts';
import { deviceWithTasks, IN_SPACE, ON_DEVICE } from './tasks-seed.ts';

/** A mid-range phone beside this computer. */
const PHONE = 4;
const LIMITS = { day: 100, filter: 50, frame: 16 };
const DRAGS = 3;

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '9' },
    /** The folder of another build of the app. */
    dist: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});

const NOTES = `
- The built app on its own server and database; a space of ${IN_SPACE.toLocaleString('en')} tasks at two sites, ${ON_DEVICE.toLocaleString('en')} of them at the member's
  own and so on the device, 7 of 10 of those open, 350 the member's own.
- The aims name no slow-down and are judged at 1 ×; "4 ×" is Chromium's processor slow-down and stands beside them.
- Medians, the first visit left out, which fetches the screen's files. From a click, a key or a choice, as the browser received it, to
  the end of the first frame in which the rows fill the screen (412 × 823) and their number is the one the server counts.
- A card is carried by a mouse from the first column over all five and back into the second (1440 × 900), ${DRAGS} times; work of the
  main thread between two frames, from a trace, from the press to the drop and its rows. "Of its processor": without the time in
  which the thread was ready and had none, which other work on the machine takes from it.
`;

/** What the server counts of the rows that the device's list should show. */
async function expectedOf({ sql }: ShellRig): Promise<ExpectedCounts> {
  const [word, priority] = ['bearings', 'urgent'];
  const [row] = await sql<{ all: number; short: number; long: number; urgent: number }[]>`
    select count(*)::int as all, count(*) filter (where title ilike ${`%${word.slice(0, -1)}%`})::int as short,
      count(*) filter (where title ilike ${`%${word}%`})::int as long,
      count(*) filter (where priority = ${priority})::int as urgent
    from tasks t join sites s on s.id = t.site_id where s.name = 'North' and t.status <> 'done'`;
  if (!row) throw new Error('there are no tasks');
  return { ...row, word, priority };
}

const findings = new Findings();

function notePresses(what: string, times: number[], limit: number): void {
  const median = quantile(times, 0.5);
  const each = times.map(ms => ms.toFixed(0)).join(' ');
  findings.note(what, `${median.toFixed(0)} ms (${each})`, `≤ ${limit} ms`, median <= limit);
}

async function measure(rig: ShellRig, look: Look, expected: ExpectedCounts): Promise<void> {
  const { rate } = look;
  const presses = await pressScreens(rig, look, expected);
  notePresses(`My day, from the list, ${rate} ×`, presses.fromList, LIMITS.day);
  notePresses(`My day, from another screen, ${rate} ×`, presses.fromElsewhere, LIMITS.day);
  notePresses(`Filter, a letter typed, ${rate} ×`, presses.typed, LIMITS.filter);
  notePresses(`Filter, a priority chosen, ${rate} ×`, presses.chosen, LIMITS.filter);
  const frames = await dragCards(rig, { ...look, times: DRAGS });
  const work = frames.map(each => each.work);
  const processor = frames.map(each => each.processor);
  const [p50, p95] = [quantile(work, 0.5), quantile(work, 0.95)];
  findings.note(
    `Card over the board, work per frame, ${rate} ×`,
    `p95 ${p95.toFixed(1)} ms, p50 ${p50.toFixed(1)} ms, most ${Math.max(...work).toFixed(0)} ms, ${work.length} frames; of its processor p95 ${quantile(processor, 0.95).toFixed(1)} ms`,
    `p95 ≤ ${LIMITS.frame} ms`,
    p95 <= LIMITS.frame,
  );
}

const chromium = await findChromium();
const rig = await startShellRig(values.dist);
try {
  const profile = await deviceWithTasks(rig, chromium);
  const expected = await expectedOf(rig);
  for (const rate of [1, PHONE]) await measure(rig, { profile, chromium, rate, times: Number(values.times) }, expected);
} finally {
  await rig.stop();
}
findings.end({ title: 'Ten thousand tasks', notes: NOTES, verb: 'bench:tasks', write: values.write });
