/** For the setter of a field whose words were kept: empties it, unless something else was typed while they were being saved. */
export const emptied =
  (kept: string | undefined) =>
  (now: string): string =>
    now === kept ? '' : now;
