import type { Row } from '@cairn/schema';
import type { Query } from '@cairn/sync/store.ts';
import { useLive } from '@cairn/sync/use-live.ts';

const allPeople: Query<Row<'people'>[]> = {
  key: 'dashboard/allPeople',
  tables: ['people'],
  read: tx => tx.all('people'),
};

/** Looks up the name a person shows to their colleagues. */
export function usePersonName(): (id: string | null) => string | null {
  const live = useLive(allPeople);
  const names = new Map(live.status === 'ready' ? live.answer.map(row => [row.id, row.display_name]) : []);
  return id => (id === null ? null : (names.get(id) ?? null));
}
