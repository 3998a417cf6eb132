import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findChromium } from './chromium.ts';
import { ROOT } from './root.ts';
import { runCommand } from './run-command.ts';

// npm run soak -- [PHONE_DEATHS=100] [SERVER_DEATHS=20] [RUNS=500] [SEED=…]: the main job under many random deaths.

type Annotation = { type: string; description?: string };
type Result = { status: string };
type Suite = { suites?: Suite[]; specs?: { tests: { annotations: Annotation[]; results: Result[] }[] }[] };
type Counts = { histories: number; lost: number; doubled: number; failed: number };

const given = Object.fromEntries(process.argv.slice(2).map(each => each.split('=', 2)));
const settings: Record<string, string> = {
  PHONE_DEATHS: '100',
  SERVER_DEATHS: '20',
  RUNS: '500',
  SEED: String(Date.now() % 1_000_000),
  ...given,
};

const testsOf = ({ suites = [], specs = [] }: Suite): { annotations: Annotation[]; results: Result[] }[] => [
  ...specs.flatMap(({ tests }) => tests),
  ...suites.flatMap(testsOf),
];

/** The journeys write down what each history lost or doubled; one that ended without that is a failure of its own. */
async function deaths(): Promise<Counts> {
  const file = join(ROOT, 'test-results', 'soak.json');
  rmSync(file, { force: true });
  const env = { ...settings, CHROMIUM_PATH: await findChromium(), PLAYWRIGHT_JSON_OUTPUT_NAME: file };
  const { code } = await runCommand('playwright', ['test', '-c', 'e2e/playwright.config.ts', 'sudden-death'], {
    echo: true,
    env,
  });
  const tests = testsOf(JSON.parse(readFileSync(file, 'utf8')) as Suite);
  const sum = (type: string) =>
    tests
      .flatMap(test => test.annotations)
      .reduce((total, each) => total + (each.type === type ? Number(each.description) : 0), 0);
  const failed = tests.filter(test => test.results.some(({ status }) => status !== 'passed')).length;
  return { histories: tests.length, lost: sum('lost'), doubled: sum('doubled'), failed: failed || Number(code !== 0) };
}

/** Two devices and a network that fails: the property test ends at the first history that loses or doubles anything. */
async function twoDevices(): Promise<Counts> {
  const args = [
    'run',
    '--project',
    'database',
    'packages/sync/src/two-devices.db.test.ts',
    '-t',
    'random offline edits',
  ];
  const { code, output } = await runCommand('vitest', args, { echo: true, env: settings });
  const histories = Number(/two-devices histories (\d+)/.exec(output)?.[1] ?? 0);
  return { histories, lost: 0, doubled: 0, failed: Number(code !== 0 || histories === 0) };
}

console.log(
  Object.entries(settings)
    .map(pair => pair.join('='))
    .join(' '),
);
const all = [await deaths(), await twoDevices()];
const total = (count: keyof Counts) => all.reduce((sum, each) => sum + each[count], 0);
const failed = total('failed');
console.log(
  `\n${total('histories')} histories, lost ${total('lost')}, doubled ${total('doubled')}${failed ? `, ${failed} failed` : ''}`,
);
process.exitCode = failed + total('lost') + total('doubled') > 0 ? 1 : 0;
