import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findChromium } from './chromium.ts';
import { BENCH, installPeers } from './install-peers.ts';
import { ROOT } from './root.ts';
import { runCommand } from './run-command.ts';

// The main job under many deaths, and many people at once:
// npm run soak -- [PHONE_DEATHS=100] [SERVER_DEATHS=20] [RUNS=500] [PEOPLE=50] [SECONDS=60] [SEED=…] [ONLY=deaths|devices|load]
// npm run soak -- ONLY=memory [MINUTES=10]: the heap of a working device stays flat; only when asked for
const given = Object.fromEntries(process.argv.slice(2).map(each => each.split('=', 2)));
const SEED = String(Date.now() % 1_000_000);
const DEFAULTS = { PHONE_DEATHS: '100', SERVER_DEATHS: '20', RUNS: '500', PEOPLE: '50', SECONDS: '60', SEED };
const env: Record<string, string> = { ...DEFAULTS, ...given };
const only = given['ONLY'];
const PARTS = ['deaths', 'devices', 'load', 'memory'];
if (only !== undefined && !PARTS.includes(only)) throw new Error(`ONLY is one of ${PARTS.join(', ')}`);
const isWanted = (part: string): boolean => only === undefined || only === part;
const NOTHING = { histories: 0, lost: 0, doubled: 0, failed: 0 };

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

/** Many people sign in, renew and write at once; the test prints its figures and fails on the first foreign row or lost session. */
async function load() {
  const file = 'supabase/tests/load.client.test.ts';
  const { code, output } = await runCommand('vitest', ['run', '--project', 'database', file], { echo: true, env });
  return code === 0 && output.includes('lost sessions 0') ? 0 : 1;
}

/** A device at work for `MINUTES`: the slope of its heap after each collection, with its bound. */
async function memory(): Promise<number> {
  await installPeers();
  const args = [join(BENCH, 'src/memory.ts'), '--minutes', given['MINUTES'] ?? '10'];
  return (await runCommand('node', args, { echo: true })).code;
}

if (only === 'memory') process.exit(await memory());
console.log(
  Object.entries(env)
    .map(setting => setting.join('='))
    .join(' '),
);
const journeys = isWanted('deaths') ? await deaths() : NOTHING;
const devices = isWanted('devices') ? await twoDevices() : NOTHING;
const failed = journeys.failed + devices.failed + (isWanted('load') ? await load() : 0);
const { lost, doubled } = journeys;
const ending = failed > 0 ? `, ${failed} failed (see above)` : '';
const told =
  only === 'load'
    ? 'load done'
    : `${journeys.histories + devices.histories} histories, lost ${lost}, doubled ${doubled}`;
console.log(`\n${told}${ending}`);
process.exitCode = failed + lost + doubled > 0 ? 1 : 0;
