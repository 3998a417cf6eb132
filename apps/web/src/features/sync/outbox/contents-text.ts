import type { TFunction } from 'i18next';
import type { TableName } from '@cairn/schema';
import type { ReceiptContents } from '@cairn/sync/transport/backend.ts';
import type { Contents } from '../lists/outbox-lines.ts';
import { TELLING, type CountedTable } from './table-labels.ts';

const parentOf = (table: CountedTable): TableName | null => {
  const telling: (typeof TELLING)[CountedTable] = TELLING[table];
  return typeof telling === 'string' ? null : telling.with;
};

const isTold = (table: string): table is CountedTable => table in TELLING && TELLING[table as TableName] !== 'other';

/** What a receipt tells of one table in words of their own. */
const APART = ['policy_openings', 'policy_declines'] as const;

const isApart = (name: string): name is (typeof APART)[number] => APART.some(each => each === name);

const ORDER = Object.keys(TELLING).filter(isTold);

/** "1 inspection, 1 action, 1 photo or file", choices first: what a receipt or a line of the outbox holds. */
export function contentsText({ choices = 0, ...contents }: Contents & ReceiptContents, t: TFunction<'sync'>): string {
  const countOf = (table: TableName): number => contents[table] ?? 0;
  const named = ORDER.filter(table => {
    const parent = parentOf(table);
    return countOf(table) > 0 && !(parent && countOf(parent) > 0);
  });
  // A server newer than this app may name a table it does not know.
  const others = Object.entries(contents).reduce(
    (sum, [name, n]) => (isTold(name) || isApart(name) ? sum : sum + n),
    0,
  );
  const words = named.map(table => t(`contents.${table}`, { count: countOf(table) }));
  const apart = APART.filter(name => (contents[name] ?? 0) > 0).map(name =>
    t(`contents.${name}`, { count: contents[name] ?? 0 }),
  );
  const chosen = choices > 0 ? [t('contents.choices', { count: choices })] : [];
  return [...chosen, ...words, ...apart, ...(others > 0 ? [t('contents.others', { count: others })] : [])].join(', ');
}
