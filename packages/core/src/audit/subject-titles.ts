import { syncedTables } from '@cairn/schema/synced-tables.ts';
import type { Query } from '@cairn/sync/store.ts';
import type { AuditEntry } from './audit-log.ts';

/** What an entry can be about by name, where the reader's device has it; the log itself holds ids only. */
const NAMED = [
  'policies',
  'policy_versions',
  'approval_requests',
  'workflow_rules',
  'forms',
  'inspections',
  'sites',
  'evidence',
  'frameworks',
  'controls',
  'poams',
  'findings',
] as const;
type TitledTable = (typeof NAMED)[number];

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** The record whose name says best what an entry is about; null where there is none with a name. */
export function subjectOf({ subject_table: table, subject_id: id, detail }: AuditEntry): [TitledTable, string] | null {
  const place = textOf(detail['site_id']);
  if (place) return ['sites', place];
  const version = textOf(detail['version_id']);
  if (table === 'policy_acknowledgements' && version) return ['policy_versions', version];
  const named = NAMED.find(each => each === table);
  return named ? [named, id] : null;
}

/** Titles by record id, of what the entries are about and this device holds. */
export function subjectTitles(entries: readonly AuditEntry[]): Query<Record<string, string>> {
  const wanted = new Map(entries.map(entry => subjectOf(entry)).flatMap(of => (of ? [[of[1], of[0]]] : [])));
  return {
    key: `audit/titles/${[...wanted.keys()].join()}`,
    tables: NAMED,
    async read(tx) {
      const titles: Record<string, string> = {};
      for (const [id, table] of wanted) {
        const row = await tx.get(table, id);
        const title = row && syncedTables[table].title(row as never);
        if (title) titles[id] = title;
      }
      return titles;
    },
  };
}
