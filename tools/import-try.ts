import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { findingText } from '@cairn/core/workbook/sheet-table.ts';
import { fileKind } from '@cairn/core/files/file-kind.ts';
import { readFormFiles } from '@cairn/core/import/form-files.ts';
import { readCatalogue } from '@cairn/core/controls/oscal-catalogue.ts';
import { readPoam, type PoamResult } from '@cairn/core/controls/poam-file.ts';
import { importPolicy } from '@cairn/core/policies/import-policy.ts';
import controls from '../apps/web/src/shared/i18n/en/controls.json' with { type: 'json' };
import policyAuthoring from '../apps/web/src/shared/i18n/en/policy-authoring.json' with { type: 'json' };

/** `npm run import:try -- FOLDER`: what the importer makes of each file, one line per file, of the folders in it too. Stores nothing. */

/** What the importer of policies makes of a Markdown file. */
function policyLine(text: string, name: string): string {
  const result = importPolicy(text, name);
  const words = policyAuthoring.bring;
  if (!result.ok) return `refused: ${words.problem[result.problem]}`;
  const { title, code, body, changelog, satisfies, notes } = result;
  const named = satisfies.map(({ framework, name: control }) => [framework, control].filter(Boolean).join(' '));
  const answers = named.length > 0 && `satisfies ${named.join(', ')}`;
  const summary = [title, code, `${body.length} characters`, changelog, answers].filter(Boolean).join(', ');
  return `imported, ${summary}${notes.map(note => `; note: ${words.note[note]}`).join('')}`;
}

/** Whether a file says that it is a plan of action; one that cannot be read is told by the importer of frameworks. */
const isPoam = (result: PoamResult): boolean => result.ok || result.problems.some(({ code }) => !NOT_A_PLAN.has(code));
const NOT_A_PLAN: ReadonlySet<string> = new Set([
  'too_large',
  'not_json',
  'too_deep',
  'not_oscal',
  'is_catalogue',
  'is_form',
]);

/** What the importer of plans of action makes of an OSCAL file. */
function poamLine(result: PoamResult): string {
  const words = controls.poam;
  if (!result.ok)
    return `refused: ${result.problems.map(({ at, code }) => `${at} ${words.problem[code]}`.trim()).join('; ')}`;
  const { title, edition, entries } = result.plan;
  const items = entries.length === 1 ? '1 action item' : `${entries.length} action items`;
  const notes = result.notes.map(note => `; note: ${note.at} ${words.note[note.code]}`);
  return `imported, ${[title, edition].filter(Boolean).join(' ')}, ${items}${notes.join('')}`;
}

/** What the importers of OSCAL make of a file. */
function oscalLine(text: string): string {
  const poam = readPoam(text);
  if (isPoam(poam)) return poamLine(poam);
  const result = readCatalogue(text);
  if (!result.ok) return `refused: ${controls.bring.problem[result.problem]}`;
  const { title, edition, controls: all, families } = result.catalogue;
  return `imported, ${[title, edition].filter(Boolean).join(' ')}, ${all.length} controls in ${families} families`;
}

/** What the importer of forms makes of a file, with the lists of choices that lie beside it. */
async function formLine(folder: string, name: string): Promise<string> {
  const beside = (await readdir(folder)).filter(each => each !== name && /\.(csv|geojson)$/i.test(each));
  const files = [name, ...beside].map(async each => ({
    name: each,
    bytes: new Uint8Array(await readFile(join(folder, each))),
  }));
  const { result } = await readFormFiles(await Promise.all(files));
  if (!result.ok) return result.problems.map(findingText).join('; ');
  return `imported, ${counted(result.questions)}${result.notUnderstood.map(finding => `; note: ${findingText(finding)}`).join('')}`;
}

/** What belongs to the tests of other areas: data that no importer of files reads. */
const OTHERS = /\.(ts|csv|geojson|zip|txt)$|^(README\.md|LICENSE)$/i;

async function tryFile(folder: string, name: string): Promise<{ line: string; crashed: boolean }> {
  try {
    if (name.endsWith('.md')) {
      return { line: policyLine(await readFile(join(folder, name), 'utf8'), name), crashed: false };
    }
    if (!name.endsWith('.json')) return { line: await formLine(folder, name), crashed: false };
    const bytes = new Uint8Array(await readFile(join(folder, name)));
    const isForm = fileKind(bytes, name) === 'form';
    return { line: isForm ? await formLine(folder, name) : oscalLine(new TextDecoder().decode(bytes)), crashed: false };
  } catch (error) {
    return {
      line: `CRASHED: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      crashed: true,
    };
  }
}

const counted = (questions: number): string => (questions === 1 ? '1 question' : `${questions} questions`);

/** The files of a folder and of the folders in it, each by its path from there. */
async function filesIn(folder: string): Promise<string[] | null> {
  try {
    const entries = await readdir(folder, { withFileTypes: true, recursive: true });
    return entries
      .filter(entry => entry.isFile() && !entry.name.startsWith('.') && !OTHERS.test(entry.name))
      .map(entry => relative(folder, join(entry.parentPath, entry.name)));
  } catch (error) {
    console.error(`The folder ${folder} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  }
}

/** @returns how many files of the folder crashed the importer; null when it cannot be read */
async function tryFolder(folder: string): Promise<number | null> {
  const names = await filesIn(folder);
  if (!names) return null;
  if (names.length === 0) console.log(`${basename(folder)}: there is no file in it that can be imported`);
  let crashes = 0;
  for (const name of names.toSorted()) {
    const { line, crashed } = await tryFile(dirname(join(folder, name)), basename(name));
    console.log(`${name}: ${line}`);
    if (crashed) crashes += 1;
  }
  return crashes;
}

/** @returns the exit code: 0, 1 when a file crashed the importer, 2 when a folder cannot be read or none is named */
async function main(folders: readonly string[]): Promise<number> {
  if (folders.length === 0) {
    console.error('Say which folder: npm run import:try -- FOLDER …');
    return 2;
  }
  const crashes: (number | null)[] = [];
  for (const folder of folders) crashes.push(await tryFolder(folder));
  if (crashes.includes(null)) return 2;
  return crashes.some(count => count !== 0) ? 1 : 0;
}

const from = process.env['CAIRN_CALLED_FROM'] ?? process.cwd();
process.exitCode = await main(process.argv.slice(2).map(folder => resolve(from, folder)));
