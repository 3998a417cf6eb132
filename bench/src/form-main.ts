import { parseArgs } from 'node:util';
import { findChromium } from '../../tools/chromium.ts';
import { Findings } from './findings.ts';
import {
  type AnswerTimes,
  type FormRun,
  prepareInspection,
  type PreparedInspection,
  visitForm,
} from './form-answering.ts';
import { type ShellRig, startShellRig } from './shell-rig.ts';
import { quantile } from './statistics.ts';

/** A mid-range phone beside this computer. */
const PHONE = 4;
/** A press falls anywhere between two frames of 16.7 ms, and the answer is in the one after. */
const NEXT_FRAME_MS = 33.4;
const COMMIT_MS = 50;
const COLD = 8;

const { values } = parseArgs({
  options: {
    repetitions: { type: 'string', default: '3' },
    /** At each of the three places of a visit: a form of 300 questions is answered 300 times. */
    answers: { type: 'string', default: '100' },
    write: { type: 'boolean', default: false },
    /** A folder with another build of the app: both take turns, for what is only to be told by comparing. */
    beside: { type: 'string' },
  },
});

const NOTES = `
- The built app on its own server and database; one inspection under way on a form of 300 questions, of which 50 stand in 5
  repeats with 50 entries each: 2,750 answers and 250 entries, all on the device. Every question hangs on the one before it.
- "4 ×" is Chromium's processor slow-down. Each repetition is a browser started anew, in the list of inspections.
- Opening: from the press in the list to the first question, painted and free for a touch; the form is read and worked out in it.
- An answer: Pass, Fail or N/A pressed at the first question, in the middle and in an entry of a repeat. On screen: the end of the
  first frame drawn after the press, which has to show it. Committed: the browser's own "complete" of the transaction.
- A visit answers as often as the form has questions, a quarter of a second after each answer was saved, with the network there. The first
  answers of a page that was never used take longer, until the browser has made the code quick: they are in the line above theirs as well.
`;

const findings = new Findings();

const spread = (each: readonly number[]): string =>
  `p50 ${quantile(each, 0.5).toFixed(1)} ms, p95 ${quantile(each, 0.95).toFixed(1)} ms`;

function noteRuns(rate: number, runs: readonly FormRun[]): void {
  const opens = runs.map(({ open }) => open);
  const middle = median(opens);
  findings.note(
    `Open, ${rate} ×`,
    `${middle.toFixed(0)} ms (${opens.map(open => open.toFixed(0)).join(' ')})`,
    '≤ 1000 ms',
    middle <= 1000,
  );
  const answers = runs.flatMap(run => run.answers);
  const frames = answers.map(({ frame }) => frame);
  const first = answers.filter((answer: AnswerTimes) => answer.inFirst).length;
  const isNext = first === answers.length && quantile(frames, 0.95) <= NEXT_FRAME_MS;
  findings.note(
    `Answer on screen, ${rate} ×`,
    `${spread(frames)}; in the first frame ${first} of ${answers.length}`,
    'next frame',
    isNext,
  );
  const commits = answers.map(({ committed }) => committed);
  const within = commits.filter(each => each <= COMMIT_MS).length;
  const share = `${spread(commits)}; within ${COMMIT_MS} ms ${within} of ${commits.length}`;
  findings.note(`Answer committed, ${rate} ×`, share, `≤ ${COMMIT_MS} ms`, quantile(commits, 0.95) <= COMMIT_MS);
  // A page that was never used runs code the browser has not made quick yet: told besides, not left out above.
  const cold = runs.flatMap(run => run.answers.slice(0, COLD).map(({ committed }) => committed));
  findings.note(`Answer committed, the first ${COLD} of a visit, ${rate} ×`, spread(cold), '', true);
}

type Arm = { rig: ShellRig; prepared: PreparedInspection };

const median = (each: readonly number[]): number => quantile(each, 0.5);

/** How one build does beside another, each figure taken within a repetition. */
function noteBeside(own: readonly FormRun[], other: readonly FormRun[]): void {
  const compare = (what: string, figure: (run: FormRun) => number): void => {
    const ratios = own.map((run, at) => figure(run) / figure(other[at] ?? run));
    const [from, to] = [Math.min(...ratios), Math.max(...ratios)];
    const value = `${median(ratios).toFixed(2)} × (${from.toFixed(2)}–${to.toFixed(2)})`;
    const before = median(other.map(figure)).toFixed(0);
    findings.note(`${what}, beside the other build`, `${value} of ${before} ms`, '< 1 ×', median(ratios) < 1);
  };
  compare(`Open, ${PHONE} ×`, ({ open }) => open);
  compare(`Answer on screen, ${PHONE} ×`, ({ answers }) => median(answers.map(({ frame }) => frame)));
  compare(`Answer committed, ${PHONE} ×`, ({ answers }) => median(answers.map(({ committed }) => committed)));
}

const chromium = await findChromium();
const arms: Arm[] = [];
try {
  for (const dist of values.beside === undefined ? [undefined] : [undefined, values.beside]) {
    const rig = await startShellRig(dist);
    arms.push({ rig, prepared: await prepareInspection(rig, chromium) });
  }
  for (const rate of [PHONE, 1]) {
    const runs = arms.map((): FormRun[] => []);
    const slow = { chromium, rate, answers: Number(values.answers) };
    for (let n = 0; n < (rate === 1 ? 1 : Number(values.repetitions)); n += 1) {
      const turns = [...arms.entries()];
      for (const [at, { rig, prepared }] of n % 2 === 0 ? turns : turns.toReversed()) {
        runs[at]?.push(await visitForm(rig, prepared, slow));
      }
    }
    const [own = [], other] = runs;
    noteRuns(rate, own);
    if (other && rate === PHONE) noteBeside(own, other);
  }
} finally {
  for (const { rig } of arms) await rig.stop();
}
findings.end({ title: 'A large form', notes: NOTES, verb: 'bench:form', write: values.write });
