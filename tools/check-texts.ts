// Every language says the same: no key missing, unknown or filled in differently; and no text that nobody can see.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root.ts';
import { filesBelow } from './sources.ts';
import { flat, languageProblems, unusedTexts, type Texts } from './rules/text-rules.ts';

const SOURCE = join(ROOT, 'apps/web/src');
const I18N = join(SOURCE, 'shared/i18n');

/** Which areas there are, and in which file: `en.ts` lists them for the types. */
function areaFiles(): { area: string; file: string }[] {
  const listed = readFileSync(join(I18N, 'en.ts'), 'utf8');
  return [...listed.matchAll(/import \{ (\w+) \} from '\.\/en\/([\w-]+\.ts)'/g)].map(([, area = '', file = '']) => ({
    area,
    file,
  }));
}

async function textsOf(language: string, areas: readonly { area: string; file: string }[]): Promise<Texts> {
  const all: Record<string, unknown> = {};
  for (const { area, file } of areas) {
    const module = (await import(join(I18N, language, file))) as Record<string, unknown>;
    all[area] = module[area];
  }
  return flat(all);
}

const areas = areaFiles();
const names = areas.map(({ area }) => area);
const english = await textsOf('en', areas);
const isLanguage = (name: string): boolean => /^[a-z]{2}(-[A-Z]{2})?$/.test(name) && name !== 'en';
const folders = readdirSync(I18N, { withFileTypes: true }).filter(
  entry => entry.isDirectory() && isLanguage(entry.name),
);

const problems: string[] = [];
for (const { name } of folders) problems.push(...languageProblems(english, await textsOf(name, areas), name));

const sources = [...filesBelow(SOURCE)]
  .filter(path => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path) && !path.startsWith(I18N))
  .map(path => readFileSync(path, 'utf8'));
for (const key of unusedTexts(english, names, sources)) problems.push(`en: ${key} is used nowhere`);

for (const problem of problems) console.log(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
