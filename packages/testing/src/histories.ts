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

/**
 * Runs random histories of one property: `runs` in `npm test`; with `RUNS` that many, with `HISTORY_SECONDS` as many as fit.
 * Says how many held and with which seed: `SEED=… RUNS=…` runs the same ones again.
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
  for (;;) {
    const numRuns = SECONDS === undefined ? (RUNS ?? runs) : runs;
    const details = await fc.check(property, { seed, numRuns, endOnFailure: isSoak });
    histories += details.numRuns;
    const seconds = ((now() - began) / 1000).toFixed(1);
    const word = `histories ${name} ${histories} violations ${details.failed ? 1 : 0} seconds ${seconds} seed ${first}`;
    if (details.failed) {
      process.stdout.write(`${word}\n`);
      const report = await fc.asyncDefaultReportMessage(details);
      throw new Error(`${report}\n\n${String(details.errorInstance)}`, { cause: details.errorInstance });
    }
    if (isDone()) {
      process.stdout.write(`${word}\n`);
      return;
    }
    seed += 1;
  }
}
