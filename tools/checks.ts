import { runCommand } from './run-command.ts';

export type Check = { name: string; command: string; args: string[] };

const SOURCES = ['packages', 'apps', 'supabase', 'e2e', 'tools', 'vitest.config.ts'];
const nodeTool = (name: string): Check => ({ name, command: 'node', args: [`tools/${name}.ts`] });

/** Everything that needs no database and no browser, cheap first. */
export const checks: Check[] = [
  { name: 'format', command: 'oxfmt', args: ['--check', ...SOURCES] },
  nodeTool('check-names'),
  nodeTool('check-folders'),
  nodeTool('check-terms'),
  nodeTool('check-decisions'),
  nodeTool('check-generated'),
  nodeTool('check-policies'),
  nodeTool('check-error-codes'),
  nodeTool('check-rls-tests'),
  nodeTool('check-texts'),
  nodeTool('check-requirements'),
  {
    name: 'sql',
    command: 'postgrestools',
    args: [
      'check',
      '--disable-db',
      '--config-path=supabase',
      '--max-diagnostics=none',
      'supabase/migrations',
      'supabase/seed',
    ],
  },
  { name: 'lint', command: 'oxlint', args: ['--type-aware', '--deny-warnings', ...SOURCES] },
  { name: 'types', command: 'tsc', args: ['-p', 'tsconfig.json'] },
  { name: 'layers', command: 'depcruise', args: ['packages', 'apps', '--config', '.dependency-cruiser.cjs'] },
  { name: 'dead-code', command: 'knip', args: ['--no-progress'] },
  {
    name: 'test-only-code',
    command: 'knip',
    args: ['--production', '--config', 'knip.production.json', '--no-progress'],
  },
  { name: 'bundle', command: 'node', args: ['tools/build.ts', '--quiet'] },
];

/** Runs the checks one after the other; prints the output of those that fail. */
export async function runChecks(chosen: Check[]): Promise<{ passed: number; failed: number }> {
  let failed = 0;
  for (const check of chosen) {
    const begun = performance.now();
    const { code, output } = await runCommand(check.command, check.args);
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${check.name} (${seconds} s)`);
    if (code !== 0) console.log(output.trimEnd());
    else if (check.name === 'bundle') console.log(output.trimEnd());
    if (code !== 0) failed += 1;
  }
  return { passed: chosen.length - failed, failed };
}
