export type Refusal = { file: File; reason: 'type' | 'size' };

/** Whether a file fits an `accept` list such as "image/*,.pdf"; an empty list takes anything. */
export function isAccepted(file: { name: string; type: string }, accept: string): boolean {
  const rules = accept
    .split(',')
    .map(rule => rule.trim().toLowerCase())
    .filter(Boolean);
  if (rules.length === 0) return true;
  const name = file.name.toLowerCase();
  const type = file.type.toLowerCase();
  return rules.some(rule => {
    if (rule.startsWith('.')) return name.endsWith(rule);
    return rule.endsWith('/*') ? type.startsWith(rule.slice(0, -1)) : type === rule;
  });
}

/** Parts files into those that may come in and those that may not, with the reason. `maxBytes` in bytes. */
export function sortFiles(files: readonly File[], accept: string, maxBytes: number) {
  const taken: File[] = [];
  const refused: Refusal[] = [];
  for (const file of files) {
    if (!isAccepted(file, accept)) refused.push({ file, reason: 'type' });
    else if (file.size > maxBytes) refused.push({ file, reason: 'size' });
    else taken.push(file);
  }
  return { taken, refused };
}
