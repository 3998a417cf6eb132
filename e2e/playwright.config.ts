import { defineConfig } from '@playwright/test';

// One seed for the whole run, also in the workers: the titles of the random journeys carry it.
process.env['SEED'] ??= String(Date.now() % 1_000_000);

/** Visits to every screen, as long as many journeys: begun first, so that no worker waits for the last of them at the end. */
const VISITS = ['tour', 'accessible', 'geometry', 'full-storage', 'growth', 'notifications'].map(
  name => `**/${name}.spec.ts`,
);

export default defineConfig({
  projects: [
    { name: 'long', testMatch: VISITS },
    { name: 'journeys', testIgnore: VISITS },
  ],
  testDir: '.',
  outputDir: '../test-results/playwright',
  timeout: 300_000,
  expect: { timeout: 60_000 },
  // Two fill two cores. A third one ends no journey sooner: it makes each take half as long again (measured on slow cores: 27 journeys in
  // 307 s by one worker, 312 by two, 333 by three).
  workers: 2,
  retries: 0,
  forbidOnly: true,
  globalSetup: './rig/prepare.ts',
  reporter: process.env['PLAYWRIGHT_JSON_OUTPUT_NAME'] ? [['list'], ['json']] : 'list',
  // A press that finds nothing to press says so long before the journey's own limit.
  use: { actionTimeout: 30_000, navigationTimeout: 60_000, trace: 'off', screenshot: 'off', video: 'off' },
});
