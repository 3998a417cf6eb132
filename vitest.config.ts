import { defineConfig } from 'vitest/config';

/** A bug that is put back for this run, see tools/soak-mutants.ts. */
const setupFiles = process.env['MUTANT'] ? ['packages/testing/src/injected-bugs/set-up.ts'] : [];

export default defineConfig({
  test: {
    setupFiles,
    hookTimeout: 120_000,
    // A limit for what hangs, not for what is slow: on a busy machine everything takes ten times as long.
    testTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    // Files share the modules of their process: loading them anew for each was a quarter of the time. Each puts back what it changes.
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          maxWorkers: 2,
          setupFiles: ['apps/web/src/patience-for-tests.ts'],
          include: ['packages/*/src/**/*.test.{ts,tsx}', 'apps/*/src/**/*.test.{ts,tsx}', 'tools/**/*.test.ts'],
          exclude: ['**/*.db.test.ts', '**/node_modules/**'],
        },
      },
      {
        extends: true,
        test: {
          name: 'database',
          include: ['supabase/tests/**/*.test.ts', '{packages,apps}/*/src/**/*.db.test.ts'],
          globalSetup: ['packages/testing/src/postgres-for-tests.ts'],
          // Each waits a third of its time for the database, which is one for all.
          maxWorkers: 3,
        },
      },
    ],
  },
});
