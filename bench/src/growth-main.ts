import { parseArgs } from 'node:util';
import { findChromium } from '../../tools/chromium.ts';
import { Findings } from './findings.ts';
import { prepareYears, visitYears } from './growth-years.ts';
import { startShellRig } from './shell-rig.ts';
import { quantile } from './statistics.ts';

/** A mid-range phone beside this computer. */
const PHONE = 4;
const LIMITS = { dashboard: 300, heatMap: 200, checkInSeconds: 20 };

const { values } = parseArgs({
  options: { times: { type: 'string', default: '7' }, write: { type: 'boolean', default: false } },
});

const NOTES = `
- The built app on its own server and database; a person with five years of daily entries: seven habits, a check-in a day, and a
  word a week on each of two goals, all on the device.
- "4 ×" is Chromium's processor slow-down. From the press to the frame in which the whole dashboard (habits, goals, tiles) or all
  days of a habit's year stand there; the first visit, which fetches the screen's files, is left out. What takes the whole life of
  a habit, its strength and its longest row, follows in the frame that is told besides.
- A check-in in full: mood, energy, stress, sleep, a word and a private note of twelve letters, with 1.3 s before each touch and 0.28 s a
  letter for the person, the slowest of three; mood alone is counted in taps by the journey G5 (e2e/growth.spec.ts).
`;

const findings = new Findings();
const chromium = await findChromium();
const rig = await startShellRig();
try {
  const years = await prepareYears(rig, chromium);
  console.log(`${years.entries} entries`);
  for (const rate of [PHONE, 1]) {
    const found = await visitYears(rig, years, { chromium, rate, times: Number(values.times) });
    for (const name of ['dashboard', 'heatMap'] as const) {
      const [median, limit] = [quantile(found[name], 0.5), LIMITS[name]];
      const each = found[name].map(ms => ms.toFixed(0)).join(' ');
      const what = `${name === 'dashboard' ? 'Dashboard' : 'Heat map'}, ${years.entries} entries, ${rate} ×`;
      findings.note(what, `${median.toFixed(0)} ms (${each})`, `≤ ${limit} ms`, median <= limit);
    }
    const life = `${quantile(found.life, 0.5).toFixed(0)} ms (${found.life.map(ms => ms.toFixed(0)).join(' ')})`;
    findings.note(`Heat map with strength and longest row, of all entries, ${rate} ×`, life, '', true);
    const { full, taps, waited } = found.checkIns;
    const seconds = Math.max(...full);
    const own = `${quantile(waited, 0.5).toFixed(0)} ms of it the app's`;
    const limit = LIMITS.checkInSeconds;
    findings.note(
      `Check-in in full, ${rate} ×`,
      `${seconds.toFixed(1)} s, ${taps} taps, ${own}`,
      `≤ ${limit} s`,
      seconds <= limit,
    );
  }
} finally {
  await rig.stop();
}
findings.end({ title: 'Five years of days', notes: NOTES, verb: 'bench:growth', write: values.write });
