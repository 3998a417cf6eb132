import type { StatusState } from '../src/feedback/pill.tsx';

export type Policy = { id: string; title: string; state: StatusState; stateWord: string; read: number | null };

export const POLICIES: readonly Policy[] = [
  { id: 'p1', title: 'Working at height', state: 'review', stateWord: 'In review', read: null },
  { id: 'p2', title: 'Lockout and tagout', state: 'due', stateWord: 'Acknowledge', read: 29 },
  { id: 'p3', title: 'Chemical storage', state: 'done', stateWord: 'In force', read: 36 },
  { id: 'p4', title: 'Gefährdungsbeurteilung für Flurförderzeuge', state: 'done', stateWord: 'In Kraft', read: 38 },
];

/** As many policies as asked for, numbered. */
export function manyPolicies(count: number): Policy[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `p${index + 1}`,
    title: `Policy ${index + 1}`,
    state: 'done',
    stateWord: 'In force',
    read: index % 39,
  }));
}

const DAY_MS = 86_400_000;

/** Eighteen weeks with gaps. */
export const HABIT_DAYS = Array.from({ length: 126 }, (_, index) => {
  const day = new Date(Date.UTC(2026, 6, 1) + index * DAY_MS).toISOString().slice(0, 10);
  const value = (index * 7) % 11 > 6 ? 0 : (index * 5) % 9;
  return { day, value, label: `${day}: ${value}` };
});
