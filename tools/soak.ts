import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findChromium, findChromiumShell } from './chromium.ts';
import { BENCH, installPeers } from './install-peers.ts';
import { ROOT } from './root.ts';
import { runCommand } from './run-command.ts';
import { forgetHistories, soakHistories } from './soak-histories.ts';
import { useMemoryFolder } from './memory-folder.ts';

// The promises of sync, long:
// npm run soak -- [ONLY=histories|deaths|control|load|memory] [SEED=…]
//   histories: [HISTORIES=10000] [EACH=500] [PROPERTY=…] [ROUND=60 (s)] [MINUTES=…] [AGAIN=yes]; goes on where it was stopped
//   deaths: [PHONE_DEATHS=200] [SERVER_DEATHS=50]   control: [CONTROL_DEATHS=20]
//   load: [PEOPLE=50] [SECONDS=60], then attacks beside which somebody else is answered: [ATTACK_MB=9] [ATTACK_AT_ONCE=20] [ATTACK_UPLOAD_MB=55]
//   memory: [MINUTES=10], the heap of a working device stays flat; only when asked for
useMemoryFolder();
const given = Object.fromEntries(process.argv.slice(2).map(each => each.split('=', 2)));
const SEED = String(Date.now() % 1_000_000);
const ATTACKS = { ATTACK_MB: '9', ATTACK_AT_ONCE: '20', ATTACK_UPLOAD_MB: '55' };
const DEFAULTS = {
  PHONE_DEATHS: '200',
  SERVER_DEATHS: '50',
  CONTROL_DEATHS: '20',
  PEOPLE: '50',
  SECONDS: '60',
  ...ATTACKS,
  SEED,
};
const env: Record<string, string> = { ...DEFAULTS, ...given };
const only = given['ONLY'];
const PARTS = ['histories', 'deaths', 'control', 'load', 'memory'];
if (only !== undefined && !PARTS.includes(only)) throw new Error(`ONLY is one of ${PARTS.join(', ')}`);
const isWanted = (part: string): boolean => only === undefined || only === part;

type Journey = { annotations: { type: string; description?: string }[]; results: { status: string }[] };
type Suite = { suites?: Suite[]; specs?: { tests: Journey[] }[] };
type Deaths = { deaths: number; lost: number; doubled: number; overwritten: number; failed: number };

const journeysOf = ({ suites = [], specs = [] }: Suite): Journey[] =>
  specs.flatMap(({ tests }) => tests).concat(suites.flatMap(journeysOf));

/** The journeys write down what each lost, doubled or overwrote, also those that end badly. */
async function deaths(more: Record<string, string>): Promise<Deaths> {
  const file = join(ROOT, 'test-results', 'soak.json');
  rmSync(file, { force: true });
  const shell = findChromiumShell();
  const browser = {
    CHROMIUM_PATH: await findChromium(),
    ...(shell !== null && { CHROMIUM_SHELL_PATH: shell }),
    PLAYWRIGHT_JSON_OUTPUT_NAME: file,
  };
  // Each death needs nothing of the others: as many at a time as journeys run, each worker with a server of its own.
  const args = ['test', '-c', 'e2e/playwright.config.ts', 'sudden-death', '--fully-parallel'];
  const { code } = await runCommand('playwright', args, { echo: true, env: { ...env, ...browser, ...more } });
  const journeys = journeysOf(JSON.parse(readFileSync(file, 'utf8')) as Suite);
  const noted = journeys.flatMap(journey => journey.annotations);
  const sum = (type: string) =>
    noted.reduce((total, each) => total + (each.type === type ? Number(each.description) : 0), 0);
  const broken = journeys.filter(
    ({ results }) => results.length === 0 || results.some(each => each.status !== 'passed'),
  );
  const failed = Math.max(broken.length, code === 0 ? 0 : 1);
  const [lost, doubled, overwritten] = [sum('lost'), sum('doubled'), sum('overwritten')];
  return { deaths: sum('died'), lost, doubled, overwritten, failed };
}

/** Many people sign in, renew and write at once; the test prints its figures and fails on the first foreign row or lost session. */
async function load() {
  const file = 'supabase/tests/load.client.test.ts';
  const { code, output } = await runCommand('vitest', ['run', '--project', 'database', file], { echo: true, env });
  return code === 0 && output.includes('lost sessions 0') ? 0 : 1;
}

/** Each attack prints how long somebody else waited meanwhile, and by how much the server grew; a breach of the bounds fails it. */
async function attacks(): Promise<number> {
  const file = 'supabase/tests/attacks-on-memory.client.test.ts';
  const { code, output } = await runCommand('vitest', ['run', '--project', 'database', file], { echo: true, env });
  told.push(...output.split('\n').filter(line => line.startsWith('attack: ')));
  return code === 0 ? 0 : 1;
}

/** A device at work for `MINUTES`: the slope of its heap after each collection, with its bound. */
async function memory(): Promise<number> {
  await installPeers();
  const args = [join(BENCH, 'src/memory.ts'), '--minutes', given['MINUTES'] ?? '10'];
  return (await runCommand('node', args, { echo: true })).code;
}

if (only === 'memory') process.exit(await memory());

const told: string[] = [];
let failed = 0;
const row = (who: string, { deaths: died, lost, doubled, overwritten }: Deaths) =>
  `| ${who} | ${died} | ${lost} | ${doubled} | ${overwritten} |`;
const HEAD = '| client | deaths | lost | doubled | silently overwritten |\n|---|---|---|---|---|';

console.log(
  Object.entries(env)
    .map(setting => setting.join('='))
    .join(' '),
);
if (isWanted('histories')) {
  if (given['AGAIN']) forgetHistories();
  const ran = await soakHistories({
    histories: Number(given['HISTORIES'] ?? 10_000),
    each: Number(given['EACH'] ?? 500),
    roundSeconds: Number(given['ROUND'] ?? 60),
    minutes: Number(given['MINUTES'] ?? Number.POSITIVE_INFINITY),
    ...(given['PROPERTY'] && { only: given['PROPERTY'] }),
  });
  told.push(ran.table);
  failed += ran.failed;
}
if (isWanted('deaths')) {
  const cairn = await deaths({ CONTROL_DEATHS: '0' });
  told.push(HEAD, row('Cairn', cairn));
  failed += cairn.failed + cairn.lost + cairn.doubled + cairn.overwritten;
}
if (isWanted('control')) {
  const control = await deaths({ PHONE_DEATHS: '0', SERVER_DEATHS: '0' });
  told.push(...(isWanted('deaths') ? [] : [HEAD]), row('a naive `updated_at` client (control)', control));
  // A harness that sees nothing in this one proves nothing about ours.
  failed += control.failed + (control.lost > 0 && control.doubled + control.overwritten > 0 ? 0 : 1);
}
if (isWanted('load')) {
  failed += await load();
  failed += await attacks();
  told.push('load done');
}
console.log(`\n${told.join('\n')}\n${failed > 0 ? `${failed} failed (see above)` : 'nothing failed'}`);
process.exitCode = failed > 0 ? 1 : 0;
