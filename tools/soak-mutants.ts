import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { INJECTED_BUGS, type InjectedBug } from '../packages/testing/src/injected-bugs/bug-list.ts';
import { ROOT } from './root.ts';
import { runCommand } from './run-command.ts';
import { useMemoryFolder } from './memory-folder.ts';

// Puts the bugs of other engines back, one by one, and asks the suites: npm run soak:mutants -- [ONLY=1,7a] [SEED=…]
useMemoryFolder();
const given = Object.fromEntries(process.argv.slice(2).map(each => each.split('=', 2)));
const SEED = given['SEED'] ?? String(Date.now() % 1_000_000);
const only = given['ONLY']?.split(',');
/** A suite that finds nothing for so long has let the bug live. */
const SECONDS = Number(given['SECONDS'] ?? 60);

type Result = { fullName: string; status: string; duration?: number; failureMessages: string[] };
type Report = { testResults: { message: string; assertionResults: Result[] }[] };
type MutantCatch = { by: string; seconds: string; seed: string; message: string };

const OUT = join(ROOT, 'test-results', 'mutants');

/** A suite that does not even begin proves nothing: the injected bug is broken, not caught. */
function failureIn(file: string): Result | null {
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as Report;
  const all = testResults.flatMap(({ assertionResults }) => assertionResults);
  if (all.every(({ status }) => status === 'skipped' || status === 'pending'))
    throw new Error(`no test ran: ${testResults.map(({ message }) => message).join(' ')}`);
  return all.find(({ status }) => status === 'failed') ?? null;
}

async function ask({ id }: InjectedBug, suite: string): Promise<MutantCatch | null> {
  const project = /\.db\.test|^supabase/.test(suite) ? 'database' : 'unit';
  const file = join(OUT, `${id}.json`);
  const reports = ['--reporter=json', `--outputFile=${file}`, '--reporter=dot'];
  const limits = ['--bail=1', `--testTimeout=${SECONDS * 1000}`];
  const { output } = await runCommand('vitest', ['run', '--project', project, suite, ...reports, ...limits], {
    env: { MUTANT: id, SEED, HISTORY_SECONDS: String(SECONDS) },
  });
  const failure = failureIn(file);
  if (!failure) return null;
  const seed = /histories \S+ \d+ violations 1 \S+ \S+ seed (\d+)/.exec(output)?.[1];
  // The last cause is the assertion; what stands before it says which history it was.
  const message = failure.failureMessages
    .join('\n')
    .split('\n')
    .findLast(line => line.includes('Error'));
  const seconds = ((failure.duration ?? 0) / 1000).toFixed(1);
  return { by: failure.fullName, seconds, seed: seed ?? '–', message: (message ?? '').trim().slice(0, 160) };
}

async function firstToNotice(bug: InjectedBug): Promise<MutantCatch | null> {
  for (const suite of bug.suites) {
    const caught = await ask(bug, suite);
    if (caught) return caught;
  }
  return null;
}

const chosen = INJECTED_BUGS.filter(({ id }) => only?.includes(id) ?? true);
if (chosen.length === 0) throw new Error(`ONLY names none of ${INJECTED_BUGS.map(({ id }) => id).join(', ')}`);
rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });
const lines: string[] = [];
let survived = 0;
for (const bug of chosen) {
  const caught = await firstToNotice(bug).catch((error: unknown) => ({ broken: String(error) }));
  if (!caught || 'broken' in caught) survived += 1;
  const end = !caught
    ? `**survived ${SECONDS} s** | |`
    : 'broken' in caught
      ? `**not put back: ${caught.broken}** | |`
      : `“${caught.by}” | ${caught.seconds} | ${caught.seed}`;
  lines.push(`| ${bug.id} | ${bug.bug} | ${bug.how} | ${end} |`);
  console.log(
    `${bug.id}: ${caught && 'message' in caught ? `${caught.seconds} s, ${caught.by}: ${caught.message}` : end}`,
  );
}
console.log(
  `\nseed ${SEED}\n\n| | bug | put back | noticed by | s | seed |\n|---|---|---|---|---|---|\n${lines.join('\n')}`,
);
console.log(`\n${chosen.length - survived} of ${chosen.length} bugs noticed`);
process.exitCode = survived > 0 ? 1 : 0;
