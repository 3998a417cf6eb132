// Every language says the same: no key missing, unknown or filled in differently; no text that nobody can see; and none in words
// that the product does not use (rules/banned-texts.ts), also not in mails and what else the server writes.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root.ts';
import { filesBelow } from './sources.ts';
import { ALLOWED_TEXTS, BANNED_ENGLISH, BANNED_GERMAN } from './rules/banned-texts.ts';
import {
  bannedPhrases,
  flat,
  languageProblems,
  literalsOf,
  longTexts,
  unusedTexts,
  wrongPercents,
  type Texts,
} from './rules/text-rules.ts';

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

const BANNED = [
  { language: 'en', banned: BANNED_ENGLISH, isCased: false },
  { language: 'de', banned: BANNED_GERMAN, isCased: true },
];
for (const { language, banned, isCased } of BANNED) {
  const texts = textsOf(language);
  const faults = [
    ...bannedPhrases(texts, banned, { isCased, allowed: ALLOWED_TEXTS }),
    ...longTexts(texts),
    ...wrongPercents(texts, language),
  ];
  problems.push(...faults.map(fault => `${language}: ${fault}`));
}

/** What people read that is not a screen's: mails, messages, what the server prints. */
const OUTSIDE = [
  'apps/local-server/src/http/mail-page.ts',
  'apps/local-server/src/main.ts',
  'apps/web/index.html',
  'apps/web/manifest.ts',
  'packages/api/src/guests/guest-email.ts',
  'packages/api/src/notifications/outgoing.ts',
  'packages/api/src/people/invitation-email.ts',
  'packages/core/src/audit/verify-script.ts',
  'packages/core/src/notifications/circle-sentences.ts',
  'packages/core/src/notifications/module-names.ts',
  'packages/core/src/notifications/pack-sentences.ts',
  'packages/core/src/notifications/sentences.ts',
  'packages/supabase-local/src/auth/auth-emails.ts',
  'packages/supabase-local/src/auth/send-sms-code.ts',
];
for (const path of OUTSIDE) {
  const source = readFileSync(join(ROOT, path), 'utf8');
  for (const { language, banned, isCased } of BANNED) {
    const faults = bannedPhrases(literalsOf(source, language), banned, { isCased });
    problems.push(...faults.map(fault => `${path}: line ${fault}`));
  }
}

for (const problem of problems) console.log(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
