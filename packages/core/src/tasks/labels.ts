const MAX_LABELS = 20;

/** Labels without blanks around them, each once whatever its case, at most twenty. */
export function cleanLabels(labels: readonly string[]): string[] {
  const known = new Map<string, string>();
  for (const label of labels) {
    const clean = label.trim().slice(0, 40);
    if (clean !== '' && !known.has(clean.toLowerCase())) known.set(clean.toLowerCase(), clean);
  }
  return [...known.values()].slice(0, MAX_LABELS);
}
