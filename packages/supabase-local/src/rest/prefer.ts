import { RequestFault } from './request-fault.ts';

const KNOWN: Readonly<Record<string, RegExp>> = {
  return: /^(minimal|headers-only|representation)$/,
  count: /^(exact|planned|estimated)$/,
  resolution: /^(merge-duplicates|ignore-duplicates)$/,
  missing: /^(default|null)$/,
  handling: /^(strict|lenient)$/,
  tx: /^(commit|rollback)$/,
  'max-affected': /^\d{1,9}$/,
};
const MAX_HEADER_LENGTH = 1000;

/**
 * `Prefer` as the library shall see it: known preferences, the first of each. A count is always the exact one of what the asker may
 * see: what the planner estimates is made of everybody's rows, and told strangers how many there are and whose.
 *
 * @returns null where nothing is preferred @throws {RequestFault} PGRST122 with `handling=strict` and an unknown one
 */
export function knownPreferences(header: string): string | null {
  const asked = header
    .slice(0, MAX_HEADER_LENGTH)
    .split(',')
    .map(each => each.trim())
    .filter(Boolean);
  const kept = new Map<string, string>();
  const unknown: string[] = [];
  for (const preference of asked) {
    const [name = '', value = ''] = preference.split(/\s*=\s*/, 2);
    const isKnown = Object.hasOwn(KNOWN, name) && KNOWN[name]?.test(value) === true;
    if (!isKnown) unknown.push(preference);
    else if (!kept.has(name)) kept.set(name, name === 'count' ? 'exact' : value);
  }
  if (kept.get('handling') === 'strict' && unknown.length > 0)
    throw new RequestFault(400, 'PGRST122', 'Invalid preferences given with handling=strict', {
      details: `Invalid preferences: ${unknown.join(', ')}`,
    });
  return kept.size === 0 ? null : [...kept].map(each => each.join('=')).join(', ');
}
