import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { BITES, type Bite } from '../packages/testing/src/bites/bite-list.ts';
import { ROOT } from './root.ts';
import { runCommand } from './run-command.ts';
import { takeRoom } from './take-room.ts';

// Puts the bugs of other engines back, one by one, and asks the suites: npm run soak:bite -- [ONLY=1,7a] [SEED=…]
takeRoom();
const given = Object.fromEntries(process.argv.slice(2).map(each => each.split('=', 2)));
const SEED = given['SEED'] ?? String(Date.now() % 1_000_000);
const only = given['ONLY']?.split(',');
/** A suite that finds nothing for so long has let the bug live. */
const SECONDS = Number(given['SECONDS'] ?? 60);

type Result = { fullName: string; status: string; duration?: number; failureMessages: string[] };
type Report = { testResults: { message: string; assertionResults: Result[] }[] };
type BiteCatch = { by: string; seconds: string; seed: string; said: string };

const OUT = join(ROOT, 'test-results', 'bites');

/** A suite that does not even begin proves nothing: the bite is broken, not caught. */
function failureIn(file: string): Result | null {
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as Report;
  const all = testResults.flatMap(({ assertionResults }) => assertionResults);
  if (all.every(({ status }) => status === 'skipped' || status === 'pending'))
    throw new Error(`no test ran: ${testResults.map(({ message }) => message).join(' ')}`);
  return all.find(({ status }) => status === 'failed') ?? null;
}

async function ask({ id }: Bite, suite: string): Promise<BiteCatch | null> {
  const project = /\.db\.test|^supabase/.test(suite) ? 'database' : 'unit';
  const file = join(OUT, `${id}.json`);
  const reports = ['--reporter=json', `--outputFile=${file}`, '--reporter=dot'];
  const limits = ['--bail=1', `--testTimeout=${SECONDS * 1000}`];
  const { output } = await runCommand('vitest', ['run', '--project', project, suite, ...reports, ...limits], {
    env: { BITE: id, SEED, HISTORY_SECONDS: String(SECONDS) },
  });
  const failure = failureIn(file);
  if (!failure) return null;
  const seed = /histories \S+ \d+ violations 1 \S+ \S+ seed (\d+)/.exec(output)?.[1];
  // The last cause is the assertion; what stands before it says which history it was.
  const said = failure.failureMessages
    .join('\n')
    .split('\n')
    .findLast(line => line.includes('Error'));
  const seconds = ((failure.duration ?? 0) / 1000).toFixed(1);
  return { by: failure.fullName, seconds, seed: seed ?? '–', said: (said ?? '').trim().slice(0, 160) };
}

async function firstToNotice(bite: Bite): Promise<BiteCatch | null> {
  for (const suite of bite.suites) {
    const caught = await ask(bite, suite);
    if (caught) return caught;
  }
  return null;
}

const chosen = BITES.filter(({ id }) => only?.includes(id) ?? true);
if (chosen.length === 0) throw new Error(`ONLY names none of ${BITES.map(({ id }) => id).join(', ')}`);
rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });
const lines: string[] = [];
let survived = 0;
for (const bite of chosen) {
  const caught = await firstToNotice(bite).catch((error: unknown) => ({ broken: String(error) }));
  if (!caught || 'broken' in caught) survived += 1;
  const end = !caught
    ? `**survived ${SECONDS} s** | |`
    : 'broken' in caught
      ? `**not put back: ${caught.broken}** | |`
      : `“${caught.by}” | ${caught.seconds} | ${caught.seed}`;
  lines.push(`| ${bite.id} | ${bite.bug} | ${bite.how} | ${end} |`);
  console.log(`${bite.id}: ${caught && 'said' in caught ? `${caught.seconds} s, ${caught.by}: ${caught.said}` : end}`);
}
console.log(
  `\nseed ${SEED}\n\n| | bug | put back | noticed by | s | seed |\n|---|---|---|---|---|---|\n${lines.join('\n')}`,
);
console.log(`\n${chosen.length - survived} of ${chosen.length} bugs noticed`);
process.exitCode = survived > 0 ? 1 : 0;
