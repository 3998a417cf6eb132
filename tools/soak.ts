import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findChromium } from './chromium.ts';
import { ROOT } from './root.ts';
import { runCommand } from './run-command.ts';

// The main job under many deaths: npm run soak -- [PHONE_DEATHS=100] [SERVER_DEATHS=20] [RUNS=500] [SEED=…]
const given = Object.fromEntries(process.argv.slice(2).map(each => each.split('=', 2)));
const SEED = String(Date.now() % 1_000_000);
const env: Record<string, string> = { PHONE_DEATHS: '100', SERVER_DEATHS: '20', RUNS: '500', SEED, ...given };

type Journey = { annotations: { type: string; description?: string }[]; results: { status: string }[] };
type Suite = { suites?: Suite[]; specs?: { tests: Journey[] }[] };

const journeysOf = ({ suites = [], specs = [] }: Suite): Journey[] =>
  specs.flatMap(({ tests }) => tests).concat(suites.flatMap(journeysOf));

/** The journeys write down what each lost or doubled, also those that end badly. */
async function deaths() {
  const file = join(ROOT, 'test-results', 'soak.json');
  rmSync(file, { force: true });
  const more = { CHROMIUM_PATH: await findChromium(), PLAYWRIGHT_JSON_OUTPUT_NAME: file };
  const args = ['test', '-c', 'e2e/playwright.config.ts', 'sudden-death'];
  const { code } = await runCommand('playwright', args, { echo: true, env: { ...env, ...more } });
  const journeys = journeysOf(JSON.parse(readFileSync(file, 'utf8')) as Suite);
  const noted = journeys.flatMap(journey => journey.annotations);
  const sum = (type: string) =>
    noted.reduce((total, each) => total + (each.type === type ? Number(each.description) : 0), 0);
  const broken = journeys.filter(
    ({ results }) => results.length === 0 || results.some(each => each.status !== 'passed'),
  );
  const failed = Math.max(broken.length, code === 0 ? 0 : 1);
  return { histories: journeys.length, lost: sum('lost'), doubled: sum('doubled'), failed };
}

/** Two devices and a network that fails. The run ends at the first history in which anything is lost or doubled. */
async function twoDevices() {
  const file = 'packages/sync/src/two-devices.db.test.ts';
  const args = ['run', '--project', 'database', file, '-t', 'random offline edits'];
  const { code, output } = await runCommand('vitest', args, { echo: true, env });
  const histories = Number(/two-devices histories (\d+)/.exec(output)?.[1] ?? 0);
  return { histories, failed: code === 0 && histories > 0 ? 0 : 1 };
}

console.log(
  Object.entries(env)
    .map(setting => setting.join('='))
    .join(' '),
);
const [journeys, devices] = [await deaths(), await twoDevices()];
const failed = journeys.failed + devices.failed;
const { lost, doubled } = journeys;
const ending = failed > 0 ? `, ${failed} failed (see above)` : '';
console.log(`\n${journeys.histories + devices.histories} histories, lost ${lost}, doubled ${doubled}${ending}`);
process.exitCode = failed + lost + doubled > 0 ? 1 : 0;
