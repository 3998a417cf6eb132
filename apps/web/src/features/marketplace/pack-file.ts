import { saveFile } from '../../shared/files/save-file.ts';

/** A version's contents as a file that another pack can be made of. */
export function savePackFile(name: string, number: string, contents: unknown): void {
  const file = `${name.replaceAll(/[^\p{L}\p{N}]+/gu, '-')}-${number}.json`;
  saveFile(file, new Blob([JSON.stringify(contents, null, 2)], { type: 'application/json' }));
}
