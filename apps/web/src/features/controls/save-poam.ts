import { saveFile } from '../../shared/files/save-file.ts';

/** Hands a plan out as a file. @param at when it was written, ISO 8601 */
export function savePoam(plan: object, title: string, at: string): void {
  const name = title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  const text = `${JSON.stringify(plan, null, 2)}\n`;
  saveFile(`${name || 'plan'}-${at.slice(0, 10)}.json`, new Blob([text], { type: 'application/json' }));
}
