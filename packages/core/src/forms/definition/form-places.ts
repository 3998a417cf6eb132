import type { CompiledGroup, CompiledItem } from './compiled-form.ts';
import { entryOf, entryPath } from './repeat-path.ts';

/** A section or question as often as it stands in an inspection: once, or once for each entry of a repeat. */
export type ItemInstance = {
  item: CompiledItem;
  /** What `inspection_answers.question` holds for it, e.g. `tyres[k3f9].pressure`. */
  path: string;
  /** The place of the section it stands in; empty outside sections. */
  owner: string;
  /** Paths of the entries it stands in, outermost first. */
  entries: readonly string[];
  /** Which entry each of them is, from 1. */
  positions: readonly number[];
};

/** Where the children of a section stand: the section itself, or one entry of a repeat. */
export type ParentInstance = { path: string; owner: string; entries: readonly string[]; positions: readonly number[] };

/** Outside all sections. */
const OUTSIDE: readonly ParentInstance[] = [{ path: '', owner: '', entries: [], positions: [] }];

/** More entries than this are not worked out from a count: no form needs them, and a wrong number must not stop the device. */
export const MAX_REPEAT_ENTRIES = 1000;

/** Keys of the entries by the path of their repeat, in their order. */
export type Entries = ReadonlyMap<string, readonly string[]>;

/** The entries that people added, from the answers that stand for them. */
export function addedEntries(answers: ReadonlyMap<string, { value: unknown }>): Entries {
  const found = new Map<string, { key: string; at: number }[]>();
  for (const [path, { value }] of answers) {
    const entry = entryOf(path);
    if (!entry || typeof value !== 'number') continue;
    const others = found.get(entry.repeat);
    if (others) others.push({ key: entry.key, at: value });
    else found.set(entry.repeat, [{ key: entry.key, at: value }]);
  }
  const ordered = [...found].map(([repeat, entries]): [string, string[]] => [
    repeat,
    entries.toSorted((a, b) => a.at - b.at || (a.key < b.key ? -1 : 1)).map(({ key }) => key),
  ]);
  return new Map(ordered);
}

/** The keys of so many entries. */
export const countedKeys = (count: number): string[] =>
  Array.from({ length: Math.min(MAX_REPEAT_ENTRIES, Math.max(0, Math.trunc(count) || 0)) }, (_, index) =>
    String(index + 1),
  );

/** Every place of an item, given where the children of its section stand. */
export function placesIn(item: CompiledItem, insides: readonly ParentInstance[] = OUTSIDE): ItemInstance[] {
  const name = item.kind === 'group' ? item.group.name : item.question.name;
  return insides.map(({ path, owner, entries, positions }) => ({
    item,
    path: path === '' ? name : `${path}.${name}`,
    owner,
    entries,
    positions,
  }));
}

/** Where the children of a section stand: in each of its places, for a repeat in each entry of each. */
export function insidesOf(
  group: CompiledGroup,
  places: readonly ItemInstance[],
  keysAt: (path: string) => readonly string[],
): ParentInstance[] {
  return places.flatMap(({ path, entries, positions }): ParentInstance[] => {
    if (group.group.type === 'group') return [{ path, owner: path, entries, positions }];
    return keysAt(path).map((key, index) => {
      const entry = entryPath(path, key);
      return { path: entry, owner: path, entries: [...entries, entry], positions: [...positions, index + 1] };
    });
  });
}
