// Decisions are few, each in the same shape, and every one that is cited exists. One is cited as "decision 14", or by its file.
import { readdirSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { ROOT } from './root.ts';
import { filesBelow } from './sources.ts';

const MAX_DECISIONS = 45;
const FOLDER = 'docs/decisions';
const NAME = /^(\d\d)-[a-z0-9]+(-[a-z0-9]+)*\.md$/;
const HEADINGS = ['Status', 'Context', 'Choice', 'Cost'];
const OLD_NUMBERS = /\nOld numbers: (\d{4}(?: \d{4})*)\n$/;
const CITING = /\.(ts|tsx|css|mjs|md|sql)$/;
/** It names the numbers it looks for. */
const NOT_READ = ['tools/check-decisions.ts'];
/** By its number, which is one of two digits, or of four as before; by its file; both at once where a link names it. */
const NUMBER = /\bdecisions?\s+(\d\d|0\d{3})(?![\d-])(?!\s+(?:days?|hours?|minutes?|weeks?|months?|years?)\b)/gi;
const FILE = /(?:\bdecisions\/|\]\((?=\d\d-))(\d[\w-]*(?:\.md)?)/g;
const LINK = /\[decision (\d\d)\]\([^)]*decisions\/(\d\d)-/gi;

/** What is wrong with one decision, as the lines to print; its numbers of before go into `old`. */
function faultsOf(file: string, old: Map<string, string>): string[] {
  const number = NAME.exec(file)?.[1];
  if (number === undefined) return [`${FOLDER}/${file}: a name is two digits and words with hyphens`];
  const text = readFileSync(`${ROOT}/${FOLDER}/${file}`, 'utf8');
  const faults = HEADINGS.filter(heading => !text.includes(`\n## ${heading}\n`)).map(heading => `has no "${heading}"`);
  if (!text.startsWith(`# ${number} `)) faults.push(`its title does not begin with "# ${number} "`);
  const numbers = OLD_NUMBERS.exec(text)?.[1]?.split(' ') ?? [];
  if (numbers.length === 0) faults.push('its last line is not "Old numbers: 0014 0020"');
  for (const each of numbers) {
    const other = old.get(each);
    if (other !== undefined) faults.push(`the old number ${each} stands in ${other} too`);
    old.set(each, file);
  }
  return faults.map(fault => `${FOLDER}/${file}: ${fault}`);
}

/** Every file that may cite a decision, with its path from the root. */
function* citingFiles(): Generator<{ path: string; text: string }> {
  const atRoot = readdirSync(ROOT).filter(name => CITING.test(name));
  const below = ['packages', 'apps', 'supabase', 'e2e', 'tools', 'bench', 'docs', 'findings'];
  for (const file of [
    ...atRoot.map(name => `${ROOT}/${name}`),
    ...below.flatMap(name => [...filesBelow(`${ROOT}/${name}`)]),
  ]) {
    const path = relative(ROOT, file);
    if (CITING.test(path) && !NOT_READ.some(start => path.startsWith(start)))
      yield { path, text: readFileSync(file, 'utf8') };
  }
}

/** Citations in one text that lead nowhere, or to another decision than they say. */
function brokenIn(text: string, files: Set<string>, numbers: Set<string>): string[] {
  return [
    ...[...text.matchAll(NUMBER)].filter(([, cited = '']) => !numbers.has(cited)),
    ...[...text.matchAll(FILE)].filter(([, cited = '']) => !files.has(cited)),
    ...[...text.matchAll(LINK)].filter(([, shown, led]) => shown !== led),
  ].map(([cited]) => cited);
}

const decisions = readdirSync(`${ROOT}/${FOLDER}`).toSorted();
const numbers = new Set(decisions.map(file => file.slice(0, 2)));
const old = new Map<string, string>();
const faults = decisions.flatMap(file => faultsOf(file, old));
if (decisions.length > MAX_DECISIONS) faults.push(`${FOLDER}: ${decisions.length} files, ${MAX_DECISIONS} at most`);
if (numbers.size < decisions.length) faults.push(`${FOLDER}: two files have one number`);
const files = new Set(decisions);
for (const { path, text } of citingFiles())
  for (const cited of brokenIn(text, files, numbers)) faults.push(`${path}: "${cited}" leads to no decision`);
for (const fault of faults) console.log(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
