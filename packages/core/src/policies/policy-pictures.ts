/** px of the longer side of a picture, and bytes of it, at most: five of them fit a text, and every reader's device carries each. */
export const TEXT_PICTURE_SIDE = 1280;
export const MAX_TEXT_PICTURE_BYTES = 56_000;

/**
 * A picture is part of the text: a Markdown definition (`[picture-1]: data:image/jpeg;base64,…`) that the text names where the picture
 * stands (`![What it shows][picture-1]`). So its bytes are under the version's hash, merged, packed and read with no signal as words are.
 */
const PICTURE_LINE = /^ {0,3}\[([^\]\n]+)\]:[ \t]*(data:image\/(?:png|jpeg|gif|webp);base64,[a-z0-9+/=]+)[ \t]*$/gim;

/** The pictures as `withPictures` puts them: what stands before them is the words, to the letter. */
const AT_END = /\n\n(?:\[[^\]\n]+\]: data:image\/(?:png|jpeg|gif|webp);base64,[a-z0-9+/=]+\n)+$/i;

export type PicturedText = {
  /** What is written, without the pictures' bytes. */
  body: string;
  /** Address (`data:`) by name. */
  pictures: ReadonlyMap<string, string>;
};

/** A text and its pictures apart, as somebody writes it. */
export function picturesApart(text: string): PicturedText {
  const pictures = new Map<string, string>();
  for (const [, name = '', url = ''] of text.matchAll(PICTURE_LINE)) {
    // Of two that have one name Markdown takes the first.
    if (!pictures.has(name)) pictures.set(name, url);
  }
  const end = text.search(AT_END);
  return { body: text.slice(0, end === -1 ? text.length : end).replaceAll(PICTURE_LINE, ''), pictures };
}

/** The text as it is kept: its pictures at its end, those that it still names. `picturesApart` gives the same words again, to the last blank. */
export function withPictures(body: string, pictures: ReadonlyMap<string, string>): string {
  const named = [...pictures].filter(([name]) => body.includes(`[${name}]`));
  if (named.length === 0) return body;
  const lines = named.map(([name, url]) => `[${name}]: ${url}`);
  return `${body}\n\n${lines.join('\n')}\n`;
}

/** The first name that stands for no picture yet, e.g. `picture-2`. */
export function freePictureName(pictures: ReadonlyMap<string, string>): string {
  let number = 1;
  while (pictures.has(`picture-${number}`)) number += 1;
  return `picture-${number}`;
}

/** The mark that stands where a picture is shown. @param shows what it shows, for who does not see it; one line */
export const pictureMark = (name: string, shows: string): string =>
  `![${shows
    .replaceAll(/[[\]\\]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()}][${name}]`;

/** A text without the bytes of pictures, wherever they stand: what a search looks through. */
export const withoutPictures = (text: string): string =>
  text.replaceAll(/data:image\/[a-z+]+;base64,[a-z0-9+/=]+/gi, '');
