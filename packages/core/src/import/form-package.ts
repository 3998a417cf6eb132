import { unzipSync } from 'fflate';
import type { NamedFile } from '../files/form-package.ts';
import { isListFile } from '../odk/list-file.ts';

/** A form as it was picked, with the pictures and the lists of choices that came along. */
export type FormPackage = { form: ArrayBuffer; name: string; pictures: NamedFile[]; lists: NamedFile[] };

const FORM = /\.(xlsx|xls|xml|json)$/i;
const PICTURE = /\.(jpe?g|png|webp|gif|bmp|avif)$/i;
/** What a Macintosh puts beside each file. */
const HIDDEN = /(^|\/)(__MACOSX|\.)/;

const MB = 1024 * 1024;
/** A small zip can unpack to gigabytes. */
const MAX_UNPACKED_BYTES = 60 * MB;
const MAX_FILES = 1000;

/**
 * Looks into a zip with one form and the pictures of its choices; a workbook is a zip too and stays whole.
 *
 * @returns null when the file is none of that: it is to be read as the form itself
 */
export function unpackForm(file: ArrayBuffer): FormPackage | null {
  const bytes = new Uint8Array(file);
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) return null;
  let total = 0;
  let count = 0;
  let isWorkbook = false;
  const wanted = ({ name, originalSize }: { name: string; originalSize: number }) => {
    isWorkbook ||= name === '[Content_Types].xml';
    count += 1;
    total += originalSize;
    const isOf = !HIDDEN.test(name) && (FORM.test(name) || PICTURE.test(name) || isListFile(name));
    return isOf && !isWorkbook && total <= MAX_UNPACKED_BYTES && count <= MAX_FILES;
  };
  let unpacked: Record<string, Uint8Array>;
  try {
    unpacked = unzipSync(bytes, { filter: wanted });
  } catch {
    // A damaged zip: the reader of forms says so, in words.
    return null;
  }
  if (isWorkbook) return null;
  const sorted = sortFormFiles(Object.entries(unpacked).map(([name, content]) => ({ name, bytes: content })));
  if (!sorted || !FORM.test(sorted.form.name)) return null;
  const { form, pictures, lists } = sorted;
  return { form: form.bytes.slice().buffer, name: form.name.split('/').at(-1) ?? form.name, pictures, lists };
}

/** The endings of forms, those that can be nothing else first. */
const FORMS = [/\.(xlsx|xls)$/i, /\.xml$/i, /\.json$/i];
const XFORM = /<(?:\w+:)?html[\s>]/;

/**
 * Which of several files is the form, and what the others are to it. A file alone is the form, whatever it is called.
 *
 * @returns null where several could be the form, or none
 */
export function sortFormFiles(
  files: readonly NamedFile[],
): { form: NamedFile; pictures: NamedFile[]; lists: NamedFile[] } | null {
  const form = formAmong(files);
  if (!form) return null;
  const others = files.filter(file => file !== form);
  const lists = others.filter(({ name }) => isListFile(name));
  return { form, lists, pictures: others.filter(({ name }) => PICTURE.test(name)) };
}

function formAmong(files: readonly NamedFile[]): NamedFile | undefined {
  if (files.length === 1) return files[0];
  for (const ending of FORMS) {
    const found = files.filter(({ name }) => ending.test(name));
    // Lists of choices may be XML too.
    const [form, ...others] = found.length > 1 && ending === FORMS[1] ? found.filter(isXForm) : found;
    if (form) return others.length === 0 ? form : undefined;
  }
  return undefined;
}

const isXForm = ({ bytes }: NamedFile): boolean => XFORM.test(new TextDecoder().decode(bytes.slice(0, 2000)));
