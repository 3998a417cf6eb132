import type { Row } from '@cairn/schema';
import type { Query } from '@cairn/sync/store.ts';
import type { CheckIn } from './check-in.ts';

/** Check-ins of the days from..to (YYYY-MM-DD, inclusive), the oldest first. */
export function checkIns(from: string, to: string): Query<CheckIn[]> {
  return {
    key: `wellness/checkIns/${from}/${to}`,
    tables: ['wellness_check_ins'],
    read: async tx => present(await tx.range('wellness_check_ins', 'day', `${from}/`, `${to}/\uffff`)),
  };
}

/** Every check-in of the person, the oldest first. */
export const allCheckIns: Query<CheckIn[]> = {
  key: 'wellness/allCheckIns',
  tables: ['wellness_check_ins'],
  read: async tx => present(await tx.range('wellness_check_ins', 'day', '', '\uffff')),
};

/** The keys that close private notes, the one for new notes first. */
export const noteKeys: Query<Row<'note_keys'>[]> = {
  key: 'wellness/noteKeys',
  tables: ['note_keys'],
  async read(tx) {
    const all = (await tx.all('note_keys')).filter(row => row.deleted_at === null);
    return all.toSorted((a, b) => a.made_at.localeCompare(b.made_at) || a.id.localeCompare(b.id));
  },
};

const present = (rows: readonly CheckIn[]): CheckIn[] => rows.filter(row => row.deleted_at === null);
