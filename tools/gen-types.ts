// Writes packages/schema/src/generated/database.ts from a fresh database with all migrations applied.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root.ts';
import { withFreshDatabase } from './fresh-database.ts';
import { readCatalogue } from './read-catalogue.ts';
import { migrationsHash } from './migrations-hash.ts';
import { renderTypes } from './render-types.ts';

const GENERATED_TYPES = join(ROOT, 'packages/schema/src/generated/database.ts');

const types = renderTypes(await withFreshDatabase(readCatalogue));
writeFileSync(GENERATED_TYPES, `${types}\n// Migrations: ${migrationsHash()}\n`);
