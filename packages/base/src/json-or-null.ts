/** What a JSON text says; null also where it is none: not written by us, or cut short. */
export function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
