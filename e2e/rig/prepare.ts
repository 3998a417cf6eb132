import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FullConfig } from '@playwright/test';
import { installApp } from './installed-app.ts';
import { keepPrepared, type InstalledApp } from './prepared.ts';
import { ROOT } from './root.ts';
import { copyOf } from './server-process.ts';

/** The journeys run on the built app, as people get it, on a server that has had its first start, and mostly on phones that have the app. */
export default async function prepare({ workers }: FullConfig): Promise<() => void> {
  execFileSync('node', ['tools/build-only.ts'], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
  const data = mkdtempSync(join(tmpdir(), 'cairn-e2e-first-'));
  // The first one's start is the first start of the data, which the others begin with.
  const installed = [await installApp(data)];
  installed.push(...(await Promise.all(Array.from({ length: workers - 1 }, () => installOnCopy(data)))));
  keepPrepared(data, installed);
  return () => {
    for (const folder of [data, ...installed.map(({ profile }) => profile)])
      rmSync(folder, { recursive: true, force: true });
  };
}

async function installOnCopy(data: string): Promise<InstalledApp> {
  const copy = copyOf(data);
  try {
    return await installApp(copy);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
