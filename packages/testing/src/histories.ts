import fc from 'fast-check';

const given = (name: string): number | undefined => {
  const value = process.env[name];
  return value === undefined ? undefined : Number(value);
};
const SECONDS = given('HISTORY_SECONDS');
const RUNS = given('RUNS');
const isSoak = SECONDS !== undefined || RUNS !== undefined;

/** Of the real clock, also while a test has put another in its place. */
const now = Date.now.bind(Date);

/** ms for a test whose property runs for as long as a soak wants. */
export const HISTORIES_TIMEOUT = isSoak ? 3_600_000 : 120_000;
/** ms after which no more is shrunk: a test that runs out of its time says nothing. */
const SHRINK_UNTIL = 75_000;

/** Writes past the runner, which shows what a test printed only when it ends: one that hangs never does. */
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/**
 * Runs random histories of one property: `runs` in `npm test`; with `RUNS` that many, with `HISTORY_SECONDS` as many as fit.
 * Says how many held and with which seed: `SEED=… RUNS=…` runs the same ones again. A counterexample is said at once, and
 * shrunk afterwards as far as the time of the test goes.
 *
 * @param name one word without a blank, by which the soak adds up
 * @throws {Error} with the counterexample, shrunk unless a soak has no time for that
 */
export async function holds<A>(name: string, runs: number, property: fc.IAsyncProperty<A>): Promise<void> {
  const began = now();
  const isDone = () => SECONDS === undefined || now() - began >= SECONDS * 1000;
  const first = given('SEED') ?? began % 2 ** 31;
  let seed = first;
  let histories = 0;
  say(`property ${name} begins with seed ${first}`);
  for (;;) {
    const numRuns = SECONDS === undefined ? (RUNS ?? runs) : runs;
    const details = await fc.check(property, { seed, numRuns, endOnFailure: true });
    histories += details.numRuns;
    const seconds = ((now() - began) / 1000).toFixed(1);
    const word = `histories ${name} ${histories} violations ${details.failed ? 1 : 0} seconds ${seconds} seed `;
    if (details.failed) {
      say(word + seed);
      const found = await reportOf(details);
      say(found);
      throw await failure(isSoak ? details : await shrunk(property, details, began + SHRINK_UNTIL - now()), found);
    }
    if (isDone()) {
      say(word + first);
      return;
    }
    seed += 1;
  }
}

const reportOf = async <A>(details: fc.RunDetails<A>): Promise<string> =>
  `${await fc.asyncDefaultReportMessage(details)}\n\n${String(details.errorInstance)}`;

async function failure<A>(details: fc.RunDetails<A>, found: string): Promise<Error> {
  const report = details.numShrinks > 0 ? `${await reportOf(details)}\n\nFirst seen as: ${found}` : found;
  return new Error(report, { cause: details.errorInstance });
}

/** @returns the smallest counterexample found within `ms`; the one given where it did not fail again */
async function shrunk<A>(property: fc.IAsyncProperty<A>, details: fc.RunDetails<A>, ms: number) {
  if (ms <= 0 || details.counterexamplePath === null) return details;
  const { seed, counterexamplePath: path } = details;
  const smaller = await fc.check(property, { seed, path, interruptAfterTimeLimit: ms });
  return smaller.failed && smaller.errorInstance ? smaller : details;
}
