// npm run new-feature <area>: the four places of an area (CONTRIBUTING.md), under one word.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './root.ts';

const area = process.argv[2] ?? '';
if (!/^[a-z]+(-[a-z]+)*$/.test(area)) {
  console.error('Say the area in kebab-case: npm run new-feature -- support-circle');
  process.exit(2);
}

const word = area.replaceAll('-', '_');
const stamp = new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14);
const files: Record<string, string> = {
  [`supabase/migrations/${stamp}_${word}_tables.sql`]: `-- ${area}: what these tables mean, and who may see them.\n`,
  [`packages/core/src/${area}/queries.ts`]: `// What can be asked about ${area}.\nexport {};\n`,
  [`apps/web/src/features/${area}/${area}-screen.tsx`]: `export function Screen() {\n  return null;\n}\n`,
  [`e2e/${area}.spec.ts`]: `import { test } from '@playwright/test';\n\ntest.describe('${area}', () => {});\n`,
};

for (const [path, text] of Object.entries(files)) {
  const full = join(ROOT, path);
  if (existsSync(full)) {
    console.error(`${path} exists already; nothing was changed there.`);
    continue;
  }
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
  console.log(path);
}
