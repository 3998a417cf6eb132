import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { checks, runChecks } from './checks.ts';
import { findChromium, findChromiumShell } from './chromium.ts';
import { ROOT } from './root.ts';
import { runCommand } from './run-command.ts';
import { useMemoryFolder } from './memory-folder.ts';

type Count = { passed: number; failed: number };

const REPORTS = join(ROOT, 'test-results');

function report(name: string): unknown {
  return JSON.parse(readFileSync(join(REPORTS, name), 'utf8'));
}

type TestReport = { status: string; fullName: string; failureMessages?: string[] };
type VitestReport = {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { name: string; message?: string; assertionResults: TestReport[] }[];
};

/** Said once more at the end: a log is mostly read from there. */
const failures: string[] = [];

function noteFailures(testResults: VitestReport['testResults']): void {
  for (const { name, message, assertionResults } of testResults) {
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    const file = relative(ROOT, name);
    for (const { fullName, failureMessages = [] } of failed)
      failures.push(`${file} › ${fullName}\n    ${failureMessages.join('\n').slice(0, 1500)}`);
    if (failed.length === 0 && message) failures.push(`${file}\n    ${message.slice(0, 1500)}`);
  }
}

/** Unit or database tests. A run that ends badly without a report counts as one failure. */
async function vitest(project: string): Promise<Count> {
  console.log(`\n== ${project} tests`);
  const file = `vitest-${project}.json`;
  const args = [
    'run',
    '--project',
    project,
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=${join(REPORTS, file)}`,
  ];
  const { code } = await runCommand('vitest', args, { echo: true });
  try {
    const { numPassedTests, numFailedTests, testResults } = report(file) as VitestReport;
    noteFailures(testResults);
    const crashed = code !== 0 && numFailedTests === 0 ? 1 : 0;
    return { passed: numPassedTests, failed: numFailedTests + crashed };
  } catch (error) {
    console.log(`No report from the ${project} tests: ${String(error)}`);
    return { passed: 0, failed: 1 };
  }
}

async function browser(): Promise<Count> {
  console.log('\n== browser tests');
  const shell = findChromiumShell();
  const env = {
    CHROMIUM_PATH: await findChromium(),
    ...(shell !== null && { CHROMIUM_SHELL_PATH: shell }),
    PLAYWRIGHT_JSON_OUTPUT_NAME: join(REPORTS, 'playwright.json'),
  };
  const { code } = await runCommand('playwright', ['test', '-c', 'e2e/playwright.config.ts'], { echo: true, env });
  try {
    const { stats } = report('playwright.json') as { stats: { expected: number; unexpected: number; flaky: number } };
    const failed = stats.unexpected + stats.flaky;
    return { passed: stats.expected, failed: failed + (code !== 0 && failed === 0 ? 1 : 0) };
  } catch (error) {
    console.log(`No report from the browser tests: ${String(error)}`);
    return { passed: 0, failed: 1 };
  }
}

/** bytes; all the databases and browser profiles of a run fit into it with room to spare. */
useMemoryFolder();
rmSync(REPORTS, { recursive: true, force: true });
mkdirSync(REPORTS, { recursive: true });
const counts: Count[] = [];
console.log('== checks');
counts.push(await runChecks(checks));
counts.push(await vitest('unit'));
counts.push(await vitest('database'));
counts.push(await browser());
const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failed = counts.reduce((sum, count) => sum + count.failed, 0);
for (const each of failures) console.log(`\nfailed: ${each}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
