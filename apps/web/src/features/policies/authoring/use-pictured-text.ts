import { useMemo, useRef } from 'react';
import { freePictureName, pictureMark, picturesApart, withPictures } from '@cairn/core/policies/policy-pictures.ts';
import { MAX_POLICY_CHARS } from '@cairn/core/policies/version-states.ts';

/**
 * A text as it is written: the words alone, while the pictures they name go along. A picture whose mark was deleted is there again
 * with its mark, for as long as one writes.
 */
export function usePicturedText(text: string, onChange: (text: string) => void) {
  const { body: words, pictures } = useMemo(() => picturesApart(text), [text]);
  const seen = useRef(new Map<string, string>());
  const known = () => {
    for (const [name, url] of pictures) seen.current.set(name, url);
    return seen.current;
  };
  return {
    words,
    /** Characters the text still takes. */
    room: MAX_POLICY_CHARS - text.length,
    write: (next: string) => onChange(withPictures(next, known())),
    /** Keeps a picture beside the words. @returns the mark that shows it */
    keep: (url: string, shows: string): string => {
      const name = freePictureName(known());
      seen.current.set(name, url);
      return pictureMark(name, shows);
    },
  };
}
