import { zipSync } from 'fflate';

/** A file by its name, and its bytes. */
export type NamedFile = { name: string; bytes: Uint8Array };

/** A form with its pictures as one file: the form, and beside it a folder `media`, as programs of the ODK family have it. */
export function formPackage(form: NamedFile, pictures: readonly NamedFile[]): Uint8Array<ArrayBuffer> {
  const files = [[form.name, form.bytes], ...pictures.map(({ name, bytes }) => [`media/${name}`, bytes])] as const;
  // Nothing in it can be made smaller: workbooks and pictures are packed already.
  return new Uint8Array(zipSync(Object.fromEntries(files), { level: 0 }));
}
