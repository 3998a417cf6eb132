/** Rows that were not removed. */
export const present = <R extends { deleted_at: string | null }>(rows: readonly R[]): R[] =>
  rows.filter(row => row.deleted_at === null);
