/** Where the public form stands that a code on an asset opens for whoever has no account (`<site>/report/<token>#<code>`). */
const LABEL = /^https?:\/\/[^/\s]+\/report\/[^#\s]*#(.+)$/i;

/**
 * The code of an asset in what a camera read or a hand typed: our own labels carry it behind the address of the public
 * form, every other plate is the code itself. Blanks around it and control characters do not count.
 */
export function codeIn(scanned: string): string {
  const text = scanned.replaceAll(/\p{Cc}/gu, '').trim();
  const behind = LABEL.exec(text)?.[1];
  if (behind === undefined) return text;
  try {
    return decodeURIComponent(behind).trim();
  } catch (error) {
    if (error instanceof URIError) return behind;
    throw error;
  }
}
