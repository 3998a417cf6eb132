import { parseArgs } from 'node:util';
import { findChromium } from '../../tools/chromium.ts';
import { Findings } from './findings.ts';
import { type Answered, type FormRun, prepareInspection, visitForm } from './form-answering.ts';
import { startShellRig } from './shell-rig.ts';
import { quantile } from './statistics.ts';

/** A mid-range phone beside this computer. */
const PHONE = 4;
/** A press falls anywhere between two frames of 16.7 ms, and the answer is in the one after. */
const NEXT_FRAME_MS = 33.4;

const { values } = parseArgs({
  options: {
    repetitions: { type: 'string', default: '3' },
    answers: { type: 'string', default: '8' },
    write: { type: 'boolean', default: false },
  },
});

const NOTES = `
- The built app on its own server and database; one inspection under way on a form of 300 questions, of which 50 stand in 5
  repeats with 50 entries each: 2,750 answers and 250 entries, all on the device. Every question hangs on the one before it.
- "4 ×" is Chromium's processor slow-down. Each repetition is a browser started anew, in the list of inspections.
- Opening: from the press in the list to the first question, painted and free for a touch; the form is read and worked out in it.
- An answer: Pass, Fail or N/A pressed at the first question, in the middle and in an entry of a repeat. On screen: the end of the
  first frame drawn after the press, which has to show it. Committed: the browser's own "complete" of the transaction.
`;

const findings = new Findings();

const spread = (each: readonly number[]): string =>
  `p50 ${quantile(each, 0.5).toFixed(1)} ms, p95 ${quantile(each, 0.95).toFixed(1)} ms`;

function noteRuns(rate: number, runs: readonly FormRun[]): void {
  const opens = runs.map(({ open }) => open);
  const median = quantile(opens, 0.5);
  findings.note(
    `Open, ${rate} ×`,
    `${median.toFixed(0)} ms (${opens.map(open => open.toFixed(0)).join(' ')})`,
    '≤ 1000 ms',
    median <= 1000,
  );
  const answers = runs.flatMap(run => run.answers);
  const frames = answers.map(({ frame }) => frame);
  const first = answers.filter((answer: Answered) => answer.inFirst).length;
  const isNext = first === answers.length && quantile(frames, 0.95) <= NEXT_FRAME_MS;
  findings.note(
    `Answer on screen, ${rate} ×`,
    `${spread(frames)}; in the first frame ${first} of ${answers.length}`,
    'next frame',
    isNext,
  );
  const commits = answers.map(({ committed }) => committed);
  findings.note(`Answer committed, ${rate} ×`, spread(commits), '≤ 50 ms', quantile(commits, 0.95) <= 50);
}

const chromium = await findChromium();
const rig = await startShellRig();
try {
  const prepared = await prepareInspection(rig, chromium);
  for (const rate of [PHONE, 1]) {
    const runs: FormRun[] = [];
    const count = rate === 1 ? 1 : Number(values.repetitions);
    const slow = { chromium, rate, answers: Number(values.answers) };
    for (let n = 0; n < count; n += 1) runs.push(await visitForm(rig, prepared, slow));
    noteRuns(rate, runs);
  }
} finally {
  await rig.stop();
}
findings.end({ title: 'A large form', notes: NOTES, verb: 'bench:form', write: values.write });
