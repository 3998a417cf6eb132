import type { NamedFile } from '../files/form-package.ts';
import { type ImportResult, refused, wholeFile } from '../odk/checked-form.ts';
import { importFormFile } from './form-file.ts';
import { type FormPackage, sortFormFiles, unpackForm } from './form-package.ts';

/** What was made of the files that were chosen together; `pictures` came with the form. */
export type ReadFormFiles = { result: ImportResult; pictures: NamedFile[] };

const buffer = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;

/**
 * Reads a form from one file, from a zip, or from several files chosen together: the form, the pictures of its choices, and
 * lists of choices that stand in files of their own. Nothing is stored.
 *
 * @param onProgress called whenever a step of it is done
 */
export async function readFormFiles(
  files: readonly NamedFile[],
  onProgress: () => void = () => {},
): Promise<ReadFormFiles> {
  const unpacked = files.flatMap(file => {
    const whole = unpackForm(buffer(file.bytes));
    return whole ? filesOf(whole) : [file];
  });
  onProgress();
  const sorted = sortFormFiles(unpacked);
  if (!sorted) {
    const names = unpacked.map(({ name }) => name).slice(0, 5);
    const message = `Choose one form at a time, with the files that belong to it; these are several: ${names.join(', ')}.`;
    return { result: refused([wholeFile(message)]), pictures: [] };
  }
  const { form, pictures, lists } = sorted;
  const result = await importFormFile(buffer(form.bytes), form.name, { beside: lists, onProgress });
  return { result, pictures };
}

const filesOf = ({ form, name, pictures, lists }: FormPackage): NamedFile[] => [
  { name, bytes: new Uint8Array(form) },
  ...pictures,
  ...lists,
];
