import type { Fact } from '@cairn/ui/data/facts.tsx';
import { fieldName } from './record-text.ts';
import type { ConflictTexts } from './use-conflict-texts.ts';
import { valueText } from './value-text.ts';

/** Says where it is, and nothing of what was written. */
const PLACED: ReadonlySet<string> = new Set(['id', 'organization_id', 'user_id']);

type Value = readonly [field: string, value: unknown];

/** What this device changed; of a record that is known as a whole only, all that stands in it. */
function valuesOf({ fields, mine }: ConflictTexts['conflict']): Value[] {
  const changed = fields.map(({ f, mine }): Value => [f, mine]);
  const all = Object.entries(mine).filter(([, value]) => value !== null && value !== '');
  return (changed.length > 0 ? changed : all).filter(([field]) => !PLACED.has(field));
}

/** What this person wrote of a record that is gone, by the names of its fields, and how much more has none. */
export function writtenHere({ conflict, telling }: ConflictTexts): { facts: Fact[]; more: number } {
  const told = new Map<string, string[]>();
  let more = 0;
  for (const [field, value] of valuesOf(conflict)) {
    const name = fieldName(field);
    if (name === null) more += 1;
    else told.set(name, [...(told.get(name) ?? []), valueText(field, value, telling)]);
  }
  return { facts: [...told].map(([name, words]) => [name, words.join(', ')] as const), more };
}
