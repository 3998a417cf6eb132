import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { findingText } from '@cairn/core/import/sheet-table.ts';
import { importFormFile } from '@cairn/core/import/form-file.ts';

/** `npm run import:try -- FOLDER`: what the importer makes of each file, one line per file. Stores nothing. */

const buffer = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;

async function tryFile(folder: string, name: string): Promise<{ line: string; crashed: boolean }> {
  try {
    const result = await importFormFile(buffer(await readFile(join(folder, name))), name);
    if (!result.ok) return { line: result.problems.map(findingText).join('; '), crashed: false };
    const left = result.notUnderstood.map(finding => `; note: ${findingText(finding)}`);
    return { line: `imported, ${counted(result.questions)}${left.join('')}`, crashed: false };
  } catch (error) {
    return {
      line: `CRASHED: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      crashed: true,
    };
  }
}

const counted = (questions: number): string => (questions === 1 ? '1 question' : `${questions} questions`);

async function filesIn(folder: string): Promise<string[] | null> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter(entry => entry.isFile() && !entry.name.startsWith('.')).map(entry => entry.name);
  } catch (error) {
    console.error(`The folder ${folder} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  }
}

/** @returns the exit code: 0, 1 when a file crashed the importer, 2 when there is no folder to read */
async function main(folder: string | undefined): Promise<number> {
  if (folder === undefined) {
    console.error('Say which folder: npm run import:try -- FOLDER');
    return 2;
  }
  const names = await filesIn(folder);
  if (!names) return 2;
  let crashes = 0;
  for (const name of names.toSorted()) {
    const { line, crashed } = await tryFile(folder, name);
    console.log(`${name}: ${line}`);
    if (crashed) crashes += 1;
  }
  return crashes > 0 ? 1 : 0;
}

const folder = process.argv[2];
const from = process.env['CAIRN_CALLED_FROM'] ?? process.cwd();
process.exitCode = await main(folder === undefined ? undefined : resolve(from, folder));
