import type { TFunction } from 'i18next';
import type { TableName } from '@cairn/schema';
import { TELLING, type Told } from './table-words.ts';

type Contents = Partial<Record<TableName, number>>;

const parentOf = (table: Told): TableName | null => {
  const telling: (typeof TELLING)[Told] = TELLING[table];
  return typeof telling === 'string' ? null : telling.with;
};

const isTold = (table: string): table is Told => table in TELLING && TELLING[table as TableName] !== 'other';

const ORDER = Object.keys(TELLING).filter(isTold);

/** "1 inspection, 1 action, 1 photo or file": what a receipt or a line of the outbox holds. */
export function contentsWords(contents: Contents, t: TFunction<'sync'>): string {
  const countOf = (table: TableName): number => contents[table] ?? 0;
  const named = ORDER.filter(table => {
    const parent = parentOf(table);
    return countOf(table) > 0 && !(parent && countOf(parent) > 0);
  });
  // A server newer than this app may name a table it does not know.
  const others = Object.entries(contents).reduce((sum, [table, n]) => (isTold(table) ? sum : sum + n), 0);
  const words = named.map(table => t(`contents.${table}`, { count: countOf(table) }));
  return [...words, ...(others > 0 ? [t('contents.others', { count: others })] : [])].join(', ');
}
