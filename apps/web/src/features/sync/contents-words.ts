import type { TFunction } from 'i18next';
import type { TableName } from '@cairn/schema';

/** Tables a person has a word for, in the order they are told. */
const ORDER = [
  'inspections',
  'action_items',
  'tasks',
  'issue_reports',
  'media',
  'forms',
  'assets',
  'inspection_answers',
  'form_versions',
  'form_drafts',
  'policy_acknowledgements',
] as const satisfies readonly TableName[];
type Named = (typeof ORDER)[number];

/** What is told with its parent: answers belong to their inspection, versions to their form. */
const PARENT: Partial<Record<TableName, Named>> = {
  inspection_answers: 'inspections',
  form_versions: 'forms',
  form_drafts: 'forms',
};

/** "1 inspection, 1 action, 1 photo": what a receipt or a line of the outbox holds. */
export function contentsWords(contents: Partial<Record<TableName, number>>, t: TFunction<'sync'>): string {
  const named = ORDER.filter(table => {
    const parent = PARENT[table];
    return (contents[table] ?? 0) > 0 && !(parent && (contents[parent] ?? 0) > 0);
  });
  const known = new Set<string>(ORDER);
  const others = Object.entries(contents).reduce((sum, [table, n]) => (known.has(table) ? sum : sum + n), 0);
  const words = named.map(table => t(`contents.${table}`, { count: contents[table] ?? 0 }));
  return [...words, ...(others > 0 ? [t('contents.others', { count: others })] : [])].join(', ');
}
