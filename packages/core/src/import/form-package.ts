import { unzipSync } from 'fflate';
import type { NamedFile } from '../export/form-package.ts';

/** A form as it was picked, with the pictures that came along. */
export type FormPackage = { form: ArrayBuffer; name: string; pictures: NamedFile[] };

const FORM = /\.(xlsx|xls|xml|json)$/i;
const PICTURE = /\.(jpe?g|png|webp|gif|bmp|avif)$/i;
/** What a Macintosh puts beside each file. */
const HIDDEN = /(^|\/)(__MACOSX|\.)/;

const MB = 1024 * 1024;
/** A small zip can unpack to gigabytes. */
const LARGEST_UNPACKED = 60 * MB;
const MOST_FILES = 1000;

/**
 * Looks into a zip with one form and the pictures of its choices; a workbook is a zip too and stays whole.
 *
 * @returns null when the file is none of that: it is to be read as the form itself
 */
export function unpackForm(file: ArrayBuffer): FormPackage | null {
  const bytes = new Uint8Array(file);
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) return null;
  const [forms, pictures] = [[] as NamedFile[], [] as NamedFile[]];
  let total = 0;
  let count = 0;
  let isWorkbook = false;
  const wanted = ({ name, originalSize }: { name: string; originalSize: number }) => {
    isWorkbook ||= name === '[Content_Types].xml';
    count += 1;
    total += originalSize;
    const isOf = !HIDDEN.test(name) && (FORM.test(name) || PICTURE.test(name));
    return isOf && !isWorkbook && total <= LARGEST_UNPACKED && count <= MOST_FILES;
  };
  let unpacked: Record<string, Uint8Array>;
  try {
    unpacked = unzipSync(bytes, { filter: wanted });
  } catch {
    // A damaged zip: the reader of forms says so, in words.
    return null;
  }
  for (const [name, content] of Object.entries(unpacked))
    (FORM.test(name) ? forms : pictures).push({ name, bytes: content });
  const [form] = forms;
  if (isWorkbook || forms.length !== 1 || !form) return null;
  return { form: form.bytes.slice().buffer, name: form.name.split('/').at(-1) ?? form.name, pictures };
}
