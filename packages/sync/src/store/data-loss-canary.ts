import { jsonOrNull } from '@cairn/base/json-or-null.ts';
import type { KeyValue } from '../transport/platform.ts';

/**
 * Work that was lost with the device's database: how much of whose, and when it was last seen. `at`: ms since 1970.
 * `returned`: a copy of it was put back, so that nothing is lost.
 */
export type Loss = { owner: string; count: number; at: number; returned?: true };

/** What waits on this device, noted outside its database: browsers may throw one away and keep the other. */
export interface DataLossCanary {
  /** Notes how much of a person's work is unsent. */
  note(owner: string, count: number): void;
  /** What a database that is gone now had in it; kept until somebody has seen it. */
  losses(): Loss[];
  /** So much of a person's work came back from a copy: what was lost of theirs is not. */
  returned(owner: string, count: number): void;
  /** Somebody has been told of these. */
  seen(shown: readonly Loss[]): void;
}

const WAITING = 'cairn.pending';
const LOST = 'cairn.lost';

type PendingCounts = { device: string; people: Record<string, { count: number; at: number }> };

const isNoted = (value: unknown): value is PendingCounts =>
  typeof value === 'object' && value !== null && 'device' in value && 'people' in value;

/** @param device id of the present database; one made anew has another id than the one that is noted */
export function openDataLossCanary(keyValue: KeyValue, device: string, now: () => number): DataLossCanary {
  const read = (): PendingCounts => {
    const noted = jsonOrNull(keyValue.getItem(WAITING) ?? 'null');
    return isNoted(noted) ? noted : { device, people: {} };
  };
  const lost = (): Loss[] => {
    const kept = jsonOrNull(keyValue.getItem(LOST) ?? 'null');
    return Array.isArray(kept) ? (kept as Loss[]) : [];
  };
  const before = read();
  const gone = Object.entries(before.people).filter(([, { count }]) => before.device !== device && count > 0);
  if (gone.length > 0) {
    const losses = [...lost(), ...gone.map(([owner, { count, at }]) => ({ owner, count, at }))];
    keyValue.setItem(LOST, JSON.stringify(losses));
  }
  if (before.device !== device) keyValue.removeItem(WAITING);
  return {
    note(owner, count) {
      const noted = read();
      if ((noted.people[owner]?.count ?? 0) === count) return;
      const { [owner]: _before, ...others } = noted.people;
      const people = count === 0 ? others : { ...others, [owner]: { count, at: now() } };
      keyValue.setItem(WAITING, JSON.stringify({ device, people } satisfies PendingCounts));
    },
    losses: lost,
    returned(owner, count) {
      const others = lost().filter(loss => loss.owner !== owner);
      const back: Loss[] = count > 0 ? [{ owner, count, at: now(), returned: true }] : [];
      keyValue.setItem(LOST, JSON.stringify([...others, ...back]));
    },
    seen(shown) {
      const told = new Set(shown.map(({ owner }) => owner));
      const left = lost().filter(({ owner }) => !told.has(owner));
      if (left.length > 0) keyValue.setItem(LOST, JSON.stringify(left));
      else keyValue.removeItem(LOST);
    },
  };
}
