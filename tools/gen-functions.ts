// Writes the present text of every function to supabase/generated/functions/<schema>.sql, from a fresh database.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withFreshDatabase } from './fresh-database.ts';
import { FUNCTION_TEXTS, FUNCTIONS_MADE_FROM, functionsMadeFrom, functionTexts } from './function-texts.ts';

const texts = await withFreshDatabase(functionTexts);
rmSync(FUNCTION_TEXTS, { recursive: true, force: true });
mkdirSync(FUNCTION_TEXTS, { recursive: true });
for (const [schema, text] of texts) writeFileSync(join(FUNCTION_TEXTS, `${schema}.sql`), text);
writeFileSync(FUNCTIONS_MADE_FROM, functionsMadeFrom());
