// Every language says the same: no key missing, unknown or filled in differently; and no text that nobody can see.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root.ts';
import { filesBelow } from './sources.ts';
import { flat, languageProblems, unusedTexts, type Texts } from './rules/text-rules.ts';

const SOURCE = join(ROOT, 'apps/web/src');
const I18N = join(SOURCE, 'shared/i18n');

/** An area has its file; what the first paint says of `shell` comes before the rest of it. */
const areaOf = (file: string): string =>
  file === 'shell-first.json'
    ? 'shell'
    : file.replace('.json', '').replaceAll(/-(\w)/g, (_, char: string) => char.toUpperCase());

function textsOf(language: string): Texts {
  const all: Record<string, object> = {};
  for (const file of readdirSync(join(I18N, language)).toSorted()) {
    const texts = JSON.parse(readFileSync(join(I18N, language, file), 'utf8')) as object;
    all[areaOf(file)] = { ...all[areaOf(file)], ...texts };
  }
  return flat(all);
}

const english = textsOf('en');
const areas = [...new Set(readdirSync(join(I18N, 'en')).map(areaOf))];
const isLanguage = (name: string): boolean => /^[a-z]{2}(-[A-Z]{2})?$/.test(name) && name !== 'en';
const folders = readdirSync(I18N, { withFileTypes: true }).filter(
  entry => entry.isDirectory() && isLanguage(entry.name),
);

const problems: string[] = [];
for (const { name } of folders) problems.push(...languageProblems(english, textsOf(name), name));

const sources = [...filesBelow(SOURCE)]
  .filter(path => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path) && !path.startsWith(I18N))
  .map(path => readFileSync(path, 'utf8'));
for (const key of unusedTexts(english, areas, sources)) problems.push(`en: ${key} is used nowhere`);

for (const problem of problems) console.log(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
