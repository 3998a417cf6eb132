/** Characters that show nothing; `intake.plain` in the database holds the same. U+2800 is a braille cell without a dot. */
const NOTHING_FIRST = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\u2800]+/u;

/**
 * A text as the database can hold it and a person can read it: without NUL and halves of characters (lone surrogates), and
 * without what shows nothing before the first character that does.
 *
 * @returns '' where nothing of it can be seen
 */
export const plainText = (text: string): string =>
  text
    .replaceAll(/\0|\p{Surrogate}/gu, '')
    .replace(NOTHING_FIRST, '')
    .trim();
