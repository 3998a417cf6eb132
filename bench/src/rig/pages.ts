import { cpSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { PEERS } from './device.ts';

const PAGES = fileURLToPath(new URL('../../pages', import.meta.url));
const MIGRATIONS = fileURLToPath(new URL('../../../supabase/migrations', import.meta.url));
const OWN_MIGRATION = fileURLToPath(new URL('../../migration', import.meta.url));

/** Bundles one page per peer the way the app is bundled, into a folder the server will serve in the app's place. */
export async function buildPages(dist: string): Promise<void> {
  await build({
    configFile: false,
    root: PAGES,
    logLevel: 'warn',
    build: {
      outDir: dist,
      emptyOutDir: true,
      target: 'es2023',
      // Readable names for the profile, for every peer alike.
      minify: false,
      chunkSizeWarningLimit: 2000,
      rolldownOptions: { input: PEERS.map(name => join(PAGES, `${name}.html`)) },
    },
  });
}

/** The product's migrations and after them the tables only the benchmark needs. */
export function gatherMigrations(folder: string): void {
  mkdirSync(folder, { recursive: true });
  cpSync(MIGRATIONS, folder, { recursive: true });
  cpSync(OWN_MIGRATION, folder, { recursive: true });
}

/** Puts a file where the server finds it only once it is whole. */
export function publish(path: string, write: (draft: string) => void): void {
  write(`${path}.draft`);
  renameSync(`${path}.draft`, path);
}
