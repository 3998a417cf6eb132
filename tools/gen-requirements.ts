// Writes docs/requirements.md: what proves each requirement row.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testFiles } from './requirement-files.ts';
import { namedRows } from './rules/requirement-rules.ts';
import { REQUIREMENTS_PAGE, requirementTable } from './requirement-table.ts';
import { ROOT } from './root.ts';
import { reasons } from './unit-only-rows.ts';

writeFileSync(join(ROOT, REQUIREMENTS_PAGE), requirementTable(namedRows(testFiles()), reasons));
