// Generated files carry a hash of what they were made from, so that this needs no database.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FUNCTIONS_MADE_FROM, functionsMadeFrom } from './function-texts.ts';
import { migrationsHash } from './migrations-hash.ts';
import { ROOT } from './root.ts';

const types = readFileSync(join(ROOT, 'packages/schema/src/generated/database.ts'), 'utf8');
if (!types.includes(`// Migrations: ${migrationsHash()}`)) {
  console.log('packages/schema/src/generated/database.ts is older than supabase/migrations: npm run gen');
  process.exitCode = 1;
}
if (!existsSync(FUNCTIONS_MADE_FROM) || readFileSync(FUNCTIONS_MADE_FROM, 'utf8') !== functionsMadeFrom()) {
  console.log('supabase/generated/functions is not what supabase/migrations make: npm run gen');
  process.exitCode = 1;
}
