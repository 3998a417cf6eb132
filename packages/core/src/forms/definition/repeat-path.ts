/** The form's own path of an answer's: `tyres[k3f9].pressure` is an answer to `tyres.pressure`. */
export const formPath = (path: string): string => (path.includes('[') ? path.replaceAll(/\[[^[\]]*\]/g, '') : path);

/**
 * The path of one entry of a repeat. Its answers begin with it, and so is called the answer that says that there is such an
 * entry: its value is a number by which the entries stand in order. Two devices that each add one get two.
 *
 * @param key unique among the entries; letters, digits and - only
 */
export const entryPath = (repeatPath: string, key: string): string => `${repeatPath}[${key}]`;

/** The repeat and key of an entry's path; null for the path of a question. */
export function entryOf(path: string): { repeat: string; key: string } | null {
  if (!path.endsWith(']')) return null;
  const opened = path.lastIndexOf('[');
  return { repeat: path.slice(0, opened), key: path.slice(opened + 1, -1) };
}

/** The paths of the entries an answer stands in, outermost first. */
export const entriesOf = (path: string): string[] =>
  [...path.matchAll(/\]/g)].map(({ index }) => path.slice(0, index + 1));
