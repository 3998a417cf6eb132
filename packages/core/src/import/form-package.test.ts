import { expect, test } from 'vitest';
import { workbook, zip } from '@cairn/testing/workbook-builder.ts';
import { formPackage } from '../files/form-package.ts';
import { formJson } from '../xlsform/form-file.ts';
import { missingPictures, pictureFiles, pictureIds, withPictures } from '../forms/definition/form-pictures.ts';
import { importFormFile } from './form-file.ts';
import { unpackForm } from './form-package.ts';

const ID = '00000000-0000-4000-8000-0000000000b1';
const SHEETS = {
  survey: [
    ['type', 'name', 'label'],
    ['select_one states', 'state', 'State'],
  ],
  choices: [
    ['list_name', 'name', 'label', 'media::image'],
    ['states', 'good', 'Good'],
    ['states', 'dent', 'Dent', 'pictures/Dent.PNG'],
  ],
};
const picture = Uint8Array.of(0xff, 0xd8, 0xff);
const buffer = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;

async function formIn(file: ArrayBuffer, name: string) {
  const result = await importFormFile(file, name);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.form;
}

test('a form goes out with its pictures and comes in again as the same form with the same pictures', async () => {
  const plain = await formIn(workbook(SHEETS), 'form.xlsx');
  expect(missingPictures(plain)).toEqual(['pictures/Dent.PNG']);
  const form = withPictures(plain, [{ id: ID, name: 'dent.png' }]);
  expect([missingPictures(form), pictureIds(form)]).toEqual([[], [ID]]);
  const files = pictureFiles(form).map(({ name }) => ({ name, bytes: picture }));
  expect(files.map(({ name }) => name)).toEqual(['Dent.PNG']);

  for (const given of [
    { name: 'form.xlsx', bytes: new Uint8Array(workbook(SHEETS)) },
    { name: 'form.json', bytes: new TextEncoder().encode(formJson(plain)) },
  ]) {
    const whole = unpackForm(buffer(formPackage(given, files)));
    if (!whole) throw new Error('not understood');
    expect([whole.name, whole.pictures]).toEqual([given.name, [{ name: 'media/Dent.PNG', bytes: picture }]]);
    expect(withPictures(await formIn(whole.form, whole.name), [{ id: ID, name: 'media/Dent.PNG' }])).toEqual(form);
  }
});

test('a workbook is read as a whole, though it is a zip; so is what is damaged, and a zip with two forms or none', () => {
  expect(unpackForm(workbook(SHEETS))).toBeNull();
  expect(unpackForm(buffer(Uint8Array.of(0x50, 0x4b, 1, 2, 3)))).toBeNull();
  expect(unpackForm(zip({ 'a.json': '{}', 'b.json': '{}' }))).toBeNull();
  expect(unpackForm(zip({ 'media/a.png': 'x' }))).toBeNull();
  expect(unpackForm(zip({ 'form.json': '{}', '__MACOSX/._form.json': 'x' }))).toMatchObject({ name: 'form.json' });
});
