import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

const PACKED = new Set(['.html', '.js', '.mjs', '.css', '.json', '.svg', '.webmanifest', '.wasm']);
const brotli = promisify(brotliCompress);

async function packFile(file: string): Promise<void> {
  const bytes = await readFile(file);
  await writeFile(`${file}.br`, await brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }));
}

/**
 * Lays a Brotli-packed copy (`<file>.br`) beside each text file of a folder and its subfolders, once at build time, so that
 * no server packs them again at its start.
 */
export async function packFiles(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter(entry => entry.isFile() && PACKED.has(extname(entry.name)));
  await Promise.all(files.map(entry => packFile(join(entry.parentPath, entry.name))));
}
