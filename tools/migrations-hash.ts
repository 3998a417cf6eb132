import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root.ts';

/** SHA-256, hex, over every migration: what the generated types were made from. */
export function migrationsHash(): string {
  const folder = join(ROOT, 'supabase/migrations');
  const hash = createHash('sha256');
  for (const file of readdirSync(folder).toSorted()) hash.update(`${file}\n`).update(readFileSync(join(folder, file)));
  return hash.digest('hex');
}
