import fc from 'fast-check';
import { expect, test } from 'vitest';
import { freePictureName, pictureMark, picturesApart, withoutPictures, withPictures } from './policy-pictures.ts';
import { sectionsOf } from './sections.ts';
import { documentDiff } from './word-diff.ts';

const [ONE, TWO] = ['data:image/jpeg;base64,AAAAbbbb11==', 'data:image/png;base64,CCCCdddd22=='];
const words = '## Before\n\nLook up.\n\n![The way out][picture-1]\n\n## After\n\n![A lock][picture-2]\n';
const text = `${words}\n\n[picture-1]: ${ONE}\n[picture-2]: ${TWO}\n`;

test('the words are written without the bytes of pictures, and kept with those they name', () => {
  const apart = picturesApart(text);
  expect(apart.body).toBe(words);
  expect([...apart.pictures]).toEqual([
    ['picture-1', ONE],
    ['picture-2', TWO],
  ]);
  expect(withPictures(words, apart.pictures)).toBe(text);
  expect(withPictures('## After\n\n![A lock][picture-2]\n', apart.pictures)).toBe(
    `## After\n\n![A lock][picture-2]\n\n\n[picture-2]: ${TWO}\n`,
  );
  expect(freePictureName(apart.pictures)).toBe('picture-3');
  expect(freePictureName(new Map([['picture-2', TWO]]))).toBe('picture-1');
});

test('a text that has none is left as it is, letter by letter', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), any => {
      const { body: kept, pictures } = picturesApart(any);
      expect(withPictures(kept, pictures)).toBe(any);
    }),
  );
});

test('whatever is said of a picture makes one mark, and the picture is found by it', () => {
  fc.assert(
    fc.property(fc.string(), shows => {
      const mark = pictureMark('picture-1', shows);
      expect(mark).not.toContain('\n');
      const { body: kept, pictures } = picturesApart(withPictures(`${mark}\n`, new Map([['picture-1', ONE]])));
      expect([kept.trim(), pictures.get('picture-1')]).toEqual([mark.trim(), ONE]);
    }),
  );
});

test('what is typed stays to the letter, blanks and empty lines at the end too', () => {
  const typed = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '[', ']', ':') });
  fc.assert(
    fc.property(typed, typed, (before, after) => {
      const whole = `${before}![A lock][picture-2]${after}`;
      expect(picturesApart(withPictures(whole, new Map([['picture-2', TWO]]))).body).toBe(whole);
    }),
  );
});

test('each section takes along the pictures it shows, and no others', () => {
  const [before, after] = sectionsOf(text);
  expect(before?.body).toContain(ONE);
  expect(before?.body).not.toContain(TWO);
  expect(after?.body.match(/CCCCdddd22/g)).toHaveLength(1);
});

test('another picture under the same name is a difference, and no bytes are shown or searched', () => {
  const other = text.replace(ONE, 'data:image/jpeg;base64,AAAAbbbb33==');
  const { blocks } = documentDiff(text, other);
  expect(blocks.filter(({ op }) => op !== 'same')).toHaveLength(1);
  expect(documentDiff(text, text).blocks.every(({ op }) => op === 'same')).toBe(true);
  expect(withoutPictures(text)).not.toContain('AAAA');
  expect(withoutPictures(text)).toContain('Look up.');
});
